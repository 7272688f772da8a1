//! Answers as JSON: one vocabulary for all front ends. docs/JSON.md has every field of every answer.
//!
//! A type for each kind of answer; those of experiments are in the lab. Fields that are called an old name stay for this
//! version.

mod list;
mod position;
mod search;

pub use list::{Categories, Category, Completions, GameInfo, SearchInfo, SettingInfo};
pub use position::{Counted, Here, Replayed, Shown};
pub use search::{
    Analyzed, CertificateFile, CheckpointFile, Found, MoveThought, MoveValue, Solved, Undecided, Verified,
    proven,
};

use proofplay_core::Bounds;
use serde::{Serialize, Serializer};

/// A lower and an upper bound, in the view of the player who began.
pub type Pair = [i16; 2];

/// Bounds as JSON has them.
pub fn pair(bounds: Bounds) -> Pair {
    [bounds.pess.0, bounds.opti.0]
}

/// Something for each of several moves, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ByMove<T>(pub Vec<(String, T)>);

impl<T: Serialize> Serialize for ByMove<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(mv, of_it)| (mv, of_it)))
    }
}
