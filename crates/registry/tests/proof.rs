//! Best-first proof searches on small boards of every registered game, through the registry: the values are those of
//! `alphabeta`, which `oracle.rs` checks.

use proofplay_core::Rng;
use proofplay_registry::{DynPosition, GAMES, game};
use proofplay_search::{Limits, SearchSpec};

const SPECS: &[&str] = &[
    "pns",
    "pns:init=unit",
    "pnt",
    "pnt:init=unit,symmetry=on",
    "pn2",
    "pn2:init=eval",
    "pp",
    "pp:init=unit",
    "pp:init=eval",
    "ppt",
    "ppt:init=eval",
    "ppt:symmetry=on",
    "pp2",
    "pp2:init=unit",
];

const BOARDS: &[&str] = &[
    "tictactoe",
    "mnk:2x2k2",
    "mnk:4x2k3",
    "mnk:4x3k3",
    "mnk:4x4k2",
    "connect4:1x4",
    "connect4:3x3k3",
    "connect4:4x3k3",
    "connect4:3x5",
    "connect4:4x4",
    "domineering:1x1",
    "domineering:2x3",
    "domineering:3x3",
    "domineering:4x3",
    "domineering:3x4,first=H",
    "domineering:4x4",
    "domineering:5x4",
    "nogo:1x1",
    "nogo:5x1",
    "nogo:9x1",
    "nogo:3x2",
    "nogo:3x3",
    "y:1",
    "y:2",
    "y:3",
    "y:4",
    "breakthrough:3x4,rows=1",
    "breakthrough:3x5,rows=1",
    "seki:1,1",
    "seki:1,2,1",
    "seki:2,2",
    "seki:3,2",
    "seki:2,2,4",
    "amazons:4x4",
    "written:((+ -) = (- =))",
    "written:2(1(3 -2) (7 (0 1)) -1)",
];

fn value(pos: &dyn DynPosition, spec: &str) -> i16 {
    let search: SearchSpec = spec.parse().unwrap();
    let limits = Limits { memory: 1 << 24, ..Limits::default() };
    let report = pos.search(&search, &limits, false, &mut |_| ()).unwrap();
    let value = report.bounds.value();
    value.unwrap_or_else(|| panic!("{spec} on {} {}: {}", pos.game(), pos.text(), report.bounds)).0
}

#[test]
fn values_on_small_boards() {
    let mut rng = Rng::new(11);
    for board in BOARDS {
        for round in 0..20 {
            let mut pos = game(board).unwrap_or_else(|e| panic!("{board}: {e}")).start();
            for _ in 0..round.min(6) {
                let legal = pos.legal();
                if !legal.is_empty() {
                    pos.play(&legal[rng.below(legal.len() as u32) as usize]).unwrap();
                }
            }
            let truth = value(&*pos, "alphabeta");
            for spec in SPECS {
                assert_eq!(value(&*pos, spec), truth, "{spec} on {board} {}", pos.text());
            }
        }
    }
}

/// Nobody adds a game without a small board of it here, unless its positions can repeat: half of these searches refuse it.
#[test]
fn every_game_has_a_board() {
    for entry in GAMES.iter().filter(|entry| !game(entry.example).unwrap().repeats()) {
        let has = |board: &&&str| board.split(':').next() == Some(entry.name);
        assert!(BOARDS.iter().find(has).is_some(), "{} is missing", entry.name);
    }
}
