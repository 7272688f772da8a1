//! `proofplay analyze`: what a search thinks of every move.

use crate::budget::Budget;
use crate::output::{board, columns, outcome_sentence, per_second, print, print_json, seconds, strong};
use crate::progress::Progress;
use crate::setup::Setup;
use crate::{Status, answer, engine, interrupt};
use anyhow::Result;
use clap::Args;
use indicatif::{BinaryBytes, HumanCount};
use proofplay_core::Player;
use proofplay_front::json::{Analyzed, proven};
use proofplay_front::text::counted;
use proofplay_registry::DynPosition;
use proofplay_search::{Ask, Report, Run, SearchSpec};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Search a position and print what is known about every move, best first
///
/// The move it would play comes first, then proven wins, then the others by their value for the
/// player to move, and proven losses last. In a terminal the table is redrawn while the search
/// runs. It ends when the position is solved, when a limit is reached, or after five seconds if no
/// limit is given. In the table everything is in the view of the player to move; in JSON means and
/// bounds are in the view of the player who began, as scores are, `value` and `proven` are for the
/// player to move, and the mean of a move that was not visited is null.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay analyze connect4 --time 10s
  proofplay analyze tictactoe --moves \"b2 a1\" --engine mcts:proof=exact --json
  proofplay analyze nogo:5x5 --engine mcts:c=0.4,playouts=100000,threads=2")]
pub struct Options {
    #[command(flatten)]
    setup: Setup,
    #[arg(long, value_name = "SEARCH", default_value = engine::DEFAULT_OPPONENT, help = engine::algorithms())]
    engine: String,
    #[command(flatten)]
    budget: Budget,
    /// The seed of searches that draw random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

impl Options {
    /// Searches and prints the moves.
    pub fn run(&self, json: bool) -> Result<Status> {
        let pos = self.setup.position()?;
        let spec: SearchSpec = engine::algorithm(&self.engine, pos.as_ref()).parse()?;
        let budget = self.budget.allowed();
        budget.check(&self.engine, &spec)?;
        let (resources, stop) = (budget.resources(self.seed)?, interrupt::stop_flag()?);
        let mut report = {
            let progress = Progress::start();
            let run = Run::new(budget.limits_or(&spec, Duration::from_secs(5))).stopped_by(&stop);
            let mut run = run.observed(|report: &Report<String>, _| {
                let mut report = report.clone();
                report.rank(pos.turn(), pos.range());
                progress.say(self.table(pos.as_ref(), &report));
            });
            pos.search(&spec, resources, Ask::Value, &mut run)?
        };
        report.rank(pos.turn(), pos.range());
        if json {
            print_json(&Analyzed::new(pos.as_ref(), &self.engine, report))?;
        } else {
            let head = format!("{}\n\n{}\n", strong(&pos.game()), board(pos.as_ref()));
            let found = match pos.outcome() {
                Some(score) => outcome_sentence(pos.as_ref(), score) + "\n",
                None => self.table(pos.as_ref(), &report) + &answer::advice(&spec, &report),
            };
            print(&format!("{head}{found}"))?;
        }
        Ok(if stop.load(Relaxed) { Status::Unfinished } else { Status::Done })
    }

    /// The moves in the view of the mover, best first, a sentence about the position, and a line
    /// about the search.
    fn table(&self, pos: &dyn DynPosition, report: &Report<String>) -> String {
        const LINES: usize = 20;
        const MOVES: usize = 12;
        let mover = pos.turn();
        let sign = if mover == Player::First { 1.0 } else { -1.0 };
        let visited = report.moves.iter().any(|m| m.mean.is_some());
        let row = |mv: &str, visits: &str, mean: &str, bounds: &str, proven: &str| {
            let visits = if visited { format!(" {visits:>12} {mean:>7} ") } else { String::new() };
            format!("  {mv:<10}{visits} {bounds:<10} {proven:<7}")
        };
        let columns = columns();
        let mut text = format!("{} to move, searched by {}\n", pos.side(mover), self.engine);
        text += &(row("move", "visits", "mean", "bounds", "proven") + " line\n");
        for m in report.moves.iter().take(LINES) {
            let mean = m.mean.map_or("-".to_owned(), |mean| format!("{:+.3}", sign * mean));
            let bounds = m.bounds.seen_by(mover).to_string();
            let visits = HumanCount(m.visits).to_string();
            let mut row = row(&m.mv, &visits, &mean, &bounds, proven(m.bounds, mover).unwrap_or("-"));
            // As much of the line as there is room for.
            for mv in m.pv.iter().skip(1).take(MOVES) {
                if row.chars().count() + 1 + mv.chars().count() > columns {
                    break;
                }
                row = row + " " + mv;
            }
            text = text + row.trim_end() + "\n";
        }
        match report.moves.len().saturating_sub(LINES) {
            0 => {}
            more => text += &format!("  … and {}\n", counted(more, "more move")),
        }
        text += &format!("{}\n", strong(&answer::sentence(pos, report)));
        text + &cost(report)
    }
}

/// What the search has done so far, as far as it counts.
fn cost(report: &Report<String>) -> String {
    let (time, speed) = (seconds(report.elapsed), |count| per_second(count, report.elapsed));
    let (nodes, memory) = (counted(HumanCount(report.nodes), "node"), BinaryBytes(report.memory as u64));
    if report.simulations > 0 {
        let (count, speed) =
            (counted(HumanCount(report.simulations), "simulation"), speed(report.simulations));
        format!("{count}, {time}, {speed} a second, {nodes}, {memory} of memory\n")
    } else {
        let depth = if report.depth > 0 { counted(report.depth, "ply") + ", " } else { String::new() };
        let speed = speed(report.nodes);
        format!("{depth}{time}, {nodes}, {speed} a second, {memory} of memory\n")
    }
}
