//! What is already certain about a value: an interval that only ever tightens.

use crate::{Player, Score};
use std::fmt;

/// A certain interval: `pess <= value <= opti`, in the view of [`Player::First`].
///
/// ```
/// use proofplay_core::{Bounds, Player, Score};
/// // First moves: one reply is a proven draw, the other is unknown.
/// let children = [Bounds::exact(Score::DRAW), Bounds::WDL];
/// let b = Bounds::minimax(Player::First, children);
/// assert_eq!((b.pess, b.opti), (Score::DRAW, Score::WIN));
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bounds {
    /// The value is at least this.
    pub pess: Score,
    /// The value is at most this.
    pub opti: Score,
}

impl Bounds {
    /// Win, draw or loss: nothing known.
    pub const WDL: Bounds = Bounds { pess: Score::LOSS, opti: Score::WIN };

    /// The interval from `pess` to `opti`.
    ///
    /// # Panics
    /// If `pess` is above `opti`.
    #[inline]
    pub const fn new(pess: Score, opti: Score) -> Bounds {
        assert!(pess.0 <= opti.0, "bounds need a `pess` that is not above their `opti`");
        Bounds { pess, opti }
    }

    /// The value is `score`.
    #[inline]
    pub const fn exact(score: Score) -> Bounds {
        Bounds { pess: score, opti: score }
    }

    /// Both ends are equal: the value is known.
    #[inline]
    pub const fn is_exact(self) -> bool {
        self.pess.0 == self.opti.0
    }

    /// Who wins is certain, though perhaps not by how much.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.pess.0 > 0 || self.opti.0 < 0
    }

    /// The value if it is known.
    #[inline]
    pub const fn value(self) -> Option<Score> {
        if self.is_exact() { Some(self.pess) } else { None }
    }

    /// Whether `score` lies inside.
    #[inline]
    pub const fn contains(self, score: Score) -> bool {
        self.pess.0 <= score.0 && score.0 <= self.opti.0
    }

    /// Whether the other interval lies inside.
    #[inline]
    pub const fn encloses(self, other: Bounds) -> bool {
        self.pess.0 <= other.pess.0 && other.opti.0 <= self.opti.0
    }

    /// What is certain when both are: the intersection.
    ///
    /// # Panics
    /// If they have nothing in common: then one of them does not hold.
    #[inline]
    pub fn tighten(self, other: Bounds) -> Bounds {
        let both = Bounds { pess: self.pess.max(other.pess), opti: self.opti.min(other.opti) };
        if both.pess > both.opti {
            crate::guard::contradiction(both);
        }
        both
    }

    /// The same interval in the view of `player` (and back again).
    #[inline]
    pub const fn seen_by(self, player: Player) -> Bounds {
        match player {
            Player::First => self,
            Player::Second => Bounds { pess: Score(-self.opti.0), opti: Score(-self.pess.0) },
        }
    }

    /// The only backup rule there is: the mover takes the best of what the children guarantee
    /// (`pess`) and of what they still allow (`opti`).
    ///
    /// # Panics
    /// Without children.
    #[inline]
    pub fn minimax(mover: Player, children: impl IntoIterator<Item = Bounds>) -> Bounds {
        children
            .into_iter()
            .reduce(|a, b| match mover {
                Player::First => Bounds { pess: a.pess.max(b.pess), opti: a.opti.max(b.opti) },
                Player::Second => Bounds { pess: a.pess.min(b.pess), opti: a.opti.min(b.opti) },
            })
            .expect("a position that is not over has at least one move")
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.pess, self.opti)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn b(pess: i16, opti: i16) -> Bounds {
        Bounds::new(Score(pess), Score(opti))
    }

    #[test]
    fn each_mover_takes_the_best_ends() {
        let children = [b(-3, 5), b(0, 2), b(-8, -1)];
        assert_eq!(Bounds::minimax(Player::First, children), b(0, 5));
        assert_eq!(Bounds::minimax(Player::Second, children), b(-8, -1));
    }

    #[test]
    fn views_mirror_the_interval() {
        assert_eq!(b(-3, 5).seen_by(Player::Second), b(-5, 3));
        let views = [b(-3, 5), b(0, 2)].map(|x| x.seen_by(Player::Second));
        let second = Bounds::minimax(Player::Second, [b(-3, 5), b(0, 2)]);
        assert_eq!(second.seen_by(Player::Second), Bounds::minimax(Player::First, views));
    }

    #[test]
    #[should_panic(expected = "a value cannot be at least +5 and at most +1: `Position::range`")]
    fn contradictions_are_named() {
        let _ = b(5, 9).tighten(Bounds::WDL);
    }

    #[test]
    fn tightening_intersects() {
        assert_eq!(b(-3, 5).tighten(b(-9, 2)), b(-3, 2));
        assert!(b(-3, 5).encloses(b(-3, 2)) && !b(-3, 2).encloses(b(-3, 5)));
        assert!(b(1, 4).is_decisive() && b(-4, -1).is_decisive() && !b(0, 3).is_decisive());
    }
}
