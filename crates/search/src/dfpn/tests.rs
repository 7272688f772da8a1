//! Depth-first proof search against brute force.

use super::{Config, solve};
use crate::testing::{ForEachGame, any_tree, random_position, small_games};
use crate::{Limits, Report};
use proofplay_core::minimax::Memo;
use proofplay_core::{Blank, Bounds, Game, Position, Rng};
use proofplay_games::written::Written;
use proptest::prelude::*;

fn run<P: Position>(pos: &P, config: Config, limits: &Limits, all_moves: bool) -> Report<P::Move> {
    solve(pos, config, &Blank, limits, all_moves, &mut |_| ()).unwrap()
}

/// Values and lines with every setting, with no memory, with threads, and when it is stopped early.
fn check<P: Position>(pos: &P, memo: &mut Memo<P>, what: &str) {
    let value = memo.value(pos);
    for name in Config::NAMES {
        for (symmetry, knowledge) in [(true, true), (false, false)] {
            for (memory, threads) in [(0, 1), (1 << 20, 1), (1 << 20, 2)] {
                let limits = Limits { memory, threads, ..Limits::default() };
                let config = Config { symmetry, knowledge, ..Config::named(name).unwrap() };
                let what = format!("{what} {config} {memory} {threads}");
                let report = run(pos, config, &limits, false);
                assert_eq!(report.bounds, Bounds::exact(value), "{what}");
                let mut line = pos.clone();
                for &mv in &report.pv {
                    assert_eq!(memo.value(&line), value, "{what}: the line leaves the value");
                    line.play(mv);
                }
                assert_eq!(line.outcome(), Some(value), "{what}: the line does not end at the value");
                for m in run(pos, config, &limits, true).moves {
                    let value = memo.value(&pos.after(m.mv));
                    assert_eq!(m.bounds.value(), Some(value), "{what}: move {:?}", m.mv);
                }
            }
        }
        for nodes in [0, 1, 3, 10, 100] {
            let limits = Limits { nodes: Some(nodes), memory: 1 << 12, ..Limits::default() };
            let report = run(pos, Config::named(name).unwrap(), &limits, false);
            assert!(report.bounds.contains(value), "{what}: {} after {nodes} nodes", report.bounds);
            assert!(report.nodes <= nodes);
        }
    }
}

struct Check(Rng);

impl ForEachGame for Check {
    fn with<G: Game>(&mut self, game: &G) {
        let mut memo = Memo::new();
        for round in 0..8 {
            let pos = random_position(game, 1 + round % 7, &mut self.0);
            check(&pos, &mut memo, &format!("{} {}", game.name(), game.show(&pos)));
        }
    }
}

#[test]
fn small_boards_and_random_positions() {
    small_games(&mut Check(Rng::new(4)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Any points, any order of movers.
    #[test]
    fn any_tree_has_its_value(tree in any_tree()) {
        let game = Written::parse_tree(&tree).unwrap();
        check(&game.start(), &mut Memo::new(), &tree);
    }
}
