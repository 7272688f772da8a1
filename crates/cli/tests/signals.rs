//! Ctrl-C, SIGTERM and a closed standard output: the program ends cleanly and tells what it knows.
#![cfg(target_os = "linux")]

mod common;

use common::{end_of, send, wait_until_it_listens};
use serde_json::Value;
use std::process::{Child, Command, Stdio};

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_proofplay"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The exit status and what was printed after `signal` came.
fn after(signal: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let child = start(arguments);
    wait_until_it_listens(&child);
    send(signal, &child);
    let output = end_of(child);
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_search_tells_what_it_knows() {
    for signal in ["INT", "TERM"] {
        let (status, text) = after(signal, &["solve", "connect4:7x6", "--json"]);
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (status, &answer["solved"], &answer["value"]),
            (Some(3), &false.into(), &"unknown".into())
        );
        assert!(answer["nodes"].is_u64());
        assert_eq!(answer["bounds"].to_string(), "[-1,1]");
    }
    let (status, text) = after("INT", &["solve", "mnk:9x9k5", "--algorithm", "minimax"]);
    assert_eq!(status, Some(3));
    assert!(text.contains("not solved: nothing is proven yet about X to move"), "{text}");
}

/// Whether the search or the writing was stopped: no file, and nothing beside its place.
#[test]
fn a_certificate_is_whole_or_not_there() {
    let folder = std::env::temp_dir().join(format!("proofplay-signals-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("one").to_str().unwrap().to_owned();
    for game in ["connect4:7x6", "domineering:10x10"] {
        let (status, text) = after("INT", &["solve", game, "--certificate", &file]);
        assert_eq!(status, Some(3));
        assert!(text.contains("no certificate: "), "{text}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_count_is_unknown() {
    let (status, text) = after("INT", &["perft", "connect4", "20", "--threads", "2", "--json"]);
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &answer["count"]), (Some(3), &Value::Null));
}

#[test]
fn a_game_is_kept() {
    // Nobody types anything.
    let (status, text) = after("INT", &["play", "connect4", "--moves", "4 4", "--json"]);
    let record: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, record["plies"].as_array().unwrap().len()), (Some(3), 2));
    // The computer thinks.
    let thinking = ["play", "connect4", "--side", "none", "--time-per-move", "1h", "--json"];
    let (status, text) = after("INT", &thinking);
    let record: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, record["plies"].as_array().unwrap().len()), (Some(3), 0));
}

#[test]
fn closed_output_is_no_panic() {
    for arguments in [&["games"][..], &["--help"], &["completions", "bash"], &["show", "connect4"]] {
        let mut child = start(arguments);
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}");
    }
}
