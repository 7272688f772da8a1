//! What simulations make of a move, in words that a person knows: points and chances.

use proofplay_core::{Bounds, Player};
use proofplay_search::MoveReport;
use std::fmt;

/// An estimate of a move. All numbers are in the view of one player.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Estimate {
    /// The mean reward, from -1 to 1.
    pub mean: f64,
    /// The points that it stands for, where there are points and the mean is not of wins alone.
    pub points: Option<f64>,
    /// The share of simulations that were won, where there are points.
    pub wins: Option<f64>,
}

/// The score that a mean reward from -1 to 1 stands for, where `range` has the scores that the
/// searched position allows.
pub fn unscaled(mean: f64, range: Bounds) -> f64 {
    let (low, high) = (f64::from(range.pess.0), f64::from(range.opti.0));
    (mean * (high - low) + low + high) / 2.0
}

/// Whether more than win, draw and loss is at stake.
pub fn has_points(range: Bounds) -> bool {
    range.pess.0 < -1 || range.opti.0 > 1
}

impl Estimate {
    /// What a report says about a move, in the view of `player`; `None` if nothing was estimated.
    /// `range` has the scores that the searched position allows.
    pub fn of(m: &MoveReport<String>, range: Bounds, player: Player) -> Option<Estimate> {
        let first = player == Player::First;
        // Not -0.
        let own = |number: f64| if first { number } else { 0.0 - number };
        let mean = m.mean?;
        let points = (has_points(range) && !m.counts_wins).then(|| own(unscaled(mean, range)));
        let wins = m.wins.map(|wins| if first { wins } else { 1.0 - wins });
        Some(Estimate { mean: own(mean), points, wins })
    }
}

impl fmt::Display for Estimate {
    /// `+3.2 points, 61 %`, or where there are no points the mean, `+0.12`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.points {
            // Not -0.00.
            None => write!(f, "{:+.2}", (100.0 * self.mean).round() / 100.0 + 0.0),
            Some(points) => {
                write!(f, "{points:+.1} points")?;
                self.wins.map_or(Ok(()), |wins| write!(f, ", {:.0} %", 100.0 * wins))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::Score;
    use proofplay_registry::game;
    use proofplay_search::{Ask, Limits, Resources, Run};

    #[test]
    fn points_and_chances() {
        let range = Bounds::new(Score(-32), Score(18));
        assert_eq!([-1.0, 0.0, 0.28, 1.0].map(|mean| unscaled(mean, range)), [-32.0, -7.0, 0.0, 18.0]);
        let estimate = Estimate { mean: 0.5, points: Some(3.21), wins: Some(0.612) };
        assert_eq!(estimate.to_string(), "+3.2 points, 61 %");
        assert_eq!(Estimate { points: None, ..estimate }.to_string(), "+0.50");
    }

    /// Both searches estimate points on the same scale, and both players see the same game.
    #[test]
    fn searches_agree_about_points() {
        // First gets 2, whatever happens.
        let pos = game("written:((2 2) (2 (2 2)) 2)").unwrap().start();
        for spec in ["mcts:proof=none", "alphabeta:depth=1"] {
            let limits = Limits { simulations: Some(100), ..Limits::default() };
            let report =
                pos.search(&spec.parse().unwrap(), Resources::default(), Ask::Value, &mut Run::new(limits));
            let report = report.unwrap();
            let best = report.moves.iter().find(|m| Some(&m.mv) == report.best.as_ref()).unwrap();
            for (player, points) in [(Player::First, 2.0), (Player::Second, -2.0)] {
                let estimate = Estimate::of(best, pos.range(), player).unwrap();
                assert!((estimate.points.unwrap() - points).abs() < 1e-6, "{spec}: {estimate:?}");
            }
        }
    }
}
