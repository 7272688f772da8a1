//! `review`: a game that was played, judged move by move.

mod common;

use common::Folder;
use serde_json::Value;

fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("proofplay");
    let output = command.arg("review").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(arguments: &[&str]) -> Value {
    let (status, text, error) = run(&[arguments, &["--json"]].concat());
    assert_eq!(status, 0, "{error}");
    serde_json::from_str(&text).unwrap()
}

/// Two blunders in each of ten games of Connect Four: these and nothing else are the turning points.
#[test]
fn planted_blunders() {
    let games = include_str!("data/connect4-blunders.txt");
    let mut count = 0;
    for game in games.lines().filter(|line| !line.starts_with('#')) {
        let [position, moves, blunders] = game.split("; ").collect::<Vec<_>>().try_into().unwrap();
        let blunders: Vec<u64> = blunders.split(' ').map(|ply| ply.parse().unwrap()).collect();
        let answer = json(&["connect4", "--position", position, "--moves", moves, "--nodes", "20M"]);
        assert_eq!(answer["turning_points"], Value::from(blunders.clone()), "{game}");
        for m in answer["moves"].as_array().unwrap() {
            let is_blunder = blunders.contains(&m["ply"].as_u64().unwrap());
            assert_eq!((&m["mistake"], &m["judged_by"]), (&is_blunder.into(), &"proof".into()), "{m}");
            assert_eq!(m["better"].is_string() && m["better_proven"] == true, is_blunder, "{m}");
            assert_eq!(m["before"]["value"] != m["after"]["value"], is_blunder, "{m}");
        }
        count += 1;
    }
    assert_eq!(count, 10);
}

#[test]
fn the_summary_comes_first() {
    let (status, text, _) = run(&["tictactoe", "--moves", "b2 b1 a1 c3 a3", "--nodes", "100k"]);
    assert_eq!(status, 0);
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("no `{what}` in {text}"));
    let places = [
        at(
            "X: 3 moves, 0 mistakes, 0 turning points, average loss 0.00 (3 judged by proofs, 0 by estimates)",
        ),
        at("O: 2 moves, 1 mistake, 1 turning point, average loss 0.50 (2 judged by proofs, 0 by estimates)"),
        at("ply 2, O plays b1: from a proven draw to a proven loss; better a1; it is answered by a1 "),
        at("  ply  mover  move "),
        at("*   2  O      b1       draw     loss      1  a1"),
    ];
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn files() {
    let folder = Folder::new("review");
    let [moves, sgf, judged] = ["moves.txt", "game.sgf", "judged.sgf"].map(|name| folder.file(name));
    std::fs::write(&moves, "# a game\nb2 b1\n\na1 c3 # the only move\na3\n").unwrap();
    let line = ["tictactoe", "--moves", "b2 b1 a1 c3 a3", "--nodes", "10k"];
    assert_eq!(json(&["tictactoe", "--moves-file", &moves, "--nodes", "10k"]), json(&line));
    // A game of Go comes back with comments, and is the same game.
    std::fs::write(&sgf, "(;GM[1]SZ[3]KM[0];B[bb];W[ba];B[];W[])").unwrap();
    let limits = ["--nodes", "5k", "--playouts", "200", "--sgf", &sgf];
    let answer = json(&[&["go", "--sgf-out", &judged], &limits[..]].concat());
    assert_eq!(answer["moves"].as_array().unwrap().len(), 4);
    let text = std::fs::read_to_string(&judged).unwrap();
    assert!(text.contains(";B[bb]C[B plays b2: ") && text.matches("C[").count() == 4, "{text}");
    assert_eq!(json(&["go", "--nodes", "5k", "--playouts", "200", "--sgf", &judged]), answer);
    // Its own comments and variations stay.
    std::fs::write(&sgf, "(;GM[1]SZ[3]KM[0]XX[y];B[bb]C[own](;W[ba];B[];W[])(;W[]))").unwrap();
    assert_eq!(json(&[&["go", "--sgf-out", &judged], &limits[..]].concat()), answer);
    let text = std::fs::read_to_string(&judged).unwrap();
    assert!(text.contains("XX[y]RE[0];B[bb]C[own\n\nB plays b2: ") && text.contains("(;W[])"), "{text}");
    for (arguments, why) in [
        (&["tictactoe", "--moves", "b2", "--sgf-out", &judged][..], "only games of go, loa and amazons"),
        (&["go", "--sgf", &sgf, "--sgf-out", &sgf], "same file"),
        (&["tictactoe"], "needs a game"),
        (&["tictactoe", "--moves", "b2 b2"], "ply 2: "),
        (&["tictactoe", "--moves", "b2", "--moves-file", &moves], "cannot be used with"),
        (&["go:2x2", "--moves", "a1", "--algorithm", "alphabeta"], "repeat"),
    ] {
        let (status, text, error) = run(arguments);
        assert_eq!((status, text.as_str()), (2, ""), "{arguments:?}");
        assert!(error.contains(why), "{arguments:?}: {error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_gives_what_is_known() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_proofplay"));
    command.args(["review", "connect4", "--moves", "4 4 4", "--time", "10h", "--json"]);
    let child =
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null()).spawn().unwrap();
    common::wait_until_it_listens(&child);
    common::send("INT", &child);
    let output = common::end_of(child);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &answer["done"]), (Some(3), &false.into()));
    for m in answer["moves"].as_array().unwrap() {
        assert_eq!(
            (&m["judged_by"], &m["loss"], &m["mistake"]),
            (&Value::Null, &Value::Null, &false.into()),
            "{m}"
        );
    }
}
