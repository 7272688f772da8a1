//! How `--algorithm` and `--engine` are explained.

pub use proofplay_front::auto::{AUTO, ESTIMATOR, algorithm, algorithm_for_plies, player};
use proofplay_search::SearchKind;

/// All names of searches.
pub fn names() -> String {
    SearchKind::all().iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

/// The help of `--algorithm`.
pub fn algorithms() -> String {
    let names = names();
    format!("The search as NAME or NAME:KEY=VALUE,…; the names are {names}; see `proofplay searches`")
}
