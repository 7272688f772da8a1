//! One half of a certificate: who guarantees how much.

use proofplay_core::{Player, Score};
use std::fmt;

/// `owner` has a strategy that never ends with less than `score`, and perhaps ends soon or late.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Whose strategy it is.
    pub owner: Player,
    /// What it guarantees, in the view of `First`.
    pub score: Score,
    /// If there is a number, a game that ends with just this score has at most so many plies if the
    /// owner wins by it, and at least so many if the owner loses.
    pub within: Option<u16>,
}

impl Claim {
    /// First forces at least `score`.
    pub fn at_least(score: Score) -> Claim {
        Claim { owner: Player::First, score, within: None }
    }

    /// Second forces at most `score`.
    pub fn at_most(score: Score) -> Claim {
        Claim { owner: Player::Second, score, within: None }
    }

    /// The same claim, and how soon or late the game ends.
    pub fn with_plies(self, within: Option<u16>) -> Claim {
        Claim { within, ..self }
    }

    /// Whether the owner is the one who wins by the score.
    #[inline]
    pub fn wins(self) -> bool {
        self.score.winner() == Some(self.owner)
    }

    /// Whether an end of the game after so many plies is as good for the owner as claimed.
    #[inline]
    pub fn holds(self, end: Score, plies: usize) -> bool {
        let (end, score) = (end.seen_by(self.owner), self.score.seen_by(self.owner));
        match self.within {
            Some(within) if end == score && self.wins() => plies <= usize::from(within),
            Some(within) if end == score => plies >= usize::from(within),
            _ => end >= score,
        }
    }

    /// What tells positions apart that are otherwise the same: the plies from the root, if they count.
    #[inline]
    pub fn level(self, plies: usize) -> u16 {
        // No game with more plies than a claim can name ends as claimed, or all do.
        self.within.map_or(0, |_| plies.min(usize::from(u16::MAX)) as u16)
    }

    /// Whether nothing is left to be shown after so many plies if the game is not over: the owner
    /// loses at worst by the score, and not too soon any more.
    #[inline]
    pub fn is_late(self, worst: Score, plies: usize) -> bool {
        self.within
            .is_some_and(|within| self.score == worst && !self.wins() && plies + 1 >= usize::from(within))
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.owner {
            Player::First => "at least",
            Player::Second => "at most",
        };
        write!(f, "{word} {}", self.score)?;
        match self.within {
            None => Ok(()),
            Some(plies) if self.wins() => {
                write!(f, " within {plies} {}", if plies == 1 { "ply" } else { "plies" })
            }
            Some(plies) => write!(f, " not before ply {plies}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_compared_for_the_owner() {
        let holding = |claim: Claim| [-1, 0, 1].map(|end| claim.holds(Score(end), 7));
        assert_eq!(holding(Claim::at_least(Score::DRAW)), [false, true, true]);
        assert_eq!(holding(Claim::at_most(Score::DRAW)), [true, true, false]);
        assert_eq!(Claim::at_most(Score(-3)).to_string(), "at most -3");
    }

    #[test]
    fn winners_hurry_and_losers_hold_out() {
        let after = |claim: Claim, end| [4, 5, 6].map(|plies| claim.holds(Score(end), plies));
        let winner = Claim::at_least(Score(2)).with_plies(Some(5));
        assert_eq!(after(winner, 1), [false; 3]);
        assert_eq!(after(winner, 2), [true, true, false]);
        assert_eq!(after(winner, 3), [true; 3], "more points at any time");
        let loser = Claim::at_most(Score(2)).with_plies(Some(5));
        assert_eq!(after(loser, 1), [true; 3], "fewer points at any time");
        assert_eq!(after(loser, 2), [false, true, true]);
        assert_eq!(after(loser, 3), [false; 3]);
        // An open game has one more ply at least.
        let late = |claim: Claim, worst| [3, 4].map(|plies| claim.is_late(Score(worst), plies));
        assert_eq!(late(loser, 2), [false, true]);
        assert_eq!(late(loser, 3), [false; 2], "First may still get more");
        assert_eq!(late(winner, 2), [false; 2]);
        assert_eq!(winner.to_string(), "at least +2 within 5 plies");
        assert_eq!(loser.to_string(), "at most +2 not before ply 5");
    }
}
