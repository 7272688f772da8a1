//! Tables of endgames as files: values and distances of a whole set of positions. The format is described in docs/TABLES.md.
//!
//! A [`Writer`] writes one. A [`Table`] answers from a file without reading it whole; [`TableFacts`] are its answers for searches.
//! [`verify`] checks each entry against the entries after its moves, with the rules of the game alone. No search is known here.
#![forbid(unsafe_code)]

mod block;
mod facts;
mod head;
mod read;
mod verify;
mod write;

pub use facts::{Both, TableFacts};
pub use head::{Head, Set};
pub use read::Table;
pub use verify::{Checked, Counts, verify};
pub use write::Writer;

/// Why a table is of no use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The system does not read or write it.
    #[error("the system says: {0}")]
    System(String),
    /// It is no table, or of another version.
    #[error("this is no table of this version of proofplay")]
    Foreign,
    /// It is cut off, or bytes have changed.
    #[error("the table is damaged or not complete: {0}")]
    Damaged(&'static str),
    /// It is a table of another game.
    #[error("the table is for `{found}`, not for `{asked}`")]
    OtherGame {
        /// The game of the table.
        found: String,
        /// The game that it should be for.
        asked: String,
    },
    /// The game does not number such positions.
    #[error("the table is of no use for this game: {0}")]
    OtherSet(String),
    /// An entry is not what the rules and the other entries say.
    #[error("the table is wrong: {position}: {found}, but {expected}")]
    Wrong {
        /// The position.
        position: String,
        /// The entry.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// Somebody wanted it to end.
    #[error("checking was stopped")]
    Stopped,
}

impl From<std::io::Error> for TableError {
    fn from(error: std::io::Error) -> TableError {
        match error.kind() {
            std::io::ErrorKind::UnexpectedEof => TableError::Damaged("it ends too early"),
            _ => TableError::System(error.to_string()),
        }
    }
}
