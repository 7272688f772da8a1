//! The tables of a board: rays in eight directions, and what else follows from the size alone.

use crate::board::text::MAX_CELLS;
use crate::board::{Grid, Interned, Word, intern};

/// The eight directions as steps of column and row; the opposite of direction `d` is `d ^ 1`.
const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)];

/// The tables of a square board.
#[derive(Debug)]
pub(super) struct Lines<W: Word> {
    pub grid: Interned<Grid<W>>,
    /// By cell and direction: the cells beyond.
    rays: [[W; 8]; MAX_CELLS as usize],
    /// By cell and direction: how many cells are beyond.
    room: [[u8; 8]; MAX_CELLS as usize],
    /// From a cell to the next, by direction.
    steps: [i32; 8],
    /// By cell: the numbers of its row, column and diagonals.
    lines: [[u8; 4]; MAX_CELLS as usize],
    /// By cell: 0 in a corner, then 1 on the rim, 2, 3 … for each ring further in.
    pub rings: [u8; MAX_CELLS as usize],
    /// By cell: the lower left cells of the 2x2 squares whose cells are all at most two away,
    /// king's steps.
    pub squares_near: [W; MAX_CELLS as usize],
}

impl<W: Word> Lines<W> {
    /// The shared tables of a board with this many columns and rows.
    pub fn new(size: u32) -> Interned<Lines<W>> {
        // Outside: tables are made one at a time.
        let grid = Grid::new(size, size);
        intern(&[size], || {
            let mut lines = Lines {
                grid,
                rays: [[W::EMPTY; 8]; MAX_CELLS as usize],
                room: [[0; 8]; MAX_CELLS as usize],
                steps: DIRECTIONS.map(|(dc, dr)| dr * size as i32 + dc),
                lines: [[0; 4]; MAX_CELLS as usize],
                rings: [0; MAX_CELLS as usize],
                squares_near: [W::EMPTY; MAX_CELLS as usize],
            };
            let inside = |i: &i32| (0..size as i32).contains(i);
            for cell in grid.board.cells() {
                let (c, r) = ((cell % size) as i32, (cell / size) as i32);
                for (d, (dc, dr)) in DIRECTIONS.into_iter().enumerate() {
                    let beyond = (1..size as i32).map(|i| (c + i * dc, r + i * dr));
                    for (c, r) in beyond.take_while(|(c, r)| inside(c) && inside(r)) {
                        let ray = &mut lines.rays[cell as usize][d];
                        *ray = *ray | W::bit(grid.cell(c as u32, r as u32));
                        lines.room[cell as usize][d] += 1;
                    }
                }
                let last = size as i32 - 1;
                lines.lines[cell as usize] =
                    [r, size as i32 + c, 2 * size as i32 + c - r + last, 4 * size as i32 + c + r]
                        .map(|line| line as u8);
                let depth = c.min(r).min(last - c).min(last - r);
                let corner = (c == 0 || c == last) && (r == 0 || r == last);
                lines.rings[cell as usize] = if corner { 0 } else { 1 + depth as u8 };
                let near = grid.board.cells().filter(|other| {
                    let (dc, dr) = ((other % size) as i32 - c, (other / size) as i32 - r);
                    (-2..2).contains(&dc) && (-2..2).contains(&dr)
                });
                lines.squares_near[cell as usize] = near.fold(W::EMPTY, |set, other| set | W::bit(other));
            }
            lines
        })
    }

    /// The numbers of the four lines through a cell; direction `d` is along line `d / 2`.
    #[inline]
    pub fn lines_of(&self, cell: u8) -> [u8; 4] {
        self.lines[usize::from(cell) % MAX_CELLS as usize]
    }

    /// Where a piece of `own` on `from` lands in direction `d`, if it may: as many cells away as
    /// there are pieces on the line, on the board, over no piece of `enemy`, not on a piece of
    /// `own`.
    #[inline]
    pub fn target(&self, own: W, enemy: W, from: u32, d: usize) -> Option<u32> {
        let rays = &self.rays[from as usize % MAX_CELLS as usize];
        let distance = 1 + ((own | enemy) & (rays[d] | rays[d ^ 1])).count();
        self.target_at(own, enemy, from, d, distance)
    }

    /// [`Lines::target`] when it is known how many pieces are on the line.
    #[inline]
    pub fn target_at(&self, own: W, enemy: W, from: u32, d: usize, distance: u32) -> Option<u32> {
        let cell = from as usize % MAX_CELLS as usize;
        // Where there is no room the piece stays, on a cell that is its own: one branch for all.
        let distance = if distance <= u32::from(self.room[cell][d]) { distance } else { 0 };
        let to = from.wrapping_add_signed(self.steps[d] * distance as i32) % MAX_CELLS;
        let between = self.rays[cell][d] & self.rays[to as usize][d ^ 1];
        ((between & enemy) | (W::bit(to) & own)).is_empty().then_some(to)
    }

    /// How many of `pieces` are on each line, by the numbers of [`Lines::lines_of`]. Large enough
    /// that no index needs a check.
    #[inline]
    pub fn counts(&self, pieces: W) -> [u8; 256] {
        let mut counts = [0; 256];
        for cell in pieces.cells() {
            for line in self.lines_of(cell as u8) {
                counts[usize::from(line)] += 1;
            }
        }
        counts
    }

    /// All moves of `own`: every piece in every direction. `counts` are those of the pieces of both.
    #[inline]
    pub fn all_targets(&self, own: W, enemy: W, counts: [u8; 256]) -> impl Iterator<Item = (u32, u32)> {
        own.cells().flat_map(move |from| {
            let on_lines = self.lines_of(from as u8).map(|line| u32::from(counts[usize::from(line)]));
            (0..8).filter_map(move |d| Some((from, self.target_at(own, enemy, from, d, on_lines[d / 2])?)))
        })
    }
}
