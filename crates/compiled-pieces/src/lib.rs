//! Every search, compiled for Amazons, Breakthrough, Lines of Action, Checkers, Cannon, Chinese Checkers, written trees.
//!
//! Compiling every search for every game takes most of the time of a build. It is done in three crates, which compile side by
//! side, each as one unit: that makes the fastest code.
#![forbid(unsafe_code)]

use proofplay_erased::{Entries, Entry};

/// The games of this crate that were compiled in.
pub fn entries() -> Vec<Entry> {
    let mut entries = Entries::default();
    proofplay_games::pieces(&mut entries);
    entries.0
}
