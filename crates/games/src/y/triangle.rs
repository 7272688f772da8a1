//! The triangular board: cells, neighbours, sides and symmetries.

use super::reduction::ROW;
use crate::board::{Interned, Word, intern};

/// The longest side that the tables, the playout and the reduction hold: 120 cells.
pub const LARGEST: u32 = 15;

/// Tables of a triangle with `size` cells a side.
///
/// Cells are numbered along the rows, row 1 (the longest) first, each from column a: on size 3 a1
/// b1 c1 a2 b2 a3 are cells 0 to 5.
#[derive(Debug)]
pub struct Triangle<W> {
    /// Cells a side.
    pub size: u32,
    /// All cells.
    pub board: W,
    /// Column and row of a cell, from 0.
    pub places: Vec<(u8, u8)>,
    /// Where a cell is in the rows of the reduction. Any byte is an index, so that playouts need no check.
    pub spots: [u8; 256],
    near: Vec<W>,
    sides: [W; 3],
    /// `images[s][i]`: where symmetry `s` takes cell `i`.
    images: [Vec<u8>; 6],
}

/// Which of a cell's three distances (column, row, distance to the third side) becomes which: all
/// six orders.
const SYMMETRIES: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [2, 1, 0]];

impl<W: Word> Triangle<W> {
    /// The shared tables of a triangle.
    ///
    /// # Panics
    /// If the size is 0 or more than [`LARGEST`], or the cells do not fit into the word.
    pub fn new(size: u32) -> Interned<Triangle<W>> {
        let cells = size * (size + 1) / 2;
        assert!((1..=LARGEST).contains(&size) && cells <= W::BITS, "a triangle of side {size} does not fit");
        intern(&[size], || {
            let places: Vec<_> =
                (0..size).flat_map(|r| (0..size - r).map(move |c| (c as u8, r as u8))).collect();
            let number = |place| places.iter().position(|&p| p == place);
            let set = |keep: &dyn Fn([u32; 3]) -> bool| {
                let kept = places.iter().enumerate().filter(|(_, p)| keep(distances(size, **p)));
                kept.fold(W::EMPTY, |set, (i, _)| set | W::bit(i as u32))
            };
            let near = |&(c, r): &(u8, u8)| {
                let next = [
                    (c + 1, r),
                    (c.wrapping_sub(1), r),
                    (c, r + 1),
                    (c, r.wrapping_sub(1)),
                    (c + 1, r.wrapping_sub(1)),
                    (c.wrapping_sub(1), r + 1),
                ];
                next.into_iter().filter_map(number).fold(W::EMPTY, |set, i| set | W::bit(i as u32))
            };
            let image = |order: [usize; 3]| {
                let cell = |&place: &(u8, u8)| {
                    let from = distances(size, place);
                    number((from[order[0]] as u8, from[order[1]] as u8)).expect("a symmetry keeps the board")
                };
                places.iter().map(|place| cell(place) as u8).collect()
            };
            let mut spots = [0; 256];
            for (spot, &(c, r)) in spots.iter_mut().zip(&places) {
                *spot = r * ROW as u8 + c;
            }
            Triangle {
                size,
                spots,
                board: set(&|_| true),
                near: places.iter().map(near).collect(),
                sides: [0, 1, 2].map(|side| set(&|distances| distances[side] == 0)),
                images: SYMMETRIES.map(image),
                places,
            }
        })
    }

    /// How many cells there are.
    #[inline]
    pub fn cells(&self) -> usize {
        self.places.len()
    }

    /// Whether the chain of `stones` that holds the stone `from` touches all three sides.
    ///
    /// Most calls end early: such a chain has at least `size` stones, since the distances of any
    /// cell to the three sides add up to `size - 1`.
    #[inline]
    pub fn connects(&self, stones: W, from: u32) -> bool {
        if stones.count() < self.size || self.sides.iter().any(|&side| (stones & side).is_empty()) {
            return false;
        }
        let mut chain = W::bit(from);
        let mut open = chain;
        while !open.is_empty() {
            let fresh = self.near[open.lowest() as usize] & stones & !chain;
            chain = chain | fresh;
            open = open.without_lowest() | fresh;
        }
        self.sides.iter().all(|&side| !(chain & side).is_empty())
    }

    /// Whether any chain of `stones` touches all three sides.
    pub fn won(&self, stones: W) -> bool {
        (stones & self.sides[0]).cells().any(|cell| self.connects(stones, cell))
    }

    /// The set that symmetry `s` makes of `set`. Symmetries 1 and 2 rotate, 3 to 5 reflect.
    #[inline]
    pub fn image(&self, s: usize, set: W) -> W {
        set.cells().fold(W::EMPTY, |image, i| image | W::bit(u32::from(self.images[s][i as usize])))
    }
}

/// The distances of a cell to the three sides: c = 1, r = 1 and c + r = N + 1.
fn distances(size: u32, (c, r): (u8, u8)) -> [u32; 3] {
    [u32::from(c), u32::from(r), size - 1 - u32::from(c) - u32::from(r)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn symmetries_keep_neighbours_and_sides() {
        for size in [1, 2, 3, 7, 15] {
            let triangle = Triangle::<u128>::new(size);
            let mut seen = HashSet::new();
            for s in 0..6 {
                assert_eq!(triangle.image(s, triangle.board), triangle.board);
                for side in triangle.sides {
                    assert!(triangle.sides.contains(&triangle.image(s, side)));
                    assert_eq!(side.count(), size);
                }
                for cell in triangle.board.cells() {
                    let image = triangle.image(s, u128::bit(cell)).lowest();
                    let near = triangle.image(s, triangle.near[cell as usize]);
                    assert_eq!(near, triangle.near[image as usize]);
                }
                seen.insert(triangle.images[s].clone());
            }
            assert_eq!(seen.len(), if size == 1 { 1 } else { 6 });
        }
    }

    /// b2 of size 4 has all six neighbours: c2 a2 b3 b1 c1 a3.
    #[test]
    fn inner_cells_have_six_neighbours() {
        let triangle = Triangle::<u64>::new(4);
        let cell = |c, r| triangle.places.iter().position(|&p| p == (c, r)).unwrap() as u32;
        let want = [(2, 1), (0, 1), (1, 2), (1, 0), (2, 0), (0, 2)];
        let want = want.into_iter().fold(0, |set, (c, r)| set | 1 << cell(c, r));
        assert_eq!(triangle.near[cell(1, 1) as usize], want);
    }
}
