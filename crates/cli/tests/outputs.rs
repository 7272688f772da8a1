//! Outputs that cannot be written: found before the work where that is possible, and never at the
//! cost of the answer. The exit status is 1.
#![cfg(unix)]

mod common;

use common::{Folder, end_of, limited, script};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Output, Stdio};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofplay"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn told(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    told(command(arguments).output().unwrap())
}

/// The same for a command that would take hours if it began.
fn run_at_once(arguments: &[&str]) -> (Option<i32>, String, String) {
    told(end_of(command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()))
}

/// A store with a match of two games.
fn store(folder: &Folder) -> String {
    let store = folder.file("store.db");
    let contest = "match --game tictactoe --a mcts --b mcts:c=2 --playouts 5 --games 2 --memory 1MiB --store";
    let (status, _, error) = run(&contest.split(' ').chain([&*store]).collect::<Vec<_>>());
    assert_eq!(status, Some(0), "{error}");
    store
}

const MATCH: &str = "match --game loa --a mcts --b mcts --games 1000000 --time-per-move 1h --store :memory:";

#[test]
fn found_before_the_work() {
    let folder = Folder::new("before");
    let store = store(&folder);
    fs::write(folder.file("plain"), "").unwrap();
    fs::create_dir(folder.file("taken")).unwrap();
    fs::create_dir(folder.file("taken.html")).unwrap();
    let before = fs::read_dir(&folder.0).unwrap().count();
    let outputs: [(Vec<&str>, &str); 7] = [
        ("solve connect4:7x6 --certificate".split(' ').collect(), ""),
        ("solve connect4:7x6 --checkpoint".split(' ').collect(), ""),
        ("solve connect4:7x6 --store".split(' ').collect(), ""),
        (format!("{MATCH} --records").leak().split(' ').collect(), ""),
        ("learn loa --games 1000000 --output".split(' ').collect(), ""),
        (vec!["results", "--store", &store, "--output"], ""),
        (vec!["report", "--store", &store, "--out"], ".html"),
    ];
    for (arguments, ending) in &outputs {
        // A folder in the way, nothing where a folder should be, a file in its place, a system that
        // has no such files.
        for place in ["taken", "no/such/file", "plain/file", "/proc/file"] {
            let place = if place.starts_with('/') { place.to_owned() } else { folder.file(place) } + ending;
            for json in [&[][..], &["--json"]] {
                let arguments = [&arguments[..], &[&place], json].concat();
                let (status, out, error) = run_at_once(&arguments);
                assert_eq!((status, out.as_str()), (Some(1), ""), "{arguments:?}: {error}");
                assert!(error.starts_with("error: ") && error.contains(&place), "{arguments:?}: {error}");
                assert_eq!(error.lines().count(), 1, "{error}");
            }
        }
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), before, "nothing is left behind");
    // A folder that cannot be made, and a store that can only be read.
    let (status, _, error) = run(&["report", "--store", &store, "--out", &folder.file("plain/folder")]);
    assert_eq!(status, Some(1), "{error}");
    let read_only = format!("file:{store}?mode=ro");
    for arguments in [&["solve", "connect4:7x6", "--store"][..], &["reproduce", "all", "--store"]] {
        let (status, out, error) = run_at_once(&[arguments, &[&read_only]].concat());
        assert_eq!((status, out.as_str()), (Some(1), ""), "{arguments:?}: {error}");
    }
}

/// The arguments, what the answer says, and what the JSON has.
fn check(arguments: &[&str], place: &str, answer: &str, key: &str) {
    let why = format!("cannot write `{place}`: No space left on device");
    let (status, out, error) = run(arguments);
    assert_eq!(status, Some(1), "{arguments:?}: {error}");
    assert!(out.contains(answer), "{arguments:?}: {out}");
    assert!(error.starts_with(&format!("error: {why}")) && error.lines().count() == 1, "{error}");
    let (status, out, error) = run(&[arguments, &["--json"]].concat());
    assert_eq!((status, out.lines().count()), (Some(1), 1), "{arguments:?}: {error}");
    let json: Value = serde_json::from_str(&out).unwrap();
    assert!(!json[key].is_null(), "{arguments:?}: {out}");
    assert!(json["unwritten"][0].as_str().unwrap().starts_with(&why), "{out}");
    assert!(error.starts_with(&format!("error: {why}")), "{error}");
}

/// A device that is always full can be opened, but nothing can be written.
#[test]
fn the_answer_is_printed_all_the_same() {
    let folder = Folder::new("after");
    let store = store(&folder);
    let full = "/dev/full";
    check(&["solve", "tictactoe", "--certificate", full], full, "X to move draws", "value");
    check(&["solve", "connect4", "--nodes", "5000", "--checkpoint", full], full, "not solved", "value");
    let contest = "match --game tictactoe --a mcts --b mcts:c=2 --playouts 5 --games 2 --memory 1MiB";
    let contest: Vec<&str> = contest.split(' ').chain(["--store", &store, "--records", full]).collect();
    check(&contest, full, "games   2: A wins", "games");
    let learn = ["learn", "loa:5x5", "--games", "1", "--engine", "mcts:playouts=2", "--output", full];
    check(&learn, full, "# CATEGORY PLAYED AVAILABLE", "categories");
    // A link with the right ending.
    let page = folder.file("page.html");
    symlink(full, &page).unwrap();
    run(&["reproduce", "score-bounded-1", "--store", &store]);
    check(&["report", "--store", &store, "--out", &page], &page, "", "tables");
    let (status, out, error) = run(&["results", "--store", &store, "--output", full]);
    assert_eq!((status, out.as_str()), (Some(1), ""), "{error}");
    // The JSON says what became of the certificate, too.
    let (_, out, _) = run(&["solve", "tictactoe", "--certificate", full, "--json"]);
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&json["value"], &json["certificate"]["file"]), (&"draw".into(), &Value::Null));
    assert_eq!(json["certificate"]["why_not"], json["unwritten"][0]);
    // Devices are still there.
    assert!(fs::metadata(full).is_ok_and(|full| !full.is_file()));
    assert!(fs::symlink_metadata(&page).unwrap().is_symlink());
}

/// The store can be opened, but what is to be kept does not fit.
#[test]
fn a_store_that_is_full() {
    let folder = Folder::new("full-store");
    let store = store(&folder);
    // A name that is longer than the store may grow.
    let tree = format!("written:({}+)", "= ".repeat(50_000));
    for json in [false, true] {
        let solve = ["solve", &tree, "--store", &store, "--json"];
        let solve = &solve[..if json { 5 } else { 4 }];
        let (status, out, error) = told(limited("-f 160", solve).output().unwrap());
        assert_eq!(status, Some(1), "{error}");
        assert!(error.contains("store.db") && error.lines().count() == 1, "{error}");
        if json {
            let json: Value = serde_json::from_str(&out).unwrap();
            assert_eq!((&json["value"], json.get("experiment")), (&"win".into(), None));
            assert!(json["unwritten"][0].as_str().unwrap().contains("store.db"), "{}", json["unwritten"]);
        } else {
            assert!(out.contains("First to move wins"), "{error}");
        }
    }
}

/// Nobody reads what is printed, but there is a file.
#[test]
fn a_closed_output_keeps_no_file_from_being_written() {
    let folder = Folder::new("closed");
    for game in ["tictactoe", "connect4:4x4"] {
        let file = folder.file("proof");
        let mut child =
            command(&["solve", game, "--certificate", &file]).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0));
        assert_eq!(run(&["verify", &file]).0, Some(0));
        fs::remove_file(&file).unwrap();
    }
    // A file that is missing counts more than a reader who is gone.
    for json in [&[][..], &["--json"]] {
        let solve = [&["solve", "tictactoe", "--certificate", "/dev/full"], json].concat();
        let mut child = command(&solve).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
}

#[test]
fn standard_output_that_is_full() {
    let folder = Folder::new("stdout");
    let store = store(&folder);
    for arguments in [
        "--help",
        "--version",
        "solve --help",
        "completions bash",
        "games",
        "games --json",
        "rules tictactoe",
        "show tictactoe",
        "solve tictactoe",
        "solve tictactoe --json",
        "analyze tictactoe --playouts 10",
        "perft tictactoe 2",
        "replay go:9x9 --moves e5 --as-sgf",
        "results",
        "play tictactoe --side both --json",
    ] {
        let store = if arguments == "results" { format!(" --store {store}") } else { String::new() };
        let command = format!("\"$0\" {arguments}{store} > /dev/full < /dev/null");
        let (status, _, error) = told(script("-c 0", &command).output().unwrap());
        assert_eq!(status, Some(1), "{arguments}: {error}");
        assert!(error.contains("error: cannot write the output: No space left on device"), "{error}");
    }
}
