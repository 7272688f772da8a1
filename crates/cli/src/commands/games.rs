//! `proofplay games`: what can be played.

use super::rules::explain;
use crate::Status;
use crate::output::{print, print_json, strong};
use anyhow::Result;
use clap::Args;
use proofplay_front::estimate::has_points;
use proofplay_front::json::GameInfo;
use proofplay_registry::{Entry, GAMES, SetupError, game};
use std::fmt::Write;

/// List the games with their parameters and rules, or explain one
///
/// Square brackets mark what may be left out. Scores are in the view of the player who begins: +1
/// is a win, 0 a draw, -1 a loss; some games have points. With a name all of the rules are printed,
/// as `proofplay rules` does.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay games
  proofplay games written
  proofplay games --json | jq -r '.[].example'")]
pub struct Options {
    /// Explain this game
    #[arg(value_name = "GAME")]
    name: Option<String>,
}

impl Options {
    /// Prints every game of the registry, or all about one.
    pub fn run(&self, json: bool) -> Result<Status> {
        if let Some(name) = &self.name {
            return explain(name, json);
        }
        let lines = GAMES.iter().map(GameInfo::new).collect::<Result<Vec<_>, _>>()?;
        if json {
            print_json(&lines)?;
            return Ok(Status::Done);
        }
        let mut text = String::new();
        for (entry, line) in GAMES.iter().zip(lines) {
            let repeats = if line.repeats { "positions can repeat" } else { "positions never repeat" };
            writeln!(text, "{}", strong(&entry.form()))?;
            writeln!(text, "    {}", line.rules)?;
            writeln!(text, "    {}; {repeats}; e.g. {}", scores(entry, &line)?, line.example)?;
        }
        print(&(text + "\n`proofplay rules GAME` explains one.\n"))?;
        Ok(Status::Done)
    }
}

/// The scores of a game in words. Those of some games depend on the parameters.
fn scores(entry: &Entry, line: &GameInfo) -> Result<String, SetupError> {
    let [low, high] = line.score_range;
    for board in entry.boards() {
        if has_points(game(board)?.start().range()) {
            return Ok(format!("scores are points, {low:+} to {high:+} in the example"));
        }
    }
    Ok(format!("scores {low:+} to {high:+}"))
}
