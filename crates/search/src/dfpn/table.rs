//! A table of fixed size for the numbers of positions.
//!
//! An entry is 24 bytes in three words: 64 bits of the key, the numbers, then 56 more bits of the
//! key and how much work they took. 120 bits are compared: a false match among 10^10 look-ups is
//! less likely than 10^-25. Words are relaxed atomics and the first is stored as the xor of all, so
//! that an entry torn between two writers matches nothing \[HM02\].

use crate::checkpoint::{Flaw, In, Out};
use crate::huge_pages::Words;
use prefetch_index::prefetch_index;
use proofplay_core::Key;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The numbers of positions.
#[derive(Debug)]
pub struct Numbers {
    words: Words,
    buckets: u64,
}

const WAYS: usize = 4;
const WORDS: usize = 3;
const WORK: u64 = 0xff;

impl Numbers {
    /// A table of at most `bytes` bytes; memory is touched only where it is used.
    pub fn new(bytes: usize) -> Numbers {
        let buckets = (bytes / (8 * WORDS * WAYS)).max(1);
        Numbers { words: Words::zeroed(buckets * WORDS * WAYS), buckets: buckets as u64 }
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// Where the bucket of a key begins.
    #[inline]
    fn start(&self, key: Key) -> usize {
        let bucket = (u128::from(key as u64) * u128::from(self.buckets)) >> 64;
        bucket as usize * WORDS * WAYS
    }

    #[inline]
    fn bucket(&self, key: Key) -> &[[AtomicU64; WORDS]] {
        self.words[self.start(key)..][..WORDS * WAYS].as_chunks().0
    }

    /// Prefetches the entries that [`Numbers::get`] will read soon: they lie in two cache lines.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        let start = self.start(key);
        prefetch_index(&*self.words, start);
        prefetch_index(&*self.words, start + WORDS * WAYS - 1);
    }

    #[inline]
    fn load(entry: &[AtomicU64; WORDS]) -> [u64; WORDS] {
        [entry[0].load(Relaxed), entry[1].load(Relaxed), entry[2].load(Relaxed)]
    }

    #[inline]
    fn matches(key: Key, [first, info, last]: [u64; WORDS]) -> bool {
        first ^ info ^ last == (key >> 64) as u64
            && last & !WORK == key as u64 & !WORK
            && [first, last] != [0, 0]
    }

    /// The numbers of the position with this key.
    #[inline]
    pub fn get(&self, key: Key) -> Option<u64> {
        let entries = self.bucket(key).iter().map(Numbers::load);
        entries.into_iter().find(|&entry| Numbers::matches(key, entry)).map(|entry| entry[1])
    }

    /// Remembers the numbers of a position that took `nodes` nodes: over its own entry, else over
    /// an empty one, else over the one that took the least work.
    pub fn put(&self, key: Key, info: u64, nodes: u64) {
        let last = key as u64 & !WORK | u64::from(nodes.max(1).ilog2());
        let entries = self.bucket(key);
        let value = |entry: &[AtomicU64; WORDS]| {
            let entry = Numbers::load(entry);
            let free = entry == [0; WORDS] || Numbers::matches(key, entry);
            if free { 0 } else { 1 + (entry[2] & WORK) }
        };
        let Some(entry) = entries.iter().min_by_key(|entry| value(entry)) else { return };
        let words = [(key >> 64) as u64 ^ info ^ last, info, last];
        for (place, word) in entry.iter().zip(words) {
            place.store(word, Relaxed);
        }
    }

    /// Writes all entries. No thread may change the table meanwhile.
    pub fn save(&self, out: &mut Out) -> io::Result<()> {
        for entry in self.words.as_chunks().0.iter().map(Numbers::load).filter(|entry| *entry != [0; WORDS]) {
            let [first, info, last] = entry;
            out.u8(1)?;
            [first ^ info ^ last, info, last].into_iter().try_for_each(|word| out.u64(word))?;
        }
        out.u8(0)
    }

    /// Reads entries back; those without room are lost. All numbers must be `valid`.
    pub fn fill(&self, from: &mut In, valid: &dyn Fn(u64) -> bool) -> Result<(), Flaw> {
        while from.u8()? == 1 {
            let (high, info, last) = (from.u64()?, from.u64()?, from.u64()?);
            let work = last & WORK;
            if !valid(info) || work >= u64::from(u64::BITS) {
                return Err(Flaw::Nonsense("an entry of the table has impossible numbers"));
            }
            // The bits that are missing choose a bucket only in tables beyond any memory.
            self.put(Key::from(high) << 64 | Key::from(last & !WORK), info, 1 << work);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::mix;

    #[test]
    fn keeps_the_most_work() {
        let table = Numbers::new(0);
        for i in 1..100_u64 {
            table.put(mix(i.into()), i, 1 << (i % 10));
            assert_eq!(table.get(mix(i.into())), Some(i));
        }
        let kept: Vec<u64> = (1..100_u64).filter_map(|i| table.get(mix(i.into()))).collect();
        assert!(kept.len() == WAYS && kept[..3].iter().all(|i| i % 10 == 9), "{kept:?}");
        table.put(mix(9), 77, 1);
        assert_eq!(table.get(mix(9)), Some(77), "in its old place");
        for bit in 8..128 {
            assert_eq!(table.get(mix(9) ^ 1 << bit), None, "bit {bit} is compared");
        }
    }
}
