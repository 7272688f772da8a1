//! Repetition in games whose moves change many cells at once: the keys of the positions so far.
//!
//! Where single pieces move, [`ReversibleMoves`](super::ReversibleMoves) takes a quarter of the
//! memory and no keys.

use std::fmt;
use std::hash::{Hash, Hasher};

/// The keys of the last positions, oldest first; at most `N`, at least `N / 2` once a game is that
/// long.
///
/// Older ones are forgotten. For a game that starts with an empty history this changes no value: a
/// player who can force a win can do so without repeating a position, and a player who cannot be
/// beaten draws sooner or later by repeating shorter cycles, or for ever. Only a draw by a cycle of
/// more than about `N / 4` moves comes later than the rule says.
#[derive(Copy, Clone)]
pub struct History<const N: usize> {
    keys: [u64; N],
    len: u16,
    /// Only the first `open` positions can occur again; see [`History::add`].
    open: u16,
}

impl<const N: usize> History<N> {
    /// A game that has just begun.
    pub fn new() -> Self {
        History { keys: [0; N], len: 0, open: 0 }
    }

    /// Adds a position and returns how often it occurred before.
    ///
    /// `back`: the last move may lead back to an earlier position. While no move does, as when
    /// stones are placed, all positions differ and nothing has to be compared.
    #[inline]
    pub fn add(&mut self, key: u64, back: bool) -> usize {
        if back {
            self.open = self.len;
        }
        let before = self.keys[..usize::from(self.open)].iter().filter(|&&old| old == key).count();
        if usize::from(self.len) == N {
            self.keys.copy_within(N - N / 2.., 0);
            self.len = (N / 2) as u16;
            self.open = self.open.saturating_sub((N - N / 2) as u16);
        }
        self.keys[usize::from(self.len)] = key;
        self.len += 1;
        before
    }

    /// Forgets everything: no earlier position can occur again.
    pub fn clear(&mut self) {
        (self.len, self.open) = (0, 0);
    }

    fn known(&self) -> &[u64] {
        &self.keys[..usize::from(self.len)]
    }
}

impl<const N: usize> Default for History<N> {
    fn default() -> Self {
        History::new()
    }
}

impl<const N: usize> PartialEq for History<N> {
    fn eq(&self, other: &Self) -> bool {
        self.known() == other.known()
    }
}
impl<const N: usize> Eq for History<N> {}

impl<const N: usize> Hash for History<N> {
    /// Only the newest position: it distinguishes most histories.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.known().last().hash(state);
        self.len.hash(state);
    }
}

impl<const N: usize> fmt::Debug for History<N> {
    /// Only the length: failing tests print positions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "History({})", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_can_come_again() {
        let mut history = History::<8>::new();
        assert_eq!([1, 2, 3].map(|key| history.add(key, false)), [0, 0, 0]);
        // Not compared: nothing led back.
        assert_eq!(history.add(1, false), 0);
        assert_eq!(history.add(1, true), 2);
        assert_eq!(history.add(3, false), 1);
        history.clear();
        assert_eq!(history, History::new());
        assert_eq!(history.add(1, true), 0);
    }

    /// With eight places, the ninth position drops the four oldest.
    #[test]
    fn forgets_the_oldest() {
        let mut history = History::<8>::new();
        (1..=8).for_each(|key| assert_eq!(history.add(key, true), 0));
        assert_eq!(history.add(1, true), 1);
        assert_eq!(history.known(), [5, 6, 7, 8, 1]);
        assert_eq!([4, 5, 1].map(|key| history.add(key, true)), [0, 1, 1]);
        let mut same = History::<8>::new();
        [5, 6, 7, 8, 1, 4, 5, 1].iter().for_each(|&key| _ = same.add(key, false));
        assert_eq!(history, same);
    }
}
