//! `proofplay review`: a game that was played, judged move by move.

use crate::budget::{memory, some, some_time, threads};
use crate::files::{self, deliver};
use crate::output::{print, print_json, strong};
use crate::progress::Progress;
use crate::setup::{LARGEST_FILE, Setup};
use crate::{Status, engine, interrupt};
use anyhow::{Result, bail};
use clap::Args;
use proofplay_front::budget::Budget;
use proofplay_front::json::Reviewed;
use proofplay_front::record::Record;
use proofplay_front::review::{Plan, annotated_sgf, review, summary, table};
use proofplay_front::sgf::expect_kind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Judge the moves of a game that was played
///
/// Each move is judged by what the game was worth before and after it, in the view of the player who made it: a proven value
/// where one is found, else an estimate, marked by `~`. A turning point is a move that is proven to change the result, or by
/// which an estimate falls by more than 0.3 (a loss is -1, a win +1; 5 points where points count). A mistake is one of these,
/// or a move that is proven to cost points. What a move costs is 1 from a win to a draw, and points where points count. First
/// come both players and the turning points, then all moves. Ctrl-C ends it with what is known, and status 3.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay review connect4 --moves \"4 4 4 4 4 2 2 4 3 5 6 3 3\"
  proofplay review connect4:5x5 --moves-file game.txt --time 5s --json
  proofplay review go --sgf game.sgf --sgf-out judged.sgf --time 2m
  proofplay review tictactoe --moves \"b2 b1 a1 c3 a3\" --nodes 100k --playouts 1k")]
pub struct Options {
    #[command(flatten)]
    setup: Setup,
    /// Take the moves from this file of at most 16 MiB: separated by blanks or lines, `#` begins a comment
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "sgf"])]
    moves_file: Option<PathBuf>,
    /// The search that proves values, as for `proofplay solve`
    #[arg(long, value_name = "SEARCH", default_value = engine::AUTO)]
    algorithm: String,
    /// The search that estimates what is not proven, as for `proofplay analyze`
    #[arg(long, value_name = "SEARCH", default_value = engine::ESTIMATOR)]
    engine: String,
    /// The time for the whole game, e.g. 30s, 5m: half of it is for proofs [default: 20s, unless there is another limit]
    #[arg(long, value_name = "TIME", value_parser = some_time)]
    time: Option<Duration>,
    /// Visit at most N positions for the proof of each position; estimates too, unless --playouts limits them
    #[arg(long, value_name = "N", value_parser = some)]
    nodes: Option<u64>,
    /// Make N simulations for each estimate; as the only limit, nothing is proven but what these prove
    #[arg(long, value_name = "N", value_parser = some)]
    playouts: Option<u64>,
    /// Use at most this much memory for the whole program, e.g. 512MiB, 2GiB [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,
    /// Use N threads, where the searches can [default: 1]
    #[arg(long, value_name = "N", value_parser = threads())]
    threads: Option<u32>,
    /// The seed of estimates
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Write a game of go, loa or amazons as an SGF file, with a comment on each move; with --sgf that
    /// file with all that it has, its comments too
    #[arg(long, value_name = "FILE")]
    sgf_out: Option<PathBuf>,
}

impl Options {
    /// Judges the game and prints what was found.
    pub fn run(&self, json: bool) -> Result<Status> {
        files::expect_apart(&[
            ("--moves-file", self.moves_file.as_deref()),
            ("--sgf", self.setup.sgf.as_deref()),
            ("--sgf-out", self.sgf_out.as_deref()),
        ])?;
        if let Some(path) = &self.sgf_out {
            expect_kind(&self.setup.game)?;
            files::expect_writable(path)?;
        }
        let record = self.record()?;
        if record.plies.is_empty() {
            bail!("review needs a game: GAME --moves \"…\", --moves-file FILE or --sgf FILE");
        }
        // From here on a signal ends the work, not the program.
        let stop = interrupt::stop_flag()?;
        let threads = self.threads.map(|threads| threads as usize);
        let plan = Plan {
            prover: self.algorithm.clone(),
            estimator: self.engine.clone(),
            budget: Budget {
                nodes: self.nodes,
                simulations: self.playouts,
                time: self.time,
                memory: self.memory,
                threads,
            },
            seed: self.seed,
        };
        let judged = {
            let progress = Progress::start();
            review(&record, &plan, &stop, &mut |done, total| progress.parts(done, total))?
        };
        let sgf =
            self.sgf_out.as_deref().map(|path| Ok((path, annotated_sgf(&record, &judged)?.into_bytes())));
        let files: Vec<(&Path, Vec<u8>)> = sgf.into_iter().collect::<Result<_>>()?;
        deliver(json, &files, |unwritten| {
            if json {
                let mut answer = Reviewed::new(&judged);
                answer.unwritten = unwritten.list();
                return print_json(&answer);
            }
            let head = strong(&judged.game);
            Ok(print(&format!("{head}\n\n{}\n{}", summary(&judged), table(&judged)))?)
        })?;
        Ok(if judged.done { Status::Done } else { Status::Unfinished })
    }

    /// The game.
    fn record(&self) -> Result<Record> {
        let Some(file) = &self.moves_file else { return self.setup.record() };
        let text = files::read_text(file, LARGEST_FILE)?;
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        let moves = Some(lines.collect::<Vec<_>>().join(" "));
        let Setup { game, position, .. } = &self.setup;
        Setup { game: game.clone(), moves, position: position.clone(), sgf: None, variation: Vec::new() }
            .record()
    }
}
