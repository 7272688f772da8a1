//! What the tests of several searches share: random trees, and small games.

use crate::{Ask, Limits, Report, Resources, Run, Search};
use proofplay_core::{Game, Position, Rng};
use proofplay_games::in_a_row::Any;
use proofplay_games::{connect4::Connect4, domineering, mnk::Mnk, nogo, seki, y};
use proptest::prelude::*;

/// The limits and resources of a search in a test.
pub type Budget = (Resources, Limits);

/// Runs a search with these limits.
pub fn think<P: Position>(search: &mut (impl Search<P> + ?Sized), budget: Budget) -> Report<P::Move> {
    search.run(Ask::Value, &mut Run::new(budget.1)).unwrap()
}

/// The same for all moves.
pub fn think_all<P: Position>(search: &mut (impl Search<P> + ?Sized), budget: Budget) -> Report<P::Move> {
    search.run(Ask::AllMoves, &mut Run::new(budget.1)).unwrap()
}

/// A random game tree as text: up to five moves a node, any mover, points from -3 to 3.
pub fn any_tree() -> impl Strategy<Value = String> {
    let leaf = (-3i16..=3).prop_map(|score| score.to_string());
    leaf.prop_recursive(5, 60, 5, |inner| {
        (1..=2, prop::collection::vec(inner, 1..=5))
            .prop_map(|(mover, children)| format!("{mover}({})", children.join(" ")))
    })
}

/// A position after some random moves, perhaps a finished one.
pub fn random_position<G: Game>(game: &G, moves: u32, rng: &mut Rng) -> G::Pos {
    let mut pos = game.start();
    for _ in 0..moves {
        if pos.outcome().is_none() {
            pos.play(pos.random_move(rng, &mut Vec::new()));
        }
    }
    pos
}

/// Something that is done with every small game.
pub trait ForEachGame {
    /// Does it.
    fn with<G: Game>(&mut self, game: &G);
}

/// Boards small enough for brute force, of every kind of game.
pub fn small_games(work: &mut impl ForEachGame) {
    work.with(&Mnk::new(Any::<u64>::new(3, 3, 3)));
    work.with(&Mnk::new(Any::<u64>::new(4, 3, 3)));
    work.with(&Connect4::new(Any::<u64>::new(4, 4, 3)));
    work.with(&Connect4::new(Any::<u64>::new(4, 3, 4)));
    for size in ["4x4", "3x5", "5x3,first=H", "1x6"] {
        work.with(&domineering::Domineering::<u64>::new(domineering::Setup::parse(size).unwrap()));
    }
    for size in ["3x3", "1x8", "4x2"] {
        work.with(&nogo::NoGo::<u64>::new(nogo::Setup::parse(size).unwrap()));
    }
    for size in 1..=3 {
        work.with(&y::Y::<u64>::new(y::Setup { size }));
    }
    for liberties in ["2,2", "1,3", "3,2,1", "2,2,0"] {
        work.with(&seki::Seki::new(seki::Setup::parse(liberties).unwrap()));
    }
}
