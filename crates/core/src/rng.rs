//! Our own random numbers: xoshiro256++, seeded by splitmix64. The stream is frozen: the same seed
//! gives the same search on every machine and in every version.
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

    /// 64 random bits to take several small numbers from.
    #[inline]
    pub fn digits(&mut self) -> Digits {
        Digits(self.next_u64())
    }

    /// A uniform number in `0 <= x < 1` with 53 bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

/// A random fraction of 1 whose digits are taken one after the other, each in its own base.
///
/// With bases whose product is B, no row of digits is more than B / 2^64 likelier or less likely
/// than it should be, and what is left is a fraction with 64 - log2 B bits. So B should be small.
#[derive(Debug)]
pub struct Digits(u64);

impl Digits {
    /// The next digit, in `0..base`.
    #[inline(always)]
    pub fn take(&mut self, base: u32) -> u32 {
        let m = u128::from(self.0) * u128::from(base);
        self.0 = m as u64;
        (m >> 64) as u32
    }

    /// What is left, in parts of 2^64.
    #[inline(always)]
    pub fn rest(&self) -> u64 {
        self.0
    }
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
        let (mut rng, mut count) = (Rng::new(1), [0; 7]);
        (0..70_000).for_each(|_| count[rng.below(7) as usize] += 1);
        check_even(count, 22.46);
    }

    /// Two digits and the first bit of the rest, together.
    #[test]
    fn digits_are_uniform_and_independent() {
        let (mut rng, mut count) = (Rng::new(1), [0; 70]);
        for _ in 0..70_000 {
            let mut digits = rng.digits();
            let (a, b) = (digits.take(7), digits.take(5));
            count[(10 * a + 2 * b) as usize + (digits.rest() >> 63) as usize] += 1;
        }
        check_even(count, 111.06);
        // The digits of a fraction as on paper: 2/3 of 2^64 in base 10, and what is left of it.
        let mut digits = Digits(0xaaaa_aaaa_aaaa_aaaa);
        assert_eq!([(); 9].map(|()| digits.take(10)), [6; 9]);
        assert_eq!(digits.rest(), 0xaaaa_aaaa_aaaa_aaaa_u64.wrapping_mul(1_000_000_000));
    }
}
