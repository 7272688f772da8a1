//! Which position a command is about: GAME, `--position`, `--sgf`, `--moves`.

use crate::files;
use crate::interrupt::go_on;
use crate::record::Record;
use anyhow::Result;
use clap::Args;
use proofplay_core::Line;
use proofplay_front::setup::{self as front, expect_go, replay};
use proofplay_registry::DynPosition;
use std::path::PathBuf;

/// No file of a game may be larger.
pub const LARGEST_FILE: usize = 16 << 20;

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
    /// Begin with the game of this SGF file of at most 16 MiB; GAME is `go` for whatever board the
    /// file has, or a game of Go
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub sgf: Option<PathBuf>,
}

impl Setup {
    /// The line of play: the moves of a file, then `--moves`.
    pub fn line(&self) -> Result<Line> {
        let read = |file: &PathBuf| -> Result<String> {
            expect_go(&self.game)?;
            Ok(String::from_utf8_lossy(&files::read_any(file, LARGEST_FILE)?).into_owned())
        };
        let setup = front::Setup {
            game: self.game.clone(),
            position: self.position.clone(),
            sgf: self.sgf.as_ref().map(read).transpose()?,
            moves: self.moves.clone().unwrap_or_default(),
        };
        Ok(setup.line()?)
    }

    /// The moves as a record.
    pub fn record(&self) -> Result<Record> {
        replay(&self.line()?, || go_on("the moves were played"))
    }

    /// The position after the moves.
    pub fn position(&self) -> Result<Box<dyn DynPosition>> {
        Ok(self.reached()?.0)
    }

    /// The position after the moves, and the line that leads there.
    pub fn reached(&self) -> Result<(Box<dyn DynPosition>, Line)> {
        let typed = self.line()?;
        let record = replay(&typed, || go_on("the moves were played"))?;
        let moves = record.plies.iter().map(|ply| ply.mv.clone()).collect();
        Ok((record.into_now(), Line { moves, ..typed }))
    }
}
