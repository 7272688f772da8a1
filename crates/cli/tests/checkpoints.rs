//! `solve --checkpoint` and `--resume`: searches that are killed at any moment go on, and files
//! that are wrong are refused.
#![cfg(unix)]

mod common;

use common::Folder;
#[cfg(target_os = "linux")]
use common::{end_of, send, wait_until_it_listens};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofplay"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Status, JSON and errors.
fn run(arguments: &[&str]) -> (i32, Value, String) {
    let output = command(arguments).arg("--json").output().unwrap();
    let answer = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code().unwrap(), answer, String::from_utf8(output.stderr).unwrap())
}

/// A small generator of our own: moments need no better one.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *state >> 33
}

/// Kills the program with the signal that nobody can catch, at random moments, until a run gets to
/// the end.
fn killed_again_and_again(game: &str, algorithm: &str) {
    let folder = Folder::new(&format!("killed-{algorithm}"));
    let (file, mut state) = (folder.file("one"), 7);
    let start = ["solve", game, "--algorithm", algorithm, "--memory", "32MiB", "--json"];
    let (status, expected, _) = run(&start[..6]);
    assert_eq!(status, 0, "{game} {algorithm}");
    let mut begin = start[..6].to_vec();
    begin.extend(["--nodes", "300", "--checkpoint", &file]);
    assert_eq!(run(&begin).0, 3, "{game} is too small for {algorithm}");
    // The first one is killed in any case, later everybody gets to the end.
    let (mut kills, mut patience) = (0, 1);
    loop {
        let resume = ["solve", "--resume", &file, "--json", "--checkpoint-every", "1ms"];
        let mut child = command(&resume).stdout(Stdio::piped()).spawn().unwrap();
        sleep(Duration::from_millis(random(&mut state) % patience));
        if kills > 0 && child.try_wait().unwrap().is_some() {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{game} {algorithm}");
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            for same in ["game", "position", "value", "score", "algorithm"] {
                assert_eq!(answer[same], expected[same], "{game} {algorithm}: {same}");
            }
            assert!(answer["nodes"].as_u64().unwrap() > 250, "nodes add up");
            break;
        }
        // SIGKILL on Unix.
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        patience += 1 + patience / 8;
    }
}

#[test]
fn tables_survive_kills() {
    killed_again_and_again("connect4:5x5", "alphabeta");
    killed_again_and_again("connect4:5x4", "dfpn");
}

#[test]
fn graphs_survive_kills() {
    killed_again_and_again("domineering:6x6", "ppt");
    killed_again_and_again("nogo:4x3", "pns");
}

#[test]
fn trees_survive_kills() {
    killed_again_and_again("connect4:4x4", "score-bounded");
}

/// Ctrl-C and SIGTERM write a checkpoint.
#[cfg(target_os = "linux")]
#[test]
fn signals_end_a_run_that_can_go_on() {
    let folder = Folder::new("signals-end");
    let file = folder.file("one");
    for signal in ["INT", "TERM"] {
        let child = command(&["solve", "connect4:7x6", "--checkpoint", &file, "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        wait_until_it_listens(&child);
        send(signal, &child);
        assert_eq!(end_of(child).status.code(), Some(3));
        let (status, answer, _) = run(&["solve", "--resume", &file, "--nodes", "1000"]);
        assert_eq!((status, &answer["game"]), (3, &"connect4:7x6".into()));
        assert!(answer["nodes"].as_u64().unwrap() >= 1000, "nodes add up");
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn a_budget_ends_a_run_that_can_go_on() {
    let folder = Folder::new("ends");
    let file = folder.file("one");
    let first = ["solve", "connect4:4x4", "--moves", "2 2", "--nodes", "500", "--all-moves", "--seed", "3"];
    let (status, answer, _) = run(&[&first[..], &["--checkpoint", &file]].concat());
    assert_eq!(
        (status, answer["checkpoint"]["bytes"].as_u64()),
        (3, Some(fs::metadata(&file).unwrap().len()))
    );
    // The next run writes elsewhere and leaves a certificate.
    let (other, proof) = (folder.file("two"), folder.file("proof"));
    let (status, _, _) = run(&["solve", "--resume", &file, "--nodes", "600", "--checkpoint", &other]);
    assert_eq!(status, 3);
    let (status, last, _) = run(&["solve", "--resume", &other, "--certificate", &proof]);
    assert_eq!((status, &last["seed"], last["moves"].as_array().unwrap().len()), (0, &3.into(), 4));
    let (_, whole, _) = run(&[&first[..4], &["--all-moves"]].concat());
    assert_eq!((&last["value"], &last["moves"]), (&whole["value"], &whole["moves"]));
    assert_eq!(run(&["verify", &proof]).0, 0);
}

#[test]
fn wrong_files_are_refused_in_one_line() {
    let folder = Folder::new("refused");
    let (file, bad) = (folder.file("one"), folder.file("bad"));
    let solve = ["solve", "connect4:5x5", "--nodes", "20000", "--algorithm", "ppt", "--checkpoint", &file];
    assert_eq!(run(&solve).0, 3);
    let whole = fs::read(&file).unwrap();
    let refused = |bytes: &[u8], why: &str| {
        fs::write(&bad, bytes).unwrap();
        let (status, _, error) = run(&["solve", "--resume", &bad]);
        assert_eq!((status, error.lines().count()), (2, 1), "{error}");
        assert!(error.contains(why) && error.contains("bad"), "{error}");
    };
    refused(b"", "not a checkpoint");
    refused(b"\0\xff\0", "not a checkpoint");
    refused(&whole[..whole.len() / 2], "damaged or cut short");
    refused(&whole[..100], "damaged or cut short");
    let mut flipped = whole.clone();
    flipped[whole.len() - 100] ^= 4;
    refused(&flipped, "damaged or cut short");
    let text = |from: &str, to: &str| {
        let head = whole.windows(2).position(|two| two == b"\n\n").unwrap();
        let changed = String::from_utf8(whole[..head].to_vec()).unwrap().replace(from, to);
        let mut bytes = [changed.as_bytes(), &whole[head..whole.len() - 4]].concat();
        let mut sum = flate2::Crc::new();
        sum.update(&bytes);
        bytes.extend(sum.sum().to_le_bytes());
        bytes
    };
    refused(&text("checkpoint 1", "checkpoint 9"), "a checkpoint of format `9`; this program reads format 1");
    refused(&text("program: ", "program: 9."), "written by version `9.");
    refused(&text("seed: 0", "seed: zero"), "the line `seed:` is missing or wrong");
    refused(&text("threads: 1", "threads: 99999999"), "it asks for 99999999 threads; a search has 1 to 1024");
    fs::write(&bad, text("memory: ", "memory: 99999999")).unwrap();
    let (status, _, error) = run(&["solve", "--resume", &bad]);
    assert_eq!((status, error.contains("ask for less with --memory")), (2, true), "{error}");
    // The same text of a position in another game.
    let other = text("game: connect4:5x5", "game: connect4:5x5k3");
    fs::write(&bad, other).unwrap();
    assert_eq!(run(&["solve", "--resume", &bad]).0, 2);
    let (status, _, error) = run(&["solve", "tictactoe", "--algorithm", "minimax", "--checkpoint", &file]);
    assert_eq!(status, 2);
    assert!(error.contains("minimax keeps nothing that could be written into a checkpoint"), "{error}");
    for both in [&["solve", "tictactoe", "--resume", &file][..], &["solve", "--resume", &file, "--seed", "1"]]
    {
        assert_eq!(run(both).0, 2);
    }
    assert_eq!(run(&["solve"]).0, 2);
}
