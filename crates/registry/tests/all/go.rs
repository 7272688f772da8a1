//! Small boards of Go and races on real boards, solved by every search that takes games whose
//! positions can repeat.

use proofplay_registry::game;
use proofplay_search::{Ask, Limits, Resources, Run, SearchSpec};

/// The value that a search proves, in points of First.
fn value(name: &str, moves: &str, spec: &str) -> i16 {
    let mut pos = game(name).unwrap().start();
    moves.split_whitespace().for_each(|mv| pos.play(mv).unwrap());
    let search: SearchSpec = spec.parse().unwrap();
    let report = pos.search(&search, Resources::default(), Ask::Value, &mut Run::default()).unwrap();
    report.bounds.value().unwrap_or_else(|| panic!("{spec} on {name} {moves}: {}", report.bounds)).0
}

/// All of 3x3 is Black's, as in van der Werf, van den Herik & Uiterwijk \[vdWHU03\]; 2x2 is one
/// point under positional superko (Tromp, "The game of Go"). Those of one row are the oracle's,
/// too.
#[test]
fn published_values() {
    for spec in ["score-bounded", "mcts", "pns", "pn2", "pp"] {
        for (name, points) in [("go:1x2", 0), ("go:3x1", 3), ("go:1x4", 4), ("go:2x2", 1)] {
            assert_eq!(value(name, "", spec), points, "{spec} on {name}");
        }
    }
    assert_eq!(value("go:1x4,komi=3.5", "", "score-bounded"), 1);
    assert_eq!(value("go:3x3", "", "score-bounded"), 9);
}

/// A race on a real board has the value of the game `seki`.
#[test]
fn races() {
    for first in 0..=3 {
        for second in 0..=3 {
            let truth = value(&format!("seki:{first},{second}"), "", "alphabeta");
            for spec in ["score-bounded", "exact-win", "pp"] {
                let name = format!("go:seki={first},{second}");
                assert_eq!(value(&name, "", spec), truth, "{spec} on {name}");
            }
        }
    }
}

/// Searches with a table refuse the game: a value stored for a board may be wrong with another
/// history.
#[test]
fn tables_refuse() {
    let start = game("go:2x2").unwrap().start();
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    let refused = |spec: &str| {
        let (spec, mut run) = (spec.parse().unwrap(), Run::new(limits));
        start.search(&spec, Resources::default(), Ask::Value, &mut run).is_err()
    };
    for spec in ["alphabeta", "dfpn", "dfpp", "pnt", "ppt"] {
        assert!(refused(spec), "{spec}");
    }
    for spec in ["minimax", "pns", "pp2", "mcts"] {
        assert!(!refused(spec), "{spec} needs no table");
    }
}
