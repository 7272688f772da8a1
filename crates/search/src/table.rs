//! A transposition table of fixed size: what is known about a position, such as its bounds and its
//! best move.
//!
//! An entry is 16 bytes in two words: 64 bits of the key, then 16 more bits of the key and 48 bits
//! of content. The 80 bits that are compared make a false match less likely than 10^-13 in 10^10
//! look-ups. Words are relaxed atomics and the first is stored as the xor of both, so that threads
//! may share the table and an entry torn between two writers matches nothing (Hyatt & Mann, "A
//! lock-less transposition table implementation", ICGA Journal 2002 \[HM02\]).

use crate::checkpoint::{Flaw, In, Out};
use crate::huge_pages::Words;
use prefetch_index::prefetch_index;
use proofplay_core::{Bounds, Key, Score};
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// What a table can store about a position: anything that fits into 48 bits.
pub trait Content: Copy {
    /// The content as the low 48 bits of a word.
    fn pack(self) -> u64;
    /// The content of a word; its high 16 bits mean nothing.
    fn unpack(word: u64) -> Self;
}

/// What is certain about a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What is certain, in the view of `First`.
    pub bounds: Bounds,
    /// Which of the position's moves was best, in the order of `Position::moves`.
    pub best: u16,
}

impl Content for Entry {
    #[inline]
    fn pack(self) -> u64 {
        let Bounds { pess, opti } = self.bounds;
        u64::from(pess.0 as u16) << 32 | u64::from(opti.0 as u16) << 16 | u64::from(self.best)
    }

    #[inline]
    fn unpack(word: u64) -> Entry {
        let bounds = Bounds { pess: Score((word >> 32) as i16), opti: Score((word >> 16) as i16) };
        Entry { bounds, best: word as u16 }
    }
}

/// A transposition table.
#[derive(Debug)]
pub struct Table<C = Entry> {
    words: Words,
    /// Buckets of `WAYS` entries.
    buckets: u64,
    content: PhantomData<C>,
}

/// Whether an entry is that of the position with this key.
#[inline]
fn matches(key: Key, [first, data]: [u64; 2]) -> bool {
    first ^ data == (key >> 64) as u64 && data >> 48 == key as u64 & 0xffff && data != 0
}

const WAYS: usize = 4;
/// The bytes of a bucket.
const LINE: usize = 16 * WAYS;

impl<C: Content> Table<C> {
    /// A table of at most `bytes` bytes; memory is touched only where it is used.
    pub fn new(bytes: usize) -> Self {
        Self::with_buckets((bytes / LINE).max(1))
    }

    fn with_buckets(buckets: usize) -> Self {
        let words = Words::zeroed(buckets * LINE / 8);
        Table { words, buckets: buckets as u64, content: PhantomData }
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// How many entries fill half of it.
    fn half_full(&self) -> u64 {
        (self.words.len() / 4).max(1) as u64
    }

    #[inline]
    fn bucket(&self, key: Key) -> usize {
        // The high bits of the low half choose the bucket; the high half and the low bits are
        // compared.
        let bucket = (u128::from(key as u64) * u128::from(self.buckets)) >> 64;
        bucket as usize * WAYS * 2
    }

    #[inline]
    fn pack(key: Key, entry: C) -> [u64; 2] {
        let data = (key as u64 & 0xffff) << 48 | entry.pack();
        [(key >> 64) as u64 ^ data, data]
    }

    /// Prefetches the entries that [`Table::get`] will read soon.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch_index(&*self.words, self.bucket(key));
    }

    /// What is known about the position with this key.
    #[inline]
    pub fn get(&self, key: Key) -> Option<C> {
        let words = &self.words[self.bucket(key)..][..WAYS * 2];
        let entries =
            words.as_chunks::<2>().0.iter().map(|words| words.each_ref().map(|word| word.load(Relaxed)));
        entries.into_iter().find(|words| matches(key, *words)).map(|words| C::unpack(words[1]))
    }

    /// Remembers an entry: over an older one of the same position, else over an empty one, else the
    /// newest of a bucket pushes the others back and the last one out.
    #[inline]
    pub fn put(&self, key: Key, entry: C) {
        let bucket = self.bucket(key);
        let entries = self.words[bucket..bucket + WAYS * 2].as_chunks::<2>().0;
        let mut carried = Self::pack(key, entry);
        for slot in entries {
            let old = [slot[0].load(Relaxed), slot[1].load(Relaxed)];
            slot[0].store(carried[0], Relaxed);
            slot[1].store(carried[1], Relaxed);
            if matches(key, old) || old == [0, 0] {
                return;
            }
            carried = old;
        }
    }

    /// Writes the buckets that are not empty. No thread may change the table meanwhile.
    fn save(&self, out: &mut Out) -> io::Result<()> {
        out.u64(self.buckets)?;
        let buckets = self.words.chunks_exact(WAYS * 2);
        for (number, bucket) in buckets.enumerate() {
            let bucket: [u64; WAYS * 2] = std::array::from_fn(|i| bucket[i].load(Relaxed));
            let entries = bucket.as_chunks::<2>().0.iter().filter(|entry| **entry != [0, 0]);
            let count = entries.clone().count();
            if count > 0 {
                out.u64((number * (WAYS + 1) + count) as u64)?;
                entries.flatten().try_for_each(|&word| out.u64(word))?;
            }
        }
        out.u64(u64::MAX)
    }
}

impl Table {
    /// Reads a table of at most `most` bytes back. Its size stays the same, since entries do not
    /// have all bits of their keys.
    fn read(from: &mut In, most: usize, range: Bounds) -> Result<Table, Flaw> {
        let wrong = Flaw::Nonsense("an entry of the table is not where it can be");
        let said = from.u64()?;
        let buckets = usize::try_from(said).ok().filter(|&buckets| buckets > 0).ok_or(wrong.clone())?;
        let bytes = buckets.saturating_mul(LINE);
        if bytes > most.max(LINE) {
            return Err(Flaw::Memory(bytes));
        }
        let table = Table::with_buckets(buckets);
        loop {
            let head = from.u64()?;
            if head == u64::MAX {
                return Ok(table);
            }
            let (number, count) = (head / (WAYS as u64 + 1), head % (WAYS as u64 + 1));
            if number >= said {
                return Err(wrong);
            }
            let place = number as usize * WAYS * 2;
            for slot in &table.words[place..].as_chunks::<2>().0[..count as usize] {
                let entry = [from.u64()?, from.u64()?];
                let bounds = Entry::unpack(entry[1]).bounds;
                if bounds.pess > bounds.opti || !range.encloses(bounds) {
                    return Err(Flaw::Nonsense("an entry of the table is out of range"));
                }
                slot.iter().zip(entry).for_each(|(place, word)| place.store(word, Relaxed));
            }
        }
    }
}

/// A table that begins small and grows with the search up to its budget: a small problem does not
/// pay for a large table. The table before the last growth can be read until the next one. Clones
/// share their memory: each thread has one, and all are replaced when the table grows.
pub struct Growing<C = Entry> {
    now: Arc<Table<C>>,
    before: Option<Arc<Table<C>>>,
    budget: usize,
}

impl<C> Clone for Growing<C> {
    fn clone(&self) -> Self {
        Growing { now: Arc::clone(&self.now), before: self.before.clone(), budget: self.budget }
    }
}

impl<C: Content> Growing<C> {
    const FIRST: usize = 1 << 18;

    /// A table that never takes more than `budget` bytes.
    pub fn new(budget: usize) -> Self {
        Growing { now: Arc::new(Table::new(budget.min(Self::FIRST))), before: None, budget }
    }

    /// An empty table with the same budget.
    pub fn emptied(&self) -> Self {
        Growing::new(self.budget)
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        self.now.bytes() + self.before.as_ref().map_or(0, |table| table.bytes())
    }

    /// How many entries may be put before it should grow.
    pub fn room(&self) -> u64 {
        if self.larger().is_some() { self.now.half_full() } else { u64::MAX }
    }

    /// Prefetches what [`Growing::get`] will read soon.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        self.now.prefetch(key);
        if let Some(before) = &self.before {
            before.prefetch(key);
        }
    }

    /// What is known about the position with this key.
    #[inline]
    pub fn get(&self, key: Key) -> Option<C> {
        self.now.get(key).or_else(|| {
            let entry = self.before.as_ref()?.get(key)?;
            self.now.put(key, entry);
            Some(entry)
        })
    }

    /// After this many entries, what mattered before the last growth has been found again and
    /// stored here.
    #[inline]
    pub fn settled(&self) -> u64 {
        self.now.half_full() / 4
    }

    /// Drops the table before the last growth.
    pub fn forget_before(&mut self) {
        self.before = None;
    }

    /// Remembers an entry.
    #[inline]
    pub fn put(&self, key: Key, entry: C) {
        self.now.put(key, entry);
    }

    /// The size after growing: four times as much, at the end what the budget leaves.
    fn larger(&self) -> Option<usize> {
        let size = self.now.bytes();
        let next = (4 * size).min(self.budget.saturating_sub(size));
        (next >= 2 * size).then_some(next)
    }

    /// The table after growing; the same one without its predecessor when the budget allows no
    /// more.
    pub fn grown(&self) -> Self {
        match self.larger() {
            Some(size) => Growing {
                now: Arc::new(Table::new(size)),
                before: Some(Arc::clone(&self.now)),
                budget: self.budget,
            },
            None => Growing { before: None, ..self.clone() },
        }
    }

    /// Writes all entries.
    pub fn save(&self, out: &mut Out) -> io::Result<()> {
        out.u8(u8::from(self.before.is_some()))?;
        self.now.save(out)?;
        self.before.as_ref().map_or(Ok(()), |before| before.save(out))
    }
}

impl Growing {
    /// Reads a table back, which must fit into the present budget; all values lie in `range`.
    pub fn restore(&mut self, from: &mut In, range: Bounds) -> Result<(), Flaw> {
        let both = from.u8()? == 1;
        self.now = Arc::new(Table::read(from, self.budget, range)?);
        let left = self.budget.saturating_sub(self.now.bytes());
        self.before = if both { Some(Arc::new(Table::read(from, left, range)?)) } else { None };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::Rng;

    fn entry(pess: i16, opti: i16, best: u16) -> Entry {
        Entry { bounds: Bounds::new(Score(pess), Score(opti)), best }
    }

    #[test]
    fn remembers_and_replaces() {
        let table = Table::<Entry>::new(1 << 16);
        let mut rng = Rng::new(1);
        let mut key = || u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
        let keys: Vec<Key> = (0..1000).map(|_| key()).collect();
        for (i, &k) in keys.iter().enumerate() {
            table.put(k, entry(-(i as i16), i as i16, i as u16));
            assert_eq!(table.get(k), Some(entry(-(i as i16), i as i16, i as u16)));
        }
        let kept = keys
            .iter()
            .enumerate()
            .filter(|(i, k)| table.get(**k) == Some(entry(-(*i as i16), *i as i16, *i as u16)));
        assert!(kept.count() > 900, "1000 entries fit into 4096 places but for a few full buckets");
        table.put(keys[7], entry(0, 0, 1));
        assert_eq!(table.get(keys[7]), Some(entry(0, 0, 1)));
    }

    /// Keys that differ only in one compared bit are distinguished, although they share a bucket.
    #[test]
    fn compares_eighty_bits() {
        let table = Table::new(0);
        let key = 0x1234_5678_9abc_def0_0fed_cba9_8765_4321;
        table.put(key, entry(-1, 1, 3));
        for bit in (0..16).chain(64..128) {
            assert_eq!(table.get(key ^ 1 << bit), None, "bit {bit}");
        }
        assert_eq!(table.get(key), Some(entry(-1, 1, 3)));
        for i in 1..5 {
            table.put(i, entry(0, 0, 0));
        }
        assert_eq!(table.get(key), None, "a full bucket lets its oldest entry go");
    }

    #[test]
    fn grows_within_its_budget_and_keeps_what_is_recent() {
        for budget in [0, 1 << 18, 1 << 20, 3 << 20, 1 << 23] {
            let mut table = Growing::new(budget);
            let mut room = table.room();
            let mut rng = Rng::new(2);
            let mut last = [0; 100];
            for i in 0..200_000 {
                let key = Key::from(rng.next_u64()) << 64 | Key::from(rng.next_u64());
                table.put(key, entry(-1, 1, i as u16));
                room -= 1;
                if room == 0 {
                    table = table.grown();
                    room = table.room();
                }
                last[i % 100] = key;
                assert!(table.bytes() <= budget.max(128), "{} of {budget}", table.bytes());
            }
            let kept = last.iter().filter(|key| table.get(**key).is_some()).count();
            assert!(budget < 1 << 18 || kept >= 99, "{kept} of the last 100 with {budget} bytes");
        }
    }
}
