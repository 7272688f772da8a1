//! Input that no command may accept, and none may panic at: exit status 2 and an error that fits a
//! line.

use assert_cmd::cargo::cargo_bin_cmd;
use proofplay_registry::GAMES;
use std::ffi::{OsStr, OsString};

/// Runs the program and returns its status; whatever it complains about must be readable.
fn status(arguments: &[impl AsRef<OsStr>]) -> i32 {
    let output = cargo_bin_cmd!("proofplay").args(arguments).write_stdin("").output().unwrap();
    let shown: Vec<_> =
        arguments.iter().map(|a| a.as_ref().to_string_lossy().chars().take(60).collect::<String>()).collect();
    let error = String::from_utf8(output.stderr).expect("errors are UTF-8");
    let status = output.status.code().unwrap_or_else(|| panic!("{shown:?} was killed: {error}"));
    assert!(!error.contains("panicked"), "{shown:?}: {error}");
    if status == 2 {
        assert!(output.stdout.is_empty(), "{shown:?} prints and complains");
        let first = error.lines().next().unwrap_or_default();
        assert!(first.starts_with("error: ") && first.len() > 12, "{shown:?}: {error}");
        assert!(error.lines().count() <= 3 && error.len() < 4000, "{shown:?}: {error}");
        assert!(!error.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}: {error:?}");
    }
    status
}

#[test]
fn refused() {
    let corpus: &[&[&str]] = &[
        // commands and options
        &["nonsense"],
        &["show"],
        &["show", "tictactoe", "tictactoe"],
        &["show", "tictactoe", "--nonsense"],
        &["show", "tictactoe", "--moves"],
        &["show", "tictactoe", "--moves", "a1", "--moves", "b1"],
        &["completions", "cmd.exe"],
        &["games", "magic"],
        &["rules", "connect4:5x"],
        &["searches", "magic"],
        &["searches", "mcts:c=1"],
        // games and sizes
        &["show", ""],
        &["show", " "],
        &["show", ":"],
        &["show", "tic-tac-toe"],
        &["show", "tictactoe:3x3"],
        &["show", "no\nsuch\u{1b}[31mgame"],
        &["show", "connect4:0x5"],
        &["show", "connect4:5x0"],
        &["show", "connect4:999x999"],
        &["show", "connect4:-7x6"],
        &["show", "connect4:7"],
        &["show", "connect4:7x"],
        &["show", "connect4:7x6k"],
        &["show", "connect4:7x6k0"],
        &["show", "connect4:7x6k99999999999999999999"],
        &["show", "connect4:4294967297x6"],
        &["show", "connect4:7x6 "],
        &["show", "mnk"],
        &["show", "mnk:3x3"],
        &["show", "mnk:12x11k5"],
        &["show", "domineering"],
        &["show", "domineering:5x5,first=X"],
        &["show", "go:20x20"],
        &["show", "go:9x9,komi=x"],
        &["show", "go:9x9,komi=9999"],
        &["show", "go:seki=3,99"],
        // files
        &["show", "go", "--sgf", "no/such/file.sgf"],
        &["show", "go", "--sgf", "."],
        &["show", "go", "--sgf", "Cargo.toml"],
        &["show", "tictactoe", "--sgf", "Cargo.toml"],
        &["show", "go", "--sgf", "Cargo.toml", "--position", "b"],
        &["replay", "tictactoe", "--moves", "b2", "--as-sgf"],
        // moves
        &["show", "tictactoe", "--moves", "z9"],
        &["show", "tictactoe", "--moves", "a1 a1"],
        &["show", "tictactoe", "--moves", "a1,b1"],
        &["show", "tictactoe", "--moves", "A4"],
        &["show", "tictactoe", "--moves", "a1 b1 a2 b2 a3 c3"],
        &["show", "connect4", "--moves", "8"],
        &["show", "connect4", "--moves", "0"],
        &["show", "connect4", "--moves", "1 1 1 1 1 1 1"],
        &["replay", "tictactoe"],
        &["replay", "tictactoe", "--moves", "b2 b2"],
        &["play", "tictactoe", "--moves", "💥"],
        // positions
        &["show", "tictactoe", "--position", ""],
        &["show", "tictactoe", "--position", "x"],
        &["show", "tictactoe", "--position", ".../.../..."],
        &["show", "tictactoe", "--position", ".../.../... z"],
        &["show", "tictactoe", "--position", "xx./.../... x"],
        &["show", "tictactoe", "--position", "xxx/ooo/... x"],
        &["show", "tictactoe", "--position", ".../.../.../... x"],
        &["show", "tictactoe", "--position", "..../.../... x"],
        &["show", "connect4:4x3", "--position", "x.../..../.... o"],
        &["show", "domineering:3x2", "--position", "#../... v"],
        // numbers
        &["perft", "tictactoe"],
        &["perft", "tictactoe", ""],
        &["perft", "tictactoe", "-1"],
        &["perft", "tictactoe", "1.5"],
        &["perft", "tictactoe", "four"],
        &["perft", "tictactoe", "4294967295"],
        &["perft", "tictactoe", "4294967296"],
        &["perft", "tictactoe", "99999999999999999999999"],
        &["perft", "tictactoe", "3", "--threads", "0"],
        &["perft", "tictactoe", "3", "--threads", "-2"],
        &["perft", "tictactoe", "3", "--threads", "100000"],
        &["solve", "tictactoe", "--nodes", "-1"],
        &["solve", "tictactoe", "--nodes", ""],
        &["solve", "tictactoe", "--nodes", "1e400"],
        &["solve", "tictactoe", "--nodes", "18446744073709551616"],
        &["solve", "tictactoe", "--time", ""],
        &["solve", "tictactoe", "--time", "soon"],
        &["solve", "tictactoe", "--time", "-5s"],
        &["solve", "tictactoe", "--time", "5 parsecs"],
        &["solve", "tictactoe", "--time", "99999999999999999999h"],
        &["solve", "tictactoe", "--memory", "0"],
        &["solve", "tictactoe", "--memory", "much"],
        &["solve", "tictactoe", "--memory", "8000000TiB"],
        &["solve", "tictactoe", "--memory", "99999999999TiB"],
        &["solve", "tictactoe", "--seed", "-1"],
        &["solve", "tictactoe", "--seed", "18446744073709551616"],
        &["play", "tictactoe", "--side", "third"],
        &["play", "tictactoe", "--time-per-move", "never"],
        // the lab
        &["match", "--game", "tictactoe", "--a", "mcts", "--b", "mcts", "--games", "0"],
        &["match", "--game", "tictactoe", "--a", "mcts", "--b", "mcts", "--playouts", "0"],
        &["match", "--game", "tictactoe", "--a", "mcts", "--b", "mcts", "--nodes", "0"],
        &["match", "--game", "tictactoe", "--a", "mcts", "--b", "mcts", "--time-per-move", "0s"],
        &["match", "--game", "tictactoe", "--a", "mcts", "--b", "mcts", "--most-moves", "0"],
        &["match", "--game", "tictactoe", "--a", "mcts", "--b", "mcts", "--most-moves", "2"],
        &["match", "--game", "tictactoe", "--a", "mcts", "--b", "alphabeta", "--playouts", "9"],
        &[
            "match",
            "--game",
            "loa",
            "--a",
            "alphabeta:depth=1",
            "--b",
            "alphabeta:depth=2",
            "--playouts",
            "9",
        ],
        &["tune", "--game", "tictactoe", "--engine", "mcts:c=1|2", "--playouts", "0"],
        &["tune", "--game", "tictactoe", "--engine", "mcts:c=1|2", "--most-moves", "0"],
        &["tune", "--game", "tictactoe", "--engine", "mcts:c=1|2", "--games", "0"],
        &["tune", "--game", "tictactoe", "--engine", "mcts:c=1|2", "--test-games", "0"],
        &["tune", "--game", "tictactoe", "--engine", "alphabeta:symmetry=on|off", "--playouts", "9"],
        &["learn", "loa", "--games", "0"],
        &["learn", "loa", "--most-moves", "0"],
        &["learn", "loa", "--opening", "9", "--most-moves", "9"],
        &["learn", "loa", "--engine", "mcts"],
        &["play", "tictactoe", "--time-per-move", "0s"],
        // searches
        &["solve", "tictactoe", "--algorithm", ""],
        &["solve", "tictactoe", "--algorithm", "magic"],
        &["solve", "tictactoe", "--algorithm", "alphabeta:magic=1"],
        &["solve", "tictactoe", "--algorithm", "alphabeta:symmetry"],
        &["solve", "tictactoe", "--algorithm", "alphabeta:symmetry=maybe"],
        &["solve", "tictactoe", "--algorithm", "alphabeta:symmetry=on,symmetry=off"],
        &["solve", "tictactoe", "--algorithm", "mcts:threads=1025"],
        &["solve", "tictactoe", "--threads", "1025"],
        &["solve", "tictactoe", "--nodes", "0"],
        &["solve", "tictactoe", "--time", "0s"],
        &["solve", "tictactoe", "--algorithm", "mcts", "--playouts", "0"],
        &["solve", "tictactoe", "--checkpoint-every", "0s"],
        &["analyze", "tictactoe", "--nodes", "0"],
        &["analyze", "connect4", "--engine", "mcts:leaf=staged"],
        &["analyze", "connect4", "--engine", "mcts:leaf=eyes,mr=2"],
        &["solve", "tictactoe", "--algorithm", "alphabeta:depth=3,symmetry=off"],
        &["solve", "tictactoe", "--algorithm", "mcts:facts=on,knowledge=on"],
        &["play", "tictactoe", "--engine", "magic"],
    ];
    for arguments in corpus {
        assert_eq!(status(arguments), 2, "{arguments:?}");
        let with_json = [*arguments, &["--json"]].concat();
        assert_eq!(status(&with_json), 2, "{with_json:?}");
    }
}

#[test]
fn long_texts() {
    let long = "x".repeat(100_000);
    assert_eq!(status(&["show", &long]), 2);
    assert_eq!(status(&["show", &format!("mnk:{long}")]), 2);
    assert_eq!(status(&["show", "tictactoe", "--moves", &long]), 2);
    assert_eq!(status(&["show", "tictactoe", "--position", &long]), 2);
    assert_eq!(status(&["show", "tictactoe", "--position", &"/".repeat(100_000)]), 2);
    assert_eq!(status(&["perft", "tictactoe", &"9".repeat(100_000)]), 2);
    assert_eq!(status(&["solve", "tictactoe", "--time", &"9".repeat(100_000)]), 2);
    assert_eq!(status(&["solve", "tictactoe", "--algorithm", &long]), 2);
    assert_eq!(status(&[&long]), 2);
    // A tree with many moves, and one that is too deep.
    let wide = format!("written:({})", "+ ".repeat(16_384));
    assert_eq!((status(&["show", &wide]), status(&["solve", &wide, "--nodes", "10"])), (0, 0));
    assert_eq!(status(&["show", &format!("written:{}", "(".repeat(60_000))]), 2);
}

#[cfg(unix)]
#[test]
fn not_utf8() {
    use std::os::unix::ffi::OsStringExt;
    let bad = OsString::from_vec(b"a\xff1".to_vec());
    let with = |arguments: &[&str]| {
        let mut all: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        all.push(bad.clone());
        status(&all)
    };
    for arguments in [
        &[][..],
        &["show"],
        &["show", "tictactoe", "--moves"],
        &["show", "tictactoe", "--position"],
        &["solve", "tictactoe", "--algorithm"],
        &["solve", "tictactoe", "--time"],
        &["perft", "tictactoe"],
        &["completions"],
    ] {
        assert_eq!(with(arguments), 2, "{arguments:?}");
    }
}

/// What one game refuses another may know: here only panics and other statuses are wrong.
#[test]
fn every_game_survives() {
    let texts = [
        "",
        " ",
        "0",
        "1",
        "-1",
        "5",
        "0x5",
        "5x0",
        "1x1",
        "128x1",
        "129x1",
        "999x999",
        "5x5x5",
        "x",
        "5x",
        "x5",
        "5x5k",
        "5x5k0",
        "5x5,",
        "5x5,,",
        "5x5,=",
        "5x5,first=",
        "1,1",
        "0,0",
        "1,2,3,4",
        "-1,2",
        "99999999999,1",
        "é",
        "💥x💥",
        "\u{202e}",
        "4294967296",
        "18446744073709551616",
        "/",
        "//////",
        ". x",
        "./. b",
        "... ... ...",
        "x x",
        "b",
        "pass",
        "pass pass",
        "o1",
        "s0",
        "a0",
        "a-1",
        "a1-a1",
        "zz99",
        "a1-a2-a3",
    ];
    for entry in GAMES.iter() {
        for text in texts {
            let named = format!("{}:{text}", entry.name());
            let runs: [&[&str]; 3] = [
                &["show", &named],
                &["show", entry.example(), "--position", text],
                &["show", entry.example(), "--moves", text],
            ];
            for arguments in runs {
                assert!(matches!(status(arguments), 0 | 2), "{arguments:?}");
            }
        }
    }
}
