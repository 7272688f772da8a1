//! Every game against an independent slow implementation: move counts, values, positions and legal moves. The data files
//! are written by `crates/games/tests/oracle/oracle.py`.

use proofplay_core::Player;
use proofplay_registry::{DynPosition, game};
use proofplay_search::{Limits, SearchSpec};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The lines of all files of one kind, split into fields.
fn lines(kind: &str) -> Vec<Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tests").join(kind);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let texts: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let data = texts.iter().flat_map(|text| text.lines().filter(|line| !line.starts_with('#')));
    data.map(|line| line.split('|').map(|field| field.trim().to_owned()).collect()).collect()
}

/// The position after a line of play.
fn reach(name: &str, moves: &str) -> Box<dyn DynPosition> {
    let mut pos = game(name).unwrap_or_else(|e| panic!("{name}: {e}")).start();
    for mv in moves.split_whitespace() {
        pos.play(mv).unwrap_or_else(|e| panic!("{name} {moves}: {e}"));
    }
    pos
}

#[test]
fn perft_counts() {
    let all = lines("perft");
    for line in &all {
        let [name, moves, depth, count] = &line[..] else { panic!("{line:?}") };
        let (depth, stop) = (depth.parse().unwrap(), AtomicBool::new(false));
        let parts = reach(name, moves).perft(depth, 2, &stop, &|_, _| ()).unwrap();
        let sum: u64 = parts.iter().map(|part| part.1).sum();
        assert_eq!(sum, count.parse::<u64>().unwrap(), "{line:?}");
    }
    assert!(all.len() > 800, "the data files hold {} lines", all.len());
}

#[test]
fn positions_legal_moves_and_outcomes() {
    let all = lines("positions");
    for line in &all {
        let [name, moves, text, legal, outcome] = &line[..] else { panic!("{line:?}") };
        let pos = reach(name, moves);
        let mut ours = pos.legal();
        ours.sort();
        assert_eq!(ours.join(" "), *legal, "{line:?}");
        let ours = match pos.outcome().map(|score| score.winner()) {
            None => "-",
            Some(None) => "draw",
            Some(Some(Player::First)) => "first",
            Some(Some(Player::Second)) => "second",
        };
        assert_eq!(ours, outcome, "{line:?}");
        // Seki's text is not part of the contract and not in the data.
        if text != "-" {
            assert_eq!(pos.text(), *text, "{line:?}");
        }
    }
    assert!(all.len() > 300, "the data files hold {} lines", all.len());
}

/// Alpha-beta keeps values by position: where positions repeat, Monte-Carlo tree search does the proof.
#[test]
fn values_by_alphabeta() {
    let all = lines("values");
    for spec in ["alphabeta", "alphabeta:symmetry=off"] {
        for line in &all {
            let [name, moves, value] = &line[..] else { panic!("{line:?}") };
            let spec = if game(name).unwrap().repeats() { "score-bounded" } else { spec };
            let search: SearchSpec = spec.parse().unwrap();
            let limits = Limits { memory: 1 << 22, ..Limits::default() };
            let report = reach(name, moves).search(&search, &limits, false, &mut |_| ()).unwrap();
            let ours = report.bounds.value().map(|score| score.0);
            assert_eq!(ours, Some(value.parse().unwrap()), "{spec}: {line:?}");
        }
    }
    assert!(all.len() > 400, "the data files hold {} lines", all.len());
}
