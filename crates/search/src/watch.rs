//! Watches the limits of a search while it runs.

use crate::Limits;
use crate::checkpoint::Checkpoint;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Watches the limits of one running search.
#[derive(Clone, Debug)]
pub struct Watch {
    limits: Limits,
    stop: Arc<AtomicBool>,
    checkpoint: Option<Arc<Checkpoint>>,
    started: Instant,
    /// The reading of another clock at the start.
    began: Duration,
    last_look: Duration,
    next_look: u64,
    look_every: u64,
    next_report: Duration,
    over: bool,
    /// Steps counted by [`Watch::step`].
    steps: u64,
    /// Set by another thread that has found the answer.
    done: Option<Arc<AtomicBool>>,
}

impl Watch {
    /// How often an observer is called.
    const REPORT_EVERY: Duration = Duration::from_millis(100);

    /// Starts the clock. `stop` ends the search whenever it is set.
    pub fn new(limits: Limits, stop: &Arc<AtomicBool>) -> Watch {
        Watch {
            limits,
            stop: Arc::clone(stop),
            checkpoint: None,
            started: Instant::now(),
            began: limits.clock.map_or(Duration::ZERO, |clock| clock()),
            last_look: Duration::ZERO,
            next_look: 1,
            look_every: 1,
            next_report: Self::REPORT_EVERY,
            over: stop.load(Relaxed),
            steps: 0,
            done: None,
        }
    }

    /// For a search that has not begun: nothing ends it.
    pub fn idle() -> Watch {
        Watch::new(Limits::default(), &Arc::default())
    }

    /// For a search that can write this checkpoint only when it has ended: it also ends when the
    /// checkpoint is due, and [`Watch::go_on`] lets it begin again.
    pub fn with_pauses(self, checkpoint: Option<&Arc<Checkpoint>>) -> Watch {
        Watch { checkpoint: checkpoint.cloned(), ..self }
    }

    /// Makes this flag end the search as well, instead of an earlier one.
    pub fn also_stop_by(&mut self, done: &Arc<AtomicBool>) {
        self.go_on();
        self.done = Some(Arc::clone(done));
    }

    /// The search begins again, unless the time is over.
    pub fn go_on(&mut self) {
        let late = self.limits.time.is_some_and(|time| self.spent() >= time);
        self.over = late || self.stop.load(Relaxed);
    }

    /// The limits being watched.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The flag that ends the search.
    pub fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Whether it ends for checkpoints.
    pub fn may_pause(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// Whether the search has ended, or should, because a checkpoint is due.
    pub fn is_pausing(&self) -> bool {
        self.checkpoint.as_ref().is_some_and(|checkpoint| checkpoint.is_due())
    }

    /// Wall-clock time since the start.
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

    /// Counts `more` steps and returns whether the search must end. For searches without a limit on
    /// steps, instead of [`Watch::is_over`].
    #[inline]
    pub fn step(&mut self, more: u64) -> bool {
        self.steps += more;
        self.is_over(self.steps, None)
    }

    /// Checks now, during something that takes long, and returns whether the search must end.
    pub fn is_over_now(&mut self) -> bool {
        self.heed(self.spent());
        self.over
    }

    /// Reads the clock and the stop flag, and plans the next time: about once a millisecond,
    /// whatever a step costs.
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

    /// Ends the search if the time is over or a flag is set.
    fn heed(&mut self, now: Duration) {
        self.over |= self.stop.load(Relaxed)
            || self.limits.time.is_some_and(|time| now >= time)
            || self.done.as_ref().is_some_and(|done| done.load(Relaxed))
            || self.is_pausing();
    }

    /// Whether an observer should be called now: at most ten times a second.
    pub fn report_due(&self) -> bool {
        self.last_look >= self.next_report
    }

    /// Plans the next report, now that one has been made: the longer it took, the later, so that
    /// reports never take much of the time.
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

    fn unlimited(stop: &Arc<AtomicBool>) -> Watch {
        Watch::new(Limits::default(), stop)
    }

    #[test]
    fn stops_by_steps_time_and_flag() {
        let mut watch = unlimited(&Arc::default());
        assert!(!watch.is_over(9, Some(10)) && watch.is_over(10, Some(10)));
        // The wall clock ends it, and not too early.
        let time = Some(Duration::from_millis(5));
        let mut watch = Watch::new(Limits { time, ..Limits::default() }, &Arc::default());
        let mut steps = 0;
        while !watch.is_over(steps, None) {
            steps += 1;
        }
        assert!(watch.elapsed() >= Duration::from_millis(5));
        let stop = Arc::default();
        let mut watch = unlimited(&stop);
        stop.store(true, Relaxed);
        assert!((0..100_000_000).any(|steps| watch.is_over(steps, None)));
    }

    /// An extra check does not make later checks rarer.
    #[test]
    fn looks_now() {
        let stop = Arc::default();
        let mut watch = Watch::new(Limits { clock: Some(own_clock), ..Limits::default() }, &stop);
        assert!((0..10_000).all(|_| !watch.is_over_now()));
        assert!(!watch.step(1));
        stop.store(true, Relaxed);
        assert!(watch.step(1) && watch.is_over_now());
        let mut watch = unlimited(&Arc::default());
        assert!((0..10_000).all(|_| !watch.is_over_now()) && watch.look_every == 1);
        let stop = Arc::default();
        let mut watch = unlimited(&stop);
        stop.store(true, Relaxed);
        assert!(watch.is_over_now());
    }

    thread_local! {
        static HAND: Cell<Duration> = const { Cell::new(Duration::from_secs(100)) };
    }

    /// A clock that advances by a millisecond whenever it is read.
    fn own_clock() -> Duration {
        HAND.set(HAND.get() + Duration::from_millis(1));
        HAND.get()
    }

    #[test]
    fn another_clock_counts_from_the_start_of_the_search() {
        let over = |time: Duration| {
            let mut watch = Watch::new(
                Limits { time: Some(time), clock: Some(own_clock), ..Limits::default() },
                &Arc::default(),
            );
            let begin = HAND.get();
            assert!((0..100_000_000).any(|steps| watch.is_over(steps, None)), "the hand moves");
            let late = HAND.get();
            watch.go_on();
            assert!(watch.is_over(0, None), "over for good");
            late - begin
        };
        // Ten minutes by that clock take no wall-clock time.
        for time in [Duration::from_secs(2), Duration::from_secs(600)] {
            assert_eq!(over(time), time);
        }
        // A clock that stands still never ends a search.
        let (time, clock) = (Some(Duration::from_nanos(1)), Some((|| Duration::ZERO) as fn() -> Duration));
        let mut watch = Watch::new(Limits { time, clock, ..Limits::default() }, &Arc::default());
        assert!((0..10_000_000).all(|steps| !watch.is_over(steps, None)));
    }
}
