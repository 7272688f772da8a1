//! A match that ends as soon as it is known who is stronger.

use super::tally::PAIR_SCORES;
use super::{Tally, expected};

/// A test that ends as soon as it can decide: is the Elo difference `elo0` or `elo1`?
///
/// Wald's sequential probability ratio test on pairs, generalised: the likelihood of each
/// hypothesis is that of the most likely distribution of pairs which has the expected score (Van
/// den Bergh's derivation for fishtest \[VdB\]).
///
/// In simulated matches with up to 90 % draws, and with games of a pair that are independent, alike
/// or opposite, at most 5.8 % of 3000 were decided wrongly where 5 % is the limit, mostly fewer
/// than 5 %.
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

/// The result of a sequential test.
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
        // As usual, what has not been seen yet counts a little, so that no hypothesis becomes
        // impossible.
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

    /// The result after the games so far.
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

/// The multiplier x with sum p_i (a_i - s) / (1 + x (a_i - s)) = 0, by bisection: the sum falls in
/// x. (Newton's method gets stuck at the poles.)
fn tilt(p: &[f64; 5], s: f64) -> f64 {
    let at =
        |x: f64| -> f64 { p.iter().zip(PAIR_SCORES).map(|(p, a)| p * (a - s) / (1.0 + x * (a - s))).sum() };
    // All denominators are positive between these.
    let (mut low, mut high) = (-1.0 / (1.0 - s), 1.0 / s);
    for _ in 0..50 {
        let middle = (low + high) / 2.0;
        if at(middle) > 0.0 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::super::simulate::Odds;
    use super::super::tests::close;
    use super::*;
    use proofplay_core::Rng;

    /// The likelihoods by maximising them under both constraints with `scipy.optimize.minimize`
    /// (SLSQP).
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

    /// How often a match with one of the two differences is decided for the other: in at most 5 %
    /// of the cases and what chance adds to that.
    #[test]
    fn errors_are_as_rare_as_promised() {
        const MATCHES: u32 = 1000;
        let worst = 0.05 + 3.0 * (0.05 * 0.95 / f64::from(MATCHES)).sqrt();
        let cells = [(0.0, 100.0, 0.0), (0.0, 100.0, 0.6), (100.0, 200.0, 0.3), (0.0, 30.0, 0.9)];
        for (cell, (elo0, elo1, draws)) in cells.into_iter().enumerate() {
            let sprt = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 };
            for (alike, elo, wrong) in [0.0, 0.8, -0.8]
                .into_iter()
                .flat_map(|alike| [(alike, elo0, Decision::High), (alike, elo1, Decision::Low)])
            {
                let odds = Odds::scoring(expected(elo), draws, alike).unwrap();
                let mut rng = Rng::from_parts(&[cell as u64]);
                let decide = |_| {
                    let mut tally = Tally::default();
                    while sprt.decide(&tally) == Decision::Open {
                        odds.play(&mut tally, &mut rng);
                    }
                    sprt.decide(&tally)
                };
                let errors = (0..MATCHES).map(decide).filter(|decision| *decision == wrong).count();
                let share = errors as f64 / f64::from(MATCHES);
                assert!(share <= worst, "{sprt:?} {odds:?}: {share}");
            }
        }
    }
}
