//! A rectangle of cells in one word: cell (c, r) is bit `r * cols + c`, row 0 at the bottom.

use super::{Adjacent, Interned, Word, intern, text};
use proofplay_core::cell_name;
use std::fmt;

/// The neighbour beyond the edge: no cell has this number.
pub const OFF: u8 = 255;

/// Sizes, masks and symmetries of a rectangle.
pub struct Grid<W> {
    /// Columns.
    pub cols: u32,
    /// Rows.
    pub rows: u32,
    /// All cells.
    pub board: W,
    /// Every other column, the first one included.
    pub even_cols: W,
    /// Every other row, the first one included.
    pub even_rows: W,
    not_left: W,
    not_right: W,
    not_bottom: W,
    not_top: W,
    /// From a row to the next; any legal shift on a board of one row, where the masks above leave
    /// nothing to shift.
    step: u32,
    /// 256 entries, here and below: any byte is an index, so that hot loops need no check.
    beside: [[u8; 4]; 256],
    eight: [[u8; 8]; 256],
    degrees: [u8; 256],
    /// `images[s][i]`: where symmetry `s` takes cell `i`. Symmetries 4 to 7 transpose and need a
    /// square.
    images: Vec<Vec<u16>>,
}

impl<W> fmt::Debug for Grid<W> {
    /// Only the size: failing tests print positions, and the tables would bury them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({}x{})", self.cols, self.rows)
    }
}

impl<W: Word> Grid<W> {
    /// The shared tables of a rectangle. With more than 255 cells there are sets, but no lists:
    /// [`Grid::beside`], [`Grid::eight`] and [`Grid::degrees`] are empty then.
    ///
    /// # Panics
    /// If the rectangle is empty or does not fit into the word.
    pub fn new(cols: u32, rows: u32) -> Interned<Grid<W>> {
        assert!(cols * rows > 0 && cols * rows <= W::BITS, "{cols}x{rows} cells do not fit");
        intern(&[cols, rows], || {
            let cells = || (0..rows).flat_map(move |r| (0..cols).map(move |c| (c, r)));
            let set = |keep: &dyn Fn(u32, u32) -> bool| {
                let kept = cells().filter(|&(c, r)| keep(c, r));
                kept.fold(W::EMPTY, |set, (c, r)| set | W::bit(r * cols + c))
            };
            let image = |s: u32| {
                let place = move |(c, r)| {
                    let c = if s & 1 != 0 { cols - 1 - c } else { c };
                    let r = if s & 2 != 0 { rows - 1 - r } else { r };
                    if s & 4 != 0 { c * cols + r } else { r * cols + c }
                };
                cells().map(move |cell| place(cell) as u16).collect()
            };
            let number = |c: Option<u32>, r: Option<u32>| match (c, r) {
                (Some(c), Some(r)) if c < cols && r < rows => (r * cols + c) as u8,
                _ => OFF,
            };
            let (mut beside, mut eight) = ([[OFF; 4]; 256], [[OFF; 8]; 256]);
            for (c, r) in cells().filter(|_| cols * rows <= u32::from(OFF)) {
                let columns = [c.checked_sub(1), Some(c), Some(c + 1)];
                let around = [r.checked_sub(1), Some(r), Some(r + 1)].map(|r| columns.map(|c| number(c, r)));
                let [[sw, s, se], [w, _, e], [nw, n, ne]] = around;
                eight[(r * cols + c) as usize] = [sw, s, se, w, e, nw, n, ne];
                beside[(r * cols + c) as usize] = [
                    number(c.checked_sub(1), Some(r)),
                    number(Some(c + 1), Some(r)),
                    number(Some(c), r.checked_sub(1)),
                    number(Some(c), Some(r + 1)),
                ];
            }
            let degree = |near: [u8; 4]| near.into_iter().filter(|&n| n != OFF).count() as u8;
            Grid {
                cols,
                rows,
                board: set(&|_, _| true),
                even_cols: set(&|c, _| c % 2 == 0),
                even_rows: set(&|_, r| r % 2 == 0),
                not_left: set(&|c, _| c > 0),
                not_right: set(&|c, _| c + 1 < cols),
                not_bottom: set(&|_, r| r > 0),
                not_top: set(&|_, r| r + 1 < rows),
                step: if rows == 1 { 1 } else { cols },
                beside,
                eight,
                degrees: beside.map(degree),
                images: (0..if cols == rows { 8 } else { 4 }).map(image).collect(),
            }
        })
    }

    /// The bit of cell (c, r).
    #[inline]
    pub fn cell(&self, c: u32, r: u32) -> u32 {
        r * self.cols + c
    }

    /// The name of a cell: `a1`.
    pub fn name(&self, cell: u32) -> String {
        cell_name((cell % self.cols) as usize, (cell / self.cols) as usize)
    }

    /// The cell of a name, if it is on the board.
    pub fn find(&self, name: &str) -> Option<u32> {
        let digits = name.find(|c: char| c.is_ascii_digit())?;
        let (letters, row) = name.split_at(digits);
        // As `column_name` writes it: a to z, then aa, ab …
        let value = |letter: u8| letter.is_ascii_lowercase().then(|| u32::from(letter - b'a'));
        let column = match *letters.as_bytes() {
            [only] => value(only)?,
            [first, last] => (value(first)? + 1) * 26 + value(last)?,
            _ => return None,
        };
        let row = text::number(row, self.rows).filter(|&r| r > 0 && !row.starts_with('0'))?;
        (column < self.cols).then(|| self.cell(column, row - 1))
    }

    /// The cells left, right, below and above of `cell`, [`OFF`] where the board ends.
    #[inline]
    pub fn beside(&self, cell: u8) -> [u8; 4] {
        self.beside[usize::from(cell)]
    }

    /// The cells around `cell`, row by row from the one down and to the left, [`OFF`] where the
    /// board ends.
    #[inline]
    pub fn eight(&self, cell: u8) -> [u8; 8] {
        self.eight[usize::from(cell)]
    }

    /// How many neighbours each cell has; 0 for numbers that are no cell.
    #[inline]
    pub fn degrees(&self) -> &[u8; 256] {
        &self.degrees
    }

    /// The set moved one cell to the left; what leaves the board is gone.
    #[inline]
    pub fn left(&self, set: W) -> W {
        (set & self.not_left) >> 1
    }

    /// The set moved one cell to the right.
    #[inline]
    pub fn right(&self, set: W) -> W {
        (set & self.not_right) << 1
    }

    /// The set moved one cell down.
    #[inline]
    pub fn down(&self, set: W) -> W {
        (set & self.not_bottom) >> self.step
    }

    /// The set moved one cell up.
    #[inline]
    pub fn up(&self, set: W) -> W {
        (set & self.not_top) << self.step
    }

    /// The set moved one cell up and to the left.
    #[inline]
    pub fn up_left(&self, set: W) -> W {
        (set & self.not_left & self.not_top) << (self.step - 1)
    }

    /// The set moved one cell up and to the right.
    #[inline]
    pub fn up_right(&self, set: W) -> W {
        (set & self.not_right & self.not_top) << (self.step + 1)
    }

    /// The set moved one cell down and to the left.
    #[inline]
    pub fn down_left(&self, set: W) -> W {
        (set & self.not_left & self.not_bottom) >> (self.step + 1)
    }

    /// The set moved one cell down and to the right.
    #[inline]
    pub fn down_right(&self, set: W) -> W {
        (set & self.not_right & self.not_bottom) >> (self.step - 1)
    }

    /// The cells of the top row.
    #[inline]
    pub fn top(&self) -> W {
        self.board & !self.not_top
    }

    /// The cells of the bottom row.
    #[inline]
    pub fn bottom(&self) -> W {
        self.board & !self.not_bottom
    }

    /// The four-neighbours of a set, which may overlap it.
    #[inline]
    pub fn neighbours(&self, set: W) -> W {
        self.left(set) | self.right(set) | self.down(set) | self.up(set)
    }

    /// The eight neighbours of a set, which may overlap it.
    #[inline]
    pub fn around(&self, set: W) -> W {
        let beside = self.left(set) | self.right(set);
        let row = set | beside;
        beside | self.down(row) | self.up(row)
    }

    /// All cells that a chain of four-neighbours inside `within` joins to `seed`, which lies in
    /// `within`.
    #[inline]
    pub fn flood(&self, seed: W, within: W) -> W {
        Adjacent::flood(self, seed, within)
    }

    /// Whether a set that is not empty is connected along sides and corners.
    #[inline]
    pub fn is_connected(&self, set: W) -> bool {
        let rest = set.without_lowest();
        if rest.is_empty() {
            return true;
        }
        // Most sets that are not connected have a cell that touches no other.
        if !(set & !self.around(set)).is_empty() {
            return false;
        }
        let mut group = set ^ rest;
        loop {
            let next = group | (self.around(group) & set);
            if next == group {
                return group == set;
            }
            group = next;
        }
    }

    /// How many symmetries a rectangle of these sides has: 4, or 8 for a square.
    #[inline]
    pub fn symmetries(&self) -> usize {
        self.images.len()
    }

    /// The cell that symmetry `s` makes of `cell`.
    #[inline]
    pub fn image_of(&self, s: usize, cell: u32) -> u32 {
        u32::from(self.images[s][cell as usize])
    }

    /// The set that symmetry `s` makes of `set`. Symmetry 1 mirrors left and right, 2 top and
    /// bottom, 4 transposes.
    #[inline]
    pub fn image(&self, s: usize, set: W) -> W {
        let mut image = set;
        if (s & 1 != 0) != (s & 2 != 0) {
            image = self.upside_down(image);
        }
        if s & 1 != 0 {
            // Both mirrors together turn the board round.
            image = image.reversed() >> (W::BITS - self.cols * self.rows);
        }
        if s & 4 != 0 {
            let images = &self.images[4];
            image = image.cells().fold(W::EMPTY, |set, i| set | W::bit(u32::from(images[i as usize])));
        }
        image
    }

    /// The rows in the opposite order.
    #[inline]
    fn upside_down(&self, set: W) -> W {
        if self.rows == 1 {
            return set;
        }
        let (mut rest, mut image) = (set, W::EMPTY);
        for _ in 0..self.rows {
            image = image << self.cols | (rest & self.bottom());
            rest = rest >> self.cols;
        }
        image
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn symmetries_keep_neighbours() {
        for (cols, rows) in [(1, 1), (1, 5), (3, 2), (4, 4), (10, 9)] {
            let grid = Grid::<u128>::new(cols, rows);
            let mut seen = HashSet::new();
            for s in 0..grid.symmetries() {
                assert_eq!(grid.image(s, grid.board), grid.board);
                for set in [0x1234_5678_9abc_def0_0fed_cba9_8765_4321, 1, 0x8000_0001] {
                    let cells = (set & grid.board).cells();
                    let image = cells.fold(0, |image, cell| image | u128::bit(grid.image_of(s, cell)));
                    assert_eq!(grid.image(s, set & grid.board), image, "{cols}x{rows}, symmetry {s}");
                }
                for i in grid.board.cells() {
                    let near = grid.neighbours(u128::bit(i));
                    assert_eq!(grid.image(s, near), grid.neighbours(grid.image(s, u128::bit(i))));
                }
                seen.insert((0..cols * rows).map(|i| grid.image(s, u128::bit(i))).collect::<Vec<_>>());
            }
            if cols > 1 && rows > 1 {
                assert_eq!(seen.len(), if cols == rows { 8 } else { 4 });
            }
        }
        assert_eq!(Grid::<u64>::new(8, 8).board, u64::MAX);
    }

    #[test]
    fn neighbours_as_a_set_and_as_a_list() {
        for (cols, rows) in [(1, 1), (1, 128), (128, 1), (3, 2), (16, 8)] {
            let grid = Grid::<u128>::new(cols, rows);
            for cell in grid.board.cells() {
                let listed = grid.beside(cell as u8).into_iter().filter(|&n| n != OFF);
                let set = listed.fold(0, |set, n| set | u128::bit(u32::from(n)));
                assert_eq!(set, grid.neighbours(u128::bit(cell)));
            }
            assert_eq!(grid.flood(1, grid.board), grid.board);
        }
        // Diagonal steps are two straight ones.
        for (cols, rows) in [(1, 1), (1, 128), (128, 1), (64, 2), (3, 2), (16, 8)] {
            let grid = Grid::<u128>::new(cols, rows);
            for cell in grid.board.cells() {
                let set = u128::bit(cell);
                let (left, right) = (grid.left(set), grid.right(set));
                assert_eq!(grid.up_left(set), grid.up(left));
                assert_eq!(grid.up_right(set), grid.up(right));
                assert_eq!(grid.down_left(set), grid.down(left));
                assert_eq!(grid.down_right(set), grid.down(right));
                let diagonal = grid.up(left) | grid.up(right) | grid.down(left) | grid.down(right);
                assert_eq!(grid.around(set), grid.neighbours(set) | diagonal);
                let steps = [
                    grid.down_left(set),
                    grid.down(set),
                    grid.down_right(set),
                    left,
                    right,
                    grid.up_left(set),
                    grid.up(set),
                    grid.up_right(set),
                ];
                let listed = grid.eight(cell as u8);
                assert_eq!(listed.map(|n| if n == OFF { 0 } else { u128::bit(u32::from(n)) }), steps);
                assert_eq!(grid.find(&grid.name(cell)), Some(cell));
                assert_eq!(grid.top().has(cell), grid.up(set) == 0);
                assert_eq!(grid.bottom().has(cell), grid.down(set) == 0);
            }
            for bad in ["", "a", "1", "a0", "a01", "a129", "zz1", "1a", "a1 ", "A1", "é1"] {
                assert_eq!(grid.find(bad), None, "{bad}");
            }
        }
        // Two chains that touch only at a corner.
        let grid = Grid::<u64>::new(3, 3);
        assert_eq!(grid.flood(0b000_000_001, 0b100_100_011), 0b000_000_011);
    }

    /// Eight-neighbours and connection against lists of cells.
    #[test]
    fn connected_along_sides_and_corners() {
        let mut rng = proofplay_core::Rng::new(1);
        for (cols, rows) in [(1, 1), (1, 6), (5, 1), (3, 3), (4, 5), (8, 8), (11, 11), (16, 8)] {
            let grid = Grid::<u128>::new(cols, rows);
            let touch = |a: u32, b: u32| {
                a != b && (a % cols).abs_diff(b % cols) <= 1 && (a / cols).abs_diff(b / cols) <= 1
            };
            for _ in 0..300 {
                let size = 1 + rng.below(cols * rows);
                let set = (0..size).fold(0, |set, _| set | u128::bit(rng.below(cols * rows)));
                let around = grid.board.cells().filter(|&a| set.cells().any(|b| touch(a, b)));
                assert!(grid.around(set).cells().eq(around));
                let mut group = vec![set.lowest()];
                let mut done = 0;
                while let Some(&cell) = group.get(done) {
                    let more: Vec<u32> =
                        set.cells().filter(|&b| touch(cell, b) && !group.contains(&b)).collect();
                    group.extend(more);
                    done += 1;
                }
                assert_eq!(grid.is_connected(set), group.len() as u32 == set.count());
            }
        }
    }
}
