//! Moves that suffice: a game whose knowledge is nothing else shows whether a search leaves the other moves out.

use super::*;
use crate::SearchSpec;
use crate::testing::random_position;
use proofplay_core::minimax::Memo;
use proofplay_core::{Bounds, Key, Player, Rng, Score};
use proofplay_games::connect4::Connect4;
use proofplay_games::in_a_row::Any;

/// A position that knows which of its moves suffice, but no bounds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct OnlyMoves<P>(P);

impl<P: Position> Position for OnlyMoves<P> {
    type Move = P::Move;
    fn repeats(&self) -> bool {
        self.0.repeats()
    }
    fn turn(&self) -> Player {
        self.0.turn()
    }
    fn outcome(&self) -> Option<Score> {
        self.0.outcome()
    }
    fn moves(&self, out: &mut Vec<P::Move>) {
        self.0.moves(out);
    }
    fn play(&mut self, mv: P::Move) {
        self.0.play(mv);
    }
    fn key(&self) -> Key {
        self.0.key()
    }
    fn admissible(&self, out: &mut Vec<P::Move>) -> Bounds {
        let start = out.len();
        self.0.admissible(out);
        if out.len() == start {
            self.0.moves(out);
        }
        self.range()
    }
}

#[test]
fn moves_that_others_make_superfluous_are_left_out() {
    let (game, mut rng, mut memo) = (Connect4::new(Any::<u64>::new(4, 4, 3)), Rng::new(11), Memo::new());
    let positions: Vec<_> = (0..200).map(|i| OnlyMoves(random_position(&game, i % 7, &mut rng))).collect();
    for name in ["pns", "pnt", "pn2", "pp", "ppt", "pp2", "dfpn", "dfpp", "alphabeta"] {
        let mut nodes = |knowledge: &str| -> u64 {
            let spec: SearchSpec = format!("{name}:knowledge={knowledge}").parse().unwrap();
            let mut solve = |pos: &OnlyMoves<_>| {
                let report = spec.solve(pos).unwrap();
                assert_eq!(report.bounds, Bounds::exact(memo.value(pos)), "{spec}: {pos:?}");
                report.nodes
            };
            positions.iter().map(&mut solve).sum()
        };
        let (on, off) = (nodes("on"), nodes("off"));
        assert!(on * 10 < off * 9, "{name}: {on} nodes with knowledge, {off} without");
    }
}
