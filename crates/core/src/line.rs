//! A line of play as text.

use crate::{Game, Position, TextError};

/// A line of play: a game, where it begins, and the moves from there. It has the moves because in
/// some games the position after them is not enough: which positions may not repeat depends on the
/// history.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Line {
    /// The game with its parameters.
    pub game: String,
    /// A position as text; `None` is the start of the game.
    pub from: Option<String>,
    /// The moves made from there.
    pub moves: Vec<String>,
}

impl Line {
    /// The start of a game.
    pub fn start(game: &str) -> Line {
        Line { game: game.to_owned(), ..Line::default() }
    }

    /// The same line with more moves, separated by blanks.
    pub fn then(mut self, moves: &str) -> Line {
        self.moves.extend(moves.split_whitespace().map(str::to_owned));
        self
    }

    /// The position at its end, by the rules of `game`.
    pub fn position<G: Game>(&self, game: &G) -> Result<G::Pos, TextError> {
        let mut pos = self.from.as_ref().map_or_else(|| Ok(game.start()), |text| game.parse(text))?;
        for text in &self.moves {
            let mv = game.parse_move(&pos, text)?;
            pos.play(mv);
        }
        Ok(pos)
    }
}
