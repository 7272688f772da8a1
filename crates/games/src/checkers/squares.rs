//! The playing squares of a board in one word, and the four diagonal steps between them.
//!
//! Row by row from the bottom, w = N/2 rounded up squares each, and one bit left unused after every
//! even row (counted from 0) and after the shorter rows of an odd board. So every step is the same
//! shift from every square, and what leaves the board at its side falls on an unused bit:
//!
//! ```text
//!      28  29  30  31        8x8, w = 4: up-left is + 4, up-right is + 5
//!    23  24  25  26  (27)
//!      …
//!       5   6   7   8
//!     0   1   2   3   (4)
//! ```

use crate::board::{Grid, Interned, Word, intern};

/// The four directions, clockwise: up-right, down-right, down-left, up-left. The opposite of `d` is
/// `d ^ 2`.
pub(super) const DIRECTIONS: [usize; 4] = [0, 1, 2, 3];

/// The playing squares of a board.
#[derive(Debug)]
pub(super) struct Squares {
    /// The whole rectangle, for text: cell (c, r) is bit `r * size + c`.
    pub grid: Interned<Grid<u128>>,
    /// All playing squares.
    pub board: u64,
    /// Where the men of each player are crowned.
    pub crowning: [u64; 2],
    /// Squares in a row, rounded up.
    width: u32,
    /// By square: its cell in the rectangle.
    cells: [u8; 64],
    /// By square: the one opposite.
    opposites: [u8; 64],
}

impl Squares {
    /// The smallest and largest board.
    pub const SIZES: std::ops::RangeInclusive<u32> = 4..=10;

    /// The shared tables of a board with this many columns and rows.
    pub fn new(size: u32) -> Interned<Squares> {
        assert!(Squares::SIZES.contains(&size), "{size}x{size} squares do not fit");
        let grid = Grid::new(size, size);
        intern(&[size], || {
            let mut squares = Squares {
                grid,
                board: 0,
                crowning: [0; 2],
                width: size.div_ceil(2),
                cells: [0; 64],
                opposites: [0; 64],
            };
            for (c, r) in (0..size).flat_map(|r| (0..size).map(move |c| (c, r))) {
                if let Some(square) = squares.square(c, r) {
                    squares.board |= 1 << square;
                    squares.cells[square as usize] = grid.cell(c, r) as u8;
                    let opposite =
                        squares.square(size - 1 - c, size - 1 - r).expect("both are playing squares");
                    squares.opposites[square as usize] = opposite as u8;
                    for (player, row) in [(0, size - 1), (1, 0)] {
                        squares.crowning[player] |= u64::from(r == row) << square;
                    }
                }
            }
            squares
        })
    }

    /// The playing square in column `c` and row `r`, if it is one.
    pub fn square(&self, c: u32, r: u32) -> Option<u32> {
        (c + r).is_multiple_of(2).then(|| r * self.width + r.div_ceil(2) + c / 2)
    }

    /// The cell of the rectangle that a square is.
    #[inline]
    pub fn cell(&self, square: u32) -> u32 {
        u32::from(self.cells[square as usize % 64])
    }

    /// The set moved one step in direction `d`; what leaves the board is gone.
    #[inline]
    pub fn step(&self, set: u64, d: usize) -> u64 {
        let moved = match d {
            0 => set << (self.width + 1),
            1 => set >> self.width,
            2 => set >> (self.width + 1),
            _ => set << self.width,
        };
        moved & self.board
    }

    /// The row of a square, from 0.
    pub fn row(&self, square: u32) -> u32 {
        self.cell(square) / self.grid.cols
    }

    /// The squares of a set of cells that has only playing squares.
    pub fn of_cells(&self, cells: u128) -> u64 {
        self.board
            .cells()
            .filter(|&square| cells.has(self.cell(square)))
            .fold(0, |set, square| set | 1 << square)
    }

    /// The square on the other side of the middle of the board.
    pub fn opposite(&self, square: u32) -> u32 {
        u32::from(self.opposites[square as usize % 64])
    }

    /// The mirror image, left and right exchanged. Only boards of odd size have their playing
    /// squares there.
    pub fn mirrored(&self, square: u32) -> u32 {
        let (c, r) = (self.cell(square) % self.grid.cols, self.row(square));
        self.square(self.grid.cols - 1 - c, r).expect("mirrored boards are odd")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_of_the_rectangle() {
        for size in Squares::SIZES {
            let squares = Squares::new(size);
            assert_eq!(squares.board.count(), (size * size).div_ceil(2));
            for (c, r) in (0..size).flat_map(|r| (0..size).map(move |c| (c, r))) {
                let Some(square) = squares.square(c, r) else { continue };
                assert_eq!((squares.cell(square), squares.row(square)), (r * size + c, r));
                for (d, (dc, dr)) in [(1, 1), (1, -1), (-1, -1), (-1, 1)].into_iter().enumerate() {
                    let to = (c.checked_add_signed(dc), r.checked_add_signed(dr));
                    let there = match to {
                        (Some(c), Some(r)) if c < size && r < size => 1 << squares.square(c, r).unwrap(),
                        _ => 0,
                    };
                    assert_eq!(squares.step(1 << square, d), there, "{size}: {c},{r} direction {d}");
                }
            }
        }
    }
}
