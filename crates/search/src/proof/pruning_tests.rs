//! Sets of moves that contain a best one: facts without bounds show whether a search leaves out the
//! other moves.

use super::*;
use crate::testing::random_position;
use crate::{Ask, Run, SearchSpec};
use proofplay_core::minimax::Memo;
use proofplay_core::{Bounds, Facts, Game, Rng};
use proofplay_games::connect4::Connect4;
use proofplay_games::in_a_row::Any;
use std::sync::Arc;

/// Facts that prune moves, without bounds.
struct OnlyMoves<P: Position>(Arc<dyn Facts<P>>);

impl<P: Position> Facts<P> for OnlyMoves<P> {
    fn bounds(&self, pos: &P) -> Bounds {
        pos.range()
    }
    fn enough(&self, pos: &P, out: &mut Vec<P::Move>) -> Bounds {
        let start = out.len();
        self.0.enough(pos, out);
        if out.len() == start {
            pos.moves(out);
        }
        pos.range()
    }
}

#[test]
fn moves_that_others_make_superfluous_are_left_out() {
    let (game, mut rng, mut memo) = (Connect4::new(Any::<u64>::new(4, 4, 3)), Rng::new(11), Memo::new());
    let positions: Vec<_> = (0..200).map(|i| random_position(&game, i % 7, &mut rng)).collect();
    let extras = Extras { facts: Some(Arc::new(OnlyMoves(game.facts().unwrap()))), hints: game.hints() };
    for name in ["pns", "pnt", "pn2", "pp", "ppt", "pp2", "dfpn", "dfpp", "alphabeta"] {
        let mut nodes = |facts: &str| -> u64 {
            let spec: SearchSpec = format!("{name}:facts={facts}").parse().unwrap();
            let mut solve = |pos: &_| {
                let mut search = spec.start(pos, extras.clone(), Resources::default()).unwrap();
                let report = search.run(Ask::Value, &mut Run::default()).unwrap();
                assert_eq!(report.bounds, Bounds::exact(memo.value(pos)), "{spec}: {pos:?}");
                report.nodes
            };
            positions.iter().map(&mut solve).sum()
        };
        let (on, off) = (nodes("on"), nodes("off"));
        assert!(on * 10 < off * 9, "{name}: {on} nodes with facts, {off} without");
    }
}
