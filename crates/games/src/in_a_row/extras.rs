//! What is certain and what is guessed about rows of stones.

use super::rows::completing;
use super::{Board, Shape, Stone};
use crate::board::Word;
use proofplay_core::{Bounds, Facts, Hints};

/// Rows that can be completed at once, must be stopped, or cannot be completed any more.
#[derive(Copy, Clone, Debug)]
pub struct Threats;

impl<S: Shape, const GRAVITY: bool> Facts<Board<S, GRAVITY>> for Threats {
    #[inline]
    fn bounds(&self, pos: &Board<S, GRAVITY>) -> Bounds {
        pos.known().0
    }

    #[inline]
    fn enough(&self, pos: &Board<S, GRAVITY>, out: &mut Vec<Stone>) -> Bounds {
        let (bounds, good) = pos.known();
        if !bounds.is_exact() {
            out.extend(good.cells().map(|cell| cell as Stone));
        }
        bounds
    }
}

/// Rows that are one stone short, then the middle of the board.
#[derive(Copy, Clone, Debug)]
pub struct Rows;

impl<S: Shape, const GRAVITY: bool> Hints<Board<S, GRAVITY>> for Rows {
    fn order(&self, pos: &Board<S, GRAVITY>, moves: &[Stone], out: &mut [u8]) -> bool {
        for (&mv, order) in moves.iter().zip(out) {
            let stones = pos.own | S::Word::bit(u32::from(mv));
            let short = (completing(pos.shape, stones) & pos.shape.board() & !pos.all).count();
            let (c, _) = pos.place(mv);
            let middle = c.min(pos.shape.cols() - 1 - c);
            *order = (short.min(15) * 16 + middle.min(15)) as u8;
        }
        true
    }
}
