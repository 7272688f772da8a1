//! Experiments: players, matches, statistics, and a store that loses nothing.
//!
//! An experiment is a [`Study`]: numbered trials, each of which follows from the study and its number
//! alone. [`run`] does the trials that the [`Store`] does not have yet. So the trials are the same
//! after a stop, with several threads and with several processes.
#![forbid(unsafe_code)]

mod contender;
mod course;
mod forfeits;
pub mod json;
mod kept;
mod matches;
mod opening;
mod pace;
pub mod papers;
mod plan;
mod race;
mod rating;
pub mod report;
mod rules;
mod seat;
mod signature;
mod solve;
pub mod stats;
mod store;
pub mod strength;
mod study;
mod system;
mod terms;
mod tournament;
mod tune;

pub use contender::{Contender, ContenderError};
pub use course::{Course, Played, Step};
pub use forfeits::Forfeits;
pub use kept::Kept;
pub use matches::{Match, PlayedGame, Standing, standing};
pub use opening::Openings;
pub use pace::Pace;
pub use race::{Contestant, Positions, Race, Raced};
pub use rating::CrossTable;
pub use signature::{Fold, SEARCHED, fold_search, late_position, signature};
pub use solve::{Solve, Solved};
pub use store::{Experiment, Store};
pub use study::{Study, Trials, keep, run};
pub use terms::Terms;
pub use tournament::{Mode, Pairing, Tournament};
pub use tune::{Tried, Tuned, Tuning, grid};

use proofplay_core::TextError;
pub use proofplay_front::game::Effort;
use proofplay_front::player::PlayerError;
use proofplay_registry::SetupError;
use proofplay_search::SearchError;

/// A game as a person writes it: without the digest that stored plans have.
pub fn plain_name(game: &str) -> &str {
    game.split('#').next().unwrap_or(game)
}

/// Why an experiment cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The store cannot be read or written.
    #[error("the store `{path}`: {error}")]
    Store {
        /// Which file.
        path: String,
        /// What SQLite says.
        error: rusqlite::Error,
    },
    /// The file is not a store of this program.
    #[error("the store `{path}`: {what}")]
    Foreign {
        /// Which file.
        path: String,
        /// What is wrong with it.
        what: String,
    },
    /// A line of a file of records.
    #[error("`{path}`, line {line}: {what}")]
    Record {
        /// Which file.
        path: String,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The name of a game.
    #[error(transparent)]
    Game(#[from] SetupError),
    /// A move or a position.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A search that cannot do what it is asked.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// Players that cannot meet, and other plans that cannot be carried out.
    #[error("{0}")]
    Plan(String),
}

impl From<PlayerError> for LabError {
    fn from(error: PlayerError) -> LabError {
        match error {
            PlayerError::Search(error) => LabError::Search(error),
            PlayerError::Move(error) => LabError::Text(error),
            PlayerError::Game(error) => LabError::Game(error),
            error => LabError::Plan(error.to_string()),
        }
    }
}

impl LabError {
    /// Whether it is about a store that could not be written.
    pub fn is_unwritten(&self) -> bool {
        use rusqlite::ErrorCode::{CannotOpen, DiskFull, PermissionDenied, ReadOnly, SystemIoFailure};
        let LabError::Store { error, .. } = self else { return false };
        let unwritten = [CannotOpen, DiskFull, PermissionDenied, ReadOnly, SystemIoFailure];
        error.sqlite_error_code().is_some_and(|code| unwritten.contains(&code))
    }
}
