//! A node: three atomic words, and what they mean.
//!
//! ```text
//! word 0   sum of rewards, fixed point, 48 bits | number of children, 16 bits
//! word 1   opti 16 | pess 16 | visits 32
//! word 2   move 32 | first child 32 (0: none yet, MAKING: another thread is at it)
//! ```
//!
//! 24 bytes, all of it in the view of `First`. A single thread uses plain loads and stores; threads
//! that share a tree use atomic additions, and bounds only ever tighten.

use proofplay_core::{Bounds, Score};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// The words of one node.
pub type Node = [AtomicU64; 3];

/// Rewards are stored in units of 1 / 2^14: sums of 2^32 visits fit into 48 bits.
pub const UNIT: f64 = 1.0 / 16384.0;

/// A reward in units, placed above the 16 bits of the number of children.
#[derive(Copy, Clone, Debug, Default)]
pub struct Units(pub(super) u64);

impl Units {
    /// A reward in units.
    #[inline]
    pub fn of(reward: f64) -> Units {
        Units((((reward * (1.0 / UNIT)).round() as i64) << 16) as u64)
    }
}

impl std::ops::Add for Units {
    type Output = Units;

    #[inline]
    fn add(self, other: Units) -> Units {
        Units(self.0.wrapping_add(other.0))
    }
}

/// The fields of a node.
pub trait Fields {
    /// Simulations through the node.
    fn visits(&self) -> u32;
    /// The sum of their rewards, in the view of `First`.
    fn sum(&self) -> f64;
    /// What is certain.
    fn bounds(&self) -> Bounds;
    /// The code of the move that leads here.
    fn code(&self) -> u32;
    /// Visits and bounds in one load.
    fn seen(&self) -> (u32, Bounds);
    /// Visits, and bounds as `bits`, for callers that only test whether they have changed.
    fn glance(&self) -> (u32, u32);
    /// The sum of rewards in units of `UNIT`.
    fn units(&self) -> i64;
    /// Adds visits and a reward to the node.
    fn add<const SHARED: bool>(&self, visits: u32, reward: Units);
    /// Tightens the bounds by those that do not contradict them; whether that changed them.
    fn tighten<const SHARED: bool>(&self, bounds: Bounds) -> bool;
    /// Replaces the bounds. No other thread may use the tree meanwhile.
    fn set_bounds(&self, bounds: Bounds);
}

#[inline]
pub(super) fn add<const SHARED: bool>(word: &AtomicU64, more: u64) {
    if SHARED {
        word.fetch_add(more, Relaxed);
    } else {
        word.store(word.load(Relaxed).wrapping_add(more), Relaxed);
    }
}

#[inline]
pub(super) fn units(word: u64) -> i64 {
    word as i64 >> 16
}

#[inline]
pub(super) fn pack(bounds: Bounds, visits: u32) -> u64 {
    u64::from(bounds.opti.0 as u16) << 48 | u64::from(bounds.pess.0 as u16) << 32 | u64::from(visits)
}

/// Bounds as a number: equal ones have equal numbers.
#[inline]
pub fn bits(bounds: Bounds) -> u32 {
    (pack(bounds, 0) >> 32) as u32
}

#[inline]
fn unpack(word: u64) -> Bounds {
    Bounds { pess: Score((word >> 32) as i16), opti: Score((word >> 48) as i16) }
}

impl Fields for Node {
    #[inline]
    fn visits(&self) -> u32 {
        self[1].load(Relaxed) as u32
    }

    #[inline]
    fn sum(&self) -> f64 {
        self.units() as f64 * UNIT
    }

    #[inline]
    fn units(&self) -> i64 {
        units(self[0].load(Relaxed))
    }

    #[inline]
    fn seen(&self) -> (u32, Bounds) {
        let word = self[1].load(Relaxed);
        (word as u32, unpack(word))
    }

    #[inline]
    fn glance(&self) -> (u32, u32) {
        let word = self[1].load(Relaxed);
        (word as u32, (word >> 32) as u32)
    }

    #[inline]
    fn bounds(&self) -> Bounds {
        unpack(self[1].load(Relaxed))
    }

    #[inline]
    fn code(&self) -> u32 {
        (self[2].load(Relaxed) >> 32) as u32
    }

    #[inline]
    fn add<const SHARED: bool>(&self, visits: u32, reward: Units) {
        add::<SHARED>(&self[0], reward.0);
        if visits > 0 {
            add::<SHARED>(&self[1], u64::from(visits));
        }
    }

    #[inline]
    fn tighten<const SHARED: bool>(&self, bounds: Bounds) -> bool {
        let mut old = self[1].load(Relaxed);
        loop {
            // Not `Bounds::tighten`: callers have checked for contradictions.
            let Bounds { pess, opti } = unpack(old);
            let new = Bounds { pess: pess.max(bounds.pess), opti: opti.min(bounds.opti) };
            if new == unpack(old) {
                return false;
            }
            let word = pack(new, old as u32);
            if !SHARED {
                self[1].store(word, Relaxed);
                return true;
            }
            match self[1].compare_exchange_weak(old, word, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(now) => old = now,
            }
        }
    }

    #[inline]
    fn set_bounds(&self, bounds: Bounds) {
        self[1].store(pack(bounds, self.visits()), Relaxed);
    }
}
