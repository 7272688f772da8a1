//! `proofplay perft`: how many lines of play there are.

use crate::output::{per_second, print, print_json, seconds};
use crate::progress::Progress;
use crate::setup::Setup;
use crate::{Status, budget, interrupt};
use anyhow::Result;
use clap::Args;
use indicatif::HumanCount;
use proofplay_front::json::{ByMove, Counted, Here};
use proofplay_front::text::counted;
use proofplay_registry::DynPosition;
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// Longer lines than any count can reach; deep enough recursion for a thread's stack.
const MAX_DEPTH: i64 = 1000;

/// Count the legal lines of play of exactly DEPTH moves
///
/// A game that ends earlier counts 0; depth 0 counts 1, the line without
/// moves. Programs that agree on these numbers agree on the rules. When Ctrl-C comes first, the
/// count is unknown: null in JSON.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay perft connect4 8
  proofplay perft tictactoe 9 --divide
  proofplay perft domineering:8x8 6 --threads 4")]
pub struct Options {
    #[command(flatten)]
    setup: Setup,
    /// The number of moves of a line
    #[arg(allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=MAX_DEPTH))]
    depth: u32,
    /// Print the count for each first move, too
    #[arg(long)]
    divide: bool,
    /// Count on N threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = budget::threads())]
    threads: u32,
}

impl Options {
    /// Counts and prints.
    pub fn run(&self, json: bool) -> Result<Status> {
        let pos = self.setup.position()?;
        let stop = interrupt::stop_flag()?;
        let (started, done, total) = (Instant::now(), AtomicUsize::new(0), AtomicUsize::new(0));
        let counts = {
            let progress = Progress::start();
            progress.say("counting".to_owned());
            pos.perft(self.depth, self.threads as usize, &stop, &|parts, all, lines| {
                // A part that ends after the stop is not whole.
                if !stop.load(Relaxed) {
                    done.fetch_max(parts, Relaxed);
                    total.store(all, Relaxed);
                    progress.parts(parts, all);
                    progress.say(format!("{} so far", counted(HumanCount(lines), "line")));
                }
            })
        };
        let Some(counts) = counts else {
            return self.interrupted(pos.as_ref(), done.into_inner(), total.into_inner(), json);
        };
        let elapsed = started.elapsed();
        let count = if self.depth == 0 { 1 } else { counts.iter().map(|(_, n)| n).sum() };
        if json {
            let divide = self.divide.then_some(ByMove(counts));
            print_json(&self.answer(pos.as_ref(), Some(count), divide))?;
            return Ok(Status::Done);
        }
        let mut text = String::new();
        if self.divide {
            for (mv, n) in &counts {
                writeln!(text, "{mv}: {n}")?;
            }
        }
        let speed = per_second(count, elapsed);
        writeln!(text, "perft({}) = {count}", self.depth)?;
        writeln!(text, "{}, {speed} nodes/s", seconds(elapsed))?;
        print(&text)?;
        Ok(Status::Done)
    }

    fn answer(&self, pos: &dyn DynPosition, count: Option<u64>, divide: Option<ByMove<u64>>) -> Counted {
        Counted { here: Here::new(pos), depth: self.depth, count, divide }
    }

    fn interrupted(&self, pos: &dyn DynPosition, done: usize, total: usize, json: bool) -> Result<Status> {
        if json {
            print_json(&self.answer(pos, None, None))?;
        } else {
            let so_far = if total == 0 {
                String::new()
            } else {
                format!(" after {done} of {}", counted(total, "part"))
            };
            print(&format!("perft({}) is not known: interrupted{so_far}\n", self.depth))?;
        }
        Ok(Status::Unfinished)
    }
}
