//! The cells of a set in random order, at once or one by one: what a playout of a placing game
//! needs.

use super::Word;
use proofplay_core::Rng;

/// The most cells that [`shuffled`] takes.
const MOST: usize = 128;

/// The cells of a set of at most 128 cells in uniformly random order, on the stack.
#[derive(Debug)]
pub struct Shuffled {
    cells: [u8; MOST],
    len: usize,
}

impl Shuffled {
    /// The cells, in their random order.
    #[inline]
    pub fn cells(&self) -> &[u8] {
        &self.cells[..self.len]
    }
}

/// Puts the cells of `set`, all below 128, into a uniformly random order: the n-th cell is swapped
/// with a random one of the first n cells, including itself.
#[inline]
pub fn shuffled<W: Word>(set: W, rng: &mut Rng) -> Shuffled {
    // A copy of the generator stays in registers.
    let (mut cells, mut len, mut own) = ([0; MOST], 0, rng.clone());
    for cell in set.cells() {
        let other = own.below(len as u32 + 1) as usize % MOST;
        cells[len % MOST] = cells[other];
        cells[other] = cell as u8;
        len += 1;
    }
    *rng = own;
    Shuffled { cells, len: len.min(MOST) }
}

/// Cells that are drawn one by one, each with the same chance, and not put back: for playouts that
/// may end long before the last cell. Three times as fast as choosing among the bits of a set.
#[derive(Debug)]
pub struct Urn {
    /// The cells, in no order; the first `len` count.
    cells: [u8; 256],
    len: usize,
}

impl Urn {
    /// All cells of a set.
    #[inline]
    pub fn new<W: Word>(set: W) -> Urn {
        let (mut cells, mut len) = ([0; 256], 0);
        for cell in set.cells() {
            cells[len % 256] = cell as u8;
            len += 1;
        }
        Urn { cells, len }
    }

    /// Takes out a random cell, while there is one.
    #[inline]
    pub fn draw(&mut self, rng: &mut Rng) -> Option<u8> {
        if self.len == 0 {
            return None;
        }
        let place = rng.below(self.len as u32) as usize % 256;
        self.len -= 1;
        let cell = self.cells[place];
        self.cells[place] = self.cells[self.len % 256];
        Some(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::U256;

    fn drawn<W: Word>(set: W, rng: &mut Rng) -> Vec<u8> {
        let mut urn = Urn::new(set);
        std::iter::from_fn(|| urn.draw(rng)).collect()
    }

    /// All 24 orders of four cells are equally frequent.
    fn check_orders(order: impl Fn(u64, &mut Rng) -> Vec<u8>) {
        let (mut rng, mut count) = (Rng::new(1), std::collections::HashMap::new());
        for _ in 0..24_000 {
            *count.entry(order(0x8000_0000_0000_0015, &mut rng)).or_insert(0) += 1;
        }
        assert_eq!(count.len(), 24);
        let chi2: f64 = count.values().map(|&c| (f64::from(c) - 1e3).powi(2) / 1e3).sum();
        assert!(chi2 < 49.73, "chi-square {chi2} with 23 degrees of freedom is beyond the 0.1 % point");
    }

    #[test]
    fn orders_are_uniform() {
        check_orders(|set, rng| shuffled(set, rng).cells().to_vec());
        check_orders(drawn);
    }

    #[test]
    fn every_cell_comes_once() {
        for set in [0, 1, 1 << 127, u128::MAX, 0x5555_5555_5555_5555_5555] {
            let mut cells = shuffled(set, &mut Rng::new(2)).cells().to_vec();
            cells.sort_unstable();
            assert!(set.cells().eq(cells.into_iter().map(u32::from)));
            let mut cells = drawn(set, &mut Rng::new(3));
            cells.sort_unstable();
            assert!(set.cells().eq(cells.into_iter().map(u32::from)));
        }
        let mut cells = drawn(!U256::EMPTY, &mut Rng::new(4));
        cells.sort_unstable();
        assert!(cells.into_iter().eq(0..=255));
    }
}
