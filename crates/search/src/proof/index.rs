//! Finds the node of a position by its key.
//!
//! Open addressing with linear probing. An entry is a node's number and 32 bits of its key, so that
//! a probe seldom leaves the table; a match is confirmed by all 128 bits, which lie beside the
//! nodes. Two positions with equal keys would meet in 10^9 nodes with a probability of 2 * 10^-21.

use crate::huge_pages::Words;
use proofplay_core::Key;
use std::sync::atomic::Ordering::Relaxed;

/// The keys of nodes 0, 1, 2, … and a table to find them.
#[derive(Default)]
pub struct Index {
    keys: Vec<Key>,
    /// A node's number and the upper 32 bits of its key; 0 where there is none. A power of two of
    /// them.
    table: Words,
}

const SMALLEST: usize = 64;

impl Index {
    /// Forgets all nodes.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.table.iter().for_each(|entry| entry.store(0, Relaxed));
    }

    /// The size in bytes with room for `more` nodes.
    pub fn bytes_with(&self, more: usize) -> usize {
        let nodes = self.keys.len() + more;
        nodes * size_of::<Key>() + self.size_for(nodes) * size_of::<u64>()
    }

    /// Entries for this many nodes: at most three quarters are in use.
    fn size_for(&self, nodes: usize) -> usize {
        let wanted = (nodes * 4 / 3 + 1).next_power_of_two();
        wanted.max(self.table.len()).max(SMALLEST)
    }

    #[inline]
    fn home(&self, key: Key) -> usize {
        key as usize & (self.table.len() - 1)
    }

    #[inline]
    fn entry(key: Key, node: u32) -> u64 {
        (key >> 96) as u64 & 0xffff_ffff | u64::from(node) << 32
    }

    /// The node with this key.
    #[inline]
    pub fn find(&self, key: Key) -> Option<u32> {
        if self.table.is_empty() {
            return None;
        }
        let mut at = self.home(key);
        loop {
            let entry = self.table[at].load(Relaxed);
            if entry == 0 {
                return None;
            }
            let node = (entry >> 32) as u32;
            if entry as u32 == (key >> 96) as u32 && self.keys[node as usize] == key {
                return Some(node);
            }
            at = (at + 1) & (self.table.len() - 1);
        }
    }

    /// The key of a node.
    pub fn key(&self, node: u32) -> Key {
        self.keys[node as usize]
    }

    /// The key of the next node. Node 0 is never found.
    pub fn push(&mut self, key: Key) {
        let node = self.keys.len();
        self.keys.push(key);
        let size = self.size_for(self.keys.len());
        if size > self.table.len() {
            // The old table is freed before the new one is made, so that there are never both.
            self.table = Words::default();
            self.table = Words::zeroed(size);
            (1..node).for_each(|node| self.enter(node));
        }
        if node > 0 {
            self.enter(node);
        }
    }

    fn enter(&mut self, node: usize) {
        let key = self.keys[node];
        let mut at = self.home(key);
        while self.table[at].load(Relaxed) != 0 {
            at = (at + 1) & (self.table.len() - 1);
        }
        self.table[at].store(Index::entry(key, node as u32), Relaxed);
    }

    /// Keeps the nodes that have a `new_number`, in the same order.
    pub fn renumber(&mut self, new_number: &dyn Fn(u32) -> Option<u32>) {
        let mut used = 0;
        for old in 0..self.keys.len() {
            if new_number(old as u32).is_some() {
                self.keys[used] = self.keys[old];
                used += 1;
            }
        }
        self.keys.truncate(used);
        self.keys.shrink_to_fit();
        self.table = Words::default();
        self.table = Words::zeroed(self.size_for(used));
        (1..used).for_each(|node| self.enter(node));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::Rng;

    #[test]
    fn finds_what_was_pushed() {
        let (mut rng, mut index) = (Rng::new(1), Index::default());
        let mut key = || Key::from(rng.next_u64()) << 64 | Key::from(rng.next_u64());
        let keys: Vec<Key> = (0..5000).map(|_| key()).collect();
        assert_eq!(index.find(keys[0]), None);
        for (i, &key) in keys.iter().enumerate() {
            index.push(key);
            assert_eq!(index.find(key), (i > 0).then_some(i as u32));
        }
        assert_eq!(index.bytes_with(0), 5000 * 16 + 8192 * 8);
        for (i, &key) in keys.iter().enumerate().skip(1) {
            assert_eq!(index.find(key), Some(i as u32));
            for bit in [0, 20, 63, 64, 100, 127] {
                assert_eq!(index.find(key ^ 1 << bit), None, "all 128 bits count");
            }
        }
        index.renumber(&|node| node.is_multiple_of(3).then_some(node / 3));
        for (i, &key) in keys.iter().enumerate().skip(1) {
            assert_eq!(index.find(key), i.is_multiple_of(3).then_some(i as u32 / 3));
        }
    }
}
