//! Which position a command is about: GAME, `--position`, `--sgf`, `--variation`, `--moves`.

use crate::files;
use crate::interrupt::go_on;
use crate::record::Record;
use anyhow::Result;
use clap::Args;
use proofplay_core::Line;
use proofplay_front::setup::{self as front, replay};
use proofplay_front::sgf::expect_kind;
use proofplay_registry::{DynPosition, GAMES};
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
    /// Begin with the first game of this SGF file of at most 16 MiB, along its first variations;
    /// GAME is `go`, `loa` or `amazons` for whatever board the file has, or such a game with its board
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub sgf: Option<PathBuf>,
    /// Follow these variations of the file instead: 2.1 is the second one where it first has several,
    /// then the first one
    #[arg(long, value_name = "N.N…", requires = "sgf", value_delimiter = '.', value_parser = variation)]
    pub variation: Vec<usize>,
}

/// Tables of endgames that searches may use.
#[derive(Args, Debug)]
pub struct Tables {
    /// Take this table of endgames as facts, which `proofplay table` has made for the same game; searches then have
    /// facts=on. It is trusted: `proofplay table verify` checks it. May be given several times
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    facts: Vec<PathBuf>,
}

impl Tables {
    /// Lays them beside all games. They are opened with the game.
    pub fn lay_out(&self) {
        GAMES.use_tables(&self.facts);
    }
}

/// The number of a variation.
fn variation(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "expected numbers from 1 with dots between them, e.g. 2.1".to_owned())
}

impl Setup {
    /// The line of play: the moves of a file, then `--moves`.
    pub fn line(&self) -> Result<Line> {
        Ok(self.read()?.line()?)
    }

    /// The same as a record, which knows the file.
    pub fn record(&self) -> Result<Record> {
        self.read()?.record(usize::MAX, || go_on("the moves were played"))
    }

    /// What is asked for, with the text of the file.
    fn read(&self) -> Result<front::Setup> {
        let read = |file: &PathBuf| -> Result<String> {
            expect_kind(&self.game)?;
            Ok(String::from_utf8_lossy(&files::read_any(file, LARGEST_FILE)?).into_owned())
        };
        Ok(front::Setup {
            game: self.game.clone(),
            position: self.position.clone(),
            sgf: self.sgf.as_ref().map(read).transpose()?,
            variation: self.variation.clone(),
            moves: self.moves.clone().unwrap_or_default(),
        })
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
