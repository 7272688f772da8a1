//! Which position a command is about: GAME, `--position`, `--sgf`, `--moves`.

use crate::files;
use crate::interrupt::go_on;
use crate::record::Record;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use proofplay_core::Line;
use proofplay_registry::{DynPosition, game, sgf};
use std::path::{Path, PathBuf};

/// No SGF file may be larger.
const LARGEST_SGF: usize = 16 << 20;

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
    /// Begin with the game of this SGF file of at most 16 MiB; GAME is `go` for whatever board the file has, or a game of
    /// Go
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub sgf: Option<PathBuf>,
}

impl Setup {
    /// Where the moves begin, and the moves, separated by blanks: those of a file, then `--moves`.
    pub fn line(&self) -> Result<(Box<dyn DynPosition>, String)> {
        let (start, mut line) = match (&self.sgf, &self.position) {
            (Some(file), _) => self.read(file)?,
            (None, None) => (game(&self.game)?.start(), String::new()),
            (None, Some(text)) => (game(&self.game)?.parse(text)?, String::new()),
        };
        line.push(' ');
        line += self.moves.as_deref().unwrap_or_default();
        Ok((start, line))
    }

    /// The moves as a record.
    pub fn record(&self) -> Result<Record> {
        let (start, line) = self.line()?;
        let mut record = Record::new(start);
        for mv in line.split_whitespace() {
            go_on("the moves were played")?;
            record.play(mv)?;
        }
        Ok(record)
    }

    /// The position after the moves.
    pub fn position(&self) -> Result<Box<dyn DynPosition>> {
        let (start, line) = self.line()?;
        after(start, &line)
    }

    /// The position after the moves, and the line that leads there.
    pub fn reached(&self) -> Result<(Box<dyn DynPosition>, Line)> {
        let (start, moves) = self.line()?;
        let given = self.position.is_some() || self.sgf.is_some();
        let line = Line { from: given.then(|| start.text()), ..Line::start(&start.game()).then(&moves) };
        Ok((after(start, &moves)?, line))
    }

    /// The game of a file. Rules that a file does not tell, such as suicide, come with GAME.
    fn read(&self, file: &Path) -> Result<(Box<dyn DynPosition>, String)> {
        if self.game != "go" && !self.game.starts_with("go:") {
            bail!("only games of go come as SGF, not `{}`", self.game);
        }
        let record = sgf::read(&String::from_utf8_lossy(&files::read_any(file, LARGEST_SGF)?))?;
        let name = if self.game == "go" { &record.game } else { &self.game };
        Ok((game(name)?.parse(&record.position)?, record.moves))
    }
}

/// The position after a line of moves.
fn after(mut pos: Box<dyn DynPosition>, line: &str) -> Result<Box<dyn DynPosition>> {
    for (i, mv) in line.split_whitespace().enumerate() {
        go_on("the moves were played")?;
        play(pos.as_mut(), i + 1, mv)?;
    }
    Ok(pos)
}

/// Plays move number `ply` of a line; the error names the ply and what was legal.
pub fn play(pos: &mut dyn DynPosition, ply: usize, mv: &str) -> Result<()> {
    pos.play(mv).map_err(|error| anyhow!("ply {ply}: {error}"))
}
