//! Where the lines of a strategy end: where the game does, or already where a count decides.

use crate::claim::Claim;
use proofplay_core::{Bounds, Facts, Game, Player, Position, Score, guard};
use std::fmt;
use std::sync::Arc;

/// What ends the lines of a strategy.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Ends {
    /// The rules: every line is played out.
    #[default]
    Rules,
    /// The rules, or earlier a count ([`Facts::counted`]) that guarantees the owner the claim, at
    /// once or, if the owner is to move, after one of their moves.
    Counted,
}

/// An end of a line.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The game is over.
    Over(Score),
    /// The count guarantees the owner the claim.
    Counted,
    /// The game has lasted as long as claimed.
    Late,
}

/// Where lines of play of a game end.
pub(crate) struct LineEnds<P: Position> {
    /// The facts that count, if lines end where a count decides.
    counter: Option<Arc<dyn Facts<P>>>,
    /// The scores of the game.
    range: Bounds,
}

impl<P: Position> LineEnds<P> {
    /// Of this game; `None` if it has no count.
    pub fn new<G: Game<Pos = P>>(game: &G, ends: Ends) -> Option<LineEnds<P>> {
        let range = game.start().range();
        match ends {
            Ends::Rules => Some(LineEnds { counter: None, range }),
            Ends::Counted => {
                let counter = game.facts().filter(|facts| facts.counts())?;
                Some(LineEnds { counter: Some(counter), range })
            }
        }
    }

    /// Whether counts end lines.
    pub fn counts(&self) -> bool {
        self.counter.is_some()
    }

    /// Whether lines of play end at a position, given the claim, before another move; `plies` lead
    /// to it from the root.
    #[inline]
    pub fn at(&self, pos: &P, plies: usize, claim: Claim) -> Option<End> {
        if let Some(score) = guard::ended(pos) {
            return Some(End::Over(score));
        }
        let worst = match claim.owner {
            Player::First => self.range.pess,
            Player::Second => self.range.opti,
        };
        if claim.is_late(worst, plies) {
            return Some(End::Late);
        }
        let counted = self.counter.as_ref().and_then(|facts| facts.counted(pos, claim.owner));
        counted.is_some_and(|score| claim.holds(score, plies)).then_some(End::Counted)
    }

    /// Whether lines of play end at a position, well for the owner.
    #[inline]
    pub fn good(&self, pos: &P, plies: usize, claim: Claim) -> Option<bool> {
        self.at(pos, plies, claim).map(|end| match end {
            End::Over(score) => claim.holds(score, plies),
            End::Counted | End::Late => true,
        })
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
