//! How `--algorithm` and `--engine` are explained.

pub use proofplay_front::auto::{AUTO, DEFAULT_OPPONENT, algorithm};
use proofplay_search::SearchKind;

/// The help of `--algorithm`.
pub fn algorithms() -> String {
    let names: Vec<&str> = SearchKind::all().iter().map(|kind| kind.name).collect();
    let names = names.join(", ");
    format!("The search as NAME or NAME:KEY=VALUE,…; the names are {names}; see `proofplay searches`")
}
