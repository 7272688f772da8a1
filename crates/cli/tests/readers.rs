//! Files of any size, devices and pipes: what is read is bounded, and reading can be stopped.
#![cfg(unix)]

mod common;

use common::{Folder, limited, script};
#[cfg(target_os = "linux")]
use common::{end_of, send, wait_until_it_listens};
use serde_json::Value;
use std::fs::{self, File};
use std::io::Write;
use std::process::{Command, Stdio};

/// Status, output and errors of the program with 200 MB for its data.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = limited("-d 200000", arguments).stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().expect("it was not killed"), text(output.stdout), text(output.stderr))
}

fn refused(arguments: &[&str], why: &str) {
    let (status, out, error) = run(arguments);
    assert_eq!((status, out.as_str(), error.lines().count()), (2, "", 1), "{arguments:?}: {error}");
    assert!(error.contains(why), "{arguments:?}: {error}");
}

/// The arguments of every reader, with its file.
fn readers(file: &str) -> Vec<Vec<&str>> {
    let text = |line: &'static str| line.split(' ').chain([file]).collect();
    vec![
        text("verify --memory 64MiB"),
        text("tournament"),
        text("show go --sgf"),
        text("replay go --sgf"),
        text("perft go 1 --sgf"),
        text("solve go --memory 64MiB --sgf"),
        text("analyze go --memory 64MiB --sgf"),
        text("play go --memory 64MiB --sgf"),
        text("match --game tictactoe --a mcts --b mcts --store :memory: --memory 1MiB --openings"),
        text("tune --game tictactoe --engine mcts:c=1|2 --store :memory: --memory 1MiB --openings"),
    ]
}

#[test]
fn devices_without_end() {
    for arguments in readers("/dev/zero") {
        let why = if arguments[0] == "verify" {
            "`/dev/zero` is not a certificate: its first line must be `proofplay-certificate` and a version"
        } else {
            "`/dev/zero` is larger than 1"
        };
        refused(&arguments, why);
    }
    refused(&["solve", "--memory", "64MiB", "--resume", "/dev/zero"], "not a file that can be read twice");
    refused(&["results", "--store", "/dev/zero"], "/dev/zero");
    // A certificate that never ends.
    let endless = "(echo proofplay-certificate 1; cat /dev/zero)";
    let verify = format!("{endless} | \"$0\" verify --memory 64MiB --json /dev/stdin");
    let output = script("-d 200000", &verify).output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &answer["valid"]), (Some(3), &Value::Null));
    assert_eq!(answer["why"], "`/dev/stdin` is larger than 56.00 MiB; allow more with --memory");
}

/// Nothing of them is read but the beginning. They take no room on the disk either.
#[test]
fn large_files() {
    let folder = Folder::new("large");
    let file = folder.file("large");
    let make = |beginning: &[u8]| {
        let mut large = File::create(&file).unwrap();
        large.write_all(beginning).unwrap();
        large.set_len(3 << 30).unwrap();
    };
    make(b"something else");
    for arguments in readers(&file) {
        let why = if arguments[0] == "verify" { "is not a certificate" } else { "is larger than 1" };
        refused(&arguments, why);
    }
    refused(&["solve", "--memory", "64MiB", "--resume", &file], "not a checkpoint: its first line must be");
    make(b"proofplay-certificate 1\n");
    let (status, out, _) = run(&["verify", &file, "--memory", "64MiB"]);
    assert_eq!(status, 3);
    assert!(out.starts_with("neither accepted nor refused: `") && out.contains("56.00 MiB"), "{out}");
}

/// Memory is for everything: the file and the positions together.
#[test]
fn a_certificate_and_its_positions_share_the_memory() {
    let folder = Folder::new("share");
    let (file, padded) = (folder.file("one"), folder.file("two"));
    let solve = ["solve", "domineering:5x5", "--memory", "16MiB", "--certificate", &file];
    assert_eq!(run(&solve).0, 0);
    let verify = |file: &str, memory: &str| run(&["verify", file, "--memory", memory]);
    assert_eq!(verify(&file, "700KiB").0, 0);
    assert_eq!(verify(&file, "64KiB").0, 3);
    // The same file with data behind it: read as a whole before it is refused, if there is memory
    // for it.
    let bytes = [fs::read(&file).unwrap(), vec![0; 1 << 20]].concat();
    fs::write(&padded, bytes).unwrap();
    let (status, out, _) = verify(&padded, "1MiB");
    assert!(status == 3 && out.contains("is larger than 512.00 KiB"), "{out}");
    let (status, _, error) = verify(&padded, "16MiB");
    assert!(status == 2 && error.contains("bytes"), "{error}");
}

/// Nobody writes into the pipe.
#[cfg(target_os = "linux")]
#[test]
fn waiting_for_a_pipe_can_be_stopped() {
    let folder = Folder::new("pipe");
    let pipe = folder.file("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (i, arguments) in readers(&pipe).iter().enumerate() {
        let child = Command::new(env!("CARGO_BIN_EXE_proofplay"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_until_it_listens(&child);
        send(["INT", "TERM", "HUP"][i % 3], &child);
        let output = end_of(child);
        let (out, error) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {error}");
        assert!((out + &error).contains("stopped while `"), "{arguments:?}: {error}");
    }
    refused(&["solve", "--resume", &pipe], "not a file that can be read twice");
}

/// A line without end costs no memory, nor do lines that nobody has asked for.
#[test]
fn lines_of_a_player_are_bounded() {
    let play = |input: &str| {
        let play = format!("{input} | \"$0\" play tictactoe --side both --memory 1MiB --json");
        let output = script("-d 200000", &play).output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), answer["plies"].as_array().map(Vec::len), said)
    };
    let endless = "(head -c 600000000 /dev/zero; echo; echo b2; echo quit)";
    let (status, plies, said) = play(endless);
    assert_eq!((status, plies), (Some(0), Some(1)), "{said}");
    assert!(said.contains("a line of more than 1024 bytes is neither a move nor a word"), "{said}");
    // A move of the allowed length, and a line that would be one if its end were cut off.
    let (status, plies, said) = play("(printf '%1021s\n' b2; printf '%1022s       \n' a1; printf c3)");
    assert_eq!((status, plies), (Some(0), Some(2)), "{said}");
}
