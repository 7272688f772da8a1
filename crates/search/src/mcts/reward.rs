//! What a simulation is worth: its score, perhaps with a bonus for how it was won.
//!
//! Pepels, Tak, Lanctot & Winands, "Quality-based rewards for Monte-Carlo tree search simulations",
//! ECAI 2014 \[PTLW14\].
//!
//! ```text
//! Relative Bonus      lambda = (mean_d - d) / sigma_d        d: moves from the root to the end        (3)
//! Qualitative Bonus   lambda = (q - mean_q) / sigma_q        q: quality of the end for the winner     (6)
//! b(lambda) = a (-1 + 2 / (1 + exp(-k lambda)))                                                       (4)
//! reward    = r + sgn(r) b(lambda)                                                                    (5, 7)
//! a' = |Cov(X', Y)| / Var(Y),  X' = Y if the searching player wins, else 0                            (8)
//! ```
//!
//! Means and deviations are computed per winner (Welford) and start again with every search; no
//! bonus is given during the first 5 % of the expected simulations, or the first 100 if their
//! number is not known. Differs from the paper: both bonuses may be on together (its algorithm has
//! an `else if`); with one of them nothing differs.

use proofplay_core::{Player, num};

/// The bonus settings of one kind.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Bonus {
    /// The largest bonus; `None`: a', computed online.
    pub a: Option<f64>,
    /// The steepness of the sigmoid.
    pub k: f64,
}

/// Which bonuses are given.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Reward {
    /// For short simulations.
    pub relative: Option<Bonus>,
    /// For convincing ends.
    pub qualitative: Option<Bonus>,
}

/// One finished simulation.
#[derive(Copy, Clone, Debug)]
pub struct Simulation {
    /// Its score in the view of `First`, scaled to [-1, 1].
    pub r: f64,
    /// Who won.
    pub winner: Option<Player>,
    /// Moves from the root to the end.
    pub d: f64,
    /// The quality of the end for the winner, in (0, 1); only used with a Qualitative Bonus.
    pub q: f64,
}

/// Mean and variance of a stream of numbers (Welford 1962).
#[derive(Copy, Clone, Debug, Default)]
struct Welford {
    n: f64,
    mean: f64,
    m2: f64,
}

impl Welford {
    fn add(&mut self, x: f64) {
        self.n += 1.0;
        let delta = x - self.mean;
        self.mean += delta / self.n;
        self.m2 += delta * (x - self.mean);
    }

    /// The sample variance.
    fn variance(&self) -> f64 {
        if self.n > 1.0 { self.m2 / (self.n - 1.0) } else { 0.0 }
    }
}

/// The sample covariance of X' and Y.
#[derive(Copy, Clone, Debug, Default)]
struct Covariance {
    y: Welford,
    mean_x: f64,
    c: f64,
}

impl Covariance {
    fn add(&mut self, x: f64, y: f64) {
        self.y.add(y);
        let delta_x = x - self.mean_x;
        self.mean_x += delta_x / self.y.n;
        self.c += delta_x * (y - self.y.mean);
    }

    /// a' of equation 8.
    fn a(&self) -> f64 {
        let variance = self.y.variance();
        if variance > 0.0 { (self.c / (self.y.n - 1.0) / variance).abs() } else { 0.0 }
    }
}

/// The running statistics of one measure.
#[derive(Copy, Clone, Debug, Default)]
struct Measure {
    by_winner: [Welford; 2],
    all: Covariance,
}

impl Measure {
    /// The bonus for a value `y` that lies `sign * (y - mean)` above the winner's mean; then learns
    /// from it.
    fn bonus(&mut self, bonus: Bonus, sign: f64, y: f64, winner: Player, searcher: Player) -> f64 {
        let seen = &mut self.by_winner[winner.index()];
        let sigma = seen.variance().sqrt();
        let lambda = if sigma > 0.0 { sign * (y - seen.mean) / sigma } else { 0.0 };
        let a = bonus.a.unwrap_or_else(|| self.all.a());
        seen.add(y);
        self.all.add(if winner == searcher { y } else { 0.0 }, y);
        sigmoid(a, bonus.k, lambda)
    }
}

/// Simulations without a bonus if their number is not known, as with a time limit: a twentieth of
/// two thousand. Untuned.
const UNALTERED: u64 = 100;

/// b(lambda), equation 4.
fn sigmoid(a: f64, k: f64, lambda: f64) -> f64 {
    a * (-1.0 + 2.0 / (1.0 + num::exp(-k * lambda)))
}

/// The statistics of one search.
#[derive(Clone, Debug)]
pub struct Rewards {
    settings: Reward,
    searcher: Player,
    length: Measure,
    quality: Measure,
    unaltered: u64,
}

impl Rewards {
    /// For a search of `searcher` with this many expected simulations, if that is known.
    pub fn new(settings: Reward, searcher: Player, simulations: Option<u64>) -> Rewards {
        let (length, quality) = (Measure::default(), Measure::default());
        let unaltered = simulations.map_or(UNALTERED, |simulations| simulations / 20);
        Rewards { settings, searcher, length, quality, unaltered }
    }

    /// Whether the length of a simulation makes a difference.
    pub fn wants_length(&self) -> bool {
        self.settings.relative.is_some()
    }

    /// Whether the quality of ends is used.
    pub fn wants_quality(&self) -> bool {
        self.settings.qualitative.is_some()
    }

    /// The reward of a simulation, in the view of `First`.
    #[inline]
    pub fn of(&mut self, sim: Simulation) -> f64 {
        if self.settings == (Reward { relative: None, qualitative: None }) {
            return sim.r;
        }
        let Some(winner) = sim.winner else { return sim.r };
        let mut b = 0.0;
        if let Some(bonus) = self.settings.relative {
            b += self.length.bonus(bonus, -1.0, sim.d, winner, self.searcher);
        }
        if let Some(bonus) = self.settings.qualitative {
            b += self.quality.bonus(bonus, 1.0, sim.q, winner, self.searcher);
        }
        if self.unaltered > 0 {
            self.unaltered -= 1;
            return sim.r;
        }
        sim.r + sim.r.signum() * b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn win(d: f64, q: f64) -> Simulation {
        Simulation { r: 1.0, winner: Some(Player::First), d, q }
    }

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} is not {b}");
    }

    /// Equations 3 to 5 by hand: after lengths 10 and 14 the mean is 12 and sigma = sqrt(8); a win
    /// in 8 has lambda = 4 / sqrt(8).
    #[test]
    fn relative_bonus_by_hand() {
        let settings = Reward { relative: Some(Bonus { a: Some(0.25), k: 2.0 }), qualitative: None };
        let mut rewards = Rewards::new(settings, Player::First, Some(0));
        near(rewards.of(win(10.0, 0.5)), 1.0);
        near(rewards.of(win(14.0, 0.5)), 1.0);
        let lambda = 4.0 / 8f64.sqrt();
        near(rewards.of(win(8.0, 0.5)), 1.0 + 0.25 * (-1.0 + 2.0 / (1.0 + (-2.0 * lambda).exp())));
        // A loss has its own mean, and draws get nothing.
        near(rewards.of(Simulation { r: -1.0, winner: Some(Player::Second), d: 8.0, q: 0.5 }), -1.0);
        near(rewards.of(Simulation { r: 0.0, winner: None, d: 8.0, q: 0.5 }), 0.0);
    }

    /// Equations 6 and 7: high quality is good, for a loss it makes the reward smaller.
    #[test]
    fn qualitative_bonus_by_hand() {
        let settings = Reward { relative: None, qualitative: Some(Bonus { a: Some(0.5), k: 1.0 }) };
        let mut rewards = Rewards::new(settings, Player::First, Some(0));
        let loss = |q| Simulation { r: -1.0, winner: Some(Player::Second), d: 1.0, q };
        for q in [0.2, 0.4] {
            near(rewards.of(loss(q)), -1.0);
        }
        let lambda = (0.6 - 0.3) / 0.02f64.sqrt();
        near(rewards.of(loss(0.6)), -1.0 - 0.5 * (-1.0 + 2.0 / (1.0 + (-lambda).exp())));
    }

    /// Equation 8 by hand: Y = 2, 4, 6 with a win at 2 and 6: X' = 2, 0, 6; Cov = ((2-8/3)(-2) +
    /// (6-8/3)(2)) / 2 = 4, Var = 4.
    #[test]
    fn online_a_by_hand() {
        let mut all = Covariance::default();
        for (x, y) in [(2.0, 2.0), (0.0, 4.0), (6.0, 6.0)] {
            all.add(x, y);
        }
        near(all.a(), 1.0);
        all.add(0.0, 0.0);
        // Y = 2, 4, 6, 0: mean 3, Var = 20/3; X' mean 2: Cov = (0*-1 + -2*1 + 4*3 + -2*-3) / 3 =
        // 16/3.
        near(all.a(), 0.8);
    }

    /// After two simulations a' can have any size: X' = 100, 0 on Y = 100, 99 has a slope of 100.
    #[test]
    fn without_an_expectation_the_first_ones_are_unaltered() {
        let settings = Reward { relative: Some(Bonus { a: None, k: 9.0 }), qualitative: None };
        let mut rewards = Rewards::new(settings, Player::First, None);
        let loss = Simulation { r: -1.0, winner: Some(Player::Second), d: 99.0, q: 0.5 };
        let unaltered: Vec<f64> =
            [win(100.0, 0.5), loss, win(98.0, 0.5), win(90.0, 0.5)].map(|s| rewards.of(s)).into();
        assert_eq!(unaltered, [1.0, -1.0, 1.0, 1.0]);
        let altered = (0..1000).any(|i| rewards.of(win(f64::from(90 + i % 7), 0.5)) != 1.0);
        assert!(altered, "later ones are");
    }

    #[test]
    fn the_first_twentieth_is_unaltered() {
        let settings = Reward { relative: Some(Bonus { a: Some(1.0), k: 9.0 }), qualitative: None };
        let mut rewards = Rewards::new(settings, Player::First, Some(100));
        let altered: Vec<bool> = (0..10).map(|i| rewards.of(win(f64::from(i % 3), 0.5)) != 1.0).collect();
        assert_eq!(altered[..5], [false; 5]);
        assert!(altered[5..].iter().any(|&a| a));
    }
}
