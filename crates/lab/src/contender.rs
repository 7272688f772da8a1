//! A player is a search, perhaps with its own version of the game:
//! `alphabeta:depth=4@loa:8x8,eval=2000`.

use crate::Pace;
use proofplay_search::{SearchSpec, SpecError};
use std::fmt;
use std::str::FromStr;

/// Who plays.
#[derive(Clone, PartialEq, Debug)]
pub struct Contender {
    /// How it searches.
    pub spec: SearchSpec,
    /// The game it thinks in, if not the one that is played: one with the same rules and other
    /// hints.
    pub thinks_in: Option<String>,
}

/// Why a player cannot be read.
pub type ContenderError = SpecError;

impl Contender {
    /// The same player in the game of this name, where `auto` means one of the others: one that makes
    /// simulations if these are what limits it.
    pub fn for_game(self, name: &str, pace: &Pace) -> Contender {
        let must_simulate = pace.playouts.is_some() && pace.nodes.is_none() && pace.time.is_none();
        let spec = self.spec.for_game(self.thinks_in.as_deref().unwrap_or(name), must_simulate);
        Contender { spec, ..self }
    }

    /// Whether its spec limits its thinking about a move.
    pub fn limits_itself(&self) -> bool {
        self.spec.limits_itself()
    }
}

impl FromStr for Contender {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Contender, SpecError> {
        let (spec, thinks_in) = match text.split_once('@') {
            Some((spec, game)) => (spec, Some(game.to_owned())),
            None => (text, None),
        };
        Ok(Contender { spec: spec.parse()?, thinks_in })
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(f)?;
        self.thinks_in.iter().try_for_each(|game| write!(f, "@{game}"))
    }
}
