//! The reduction of Y: a triangle of side N becomes one of side N - 1, until one cell is left.
//!
//! van Rijswijck, "Search and evaluation in Hex", University of Alberta, 2002 \[vR02\].
//!
//! ```text
//!     c          Three mutually adjacent cells, two of a row and the one above them, become one cell: the
//!    a b         colour of at least two of them. The winner of the reduced board is that of the full board.
//! ```
//!
//! A rule that gives each triple its majority can be run on more than colours:
//! - chances: `p1 p2 + p1 p3 + p2 p3 - 2 p1 p2 p3`, the chance that at least two of three are own
//!   cells, as if they were independent. This is the evaluation: cells of First 1, of Second 0,
//!   empty ones 1/2.
//! - numbers with the median. Whether a number is at most t is a colour, and the median of three is
//!   at most t exactly when two of three are. So the last number is the smallest t for which the
//!   cells up to t are won. This is how a playout finds the stone that decides the game.

use super::Board;
use super::triangle::LARGEST;
use crate::board::Word;
use proofplay_core::{Hints, Player};
use std::array;

/// Numbers in a row: what the longest side needs, rounded up to full vectors.
pub(super) const ROW: usize = (LARGEST as usize).next_power_of_two();

/// One number a cell: `rows[r][c]`, both from 0. What is outside the triangle never reaches a cell
/// inside.
pub(super) type Rows<T> = [[T; ROW]; ROW];

/// The number that is left when a triangle of `size` rows has been reduced to one cell.
///
/// Row by row from the top: `above[k]` is the row above after k reductions, which the k-th
/// reduction of this row needs, so that whole rows are read and written.
#[inline]
pub(super) fn reduce<T: Copy>(rows: &Rows<T>, size: usize, majority: impl Fn(T, T, T) -> T) -> T {
    let mut above = *rows;
    for r in (0..size).rev() {
        let mut row = rows[r];
        for upper in &mut above[..size - 1 - r] {
            let next = array::from_fn(|c| majority(row[c], row[(c + 1) % ROW], upper[c]));
            *upper = row;
            row = next;
        }
        above[size - 1 - r] = row;
    }
    above[size - 1][0]
}

/// The chance that at least two of three independent events happen. Written so that it is exactly 1
/// or 0 when two of them are certain or impossible.
#[inline]
fn two_of_three(p1: f32, p2: f32, p3: f32) -> f32 {
    p1 * p2 + p3 * (p1 * (1.0 - p2) + p2 * (1.0 - p1))
}

/// The hints of Y: the value of the reduction.
#[derive(Copy, Clone, Debug)]
pub struct Reduction;

impl<W: Word> Hints<Board<W>> for Reduction {
    /// `2 p - 1` for the chance p that the reduction gives First; exactly +1 or -1 when the game is
    /// over.
    fn value(&self, pos: &Board<W>) -> f32 {
        let mut chances = [[0.5; ROW]; ROW];
        for (player, chance) in [(Player::First, 1.0), (Player::Second, 0.0)] {
            for cell in pos.stones(player).cells() {
                chances.as_flattened_mut()[usize::from(pos.triangle.spots[cell as usize])] = chance;
            }
        }
        2.0 * reduce(&chances, pos.triangle.size as usize, two_of_three) - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::game;
    use super::*;
    use proofplay_core::{Game, Position, Rng};

    fn value(size: u32, text: &str) -> f32 {
        let game = game::<u64>(size);
        game.hints().value(&game.parse(text).unwrap())
    }

    /// By hand. One black stone of three cells: the other two must not both be white, p = 1 - 1/4 =
    /// 3/4. Side 3 with a black a1: the triples are (1, 1/2, 1/2) = 3/4 at a1 and 1/2 at b1 and a2,
    /// then p = 3/4 1/2 + 1/2 (3/4 1/2 + 1/2 1/4) = 5/8. With a black b1 and a white a3: 3/4, 3/4
    /// and (1/2, 1/2, 0) = 1/4, p = 9/16 + 1/4 (2 3/4 1/4) = 21/32.
    #[test]
    fn worked_examples() {
        assert_eq!(value(1, ". b"), 0.0);
        assert_eq!(value(1, "b w"), 1.0);
        assert_eq!(value(2, "./.. b"), 0.0);
        assert_eq!(value(2, "./b. w"), 2.0 * 0.75 - 1.0);
        assert_eq!(value(2, "w/b. b"), 0.0);
        assert_eq!(value(2, "w/bb w"), 1.0);
        assert_eq!(value(3, "./../b.. w"), 2.0 * 0.625 - 1.0);
        assert_eq!(value(3, "w/../.b. b"), 2.0 * (21.0 / 32.0) - 1.0);
    }

    fn ends_are_certain<W: Word>(size: u32) {
        let game = game::<W>(size);
        let mut rng = Rng::new(u64::from(size));
        for _ in 0..200 {
            let mut pos = game.start();
            while pos.outcome().is_none() {
                let value = game.hints().value(&pos);
                assert!((-1.0..=1.0).contains(&value), "{value} at {}", game.show(&pos));
                pos.play(pos.random_move(&mut rng, &mut Vec::new()));
            }
            let score = pos.outcome().unwrap();
            assert_eq!(game.hints().value(&pos), f32::from(score.0), "{}", game.show(&pos));
        }
    }

    #[test]
    fn a_finished_game_is_certain() {
        (1..=10).for_each(ends_are_certain::<u64>);
        (11..=15).for_each(ends_are_certain::<u128>);
    }
}
