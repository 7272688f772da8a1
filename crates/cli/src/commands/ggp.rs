//! `proofplay ggp`: a player for managers of general game playing.

use crate::output::print;
use crate::{Status, budget, interrupt};
use anyhow::{Context, Result};
use clap::Args;
use proofplay_front::budget::share;
use proofplay_search::Resources;
use proofplay_web::ggp::{Player, Thinking};
use std::time::Duration;

/// Be a player for managers of general game playing: they send rules and ask for moves over HTTP
///
/// The address is printed first. Messages are INFO, PREVIEW, START, PLAY, STOP and ABORT, as in the competitions. Rules
/// may be any that docs/GDL.md names; a match by others is answered with `busy`. Every answer comes before its clock ends:
/// a legal move is ready at once, and the search improves it. What is proven won is played so. Only programs on this
/// machine may ask, unless --anywhere is given. Ctrl-C ends it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay ggp
  proofplay ggp --port 9148 --engine mcts:rb=3 --memory 4GiB
  curl -d '( INFO )' http://127.0.0.1:9147/")]
pub struct Options {
    /// Listen on this port; 0 is a free one
    #[arg(long, value_name = "N", default_value_t = 9147)]
    port: u16,
    /// Let every computer that can reach this one ask
    #[arg(long)]
    anywhere: bool,
    /// How it searches, as for `proofplay play --engine`
    #[arg(long, value_name = "SEARCH", default_value = "mcts:rb=2")]
    engine: String,
    /// Play N matches at the same time; each has its part of the memory
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64))]
    matches: u8,
    /// Use at most this much memory for all searches
    #[arg(long, value_name = "SIZE", value_parser = budget::memory, default_value = "1GiB")]
    memory: u64,
    /// Use N threads for each match, where the search can
    #[arg(long, value_name = "N", value_parser = budget::threads(), default_value_t = 1)]
    threads: u32,
    /// The seed of random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Of every clock leave this much for the way to the manager, at most half
    #[arg(long, value_name = "TIME", value_parser = budget::time, default_value = "500ms")]
    lag: Duration,
}

impl Options {
    /// Plays until Ctrl-C.
    pub fn run(&self) -> Result<Status> {
        let memory = share(self.memory, self.matches.into())?;
        let resources = Resources { memory, threads: self.threads as usize, seed: self.seed };
        let thinking = Thinking { spec: self.engine.parse()?, resources, lag: self.lag };
        let stop = interrupt::stop_flag()?;
        let begun = |address| print(&format!("http://{address}/\n"));
        let player = Player::new(thinking, self.matches.into());
        let ended = player.serve(self.port, self.anywhere, &stop, begun);
        ended.with_context(|| format!("cannot listen on port {}", self.port))?;
        Ok(Status::Done)
    }
}
