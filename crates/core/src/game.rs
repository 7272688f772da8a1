//! Rules with their parameters, their notation and a picture.

use crate::{Extras, Facts, Hints, NoHints, Numbering, Player, Position, View};
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

    /// A number that changes with the rules, for a game whose name does not say them, such as one that is read from a file, and with
    /// the notation of moves, so that files of earlier versions are not misread. `None` if the name with its parameters says it all.
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

    /// Reads a legal move of `pos` as a person types it: in any case, unless two moves differ by
    /// nothing else. Files have one form, which [`Game::parse_move`] reads.
    fn read_move(&self, pos: &Self::Pos, text: &str) -> Result<<Self::Pos as Position>::Move, TextError> {
        self.parse_move(pos, text).or_else(|error| {
            let mut meant = Vec::new();
            if pos.outcome().is_none() {
                pos.moves(&mut meant);
            }
            meant.retain(|&mv| self.show_move(pos, mv).eq_ignore_ascii_case(text));
            match meant[..] {
                [] => Err(error),
                [mv] => Ok(mv),
                _ => {
                    let meant: Vec<_> = meant.iter().map(|&mv| self.show_move(pos, mv)).collect();
                    Err(TextError::new("move", text, format!("ambiguous, one of: {}", meant.join(" "))))
                }
            }
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

    /// The numbers of a set of positions, by the name of the set: what a table of endgames can be made for. Names are as short as
    /// `pieces=4`; an error says which there are.
    fn numbering(&self, set: &str) -> Result<Arc<dyn Numbering<Self::Pos>>, TextError> {
        Err(TextError::new(
            "set",
            set,
            format!("{} has no sets of positions; begin at a position instead", self.name()),
        ))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Key, Score};

    /// A choice among words; any of them wins.
    #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
    struct Word(Option<u8>);

    impl Position for Word {
        type Move = u8;
        fn turn(&self) -> Player {
            Player::First
        }
        fn outcome(&self) -> Option<Score> {
            self.0.map(|_| Score::WIN)
        }
        fn moves(&self, out: &mut Vec<u8>) {
            out.extend(0..WORDS.len() as u8);
        }
        fn play(&mut self, mv: u8) {
            self.0 = Some(mv);
        }
        fn key(&self) -> Key {
            self.0.map_or(0, |word| Key::from(word) + 1)
        }
    }

    const WORDS: [&str; 4] = ["a1", "Td1", "Kb", "kB"];

    #[derive(Clone)]
    struct Words;

    impl Game for Words {
        type Pos = Word;
        fn name(&self) -> String {
            "words".to_owned()
        }
        fn start(&self) -> Word {
            Word(None)
        }
        fn parse(&self, text: &str) -> Result<Word, TextError> {
            Err(TextError::new("position", text, "none is read"))
        }
        fn show(&self, _: &Word) -> String {
            String::new()
        }
        fn show_move(&self, _: &Word, mv: u8) -> String {
            WORDS[usize::from(mv)].to_owned()
        }
        fn side(&self, _: Player) -> &str {
            "X"
        }
        fn view(&self, _: &Word) -> View {
            View::default()
        }
    }

    #[test]
    fn people_type_in_any_case() {
        let read = |text| Words.read_move(&Words.start(), text).map_err(|error| error.to_string());
        for (text, mv) in [("a1", 0), ("A1", 0), ("Td1", 1), ("TD1", 1), ("td1", 1), ("Kb", 2), ("kB", 3)] {
            assert_eq!(read(text), Ok(mv), "{text}");
        }
        assert_eq!(read("b1").unwrap_err(), "move `b1`: not legal here; legal: a1 Td1 Kb kB");
        assert_eq!(
            Words.read_move(&Word(Some(0)), "A1").unwrap_err().to_string(),
            "move `A1`: the game is over, no move is legal"
        );
        assert_eq!(read("kb").unwrap_err(), "move `kb`: ambiguous, one of: Kb kB");
        assert!(Words.parse_move(&Words.start(), "A1").is_err(), "files have one form");
    }
}
