//! `proofplay replay`: a line of play, ply by ply.

use crate::Status;
use crate::output::{board, outcome_sentence, print, print_json, strong};
use crate::record::Record;
use crate::setup::Setup;
use anyhow::{Result, bail};
use clap::Args;

/// Play a line of moves and tell, ply by ply, who moved and how many moves were legal
///
/// `--moves` or `--sgf` must be given (an empty line is `--moves ""`). A move that is not legal is refused with its ply
/// and with what was legal.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay replay tictactoe --moves \"b2 b1 a1 c3 a3 c1 a2\"
  proofplay replay connect4 --moves \"4 4 3 3 2 1 5\" --json
  proofplay replay go --sgf game.sgf
  proofplay replay go:9x9,komi=7.5 --moves \"e5 e3 pass\" --as-sgf > game.sgf")]
pub struct Options {
    #[command(flatten)]
    setup: Setup,
    /// Write a game of go as an SGF file instead
    #[arg(long)]
    as_sgf: bool,
}

impl Options {
    /// Prints the line.
    pub fn run(&self, json: bool) -> Result<Status> {
        if self.setup.moves.is_none() && self.setup.sgf.is_none() {
            bail!("replay needs a line of play: --moves \"…\"");
        }
        let record = Record::new(&self.setup)?;
        if self.as_sgf {
            print(&record.sgf()?)?;
            return Ok(Status::Done);
        }
        if json {
            print_json(&record.json())?;
            return Ok(Status::Done);
        }
        let pos = record.now();
        let end = match pos.outcome() {
            Some(score) => outcome_sentence(pos, score),
            None => format!("the game goes on: {} to move", pos.side(pos.turn())),
        };
        let head = format!("{}\n\n{}", strong(&pos.game()), record.table());
        print(&format!("{head}\n{}\n{end}\nposition: {}\n", board(pos), pos.text()))?;
        Ok(Status::Done)
    }
}
