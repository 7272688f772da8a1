//! The server as another program sees it: docs/JSON.md shows what happens.

mod common;

use common::Folder;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_proofplay");

/// A piece of the page, in a frame of this kind.
fn framed(kind: &str) -> &'static str {
    let (_, section) = include_str!("../../../docs/JSON.md").split_once("\n## serve-stdio\n").unwrap();
    let (_, rest) = section.split_once(&format!("```{kind}\n")).unwrap();
    rest.split("```").next().unwrap()
}

/// The conversation of the page is one that was had.
#[test]
fn the_conversation_of_the_page() {
    let mut server = Command::new(PROGRAM);
    let server = server.arg("serve-stdio").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = server.spawn().unwrap();
    let (mut to, mut from) = (server.stdin.take().unwrap(), BufReader::new(server.stdout.take().unwrap()));
    let mut sent = 0;
    for line in framed("text").lines() {
        if let Some(request) = line.strip_prefix("> ") {
            writeln!(to, "{request}").unwrap();
            sent += 1;
            continue;
        }
        let mut told = String::new();
        from.read_line(&mut told).unwrap();
        let told: Value = serde_json::from_str(&told).unwrap();
        let shown = line.strip_prefix("< ").unwrap();
        let whole = !shown.contains(", …}");
        let shown: Value = serde_json::from_str(&shown.replace(", …}", "}")).unwrap();
        for (field, value) in shown.as_object().unwrap() {
            assert_eq!(&told[field], value, "{field} of {told}");
        }
        assert_eq!(shown.as_object().unwrap().len() == told.as_object().unwrap().len(), whole, "{told}");
    }
    assert!(sent > 5 && server.wait().unwrap().success());
}

/// The client of the page prints what the page says.
#[test]
fn the_client_of_the_page() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: there is no python3");
        return;
    }
    let folder = Path::new(PROGRAM).parent().unwrap();
    let path = std::env::join_paths(
        std::iter::once(folder.to_owned()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let output =
        Command::new("python3").args(["-c", framed("python")]).env("PATH", path.unwrap()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "4\nloss\n", "{error}");
}

/// Who does not listen any more gets no complaint.
#[test]
fn nobody_listens() {
    let mut server = Command::new(PROGRAM);
    let server =
        server.arg("serve-stdio").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = server.spawn().unwrap();
    drop(server.stdout.take());
    writeln!(server.stdin.as_mut().unwrap(), r#"{{"do": "games"}}"#).unwrap();
    let output = server.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

/// Proofs of a conversation hold, also those that use what was proven before.
#[test]
fn certificates() {
    let folder = Folder::new("stdio");
    let files = ["one", "two", "three"].map(|name| folder.file(name));
    let solve = |file: &String| json!({"do": "solve", "shortest": true, "certificate": file});
    let requests = [
        json!({"do": "new", "game": "connect4:5x4", "moves": "3 3 2"}),
        solve(&files[0]),
        json!({"do": "undo"}),
        json!({"do": "play", "moves": "3 2"}),
        solve(&files[1]),
        json!({"do": "new", "game": "connect4:5x4", "position": "...../...../..o../.xx.. o", "moves": "4"}),
        solve(&files[2]),
        json!({"do": "quit"}),
    ];
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let mut server = assert_cmd::cargo::cargo_bin_cmd!("proofplay");
    let output = server.arg("serve-stdio").write_stdin(lines).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let told: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (file, answer) in files.iter().zip([1, 4, 6]) {
        let output = Command::new(PROGRAM).args(["verify", file, "--json"]).output().unwrap();
        let verified: Value = serde_json::from_slice(&output.stdout).unwrap();
        for field in ["position", "value", "score", "plies"] {
            assert_eq!(verified[field], told[answer][field], "{field}: {}", told[answer]);
        }
        assert_eq!(verified["valid"], true);
    }
}

/// Too much memory is refused before anything is read.
#[test]
fn too_much_memory() {
    let output = Command::new(PROGRAM).args(["serve-stdio", "--memory", "4000000TiB"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(error.contains("ask for less with --memory"), "{error}");
}
