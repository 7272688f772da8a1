//! The positions that were met, compared whole: a set that takes little more memory than the
//! positions themselves.

use proofplay_core::Position;

/// Positions, numbered in the order in which they came.
///
/// They lie in blocks that never move. An index of one word a place leads to them: half of a word
/// is the number of a position, the other half a tag made of its key, which also says where to look
/// first. Tags only save comparisons.
pub struct Seen<P> {
    blocks: Vec<Vec<P>>,
    notes: Vec<Vec<Note>>,
    len: usize,
    index: Vec<u64>,
    most: usize,
}

/// What is noted about a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// Positions are told apart by this number.
    level: u16,
    /// The plies of the longest line from here, and the number of its first move. In a closed set the halves of the number of
    /// the position that this one was first met from.
    pub longest: u16,
    pub first: u16,
}

impl Note {
    /// What `longest` is while a position is on the path of a walk.
    pub const OPEN: u16 = u16::MAX;
}

/// What became of a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Inserted {
    /// It was not there, and has this number now.
    New(usize),
    /// It has had this number.
    Known(usize),
    /// It is not there, and there is no room for it.
    Full,
}

const BLOCK: usize = 1 << 12;
const EMPTY: u64 = u64::MAX;

impl<P: Position> Seen<P> {
    /// An empty set. It takes about `memory` bytes when full, and never more while the index grows.
    pub fn new(memory: usize) -> Self {
        // An index of `places` words serves three quarters as many positions. While it doubles both
        // indices are there, but only half as many positions; positions of less than eleven bytes
        // would need a little more then.
        let position = size_of::<P>().max(11) + size_of::<Note>();
        let places = (memory * 4 / (3 * position + 4 * size_of::<u64>())).clamp(64, u32::MAX as usize);
        let doublings = (places / 64).ilog2();
        let first = places >> doublings;
        let most = (first << doublings) / 4 * 3;
        Seen { blocks: Vec::new(), notes: Vec::new(), len: 0, index: vec![EMPTY; first], most }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// A position by its number.
    pub fn get(&self, number: usize) -> &P {
        &self.blocks[number / BLOCK][number % BLOCK]
    }

    /// The number of a position if it was met at this level.
    #[inline]
    pub fn number(&self, pos: &P, level: u16) -> Option<usize> {
        self.find(pos, level, tag(pos, level)).ok()
    }

    /// What is noted about a position, by its number.
    #[inline]
    pub fn note(&mut self, number: usize) -> &mut Note {
        &mut self.notes[number / BLOCK][number % BLOCK]
    }

    /// The same, to read.
    #[inline]
    pub fn noted(&self, number: usize) -> Note {
        self.notes[number / BLOCK][number % BLOCK]
    }

    /// Adds a position unless it is there at this level.
    pub fn insert(&mut self, pos: &P, level: u16) -> Inserted {
        let tag = tag(pos, level);
        let place = match self.find(pos, level, tag) {
            Ok(number) => return Inserted::Known(number),
            Err(_) if self.len == self.most => return Inserted::Full,
            Err(place) => place,
        };
        let number = self.len;
        self.index[place] = tag << 32 | number as u64;
        if number.is_multiple_of(BLOCK) {
            self.blocks.push(Vec::with_capacity(BLOCK));
            self.notes.push(Vec::with_capacity(BLOCK));
        }
        self.blocks[number / BLOCK].push(pos.clone());
        self.notes[number / BLOCK].push(Note { level, ..Note::default() });
        self.len += 1;
        if self.len >= self.index.len() / 4 * 3 && self.len < self.most {
            self.grow();
        }
        Inserted::New(number)
    }

    /// The number of a position, or the place in the index where it belongs.
    #[inline]
    fn find(&self, pos: &P, level: u16, tag: u64) -> Result<usize, usize> {
        let mut place = first_place(tag, self.index.len());
        loop {
            let word = self.index[place];
            if word == EMPTY {
                return Err(place);
            }
            let (block, i) = (word as u32 as usize / BLOCK, word as u32 as usize % BLOCK);
            if word >> 32 == tag && self.notes[block][i].level == level && self.blocks[block][i] == *pos {
                return Ok(word as u32 as usize);
            }
            place = (place + 1) % self.index.len();
        }
    }

    /// Doubles the index. It needs only the tags, not the positions.
    #[cold]
    fn grow(&mut self) {
        let mut index = vec![EMPTY; 2 * self.index.len()];
        for &word in self.index.iter().filter(|word| **word != EMPTY) {
            let mut place = first_place(word >> 32, index.len());
            while index[place] != EMPTY {
                place = (place + 1) % index.len();
            }
            index[place] = word;
        }
        self.index = index;
    }
}

/// 32 bits that are alike for equal positions of a level.
#[inline]
fn tag<P: Position>(pos: &P, level: u16) -> u64 {
    let key = pos.key().wrapping_add(u128::from(level));
    // A game's key may be a plain number; then it is spread here.
    ((key ^ key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

#[inline]
fn first_place(tag: u64, places: usize) -> usize {
    (tag as usize * places) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::{Game, Rng};
    use proofplay_games::nogo::{NoGo, Setup};
    use std::collections::HashMap;

    /// Positions of random games, many of them several times.
    fn positions(count: usize) -> Vec<<NoGo<u64> as Game>::Pos> {
        let game = NoGo::<u64>::new(Setup::parse("4x4").unwrap());
        let (mut rng, mut buf, mut all) = (Rng::new(3), Vec::new(), Vec::new());
        while all.len() < count {
            let mut pos = game.start();
            while pos.outcome().is_none() {
                all.push(pos);
                pos.play(pos.random_move(&mut rng, &mut buf));
            }
        }
        all
    }

    #[test]
    fn is_a_set_with_numbers() {
        let (mut seen, mut map) = (Seen::new(1 << 22), HashMap::new());
        for pos in positions(60_000) {
            let next = map.len();
            let known = (pos, (next % 5 / 4) as u16);
            assert_eq!(seen.number(&pos, known.1), map.get(&known).copied());
            let expected = map.get(&known).map_or(Inserted::New(next), |&number| Inserted::Known(number));
            assert_eq!(seen.insert(&pos, known.1), expected);
            map.entry(known).or_insert(next);
        }
        assert!(map.len() > 20_000 && map.len() < 50_000, "{} positions", map.len());
    }

    #[test]
    fn memory_is_used_and_not_exceeded() {
        let all = positions(60_000);
        for memory in [1 << 14, 1 << 18, 1 << 20, 700_000] {
            let (mut seen, mut used) = (Seen::new(memory), 0);
            for pos in &all {
                let before = size_of_val(&seen.index[..]);
                if seen.insert(pos, 0) == Inserted::Full {
                    break;
                }
                let index = size_of_val(&seen.index[..]);
                let growing = if index > before { before } else { 0 };
                used = index + seen.len * (size_of_val(pos) + size_of::<Note>());
                assert!(used + growing <= memory, "{used} and {growing} of {memory}");
            }
            assert!(seen.len == seen.most && used * 20 > memory * 19, "{used} of {memory}");
        }
    }
}
