//! Promises of [`Position`] that searches check while they run, in release builds too: a broken one
//! ends a search with a message that names what to repair, not with a wrong value or with a stack
//! overflow.
//!
//! [`crate::conformance::check_position`] checks more, before any search.

use crate::{Bounds, Position, Score};

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
