//! `proofplay analyze`: what a search thinks of every move.

use crate::budget::Budget;
use crate::output::{board, per_second, print, print_json, seconds, strong};
use crate::progress::Progress;
use crate::setup::Setup;
use crate::{Status, engine, interrupt};
use anyhow::Result;
use clap::Args;
use indicatif::{BinaryBytes, HumanCount};
use proofplay_core::{Bounds, Player};
use proofplay_registry::DynPosition;
use proofplay_search::{Limits, MoveReport, Report, SearchSpec, Verdict};
use serde::Serialize;
use std::fmt::Write;
use std::time::Duration;

/// Search a position and tell what is known about every move, best first
///
/// In a terminal the table is redrawn while the search goes on. It ends when the position is solved, when a limit is
/// reached, or after five seconds if no limit is given. In the table everything is in the view of the player to move; in
/// JSON means and bounds are in the view of the player who began, as scores are, and `value` and `proven` are for the
/// player to move.
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

#[derive(Serialize)]
struct Json {
    game: String,
    position: String,
    to_move: String,
    engine: String,
    simulations: u64,
    nodes: u64,
    elapsed_s: f64,
    value: &'static str,
    bounds: [i16; 2],
    moves: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    #[serde(rename = "move")]
    mv: String,
    visits: u64,
    mean: f64,
    bounds: [i16; 2],
    proven: Option<&'static str>,
    pv: Vec<String>,
}

impl Options {
    /// Searches and prints the moves.
    pub fn run(&self, json: bool) -> Result<Status> {
        let pos = self.setup.position()?;
        let spec: SearchSpec = engine::algorithm(&self.engine, pos.as_ref()).parse()?;
        let limits = self.limits(&spec)?;
        let report = {
            let progress = Progress::start();
            let mut show = |report: &Report<String>| progress.say(self.table(pos.as_ref(), report));
            pos.search(&spec, &limits, false, &mut show)?
        };
        if json {
            print_json(&self.answer(pos.as_ref(), report))?;
        } else {
            let head = format!("{}\n\n{}\n", strong(&pos.game()), board(pos.as_ref()));
            print(&format!("{head}{}", self.table(pos.as_ref(), &report)))?;
        }
        Ok(Status::Done)
    }

    /// The limits asked for; five seconds if there are none.
    fn limits(&self, spec: &SearchSpec) -> Result<Limits> {
        let mut limits = self.budget.limits(self.seed, &interrupt::stop_flag()?)?;
        let own = match spec {
            SearchSpec::Mcts(config) => config.playouts > 0,
            SearchSpec::Deepen(config) => config.depth.is_some(),
            _ => false,
        };
        if limits.time.is_none() && limits.nodes.is_none() && limits.playouts.is_none() && !own {
            limits.time = Some(Duration::from_secs(5));
        }
        Ok(limits)
    }

    fn answer(&self, pos: &dyn DynPosition, report: Report<String>) -> Json {
        let pair = |bounds: Bounds| [bounds.pess.0, bounds.opti.0];
        let line = |m: MoveReport<String>| Line {
            mv: m.mv,
            visits: m.visits,
            mean: m.mean,
            bounds: pair(m.bounds),
            proven: proven(m.bounds, pos.turn()),
            pv: m.pv,
        };
        Json {
            game: pos.game(),
            position: pos.text(),
            to_move: pos.turn().to_string(),
            engine: self.engine.clone(),
            simulations: report.playouts,
            nodes: report.nodes,
            elapsed_s: report.elapsed.as_secs_f64(),
            value: Verdict::of(report.bounds, pos.turn()).word(),
            bounds: pair(report.bounds),
            moves: report.moves.into_iter().map(line).collect(),
        }
    }

    /// The moves in the view of the mover, and a line about the search.
    fn table(&self, pos: &dyn DynPosition, report: &Report<String>) -> String {
        const LINES: usize = 20;
        const MOVES: usize = 12;
        let mover = pos.turn();
        let sign = if mover == Player::First { 1.0 } else { -1.0 };
        let mut text = format!("{} to move, searched by {}\n", pos.side(mover), self.engine);
        let _ = writeln!(
            text,
            "  {:<10} {:>12} {:>7}  {:<10} {:<7} line",
            "move", "visits", "mean", "bounds", "proven"
        );
        for m in report.moves.iter().take(LINES) {
            let mean = if m.visits > 0 { format!("{:+.3}", sign * m.mean) } else { "-".to_owned() };
            let (bounds, word) =
                (m.bounds.seen_by(mover).to_string(), proven(m.bounds, mover).unwrap_or("-"));
            let line = m.pv.iter().skip(1).take(MOVES).cloned().collect::<Vec<_>>().join(" ");
            let row = format!(
                "  {:<10} {:>12} {mean:>7}  {bounds:<10} {word:<7} {line}",
                m.mv,
                HumanCount(m.visits).to_string()
            );
            let _ = writeln!(text, "{}", row.trim_end());
        }
        if let more @ 1.. = report.moves.len().saturating_sub(LINES) {
            let _ = writeln!(text, "  … and {more} more moves");
        }
        let verdict = match Verdict::of(report.bounds, mover) {
            Verdict::Unknown => format!("value in {}", report.bounds.seen_by(mover)),
            verdict => format!("a proven {}", verdict.word()),
        };
        let (time, nodes, memory) =
            (seconds(report.elapsed), HumanCount(report.nodes), BinaryBytes(report.memory as u64));
        let speed = |count| per_second(count, report.elapsed);
        let _ = if report.depth > 0 {
            let (depth, speed) = (report.depth, speed(report.nodes));
            writeln!(
                text,
                "{verdict}; {depth} plies, {time}, {nodes} nodes, {speed} a second, {memory} of memory"
            )
        } else {
            let (count, speed) = (HumanCount(report.playouts), speed(report.playouts));
            writeln!(
                text,
                "{verdict}; {count} simulations, {time}, {speed} a second, {nodes} nodes, {memory} of memory"
            )
        };
        text
    }
}

/// The proven value for the mover, if there is one.
fn proven(bounds: Bounds, mover: Player) -> Option<&'static str> {
    match Verdict::of(bounds, mover) {
        Verdict::Unknown => None,
        verdict => Some(verdict.word()),
    }
}
