//! Simulated matches, to measure how often the statistics are right.

use super::Tally;
use proofplay_core::Rng;

/// The distribution of the games of a match.
#[derive(Copy, Clone, Debug)]
pub struct Odds {
    /// The chance that A loses a game.
    pub losses: f64,
    /// The chance of a draw.
    pub draws: f64,
    /// The share of pairs whose games are alike; below 0: opposite, as where an opening favours one
    /// side. Others are independent.
    pub alike: f64,
}

impl Odds {
    /// The distribution with this score; `None` if it is impossible with that many draws.
    pub fn scoring(score: f64, draws: f64, alike: f64) -> Option<Odds> {
        let losses = 1.0 - score - draws / 2.0;
        (losses >= 0.0 && losses + draws <= 1.0).then_some(Odds { losses, draws, alike })
    }

    /// The score to expect.
    pub fn score(&self) -> f64 {
        1.0 - self.losses - self.draws / 2.0
    }

    /// One more pair.
    pub fn play(&self, tally: &mut Tally, rng: &mut Rng) {
        let half_points = |u: f64| usize::from(u >= self.losses) + usize::from(u >= self.losses + self.draws);
        let one = rng.unit();
        let other = match rng.unit() < self.alike.abs() {
            false => rng.unit(),
            true if self.alike > 0.0 => one,
            true => 1.0 - one,
        };
        let games = [half_points(one), half_points(other)];
        for game in games {
            *[&mut tally.losses, &mut tally.draws, &mut tally.wins][game] += 1;
        }
        tally.pairs[games[0] + games[1]] += 1;
    }

    /// A match of this many pairs.
    pub fn tally(&self, pairs: u32, rng: &mut Rng) -> Tally {
        let mut tally = Tally::default();
        (0..pairs).for_each(|_| self.play(&mut tally, rng));
        tally
    }
}
