//! A state of play: what every search needs to know about a game.

use crate::{Bounds, Key, Player, Rng, Score};
use std::fmt::Debug;
use std::hash::Hash;

/// A choice of the mover, small enough for 32 bits: a tree that threads share stores moves in
/// atomic words.
///
/// Unsigned numbers are moves already; another type only converts to a number and back.
pub trait Move: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// This move as a number. It depends on nothing but the move, in every run of every program: checkpoints hold these numbers. So
    /// it may not come from a table that is filled as moves are met, nor from an address or a hash with a random seed.
    fn code(self) -> u32;
    /// The move with this [`Move::code`].
    fn from_code(code: u32) -> Self;
}

macro_rules! number_is_move {
    ($($number:ty),*) => {$(
        impl Move for $number {
            #[inline]
            fn code(self) -> u32 {
                u32::from(self)
            }
            #[inline]
            fn from_code(code: u32) -> $number {
                code as $number
            }
        }
    )*};
}
number_is_move!(u8, u16, u32);

/// A state of play. Copy-make: cloning is cheap, there is no undo.
///
/// A player may move several times in a row: nothing may assume that [`Position::turn`] alternates.
///
/// Move lists go into a caller's `Vec` that is used as a stack, so that a search allocates nothing
/// after its first moves:
///
/// ```
/// use proofplay_core::Position;
/// fn count<P: Position>(pos: &P, buf: &mut Vec<P::Move>) -> usize {
///     let start = buf.len();
///     pos.moves(buf); // appends
///     let n = buf.len() - start;
///     buf.truncate(start);
///     n
/// }
/// ```
pub trait Position: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// A choice of the mover.
    type Move: Move;

    /// Whose turn it is. Not called when the game is over.
    fn turn(&self) -> Player;

    /// The score when the game is over, in the view of [`Player::First`].
    fn outcome(&self) -> Option<Score>;

    /// Appends the legal moves in a fixed order: at least one, at most 65,535. Not called when the
    /// game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);

    /// The key of this position, from scratch. Equal positions have equal keys; other positions,
    /// including the same board with the other player to move, have other keys. Tables compare only
    /// a part of the bits, so a plain number is not enough: make it a key with [`crate::zobrist`]
    /// or [`crate::mix`].
    fn key(&self) -> Key;

    /// Whether a line of play can repeat a position; the same for all positions of a game. Override
    /// it where that never happens: searches that store values by position refuse all other games.
    /// Searches that recurse panic at a depth of more than [`crate::guard::MOST_PLIES`].
    #[inline]
    fn repeats(&self) -> bool {
        true
    }

    /// This position, which is not over, as a number that leaves its history aside: two positions of a game have the same number
    /// exactly if they differ in nothing but what was played before. What a position is worth with an empty history must follow
    /// from the number, so counters that end the game belong to it.
    ///
    /// `None`, the default, if there is no such number: the history changes which moves are legal, or 128 bits are too few. Where
    /// positions repeat, only a game may return one in which the third occurrence of a position, or a later one, is a draw with
    /// score 0 and the history decides nothing else: then endless play is a draw, and searches may merge such positions. The
    /// argument is in `docs/SOUNDNESS.md`.
    fn packed(&self) -> Option<u128> {
        None
    }

    /// The position with this number ([`Position::packed`]) and with an empty history; `self` is any position of the same game.
    ///
    /// # Panics
    /// If [`Position::packed`] returns no numbers.
    fn unpacked(&self, number: u128) -> Self {
        unreachable!("{number} is no position: positions of this game have no numbers")
    }

    /// Whether a position other than this one, with the moves that led here, has occurred twice, as far as it may come again. Until
    /// then the history does not change who wins. A game may say so too often, never too seldom.
    fn has_repeated(&self) -> bool {
        self.repeats()
    }

    /// The key after `mv`, given `key == self.key()`. Searches use it to look up a table before the
    /// move is played; playouts compute no keys.
    #[inline]
    fn key_after(&self, key: Key, mv: Self::Move) -> Key {
        let _ = key;
        self.after(mv).key()
    }

    /// The position after `mv`.
    #[inline]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    /// The scores that the rules still allow: an interval that contains every outcome that can
    /// follow, and that no move widens. Searches panic if an outcome lies outside. Override it
    /// unless outcomes are -1, 0 and +1.
    #[inline]
    fn range(&self) -> Bounds {
        Bounds::WDL
    }

    /// Slots for statistics about moves (history, AMAF); 0 when moves have no lasting identity.
    #[inline]
    fn slots(&self) -> usize {
        0
    }

    /// The slot of a move, below [`Position::slots`]. It depends on nothing but the move: a search
    /// calls it on its root for the moves of all positions below.
    #[inline]
    fn slot(&self, mv: Self::Move) -> usize {
        let _ = mv;
        0
    }

    /// The number of legal moves. Override it when counting is cheaper than listing.
    #[inline]
    fn count_moves(&self, buf: &mut Vec<Self::Move>) -> usize {
        let start = buf.len();
        self.moves(buf);
        let n = buf.len() - start;
        buf.truncate(start);
        n
    }

    /// A uniformly random legal move. Override it with something faster of the same distribution.
    #[inline]
    fn random_move(&self, rng: &mut Rng, buf: &mut Vec<Self::Move>) -> Self::Move {
        let start = buf.len();
        self.moves(buf);
        let mv = buf[start + rng.below((buf.len() - start) as u32) as usize];
        buf.truncate(start);
        mv
    }

    /// Plays uniformly random moves until the game is over and returns its score; `trace` is called
    /// with every move. Override it with something faster of the same distribution.
    #[inline]
    fn playout(
        &mut self,
        rng: &mut Rng,
        buf: &mut Vec<Self::Move>,
        trace: &mut impl FnMut(Player, Self::Move),
    ) -> Score {
        loop {
            if let Some(score) = self.outcome() {
                return score;
            }
            let mv = self.random_move(rng, buf);
            trace(self.turn(), mv);
            self.play(mv);
        }
    }

    /// The number of symmetries of the board that the rules respect, including the identity (number
    /// 0).
    #[inline]
    fn symmetries(&self) -> usize {
        1
    }

    /// This position seen through symmetry number `symmetry`. Its value and its number of moves are
    /// the same.
    #[inline]
    fn transformed(&self, symmetry: usize) -> Self {
        debug_assert_eq!(symmetry, 0);
        self.clone()
    }

    /// One representative of all positions that are symmetric to this one: the one with the
    /// smallest key.
    #[inline]
    fn canonical(&self) -> Self {
        (1..self.symmetries())
            .map(|symmetry| self.transformed(symmetry))
            .fold((self.key(), self.clone()), |best, next| {
                let key = next.key();
                if key < best.0 { (key, next) } else { best }
            })
            .1
    }

    /// The key of [`Position::canonical`], given `key == self.key()`: used by tables that merge
    /// symmetric positions.
    #[inline]
    fn canonical_key(&self, key: Key) -> Key {
        (1..self.symmetries()).map(|symmetry| self.transformed(symmetry).key()).fold(key, Key::min)
    }
}
