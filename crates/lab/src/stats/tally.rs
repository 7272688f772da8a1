//! Games between two players, counted.

use super::{Interval, Z95, elo, normal, wilson};

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
pub(super) const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

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

#[cfg(test)]
mod tests {
    use super::super::tests::close;
    use super::*;

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
}
