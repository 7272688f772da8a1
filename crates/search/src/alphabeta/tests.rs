//! Alpha-beta against brute force.

use super::{Config, start};
use crate::testing::{Budget, ForEachGame, any_tree, random_position, small_games};
use crate::{Ask, Limits, Report, Resources, Run, SearchError};
use proofplay_core::minimax::Memo;
use proofplay_core::{Bounds, Extras, Game, Key, Player, Position, Rng, Score};
use proofplay_games::written::Written;
use proptest::prelude::*;

fn run<P: Position>(
    (pos, extras): (&P, &Extras<P>),
    config: Config,
    budget: Budget,
    ask: Ask,
) -> Report<P::Move> {
    start(pos, config, extras.clone(), budget.0).unwrap().run(ask, &mut Run::new(budget.1)).unwrap()
}

/// Checks values, best moves and lines, with every setting, with little memory, and when it is
/// stopped early.
fn check<P: Position>(pos: &P, extras: &Extras<P>, memo: &mut Memo<P>, what: &str) {
    let value = memo.value(pos);
    for (symmetry, facts) in [(true, true), (true, false), (false, true), (false, false)] {
        for (memory, threads) in [(0, 1), (1 << 20, 1), (1 << 20, 2)] {
            let budget = (Resources { memory, threads, ..Resources::default() }, Limits::default());
            let config = Config { symmetry, facts };
            let report = run((pos, extras), config, budget, Ask::Value);
            assert_eq!(report.bounds, Bounds::exact(value), "{what}");
            let mut line = pos.clone();
            for &mv in &report.pv {
                assert_eq!(memo.value(&line), value, "{what}: the line leaves the value");
                line.play(mv);
            }
            assert_eq!(line.outcome(), Some(value), "{what}: the line does not end at the value");
            assert_eq!(report.best, report.pv.first().copied(), "{what}");
            for m in run((pos, extras), config, budget, Ask::AllMoves).moves {
                assert_eq!(m.bounds.value(), Some(memo.value(&pos.after(m.mv))), "{what}: move {:?}", m.mv);
            }
        }
    }
    for nodes in [0, 1, 2, 5, 10, 30, 100] {
        let budget = (
            Resources { memory: 1 << 12, ..Resources::default() },
            Limits { nodes: Some(nodes), ..Limits::default() },
        );
        for ask in [Ask::Value, Ask::AllMoves] {
            let report = run((pos, extras), Config::default(), budget, ask);
            assert!(report.bounds.contains(value), "{what}: {} after {nodes} nodes", report.bounds);
            assert!(report.nodes <= nodes);
            assert!(pos.outcome().is_some() || report.best.is_some(), "{what}: no move after {nodes} nodes");
            for m in report.moves {
                assert!(m.bounds.contains(memo.value(&pos.after(m.mv))), "{what}: move {:?}", m.mv);
            }
        }
    }
}

struct Check(Rng);

impl ForEachGame for Check {
    fn with<G: Game>(&mut self, game: &G) {
        let mut memo = Memo::new();
        for round in 0..20 {
            let pos = random_position(game, round % 7, &mut self.0);
            check(&pos, &game.extras(), &mut memo, &format!("{} {}", game.name(), game.show(&pos)));
        }
    }
}

#[test]
fn small_boards_and_random_positions() {
    small_games(&mut Check(Rng::new(1)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any points, any order of movers.
    #[test]
    fn any_tree_has_its_value(tree in any_tree()) {
        let game = Written::parse_tree(&tree).unwrap();
        check(&game.start(), &game.extras(), &mut Memo::new(), &tree);
    }
}

/// A game of two positions that repeat: refused, not guessed.
#[test]
fn repeating_games_are_refused() {
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    struct Loop(bool);
    impl Position for Loop {
        type Move = u8;
        fn turn(&self) -> Player {
            Player::First
        }
        fn outcome(&self) -> Option<Score> {
            None
        }
        fn moves(&self, out: &mut Vec<u8>) {
            out.push(0);
        }
        fn play(&mut self, _: u8) {
            self.0 = !self.0;
        }
        fn key(&self) -> Key {
            Key::from(self.0)
        }
    }
    let refused = start(&Loop(false), Config::default(), Extras::none(), Resources::default());
    assert_eq!(refused.err(), Some(SearchError::Cyclic("alphabeta")));
}
