//! Sets of positions with a number for each, and what a table says about one of them.

use crate::{Bounds, Player, Position, Score};
use std::fmt;

/// A set of positions of a game that never leads out of it, with a number for each: "all positions with up to four pieces".
///
/// What was played before is left aside, as in [`Position::packed`], and so are counters that end the game with a draw. The players
/// alternate, scores are those of win, draw and loss, and the third occurrence of a position is a draw. The numbers come in parts:
/// a move leads into the same part or an earlier one, so each part can be solved when the earlier ones are. Positions that are
/// alike, such as mirror images, may share a number.
pub trait Numbering<P: Position>: Send + Sync {
    /// How many numbers each part has, each fewer than 2^32.
    fn parts(&self) -> Vec<u64>;

    /// The number of a position that is not over; `None` if it is not in the set.
    fn find(&self, pos: &P) -> Option<Place>;

    /// A position with this number, with an empty history and no counted moves; `None` if there is none. It may be over, or have
    /// another number if it shares that with another position.
    fn position(&self, place: Place) -> Option<P>;

    /// The plies from `pos` after which a counter may end the game; `None` if there is no counter.
    fn room(&self, pos: &P) -> Option<u32> {
        let _ = pos;
        None
    }
}

/// The number of a position in a [`Numbering`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The part.
    pub part: u32,
    /// The number there.
    pub index: u32,
}

/// What a table knows about a position, in the view of its mover: its value and, if somebody wins, the plies to the end of the
/// game if the winner hurries and the loser holds out.
///
/// In 16 bits: the plies, plus 2^14 for a win or 2^15 for a loss; 0 is a draw, 2^16 - 1 stands for no position.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Entry(u16);

impl Entry {
    /// Nobody wins.
    pub const DRAW: Entry = Entry(0);
    /// No position, or one that is over.
    pub const NONE: Entry = Entry(u16::MAX);
    /// The longest way to a win.
    pub const MOST_PLIES: u32 = (1 << 14) - 1;
    const WIN: u16 = 1 << 14;
    const LOSS: u16 = 1 << 15;

    /// The mover wins or loses in so many plies.
    ///
    /// # Panics
    /// If there are more than [`Entry::MOST_PLIES`].
    pub fn decided(wins: bool, plies: u32) -> Entry {
        assert!(plies <= Entry::MOST_PLIES, "{plies} plies are too many");
        Entry(plies as u16 | if wins { Entry::WIN } else { Entry::LOSS })
    }

    /// What a value in the view of `First` is for this mover; `None` if it is not a win, a draw or a loss, or too far away.
    pub fn of(value: Score, plies: Option<u32>, mover: Player) -> Option<Entry> {
        match (value.seen_by(mover).0, plies) {
            (0, _) => Some(Entry::DRAW),
            (sign @ (1 | -1), Some(plies @ 0..=Entry::MOST_PLIES)) => Some(Entry::decided(sign > 0, plies)),
            _ => None,
        }
    }

    /// The entry with these bits, if there is one.
    pub fn from_bits(bits: u16) -> Option<Entry> {
        let known = bits == 0 || bits == u16::MAX || matches!(bits >> 14, 1 | 2);
        known.then_some(Entry(bits))
    }

    /// Its bits.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Whether it stands for a position.
    pub fn is_position(self) -> bool {
        self != Entry::NONE
    }

    /// Whether the mover wins.
    pub fn wins(self) -> bool {
        self.0 >> 14 == 1
    }

    /// Whether the mover loses.
    pub fn loses(self) -> bool {
        self.0 >> 14 == 2
    }

    /// The plies to the end if somebody wins.
    pub fn plies(self) -> Option<u32> {
        (self.wins() || self.loses()).then_some(u32::from(self.0) & Entry::MOST_PLIES)
    }

    /// The value in the view of `First`, given the mover.
    pub fn value(self, mover: Player) -> Score {
        Score(i16::from(self.wins()) - i16::from(self.loses())).seen_by(mover)
    }

    /// The same for the other player.
    pub fn turned(self) -> Entry {
        match self.plies() {
            Some(plies) => Entry::decided(self.loses(), plies),
            None => self,
        }
    }

    /// What the mover has who can play to positions with these entries, in the mover's view; [`Entry::NONE`] if the end is too far
    /// away.
    pub fn backed_up(moves: impl Iterator<Item = Entry>) -> Entry {
        let (mut win, mut loss, mut draws) = (None::<u32>, 0, false);
        for entry in moves {
            match entry.plies() {
                Some(plies) if entry.wins() => win = Some(win.map_or(plies, |least| least.min(plies))),
                Some(plies) => loss = loss.max(plies),
                None => draws = true,
            }
        }
        match win {
            None if draws => Entry::DRAW,
            _ if win.unwrap_or(loss) == Entry::MOST_PLIES => Entry::NONE,
            _ => Entry::decided(win.is_some(), win.unwrap_or(loss) + 1),
        }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) if self.wins() => write!(f, "win in {plies}"),
            Some(plies) => write!(f, "loss in {plies}"),
            None => f.write_str(if self.is_position() { "draw" } else { "no position" }),
        }
    }
}

/// What is certain about a position with its history.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Certain {
    /// The value.
    pub bounds: Bounds,
    /// The plies to the end if the winner hurries and the loser holds out; `None` if nobody wins, or if the history or a counter
    /// may change that.
    pub plies: Option<u32>,
}

impl Certain {
    /// What the value of `pos` and its plies, both without a history and without counters, say about it as it is; after `room`
    /// plies a counter may make a draw.
    ///
    /// Histories and counters only ever add draws. While no other position has occurred twice, a player who wins without a
    /// history still wins if the counter leaves enough room: the way to the end passes through no position twice, so none occurs
    /// for the third time. Later, that player has at least the draw. A draw stays one. `docs/SOUNDNESS.md` has the proof.
    pub fn of<P: Position>(pos: &P, value: Score, plies: Option<u32>, room: Option<u32>) -> Certain {
        let in_time = plies.is_none_or(|plies| room.is_none_or(|room| plies <= room));
        if plies.is_none() || in_time && (!pos.repeats() || !pos.has_repeated()) {
            return Certain { bounds: Bounds::exact(value), plies };
        }
        let draw = Score::DRAW;
        Certain { bounds: Bounds::new(value.min(draw), value.max(draw)), plies: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_what_they_say() {
        for (entry, value, plies) in [
            (Entry::DRAW, 0, None),
            (Entry::decided(true, 1), 1, Some(1)),
            (Entry::decided(false, 0), -1, Some(0)),
            (Entry::decided(true, Entry::MOST_PLIES), 1, Some(Entry::MOST_PLIES)),
        ] {
            assert_eq!((entry.value(Player::First), entry.plies()), (Score(value), plies));
            assert_eq!(entry.value(Player::Second), Score(-value));
            assert_eq!(entry.turned().turned(), entry);
            assert_eq!(entry.turned().value(Player::First), Score(-value));
            assert_eq!(Entry::from_bits(entry.bits()), Some(entry));
            for mover in Player::BOTH {
                assert_eq!(Entry::of(entry.value(mover), plies, mover), Some(entry));
            }
        }
        assert_eq!(Entry::of(Score(2), Some(1), Player::First), None);
        assert_eq!(Entry::of(Score(1), Some(Entry::MOST_PLIES + 1), Player::First), None);
        assert!(!Entry::NONE.is_position() && !Entry::NONE.wins() && !Entry::NONE.loses());
        assert_eq!((0..=u16::MAX).filter(|&bits| Entry::from_bits(bits).is_some()).count(), 2 + (1 << 15));
    }

    #[test]
    fn a_mover_hurries_and_holds_out() {
        let [win, loss] = [true, false].map(|wins| move |plies| Entry::decided(wins, plies));
        let backed_up = |moves: &[Entry]| Entry::backed_up(moves.iter().copied());
        assert_eq!(backed_up(&[win(5), loss(2), win(3), Entry::DRAW]), win(4));
        assert_eq!(backed_up(&[loss(2), Entry::DRAW]), Entry::DRAW);
        assert_eq!(backed_up(&[loss(2), loss(8), loss(0)]), loss(9));
        assert_eq!(backed_up(&[loss(Entry::MOST_PLIES)]), Entry::NONE);
    }
}
