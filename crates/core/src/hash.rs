//! Position keys: Zobrist hashing with 128-bit numbers, or a mix of the bits of a position where
//! there are few.
//!
//! A table that trusts a key must not prove anything by accident. With 64 bits, 10^10 look-ups in
//! buckets of four meet a false match with probability 2 * 10^-9; with the 80 bits our tables
//! compare it is 3 * 10^-14.

use crate::rng::splitmix64;

/// The key of a position. Equal positions have equal keys; different ones have equal keys with a
/// chance of 2^-128.
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

/// A key for each number of 128 bits, no two alike: for positions that are a word or two.
#[inline]
pub const fn mix(code: u128) -> Key {
    // Products with odd numbers and xors with shifts are all one to one.
    let key = (code ^ code >> 64).wrapping_mul(0x9fb2_1c65_1e98_df25_8cb9_2ba7_2f3d_8dd7);
    let key = (key ^ key >> 67).wrapping_mul(0xd6e8_feb8_6659_fd93_a076_1d64_78bd_642f);
    key ^ key >> 64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change of any one bit changes about half of the bits of either half of the key.
    #[test]
    fn mixing_spreads_every_bit() {
        let [mut low, mut high] = [0, 0];
        for bit in 0..128 {
            let mut state = 7;
            for _ in 0..64 {
                let code = u128::from(splitmix64(&mut state)) << 64 | u128::from(splitmix64(&mut state));
                let change = mix(code) ^ mix(code ^ 1 << bit);
                low += (change as u64).count_ones();
                high += ((change >> 64) as u64).count_ones();
            }
        }
        let mean = |ones: u32| f64::from(ones) / (128.0 * 64.0);
        assert!((mean(low) - 32.0).abs() < 0.5 && (mean(high) - 32.0).abs() < 0.5, "{low} {high}");
    }

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
