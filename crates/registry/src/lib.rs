//! Games by name, and games and searches without their types.
//!
//! ```
//! use proofplay_registry::game;
//! use proofplay_search::{Ask, Resources, Run, SearchSpec};
//! let mut pos = game("tictactoe").unwrap().start();
//! pos.play("b2").unwrap();
//! let spec: SearchSpec = "alphabeta".parse().unwrap();
//! let report = pos.search(&spec, Resources::default(), Ask::Value, &mut Run::default()).unwrap();
//! assert_eq!(report.bounds.value().unwrap().0, 0);
//! assert!(game("conect4").err().unwrap().to_string().contains("did you mean `connect4`?"));
//! ```
#![forbid(unsafe_code)]

mod certify;
mod erased;
mod games;
mod learn;
mod search;

pub use certify::CheckError;
pub use erased::{AnyGame, AnyPosition, DynGame, DynPosition, erase};
pub use games::{Entry, Games, SetupError};
pub use learn::{Category, Course, Learned};
pub use proofplay_certify::{Certified, Certify, CertifyError};
#[cfg(feature = "go")]
pub use proofplay_games::go::sgf;
pub use search::{AnySearch, DynSearch};

use proofplay_certificate::{Certificate, Checked, Walked};
use proofplay_core::Line;
use std::sync::LazyLock;

/// The games of this program: all that were compiled in.
pub static GAMES: LazyLock<Games> = LazyLock::new(Games::standard);

/// [`Games::game`] of the games of this program.
pub fn game(text: &str) -> Result<AnyGame, SetupError> {
    GAMES.game(text)
}

/// [`Games::reach`] of the games of this program.
pub fn reach(line: &Line) -> Result<AnyPosition, SetupError> {
    GAMES.reach(line)
}

/// [`Games::verify`] of the games of this program.
pub fn verify<'a>(
    file: &'a [u8],
    memory: usize,
    watch: &mut dyn FnMut(&Walked) -> bool,
) -> Result<(Certificate<'a>, Checked), CheckError> {
    GAMES.verify(file, memory, watch)
}
