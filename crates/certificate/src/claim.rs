//! One half of a certificate: who guarantees how much.

use proofplay_core::{Player, Score};
use std::fmt;

/// `owner` has a strategy that never ends with less than `score`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Whose strategy it is.
    pub owner: Player,
    /// What it guarantees, in the view of `First`.
    pub score: Score,
}

impl Claim {
    /// First forces at least `score`.
    pub fn at_least(score: Score) -> Claim {
        Claim { owner: Player::First, score }
    }

    /// Second forces at most `score`.
    pub fn at_most(score: Score) -> Claim {
        Claim { owner: Player::Second, score }
    }

    /// Whether an end of the game is as good for the owner as claimed.
    #[inline]
    pub fn holds(self, end: Score) -> bool {
        end.seen_by(self.owner) >= self.score.seen_by(self.owner)
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.owner {
            Player::First => "at least",
            Player::Second => "at most",
        };
        write!(f, "{word} {}", self.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_compared_for_the_owner() {
        let holding = |claim: Claim| [-1, 0, 1].map(|end| claim.holds(Score(end)));
        assert_eq!(holding(Claim::at_least(Score::DRAW)), [false, true, true]);
        assert_eq!(holding(Claim::at_most(Score::DRAW)), [true, true, false]);
        assert_eq!(Claim::at_most(Score(-3)).to_string(), "at most -3");
    }
}
