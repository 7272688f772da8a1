//! A game made of nothing but a position type.

use crate::{Extras, Facts, Game, Hints, Player, Position, TextError, View};
use std::sync::Arc;

/// Any position as a [`Game`]: moves are written as their numbers, positions as `Debug` prints
/// them, and there is no picture. Enough for certificates, which name the game, and for checks.
#[derive(Clone, Debug)]
pub struct Own<P: Position> {
    name: String,
    digest: Option<u64>,
    start: P,
    extras: Extras<P>,
}

impl<P: Position> Own<P> {
    /// The game of this name that begins at `start`.
    pub fn new(name: &str, start: P) -> Own<P> {
        Own { name: name.to_owned(), digest: None, start, extras: Extras::none() }
    }

    /// The same game with a digest of its rules ([`Game::digest`]).
    pub fn with_digest(self, digest: u64) -> Own<P> {
        Own { digest: Some(digest), ..self }
    }

    /// The same game with facts and hints.
    pub fn with_extras(self, extras: Extras<P>) -> Own<P> {
        Own { extras, ..self }
    }
}

impl<P: Position> Game for Own<P> {
    type Pos = P;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn digest(&self) -> Option<u64> {
        self.digest
    }

    fn start(&self) -> P {
        self.start.clone()
    }

    fn parse(&self, text: &str) -> Result<P, TextError> {
        Err(TextError::new("position", text, "positions of this game cannot be read: begin at its start"))
    }

    fn show(&self, pos: &P) -> String {
        // One line, as certificates need it.
        format!("{pos:?}").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn show_move(&self, _: &P, mv: P::Move) -> String {
        use crate::Move;
        mv.code().to_string()
    }

    fn side(&self, player: Player) -> &str {
        ["First", "Second"][player.index()]
    }

    fn view(&self, _: &P) -> View {
        View::default()
    }

    fn facts(&self) -> Option<Arc<dyn Facts<P>>> {
        self.extras.facts.clone()
    }

    fn hints(&self) -> Arc<dyn Hints<P>> {
        Arc::clone(&self.extras.hints)
    }
}
