//! `proofplay games`: what can be played.

use crate::Status;
use crate::output::{print, print_json, strong};
use anyhow::{Result, anyhow};
use clap::Args;
use proofplay_front::json::GameInfo;
use proofplay_registry::{Entry, GAMES};
use std::fmt::Write;

/// List the games with their parameters and rules
///
/// Square brackets mark what may be left out. Scores are in the view of the player who begins: +1
/// is a win, 0 a draw, -1 a loss; games of points have a larger range. The range is that of the
/// example's start.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay games
  proofplay games written
  proofplay games --json | jq -r '.[].example'")]
pub struct Options {
    /// Show this game only
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

impl Options {
    /// Prints every game of the registry.
    pub fn run(&self, json: bool) -> Result<Status> {
        let entries: Vec<&Entry> = match &self.name {
            None => GAMES.iter().collect(),
            // The error of an unknown name lists the others.
            Some(name) => match GAMES.iter().find(|entry| entry.name() == name) {
                Some(entry) => vec![entry],
                None => {
                    return Err(proofplay_registry::game(name).err().map_or_else(
                        || anyhow!("`{name}` has parameters: give the name of a game alone"),
                        Into::into,
                    ));
                }
            },
        };
        let lines = entries.iter().map(|entry| GameInfo::new(entry)).collect::<Result<Vec<_>, _>>()?;
        if json {
            print_json(&lines)?;
            return Ok(Status::Done);
        }
        let mut text = String::new();
        for (entry, line) in entries.iter().zip(lines) {
            let [low, high] = line.score_range;
            let repeats = if line.repeats { "positions can repeat" } else { "positions never repeat" };
            writeln!(text, "{}", strong(&entry.form()))?;
            writeln!(text, "    {}", line.rules)?;
            writeln!(text, "    scores {low:+} to {high:+}; {repeats}; e.g. {}", line.example)?;
        }
        print(&text)?;
        Ok(Status::Done)
    }
}
