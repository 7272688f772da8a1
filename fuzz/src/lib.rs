//! What is done with bytes that anybody might hand in: one function for every text format and file
//! format.
//!
//! Nothing may panic, hang or take much memory; what is read is printed so that it reads back the
//! same; what is claimed is compared with brute force. The targets of cargo-fuzz call these
//! functions, and so does a test of the workspace (`crates/cli/tests/fuzz.rs`) with the inputs in
//! `corpus/` and with mutations of them.

mod certificate;
mod checkpoint;
mod gtp;
mod network;
mod rules;
mod stdio;
mod table;
mod text;

pub use certificate::certificate;
pub use checkpoint::{checkpoint, checkpoint_file};
pub use gtp::gtp;
pub use network::network;
pub use rules::{game, moves, position, record, sgf, written};
pub use stdio::stdio;
pub use table::table;
pub use text::{amounts, categories, openings, spec};

use proofplay_core::Score;
use proofplay_registry::{DynGame, DynPosition};
use proofplay_search::{Ask, Limits, Resources, Run, SearchSpec};

/// A format by the name of its target and of its folder in `corpus/`, and what is done with an
/// input.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: &[Target] = &[
    ("amounts", amounts),
    ("categories", categories),
    ("certificate", certificate),
    ("checkpoint", checkpoint),
    ("checkpoint_file", checkpoint_file),
    ("game", game),
    ("gtp", gtp),
    ("moves", moves),
    ("network", network),
    ("openings", openings),
    ("position", position),
    ("record", record),
    ("sgf", sgf),
    ("spec", spec),
    ("stdio", stdio),
    ("table", table),
    ("written", written),
];

/// The game of a name that a game has given itself.
fn game_of(name: &str) -> Box<dyn DynGame> {
    proofplay_registry::game(name).unwrap_or_else(|error| panic!("{error}"))
}

/// The value of a position by brute force, if that takes at most this many nodes.
fn value(pos: &dyn DynPosition, nodes: u64) -> Option<Score> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let spec = SearchSpec::Minimax;
    pos.search(&spec, Resources::default(), Ask::Value, &mut Run::new(limits)).ok()?.bounds.value()
}
