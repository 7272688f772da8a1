//! Where the lines of a strategy end: where the game does, or already where a count decides.

use crate::claim::Claim;
use proofplay_core::{Position, Score, guard};
use std::fmt;

/// What ends the lines of a strategy.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Ends {
    /// The rules: every line is played out.
    #[default]
    Rules,
    /// The rules, or before that a count by which the owner gets what is claimed ([`Position::counted`]), at once or, if the
    /// owner is to move, after one of their moves.
    Counted,
}

/// An end of a line.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The game is over.
    Over(Score),
    /// The owner gets what is claimed, whatever follows.
    Counted,
}

impl Ends {
    /// Whether lines of play end at a position, given what is claimed, before anybody moves.
    #[inline]
    pub(crate) fn at<P: Position>(self, pos: &P, claim: Claim) -> Option<End> {
        if let Some(score) = guard::ended(pos) {
            return Some(End::Over(score));
        }
        let counted =
            self == Ends::Counted && pos.counted(claim.owner).is_some_and(|score| claim.holds(score));
        counted.then_some(End::Counted)
    }
}

impl fmt::Display for Ends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ends::Rules => "rules",
            Ends::Counted => "counted",
        })
    }
}
