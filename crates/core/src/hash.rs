//! Position keys: Zobrist hashing with 128-bit numbers.
//!
//! A table that trusts a key must not prove anything by accident. With 64 bits, 10^10 look-ups in buckets of four
//! meet a false match with probability 2 * 10^-9; with the 80 bits our tables compare it is 3 * 10^-14.

use crate::rng::splitmix64;

/// The key of a position. Equal positions have equal keys; different ones differ but for a chance of 2^-128.
pub type Key = u128;

/// `N` fixed random keys, made at compile time; every `seed` gives its own.
pub const fn zobrist<const N: usize>(seed: u64) -> [Key; N] {
    let mut state = seed ^ 0x5a6f_6272_6973_7421;
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = (splitmix64(&mut state) as u128) << 64 | splitmix64(&mut state) as u128;
        i += 1;
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_and_are_stable() {
        static KEYS: [Key; 512] = zobrist(1);
        let mut sorted = KEYS;
        sorted.sort_unstable();
        assert!(sorted.windows(2).all(|w| w[0] != w[1]));
        assert_ne!(KEYS[0], zobrist::<1>(2)[0]);
        // About half of the bits are set, high half and low half alike.
        for half in [KEYS.map(|k| k as u64), KEYS.map(|k| (k >> 64) as u64)] {
            let ones: u32 = half.iter().map(|k| k.count_ones()).sum();
            assert!((ones as i64 - 512 * 32).abs() < 512, "{ones} ones");
        }
    }
}
