//! `proofplay show`: one position.

use crate::Status;
use crate::output::{board, outcome_sentence, outcome_word, print, print_json, strong, to_move};
use crate::setup::Setup;
use anyhow::Result;
use clap::Args;
use proofplay_front::text::wrapped;
use proofplay_registry::DynPosition;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt::Write;

/// Show a position: the board, who moves, the legal moves
///
/// Without options it is the start of the game. `--position` sets up another one; `--moves` are played from there.
/// JSON: game, position, to_move ("first", "second", or null when the game is over), legal, outcome ("first",
/// "second", "draw", or null while the game goes on), score (in the view of the player who began, or null), and with
/// `--after` the position after each move.
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

#[derive(Serialize)]
struct Json {
    game: String,
    position: String,
    to_move: Option<String>,
    legal: Vec<String>,
    outcome: Option<String>,
    score: Option<i16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Map<String, Value>>,
}

impl Options {
    /// Prints the position.
    pub fn run(&self, json: bool) -> Result<Status> {
        let pos = self.setup.position()?;
        let (outcome, legal) = (pos.outcome(), pos.legal());
        let after = if self.after { Some(after(pos.as_ref(), &legal)?) } else { None };
        if json {
            print_json(&Json {
                game: pos.game(),
                position: pos.text(),
                to_move: to_move(&*pos),
                legal,
                outcome: outcome.map(outcome_word),
                score: outcome.map(|score| score.0),
                after,
            })?;
            return Ok(Status::Done);
        }
        let mut text = format!("{}\n\n{}\n", strong(&pos.game()), board(pos.as_ref()));
        if let Some(score) = outcome {
            writeln!(text, "{}", outcome_sentence(pos.as_ref(), score))?;
        } else {
            writeln!(text, "{} to move", pos.side(pos.turn()))?;
            text += &wrapped(&format!("{} legal:", legal.len()), &legal);
        }
        writeln!(text, "position: {}", pos.text())?;
        for (mv, next) in after.into_iter().flatten() {
            writeln!(text, "after {mv}: {}", next.as_str().unwrap_or_default())?;
        }
        print(&text)?;
        Ok(Status::Done)
    }
}

/// Where each move leads.
fn after(pos: &dyn DynPosition, legal: &[String]) -> Result<Map<String, Value>> {
    let next = |mv: &String| {
        let mut next = pos.boxed();
        next.play(mv)?;
        Ok((mv.clone(), next.text().into()))
    };
    legal.iter().map(next).collect()
}
