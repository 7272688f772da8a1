//! Answers about experiments as JSON, in the vocabulary of [`proofplay_front::json`]. docs/JSON.md
//! has every field.

mod bench;
mod matches;
mod papers;
mod results;
mod shown;

pub use bench::{BenchJson, BenchedGame};
pub use matches::{
    GameRecord, MatchJson, PairingJson, PerMove, RatedPlayer, SprtJson, StandingJson, TournamentJson,
    TriedJson, TunedJson, Used,
};
pub use papers::{ArchiveJson, ArchivedTable, CellJson, ReportJson, ReproduceJson, TableJson};
pub use results::{ExperimentJson, RunJson, SolveJson};
pub use shown::{ShownTable, StoreJson};
