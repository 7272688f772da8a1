//! Queen lines: which cells of every row, column and diagonal are occupied, and how far a queen runs on them.
//!
//! A line is a word: bit `p` is cell number `p` of the line, counted from 1; bit 0 and all bits behind the last cell are
//! set as if they were occupied. Then the empty cells on both sides of a cell are the zeros up to the next set bit.

use crate::board::{Grid, Interned, Word, intern};

/// More than the 3 (32 + 4) - 2 rows, columns and diagonals of the longest board, 32x4. A power of two: no index has to be
/// tested.
const MOST_LINES: usize = 128;

/// Four lines go through a cell, in two directions each.
pub(super) const DIRECTIONS: usize = 8;

/// All lines of a board with what is on them.
#[derive(Copy, Clone)]
pub(super) struct Lines([u64; MOST_LINES]);

/// Where a cell is on its lines.
#[derive(Copy, Clone, Default)]
struct Place {
    /// Row, column, rising and falling diagonal.
    lines: [u8; 4],
    /// The bit of the cell in its row and its diagonals, and in its column.
    along: u64,
    across: u64,
    /// What [`Tables::runs`] adds to the distances of bits: for a cell with bit `b` of a line, in two bytes, `b - 1` and
    /// `-b - 1`.
    origin: u64,
}

impl Place {
    fn new(lines: [u32; 4], along: u32, across: u32) -> Place {
        let bits = [along, across, along, along];
        let pairs = bits.map(|b| u64::from(b - 1).wrapping_sub(u64::from(b + 1) << 8));
        let origin = (0..4).fold(0u64, |sum, i| sum.wrapping_add(pairs[i] << (16 * i)));
        Place { lines: lines.map(|line| line as u8), along: 1 << along, across: 1 << across, origin }
    }

    /// Each of the four lines with the bit of the cell.
    #[inline]
    fn each(&self) -> [(usize, u64); 4] {
        let [row, column, rising, falling] = self.lines.map(usize::from);
        [(row, self.along), (column, self.across), (rising, self.along), (falling, self.along)]
    }
}

/// The tables of a board.
pub struct Tables<W: Word> {
    pub(super) grid: Interned<Grid<W>>,
    places: [Place; 128],
    /// From a cell to the next in each direction; the opposite one is at the index with the last bit flipped.
    steps: [i8; DIRECTIONS],
    empty: Lines,
    /// The most cells that a queen can reach.
    pub(super) widest: u32,
}

impl<W: Word> std::fmt::Debug for Tables<W> {
    /// The size alone, as for [`Grid`].
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.grid.fmt(f)
    }
}

/// How many empty cells follow in each of the eight directions, one a byte.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Runs(u64);

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

impl Runs {
    #[inline]
    pub fn get(self, direction: usize) -> u32 {
        (self.0 >> (8 * direction) & 0xff) as u32
    }

    /// All cells in reach. At most 3 (C + R) / 2: a byte holds it.
    #[inline]
    pub fn total(self) -> u32 {
        (self.0.wrapping_mul(ONES) >> 56) as u32
    }

    /// `more` cells more in one direction.
    #[inline]
    fn longer(self, direction: usize, more: u32) -> Runs {
        Runs(self.0 + (u64::from(more) << (8 * direction)))
    }

    /// The direction and the distance of cell number `n` in reach, by direction and then by distance.
    #[inline]
    pub fn nth(self, n: u32) -> (usize, u32) {
        // Byte i: the cells in reach in directions 0 to i. All sums are below 128.
        let sums = self.0.wrapping_mul(ONES);
        // Sums do not fall: the first that is greater than `n`.
        let passed = ((u64::from(n) * ONES) | HIGH).wrapping_sub(sums) & HIGH;
        let direction = ((!passed & HIGH | 1 << 63).trailing_zeros() / 8) as usize;
        let before = (sums << 8) >> (8 * direction) & 0xff;
        (direction, n - before as u32 + 1)
    }
}

impl<W: Word> Tables<W> {
    /// The shared tables of a board of at least four columns and rows.
    pub fn new(cols: u32, rows: u32) -> Interned<Tables<W>> {
        let grid = Grid::new(cols, rows);
        intern(&[cols, rows], || {
            let mut places = [Place::default(); 128];
            // First no cell is on a line, then those that are become empty.
            let mut empty = Lines([!0; MOST_LINES]);
            for cell in 0..cols * rows {
                let (c, r) = (cell % cols, cell / cols);
                let diagonals = rows + cols;
                let numbers =
                    [r, rows + c, diagonals + c + rows - 1 - r, diagonals + cols + rows - 1 + c + r];
                places[cell as usize] = Place::new(numbers, c + 1, r + 1);
            }
            let step = cols as i8;
            let steps = [-1, 1, -step, step, -step - 1, step + 1, step - 1, 1 - step];
            let mut tables = Tables { grid, places, steps, empty, widest: 0 };
            for cell in 0..cols * rows {
                tables.flip(&mut empty, cell as u8);
            }
            tables.empty = empty;
            let reach = (0..cols * rows).map(|cell| tables.runs(&empty, cell as u8).total());
            tables.widest = reach.max().expect("a board has cells");
            tables
        })
    }

    /// The lines with these cells occupied.
    #[inline]
    pub(super) fn lines(&self, occupied: W) -> Lines {
        let mut lines = self.empty;
        for cell in occupied.cells() {
            self.flip(&mut lines, cell as u8);
        }
        lines
    }

    #[inline]
    fn place(&self, cell: u8) -> &Place {
        &self.places[usize::from(cell) % 128]
    }

    /// Empties an occupied cell or occupies an empty one.
    #[inline]
    pub(super) fn flip(&self, lines: &mut Lines, cell: u8) {
        for (line, bit) in self.place(cell).each() {
            lines.0[line % MOST_LINES] ^= bit;
        }
    }

    /// The empty cells around `cell`, which may be occupied itself.
    #[inline(always)]
    pub(super) fn runs(&self, lines: &Lines, cell: u8) -> Runs {
        let place = self.place(cell);
        let mut runs = place.origin;
        for (i, (line, bit)) in place.each().into_iter().enumerate() {
            let line = lines.0[line % MOST_LINES];
            // The nearest occupied cell on each side: bit 0 and bit 63 of a line are set, so that there is one.
            let down = u64::from(((line & (bit - 1)) | 1).ilog2());
            let up = u64::from((line & (bit + bit).wrapping_neg() | 1 << 63).trailing_zeros());
            runs = runs.wrapping_add((up << 8).wrapping_sub(down) << (16 * i));
        }
        Runs(runs)
    }

    /// The cells that are occupied: all but the few that are empty late in a game.
    pub(super) fn occupied(&self, lines: &Lines) -> W {
        let (cols, mut empty) = (self.grid.cols, W::EMPTY);
        for r in 0..self.grid.rows {
            let row = !lines.0[r as usize % MOST_LINES] >> 1;
            row.cells().for_each(|c| empty = empty | W::bit(r * cols + c));
        }
        self.grid.board & !empty
    }

    /// The cell some steps away in a direction.
    #[inline]
    pub(super) fn cell(&self, from: u8, direction: usize, distance: u32) -> u8 {
        let step = i32::from(self.steps[direction % DIRECTIONS]);
        (i32::from(from) + step * distance as i32) as u8
    }

    /// Where an arrow can go from the cell that an amazon has reached: its own cell is empty now. `from` are the runs of
    /// the cell that it left; everything else is as before the move.
    #[inline]
    pub(super) fn arrows(&self, lines: &Lines, from: Runs, direction: usize, distance: u32, to: u8) -> Runs {
        let back = direction ^ 1;
        // Back to the amazon's old cell the line counts `distance - 1` cells; then that cell, then those behind it.
        debug_assert_eq!(self.runs(lines, to).get(back), distance - 1);
        self.runs(lines, to).longer(back, 1 + from.get(back))
    }

    /// How many arrows there are after all moves of the amazon whose cell has these runs.
    #[inline]
    pub(super) fn count(&self, lines: &Lines, cell: u8, from: Runs) -> u32 {
        let mut sum = 0;
        for direction in 0..DIRECTIONS {
            let run = from.get(direction);
            for distance in 1..=run {
                sum += self.runs(lines, self.cell(cell, direction, distance)).total();
            }
            sum += run * (1 + from.get(direction ^ 1));
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::Rng;

    /// Runs against a walk from cell to cell, on random boards.
    #[test]
    fn runs_are_empty_cells() {
        let mut rng = Rng::new(1);
        for (cols, rows) in [(4, 4), (4, 5), (5, 4), (10, 10), (32, 4), (4, 32), (11, 11), (16, 8)] {
            let tables = Tables::<u128>::new(cols, rows);
            for round in 0..50 {
                let set = tables.grid.board.cells().filter(|_| rng.below(50) < round);
                let occupied = set.fold(0, |set, cell| set | u128::bit(cell));
                let lines = tables.lines(occupied);
                for cell in tables.grid.board.cells() {
                    let runs = tables.runs(&lines, cell as u8);
                    let mut walked = Vec::new();
                    // In the order of `steps`.
                    for (dc, dr) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)] {
                        let direction = walked.len();
                        let (mut c, mut r) = ((cell % cols) as i32 + dc, (cell / cols) as i32 + dr);
                        let mut run = 0;
                        while (0..cols as i32).contains(&c) && (0..rows as i32).contains(&r) {
                            let next = tables.grid.cell(c as u32, r as u32);
                            if occupied.has(next) {
                                break;
                            }
                            run += 1;
                            assert_eq!(u32::from(tables.cell(cell as u8, direction, run)), next);
                            (c, r) = (c + dc, r + dr);
                        }
                        walked.push(run);
                    }
                    assert!(walked.iter().enumerate().all(|(direction, &run)| runs.get(direction) == run));
                    assert_eq!(runs.total(), walked.iter().sum());
                    let pairs =
                        walked.iter().enumerate().flat_map(|(d, &run)| (1..=run).map(move |n| (d, n)));
                    for (n, pair) in pairs.enumerate() {
                        assert_eq!(runs.nth(n as u32), pair);
                    }
                }
            }
        }
        assert_eq!(Tables::<u128>::new(10, 10).widest, 35);
    }
}
