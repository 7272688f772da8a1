//! A rectangle of up to 128 cells in one word: cell (c, r) is bit `r * cols + c`, row 0 at the bottom.

use super::{Interned, Word, intern};

/// Sizes, masks and symmetries of a rectangle.
#[derive(Debug)]
pub struct Grid<W> {
    /// Columns.
    pub cols: u32,
    /// Rows.
    pub rows: u32,
    /// All cells.
    pub board: W,
    not_left: W,
    not_right: W,
    not_bottom: W,
    not_top: W,
    /// From a row to the next; any legal shift on a board of one row, where the masks above leave nothing to shift.
    step: u32,
    /// `images[s][i]`: where symmetry `s` takes cell `i`. Symmetries 4 to 7 transpose and need a square.
    images: Vec<Vec<u8>>,
}

impl<W: Word> Grid<W> {
    /// The shared tables of a rectangle.
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
                cells().map(move |cell| place(cell) as u8).collect()
            };
            Grid {
                cols,
                rows,
                board: set(&|_, _| true),
                not_left: set(&|c, _| c > 0),
                not_right: set(&|c, _| c + 1 < cols),
                not_bottom: set(&|_, r| r > 0),
                not_top: set(&|_, r| r + 1 < rows),
                step: if rows == 1 { 1 } else { cols },
                images: (0..if cols == rows { 8 } else { 4 }).map(image).collect(),
            }
        })
    }

    /// The bit of cell (c, r).
    #[inline]
    pub fn cell(&self, c: u32, r: u32) -> u32 {
        r * self.cols + c
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

    /// The four-neighbours of a set, which may overlap it.
    #[inline]
    pub fn neighbours(&self, set: W) -> W {
        self.left(set) | self.right(set) | self.down(set) | self.up(set)
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

    /// The set that symmetry `s` makes of `set`. Symmetry 1 mirrors left and right, 2 top and bottom, 4 transposes.
    #[inline]
    pub fn image(&self, s: usize, set: W) -> W {
        let images = &self.images[s];
        set.cells().fold(W::EMPTY, |image, i| image | W::bit(u32::from(images[i as usize])))
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
}
