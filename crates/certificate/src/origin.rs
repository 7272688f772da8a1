//! How the position of a certificate comes about.

use proofplay_core::{Game, Position, TextError};

/// A start and the moves from there. Moves are kept since in some games they tell more than the position after them: which
/// positions may not come again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// A position as text; `None` is the start of the game.
    pub from: Option<String>,
    /// The moves made from there.
    pub moves: Vec<String>,
}

impl Origin {
    /// The start of the game.
    pub fn start() -> Origin {
        Origin::default()
    }

    /// The position.
    pub fn position<G: Game>(&self, game: &G) -> Result<G::Pos, TextError> {
        let mut pos = self.from.as_ref().map_or_else(|| Ok(game.start()), |text| game.parse(text))?;
        for text in &self.moves {
            let mv = game.parse_move(&pos, text)?;
            pos.play(mv);
        }
        Ok(pos)
    }
}
