//! Games, positions and searches without their types, and lists of games by name.
//!
//! Types are erased once for each search: a position without its type starts a search, which runs in the static world and
//! returns a report with moves as text.
#![forbid(unsafe_code)]

mod certify;
mod erased;
mod games;
#[cfg(feature = "networks")]
mod guide;
mod learn;
mod search;
mod table;

pub use certify::CheckError;
pub use erased::{AnyGame, AnyPosition, DynGame, DynPosition, erase};
pub use games::{Entries, Entry, Games, Refusal, SetupError};
#[cfg(feature = "networks")]
pub use guide::{AnyEncoder, Batch, DynEncoder, Guesses, Guide, Shape};
pub use learn::{Category, Course, Learned};
pub use proofplay_certify::{Certified, Certify, CertifyError};
pub use proofplay_table::{Checked as CheckedTable, Counts, Head, Set, Table, TableError};
pub use search::{AnySearch, DynSearch};
pub use table::{Made, MakeError, MakeTable, Making};
