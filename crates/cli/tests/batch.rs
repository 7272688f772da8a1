//! `--batch`: many positions from standard input, a line of answer each.

mod common;

use proofplay_core::Rng;
use proofplay_registry::game;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

/// The exit status and the lines that are printed for an input.
fn run(arguments: &str, input: &[u8]) -> (i32, Vec<String>) {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("proofplay");
    let output = command.args(arguments.split(' ')).write_stdin(input).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), text.lines().map(str::to_owned).collect())
}

fn json(arguments: &str, input: &str) -> (i32, Vec<Value>) {
    let (status, lines) = run(&format!("{arguments} --json"), input.as_bytes());
    (status, lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn lines_are_answered_in_their_order() {
    let input = "# the corner\na1\n\na1 b1 a2 b2\nb2 b2\n  # no answer \nposition x../xo./xo. o\nposition y\na1 b1 a2 b2 a3";
    let (status, lines) = run("solve tictactoe --batch", input.as_bytes());
    assert_eq!(status, 2, "two lines are bad");
    let starts = [
        "O to move draws: best move b2; line: b2 ",
        "X to move draws: best move ",
        "X to move wins: best move a3, which ends the game; line: a3",
        "line 5: ply 2: move `b2`",
        "the game is over: X has won",
        "line 8: position `y`",
        "the game is over: X has won",
    ];
    assert_eq!(lines.len(), starts.len(), "{lines:?}");
    for (line, start) in lines.iter().zip(starts) {
        assert!(line.starts_with(start), "`{line}` begins with `{start}`");
    }
    let (status, answers) = json("solve tictactoe --batch", input);
    assert_eq!(status, 2);
    let numbers: Vec<_> = answers.iter().map(|answer| answer["line"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [2, 3, 4, 5, 7, 8, 9]);
    let bad: Vec<_> = answers.iter().filter(|answer| answer["error"].is_string()).collect();
    assert!(bad.iter().all(|answer| answer.as_object().unwrap().len() == 2));
    assert_eq!((bad.len(), &bad[1]["line"]), (2, &8.into()));
    assert_eq!((&answers[6]["value"], &answers[6]["score"]), (&Value::Null, &1.into()));
}

#[test]
fn all_moves_and_distances() {
    let (status, lines) = run("solve tictactoe --all-moves --batch", b"a1 b2 b1\n");
    assert_eq!(status, 0);
    let (line, end) = (&lines[0], "; draw: c1; loss: a2 a3 b3 c2 c3");
    assert!(line.starts_with("O to move draws: best move c1; line: c1 ") && line.ends_with(end), "{line}");
    let (status, lines) = run("solve connect4:5x4 --shortest --batch", b"3 3 2\n3 3 2\n\n");
    assert_eq!((status, lines.len(), &lines[0]), (0, 3, &lines[1]));
    assert!(lines[0].contains(" in ") && lines[0].contains("plies"), "{}", lines[0]);
    let (status, lines) = run("solve go:2x2 --shortest --batch", b"\n");
    assert_eq!((status, lines.len()), (2, 0), "refused before the first line");
}

/// What one process says of many positions is what a process for each of them says.
#[test]
fn single_calls_say_the_same() {
    for (name, plies) in [("connect4:4x4", 9), ("nogo:3x3", 4), ("go:2x2", 6)] {
        let (mut rng, mut lines) = (Rng::new(3), Vec::new());
        for _ in 0..8 {
            let (mut pos, mut moves) = (game(name).unwrap().start(), Vec::new());
            for _ in 0..rng.below(plies) {
                let legal = pos.legal();
                if legal.is_empty() {
                    break;
                }
                moves.push(legal[rng.below(legal.len() as u32) as usize].clone());
                pos.play(moves.last().unwrap()).unwrap();
            }
            lines.push(moves.join(" "));
        }
        for command in ["solve --nodes 200k", "analyze --playouts 200"] {
            let (verb, limit) = command.split_once(' ').unwrap();
            let (_, answers) = json(&format!("{verb} {name} {limit} --batch"), &(lines.join("\n") + "\n"));
            assert_eq!(answers.len(), lines.len());
            for (mut answer, (line, number)) in answers.into_iter().zip(lines.iter().zip(1..)) {
                let mut single = assert_cmd::cargo::cargo_bin_cmd!("proofplay");
                single.args([verb, name, "--json", "--moves", line]).args(limit.split(' '));
                let single = single.output().unwrap().stdout;
                let mut single: Value = serde_json::from_slice(&single).unwrap();
                assert_eq!(answer["line"], number);
                answer.as_object_mut().unwrap().remove("line");
                for effort in ["nodes", "elapsed_s", "memory_bytes"] {
                    (answer[effort], single[effort]) = (Value::Null, Value::Null);
                }
                assert_eq!(answer, single, "{command} {name}: {line}");
            }
        }
    }
}

#[test]
fn tables_are_kept_and_limits_are_for_each_line() {
    let (status, answers) = json("solve connect4:5x4 --batch", "\n3\n\n");
    let nodes: Vec<_> = answers.iter().map(|answer| answer["nodes"].as_u64().unwrap()).collect();
    assert_eq!(status, 0);
    assert!(nodes[2] * 10 < nodes[0], "{nodes:?}");
    // Each line may use up the same limit, and one that is not solved does not stop the others.
    let (status, answers) = json("solve connect4 --nodes 2k --batch", "\n4\n1 2 1 2 1 2\n");
    assert_eq!(status, 3);
    let solved: Vec<_> = answers.iter().map(|answer| answer["solved"].as_bool().unwrap()).collect();
    assert_eq!(solved, [false, false, true]);
    assert!(answers[..2].iter().all(|answer| answer["nodes"] == 2000));
    // A bad line counts more than an open one; `analyze` is asked for no more than it finds.
    assert_eq!(run("solve connect4 --nodes 2k --batch", b"\nx\n").0, 2);
    assert_eq!(run("analyze connect4 --playouts 10 --batch", b"\n4\n").0, 0);
    let (_, lines) = run("analyze connect4 --playouts 100 --batch", b"4\n1 2 1 2 1 2\n");
    assert!(lines[0].starts_with("not solved: ") && lines[0].contains("; expected "), "{}", lines[0]);
    assert!(lines[1].starts_with("X to move wins: best move 1, which ends the game"), "{}", lines[1]);
}

#[test]
fn odd_inputs() {
    assert_eq!(run("solve tictactoe --batch", b""), (0, vec![]));
    let (status, lines) = run("solve tictactoe --batch", b"a1\r\n\xff\xfe\nb2 \x1b[31m\n");
    assert_eq!((status, lines.len()), (2, 3));
    assert!(lines[1].starts_with("line 2: ") && lines[2].contains("\\u{1b}"), "{lines:?}");
    let long = [vec![b'x'; 3 << 20], b"\na1\n".to_vec()].concat();
    let (status, lines) = run("solve tictactoe --batch", &long);
    assert_eq!((status, lines.len()), (2, 2));
    assert_eq!(lines[0], "line 1: it has more than 1048576 bytes");
    for also in ["--moves a1", "--certificate x", "--store x", "--checkpoint x", "--sgf x"] {
        let (status, lines) = run(&format!("solve tictactoe --batch {also}"), b"a1\n");
        assert_eq!((status, lines.len()), (2, 0), "{also}");
    }
}

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofplay"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// A program that asks line by line gets each answer before it sends the next line.
#[test]
fn answers_come_at_once() {
    let mut child = start(&["solve", "tictactoe", "--batch"]);
    let (mut to, mut from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for line in ["a1", "x", ""] {
        writeln!(to, "{line}").unwrap();
        to.flush().unwrap();
        let mut answer = String::new();
        from.read_line(&mut answer).unwrap();
        assert_eq!(answer.starts_with("line 2: "), line == "x", "{answer}");
    }
    drop(to);
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

/// While it waits for a line, and while it searches, unless the signal comes before that.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_it() {
    for (more, answers) in [("", 1..=1), ("\n", 1..=2)] {
        let mut child = start(&["solve", "connect4", "--batch", "--json"]);
        let (mut to, mut from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        to.write_all(format!("1 2 1 2 1 2\n{more}").as_bytes()).unwrap();
        to.flush().unwrap();
        let mut text = String::new();
        from.read_line(&mut text).unwrap();
        common::send("INT", &child);
        while from.read_line(&mut text).unwrap() > 0 {}
        assert_eq!(child.wait().unwrap().code(), Some(3), "{text}");
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(answers.contains(&lines.len()) && lines[0]["solved"] == true, "{text}");
        assert!(lines[1..].iter().all(|line| line["solved"] == false), "{text}");
    }
}
