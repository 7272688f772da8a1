//! Every game against an independent slow implementation: move counts, values, positions and legal moves. The data files
//! are written by `crates/games/tests/oracle/oracle.py`.

use proofplay_core::{Player, Score};
use proofplay_registry::{DynPosition, game};
use proofplay_search::{Limits, SearchError, SearchSpec};
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

/// Every position of known value by these searches; whatever they know must be true. Says how many of the positions each
/// has solved within so many nodes.
fn solved_values<'a>(specs: &[&'a str], limits: &Limits) -> Vec<(&'a str, usize, usize)> {
    let all = lines("values");
    assert!(all.len() > 400, "the data files hold {} lines", all.len());
    let solved = |spec: &str| {
        let search: SearchSpec = spec.parse().unwrap();
        let solves = |line: &&Vec<String>| {
            let [name, moves, value] = &line[..] else { panic!("{line:?}") };
            let value = Score(value.parse().unwrap());
            // Searches that keep values by position refuse games whose positions can repeat.
            let report = match reach(name, moves).search(&search, limits, false, &mut |_| ()) {
                Ok(report) => report,
                Err(SearchError::Cyclic(_)) => {
                    assert!(game(name).unwrap().repeats(), "{spec} refuses {name}");
                    let tree: SearchSpec = "score-bounded".parse().unwrap();
                    reach(name, moves).search(&tree, limits, false, &mut |_| ()).unwrap()
                }
                Err(error) => panic!("{spec}: {line:?}: {error}"),
            };
            assert!(report.bounds.contains(value), "{spec}: {} in {line:?}", report.bounds);
            report.bounds.is_exact()
        };
        all.iter().filter(solves).count()
    };
    specs.iter().map(|&spec| (spec, solved(spec), all.len())).collect()
}

#[test]
fn values_by_alphabeta() {
    let limits = Limits { memory: 1 << 22, ..Limits::default() };
    for (spec, solved, all) in solved_values(&["alphabeta", "alphabeta:symmetry=off"], &limits) {
        assert_eq!(solved, all, "{spec}");
    }
}

/// Some positions are too hard for the plainer ones of these searches.
#[test]
fn values_by_proof_searches() {
    let specs =
        ["pns", "pnt", "pnt:symmetry=on", "pn2", "pp", "ppt", "ppt:symmetry=on", "ppt:init=eval", "pp2"];
    let limits = Limits { memory: 1 << 26, nodes: Some(300_000), ..Limits::default() };
    for (spec, solved, all) in solved_values(&specs, &limits) {
        assert!(solved * 10 > all * 9, "{spec} has solved {solved} of {all}");
    }
}
