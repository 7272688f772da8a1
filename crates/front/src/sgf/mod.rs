//! Games as SGF files, FF\[4\] \[Hol97\].
//!
//! [`Tree`] is a whole file and knows no game; [`Source`] is the game in it that is meant, and the
//! line of play that is followed. A file that was read keeps all that it has when it is written again:
//! variations, comments, properties that mean nothing here, other games. Moves that were made since
//! continue its line, or become a variation where they differ from all that the file has.
//!
//! Read are the number of the game (`GM`), the size (`SZ`), komi (`KM`, Go), the kind of start (`SU`,
//! Lines of Action), stones that are set up (`AB`, `AW`, `AE`, in Amazons `AA`), who moves then (`PL`)
//! and the moves (`B`, `W`). Handicap stones are stones that are set up; `PL` or the first move says
//! who moves after them, else White does if there is a handicap (`HA`).
//!
//! In Go a file may have two moves of one colour in a row. The game then has a pass between them, which
//! is not written back; other games refuse such a file.

mod line;
mod notation;
mod tree;
mod write;

pub use notation::expect_kind;
pub use tree::{NodeId, Property, Tree, plain};
pub use write::{described, fresh};

use crate::points::Points;
use crate::record::Ply;
use crate::text::counted;
use proofplay_core::{Score, TextError};
use proofplay_registry::SetupError;
use serde::Serialize;
use std::fmt;

fn bad(text: &str, expected: impl Into<String>) -> TextError {
    const MOST: usize = 40;
    let shown: String = text.chars().take(MOST).collect();
    TextError::new("SGF", &shown, expected)
}

/// A game in a file, and a line of play in it.
#[derive(Debug)]
pub struct Source {
    tree: Tree,
    /// Which variations the line follows, see [`Source::read`].
    variations: Vec<usize>,
    read: line::Read,
}

/// What a file has beside the line that is followed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct NotFollowed {
    /// Other lines of play of the game.
    pub variations: usize,
    /// Other games of the file.
    pub games: usize,
}

impl fmt::Display for NotFollowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [(self.variations, "variation"), (self.games, "game")];
        let parts = parts.into_iter().filter(|part| part.0 > 0).map(|(count, what)| counted(count, what));
        write!(f, "the file has more, which was not followed: {}", parts.collect::<Vec<_>>().join(", "))
    }
}

impl Source {
    /// Reads the first game of a file. The line is that of the first variations, or of those with
    /// these numbers, from 1, one for each node that has several.
    ///
    /// It takes the text of the file and 16 bytes for each of its nodes.
    pub fn read(text: &str, variations: &[usize]) -> Result<Source, SetupError> {
        let tree = Tree::read(text)?;
        let game = tree.games().next().ok_or_else(|| bad(text, "a game begins with `(;`"))?;
        let read = line::read(&tree, game, variations)?;
        Ok(Source { tree, variations: variations.to_vec(), read })
    }

    /// The game with its parameters, as far as the file tells them.
    pub fn game(&self) -> &str {
        &self.read.game
    }

    /// Its name alone.
    pub fn family(&self) -> &'static str {
        self.read.kind.game
    }

    /// What people call it.
    pub fn title(&self) -> &'static str {
        self.read.kind.title
    }

    /// The position that the moves begin at.
    pub fn position(&self) -> &str {
        &self.read.position
    }

    /// The moves of the line, separated by blanks.
    pub fn moves(&self) -> &str {
        &self.read.moves
    }

    /// Which moves of the line, from 1, the file does not have: passes between two moves of one colour.
    pub fn added_passes(&self) -> &[usize] {
        &self.read.passes
    }

    /// What the file has beside the line; `None` if that is nothing.
    pub fn not_followed(&self) -> Option<NotFollowed> {
        let games = self.tree.games().skip(1).count();
        let game = self.tree.games().next()?;
        let variations = self.tree.lines(game) - 1;
        (games + variations > 0).then_some(NotFollowed { variations, games })
    }

    /// The file with a line of play of this game from the same start, with comments on the first
    /// moves of it or on all, and with the result if the line is the first one of the file and over.
    pub fn with(
        &self,
        game: &str,
        plies: &[Ply],
        outcome: Option<Score>,
        comments: &[String],
    ) -> Result<String, TextError> {
        write::with(self, game, plies, outcome, comments)
    }
}

/// A score of a game that is over: `B+3.5`, `W+1`, `0`; B is the player who began.
pub fn score_text(game: &str, score: Score) -> String {
    let points = Points::of(game, score).amount();
    match score.0 {
        0 => "0".to_owned(),
        1.. => format!("B+{points}"),
        _ => format!("W+{points}"),
    }
}

#[cfg(test)]
mod tests;
