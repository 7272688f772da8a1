//! What a search may spend: on one question, and for as long as it lives.

use std::time::Duration;

/// The limits of one question; `None` is unlimited.
#[derive(Copy, Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// Positions visited (or tree nodes made).
    pub nodes: Option<u64>,
    /// Simulations of a Monte-Carlo search.
    pub simulations: Option<u64>,
    /// Wall-clock time, unless `clock` is set.
    pub time: Option<Duration>,
    /// The clock for `time` instead of wall-clock time, e.g. the CPU time of the calling thread. It
    /// is read on the searching thread, so use it only with one thread.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub clock: Option<fn() -> Duration>,
}

/// The resources of a search for as long as it lives.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Resources {
    /// Bytes for tables and trees.
    pub memory: usize,
    /// Threads, for searches that can use several.
    pub threads: usize,
    /// Where random numbers start.
    pub seed: u64,
}

impl Resources {
    /// The most threads that a search uses.
    pub const MOST_THREADS: usize = 1024;

    /// The threads that a search uses: at least one, at most [`Resources::MOST_THREADS`].
    pub fn threads(&self) -> usize {
        self.threads.clamp(1, Resources::MOST_THREADS)
    }
}

impl Default for Resources {
    /// 1 GiB, one thread, seed 1.
    fn default() -> Resources {
        Resources { memory: 1 << 30, threads: 1, seed: 1 }
    }
}
