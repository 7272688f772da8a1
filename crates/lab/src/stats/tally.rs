//! Games between two players, counted, and what they show about who is stronger.
//!
//! The two games of a pair (the same opening with the sides swapped) are not independent: an
//! opening may favour one side. So a pair is one observation, a game whose other one is missing is
//! one as well, and the interval of the score is Student's, with the variance between observations.
//!
//! That alone would be far too narrow where few pairs differ: five drawn pairs vary by nothing. So
//! two more pairs are counted, one on either side of an even score, as Agresti & Coull \[AC98\] do
//! for shares. Their distance from it is estimated from the decided pairs so far and one that is
//! won or lost twice: half a point where most games are drawn, a whole one without draws.
//!
//! In matches of 1 to 200 pairs with up to 95 % draws, and with games of a pair that are
//! independent, alike or opposite, the true score is within the interval in at least 93.5 % of the
//! cases (all outcomes of up to 30 pairs, simulated above), and mostly in 95 to 99 %. From 50 pairs
//! on it is 1.0 to 1.1 times as wide as that of the normal distribution with the true variance, and
//! up to 1.3 times where only five pairs differ from the others.

use super::{Interval, elo, student, t95};
use std::ops::AddAssign;

/// What came of games between A and B, counted for A.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Games that A has won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that A has lost.
    pub losses: u64,
    /// Pairs by the points that A got out of them: 0, 1/2, 1, 3/2, 2.
    pub pairs: [u64; 5],
    /// Games whose other one is missing, by the points that A got: 0, 1/2, 1.
    pub lone: [u64; 3],
}

impl AddAssign for Tally {
    fn add_assign(&mut self, more: Tally) {
        self.wins += more.wins;
        self.draws += more.draws;
        self.losses += more.losses;
        self.pairs.iter_mut().zip(more.pairs).for_each(|(sum, n)| *sum += n);
        self.lone.iter_mut().zip(more.lone).for_each(|(sum, n)| *sum += n);
    }
}

/// The scores a pair can have, per game.
pub(super) const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

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
                    tally.lone[usize::from(points)] -= 1;
                    tally.pairs[usize::from(points + half_points)] += 1;
                    open = None;
                }
                _ => {
                    tally.lone[usize::from(half_points)] += 1;
                    open = Some((number, half_points));
                }
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

    /// Pairs and lone games: what is independent.
    pub(crate) fn observations(&self) -> u64 {
        self.pairs.iter().chain(&self.lone).sum()
    }

    /// The square sum of what observations differ from `score` points a game.
    pub(crate) fn squares(&self, score: f64) -> f64 {
        let sum = |counts: &[u64], games: f64| -> f64 {
            let all = counts.iter().enumerate();
            all.map(|(i, &n)| n as f64 * (i as f64 / 2.0 - games * score).powi(2)).sum()
        };
        sum(&self.pairs, 2.0) + sum(&self.lone, 1.0)
    }

    /// The square of the points by which the two added pairs are won and lost: the mean over
    /// decided pairs and one that is won twice.
    pub(crate) fn margin(&self) -> f64 {
        let [lost, rather_lost, _, rather_won, won] = self.pairs.map(|n| n as f64);
        let (by_one, by_half) = (1.0 + lost + won, rather_lost + rather_won);
        (by_one + by_half / 4.0) / (by_one + by_half)
    }

    /// The middle of the interval and its standard error, with the two added pairs.
    fn estimate(&self) -> (f64, f64) {
        let (games, margin) = (self.games() as f64 + 4.0, self.margin());
        let mean = (self.points() + 2.0) / games;
        // Of one pair 1 + m points, of the other 1 - m, where 2 mean are expected of each.
        let squares = self.squares(mean) + 2.0 * (margin + (1.0 - 2.0 * mean).powi(2));
        let n = self.observations() as f64 + 2.0;
        (mean, (squares * n / (n - 1.0)).sqrt() / games)
    }

    /// Degrees of freedom, with the two added pairs.
    fn degrees(&self) -> u64 {
        self.observations() + 1
    }

    /// The score with its interval.
    pub fn score(&self) -> Interval {
        let mean = if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 };
        let ((middle, error), t) = (self.estimate(), t95(self.degrees()));
        // What was scored is not beyond what is possible.
        Interval {
            mean,
            low: (middle - t * error).max(0.0).min(mean),
            high: (middle + t * error).min(1.0).max(mean),
        }
    }

    /// The Elo difference: that of the score, and of the ends of its interval.
    pub fn elo(&self) -> Interval {
        let score = self.score();
        Interval { mean: elo(score.mean), low: elo(score.low), high: elo(score.high) }
    }

    /// How likely A is the stronger player: above 97.5 % or below 2.5 % exactly where the interval
    /// of the score is all above or all below a half.
    pub fn superiority(&self) -> f64 {
        let (middle, error) = self.estimate();
        student((middle - 0.5) / error, self.degrees())
    }
}

#[cfg(test)]
mod tests {
    use super::super::simulate::Odds;
    use super::super::tests::close;
    use super::super::{Z95, expected};
    use super::*;
    use proofplay_core::Rng;

    /// A match with these pairs, in which no pair with one point was drawn twice.
    fn tally(pairs: [u64; 5]) -> Tally {
        let [a, b, c, d, e] = pairs;
        Tally { wins: c + d + 2 * e, draws: b + d, losses: 2 * a + b + c, pairs, lone: [0; 3] }
    }

    #[test]
    fn games_are_counted() {
        // Won twice, drawn and lost, a pair of which the first game is missing, and one of which
        // the second is.
        let tally = Tally::of([(0, 2), (1, 2), (2, 1), (3, 0), (5, 2), (6, 0)]);
        assert_eq!((tally.wins, tally.draws, tally.losses), (3, 1, 2));
        assert_eq!((tally.pairs, tally.lone), ([0, 1, 0, 0, 1], [1, 0, 1]));
        assert_eq!((tally.games(), tally.points(), tally.observations()), (6, 3.5, 4));
        // Half a point of 2, 2 of 2, 0 of 1 and 1 of 1, where 0.6 are expected of each game.
        close(tally.squares(0.6), 0.49 + 0.64 + 0.36 + 0.16, 1e-12);
        let mut twice = tally;
        twice += tally;
        assert_eq!((twice.games(), twice.points(), twice.observations()), (12, 7.0, 8));
    }

    /// By hand: 3 draws, 1 won, so one pair added that is won by m = √(5/8), one that is lost: of
    /// six pairs 1, 1, 1, 3/2, 1 ± m points.
    #[test]
    fn the_interval_by_hand() {
        let tally = tally([0, 0, 3, 1, 0]);
        let squares = 3.0 * (0.5f64 / 6.0).powi(2) + (2.5f64 / 6.0).powi(2) + 2.0 * (5.0 / 8.0 + 1.0 / 144.0);
        let half = 2.5705818356363146 * (squares / 4.0 / 5.0 / 6.0).sqrt();
        let score = tally.score();
        assert_eq!(score.mean, 4.5 / 8.0);
        close(score.low, 6.5 / 12.0 - half, 1e-12);
        close(score.high, 6.5 / 12.0 + half, 1e-12);
    }

    /// The interval of the score, that of Elo and the chance to be stronger never contradict each
    /// other, whatever was played.
    #[test]
    fn lines_agree() {
        let (mut rng, mut sure) = (Rng::new(3), 0);
        for _ in 0..20_000 {
            let games = rng.below(40);
            let (loss, draw) = (rng.unit(), rng.unit());
            let number = |i: u32| if i > 20 { i * 2 } else { i };
            let result = |rng: &mut Rng| match rng.unit() {
                u if u < loss => 0,
                _ if rng.unit() < draw => 1,
                _ => 2,
            };
            let tally = Tally::of((0..games).map(|i| (number(i), result(&mut rng))));
            let (score, elos, superiority) = (tally.score(), tally.elo(), tally.superiority());
            assert!(0.0 <= score.low && score.low <= score.mean, "{tally:?} {score:?}");
            assert!(score.mean <= score.high && score.high <= 1.0, "{tally:?} {score:?}");
            for (elo, score) in [(elos.mean, score.mean), (elos.low, score.low), (elos.high, score.high)] {
                close(expected(elo), score, 1e-12);
            }
            assert_eq!(score.low > 0.5, superiority > 0.975, "{tally:?} {score:?} {superiority}");
            assert_eq!(score.high < 0.5, superiority < 0.025, "{tally:?} {score:?} {superiority}");
            sure += usize::from(!score.contains(0.5));
        }
        assert!((5_000..15_000).contains(&sure), "{sure}");
    }

    #[test]
    fn little_is_known_of_little() {
        let nothing = Interval { mean: 0.5, low: 0.0, high: 1.0 };
        assert_eq!((Tally::default().score(), Tally::default().superiority()), (nothing, 0.5));
        // One pair, or one game.
        assert_eq!(tally([0, 0, 0, 0, 1]).score(), Interval { mean: 1.0, ..nothing });
        assert_eq!(Tally::of([(0, 0)]).score(), Interval { mean: 0.0, ..nothing });
        assert!((0.35..0.45).contains(&Tally::of([(0, 0)]).superiority()));
        // All pairs alike: equals would have four of these in one of 8 matches, and five in one of 16.
        assert!(tally([0, 0, 0, 0, 4]).score().contains(0.5) && tally([4, 0, 0, 0, 0]).score().contains(0.5));
        assert!(tally([0, 0, 0, 0, 5]).score().low > 0.5 && tally([5, 0, 0, 0, 0]).score().high < 0.5);
        assert_eq!(tally([0, 0, 0, 0, 5]).elo().high, f64::INFINITY);
        let (even, drawn) = (tally([0, 0, 9, 0, 0]).score(), tally([0, 0, 900, 0, 0]).score());
        assert!(even.low < 0.45 && even.high > 0.55 && drawn.high - drawn.low < 0.01, "{even:?} {drawn:?}");
        assert_eq!(tally([0, 0, 9, 0, 0]).superiority(), 0.5);
        // Games that lack their other one count, too.
        let lone = Tally::of((0..40).map(|i| (2 * i, 2)));
        assert!(lone.score().low > 0.8 && lone.superiority() > 0.999, "{:?}", lone.score());
    }

    /// How often the true score is within the interval, and how wide that is: see the head of this
    /// file.
    #[test]
    fn intervals_cover_what_they_say() {
        const MATCHES: u32 = 2000;
        for pairs in [3, 5, 10, 20, 50, 100, 200] {
            for (i, draws) in [0.0, 0.3, 0.6, 0.9, 0.95].into_iter().enumerate() {
                for (j, wins) in [0.5, 0.75, 0.95, 1.0].into_iter().enumerate() {
                    for (k, alike) in [0.0, 0.8, -0.3, -0.8].into_iter().enumerate() {
                        // Of the games that are no draws, `wins` are won.
                        let odds = Odds { losses: (1.0 - draws) * (1.0 - wins), draws, alike };
                        let parts = [pairs, i as u32, j as u32, k as u32].map(u64::from);
                        check(odds, pairs, MATCHES, &mut Rng::from_parts(&parts));
                    }
                }
            }
        }
    }

    fn check(odds: Odds, pairs: u32, matches: u32, rng: &mut Rng) {
        let (mut within, mut width, mut error, mut odd) = (0, 0.0, 0.0, 0);
        for _ in 0..matches {
            let tally = odds.tally(pairs, rng);
            let score = tally.score();
            within += u32::from(score.contains(odds.score()));
            width += score.high - score.low;
            error += (score.mean - odds.score()).powi(2);
            odd += u64::from(pairs) - tally.pairs.into_iter().max().unwrap_or(0);
        }
        let n = f64::from(matches);
        let within = f64::from(within) / n;
        let ideal = 2.0 * Z95 * (error / n).sqrt();
        assert!(within >= 0.93, "{odds:?}, {pairs} pairs: {within}");
        // The normal distribution is none to compare with where fewer than five pairs differ.
        let odd = odd as f64 / n;
        if pairs >= 50 && (odd >= 5.0 || odds.alike == 0.0 && odd >= 4.5) {
            assert!(width / n <= 1.3 * ideal, "{odds:?}, {pairs} pairs: {} times as wide", width / n / ideal);
        }
    }
}
