//! A random order of the cells of a set: what a playout of a placing game needs.

use super::Word;
use proofplay_core::Rng;

/// The most cells that [`shuffled`] takes.
const MOST: usize = 128;

/// The cells of a set of at most 128 cells in uniformly random order, on the stack.
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

/// Puts the cells of `set`, all below 128, into a uniformly random order: the n-th cell changes places with a random
/// one of the n cells so far, itself included.
#[inline]
pub fn shuffled<W: Word>(set: W, rng: &mut Rng) -> Shuffled {
    let (mut cells, mut len) = ([0; MOST], 0);
    for cell in set.cells() {
        let other = rng.below(len as u32 + 1) as usize % MOST;
        cells[len % MOST] = cells[other];
        cells[other] = cell as u8;
        len += 1;
    }
    Shuffled { cells, len: len.min(MOST) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All 24 orders of four cells are equally frequent.
    #[test]
    fn orders_are_uniform() {
        let (mut rng, mut count) = (Rng::new(1), std::collections::HashMap::new());
        for _ in 0..24_000 {
            let order = shuffled(0x8000_0000_0000_0015u64, &mut rng);
            *count.entry(order.cells().to_vec()).or_insert(0) += 1;
        }
        assert_eq!(count.len(), 24);
        let chi2: f64 = count.values().map(|&c| (f64::from(c) - 1e3).powi(2) / 1e3).sum();
        assert!(chi2 < 49.73, "chi-square {chi2} with 23 degrees of freedom is beyond the 0.1 % point");
    }

    #[test]
    fn every_cell_comes_once() {
        for set in [0, 1, 1 << 127, u128::MAX, 0x5555_5555_5555_5555_5555] {
            let mut cells = shuffled(set, &mut Rng::new(2)).cells().to_vec();
            cells.sort_unstable();
            assert!(set.cells().eq(cells.into_iter().map(u32::from)));
        }
    }
}
