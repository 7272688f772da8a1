//! How much a finished game is worth.

use crate::Player;
use std::fmt;
use std::ops::Neg;

/// The worth of a finished game in the view of [`Player::First`]: +1, 0, -1 for win, draw, loss, or
/// points.
///
/// ```
/// use proofplay_core::{Player, Score};
/// assert_eq!(Score::WIN.seen_by(Player::Second), Score::LOSS);
/// assert_eq!(Score(-7).winner(), Some(Player::Second));
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Score(pub i16);

impl Score {
    /// `First` has won a game that knows only win, draw and loss.
    pub const WIN: Score = Score(1);
    /// Nobody has won.
    pub const DRAW: Score = Score(0);
    /// `First` has lost a game that knows only win, draw and loss.
    pub const LOSS: Score = Score(-1);

    /// A win of `player` in a win/draw/loss game.
    #[inline]
    pub const fn win_of(player: Player) -> Score {
        match player {
            Player::First => Score::WIN,
            Player::Second => Score::LOSS,
        }
    }

    /// The same score in the view of `player` (and back again).
    #[inline]
    pub const fn seen_by(self, player: Player) -> Score {
        match player {
            Player::First => self,
            Player::Second => Score(-self.0),
        }
    }

    /// Who is ahead; `None` at 0.
    #[inline]
    pub const fn winner(self) -> Option<Player> {
        match self.0 {
            0 => None,
            1.. => Some(Player::First),
            _ => Some(Player::Second),
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { f.write_str("0") } else { write!(f, "{:+}", self.0) }
    }
}
