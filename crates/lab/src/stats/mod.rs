//! What a number of games shows, and with which certainty.
//!
//! Intervals are for 95 %. Scores are in [0, 1]: a win 1, a draw 1/2.

#[cfg(test)]
pub(crate) mod simulate;
mod sprt;
mod student;
mod tally;

pub use sprt::{Decision, Sprt};
pub use student::{student, t95};
pub use tally::Tally;

/// Two-sided 95 % point of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// An estimate with its interval.
#[derive(Copy, Clone, PartialEq, Debug, serde::Serialize)]
pub struct Interval {
    /// The estimate.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// Whether a number lies within.
    pub fn contains(&self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }
}

/// The interval of Wilson (1927) \[Wil27\] for a share: `count` of `n` independent trials. Games
/// are not independent, they come in pairs: see [`Tally::score`].
pub fn wilson(count: f64, n: u64) -> Interval {
    if n == 0 {
        return Interval { mean: 0.5, low: 0.0, high: 1.0 };
    }
    let (n, p, z2) = (n as f64, count / n as f64, Z95 * Z95);
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    // The ends are exact where rounding would pass them.
    let low = if count == 0.0 { 0.0 } else { centre - half };
    Interval { mean: p, low, high: if p == 1.0 { 1.0 } else { centre + half } }
}

/// How much larger one estimate is than another that does not depend on it, with the interval of
/// Newcombe (1998) \[New98\], method 10: it follows from the ends of both. Two intervals may
/// overlap a little and the difference still be certain.
pub fn difference(one: Interval, other: Interval) -> Interval {
    let mean = one.mean - other.mean;
    Interval {
        mean,
        low: mean - (one.mean - one.low).hypot(other.high - other.mean),
        high: mean + (one.high - one.mean).hypot(other.mean - other.low),
    }
}

/// The mean of numbers with its interval by Student's t distribution; no width is known of fewer
/// than two numbers.
pub fn mean(numbers: &[f64]) -> Interval {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n.max(1.0);
    if numbers.len() < 2 {
        return Interval { mean, low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = t95(numbers.len() as u64 - 1) * (variance / n).sqrt();
    Interval { mean, low: mean - half, high: mean + half }
}

/// The Elo difference at which a player scores `score`.
pub fn elo(score: f64) -> f64 {
    // Adding 0 makes -0 a plain 0.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// The score to expect at an Elo difference.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The standard normal distribution function, by the error function of Abramowitz & Stegun \[AS64\]
/// 7.1.26, off by less than 1.5e-7.
pub fn normal(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let poly = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let tail = poly.iter().fold(0.0, |sum, a| (sum + a) * t) * (-x * x).exp() / 2.0;
    if z < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn close(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b}");
    }

    /// `scipy.stats.binomtest(k, n).proportion_ci(method="wilson")`, scipy 1.17.
    #[test]
    fn wilson_is_scipys() {
        let want = [
            (0, 10, 0.0, 0.27753279986288926),
            (7, 10, 0.39677814746114526, 0.892208732593699),
            (646, 1000, 0.6158536169290484, 0.6750289695931694),
            (30, 30, 0.8864866068260312, 1.0),
        ];
        for (k, n, low, high) in want {
            let ours = wilson(f64::from(k), n);
            close(ours.low, low, 1e-12);
            close(ours.high, high, 1e-12);
        }
        assert_eq!(wilson(0.0, 0), Interval { mean: 0.5, low: 0.0, high: 1.0 });
    }

    /// The first example of Newcombe's table II, 56 of 70 against 48 of 80: 0.0524 to 0.3339.
    #[test]
    fn difference_is_newcombes() {
        let ours = difference(wilson(56.0, 70), wilson(48.0, 80));
        close(ours.mean, 0.2, 1e-12);
        close(ours.low, 0.0524, 5e-5);
        close(ours.high, 0.3339, 5e-5);
    }

    /// `scipy.stats.norm.cdf` and `scipy.stats.t.interval`.
    #[test]
    fn means_are_scipys() {
        let want = [(-3.0, 0.0013498980316300933), (-1.0, 0.15865525393145707), (0.5, 0.6914624612740131)];
        for (z, p) in want.into_iter().chain([(0.0, 0.5), (2.5, 0.9937903346742238)]) {
            close(normal(z), p, 2e-7);
        }
        let ours = mean(&[359.0, 479.0, 1535.0, 2059.0, 10566.0]);
        close(ours.mean, 2999.6, 1e-9);
        close(ours.low, -2326.776141948842, 1e-9);
        close(ours.high, 8325.976141948842, 1e-9);
    }

    #[test]
    fn elo_and_score() {
        close(expected(0.0), 0.5, 0.0);
        close(expected(400.0), 10.0 / 11.0, 1e-15);
        close(elo(expected(123.0)), 123.0, 1e-9);
        assert_eq!((elo(0.5), elo(1.0), elo(0.0)), (0.0, f64::INFINITY, f64::NEG_INFINITY));
    }
}
