//! What a table is about, at the beginning of its file.

use crate::TableError;
use std::fmt;

/// The first bytes of each file, with the version.
pub(crate) const MAGIC: &[u8; 18] = b"proofplay table 1\n";
/// The last bytes of each file.
pub(crate) const END: &[u8; 4] = b"end\n";
/// Where the directory is, how long it is, the sum of both numbers and the directory, and [`END`].
pub(crate) const TRAILER: usize = 8 + 8 + 4 + 4;
/// No head is longer.
pub(crate) const LONGEST: usize = 1 << 16;
/// No table has more parts.
pub(crate) const MOST_PARTS: u32 = 1 << 16;

/// Which positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Set {
    /// A set of the game by its name, with the numbers of [`Game::numbering`](proofplay_core::Game::numbering).
    Named(String),
    /// All that can follow a position, with its text, by the numbers of [`Position::packed`](proofplay_core::Position::packed).
    After(String),
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Set::Named(name) => f.write_str(name),
            Set::After(position) => write!(f, "what can follow {position}"),
        }
    }
}

/// What a table is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// The game, as [`Game::id`](proofplay_core::Game::id) has it.
    pub game: String,
    /// Which of its positions.
    pub set: Set,
}

impl Head {
    /// As it is in a file.
    pub(crate) fn text(&self) -> String {
        let (key, set) = match &self.set {
            Set::Named(name) => ("set", name),
            Set::After(position) => ("after", position),
        };
        format!("game: {}\n{key}: {set}\n", self.game)
    }

    /// Reads [`Head::text`].
    pub(crate) fn parse(bytes: &[u8]) -> Result<Head, TableError> {
        let nonsense = TableError::Damaged("its head cannot be read");
        let text = std::str::from_utf8(bytes).map_err(|_| nonsense.clone())?;
        let mut lines = text.lines().map(|line| line.split_once(": ").unwrap_or((line, "")));
        let head = match (lines.next(), lines.next(), lines.next()) {
            (Some(("game", game)), Some(("set", name)), None) => {
                Head { game: game.to_owned(), set: Set::Named(name.to_owned()) }
            }
            (Some(("game", game)), Some(("after", position)), None) => {
                Head { game: game.to_owned(), set: Set::After(position.to_owned()) }
            }
            _ => return Err(nonsense),
        };
        if head.text().as_bytes() == bytes { Ok(head) } else { Err(nonsense) }
    }
}
