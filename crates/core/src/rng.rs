//! Our own random numbers: xoshiro256++, seeded by splitmix64. The stream is frozen: the same seed gives the same
//! search on every machine and in every version.
//!
//! Blackman & Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 2021 \[BV21\].

/// A small fast generator with a frozen stream.
///
/// ```
/// use proofplay_core::Rng;
/// let (mut a, mut b) = (Rng::new(7), Rng::new(7));
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert!(a.below(10) < 10);
/// ```
#[derive(Clone, Debug)]
pub struct Rng {
    s: [u64; 4],
}

/// One step of splitmix64: advances `state` and returns a mixed value.
#[inline]
pub const fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rng {
    /// A generator whose whole stream follows from `seed`.
    pub const fn new(seed: u64) -> Rng {
        let mut state = seed;
        let s =
            [splitmix64(&mut state), splitmix64(&mut state), splitmix64(&mut state), splitmix64(&mut state)];
        Rng { s }
    }

    /// A generator for one part of an experiment: every list of numbers has its own stream.
    pub fn from_parts(parts: &[u64]) -> Rng {
        let mut state = 0x7072_6f6f_6670_6c61;
        for &part in parts {
            state ^= part;
            state = splitmix64(&mut state);
        }
        Rng::new(state)
    }

    /// 64 uniform bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let [s0, s1, s2, s3] = self.s;
        let result = s0.wrapping_add(s3).rotate_left(23).wrapping_add(s0);
        let t = s1 << 17;
        let s2 = s2 ^ s0;
        let s3 = s3 ^ s1;
        self.s = [s0 ^ s3, s1 ^ s2, s2 ^ t, s3.rotate_left(45)];
        result
    }

    /// A uniform number in `0..n`, without bias (Lemire's multiplication with rejection).
    ///
    /// `n` must be positive.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0);
        let mut m = (self.next_u64() >> 32) * u64::from(n);
        if (m as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (m as u32) < threshold {
                m = (self.next_u64() >> 32) * u64::from(n);
            }
        }
        (m >> 32) as u32
    }

    /// Two independent uniform numbers in `0..n[0]` and `0..n[1]`, without bias: what two calls of [`Rng::below`] give, for half
    /// of the random bits.
    #[inline]
    pub fn below_each(&mut self, n: [u32; 2]) -> [u32; 2] {
        debug_assert!(n[0] > 0 && n[1] > 0);
        loop {
            let random = self.next_u64();
            let m = [(random >> 32) * u64::from(n[0]), (random & u64::from(u32::MAX)) * u64::from(n[1])];
            // Fair nearly always; to know it exactly takes divisions.
            if (m[0] as u32 >= n[0] && m[1] as u32 >= n[1]) || are_fair(m, n) {
                return m.map(|m| (m >> 32) as u32);
            }
        }
    }

    /// A uniform number in `0 <= x < 1` with 53 bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

/// Whether [`Rng::below_each`] may take these products: there would be too many of those with smaller low halves.
#[cold]
fn are_fair(m: [u64; 2], n: [u32; 2]) -> bool {
    m.iter().zip(n).all(|(&m, n)| m as u32 >= n.wrapping_neg() % n)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First outputs of the authors' public-domain C programs for these states.
    #[test]
    fn streams_are_the_published_ones() {
        let mut state = 1234567;
        assert_eq!(splitmix64(&mut state), 6457827717110365317);
        assert_eq!(splitmix64(&mut state), 3203168211198807973);
        let mut rng = Rng { s: [1, 2, 3, 4] };
        let want = [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205];
        assert_eq!(want.map(|_| rng.next_u64()), want);
    }

    /// The square sum of the excess over equal chances must stay below a limit.
    fn check_even<const N: usize>(count: [u32; N], limit: f64) {
        let even = f64::from(count.iter().sum::<u32>()) / N as f64;
        let chi2: f64 = count.iter().map(|&c| (f64::from(c) - even).powi(2) / even).sum();
        assert!(chi2 < limit, "chi-square {chi2} of {N} numbers is beyond the 0.1 % point");
    }

    #[test]
    fn below_is_uniform() {
        let (mut rng, mut count, mut pairs) = (Rng::new(1), [0; 7], [0; 35]);
        for _ in 0..70_000 {
            count[rng.below(7) as usize] += 1;
            let [a, b] = rng.below_each([7, 5]);
            pairs[(5 * a + b) as usize] += 1;
        }
        check_even(count, 22.46);
        check_even(pairs, 65.25);
    }

    /// The same numbers as one by one where no division is needed, and none that a division forbids.
    #[test]
    fn pairs_are_fair() {
        let (mut rng, n) = (Rng::new(2), [3 << 30, 5 << 29]);
        for _ in 0..10_000 {
            let mut one_by_one = rng.clone();
            let pair = rng.below_each(n);
            let expected = loop {
                let random = one_by_one.next_u64();
                let m = [random >> 32, random & 0xffff_ffff].map(u128::from);
                let m = [m[0] * u128::from(n[0]), m[1] * u128::from(n[1])];
                let unfair = |i: usize| m[i] % (1 << 32) < (1 << 32) % u128::from(n[i]);
                if !unfair(0) && !unfair(1) {
                    break m.map(|m| (m >> 32) as u32);
                }
            };
            assert_eq!((pair, rng.s), (expected, one_by_one.s));
        }
    }
}
