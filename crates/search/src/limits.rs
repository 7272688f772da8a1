//! When to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What a search may use. Anything not said is unlimited, but for memory.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Positions visited (or tree nodes made).
    pub nodes: Option<u64>,
    /// Simulations of a Monte-Carlo search.
    pub playouts: Option<u64>,
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Bytes for tables and trees.
    pub memory: usize,
    /// Threads for searches that can use several.
    pub threads: usize,
    /// Set it from anywhere to end the search soon and cleanly.
    pub stop: Arc<AtomicBool>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { nodes: None, playouts: None, time: None, memory: 1 << 30, threads: 1, stop: Arc::default() }
    }
}

/// Watches the limits of one running search.
#[derive(Clone, Debug)]
pub struct Watch {
    limits: Limits,
    started: Instant,
    next_look: u64,
    next_report: Duration,
    over: bool,
}

impl Watch {
    /// How many steps may pass between two looks at the clock.
    const LOOK_EVERY: u64 = 1024;
    /// How often an observer hears of progress.
    const REPORT_EVERY: Duration = Duration::from_millis(100);

    /// Starts the clock.
    pub fn new(limits: &Limits) -> Watch {
        let over = limits.stop.load(Relaxed);
        let (started, next_report) = (Instant::now(), Self::REPORT_EVERY);
        Watch { limits: limits.clone(), started, next_look: Self::LOOK_EVERY, next_report, over }
    }

    /// The limits being watched.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the search must end, having taken `steps` steps that `most` bounds.
    #[inline]
    pub fn is_over(&mut self, steps: u64, most: Option<u64>) -> bool {
        if steps >= self.next_look {
            self.next_look = steps + Self::LOOK_EVERY;
            self.look();
        }
        self.over |= most.is_some_and(|most| steps >= most);
        self.over
    }

    /// Looks at the clock and at the stop flag now.
    pub fn look(&mut self) {
        self.over |= self.limits.stop.load(Relaxed)
            || self.limits.time.is_some_and(|time| self.started.elapsed() >= time);
    }

    /// Whether a limit was reached.
    pub fn was_over(&self) -> bool {
        self.over
    }

    /// Whether an observer should hear of progress now; true at most ten times a second.
    pub fn report_due(&mut self) -> bool {
        let elapsed = self.elapsed();
        let due = elapsed >= self.next_report;
        if due {
            self.next_report = elapsed + Self::REPORT_EVERY;
        }
        due
    }
}
