//! Which position a command is about: GAME, `--position`, `--sgf`, `--moves`.

use crate::files;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use proofplay_certificate::Origin;
use proofplay_registry::{DynPosition, game, sgf};
use std::path::{Path, PathBuf};

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
    /// Begin with the game of this SGF file; GAME is `go` for whatever board the file has, or a game of Go
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub sgf: Option<PathBuf>,
}

impl Setup {
    /// Where the moves begin, and the moves: those of a file, then `--moves`.
    pub fn line(&self) -> Result<(Box<dyn DynPosition>, Vec<String>)> {
        let (start, mut line) = match (&self.sgf, &self.position) {
            (Some(file), _) => self.read(file)?,
            (None, None) => (game(&self.game)?.start(), Vec::new()),
            (None, Some(text)) => (game(&self.game)?.parse(text)?, Vec::new()),
        };
        line.extend(self.moves.iter().flat_map(|moves| moves.split_whitespace()).map(str::to_owned));
        Ok((start, line))
    }

    /// The position after the moves.
    pub fn position(&self) -> Result<Box<dyn DynPosition>> {
        let (mut pos, line) = self.line()?;
        for (i, mv) in line.iter().enumerate() {
            play(pos.as_mut(), i + 1, mv)?;
        }
        Ok(pos)
    }

    /// How the position comes about, for a certificate.
    pub fn origin(&self) -> Result<Origin> {
        let (start, moves) = self.line()?;
        let given = self.position.is_some() || self.sgf.is_some();
        Ok(Origin { from: given.then(|| start.text()), moves })
    }

    /// The game of a file. Rules that a file does not tell, such as suicide, come with GAME.
    fn read(&self, file: &Path) -> Result<(Box<dyn DynPosition>, Vec<String>)> {
        if self.game != "go" && !self.game.starts_with("go:") {
            bail!("only games of go come as SGF, not `{}`", self.game);
        }
        let record = sgf::read(&String::from_utf8_lossy(&files::read(file)?))?;
        let name = if self.game == "go" { &record.game } else { &self.game };
        Ok((game(name)?.parse(&record.position)?, record.moves))
    }
}

/// Plays move number `ply` of a line; the error names the ply and what was legal.
pub fn play(pos: &mut dyn DynPosition, ply: usize, mv: &str) -> Result<()> {
    pos.play(mv).map_err(|error| anyhow!("ply {ply}: {error}"))
}
