//! Queen lines: which cells of every row, column and diagonal are occupied, and how far a queen
//! runs on them.
//!
//! A line is a word: bit `p` is cell number `p` of the line, counted from 0; all bits above the
//! last cell are set as if they were occupied. Then the empty cells on both sides of a cell are the
//! zeros up to the next set bit. Boards of up to ten columns and rows look them up, which makes a
//! playout 1.15 times as fast as finding bits.

use crate::board::{Grid, Interned, Word, intern};

/// More than the 3 (32 + 4) - 2 rows, columns and diagonals of the longest board, 32x4. A power of
/// two: no index has to be tested.
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
    /// The number of its bit in its row and its diagonals, and in its column.
    along: u8,
    across: u8,
}

impl Place {
    /// Each of the four lines with the number of the cell's bit.
    #[inline]
    fn each(self) -> [(usize, u8); 4] {
        let [row, column, rising, falling] = self.lines.map(usize::from);
        [(row, self.along), (column, self.across), (rising, self.along), (falling, self.along)]
    }
}

/// The empty cells below and above bit `p` of a line, in a byte each.
#[inline]
fn around(line: u64, p: u8) -> u16 {
    let bit = 1u64 << (p % 64);
    // One bit higher than in the line, so that 0 means that all are empty.
    let down = u32::from(p) - ((line & (bit - 1)) << 1 | 1).ilog2();
    // The last bit is set anyway: that the word is not 0 saves a test.
    let up = (line & (bit << 1).wrapping_neg() | 1 << 63).trailing_zeros() - u32::from(p) - 1;
    (down | up << 8) as u16
}

/// Boards of up to this many columns and rows look [`around`] up in a table.
const SHORT: u32 = 10;
/// `short[p << SHORT | line]`: the empty cells around bit `p`, as of [`around`]. A power of two: no
/// index has to be tested.
type Short = [u16; 16 << SHORT];

/// The tables of a board.
pub struct Tables<W: Word> {
    pub(super) grid: Interned<Grid<W>>,
    places: [Place; 128],
    short: Option<Box<Short>>,
    /// From a cell to the next in each direction; the opposite one is at the index with the last
    /// bit flipped.
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

    /// The direction and the distance of cell number `n` in reach, by direction and then by
    /// distance.
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

/// Four pairs of bytes as one word.
#[inline]
fn four([a, b, c, d]: [u16; 4]) -> u64 {
    u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48
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
                let lines = numbers.map(|line| line as u8);
                places[cell as usize] = Place { lines, along: c as u8, across: r as u8 };
            }
            let step = cols as i8;
            let steps = [-1, 1, -step, step, -step - 1, step + 1, step - 1, 1 - step];
            let mut tables = Tables { grid, places, short: None, steps, empty, widest: 0 };
            for cell in 0..cols * rows {
                tables.flip(&mut empty, cell as u8);
            }
            tables.empty = empty;
            if cols.max(rows) <= SHORT {
                let line = |n: usize| n as u64 | !0 << SHORT;
                let near = (0..16 << SHORT).map(|n| around(line(n), (n >> SHORT) as u8));
                tables.short = near.collect::<Vec<u16>>().try_into().ok();
            }
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
    fn place(&self, cell: u8) -> Place {
        self.places[usize::from(cell) % 128]
    }

    /// Empties an occupied cell or occupies an empty one.
    #[inline]
    pub(super) fn flip(&self, lines: &mut Lines, cell: u8) {
        for (line, p) in self.place(cell).each() {
            lines.0[line % MOST_LINES] ^= 1 << (p % 64);
        }
    }

    /// The empty cells around `cell`, which may be occupied itself.
    #[inline(always)]
    pub(super) fn runs(&self, lines: &Lines, cell: u8) -> Runs {
        let places = self.place(cell).each().map(|(line, p)| (lines.0[line % MOST_LINES], p));
        Runs(match &self.short {
            Some(short) => {
                let index =
                    |line, p| ((usize::from(p) << SHORT) | (line as usize % (1 << SHORT))) % short.len();
                four(places.map(|(line, p)| short[index(line, p)]))
            }
            None => four(places.map(|(line, p)| around(line, p))),
        })
    }

    /// The occupied cells: all except the few that are empty late in a game.
    pub(super) fn occupied(&self, lines: &Lines) -> W {
        let (cols, mut empty) = (self.grid.cols, W::EMPTY);
        for r in 0..self.grid.rows {
            let row = !lines.0[r as usize % MOST_LINES];
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

    /// Where an arrow can go from the cell that an amazon has reached: its own cell is empty now.
    /// `from` are the runs of the cell that it left; everything else is as before the move.
    #[inline]
    pub(super) fn arrows(&self, lines: &Lines, from: Runs, direction: usize, distance: u32, to: u8) -> Runs {
        let back = direction ^ 1;
        // Back to the amazon's old cell the line counts `distance - 1` cells; then that cell, then
        // those behind it.
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
                    assert_eq!(runs.total(), walked.iter().sum::<u32>());
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
