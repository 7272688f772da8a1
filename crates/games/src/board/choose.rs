//! Numbers of subsets: the combinatorial number system.
//!
//! The subset {c1 < c2 < … < ck} of 0, 1, 2 … has the number C(c1, 1) + C(c2, 2) + … + C(ck, k), below C(n, k) if all are below n.

use super::Word;

/// Subsets of sets of at most 64, with at most [`Choose::MOST`] elements.
#[derive(Debug)]
pub struct Choose {
    /// C(n, k), by k and n.
    counts: [[u64; 65]; Choose::MOST + 1],
}

/// All counts.
pub static CHOOSE: Choose = Choose::new();

impl Choose {
    /// The most elements of a subset.
    pub const MOST: usize = 8;

    const fn new() -> Choose {
        let mut counts = [[0; 65]; Choose::MOST + 1];
        let mut n = 0;
        while n <= 64 {
            counts[0][n] = 1;
            let mut k = 1;
            while k <= Choose::MOST && n > 0 {
                counts[k][n] = counts[k][n - 1] + counts[k - 1][n - 1];
                k += 1;
            }
            n += 1;
        }
        Choose { counts }
    }

    /// How many subsets with `k` elements a set of `n` has.
    #[inline]
    pub fn count(&self, n: u32, k: u32) -> u64 {
        self.counts[k as usize][n as usize]
    }

    /// The number of a subset of `all` among those with as many elements.
    #[inline]
    pub fn number(&self, subset: u64, all: u64) -> u64 {
        debug_assert_eq!(subset & !all, 0, "not a subset");
        let below = |cell: u32| (all & ((1 << cell) - 1)).count_ones();
        subset.cells().zip(1..).map(|(cell, k)| self.count(below(cell), k)).sum()
    }

    /// The subset of `all` with this number among those with `k` elements.
    #[inline]
    pub fn subset(&self, mut number: u64, k: u32, all: u64) -> u64 {
        let (mut n, mut subset) = (all.count_ones(), 0);
        for k in (1..=k).rev() {
            n -= 1;
            while self.count(n, k) > number {
                n -= 1;
            }
            number -= self.count(n, k);
            subset |= 1 << all.nth(n);
        }
        subset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_numbered_without_gaps() {
        for all in [0b1u64, 0b1011_0110_1101, 0x8000_0000_0000_0911, (1 << 12) - 1] {
            for k in 0..=all.count_ones().min(4) {
                let count = CHOOSE.count(all.count_ones(), k);
                let mut last = None;
                for number in 0..count {
                    let subset = CHOOSE.subset(number, k, all);
                    assert_eq!((subset & !all, subset.count_ones()), (0, k));
                    assert_eq!(CHOOSE.number(subset, all), number);
                    assert!(last.is_none_or(|last| last < subset));
                    last = Some(subset);
                }
            }
        }
        assert_eq!(CHOOSE.count(37, 3), 7_770);
        assert_eq!(CHOOSE.count(64, 8), 4_426_165_368);
    }
}
