//! `proofplay show`: one position.

use crate::Status;
use crate::output::{board, list_columns, outcome_sentence, print_json, print_raw, strong};
use crate::setup::Setup;
use anyhow::Result;
use clap::Args;
use proofplay_front::json::Shown;
use proofplay_front::text::wrapped;
use std::fmt::Write;

/// Show a position: the board, who moves, the legal moves
///
/// Without options it is the start of the game. `--position` sets up another one; `--moves` are
/// played from there. JSON: game, position, to_move ("first", "second", or null when the game is
/// over), legal, outcome ("first", "second", "draw", or null until then), score (in the view of the
/// player who began, or null), and with `--after` the position after each move.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay show connect4 --moves \"4 4 3\"
  proofplay show tictactoe --position \"x.o/.x./o.. x\"
  proofplay show domineering:4x4 --after --json")]
pub struct Options {
    #[command(flatten)]
    setup: Setup,
    /// Show the position after each legal move, too
    #[arg(long)]
    after: bool,
}

impl Options {
    /// Prints the position.
    pub fn run(&self, json: bool) -> Result<Status> {
        let pos = self.setup.position()?;
        let mut shown = Shown::new(pos.as_ref());
        if self.after {
            shown = shown.with_moves(pos.as_ref())?;
        }
        if json {
            print_json(&shown)?;
            return Ok(Status::Done);
        }
        let mut text = format!("{}\n\n{}\n", strong(&pos.game()), board(pos.as_ref()));
        if let Some(score) = pos.outcome() {
            writeln!(text, "{}", outcome_sentence(pos.as_ref(), score))?;
        } else {
            writeln!(text, "{} to move", pos.side(pos.turn()))?;
            text += &wrapped(&format!("{} legal:", shown.legal.len()), &shown.legal, list_columns());
        }
        writeln!(text, "position: {}", pos.text())?;
        for (mv, next) in shown.after.iter().flat_map(|after| &after.0) {
            writeln!(text, "after {mv}: {next}")?;
        }
        // A position is there to be copied.
        print_raw(&text)?;
        Ok(Status::Done)
    }
}
