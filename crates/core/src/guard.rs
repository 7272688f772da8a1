//! Promises of [`Position`] that searches check while they run, in release builds too: a broken one
//! ends a search with a message that names what to repair, not with a wrong value or with a stack
//! overflow.
//!
//! [`crate::conformance::check_position`] checks more, before any search.

use crate::{Bounds, Position, Score};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The depth limit of recursive searches. In an unoptimised build `alphabeta` takes 1.8 KiB of
/// stack a ply, so that this depth fits into the 2 MiB of a thread; large positions take more.
pub const MOST_PLIES: usize = 1000;

/// [`Position::outcome`], checked.
///
/// # Panics
/// If the score lies outside [`Position::range`].
#[inline]
pub fn ended<P: Position>(pos: &P) -> Option<Score> {
    pos.outcome().map(|score| score_of(pos, score))
}

/// The score with which a game has ended at `pos`, checked.
///
/// # Panics
/// If the score lies outside [`Position::range`].
#[inline]
pub fn score_of<P: Position>(pos: &P, score: Score) -> Score {
    let range = pos.range();
    if !range.contains(score) {
        out_of_range(score, range);
    }
    score
}

/// Checks that a recursive search may visit a position at `ply`.
///
/// # Panics
/// If it is deeper than [`MOST_PLIES`].
#[inline]
pub fn check_ply(ply: usize) {
    if ply > MOST_PLIES {
        too_deep();
    }
}

thread_local! {
    /// Set while this thread works on claims of others: the flag that stops all that do.
    static CLAIMS: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// A value that cannot be both at least and at most what is claimed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Contradiction(pub Bounds);

/// Does work that rests on claims of others, such as the state of a search that was read from a
/// file. If they contradict each other or the rules, the work ends with the contradiction, without
/// a panic message; the threads of [`crate::threads::together`] are stopped by `stop`, which is
/// then as it was before.
pub fn with_claims<T>(stop: &Arc<AtomicBool>, work: impl FnOnce() -> T) -> Result<T, Contradiction> {
    let stopped = stop.load(Relaxed);
    let outer = CLAIMS.replace(Some(Arc::clone(stop)));
    let done = catch_unwind(AssertUnwindSafe(work));
    CLAIMS.set(outer);
    done.map_err(|payload| match payload.downcast::<Contradiction>() {
        Ok(contradiction) => {
            stop.store(stopped, Relaxed);
            *contradiction
        }
        Err(panic) => resume_unwind(panic),
    })
}

/// What a new thread does, in the same state of mind as this one.
pub(crate) fn on_new_thread<'a>(work: impl FnOnce() + Send + 'a) -> impl FnOnce() + Send + 'a {
    let claims = CLAIMS.with_borrow(Clone::clone);
    move || {
        CLAIMS.set(claims);
        work();
    }
}

/// Ends the search: the claims are wrong, or the game is.
#[cold]
#[inline(never)]
pub(crate) fn contradiction(bounds: Bounds) -> ! {
    if let Some(stop) = CLAIMS.with_borrow(Clone::clone) {
        stop.store(true, Relaxed);
        resume_unwind(Box::new(Contradiction(bounds)));
    }
    panic!(
        "a value cannot be at least {} and at most {}: `Position::range`, `key` or `repeats`, or a fact, \
         breaks its promise",
        bounds.pess, bounds.opti
    )
}

#[cold]
#[inline(never)]
fn out_of_range(score: Score, range: Bounds) -> ! {
    panic!(
        "the game ends with {score}, but `Position::range` says {range}: override `range` to allow every outcome"
    )
}

#[cold]
#[inline(never)]
fn too_deep() -> ! {
    panic!(
        "the search is more than {MOST_PLIES} plies deep: \
         does the game repeat positions although `Position::repeats` is false? \
         Longer games need a search that does not call itself, such as pns, pp or mcts"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::{Job, together};

    /// Two threads work, and one of them meets a contradiction; the other works until it is stopped.
    fn contradicted(stop: &Arc<AtomicBool>, on_main: bool) {
        let meet = || {
            let _ = Bounds::exact(Score::WIN).tighten(Bounds::exact(Score::LOSS));
        };
        let wait = || {
            while !stop.load(Relaxed) {
                std::thread::yield_now();
            }
        };
        let job: Job = if on_main { Box::new(wait) } else { Box::new(meet) };
        together(vec![job], &mut || if on_main { meet() } else { wait() });
    }

    #[test]
    fn claims_that_contradict_each_other_stop_all_threads() {
        for on_main in [true, false] {
            let stop = Arc::default();
            let Contradiction(bounds) = with_claims(&stop, || contradicted(&stop, on_main)).unwrap_err();
            assert_eq!((bounds.pess, bounds.opti), (Score::WIN, Score::LOSS));
            assert!(!stop.load(Relaxed), "as it was before");
        }
    }

    #[test]
    fn other_panics_pass() {
        let stop = Arc::default();
        let panic = catch_unwind(|| with_claims(&stop, || panic!("another"))).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"another"));
        // What was claimed is forgotten: a contradiction is a mistake of the game again.
        let panic =
            catch_unwind(|| Bounds::exact(Score::WIN).tighten(Bounds::exact(Score::LOSS))).unwrap_err();
        assert!(panic.downcast_ref::<String>().is_some_and(|text| text.contains("breaks its promise")));
    }
}
