//! What a position is worth to a search that stops before the end: ends of games and guesses on one
//! scale.

use proofplay_core::{Bounds, Player, Score};

/// The worth of a position in the view of `First`.
///
/// ```text
///      BEST - n          the best score there is, n plies after the root: sooner is better
///      MOST_GUESS        the largest guess, and the limit for all other scores
///      0                 a draw, or a guess that nobody is ahead
/// ```
///
/// and the same below 0. A guess is never the best or the worst score; between those it lies among
/// them, a guess of half of the way to the best score at half of that score. So a worth alone does
/// not distinguish a draw from a guess: see [`Found`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Worth(pub i16);

const BEST: i16 = 32_000;
/// Ends further away than this are all alike.
const FARTHEST: i16 = 8_000;
const MOST_GUESS: i16 = BEST - FARTHEST - 1;

impl Worth {
    /// Below everything.
    pub const LOWEST: Worth = Worth(-BEST - 1);
    /// Above everything.
    pub const HIGHEST: Worth = Worth(BEST + 1);

    /// The same worth in the view of `player` (and back again).
    #[inline]
    pub fn seen_by(self, player: Player) -> Worth {
        Worth(Score(self.0).seen_by(player).0)
    }

    /// Whether this is the best or the worst score, which no guess is.
    #[inline]
    pub fn is_decisive(self) -> bool {
        self.0.abs() > MOST_GUESS
    }

    /// The same with plies counted from a position at `ply` instead of from the root: what a table
    /// stores.
    #[inline]
    pub fn seen_from_position(self, ply: usize) -> Worth {
        self.moved(ply as i16)
    }

    /// The same with plies counted from the root again.
    #[inline]
    pub fn seen_from_root(self, ply: usize) -> Worth {
        self.moved(-(ply as i16))
    }

    fn moved(self, plies: i16) -> Worth {
        if self.is_decisive() {
            Worth(self.0.signum() * (self.0.abs() + plies).clamp(BEST - FARTHEST, BEST))
        } else {
            self
        }
    }

    /// How many plies after the root a decisive end is.
    pub fn plies(self) -> usize {
        (BEST - self.0.abs()) as usize
    }
}

/// How scores of a game become worths.
#[derive(Copy, Clone, Debug)]
pub struct Scale {
    /// The largest score of either player.
    most: i16,
    /// The scores of the game.
    range: Bounds,
}

impl Scale {
    /// For a game whose scores lie in `range`.
    pub fn new(range: Bounds) -> Scale {
        Scale { most: range.pess.0.abs().max(range.opti.0.abs()).max(1), range }
    }

    fn point(self) -> i16 {
        MOST_GUESS / self.most
    }

    /// The worth of a game that is over `ply` plies after the root.
    #[inline]
    pub fn end(self, score: Score, ply: usize) -> Worth {
        if score.0.abs() >= self.most {
            Worth(score.0.signum() * (BEST - (ply as i16).min(FARTHEST)))
        } else {
            Worth(score.0 * self.point())
        }
    }

    /// The score of a worth made by [`Scale::end`].
    pub fn score(self, worth: Worth) -> Score {
        Score(if worth.is_decisive() { self.most * worth.0.signum() } else { worth.0 / self.point() })
    }

    /// The worth of a guess in [-1, 1].
    #[inline]
    pub fn guess(self, value: f32) -> Worth {
        Worth((value.clamp(-1.0, 1.0) * f32::from(MOST_GUESS)) as i16)
    }

    /// A worth as a number in [-1, 1], the scale of rewards: its ends are those of the range.
    pub fn mean(self, worth: Worth) -> f64 {
        let (low, high) = (f64::from(self.range.pess.0), f64::from(self.range.opti.0));
        let score = f64::from(worth.0) / f64::from(MOST_GUESS) * f64::from(self.most);
        if high > low { ((2.0 * score - low - high) / (high - low)).clamp(-1.0, 1.0) } else { 0.0 }
    }
}

/// A worth, and which of its sides are certain: that the value is at least what it says, and at
/// most. A guess never sets `at_least` or `at_most`, so a search may back them up and store them in
/// a table, whatever its depth was.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Found {
    pub worth: Worth,
    pub at_least: bool,
    pub at_most: bool,
}

impl Found {
    /// Nothing is certain.
    #[inline]
    pub fn guess(worth: Worth) -> Found {
        Found { worth, at_least: false, at_most: false }
    }

    /// The same in the view of `player` (and back again).
    #[inline]
    pub fn seen_by(self, player: Player) -> Found {
        match player {
            Player::First => self,
            Player::Second => {
                Found { worth: self.worth.seen_by(player), at_least: self.at_most, at_most: self.at_least }
            }
        }
    }

    /// What is certain of a value within `range`.
    pub fn bounds(self, scale: Scale, range: Bounds) -> Bounds {
        let score = || scale.score(self.worth);
        Bounds {
            pess: if self.at_least { score() } else { range.pess },
            opti: if self.at_most { score() } else { range.opti },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_come_back_and_guesses_stay_between_them() {
        for most in [1, 2, 81, 361, 1000] {
            let scale = Scale::new(Bounds::new(Score(1 - most), Score(most)));
            let mut last = Worth::LOWEST;
            for score in -most..=most {
                let worth = scale.end(Score(score), 7);
                assert!(worth > last && worth < Worth::HIGHEST);
                assert_eq!(scale.score(worth), Score(score));
                last = worth;
            }
            for guess in [-1.0, -0.3, 0.0, 0.999, 1.0, 7.0] {
                assert!(!scale.guess(guess).is_decisive());
                assert!(scale.end(Score(most), 5000) > scale.guess(guess));
            }
            assert!(!scale.end(Score(most - 1), 0).is_decisive());
        }
    }

    #[test]
    fn sooner_wins_and_later_losses_are_better() {
        let scale = Scale::new(Bounds::WDL);
        let worth = |score, ply| scale.end(Score(score), ply);
        assert!(worth(1, 3) > worth(1, 5) && worth(-1, 5) > worth(-1, 3));
        assert_eq!(worth(1, 9).seen_from_position(4), worth(1, 5));
        assert_eq!(worth(-1, 5).seen_from_root(4), worth(-1, 9));
        assert_eq!((worth(-1, 5).plies(), worth(1, 5).plies()), (5, 5));
        assert_eq!(worth(0, 5).seen_from_position(4), Worth(0));
        assert_eq!(worth(1, 7999).seen_from_root(500), worth(1, 8000), "far ends stay decisive");
    }
}
