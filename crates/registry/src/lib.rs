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

pub use proofplay_erased::*;

use proofplay_certificate::{Certificate, Checked, Walked};
#[cfg(feature = "gdl")]
pub use proofplay_compiled_sheets::{SheetError, Shelf, sheets, without_type};
use proofplay_core::Line;
use std::sync::LazyLock;

/// The games of this program: all that were compiled in.
pub static GAMES: LazyLock<Games> = LazyLock::new(standard);

/// All games that were compiled in. [`Games::with`] adds games of your own.
pub fn standard() -> Games {
    let mut entries = proofplay_compiled_lines::entries();
    entries.extend(proofplay_compiled_territory::entries());
    entries.extend(proofplay_compiled_pieces::entries());
    #[cfg(feature = "gdl")]
    entries.push(proofplay_compiled_sheets::entry());
    Games::new(entries)
}

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
