//! The JSON of every command, on every registered game: its keys are a contract.

use proofplay_registry::GAMES;
use serde_json::Value;

fn run(arguments: &[&str], input: &str) -> (i32, Value) {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("proofplay");
    let output = command.args(arguments).arg("--json").write_stdin(input).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let json = serde_json::from_str(&stdout);
    let json = json.unwrap_or_else(|error| panic!("{arguments:?} printed `{stdout}`: {error}"));
    assert_eq!(stdout.lines().count(), 1, "one line of JSON");
    (output.status.code().unwrap(), json)
}

fn done(arguments: &[&str]) -> Value {
    let (status, json) = run(arguments, "");
    assert_eq!(status, 0, "{arguments:?}");
    json
}

fn keys(json: &Value) -> Vec<&str> {
    json.as_object().unwrap().keys().map(String::as_str).collect()
}

fn strings(json: &Value) -> Vec<&str> {
    json.as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect()
}

#[test]
fn games() {
    let games = done(&["games"]);
    assert_eq!(games.as_array().unwrap().len(), GAMES.len());
    for game in games.as_array().unwrap() {
        assert_eq!(keys(game), ["name", "parameters", "example", "rules", "score_range", "repeats"]);
        assert!(game["score_range"][0].as_i64().unwrap() < game["score_range"][1].as_i64().unwrap());
        // One game is an object, with all of its rules.
        let one = done(&["games", game["name"].as_str().unwrap()]);
        let more = ["full_rules", "game", "position", "to_move", "picture"];
        assert_eq!(keys(&one), [&keys(game)[..], &more].concat());
        assert_eq!(one["example"], game["example"]);
        assert_eq!(one, done(&["rules", &game["name"].as_str().unwrap().to_uppercase()]));
    }
    let small = done(&["rules", "connect4:3x2"]);
    assert_eq!(
        (&small["game"], &small["picture"]),
        (&"connect4:3x2".into(), &"2  . . .\n1  . . .\n   1 2 3\n".into())
    );
}

/// A tree that cannot grow ends a search that nothing else would end.
#[test]
fn full_memory() {
    let solve = ["solve", "connect4", "--algorithm", "mcts:full=stay", "--memory", "8KiB", "--nodes", "100k"];
    let (status, answer) = run(&solve, "");
    assert_eq!((status, &answer["solved"], &answer["ended"]), (3, &false.into(), &"memory".into()));
    let (status, answer) = run(&[&solve[..6], &["--playouts", "150k"]].concat(), "");
    assert_eq!((status, &answer["playouts"], &answer["ended"]), (3, &150_000.into(), &"limit".into()));
}

#[test]
fn show() {
    for entry in GAMES.iter() {
        let shown = done(&["show", entry.example()]);
        assert_eq!(keys(&shown), ["game", "position", "to_move", "legal", "outcome", "score"]);
        assert_eq!(shown["to_move"], "first");
        assert_eq!((&shown["outcome"], &shown["score"]), (&Value::Null, &Value::Null));
        let after = &done(&["show", entry.example(), "--after"])["after"];
        assert_eq!(keys(after), strings(&shown["legal"]), "in the order of the legal moves");
        // A position text stands for the position.
        let mv = strings(&shown["legal"])[0];
        let next = done(&["show", entry.example(), "--moves", mv]);
        assert_eq!(next["position"], after[mv]);
        assert_eq!(done(&["show", entry.example(), "--position", after[mv].as_str().unwrap()]), next);
        let both = done(&[
            "show",
            entry.example(),
            "--position",
            shown["position"].as_str().unwrap(),
            "--moves",
            mv,
        ]);
        assert_eq!(both, next);
    }
    let over = done(&["show", "tictactoe", "--moves", "a1 b1 a2 b2 a3", "--after"]);
    assert_eq!(
        over.to_string(),
        r#"{"game":"tictactoe","position":"x../xo./xo. o","to_move":null,"legal":[],"outcome":"first","score":1,"after":{}}"#
    );
}

#[test]
fn perft() {
    for entry in GAMES.iter() {
        let plain = done(&["perft", entry.example(), "3"]);
        assert_eq!(keys(&plain), ["game", "position", "to_move", "depth", "count"]);
        let count = plain["count"].as_u64().unwrap();
        let legal = done(&["show", entry.example()]);
        for threads in ["1", "3"] {
            let divided = done(&["perft", entry.example(), "3", "--divide", "--threads", threads]);
            assert_eq!(keys(&divided), ["game", "position", "to_move", "depth", "count", "divide"]);
            assert_eq!(divided["count"], count);
            assert_eq!(keys(&divided["divide"]), strings(&legal["legal"]));
            let sum: u64 = divided["divide"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
            assert_eq!(sum, count);
        }
        assert_eq!(done(&["perft", entry.example(), "0"])["count"], 1);
        assert_eq!(done(&["perft", entry.example(), "1"])["count"], strings(&legal["legal"]).len());
    }
}

#[test]
fn solve() {
    const KEYS: [&str; 18] = [
        "game",
        "position",
        "to_move",
        "search",
        "solved",
        "value",
        "score",
        "bounds",
        "scale",
        "plies",
        "best_move",
        "pv",
        "nodes",
        "simulations",
        "elapsed_s",
        "memory_bytes",
        "ended",
        "seed",
    ];
    for entry in GAMES.iter() {
        let (status, answer) =
            run(&["solve", entry.example(), "--nodes", "2k", "--memory", "1MiB", "--seed", "7"], "");
        assert_eq!(keys(&answer), [&KEYS[..], &["algorithm", "playouts"]].concat());
        assert_eq!((&answer["algorithm"], &answer["playouts"]), (&answer["search"], &answer["simulations"]));
        assert_eq!(status, if answer["solved"] == true { 0 } else { 3 }, "{}", entry.example());
        assert_eq!(answer["solved"] == true, answer["bounds"][0] == answer["bounds"][1]);
        assert_eq!(answer["solved"] == true, !answer["score"].is_null());
        assert_eq!(answer["seed"], 7);
        assert!(answer["memory_bytes"].as_u64().unwrap() <= 1 << 20);
        let legal = done(&["show", entry.example()]);
        assert!(strings(&legal["legal"]).contains(&answer["best_move"].as_str().unwrap()));
    }
    // O can only stop the row: the values of all moves, for O, by two searches that share no code.
    for algorithm in ["minimax", "alphabeta"] {
        let line = ["solve", "tictactoe", "--moves", "a1 b2 b1", "--all-moves", "--algorithm", algorithm];
        let answer = done(&line);
        assert_eq!(keys(&answer)[..KEYS.len()], KEYS);
        assert_eq!(
            (&answer["to_move"], &answer["value"], &answer["score"]),
            (&"second".into(), &"draw".into(), &0.into())
        );
        let moves: Vec<_> = answer["moves"].as_array().unwrap().iter().collect();
        for mv in &moves {
            assert_eq!(keys(mv), ["move", "value", "score", "bounds", "plies"]);
            assert_eq!((&mv["bounds"][0], &mv["bounds"][1]), (&mv["score"], &mv["score"]));
            assert_eq!(mv["value"], if mv["move"] == "c1" { "draw" } else { "loss" });
        }
        assert_eq!(moves.len(), 6);
    }
    // The budget runs out before all moves are known.
    let (status, answer) = run(&["solve", "connect4:4x4", "--all-moves", "--nodes", "500"], "");
    assert_eq!(status, 3);
    assert!(answer["moves"].as_array().unwrap().iter().any(|m| m["value"] == "unknown"));
}

#[test]
fn replay_and_play() {
    let replayed = done(&["replay", "tictactoe", "--moves", "b2 b1 a1 c3 a3 c1 a2"]);
    assert_eq!(keys(&replayed), ["game", "position", "to_move", "plies", "outcome", "score"]);
    assert_eq!(replayed["to_move"], Value::Null, "the game is over");
    assert_eq!(replayed["plies"].as_array().unwrap().len(), 7);
    assert_eq!(
        replayed["plies"][6].to_string(),
        r#"{"ply":7,"to_move":"first","legal_count":3,"move":"a2","legal":3}"#
    );
    assert_eq!((&replayed["outcome"], &replayed["score"]), (&"first".into(), &1.into()));
    // The same game by hand, with every word there is and some that there are not.
    let typed = "help\nb2\nmoves\nb1\nhint\nz9\na1\nc3\n\u{0}\nc2\nundo\na3\nc1\na2\n";
    assert_eq!(run(&["play", "tictactoe", "--side", "both"], typed), (0, replayed));
    // The rest of the input is missing.
    let (status, stopped) = run(&["play", "tictactoe", "--moves", "b2", "--side", "both"], "a1\n");
    assert_eq!((status, &stopped["outcome"]), (0, &Value::Null));
    assert_eq!(stopped["plies"].as_array().unwrap().len(), 2);
    // Undo takes back the computer's answer, too.
    let (_, undone) = run(&["play", "tictactoe"], "b2\nundo\nquit\n");
    assert_eq!(undone["plies"].as_array().unwrap().len(), 0);
}

#[test]
fn the_engine_plays_every_game_to_its_end() {
    for entry in GAMES.iter() {
        let line = [
            "play",
            entry.example(),
            "--side",
            "none",
            "--engine",
            "mcts:playouts=10",
            "--time-per-move",
            "1h",
            "--seed",
            "1",
            "--memory",
            "1MiB",
        ];
        let played = done(&line);
        assert!(!played["outcome"].is_null(), "{}", entry.example());
        let moves: Vec<_> =
            played["plies"].as_array().unwrap().iter().map(|p| p["move"].as_str().unwrap()).collect();
        assert_eq!(done(&["replay", entry.example(), "--moves", &moves.join(" ")]), played);
    }
    assert_eq!(
        done(&["play", "tictactoe", "--side", "none", "--time-per-move", "1h"])["outcome"],
        "draw",
        "best play draws"
    );
}
