//! Sets of cells as machine words: 32, 64, 128, 256 or 384 bits behind one trait.

use proofplay_core::{Key, Rng, mix};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A fixed number of bits, used as a set of cells.
pub trait Word:
    Copy
    + Eq
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many bits there are.
    const BITS: u32;
    /// The empty set.
    const EMPTY: Self;

    /// The set of cell `i` alone.
    fn bit(i: u32) -> Self;
    /// How many cells are in the set.
    fn count(self) -> u32;
    /// The lowest cell of a set that is not empty.
    fn lowest(self) -> u32;
    /// The set without its lowest cell, if it has one; only sets of 32 and 64 bits may be empty.
    fn without_lowest(self) -> Self;
    /// Cell number `n` of the set, counted from 0 upwards; `n < count()`.
    fn nth(self, n: u32) -> u32;

    /// Bit `i` becomes bit `BITS - 1 - i`.
    fn reversed(self) -> Self;
    /// A key for the set that depends on `seed`; as good as different for different sets.
    fn key(self, seed: Key) -> Key;
    /// A key for two sets.
    #[inline]
    fn key_of_two(self, other: Self) -> Key {
        other.key(self.key(0))
    }

    /// Whether the set is empty.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
    /// Whether cell `i` is in the set.
    #[inline]
    fn has(self, i: u32) -> bool {
        !(self & Self::bit(i)).is_empty()
    }
    /// The cells, lowest first.
    #[inline]
    fn cells(self) -> Cells<Self> {
        Cells(self)
    }
    /// A uniformly random cell of a set that is not empty.
    #[inline]
    fn random_cell(self, rng: &mut Rng) -> u32 {
        self.nth(rng.below(self.count()))
    }
}

/// The cells of a set, lowest first.
#[derive(Debug)]
pub struct Cells<W>(W);

impl<W: Word> Iterator for Cells<W> {
    type Item = u32;
    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        let cell = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(cell)
    }
}

/// The position of set bit number `n`, without branches: sums of ones byte by byte find the byte,
/// then the bits.
#[inline]
fn nth_of_u64(x: u64, n: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // sums[i] = number of ones in bytes 0..=i
    let a = x - ((x >> 1) & 0x5555_5555_5555_5555);
    let a = (a & 0x3333_3333_3333_3333) + ((a >> 2) & 0x3333_3333_3333_3333);
    let sums = ((a + (a >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    // The first byte whose sum is above n has the bit we look for.
    let above = ((sums | HIGH) - u64::from(n + 1) * ONES) & HIGH;
    let byte = above.trailing_zeros() & 0x38;
    let rest = n - ((sums << 8) >> byte & 0xff) as u32;
    byte + u32::from(NTH_IN_BYTE[rest as usize & 7][(x >> byte & 0xff) as usize])
}

/// `NTH_IN_BYTE[n][b]`: the position of set bit number `n` of the byte `b`.
static NTH_IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[n][byte] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

macro_rules! small_words {
    ($($word:ident),*) => {$(
        impl Word for $word {
            const BITS: u32 = $word::BITS;
            const EMPTY: $word = 0;
            #[inline]
            fn bit(i: u32) -> $word {
                1 << i
            }
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn without_lowest(self) -> $word {
                self & self.wrapping_sub(1)
            }
            #[inline]
            fn nth(self, n: u32) -> u32 {
                nth_of_u64(u64::from(self), n)
            }
            #[inline]
            fn reversed(self) -> $word {
                self.reverse_bits()
            }
            #[inline]
            fn key(self, seed: Key) -> Key {
                mix(seed ^ Key::from(self))
            }
            #[inline]
            fn key_of_two(self, other: $word) -> Key {
                mix(Key::from(other) << 64 | Key::from(self))
            }
        }
    )*};
}
small_words!(u32, u64);

impl Word for u128 {
    const BITS: u32 = 128;
    const EMPTY: u128 = 0;
    #[inline]
    fn bit(i: u32) -> u128 {
        1 << i
    }
    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }
    #[inline]
    fn lowest(self) -> u32 {
        self.trailing_zeros()
    }
    #[inline]
    fn without_lowest(self) -> u128 {
        self & (self - 1)
    }
    #[inline]
    fn nth(self, n: u32) -> u32 {
        let (low, high) = (self as u64, (self >> 64) as u64);
        let in_low = low.count_ones();
        let (word, n, base) = if n < in_low { (low, n, 0) } else { (high, n - in_low, 64) };
        base + nth_of_u64(word, n)
    }
    #[inline]
    fn reversed(self) -> u128 {
        self.reverse_bits()
    }
    #[inline]
    fn key(self, seed: Key) -> Key {
        mix(seed ^ self)
    }
}

/// 256 bits, for boards of up to 128 cells with a guard row.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct U256 {
    low: u128,
    high: u128,
}

macro_rules! bitwise {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for U256 {
            type Output = U256;
            #[inline]
            fn $method(self, other: U256) -> U256 {
                U256 { low: self.low.$method(other.low), high: self.high.$method(other.high) }
            }
        }
    )*};
}
bitwise!(BitAnd bitand, BitOr bitor, BitXor bitxor);

impl Not for U256 {
    type Output = U256;
    #[inline]
    fn not(self) -> U256 {
        U256 { low: !self.low, high: !self.high }
    }
}

impl Shl<u32> for U256 {
    type Output = U256;
    #[inline]
    fn shl(self, n: u32) -> U256 {
        match n {
            0 => self,
            1..128 => U256 { low: self.low << n, high: self.high << n | self.low >> (128 - n) },
            _ => U256 { low: 0, high: self.low << (n - 128) },
        }
    }
}

impl Shr<u32> for U256 {
    type Output = U256;
    #[inline]
    fn shr(self, n: u32) -> U256 {
        match n {
            0 => self,
            1..128 => U256 { low: self.low >> n | self.high << (128 - n), high: self.high >> n },
            _ => U256 { low: self.high >> (n - 128), high: 0 },
        }
    }
}

impl Word for U256 {
    const BITS: u32 = 256;
    const EMPTY: U256 = U256 { low: 0, high: 0 };
    #[inline]
    fn bit(i: u32) -> U256 {
        if i < 128 { U256 { low: 1 << i, high: 0 } } else { U256 { low: 0, high: 1 << (i - 128) } }
    }
    #[inline]
    fn count(self) -> u32 {
        self.low.count_ones() + self.high.count_ones()
    }
    #[inline]
    fn lowest(self) -> u32 {
        if self.low != 0 { self.low.trailing_zeros() } else { 128 + self.high.trailing_zeros() }
    }
    #[inline]
    fn without_lowest(self) -> U256 {
        if self.low != 0 {
            U256 { low: self.low & (self.low - 1), ..self }
        } else {
            U256 { high: self.high & (self.high - 1), ..self }
        }
    }
    #[inline]
    fn nth(self, n: u32) -> u32 {
        let in_low = self.low.count_ones();
        if n < in_low { self.low.nth(n) } else { 128 + self.high.nth(n - in_low) }
    }
    #[inline]
    fn reversed(self) -> U256 {
        U256 { low: self.high.reverse_bits(), high: self.low.reverse_bits() }
    }
    #[inline]
    fn key(self, seed: Key) -> Key {
        mix(mix(seed ^ self.low) ^ self.high)
    }
}

/// 384 bits, for boards of up to 19 by 19 cells.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct U384 {
    /// 64 cells each, lowest first.
    parts: [u64; 6],
}

impl U384 {
    #[inline]
    fn make(part: impl FnMut(usize) -> u64) -> U384 {
        U384 { parts: std::array::from_fn(part) }
    }
}

macro_rules! part_by_part {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for U384 {
            type Output = U384;
            #[inline]
            fn $method(self, other: U384) -> U384 {
                U384::make(|i| self.parts[i].$method(other.parts[i]))
            }
        }
    )*};
}
part_by_part!(BitAnd bitand, BitOr bitor, BitXor bitxor);

impl Not for U384 {
    type Output = U384;
    #[inline]
    fn not(self) -> U384 {
        U384::make(|i| !self.parts[i])
    }
}

impl Shl<u32> for U384 {
    type Output = U384;
    #[inline]
    fn shl(self, n: u32) -> U384 {
        let (whole, n) = ((n / 64) as usize, n % 64);
        let part = |i: usize| i.checked_sub(whole).map_or(0, |i| self.parts[i]);
        // What comes from the part below: two shifts, since one by 64 is none.
        U384::make(|i| part(i) << n | if i > 0 { part(i - 1) >> 1 >> (63 - n) } else { 0 })
    }
}

impl Shr<u32> for U384 {
    type Output = U384;
    #[inline]
    fn shr(self, n: u32) -> U384 {
        let (whole, n) = ((n / 64) as usize, n % 64);
        let part = |i: usize| self.parts.get(i + whole).copied().unwrap_or(0);
        U384::make(|i| part(i) >> n | part(i + 1) << 1 << (63 - n))
    }
}

impl Word for U384 {
    const BITS: u32 = 384;
    const EMPTY: U384 = U384 { parts: [0; 6] };
    #[inline]
    fn bit(i: u32) -> U384 {
        U384::make(|part| if part == (i / 64) as usize { 1 << (i % 64) } else { 0 })
    }
    #[inline]
    fn count(self) -> u32 {
        self.parts.iter().map(|part| part.count_ones()).sum()
    }
    #[inline]
    fn lowest(self) -> u32 {
        let part = self.parts.iter().position(|&part| part != 0).unwrap_or(0);
        64 * part as u32 + self.parts[part].trailing_zeros()
    }
    #[inline]
    fn without_lowest(mut self) -> U384 {
        let part = self.parts.iter().position(|&part| part != 0).unwrap_or(0);
        self.parts[part] &= self.parts[part].wrapping_sub(1);
        self
    }
    #[inline]
    fn nth(self, mut n: u32) -> u32 {
        for (i, part) in self.parts.into_iter().enumerate() {
            if n < part.count_ones() {
                return 64 * i as u32 + nth_of_u64(part, n);
            }
            n -= part.count_ones();
        }
        unreachable!("n is below the number of cells")
    }
    #[inline]
    fn reversed(self) -> U384 {
        U384::make(|i| self.parts[5 - i].reverse_bits())
    }
    #[inline]
    fn key(self, seed: Key) -> Key {
        self.parts
            .chunks(2)
            .fold(seed, |key, pair| mix(key ^ (Key::from(pair[1]) << 64 | Key::from(pair[0]))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Every operation against a plain set of numbers.
    fn against_sets<W: Word>() {
        let mut rng = Rng::new(u64::from(W::BITS));
        for round in 0..2000 {
            let size = rng.below(W::BITS + 1);
            let cells: BTreeSet<u32> = (0..size).map(|_| rng.below(W::BITS)).collect();
            let word = cells.iter().fold(W::EMPTY, |w, &i| w | W::bit(i));
            assert_eq!(word.count() as usize, cells.len());
            assert_eq!(word.is_empty(), cells.is_empty());
            assert!(word.cells().eq(cells.iter().copied()));
            for (n, &cell) in cells.iter().enumerate() {
                assert_eq!(word.nth(n as u32), cell, "bit {n} of {word:?}");
            }
            let n = round % W::BITS;
            assert!((word >> n).cells().eq(cells.iter().filter(|&&i| i >= n).map(|&i| i - n)));
            assert!((word << n).cells().eq(cells.iter().map(|&i| i + n).filter(|&i| i < W::BITS)));
            let i = rng.below(W::BITS);
            assert_eq!(word.has(i), cells.contains(&i));
            assert_eq!((!word).has(i), !cells.contains(&i));
            assert_eq!((word ^ W::bit(i)).has(i), !cells.contains(&i));
        }
    }

    #[test]
    fn words_are_sets() {
        against_sets::<u32>();
        against_sets::<u64>();
        against_sets::<u128>();
        against_sets::<U256>();
        against_sets::<U384>();
    }
}
