//! How soon a game ends: values that count plies.
//!
//! Where the value v of a position is known and somebody wins, the same searches answer a second question: after how many plies
//! is the game over, if the winner hurries and the loser holds out? For that, ends of the game get other scores. In the view of
//! the winner, n plies after the root:
//!
//! ```text
//! better than v    T          the loser never allows it
//! v                T - n      the sooner, the better for the winner
//! worse than v     -T         the winner never allows it
//! ```
//!
//! So points come first, plies second. The value of the root is then T - n, where n is the distance. A position has such a value
//! at one ply only: keys of tables are mixed with the ply.

use proofplay_core::{Bounds, Key, Player, Score, guard, mix};

/// The score T.
const TOP: i16 = 32_000;

/// The longest game that is counted.
const LONGEST: i16 = 2 * guard::MOST_PLIES as i16;

/// What is counted: the plies until `winner` has the score `value` (in the view of `First`).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Distance {
    winner: Player,
    value: Score,
}

impl Distance {
    /// For a position of this value; `None` if nobody wins.
    pub fn of(value: Score) -> Option<Distance> {
        value.winner().map(|winner| Distance { winner, value })
    }

    /// The score of a win after `plies`, in the view of `First`.
    pub fn score(self, plies: u32) -> Score {
        Score(TOP - plies as i16).seen_by(self.winner)
    }

    /// The plies that an exact value stands for.
    pub fn plies(self, bounds: Bounds) -> Option<u32> {
        bounds.value().map(|value| (TOP - value.seen_by(self.winner).0) as u32)
    }

    /// The window that asks whether the game is over within this many plies.
    pub fn within(self, plies: u32) -> Bounds {
        let Score(score) = Score(TOP - plies as i16);
        Bounds { pess: Score(score - 1), opti: Score(score) }.seen_by(self.winner)
    }

    /// The least number of plies that is possible, and the greatest where one is known.
    pub fn span(self, known: Bounds) -> (u32, Option<u32>) {
        let Bounds { pess, opti } = known.seen_by(self.winner);
        let most = (TOP - pess.0) as u32;
        ((TOP - opti.0) as u32, Some(most).filter(|&most| most < LONGEST as u32))
    }
}

/// How ends of the game are scored.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Scoring {
    /// By the rules.
    #[default]
    Rules,
    /// By their distance from a root; the searched position is `ply` plies after it.
    Plies {
        /// What is counted.
        distance: Distance,
        /// The plies before the searched position.
        ply: usize,
    },
}

impl Scoring {
    /// The score of a game that has ended `ply` plies after the searched position, and by the rules with `score`.
    #[inline]
    pub fn end(self, score: Score, ply: usize) -> Score {
        match self {
            Scoring::Rules => score,
            Scoring::Plies { distance: Distance { winner, value }, ply: before } => {
                let own = match score.seen_by(winner).cmp(&value.seen_by(winner)) {
                    std::cmp::Ordering::Less => -TOP,
                    std::cmp::Ordering::Equal => TOP - (before + ply) as i16,
                    std::cmp::Ordering::Greater => TOP,
                };
                Score(own).seen_by(winner)
            }
        }
    }

    /// What bounds on the value by the rules say about a position where the game is not over, `ply` plies after the searched
    /// one.
    #[inline]
    pub fn bounds(self, certain: Bounds, ply: usize) -> Bounds {
        match self {
            Scoring::Rules => certain,
            Scoring::Plies { distance: Distance { winner, value }, ply: before } => {
                let (own, enough) = (certain.seen_by(winner), value.seen_by(winner));
                let soonest = TOP - (before + ply) as i16 - 1;
                let pess = match own.pess.cmp(&enough) {
                    std::cmp::Ordering::Less => -TOP,
                    std::cmp::Ordering::Equal => TOP - LONGEST,
                    std::cmp::Ordering::Greater => TOP,
                };
                let opti = match own.opti.cmp(&enough) {
                    std::cmp::Ordering::Less => -TOP,
                    std::cmp::Ordering::Equal => soonest,
                    std::cmp::Ordering::Greater => TOP,
                };
                Bounds { pess: Score(pess), opti: Score(opti) }.seen_by(winner)
            }
        }
    }

    /// What the key of a position is mixed with, `ply` plies after the searched one.
    #[inline]
    pub fn key(self, ply: usize) -> Key {
        match self {
            Scoring::Rules => 0,
            Scoring::Plies { ply: before, .. } => mix(2 << 64 | (before + ply) as Key),
        }
    }

    /// The same for a position that is `ply` plies after the root.
    pub fn at(self, ply: usize) -> Scoring {
        match self {
            Scoring::Rules => Scoring::Rules,
            Scoring::Plies { distance, .. } => Scoring::Plies { distance, ply },
        }
    }

    /// The plies before the searched position.
    pub fn ply(self) -> usize {
        match self {
            Scoring::Rules => 0,
            Scoring::Plies { ply, .. } => ply,
        }
    }

    /// Whether plies count. A set of moves that contains a best one need not contain the quickest.
    #[inline]
    pub fn counts_plies(self) -> bool {
        self != Scoring::Rules
    }
}
