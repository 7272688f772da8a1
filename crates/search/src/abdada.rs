//! Which positions threads are working on: a simple form of ABDADA (Weill 1996 \[Wei96\]; deferring
//! moves after Kerrigan).
//!
//! Only a hint: a mark may be overwritten or belong to another position, and then a move is tried
//! earlier or later.

use proofplay_core::Key;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Marks for positions.
pub struct Busy(Vec<AtomicU64>);

impl Busy {
    const PLACES: usize = 1 << 12;
    /// Positions deeper than this are not marked: their subtrees are small.
    pub const DEEPEST: usize = 20;

    /// No position is marked.
    pub fn new() -> Busy {
        Busy((0..Busy::PLACES).map(|_| AtomicU64::new(0)).collect())
    }

    fn place(&self, key: Key) -> &AtomicU64 {
        &self.0[key as usize % Busy::PLACES]
    }

    /// Whether a thread seems to be working on the position.
    pub fn has(&self, key: Key) -> bool {
        self.place(key).load(Relaxed) == (key >> 64) as u64
    }

    /// Marks a position.
    pub fn mark(&self, key: Key) {
        self.place(key).store((key >> 64) as u64, Relaxed);
    }

    /// Removes the mark of a position.
    pub fn clear(&self, key: Key) {
        self.place(key).store(0, Relaxed);
    }
}
