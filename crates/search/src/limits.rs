//! When to stop.

use crate::checkpoint::Checkpoint;
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
    /// Another clock for `time` than the one on the wall, such as what the calling thread has had of a processor. It is asked on
    /// the thread that searches, so it is for searches with one thread.
    pub clock: Option<fn() -> Duration>,
    /// Bytes for tables and trees.
    pub memory: usize,
    /// Threads for searches that can use several.
    pub threads: usize,
    /// Where random numbers start.
    pub seed: u64,
    /// Set it from anywhere to end the search soon and cleanly.
    pub stop: Arc<AtomicBool>,
    /// Where `solve` keeps what it knows, if anywhere.
    pub checkpoint: Option<Arc<Checkpoint>>,
}

impl Limits {
    /// The most threads that a search uses.
    pub const MOST_THREADS: usize = 1024;

    /// The threads that a search uses: at least one, at most [`Limits::MOST_THREADS`].
    pub fn threads(&self) -> usize {
        self.threads.clamp(1, Limits::MOST_THREADS)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            nodes: None,
            playouts: None,
            time: None,
            clock: None,
            memory: 1 << 30,
            threads: 1,
            seed: 1,
            stop: Arc::default(),
            checkpoint: None,
        }
    }
}

/// Watches the limits of one running search.
#[derive(Clone, Debug)]
pub struct Watch {
    limits: Limits,
    started: Instant,
    /// What another clock said at the start.
    began: Duration,
    last_look: Duration,
    next_look: u64,
    look_every: u64,
    next_report: Duration,
    over: bool,
    /// Steps counted by [`Watch::step`].
    steps: u64,
    /// The search ends when a checkpoint is due, and begins again.
    pauses: bool,
    /// Set by another thread that has found the answer.
    done: Option<Arc<AtomicBool>>,
}

impl Watch {
    /// How often an observer hears of progress.
    const REPORT_EVERY: Duration = Duration::from_millis(100);

    /// Starts the clock.
    pub fn new(limits: &Limits) -> Watch {
        Watch {
            limits: limits.clone(),
            started: Instant::now(),
            began: limits.clock.map_or(Duration::ZERO, |clock| clock()),
            last_look: Duration::ZERO,
            next_look: 1,
            look_every: 1,
            next_report: Self::REPORT_EVERY,
            over: limits.stop.load(Relaxed),
            steps: 0,
            pauses: false,
            done: None,
        }
    }

    /// For a search that is at rest only when it has ended: it ends also when a checkpoint is due, and [`Watch::go_on`] lets
    /// it begin again.
    pub fn with_pauses(mut self) -> Watch {
        self.pauses = true;
        self
    }

    /// From now on this flag ends the search as well, instead of an earlier one.
    pub fn also_stop_by(&mut self, done: &Arc<AtomicBool>) {
        self.go_on();
        self.done = Some(Arc::clone(done));
    }

    /// The search begins again, unless the time is over.
    pub fn go_on(&mut self) {
        let late = self.limits.time.is_some_and(|time| self.spent() >= time);
        self.over = late || self.limits.stop.load(Relaxed);
    }

    /// The limits being watched.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Time on the wall since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time since the start, as far as it counts for the limit.
    fn spent(&self) -> Duration {
        match self.limits.clock {
            None => self.started.elapsed(),
            Some(clock) => clock().saturating_sub(self.began),
        }
    }

    /// Whether the search must end, having taken `steps` steps that `most` bounds.
    #[inline]
    pub fn is_over(&mut self, steps: u64, most: Option<u64>) -> bool {
        if steps >= self.next_look {
            self.look(steps);
        }
        self.over |= most.is_some_and(|most| steps >= most);
        self.over
    }

    /// Counts `more` steps; whether the search must end. For searches whose steps nothing bounds, instead of
    /// [`Watch::is_over`].
    #[inline]
    pub fn step(&mut self, more: u64) -> bool {
        self.steps += more;
        self.is_over(self.steps, None)
    }

    /// Looks now, during something that takes long; whether the search must end.
    pub fn is_over_now(&mut self) -> bool {
        self.heed(self.spent());
        self.over
    }

    /// Looks at the clock and at the stop flag, and plans the next look: about one a millisecond, whatever a step costs.
    fn look(&mut self, steps: u64) {
        let now = self.spent();
        let since = now - self.last_look;
        if since < Duration::from_micros(500) {
            self.look_every *= 2;
        } else if since > Duration::from_millis(2) {
            self.look_every = (self.look_every / 2).max(1);
        }
        self.last_look = now;
        self.next_look = steps + self.look_every;
        self.heed(now);
    }

    /// Ends the search if the time is over or somebody says so.
    fn heed(&mut self, now: Duration) {
        self.over |= self.limits.stop.load(Relaxed)
            || self.limits.time.is_some_and(|time| now >= time)
            || self.done.as_ref().is_some_and(|done| done.load(Relaxed))
            || self.pauses && self.limits.checkpoint.as_ref().is_some_and(|checkpoint| checkpoint.is_due());
    }

    /// Whether an observer should hear of progress now: at most ten times a second.
    pub fn report_due(&self) -> bool {
        self.last_look >= self.next_report
    }

    /// Plans the next report, now that one has been made: the longer it took, the later, so that reports never take
    /// much of the time.
    pub fn reported(&mut self) {
        const PAUSE: u32 = 50;
        let now = self.spent();
        self.next_report = now + Self::REPORT_EVERY.max((now - self.last_look) * PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn stops_by_steps_time_and_flag() {
        let mut watch = Watch::new(&Limits::default());
        assert!(!watch.is_over(9, Some(10)) && watch.is_over(10, Some(10)));
        let mut watch = Watch::new(&Limits { time: Some(Duration::from_millis(20)), ..Limits::default() });
        let mut steps = 0;
        while !watch.is_over(steps, None) {
            steps += 1;
        }
        assert!(watch.elapsed() >= Duration::from_millis(20));
        assert!(watch.elapsed() < Duration::from_millis(500), "{:?}", watch.elapsed());
        let limits = Limits::default();
        let mut watch = Watch::new(&limits);
        limits.stop.store(true, Relaxed);
        assert!((0..100_000_000).any(|steps| watch.is_over(steps, None)));
    }

    /// A look out of turn is no reason to look less often.
    #[test]
    fn looks_now() {
        let limits = Limits { clock: Some(own_clock), ..Limits::default() };
        let mut watch = Watch::new(&limits);
        assert!((0..10_000).all(|_| !watch.is_over_now()));
        assert!(!watch.step(1));
        limits.stop.store(true, Relaxed);
        assert!(watch.step(1) && watch.is_over_now());
        let mut watch = Watch::new(&Limits::default());
        assert!((0..10_000).all(|_| !watch.is_over_now()) && watch.look_every == 1);
        let limits = Limits::default();
        let mut watch = Watch::new(&limits);
        limits.stop.store(true, Relaxed);
        assert!(watch.is_over_now());
    }

    thread_local! {
        static HAND: Cell<Duration> = const { Cell::new(Duration::from_secs(100)) };
    }

    /// A clock that goes on by a millisecond whenever it is asked.
    fn own_clock() -> Duration {
        HAND.set(HAND.get() + Duration::from_millis(1));
        HAND.get()
    }

    #[test]
    fn another_clock_counts_from_the_start_of_the_search() {
        let over = |time: Duration| {
            let mut watch =
                Watch::new(&Limits { time: Some(time), clock: Some(own_clock), ..Limits::default() });
            let begin = HAND.get();
            assert!((0..100_000_000).any(|steps| watch.is_over(steps, None)), "the hand moves");
            let late = HAND.get();
            watch.go_on();
            assert!(watch.is_over(0, None), "over for good");
            late - begin
        };
        // Ten minutes by that clock are no time on the wall.
        for time in [Duration::from_secs(2), Duration::from_secs(600)] {
            assert_eq!(over(time), time);
        }
        // Whose hand stands still has all the time in the world.
        let (time, clock) = (Some(Duration::from_nanos(1)), Some((|| Duration::ZERO) as fn() -> Duration));
        let mut watch = Watch::new(&Limits { time, clock, ..Limits::default() });
        assert!((0..10_000_000).all(|steps| !watch.is_over(steps, None)));
    }
}
