//! `proofplay table`, `table verify` and `--facts`.

mod common;

use common::Folder;
use serde_json::Value;
use std::fs;

/// Status, standard output and standard error.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = assert_cmd::cargo::cargo_bin_cmd!("proofplay").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// What a command that succeeds prints with `--json`.
fn json(arguments: &[&str]) -> Value {
    let (status, out, error) = run(&[arguments, &["--json"]].concat());
    assert_eq!(status, 0, "{arguments:?}: {error}");
    serde_json::from_str(&out).unwrap()
}

/// Two kings against one, which no search without a table solves in a moment, and what `retrograde` says about it.
const POSITION: &str = ".B..../....../....../....../....../W.W... w";

#[test]
fn a_table_is_made_checked_and_used() {
    let folder = Folder::new("tables");
    let file = folder.file("c3.table");
    let game = "checkers:6x6,draw=none";
    let made = json(&["table", game, "--set", "pieces=3", "--out", &file, "--threads", "2"]);
    let checked = json(&["table", "verify", &file]);
    assert_eq!((&made["valid"], &checked["valid"]), (&Value::Null, &Value::Bool(true)));
    for key in ["game", "set", "positions", "wins", "draws", "losses", "longest", "moves", "bytes"] {
        assert_eq!(made[key], checked[key], "{key}");
    }
    // Plies are counted where positions repeat, by the search that can.
    let solve = ["solve", game, "--position", POSITION];
    let shortest = json(&[&solve[..], &["--shortest", "--all-moves"]].concat());
    assert_eq!(shortest["search"], "retrograde");
    assert!(shortest["plies"].is_number() && shortest["moves"][0]["value"].is_string());
    let with_table = json(&[&solve[..], &["--facts", &file, "--nodes", "100k"]].concat());
    assert_eq!(with_table["value"], shortest["value"]);
    let analyzed = json(&["analyze", game, "--position", POSITION, "--facts", &file, "--playouts", "500"]);
    assert_eq!(analyzed["value"], shortest["value"]);
    let (status, _, error) = run(&[
        "match",
        "--game",
        game,
        "--a",
        "mcts",
        "--b",
        "mcts:c=1",
        "--playouts",
        "20",
        "--games",
        "2",
        "--facts",
        &file,
        "--store",
        &folder.file("x.db"),
    ]);
    assert_eq!(status, 0, "{error}");
    // The same set from the parts of a checkpoint, and another set from it.
    let kept = folder.file("kept");
    fs::copy(&file, &kept).unwrap();
    let again = folder.file("again.table");
    json(&["table", game, "--set", "pieces=3", "--out", &again, "--checkpoint", &kept]);
    assert_eq!(fs::read(&again).unwrap(), fs::read(&file).unwrap());
    let (status, _, error) =
        run(&["table", game, "--set", "pieces=2", "--out", &again, "--checkpoint", &kept]);
    assert!(status == 2 && error.contains("checkpoint: the table is for"), "{error}");
}

#[test]
fn tables_that_are_of_no_use_are_refused() {
    let folder = Folder::new("no-tables");
    let file = folder.file("star.table");
    json(&["table", "chinese-checkers:1", "--out", &file]);
    let refused = |arguments: &[&str], why: &str| {
        let (status, out, error) = run(arguments);
        assert!(status == 2 && error.contains(why), "{arguments:?}: {status} {out} {error}");
    };
    refused(
        &["solve", "checkers:6x6", "--facts", &file],
        "is for `chinese-checkers:1`, not for `checkers:6x6`",
    );
    refused(&["solve", "chinese-checkers:1", "--facts", &folder.file("none")], "none");
    refused(&["table", "checkers:6x6", "--set", "pieces=99", "--out", &file], "expected `pieces=N`");
    refused(&["table", "tictactoe", "--set", "all", "--out", &file], "has no sets of positions");
    refused(&["table", "go:3x3", "--out", &file], "retrograde leaves aside");
    refused(&["table", "tictactoe", "--out", &file], "no table can be made of this");
    let whole = fs::read(&file).unwrap();
    let bad = folder.file("bad.table");
    fs::write(&bad, &whole[..whole.len() - 5]).unwrap();
    refused(&["table", "verify", &bad], "it ends too early");
    refused(&["solve", "chinese-checkers:1", "--facts", &bad], "it ends too early");
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(&bad, &damaged).unwrap();
    refused(&["table", "verify", &bad], "damaged");
    fs::write(&bad, "hello").unwrap();
    refused(&["table", "verify", &bad], "no table of this version");
    // It says what it would need.
    let (status, out, _) = run(&["table", "loa:5x5", "--out", &file, "--memory", "2MiB"]);
    assert!(status == 3 && out.contains("it does not fit: at least"), "{out}");
    let set = ["table", "checkers:8x8,draw=none", "--set", "pieces=3", "--out", &file, "--memory", "2MiB"];
    let (status, out, _) = run(&set);
    assert!(status == 3 && out.contains("numbers are done, and the next part needs"), "{out}");
    assert_eq!(fs::read(&file).unwrap(), whole, "a table that is not finished replaces nothing");
}
