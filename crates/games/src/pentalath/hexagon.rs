//! The hexagonal board: cells, neighbours, lines and symmetries.
//!
//! Row r from the top and place q in a slanted frame: the cells are those with q, r from 0 to 2N -
//! 2 and q + r from N - 1 to 3N - 3. Neighbours are (q±1, r), (q, r±1), (q+1, r-1) and (q-1, r+1).
//! Cell (q, r) is bit `2N r + q - (N - 1)`: a row of the frame has one guard bit, so that a shifted
//! set never wraps, and the first cell is bit 0. Side 6 needs 121 bits.

use crate::board::{Adjacent, Interned, OFF, Word, intern, rows_of};
use proofplay_core::{Key, zobrist};
use std::fmt;

/// The longest side that fits into 128 bits: 91 cells.
pub const LARGEST: u32 = 6;

/// Bits that a board of side [`LARGEST`] has.
pub(super) const BITS: usize = 128;

/// Lines in one direction, at most.
pub(super) const LINES: usize = 2 * LARGEST as usize - 1;

/// Keys of First's and Second's stones, bit by bit.
pub(super) static STONES: [[Key; BITS]; 2] = [zobrist(37), zobrist(38)];

/// Tables of a hexagon with `size` cells a side where `k` in a row win.
pub struct Hexagon<W> {
    /// Cells a side.
    pub size: u32,
    /// How many in a row win.
    pub k: u32,
    /// All cells.
    pub board: W,
    /// Row from the top and number from the left in that row, both from 0, of the cells in
    /// ascending order of their bits.
    pub places: Vec<(u8, u8)>,
    /// All rows of `k` cells.
    pub windows: Vec<W>,
    /// The neighbours of each bit, [`OFF`] where the board ends; 256 entries, so that any byte is
    /// an index.
    pub beside: [[u8; 6]; 256],
    /// How many neighbours each bit has; 0 for bits that are no cell.
    pub degrees: [u8; 256],
    /// For each bit and direction: the number of the line and the place on it, below `LINES` both.
    pub lines: [[(u8, u8); 3]; BITS],
    /// `images[s][i]`: where symmetry `s` takes bit `i`.
    images: Vec<[u8; BITS]>,
}

impl<W> fmt::Debug for Hexagon<W> {
    /// Only the parameters: the tables would bury them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hexagon({}, k = {})", self.size, self.k)
    }
}

/// Which of the three distances along the directions becomes which: all six orders; each comes once
/// more with the signs changed.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [2, 1, 0]];

impl<W: Word> Hexagon<W> {
    /// The shared tables of a hexagon.
    ///
    /// # Panics
    /// If the side is not 2 to [`LARGEST`], `k` is 0, or the cells do not fit into the word.
    pub fn new(size: u32, k: u32) -> Interned<Hexagon<W>> {
        assert!((2..=LARGEST).contains(&size) && k > 0, "a hexagon of side {size} does not fit");
        assert!(2 * size * (2 * size - 2) < W::BITS, "a hexagon of side {size} does not fit");
        intern(&[size, k], || {
            let (n, last) = (size as i32, 2 * size as i32 - 2);
            let frame = (0..=last).flat_map(|r| (0..=last).map(move |q| (q, r)));
            let on_board = move |&(q, r): &(i32, i32)| {
                (0..=last).contains(&q) && (0..=last).contains(&r) && (n - 1..=3 * n - 3).contains(&(q + r))
            };
            let bit = |(q, r): (i32, i32)| (2 * n * r + q - (n - 1)) as u8;
            let number = |cell| if on_board(&cell) { bit(cell) } else { OFF };
            let cells: Vec<(i32, i32)> = frame.filter(on_board).collect();
            let mut beside = [[OFF; 6]; 256];
            let mut lines = [[(0, 0); 3]; BITS];
            for &(q, r) in &cells {
                let near = [(q - 1, r), (q + 1, r), (q, r - 1), (q, r + 1), (q + 1, r - 1), (q - 1, r + 1)];
                beside[usize::from(bit((q, r)))] = near.map(number);
                let slanted = q + r - (n - 1);
                let places = [(r, q), (q, r), (slanted, r)];
                lines[usize::from(bit((q, r)))] = places.map(|(line, place)| (line as u8, place as u8));
            }
            let image = |order: [usize; 3], sign: i32| {
                let mut images = [0; BITS];
                for &(q, r) in &cells {
                    // Seen from the middle, the three coordinates of a cell add up to 0.
                    let (x, z) = (q - (n - 1), r - (n - 1));
                    let from = [x, -x - z, z];
                    let to = order.map(|i| sign * from[i]);
                    images[usize::from(bit((q, r)))] = bit((to[0] + n - 1, to[2] + n - 1));
                }
                images
            };
            let board = cells.iter().fold(W::EMPTY, |set, &cell| set | W::bit(u32::from(bit(cell))));
            let place = |&(q, r): &(i32, i32)| (r as u8, (q - (n - 1 - r).max(0)) as u8);
            let mut hexagon = Hexagon {
                size,
                k,
                board,
                places: cells.iter().map(place).collect(),
                windows: Vec::new(),
                beside,
                degrees: beside.map(|near| near.into_iter().filter(|&cell| cell != OFF).count() as u8),
                lines,
                images: [1, -1].iter().flat_map(|&sign| ORDERS.map(|order| image(order, sign))).collect(),
            };
            for step in hexagon.steps() {
                let window = |start| (0..k).fold(W::EMPTY, |set, i| set | W::bit(start + i * step));
                hexagon.windows.extend(hexagon.rows(board, step).cells().map(window));
            }
            hexagon
        })
    }

    /// From a cell to its right, lower left and lower right neighbour.
    #[inline]
    fn steps(&self) -> [u32; 3] {
        [1, 2 * self.size - 1, 2 * self.size]
    }

    /// Where rows of `k` of these stones start in a direction.
    #[inline]
    fn rows(&self, stones: W, step: u32) -> W {
        if self.k < 2 * self.size { rows_of(stones, step, self.k) } else { W::EMPTY }
    }

    /// Whether `k` of these stones stand in a row.
    #[inline]
    pub fn has_row(&self, stones: W) -> bool {
        self.steps().iter().any(|&step| !self.rows(stones, step).is_empty())
    }

    /// The set shifted to each of the six sides.
    #[inline]
    fn shifted(&self, set: W) -> [W; 6] {
        let [right, lower_left, lower_right] = self.steps();
        [
            set << right,
            set >> right,
            set << lower_left,
            set >> lower_left,
            set << lower_right,
            set >> lower_right,
        ]
    }

    /// The set that symmetry `s` makes of `set`: 0 to 2 and 6 to 8 rotate, the others reflect.
    #[inline]
    pub fn image(&self, s: usize, set: W) -> W {
        let images = &self.images[s];
        set.cells().fold(W::EMPTY, |image, i| image | W::bit(u32::from(images[i as usize])))
    }

    /// How many symmetries there are.
    #[inline]
    pub fn symmetries(&self) -> usize {
        self.images.len()
    }

    /// The name of a cell: row letter from the top and number from the left.
    pub fn name(&self, bit: u32) -> String {
        let place = self.board.cells().position(|cell| cell == bit).expect("the bit is a cell");
        let (row, number) = self.places[place];
        format!("{}{}", (b'a' + row) as char, number + 1)
    }
}

impl<W: Word> Adjacent<W> for Hexagon<W> {
    #[inline]
    fn neighbours(&self, set: W) -> W {
        self.shifted(set).into_iter().fold(W::EMPTY, |near, side| near | side) & self.board
    }

    #[inline]
    fn twice(&self, set: W) -> W {
        let (_, twice) = self
            .shifted(set)
            .into_iter()
            .fold((W::EMPTY, W::EMPTY), |(once, twice), side| (once | side, twice | (once & side)));
        twice & self.board
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn boards() {
        for (size, cells) in [(2, 7), (3, 19), (4, 37), (5, 61), (6, 91)] {
            let hexagon = Hexagon::<u128>::new(size, 5);
            assert_eq!(hexagon.board.count(), cells);
            assert!(hexagon.board.has(0));
            let widths: Vec<usize> = (0..2 * size as u8 - 1)
                .map(|row| hexagon.places.iter().filter(|place| place.0 == row).count())
                .collect();
            let n = size as usize;
            assert_eq!(widths, (n..2 * n).chain((n..2 * n - 1).rev()).collect::<Vec<_>>());
        }
        let hexagon = Hexagon::<u64>::new(3, 5);
        let names: Vec<_> = hexagon.board.cells().map(|bit| hexagon.name(bit)).collect();
        assert_eq!(names.join(" "), "a1 a2 a3 b1 b2 b3 b4 c1 c2 c3 c4 c5 d1 d2 d3 d4 e1 e2 e3");
    }

    /// Sets and lists agree; the middle of side 2 has all six cells around it.
    #[test]
    fn neighbours() {
        for size in 2..=6 {
            let hexagon = Hexagon::<u128>::new(size, 5);
            for cell in hexagon.board.cells() {
                let set = hexagon.neighbours(u128::bit(cell));
                let listed = hexagon.beside[cell as usize].into_iter().filter(|&near| near != OFF);
                assert_eq!(set, listed.fold(0, |set, near| set | u128::bit(u32::from(near))));
                assert_eq!(set.count(), u32::from(hexagon.degrees[cell as usize]));
                let around = set.cells().map(|near| hexagon.neighbours(u128::bit(near)));
                let twice = around.fold((0, 0), |(once, twice), near| (once | near, twice | (once & near))).1;
                assert_eq!(hexagon.twice(set), twice);
            }
        }
        let hexagon = Hexagon::<u64>::new(2, 5);
        let around: Vec<_> = hexagon.neighbours(1 << 4).cells().map(|bit| hexagon.name(bit)).collect();
        assert_eq!((hexagon.name(4).as_str(), around.join(" ").as_str()), ("b2", "a1 a2 b1 b3 c1 c2"));
    }

    #[test]
    fn symmetries_keep_neighbours_and_rows() {
        for size in 2..=6 {
            let hexagon = Hexagon::<u128>::new(size, 3);
            let mut seen = HashSet::new();
            for s in 0..12 {
                assert_eq!(hexagon.image(s, hexagon.board), hexagon.board);
                for cell in hexagon.board.cells().map(u128::bit) {
                    let near = hexagon.image(s, hexagon.neighbours(cell));
                    assert_eq!(near, hexagon.neighbours(hexagon.image(s, cell)));
                }
                assert!(hexagon.windows.iter().all(|&w| hexagon.windows.contains(&hexagon.image(s, w))));
                seen.insert(hexagon.images[s]);
            }
            assert_eq!((seen.len(), hexagon.symmetries()), (12, 12));
            assert!(hexagon.board.cells().all(|cell| hexagon.images[0][cell as usize] == cell as u8));
        }
    }

    /// Side 5: the lines have 5 to 9 cells, so that 25 rows of five lie in each direction. No line
    /// of side 2 has four.
    #[test]
    fn rows() {
        assert_eq!(Hexagon::<u128>::new(5, 5).windows.len(), 75);
        assert_eq!(Hexagon::<u64>::new(2, 4).windows.len(), 0);
        assert_eq!(Hexagon::<u64>::new(2, 3).windows.len(), 3);
        for k in 1..=11 {
            let hexagon = Hexagon::<u128>::new(6, k);
            for &window in &hexagon.windows {
                assert!(window.count() == k && window & !hexagon.board == 0 && hexagon.has_row(window));
                assert!(k == 1 || !hexagon.has_row(window.without_lowest()));
            }
        }
    }
}
