//! `play` as a person sees it. What can be said is tested in the library; here are the terminal, the
//! files and the options.

mod common;

use common::{Folder, end_of};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// What a conversation prints, if these lines are typed.
fn talk(arguments: &[&str], typed: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_proofplay"))
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Arguments that are refused end the program before it reads anything.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let output = end_of(child);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const WON: &str = "\
tictactoe
Type a move, or `help`.

3  . . .
2  X X .
1  O[O].
   a b c
last move: b1 by O

X to move> hint
try c2 (for X: win in 1)
line: c2
X to move> c2

3  . . .
2  X X[X]
1  O O .
   a b c
last move: c2 by X

the game is over: you have won as X
the game is over> undo

3  . . .
2  X X .
1  O[O].
   a b c
last move: b1 by O

X to move> Resign
the game is over: you have lost as X: X has resigned
the game is over> quit
";

#[test]
fn a_transcript() {
    let arguments = ["tictactoe", "--moves", "a2 a1 b2 b1", "--engine", "alphabeta"];
    let (status, said, _) = talk(&arguments, "hint\nc2\nundo\nResign\nquit\n");
    assert_eq!((status, &*said), (Some(0), WON));
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = Folder::new("play");
    let (text, sgf, bad) = (folder.file("Game.txt"), folder.file("game.sgf"), folder.file("no/game"));
    let both = ["connect4:4x4", "--side", "both"];
    let typed = format!("1\n2\nsave {text}\nsave {bad}\nsave {sgf}\nnew\nload {bad}\nload {text}\n3\nquit\n");
    let (status, said, _) = talk(&both, &typed);
    assert_eq!(status, Some(0));
    for part in ["written to ", "cannot write `", "cannot read `", "only games of go, loa and amazons"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(said.ends_with("the game so far: 1 2 3\n"), "{said}");
    assert_eq!(
        fs::read_to_string(&text).unwrap(),
        "game: connect4:4x4\nstart: ..../..../..../.... x\nmoves: 1 2\n"
    );
    // From another game into a game of Go and back.
    let go = ["go:3x3", "--side", "both", "--playouts", "10"];
    let (_, said, _) = talk(&go, &format!("b2\nsave {sgf}\nload {text}\nload {sgf}\npass\n"));
    assert!(said.ends_with("the game so far: b2 pass\n"), "{said}");
    assert!(fs::read_to_string(&sgf).unwrap().contains(";B[bb]"));
}

/// Nobody types anything until the flag has fallen, however long that takes.
#[test]
fn a_flag_falls_while_somebody_thinks() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_proofplay"))
        .args(["play", "tictactoe", "--clock", "100ms", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // What comes after it is read, too, or could not be written.
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let told = lines.by_ref().find(|line| line.starts_with("the game is over"));
    assert_eq!(told.unwrap(), "the game is over: you have lost as X: X has no time left");
    child.stdin.take().unwrap().write_all(b"quit\n").unwrap();
    let output = end_of(child);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stdout).unwrap().ends_with("\"score\":null,\"lost_by\":\"time\"}\n"));
}

#[test]
fn clocks() {
    let (status, said, _) = talk(&["tictactoe", "--side", "both", "--clock", "1h+10x1h"], "b2\n");
    assert_eq!(status, Some(0));
    assert!(said.contains("\nclocks: X ") && said.contains(", O 1:00:00\n"), "{said}");
    for bad in ["0", "-1", "-1s", "never", "10m+"] {
        let (status, _, error) = talk(&["tictactoe", "--clock", bad], "");
        assert_eq!(status, Some(2), "{bad}");
        assert!(error.contains(&format!("clock `{bad}`: expected a time above 0: TIME, ")), "{error}");
    }
}

/// The limits of other commands, and a level that takes their place.
#[test]
fn limits() {
    let one = ["tictactoe", "--side", "second", "--playouts", "1", "--threads", "2", "--seed", "1"];
    let (status, said, _) = talk(&one, "level 20k\nhint\nlevel 100 nodes\nsides\nquit\n");
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("X plays ") && said.contains("(for X: not proven, expected "), "{said}");
    assert!(said.contains("for a move the computer has at most 20000 playouts now\n"), "{said}");
    assert!(said.contains("you play X now\nO plays "), "{said}");
    let (status, _, error) = talk(&["tictactoe", "--engine", "alphabeta", "--playouts", "9"], "");
    assert_eq!(status, Some(2));
    assert!(error.contains("alphabeta makes no playouts"), "{error}");
    let (_, said, _) = talk(&["tictactoe", "--engine", "auto", "--nodes", "1M", "--side", "second"], "");
    assert!(said.contains("(for X: draw)"), "{said}");
    for arguments in ["--playouts 0", "--nodes 0", "--threads 0", "--clock 1m --time-per-move 1s"] {
        let arguments: Vec<&str> = ["tictactoe"].into_iter().chain(arguments.split(' ')).collect();
        assert_eq!(talk(&arguments, "").0, Some(2), "{arguments:?}");
    }
}
