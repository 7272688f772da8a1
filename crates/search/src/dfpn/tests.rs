//! Depth-first proof search against brute force.

use super::{Config, start};
use crate::testing::{Budget, ForEachGame, any_tree, random_position, small_games};
use crate::{Ask, Limits, Report, Resources, Run};
use proofplay_core::minimax::Memo;
use proofplay_core::{Bounds, Extras, Game, Position, Rng};
use proofplay_games::written::Written;
use proptest::prelude::*;

fn run<P: Position>(
    (pos, extras): (&P, &Extras<P>),
    config: Config,
    budget: Budget,
    ask: Ask,
) -> Report<P::Move> {
    let mut search = start(pos, config, extras.clone(), budget.0).unwrap();
    search.run(ask, &mut Run::new(budget.1)).unwrap()
}

/// Values and lines with every setting, with no memory, with threads, and when it is stopped early.
fn check<P: Position>(pos: &P, extras: &Extras<P>, memo: &mut Memo<P>, what: &str) {
    let value = memo.value(pos);
    for name in Config::NAMES {
        for (symmetry, facts) in [(true, true), (false, false)] {
            for (memory, threads) in [(0, 1), (1 << 20, 1), (1 << 20, 2)] {
                let budget = (Resources { memory, threads, ..Resources::default() }, Limits::default());
                let config = Config { symmetry, facts, ..Config::named(name).unwrap() };
                let what = format!("{what} {config} {memory} {threads}");
                let report = run((pos, extras), config, budget, Ask::Value);
                assert_eq!(report.bounds, Bounds::exact(value), "{what}");
                let mut line = pos.clone();
                for &mv in &report.pv {
                    assert_eq!(memo.value(&line), value, "{what}: the line leaves the value");
                    line.play(mv);
                }
                assert_eq!(line.outcome(), Some(value), "{what}: the line does not end at the value");
                for m in run((pos, extras), config, budget, Ask::AllMoves).moves {
                    let value = memo.value(&pos.after(m.mv));
                    assert_eq!(m.bounds.value(), Some(value), "{what}: move {:?}", m.mv);
                }
            }
        }
        for nodes in [0, 1, 3, 10, 100] {
            let budget = (
                Resources { memory: 1 << 12, ..Resources::default() },
                Limits { nodes: Some(nodes), ..Limits::default() },
            );
            let report = run((pos, extras), Config::named(name).unwrap(), budget, Ask::Value);
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
            check(&pos, &game.extras(), &mut memo, &format!("{} {}", game.name(), game.show(&pos)));
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
        check(&game.start(), &game.extras(), &mut Memo::new(), &tree);
    }
}
