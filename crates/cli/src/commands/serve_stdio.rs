//! `proofplay serve-stdio`: requests and answers as JSON, for other programs.

use crate::{Status, budget};
use anyhow::Result;
use clap::Args;
use proofplay_protocol::json::{Options as SessionOptions, Session, serve};
use proofplay_registry::sheets;
use std::io;

/// Serve another program: requests and answers as JSON, a line each
///
/// Requests come on standard input and answers go to standard output: a game, moves, analysis with
/// live reports, proofs. What is known about a game is kept from move to move. docs/JSON.md lists the
/// requests and has a client of ten lines. It ends after `quit`, or at the end of the input, which
/// stops a search.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay serve-stdio --memory 4GiB
  proofplay serve-stdio <<'END'
  {\"id\": 1, \"do\": \"new\", \"game\": \"connect4:5x4\", \"moves\": \"3 3 2\"}
  {\"id\": 2, \"do\": \"solve\", \"all_moves\": true}
  {\"id\": 3, \"do\": \"quit\"}
  END")]
pub struct Options {
    /// Use at most this much memory for the whole program; one half is for analysis, the other for
    /// proofs [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = budget::memory)]
    memory: Option<u64>,
    /// Use N threads, where the search can, if a request does not say how many
    #[arg(long, value_name = "N", value_parser = budget::threads(), default_value_t = 1)]
    threads: u32,
    /// The seed of random choices, if a request does not say one
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

impl Options {
    /// Answers until `quit` or the end of the input.
    pub fn run(&self) -> Result<Status> {
        // Requests name no files.
        sheets().open_files(false);
        let options = SessionOptions { memory: self.memory, threads: self.threads as usize, seed: self.seed };
        serve(&mut Session::new(options)?, io::stdin(), &mut io::stdout())?;
        Ok(Status::Done)
    }
}
