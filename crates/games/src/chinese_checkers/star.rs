//! The star and its six directions.
//!
//! Rows from the top, r = 0, 1, 2 …; a cell with doubled column c (0 in the middle) is bit
//! `STRIDE * r + (c + r) / 2`, where `STRIDE` is the longest row. So the six neighbours are + or -
//! 1, `STRIDE` and `STRIDE + 1` bits away wherever a cell is, and between the rows lies at least
//! one unused bit: what leaves the board falls on no cell.

use super::classes::Classes;
use super::singles::Singles;
use crate::board::{Interned, U256, Word, intern};
use std::fmt;

/// A word with room for a star, and the bits between the rows of that star.
pub trait StarWord: Word {
    /// From a cell to the lower left of its neighbours.
    const STRIDE: u32;
    /// The most pieces of a player.
    const PIECES: usize;
    /// A word with room for the cells of one class, see `classes.rs`.
    type Class: Word;
    /// From row to row of a class.
    const CLASS_STRIDE: u32;
    /// Class by class, the number of pairs of a cell of the first set and one of the second,
    /// leaving out one cell of the second.
    fn pairs(first: [Self::Class; 4], second: [Self::Class; 4]) -> u32;
}

/// [`StarWord::pairs`] without a loop, for four classes at once: of the first set fewer than 16
/// cells in a class, of the second fewer than 32.
#[inline(always)]
fn pairs(first: [u32; 4], second: [u32; 4]) -> u32 {
    let quads = |x: u32| {
        let x = x - (x >> 1 & 0x5555_5555);
        (x & 0x3333_3333) + (x >> 2 & 0x3333_3333)
    };
    let first = first.map(|x| {
        let x = quads(x);
        let x = x + (x >> 16);
        let x = x + (x >> 8);
        (x + (x >> 4)) & 15
    });
    let second = second.map(|x| {
        let x = quads(x);
        let x = (x + (x >> 4)) & 0x0f0f_0f0f;
        let x = x + (x >> 16);
        (x + (x >> 8)) & 31
    });
    let pairs: [u32; 4] = std::array::from_fn(|i| first[i] * second[i] - first[i]);
    pairs[0] + pairs[2] + (pairs[1] + pairs[3])
}

/// Arms of side 1 and 2.
impl StarWord for u64 {
    const STRIDE: u32 = 7;
    const PIECES: usize = 3;
    type Class = u32;
    const CLASS_STRIDE: u32 = 3;
    #[inline(always)]
    fn pairs(first: [u32; 4], second: [u32; 4]) -> u32 {
        pairs(first, second)
    }
}
/// Side 3.
impl StarWord for u128 {
    const STRIDE: u32 = 10;
    const PIECES: usize = 6;
    type Class = u32;
    const CLASS_STRIDE: u32 = 4;
    #[inline(always)]
    fn pairs(first: [u32; 4], second: [u32; 4]) -> u32 {
        pairs(first, second)
    }
}
/// Side 4.
impl StarWord for U256 {
    const STRIDE: u32 = 13;
    const PIECES: usize = 10;
    type Class = u64;
    const CLASS_STRIDE: u32 = 6;
    #[inline(always)]
    fn pairs(first: [u64; 4], second: [u64; 4]) -> u32 {
        let counts = first.iter().zip(&second).map(|(x, y)| (x.count_ones(), y.count_ones()));
        counts.map(|(x, y)| x * y - x).sum()
    }
}

/// The directions by number: right, left, down left, up right, down right, up left; the opposite of
/// `d` is `d ^ 1`.
pub(super) const DIRECTIONS: [usize; 6] = [0, 1, 2, 3, 4, 5];

/// How many bits further the neighbour in direction `d` is.
#[inline(always)]
pub(super) fn offset<W: StarWord>(d: usize) -> i32 {
    let distance = [1, W::STRIDE as i32, W::STRIDE as i32 + 1][d / 2];
    if d.is_multiple_of(2) { distance } else { -distance }
}

/// The set moved `n` steps in direction `d`; what leaves the board lies on unused bits.
#[inline(always)]
pub(super) fn moved<W: StarWord>(set: W, d: usize, n: u32) -> W {
    let by = n * offset::<W>(d).unsigned_abs();
    if d.is_multiple_of(2) { set << by } else { set >> by }
}

/// The tables of a star.
pub(super) struct Star<W: StarWord> {
    /// The side of an arm.
    pub side: u32,
    /// All cells.
    pub board: W,
    /// Where the pieces of each player go; the other player starts there.
    pub targets: [W; 2],
    /// The bits of the cells by their numbers.
    bits: Vec<u8>,
    /// The numbers of the cells by their bits.
    numbers: [u8; 256],
    /// Rows from the top and doubled columns, by number.
    pub places: Vec<(i16, i16)>,
    /// What a playout looks up, made from the rest.
    pub classes: Classes<W>,
    pub singles: Singles,
}

impl<W: StarWord> fmt::Debug for Star<W> {
    /// Only the side: failing tests print positions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Star({})", self.side)
    }
}

/// The longest arm, 121 cells.
pub(super) const LONGEST: u32 = 4;

impl<W: StarWord> Star<W> {
    /// The shared tables of a star with arms of this side.
    ///
    /// # Panics
    /// If the star does not fit into the word.
    pub fn new(side: u32) -> Interned<Star<W>> {
        assert!(side > 0 && 3 * side < W::STRIDE, "arms of side {side} do not fit");
        intern(&[side], || {
            let mut star = Star {
                side,
                board: W::EMPTY,
                targets: [W::EMPTY; 2],
                bits: Vec::new(),
                numbers: [0; 256],
                places: Vec::new(),
                classes: Classes::none(),
                singles: Singles::none(),
            };
            let n = side as i16;
            for row in 0..=4 * n {
                // Below the middle the rows are those above it once more.
                let from_end = row.min(4 * n - row);
                let width = if from_end < n { from_end + 1 } else { 4 * n + 1 - from_end };
                for column in (1 - width..width).step_by(2) {
                    let bit = (W::STRIDE as i16 * row + (column + row) / 2) as u32;
                    star.numbers[bit as usize] = star.bits.len() as u8;
                    star.bits.push(bit as u8);
                    star.places.push((row, column));
                    star.board = star.board | W::bit(bit);
                    for (player, in_target) in [row > 3 * n, row < n].into_iter().enumerate() {
                        if in_target {
                            star.targets[player] = star.targets[player] | W::bit(bit);
                        }
                    }
                }
            }
            star.classes = Classes::new(&star);
            star.singles = Singles::new(&star);
            star
        })
    }

    /// The bit of a cell.
    #[inline]
    pub fn bit(&self, number: u32) -> u32 {
        u32::from(self.bits[number as usize])
    }

    /// The number of the cell with this bit.
    #[inline]
    pub fn number(&self, bit: u32) -> u32 {
        u32::from(self.numbers[bit as usize & 255])
    }

    /// The numbers of the cells of a set.
    #[inline]
    pub fn numbers(&self, set: W) -> impl Iterator<Item = u32> {
        set.cells().map(|bit| self.number(bit))
    }

    /// How many cells there are.
    #[inline]
    pub fn cells(&self) -> u32 {
        self.bits.len() as u32
    }

    /// The number of the cell that is the mirror image, left and right exchanged.
    pub fn mirrored(&self, number: u32) -> u32 {
        let (row, column) = self.places[number as usize];
        let image = |place: &(i16, i16)| *place == (row, -column);
        self.places.iter().position(image).expect("a star is symmetric") as u32
    }

    /// The mirror image of a set.
    pub fn image(&self, set: W) -> W {
        set.cells().fold(W::EMPTY, |image, bit| image | W::bit(self.bit(self.mirrored(self.number(bit)))))
    }

    /// Where a piece on the cell with this bit can go: steps and chains of hops over `occupied`
    /// cells, all on `allowed` ones, which are empty. The piece's own cell may stay occupied: hops
    /// preserve the parity of row and column, the cells next to the start have another one, so no
    /// chain hops over the start. Not inlined: it is large.
    #[inline(never)]
    pub fn destinations(&self, bit: u32, occupied: W, allowed: W) -> W {
        let start = W::bit(bit);
        let steps = DIRECTIONS.iter().fold(W::EMPTY, |steps, &d| steps | moved(start, d, 1));
        let (mut reached, mut last) = (W::EMPTY, start);
        loop {
            let hop = |landed, &d: &usize| landed | moved(moved(last, d, 1) & occupied, d, 1);
            last = DIRECTIONS.iter().fold(W::EMPTY, hop) & allowed & !reached;
            if last.is_empty() {
                return (steps & allowed) | reached;
            }
            reached = reached | last;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<W: StarWord>(side: u32, widths: &[usize]) {
        let star = Star::<W>::new(side);
        let count = |row: usize| star.places.iter().filter(|place| place.0 == row as i16).count();
        let rows = 4 * side as usize + 1;
        assert_eq!((0..rows).map(count).collect::<Vec<_>>(), widths);
        assert_eq!(star.board.count(), star.cells());
        assert!(star.targets.iter().all(|arm| arm.count() == side * (side + 1) / 2));
        let steps = [(0, 2), (0, -2), (1, -1), (-1, 1), (1, 1), (-1, -1)];
        for number in 0..star.cells() {
            assert_eq!(star.number(star.bit(number)), number);
            assert_eq!(star.mirrored(star.mirrored(number)), number);
            let (row, column) = star.places[number as usize];
            for (d, (dr, dc)) in steps.into_iter().enumerate() {
                for n in [1, 2] {
                    let place = (row + n * dr, column + n * dc);
                    let there = star.places.iter().position(|&other| other == place);
                    let expected = there.map_or(W::EMPTY, |other| W::bit(star.bit(other as u32)));
                    // A hop goes over a cell: two steps count only with the first one on the board.
                    let first = moved(W::bit(star.bit(number)), d, 1) & star.board;
                    let found = if n == 1 { first } else { moved(first, d, 1) & star.board };
                    assert_eq!(found, expected, "{side}: {number} direction {d}");
                }
            }
        }
    }

    #[test]
    fn neighbours_are_those_of_the_star() {
        check::<u64>(1, &[1, 4, 3, 4, 1]);
        check::<u64>(2, &[1, 2, 7, 6, 5, 6, 7, 2, 1]);
        check::<u128>(3, &[1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1]);
        check::<U256>(4, &[1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1]);
        check::<u128>(2, &[1, 2, 7, 6, 5, 6, 7, 2, 1]);
    }
}
