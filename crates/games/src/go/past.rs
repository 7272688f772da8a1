//! The boards of a game so far, for superko.
//!
//! Nothing is forgotten: the newest keys lie in the position, the older ones in blocks that
//! positions share, so that a copy costs a few hundred bytes however long the game is. A block is
//! allocated every [`RECENT`] stones.
//!
//! Boards are compared by 128-bit keys. A game of n boards meets a false match with a chance of n^2
//! / 2^129: for 10^12 searched games of a thousand boards each that is 10^-21.

use proofplay_core::Key;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How many keys a position carries itself.
const RECENT: usize = 16;

/// Bits of the filter that answers most questions: 64 times this.
const WORDS: usize = 8;

/// A set of boards. Equal if it is the same set, in any order.
#[derive(Clone)]
pub struct Past {
    /// The newest boards; the first `count % RECENT` count.
    recent: [Key; RECENT],
    older: Option<Arc<Block>>,
    count: u32,
    /// A bit for every board: where there is none, the board is new.
    filter: [u64; WORDS],
    /// The sum of [`stamp`] over all boards.
    sum: Key,
}

struct Block {
    keys: [Key; RECENT],
    older: Option<Arc<Block>>,
}

/// What a board adds to the sum that identifies a set. It is not linear in the key, so that sets
/// whose keys have the same xor have different sums.
#[inline]
pub fn stamp(key: Key) -> Key {
    key ^ (Key::from(key as u64) * Key::from((key >> 64) as u64 | 1))
}

impl Past {
    /// Only this board.
    pub fn of(key: Key) -> Past {
        let mut past = Past { recent: [0; RECENT], older: None, count: 0, filter: [0; WORDS], sum: 0 };
        past.add(key);
        past
    }

    /// How many boards there were.
    #[inline]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// A number that identifies the set.
    #[inline]
    pub fn sum(&self) -> Key {
        self.sum
    }

    #[inline]
    fn place(key: Key) -> (usize, u64) {
        (key as usize % WORDS, 1 << (key as u64 >> 58))
    }

    /// Whether the board was there.
    #[inline]
    pub fn contains(&self, key: Key) -> bool {
        let (word, bit) = Past::place(key);
        self.filter[word] & bit != 0 && self.find(key)
    }

    fn find(&self, key: Key) -> bool {
        if self.recent[..self.count as usize % RECENT].contains(&key) {
            return true;
        }
        let mut block = &self.older;
        while let Some(older) = block {
            if older.keys.contains(&key) {
                return true;
            }
            block = &older.older;
        }
        false
    }

    /// All boards, the newest first.
    pub fn newest(&self) -> impl Iterator<Item = Key> {
        let recent = self.recent[..self.count as usize % RECENT].iter().rev().copied();
        let mut older = self.older.as_deref();
        let blocks = std::iter::from_fn(move || {
            let block = older?;
            older = block.older.as_deref();
            Some(block.keys.iter().rev().copied())
        });
        recent.chain(blocks.flatten())
    }

    /// Adds a board that was not there.
    #[inline]
    pub fn add(&mut self, key: Key) {
        let (word, bit) = Past::place(key);
        self.filter[word] |= bit;
        self.sum = self.sum.wrapping_add(stamp(key));
        self.recent[self.count as usize % RECENT] = key;
        self.count += 1;
        if (self.count as usize).is_multiple_of(RECENT) {
            self.older = Some(Arc::new(Block { keys: self.recent, older: self.older.take() }));
        }
    }

    /// The game is over: its boards are no longer looked up, so their sum is enough to compare it.
    #[inline]
    pub fn close(&mut self, sum: Key) {
        self.sum = sum;
    }
}

impl Drop for Block {
    /// Block by block: a very long game must not fill the stack.
    fn drop(&mut self) {
        let mut next = self.older.take();
        while let Some(mut block) = next.and_then(Arc::into_inner) {
            next = block.older.take();
        }
    }
}

impl PartialEq for Past {
    fn eq(&self, other: &Past) -> bool {
        self.sum == other.sum
    }
}
impl Eq for Past {}

impl Hash for Past {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sum.hash(state);
    }
}

impl fmt::Debug for Past {
    /// Only the length: failing tests print positions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Past({})", self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::Rng;
    use std::collections::HashSet;

    /// Against a plain set, with copies that continue in different ways.
    #[test]
    fn remembers_everything() {
        let mut rng = Rng::new(1);
        let mut key = || Key::from(rng.next_u64()) << 64 | Key::from(rng.next_u64());
        for length in [0, 1, 14, 15, 16, 17, 100, 1000] {
            let (mut past, mut plain) = (Past::of(7), HashSet::from([7]));
            for _ in 0..length {
                let new = key();
                assert!(!past.contains(new));
                past.add(new);
                plain.insert(new);
            }
            let (mut copy, extra) = (past.clone(), key());
            copy.add(extra);
            assert!(copy.contains(extra) && !past.contains(extra) && copy != past);
            assert!(plain.iter().all(|&key| past.contains(key) && copy.contains(key)));
            assert_eq!(past.count() as usize, plain.len());
            assert_eq!(past.newest().collect::<HashSet<_>>(), plain);
            assert_eq!(copy.newest().next(), Some(extra));
            let reordered = plain.iter().filter(|&&key| key != 7).fold(Past::of(7), |mut past, &key| {
                past.add(key);
                past
            });
            assert_eq!(reordered, past);
        }
    }

    /// Sets whose keys have the same xor: a, a+x+y against a+x, a+y.
    #[test]
    fn sums_tell_sets_apart() {
        let mut rng = Rng::new(2);
        for _ in 0..1000 {
            let [a, x, y] = [(); 3].map(|()| Key::from(rng.next_u64()) << 64 | Key::from(rng.next_u64()));
            let pair = |a, b| stamp(a).wrapping_add(stamp(b));
            assert_ne!(pair(a, a ^ x ^ y), pair(a ^ x, a ^ y));
        }
    }

    #[test]
    fn long_games_are_dropped() {
        let mut past = Past::of(0);
        (1..2_000_000).for_each(|key| past.add(key));
        drop(past);
    }
}
