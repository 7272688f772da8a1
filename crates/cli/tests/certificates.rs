//! `solve --certificate` and `verify`: files that are right, wrong, or not there.

mod common;

use assert_cmd::cargo::cargo_bin_cmd;
use common::Folder;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The files of a folder.
fn names(folder: &Folder) -> Vec<String> {
    let names = fs::read_dir(&folder.0).unwrap();
    names.map(|entry| entry.unwrap().file_name().to_str().unwrap().to_owned()).collect()
}

/// Status, output and errors.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = cargo_bin_cmd!("proofplay").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn written_and_verified() {
    let folder = Folder::new("written");
    for (i, (game, moves, value)) in [
        ("tictactoe", "", Some("draw")),
        ("connect4:4x4", "2 2 3", Some("draw")),
        ("domineering:4x4", "b2-b3", Some("loss")),
        ("nogo:3x3", "", Some("win")),
        ("pentalath:2,k=3", "b2 a1", Some("win")),
        // Nobody is to move.
        ("tictactoe", "a1 b1 a2 b2 a3", None),
    ]
    .into_iter()
    .enumerate()
    {
        let file = folder.file(&i.to_string());
        let (status, text, _) = run(&["solve", game, "--moves", moves, "--certificate", &file, "--json"]);
        let solved: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((status, &solved["value"]), (0, &value.into()), "{game}");
        let bytes = fs::metadata(&file).unwrap().len();
        assert_eq!(solved["certificate"]["bytes"], bytes);
        let (status, text, _) = run(&["verify", &file, "--json"]);
        let verified: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((status, &verified["valid"]), (0, &true.into()), "{game}");
        for same in ["game", "position", "value", "score", "bounds"] {
            assert_eq!(verified[same], solved[same], "{game}: {same}");
        }
        assert_eq!(verified["positions"], solved["certificate"]["positions"]);
    }
    assert_eq!(names(&folder).len(), 6, "nothing else is left");
}

/// With `--shortest` the file proves the number of plies, too, and no other number.
#[test]
fn plies_are_proven() {
    let folder = Folder::new("plies");
    let file = folder.file("short");
    for (game, moves, plies) in [("connect4:5x4", "3 3 2", 17), ("domineering:4x4", "", 7)] {
        for algorithm in ["alphabeta", "dfpn", "dfpp"] {
            let solve = ["solve", game, "--moves", moves, "--shortest", "--algorithm", algorithm];
            let (status, text, _) = run(&[&solve[..], &["--certificate", &file, "--json"]].concat());
            let solved: Value = serde_json::from_str(&text).unwrap();
            assert_eq!((status, &solved["plies"]), (0, &plies.into()), "{algorithm} on {game}");
            let (status, text, _) = run(&["verify", &file, "--json"]);
            let verified: Value = serde_json::from_str(&text).unwrap();
            assert_eq!((status, &verified["plies"]), (0, &plies.into()), "{algorithm} on {game}");
            assert_eq!(verified["longest_line"].as_array().map(Vec::len), Some(plies));
            let bytes = fs::read(&file).unwrap();
            let end = bytes.windows(2).position(|two| two == b"\n\n").unwrap();
            let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
            for wrong in [plies - 1, plies + 1] {
                let head = head.replace(&format!("within: {plies}\n"), &format!("within: {wrong}\n"));
                let changed = [head.as_bytes(), &bytes[end..bytes.len() - 4]].concat();
                let sum = crc32(&changed).to_le_bytes();
                fs::write(&file, [&changed[..], &sum].concat()).unwrap();
                let (status, _, error) = run(&["verify", &file]);
                assert_eq!(status, 2);
                assert!(error.contains("refused") && !error.contains("checksum"), "{error}");
            }
        }
    }
    // A count does not tell plies.
    let (status, _, error) =
        run(&["solve", "domineering:4x4", "--shortest", "--certificate", &file, "--ends", "counted"]);
    assert_eq!((status, error.contains("does not tell plies")), (2, true), "{error}");
}

/// The CRC-32 of zlib, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}

/// However the game and its moves are typed, the file is the same.
#[test]
fn typed_in_any_case() {
    let folder = Folder::new("case");
    let written = |game: &str, moves: &str| {
        let file = folder.file("one");
        let (status, _, error) = run(&["solve", game, "--moves", moves, "--certificate", &file]);
        assert_eq!(status, 0, "{error}");
        fs::read(&file).unwrap()
    };
    let plain = written("go:2x2,komi=0.5", "a1 b2 pass");
    assert_eq!(written("GO:2x2,komi=0.5", "A1 b2 PASS"), plain);
    let head = String::from_utf8_lossy(&plain).into_owned();
    assert!(
        head.contains("\ngame: go:2x2,komi=0.5#0000000000000002\n") && head.contains("\nmoves: a1 b2 pass\n")
    );
}

/// Lines of play that end where a count decides: a smaller file, which says so.
#[test]
fn ends_by_count() {
    let folder = Folder::new("counted");
    let (counted, played_out) = (folder.file("counted"), folder.file("played-out"));
    let solve = |file: &str, more: &[&str]| {
        let (status, text, error) =
            run(&[&["solve", "domineering:5x5", "--certificate", file, "--json"], more].concat());
        assert_eq!(status, 0, "{error}");
        let solved: Value = serde_json::from_str(&text).unwrap();
        solved["certificate"]["positions"].as_u64().unwrap()
    };
    let (few, many) = (solve(&counted, &["--ends", "counted"]), solve(&played_out, &[]));
    assert!(0 < few && 4 * few < many, "{few} {many}");
    assert_eq!(solve(&played_out, &["--ends", "rules"]), many);
    let verify = |file: &str| -> Value { serde_json::from_str(&run(&["verify", file, "--json"]).1).unwrap() };
    let (with, without) = (verify(&counted), verify(&played_out));
    assert_eq!((&with["valid"], &with["bounds"]), (&true.into(), &without["bounds"]));
    assert!(with["counted_ends"].as_u64() > Some(0) && without["counted_ends"] == 0);
    assert!(run(&["verify", &counted]).1.contains(" ends by count "));
    assert!(!run(&["verify", &played_out]).1.contains(" by count "));
    // Games without a count, and no certificate that could end anywhere.
    let none = folder.file("none");
    let (status, text, error) = run(&["solve", "connect4:4x4", "--certificate", &none, "--ends", "counted"]);
    assert_eq!((status, text.as_str()), (2, ""));
    assert!(error.starts_with("error: --ends counted: there is no count for connect4:4x4"), "{error}");
    assert_eq!(run(&["solve", "domineering:4x4", "--ends", "counted"]).0, 2);
    assert_eq!(names(&folder).len(), 2, "{:?}", names(&folder));
}

/// Too little memory is no verdict.
#[test]
fn neither_accepted_nor_refused() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tests/certificates/connect4.proof");
    let (status, text, _) = run(&["verify", sample.to_str().unwrap(), "--memory", "1KiB", "--json"]);
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &answer["valid"]), (3, &Value::Null));
}

/// A position given as text, and an answer that is only a bound.
#[test]
fn other_positions_and_bounds() {
    let folder = Folder::new("bounds");
    let file = folder.file("one");
    let (status, _, _) =
        run(&["solve", "tictactoe", "--position", "x.o/.x./... o", "--moves", "c1", "--certificate", &file]);
    assert_eq!(status, 0);
    assert_eq!(run(&["verify", &file]).0, 0);
    // A draw is certain from one side before it is from both.
    let mut found = false;
    for playouts in (1000..3000).step_by(250).map(|playouts| playouts.to_string()) {
        let search = ["solve", "tictactoe", "--algorithm", "score-bounded", "--playouts", &playouts];
        let (status, text, _) = run(&[&search[..], &["--certificate", &file, "--json"]].concat());
        let solved: Value = serde_json::from_str(&text).unwrap();
        if status == 3 && !solved["certificate"]["file"].is_null() {
            let (status, text, _) = run(&["verify", &file, "--json"]);
            let verified: Value = serde_json::from_str(&text).unwrap();
            assert_eq!((status, &verified["bounds"]), (0, &solved["bounds"]));
            assert_eq!(verified["score"], Value::Null);
            found = true;
        }
    }
    assert!(found, "no search ended with a bound");
}

#[test]
fn no_file_rather_than_half_of_one() {
    let folder = Folder::new("half");
    let file = folder.file("one");
    let (status, text, _) = run(&["solve", "connect4", "--nodes", "1000", "--certificate", &file]);
    assert_eq!(status, 3);
    assert!(text.ends_with("no certificate: nothing is proven yet\n"), "{text}");
    let (status, text, _) = run(&[
        "solve",
        "nogo:3x3",
        "--algorithm",
        "minimax",
        "--nodes",
        "1M",
        "--memory",
        "1KiB",
        "--certificate",
        &file,
    ]);
    assert_eq!(status, 3);
    let why = "no certificate: the certificate has more than the 48 positions that fit into its half of the memory\n";
    assert!(text.ends_with(why), "{text}");
    // The value takes 3,688 nodes, the certificate a few hundred more.
    for (nodes, why) in [("3000", "nothing is proven yet"), ("3700", "the budget ran out before")] {
        let (status, text, _) = run(&["solve", "domineering:6x6", "--nodes", nodes, "--certificate", &file]);
        assert_eq!(status, 3);
        assert!(text.contains(&format!("no certificate: {why}")), "{text}");
    }
    assert!(names(&folder).is_empty(), "{:?}", names(&folder));
}

#[test]
fn refused_with_the_place() {
    let folder = Folder::new("refused");
    let file = folder.file("one");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tests/certificates/connect4.proof");
    let good = fs::read(sample).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let (status, text, error) = run(&["verify", &file]);
        assert_eq!((status, text.as_str()), (2, ""), "{error}");
        assert!(error.starts_with("error: certificate refused: ") && error.lines().count() == 1, "{error}");
        error
    };
    assert!(refused(b"").contains("not a certificate"));
    assert!(refused(&good[..good.len() - 1]).contains("bytes"));
    let text = good.iter().map(|&byte| byte as char).collect::<String>();
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from));
        refused(&text.replacen(from, to, 1).chars().map(|c| c as u8).collect::<Vec<_>>())
    };
    assert!(changed("at-least: 0 ", "at-least: +1 ").contains("no value is at least +1 and at most 0"));
    assert!(changed("at-least: 0 ", "at-least: 1 ").contains("line 7: expected `SCORE rules"));
    assert!(changed("at-most: 0 ", "at-most: +1 ").contains("at most +1 follows from the rules"));
    assert!(changed("at-most: 0 ", "at-most: +5 ").contains("scores of this game are from -1 to +1"));
    let error = changed("at-most: 0 ", "at-most: -1 ");
    assert!(error.contains("no value"), "{error}");
    assert!(changed("connect4:4x4", "connect4:4x5").contains("lead to"));
    assert!(changed("connect4:4x4", "conect4:4x4").contains("did you mean `connect4`?"));
    assert!(changed("moves: 2 2 2", "moves: 2 2 9").contains("move `9`"));
    assert!(changed("moves: 2 2 2", "moves: 2 2 1").contains("lead to"));
    assert!(changed("walk: graph", "walk: tree").contains("walked as a graph"));
    let mut damaged = good.clone();
    let middle = good.len() - 60;
    damaged[middle] ^= 0x10;
    assert!(refused(&damaged).contains(", ply "));
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new("unreadable");
    for arguments in [&["verify", &folder.file("none")][..], &["verify", &folder.file("")], &["verify"]] {
        let (status, text, error) = run(arguments);
        assert_eq!((status, text.as_str()), (2, ""), "{arguments:?}");
        assert!(error.starts_with("error: "), "{error}");
    }
}
