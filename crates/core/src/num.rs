//! One `ln` and one `exp` for all machines: only additions, multiplications and divisions, which
//! IEEE 754 fixes to the last bit. Those of system libraries may differ between machines, and then
//! searches would too.

/// The natural logarithm of a positive normal number, with an error below 1e-14 relative to max(1, |ln
/// x|).
///
/// ```
/// assert!((proofplay_core::num::ln(10.0) - 2.302585092994046).abs() < 1e-14);
/// ```
#[inline]
pub fn ln(x: f64) -> f64 {
    debug_assert!(x >= f64::MIN_POSITIVE && x.is_finite());
    // x = 2^e * m with m in [sqrt(1/2), sqrt(2)), so that s below is small.
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    let shifted = x.to_bits().wrapping_sub(SQRT_HALF);
    let e = (shifted as i64) >> 52;
    let m = f64::from_bits((shifted & 0x000f_ffff_ffff_ffff) + SQRT_HALF);
    // ln m = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.1716.
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let series = 1.0 / 17.0;
    let series = 1.0 / 15.0 + z * series;
    let series = 1.0 / 13.0 + z * series;
    let series = 1.0 / 11.0 + z * series;
    let series = 1.0 / 9.0 + z * series;
    let series = 1.0 / 7.0 + z * series;
    let series = 1.0 / 5.0 + z * series;
    let series = 1.0 / 3.0 + z * series;
    e as f64 * std::f64::consts::LN_2 + 2.0 * s * (1.0 + z * series)
}

/// e to the power of `x`, with a relative error below 1e-13; 0 or infinity far out.
///
/// ```
/// assert!((proofplay_core::num::exp(-1.5) - 0.22313016014842982).abs() < 1e-14);
/// ```
#[inline]
pub fn exp(x: f64) -> f64 {
    if x > 709.0 {
        return f64::INFINITY;
    }
    if x < -708.0 {
        return 0.0;
    }
    // x = n ln 2 + r with |r| <= ln 2 / 2, ln 2 in two parts so that n ln 2 is exact enough.
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let n = (x * std::f64::consts::LOG2_E).round();
    let r = x - n * LN_2_HIGH - n * LN_2_LOW;
    let mut power = 1.0;
    for i in (1..=13).rev() {
        power = 1.0 + power * r / f64::from(i);
    }
    f64::from_bits(((n as i64 + 1023) as u64) << 52) * power
}

/// The natural logarithm of a positive whole number for selection formulas: an error below 1e-6, in
/// half the time of [`ln`].
///
/// ```
/// assert!((proofplay_core::num::ln_of_count(1000) - 6.9077554).abs() < 1e-6);
/// ```
#[inline]
pub fn ln_of_count(n: u32) -> f32 {
    debug_assert!(n > 0);
    const SQRT_HALF: u32 = 0x3f35_04f3;
    let shifted = (n as f32).to_bits().wrapping_sub(SQRT_HALF);
    let e = (shifted as i32) >> 23;
    let m = f32::from_bits((shifted & 0x007f_ffff) + SQRT_HALF);
    // As in `ln`, with four terms of the series, in pairs so that they do not wait for each other.
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let series = (1.0 + z * (1.0 / 3.0)) + z * z * (1.0 / 5.0 + z * (1.0 / 7.0));
    e as f32 * std::f32::consts::LN_2 + 2.0 * s * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_the_system_library() {
        for i in 1..200_000 {
            let n = i * 17 - 16;
            assert!((f64::from(ln_of_count(n as u32)) - f64::from(n).ln()).abs() < 1.5e-6, "ln {n}");
            let x = f64::from(i) * 0.37;
            assert!((ln(x) - x.ln()).abs() <= 1e-14 * x.ln().abs().max(1.0), "ln {x}");
            assert!((ln(1.0 / x) - (1.0 / x).ln()).abs() <= 1e-14 * x.ln().abs().max(1.0), "ln 1/{x}");
            let y = f64::from(i) * 0.007 - 700.0;
            assert!((exp(y) / y.exp() - 1.0).abs() < 1e-13, "exp {y}");
        }
        assert_eq!((ln(1.0), exp(0.0), exp(-1e9), exp(1e9)), (0.0, 1.0, 0.0, f64::INFINITY));
    }
}
