//! Rules with their parameters, their notation and a picture.

use crate::{Extras, Facts, Hints, NoHints, Player, Position, View};
use std::fmt;
use std::sync::Arc;

/// A game with its parameters fixed: where play starts, and how positions and moves are written.
///
/// Text is a contract: ranks from top to bottom separated by `/`, one character a cell, then the
/// side to move.
pub trait Game: Clone + Send + Sync + 'static {
    /// The states of this game.
    type Pos: Position;

    /// The name with its parameters, as on the command line: `connect4:7x6`.
    fn name(&self) -> String;

    /// A number that changes with the rules, for a game whose name does not say them, such as one that is read from a file. `None` if
    /// the name with its parameters says it all.
    fn digest(&self) -> Option<u64> {
        None
    }

    /// How files name the game: its name and, behind a `#`, the digest of its rules if it has one.
    fn id(&self) -> String {
        let digest = self.digest().map_or(String::new(), |digest| format!("#{digest:016x}"));
        self.name() + &digest
    }

    /// The position at the start of the game.
    fn start(&self) -> Self::Pos;

    /// Reads a position. Positions that cannot arise by the rules are refused as far as the game
    /// can detect them.
    fn parse(&self, text: &str) -> Result<Self::Pos, TextError>;

    /// Writes a position so that [`Game::parse`] reads it back.
    fn show(&self, pos: &Self::Pos) -> String;

    /// Writes a move of `pos`.
    fn show_move(&self, pos: &Self::Pos, mv: <Self::Pos as Position>::Move) -> String;

    /// Whether the text of a move depends on nothing but the move and who makes it, so that it can
    /// be cached.
    fn has_fixed_texts(&self) -> bool {
        false
    }

    /// Reads a legal move of `pos`.
    fn parse_move(&self, pos: &Self::Pos, text: &str) -> Result<<Self::Pos as Position>::Move, TextError> {
        if pos.outcome().is_some() {
            return Err(TextError::new("move", text, "the game is over, no move is legal"));
        }
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let found = moves.iter().copied().find(|&mv| self.show_move(pos, mv) == text);
        found.ok_or_else(|| {
            let legal: Vec<_> = moves.iter().map(|&mv| self.show_move(pos, mv)).collect();
            TextError::new("move", text, format!("not legal here; legal: {}", first_of(&legal)))
        })
    }

    /// What the players are called, e.g. `X` and `O`.
    fn side(&self, player: Player) -> &str;

    /// The board as a picture.
    fn view(&self, pos: &Self::Pos) -> View;

    /// What is certain about its positions without a search; `None` if nothing is.
    fn facts(&self) -> Option<Arc<dyn Facts<Self::Pos>>> {
        None
    }

    /// What is guessed about its positions.
    fn hints(&self) -> Arc<dyn Hints<Self::Pos>> {
        Arc::new(NoHints)
    }

    /// Facts and hints together.
    fn extras(&self) -> Extras<Self::Pos> {
        Extras { facts: self.facts(), hints: self.hints() }
    }
}

/// The first two dozen entries of a list, and how many more there are.
fn first_of(list: &[String]) -> String {
    const MOST: usize = 24;
    match list.len().checked_sub(MOST) {
        None | Some(0) => list.join(" "),
        Some(more) => format!("{} … ({more} more)", list[..MOST].join(" ")),
    }
}

/// A text of at most `most` characters: the beginning of a longer one ends with an ellipsis.
///
/// ```
/// use proofplay_core::shorten;
/// assert_eq!([shorten("äbc", 3), shorten("äbcd", 3)], ["äbc", "äb…"]);
/// ```
pub fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// Text that could not be read: what it should have been, the text, and what was expected of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    what: &'static str,
    text: String,
    expected: String,
}

impl TextError {
    /// Characters of a text that is quoted.
    const LONGEST: usize = 500;

    /// `what` is "move", "position", "parameters" …; `expected` says what is wrong or what is
    /// allowed.
    pub fn new(what: &'static str, text: &str, expected: impl Into<String>) -> TextError {
        TextError { what, text: shorten(text, TextError::LONGEST), expected: expected.into() }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`: {}", self.what, self.text, self.expected)
    }
}

impl std::error::Error for TextError {}
