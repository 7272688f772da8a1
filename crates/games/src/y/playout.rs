//! The playout of Y, without following chains.
//!
//! The empty cells are filled in a random order, to the end of the board. Every cell gets a number:
//! t for the t-th move when First plays it, 255 - t when Second does, 0 and 255 for the stones that
//! lie there already. The numbers up to t < 128 are the stones of First after move t, the numbers
//! below 255 - t are all cells but the stones of Second after move t. So the median reduction,
//! which finds the first number up to which First connects, names the move that ends the game and
//! who plays it: First with move n if n < 128, else Second with move 255 - n.
//!
//! Only the moves up to there are played: the moves after the end of the game do not change what
//! comes before it.

use super::Board;
use super::reduction::{Rows, reduce};
use crate::board::{Shuffled, Word, shuffled};
use proofplay_core::{Player, Rng, Score};

#[inline]
fn median(a: u8, b: u8, c: u8) -> u8 {
    a.min(b).max(a.max(b).min(c))
}

impl<W: Word> Board<W> {
    /// Plays random moves to the end of a game that is not over; see the head of this file.
    #[inline]
    pub(super) fn fill(&mut self, rng: &mut Rng, trace: &mut impl FnMut(Player, u8)) -> Score {
        let order = shuffled(self.empty(), rng);
        let (winner, end) = self.decide(&order);
        let (mut own, mut other) = (self.stones(self.mover), self.stones(!self.mover));
        for &cell in &order.cells()[..end] {
            trace(self.mover, cell);
            (own, other) = (other, own | W::bit(cell.into()));
            self.mover = !self.mover;
        }
        self.stones[self.mover.index()] = own;
        self.stones[(!self.mover).index()] = other;
        self.winner = Some(winner);
        Score::win_of(winner)
    }

    /// Who wins, and with how many moves, when the empty cells are filled in this order.
    #[inline]
    fn decide(&self, order: &Shuffled) -> (Player, usize) {
        let mut numbers: Rows<u8> = Default::default();
        let (numbers_of_all, spots) = (numbers.as_flattened_mut(), &self.triangle.spots);
        let mut put = |cell: u8, number| numbers_of_all[usize::from(spots[usize::from(cell)])] = number;
        // The stones of First have the number 0, like all that is not written.
        for cell in self.stones(Player::Second).cells() {
            put(cell as u8, 255);
        }
        // 255 - t is t with all bits flipped.
        let mut flip = if self.mover == Player::First { 0 } else { 255 };
        for (&cell, t) in order.cells().iter().zip(1..) {
            put(cell, t ^ flip);
            flip = !flip;
        }
        match reduce(&numbers, self.triangle.size as usize, median) {
            n @ ..128 => (Player::First, usize::from(n)),
            n => (Player::Second, usize::from(255 - n)),
        }
    }
}
