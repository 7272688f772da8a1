//! What a number of games says, and how surely.
//!
//! Intervals are for 95 %. Scores are in [0, 1]: a win 1, a draw 1/2.

/// Two-sided 95 % point of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// An estimate with what it may be as well.
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

/// The interval of Wilson (1927) \[Wil27\] for `score` points of `n` games. With draws it is too wide rather than too narrow: a
/// draw varies less than a win or a loss.
pub fn wilson(score: f64, n: u64) -> Interval {
    if n == 0 {
        return Interval { mean: 0.5, low: 0.0, high: 1.0 };
    }
    let (n, p, z2) = (n as f64, score / n as f64, Z95 * Z95);
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    // The ends are exact where rounding would pass them.
    let low = if score == 0.0 { 0.0 } else { centre - half };
    Interval { mean: p, low, high: if p == 1.0 { 1.0 } else { centre + half } }
}

/// How much larger one estimate is than another that does not depend on it, with the interval of Newcombe (1998) \[New98\], method
/// 10: it follows from the ends of both. Two intervals may meet a little and the difference still be sure.
pub fn difference(one: Interval, other: Interval) -> Interval {
    let mean = one.mean - other.mean;
    Interval {
        mean,
        low: mean - (one.mean - one.low).hypot(other.high - other.mean),
        high: mean + (one.high - one.mean).hypot(other.mean - other.low),
    }
}

/// The mean of numbers with its interval by Student's t distribution; no width is known of fewer than two numbers.
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

/// Two-sided 95 % point of Student's t distribution: exact for 1 and 2 degrees of freedom, by the expansion of Cornish
/// and Fisher (Abramowitz & Stegun \[AS64\] 26.7.5) above, off by less than 2 % at 3 and 0.1 % from 6 on.
fn t95(degrees: u64) -> f64 {
    match degrees {
        0 => f64::INFINITY,
        1 => 12.706_204_736_174_7,
        2 => 4.302_652_729_749_46,
        _ => {
            let (z, v) = (Z95, degrees as f64);
            let g1 = (z.powi(3) + z) / 4.0;
            let g2 = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
            let g3 = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
            let g4 =
                (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z)
                    / 92_160.0;
            z + g1 / v + g2 / v.powi(2) + g3 / v.powi(3) + g4 / v.powi(4)
        }
    }
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

/// The standard normal distribution function, by the error function of Abramowitz & Stegun \[AS64\] 7.1.26, off by less than
/// 1.5e-7.
pub fn normal(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let poly = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let tail = poly.iter().fold(0.0, |sum, a| (sum + a) * t) * (-x * x).exp() / 2.0;
    if z < 0.0 { tail } else { 1.0 - tail }
}

/// What came of games between A and B, counted for A. Games come in pairs: the same opening with the sides swapped. The
/// two games of a pair are not independent (an opening may favour one side), pairs are.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Tally {
    /// Games that A has won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that A has lost.
    pub losses: u64,
    /// Pairs by the points that A got out of them: 0, 1/2, 1, 3/2, 2.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Counts games, given as A's half points (0, 1, 2) by number: games 2i and 2i + 1 are a pair.
    pub fn of(games: impl IntoIterator<Item = (u32, u8)>) -> Tally {
        let (mut tally, mut open) = (Tally::default(), None);
        for (number, half_points) in games {
            match half_points {
                0 => tally.losses += 1,
                1 => tally.draws += 1,
                _ => tally.wins += 1,
            }
            match open {
                Some((first, points)) if number % 2 == 1 && number == first + 1 => {
                    tally.pairs[usize::from(points + half_points)] += 1;
                    open = None;
                }
                _ => open = Some((number, half_points)),
            }
        }
        tally
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A's points.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The score with Wilson's interval.
    pub fn score(&self) -> Interval {
        wilson(self.points(), self.games())
    }

    /// The score with an interval that knows of pairs: normal, with the variance between pairs. `None` if nothing varies.
    pub fn paired_score(&self) -> Option<Interval> {
        let (n, mean, variance) = moments(&self.pairs.map(|n| n as f64));
        let half = Z95 * (variance / n).sqrt();
        (half > 0.0).then_some(Interval { mean, low: (mean - half).max(0.0), high: (mean + half).min(1.0) })
    }

    /// The Elo difference with its interval: that of pairs if there is one, else Wilson's.
    pub fn elo(&self) -> Interval {
        let score = self.paired_score().unwrap_or_else(|| self.score());
        Interval { mean: elo(self.score().mean), low: elo(score.low), high: elo(score.high) }
    }

    /// How likely A is the stronger player, by the normal approximation; 1/2 if nothing is known. If all pairs are alike, as if
    /// one more might as well have come out the other way.
    pub fn superiority(&self) -> f64 {
        let (n, mean, variance) = moments(&self.pairs.map(|n| n as f64));
        if variance > 0.0 {
            return normal((mean - 0.5) / (variance / n).sqrt());
        }
        let doubt = 0.5f64.powf(n + 1.0);
        match mean.total_cmp(&0.5) {
            std::cmp::Ordering::Less => doubt,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0 - doubt,
        }
    }
}

/// The scores a pair can have, per game.
const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Number, mean and variance of pairs.
fn moments(pairs: &[f64; 5]) -> (f64, f64, f64) {
    let n: f64 = pairs.iter().sum();
    if n == 0.0 {
        return (0.0, 0.5, 0.0);
    }
    let expect = |f: &dyn Fn(f64) -> f64| {
        pairs.iter().zip(PAIR_SCORES).map(|(n, score)| n * f(score)).sum::<f64>() / n
    };
    let mean = expect(&|score| score);
    (n, mean, expect(&|score| (score - mean).powi(2)))
}

/// A test that ends as soon as it knows: is the Elo difference `elo0` or `elo1`?
///
/// Wald's sequential probability ratio test on pairs, generalised: the likelihood of each hypothesis is that of the most
/// likely distribution of pairs which has the expected score (Van den Bergh's derivation for fishtest \[VdB\]).
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Sprt {
    /// The difference of the first hypothesis.
    pub elo0: f64,
    /// The difference of the second.
    pub elo1: f64,
    /// How often the first may be rejected though true.
    pub alpha: f64,
    /// How often the second may be rejected though true.
    pub beta: f64,
}

/// What a sequential test says.
#[derive(Copy, Clone, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// More games are needed.
    Open,
    /// Rather `elo0`.
    Low,
    /// Rather `elo1`.
    High,
}

impl Sprt {
    /// The log-likelihood ratio of `elo1` against `elo0`.
    pub fn llr(&self, tally: &Tally) -> f64 {
        let n: u64 = tally.pairs.iter().sum();
        if n == 0 {
            return 0.0;
        }
        // As usual, what has not been seen yet counts a little, so that no hypothesis becomes impossible.
        let pairs = tally.pairs.map(|n| (n as f64).max(1e-3));
        let total: f64 = pairs.iter().sum();
        let p = pairs.map(|n| n / total);
        let (x0, x1) = (tilt(&p, expected(self.elo0)), tilt(&p, expected(self.elo1)));
        // p_i = p̂_i / (1 + x (a_i - s)), so the ratio of two is that of the denominators.
        let term = |i: usize| {
            let denominator = |x: f64, elo: f64| 1.0 + x * (PAIR_SCORES[i] - expected(elo));
            pairs[i] * (denominator(x0, self.elo0) / denominator(x1, self.elo1)).ln()
        };
        (0..5).map(term).sum()
    }

    /// The ratios at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What the games so far say.
    pub fn decide(&self, tally: &Tally) -> Decision {
        let (llr, (low, high)) = (self.llr(tally), self.bounds());
        if llr >= high {
            Decision::High
        } else if llr <= low {
            Decision::Low
        } else {
            Decision::Open
        }
    }
}

/// The multiplier x with sum p_i (a_i - s) / (1 + x (a_i - s)) = 0, by bisection: the sum falls in x.
fn tilt(p: &[f64; 5], s: f64) -> f64 {
    let at =
        |x: f64| -> f64 { p.iter().zip(PAIR_SCORES).map(|(p, a)| p * (a - s) / (1.0 + x * (a - s))).sum() };
    // All denominators are positive between these.
    let (mut low, mut high) = (-1.0 / (1.0 - s), 1.0 / s);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if at(middle) > 0.0 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, within: f64) {
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

    /// `scipy.stats.t.ppf(0.975, d)`, `scipy.stats.norm.cdf` and `scipy.stats.t.interval`.
    #[test]
    fn distributions_are_scipys() {
        let want = [
            (1, 12.706204736174694),
            (2, 4.302652729749462),
            (5, 2.5705818356363146),
            (9, 2.262157162798205),
        ];
        for (degrees, t) in want.into_iter().chain([(29, 2.045229642132703), (99, 1.9842169515864174)]) {
            close(t95(degrees), t, t * 2e-3);
        }
        close(t95(3), 3.1824463052837078, 0.05);
        let want = [(-3.0, 0.0013498980316300933), (-1.0, 0.15865525393145707), (0.5, 0.6914624612740131)];
        for (z, p) in want.into_iter().chain([(0.0, 0.5), (2.5, 0.9937903346742238)]) {
            close(normal(z), p, 2e-7);
        }
        let ours = mean(&[359.0, 479.0, 1535.0, 2059.0, 10566.0]);
        close(ours.mean, 2999.6, 1e-9);
        close(ours.low, -2326.776141948842, 30.0);
        close(ours.high, 8325.976141948842, 30.0);
    }

    /// The likelihoods by maximising them under both constraints with `scipy.optimize.minimize` (SLSQP).
    #[test]
    fn likelihood_ratios_are_scipys() {
        let want = [
            ([10, 30, 60, 45, 20], 0.0, 20.0, 2.503766932248098),
            ([100, 300, 600, 450, 200], 0.0, 5.0, 7.940043371547421),
            ([2, 8, 20, 5, 1], -10.0, 10.0, -0.8144211827578788),
            ([0, 0, 7, 9, 3], 0.0, 50.0, 2.5377612355647403),
        ];
        for (pairs, elo0, elo1, llr) in want {
            let sprt = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 };
            close(sprt.llr(&Tally { pairs, ..Tally::default() }), llr, 2e-5);
        }
        let sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        close(sprt.bounds().1, 2.9444389791664403, 1e-12);
        let decide = |pairs| sprt.decide(&Tally { pairs, ..Tally::default() });
        assert_eq!(decide([100, 300, 600, 450, 200]), Decision::High);
        assert_eq!(decide([200, 450, 600, 300, 100]), Decision::Low);
        assert_eq!(decide([1, 0, 0, 0, 1]), Decision::Open);
        assert_eq!(sprt.llr(&Tally::default()), 0.0);
    }

    #[test]
    fn pairs_are_counted() {
        // Won twice, drawn and lost, a pair of which the first game is missing, and one of which the second is.
        let tally = Tally::of([(0, 2), (1, 2), (2, 1), (3, 0), (5, 2), (6, 0)]);
        assert_eq!((tally.wins, tally.draws, tally.losses), (3, 1, 2));
        assert_eq!(tally.pairs, [0, 1, 0, 0, 1]);
        assert_eq!((tally.games(), tally.points()), (6, 3.5));
        let tally = Tally { wins: 0, draws: 0, losses: 0, pairs: [10, 30, 60, 45, 20] };
        let score = tally.paired_score().unwrap();
        close(score.mean, 0.553030303030303, 1e-12);
        close(score.low, 0.5123585857444743, 1e-12);
        close(score.high, 0.5937020203161316, 1e-12);
        close(tally.superiority(), 0.9946985729730131, 2e-7);
        assert_eq!(Tally::default().paired_score(), None);
        assert_eq!(Tally::default().superiority(), 0.5);
        assert_eq!(Tally { pairs: [0, 0, 0, 0, 2], ..Tally::default() }.superiority(), 0.875);
        assert_eq!(Tally { pairs: [0, 0, 5, 0, 0], ..Tally::default() }.paired_score(), None);
    }

    #[test]
    fn elo_and_score() {
        close(expected(0.0), 0.5, 0.0);
        close(expected(400.0), 10.0 / 11.0, 1e-15);
        close(elo(expected(123.0)), 123.0, 1e-9);
        assert_eq!((elo(0.5), elo(1.0), elo(0.0)), (0.0, f64::INFINITY, f64::NEG_INFINITY));
    }
}
