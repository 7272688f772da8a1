//! Facts and hints about the remaining moves.

use super::{Board, Cell};
use crate::board::Word;
use proofplay_core::{Bounds, Facts, Hints, Position, Score};

/// Moves that the other side cannot take away.
#[derive(Copy, Clone, Debug)]
pub struct Reserves;

impl<W: Word> Facts<Board<W>> for Reserves {
    /// Decided when one side has more moves in reserve than the other side has legal moves, whose
    /// number never grows.
    #[inline]
    fn bounds(&self, pos: &Board<W>) -> Bounds {
        let [own, other] = [pos.own, pos.other].map(|stones| pos.reserve(stones));
        let theirs = || Board { own: pos.other, other: pos.own, ..*pos }.legal().count();
        if own > 0 && own > theirs() {
            return Bounds::exact(Score::win_of(pos.mover));
        }
        if other > 0 && other >= pos.legal().count() {
            return Bounds::exact(Score::win_of(!pos.mover));
        }
        pos.range()
    }
}

/// The moves left after a move, less those of the other side.
#[derive(Copy, Clone, Debug)]
pub struct Mobility;

impl<W: Word> Hints<Board<W>> for Mobility {
    fn order(&self, pos: &Board<W>, moves: &[Cell], out: &mut [u8]) -> bool {
        for (&mv, order) in moves.iter().zip(out) {
            let mut after = *pos;
            after.put(mv);
            let theirs = after.legal().count();
            let own = Board { own: after.other, other: after.own, ..after }.legal().count();
            *order = (128 + own.min(127) - theirs.min(127)) as u8;
        }
        true
    }
}
