//! Which position a command is about: GAME, `--position`, `--moves`.

use anyhow::{Result, anyhow};
use clap::Args;
use proofplay_certificate::Origin;
use proofplay_registry::{DynPosition, game};

/// The arguments that choose a position.
#[derive(Args, Debug)]
pub struct Setup {
    /// The game as NAME or NAME:PARAMETERS; `proofplay games` lists them
    #[arg(value_name = "GAME")]
    pub game: String,
    /// Play these moves first, separated by blanks
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Begin at this position instead of the start, in the form that `proofplay show` prints
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
}

impl Setup {
    /// Where the moves begin: the start of the game or `--position`.
    pub fn start(&self) -> Result<Box<dyn DynPosition>> {
        let game = game(&self.game)?;
        match &self.position {
            None => Ok(game.start()),
            Some(text) => Ok(game.parse(text)?),
        }
    }

    /// The position after the moves.
    pub fn position(&self) -> Result<Box<dyn DynPosition>> {
        let mut pos = self.start()?;
        for (i, mv) in self.line().enumerate() {
            play(pos.as_mut(), i + 1, mv)?;
        }
        Ok(pos)
    }

    /// How the position comes about, for a certificate.
    pub fn origin(&self) -> Origin {
        Origin { from: self.position.clone(), moves: self.line().map(str::to_owned).collect() }
    }

    /// The moves to be played.
    pub fn line(&self) -> impl Iterator<Item = &str> {
        self.moves.as_deref().unwrap_or("").split_whitespace()
    }
}

/// Plays move number `ply` of a line; the error names the ply and what was legal.
pub fn play(pos: &mut dyn DynPosition, ply: usize, mv: &str) -> Result<()> {
    pos.play(mv).map_err(|error| anyhow!("ply {ply}: {error}"))
}
