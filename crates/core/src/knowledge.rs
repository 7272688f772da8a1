//! Everything a game knows beyond its rules.

use crate::Position;

/// Heuristics of a game. None of it is a proof; every method has a neutral default.
pub trait Knowledge<P: Position>: Send + Sync {
    /// A guess of the value in the view of `First`, in [-1, 1].
    fn value(&self, pos: &P) -> f32 {
        let _ = pos;
        0.0
    }

    /// How promising each move is; `out` has the length of `moves` and comes filled with 1.
    fn priors(&self, pos: &P, moves: &[P::Move], out: &mut [f32]) {
        let _ = (pos, moves, out);
    }

    /// How often a playout should take each move; `out` has the length of `moves` and comes filled with 1.
    fn weights(&self, pos: &P, moves: &[P::Move], out: &mut [f32]) {
        let _ = (pos, moves, out);
    }

    /// The category of each move, by which how often moves are played can be learned; `out` has the length of `moves` and
    /// comes filled with 0.
    fn categories(&self, pos: &P, moves: &[P::Move], out: &mut [u32]) {
        let _ = (pos, moves, out);
    }

    /// The name of a category. Categories are numbered from 0; a game that tells no moves apart has none.
    fn category_name(&self, category: u32) -> Option<String> {
        let _ = category;
        None
    }

    /// How convincing the win at a finished position is, in the winner's view, in (0, 1).
    fn quality(&self, end: &P) -> f32 {
        let _ = end;
        0.5
    }
}

/// Knows nothing.
#[derive(Copy, Clone, Debug)]
pub struct Blank;

impl<P: Position> Knowledge<P> for Blank {}
