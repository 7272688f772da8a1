//! `proofplay gtp`: an engine for front ends that speak the Go Text Protocol.

use crate::budget::Computer;
use crate::{Status, budget};
use anyhow::{Result, bail};
use clap::Args;
use proofplay_protocol::gtp::{Engine, Options as EngineOptions, serve};
use proofplay_registry::sheets;
use std::io;
use std::time::Duration;

/// Be an engine for front ends such as Sabaki and GoGui: speak the Go Text Protocol, version 2
///
/// Commands come on standard input, answers go to standard output. Every game is played this way: Black
/// is the player who begins. `list_commands` lists the commands; docs/GTP.md explains them, and how
/// front ends are set up.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay gtp go:9x9,komi=7.5
  proofplay gtp go --engine mcts --time-per-move 5s --threads 2 --ponder
  printf 'boardsize 7\\nplay b D4\\ngenmove w\\nshowboard\\n' | proofplay gtp go")]
pub struct Options {
    /// The game as NAME or NAME:PARAMETERS; `proofplay games` lists them
    #[arg(value_name = "GAME", default_value = "go")]
    game: String,
    #[command(flatten)]
    computer: Computer,
    /// The seed of random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Think while the opponent thinks
    #[arg(long)]
    ponder: bool,
    /// Of the time that a clock gives for a move, leave this much for the way to the clock, at most half
    #[arg(long, value_name = "TIME", value_parser = budget::time, default_value = "100ms")]
    lag: Duration,
}

impl Options {
    /// Answers until `quit` or the end of the input.
    pub fn run(&self, json: bool) -> Result<Status> {
        if json {
            bail!("the Go Text Protocol has a form of its own; `proofplay serve-stdio` speaks JSON");
        }
        let options = EngineOptions {
            engine: self.computer.engine.clone(),
            budget: self.computer.allowed(),
            usual_time: Computer::USUAL_TIME,
            seed: self.seed,
            ponders: self.ponder,
            lag: self.lag,
        };
        let mut engine = Engine::new(&self.game, options)?;
        // Commands name no files.
        sheets().open_files(false);
        serve(&mut engine, io::stdin(), &mut io::stdout())?;
        Ok(Status::Done)
    }
}
