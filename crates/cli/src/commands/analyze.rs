//! `proofplay analyze`: what a search thinks of every move.

use crate::batch::{self, Told};
use crate::budget::Budget;
use crate::output::{board, columns, outcome_sentence, per_second, print, print_json, seconds, strong};
use crate::progress::Progress;
use crate::setup::{Setup, Tables};
use crate::{Status, answer, engine, interrupt};
use anyhow::Result;
use clap::Args;
use indicatif::{BinaryBytes, HumanCount};
use proofplay_front::estimate::Estimate;
use proofplay_front::json::{Analyzed, proven};
use proofplay_front::points::bounds_text;
use proofplay_front::text::counted;
use proofplay_registry::{DynPosition, DynSearch};
use proofplay_search::{Ask, Limits, Report, Run};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Search a position and print what is known about every move, best first
///
/// The move it would play comes first, then proven wins, then the others by their value for the
/// player to move, and proven losses last. In a terminal the table is redrawn while the search
/// runs. It ends when the position is solved, when a limit is reached, or after five seconds if no
/// limit is given. In the table everything is in the view of the player to move; in JSON means and
/// bounds are in the view of the player who began, as scores are, `value` and `proven` are for the
/// player to move, and the mean of a move that was not visited is null. With --batch the
/// positions come from standard input, a line each.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay analyze connect4 --time 10s
  proofplay analyze tictactoe --moves \"b2 a1\" --engine mcts:proof=exact --json
  proofplay analyze nogo:5x5 --engine mcts:c=0.4,playouts=100000,threads=2
  proofplay analyze connect4:5x4 --moves \"3 3 2\" --engine alphabeta --shortest
  proofplay analyze go:9x9 --batch --playouts 10k --json < positions.txt")]
pub struct Options {
    #[command(flatten)]
    setup: Setup,
    #[arg(long, alias = "algorithm", value_name = "SEARCH", default_value = engine::AUTO, help = engine::algorithms())]
    engine: String,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    budget: Budget,
    /// The seed of searches that draw random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Prove also in how many plies the game ends, as `proofplay solve --shortest` does: by
    /// retrograde, and in games whose positions never repeat by alphabeta, dfpn, dfpp or minimax;
    /// `auto` is one of these
    #[arg(long)]
    shortest: bool,
    /// Read positions from standard input and answer each with a line: moves from the start, or `position` and a position; an
    /// empty line is the start, and `#` begins a comment. Limits hold for each line, and tables are kept from line to line
    #[arg(long, conflicts_with_all = ["moves", "position", "sgf"])]
    batch: bool,
}

impl Options {
    /// Searches and prints the moves.
    pub fn run(&self, json: bool) -> Result<Status> {
        self.tables.lay_out();
        let pos = self.setup.position()?;
        let budget = self.budget.allowed();
        let engine = match self.shortest {
            true => engine::algorithm_for_plies(&self.engine, pos.as_ref()),
            false => &self.engine,
        };
        let spec = engine::player(engine, pos.as_ref(), &budget)?;
        budget.check(&self.engine, &spec)?;
        let name = if self.engine == engine::AUTO { spec.to_string() } else { self.engine.clone() };
        let (resources, stop) = (budget.resources(self.seed)?, interrupt::stop_flag()?);
        let limits = budget.limits_or(&spec, Duration::from_secs(5));
        let mut search = pos.start_search(&spec, resources)?;
        if self.batch {
            return batch::each_line(json, &mut *search, &stop, |search| {
                let (pos, report) = (search.position(), self.search(search, &name, limits, &stop)?);
                let text = match pos.outcome() {
                    Some(score) => outcome_sentence(pos.as_ref(), score),
                    None => tell_in_a_line(pos.as_ref(), &report),
                };
                let json = Analyzed::new(pos.as_ref(), &name, report);
                Ok(Told { text, json, status: Status::Done })
            });
        }
        let report = self.search(&mut *search, &name, limits, &stop)?;
        if json {
            print_json(&Analyzed::new(pos.as_ref(), &name, report))?;
        } else {
            let head = format!("{}\n\n{}\n", strong(&pos.game()), board(pos.as_ref()));
            let found = match pos.outcome() {
                Some(score) => outcome_sentence(pos.as_ref(), score) + "\n",
                None => self.table(pos.as_ref(), &name, &report) + &answer::advice(&spec, &report),
            };
            print(&format!("{head}{found}"))?;
        }
        Ok(if stop.load(Relaxed) { Status::Unfinished } else { Status::Done })
    }

    /// The question.
    fn ask(&self) -> Ask {
        if self.shortest { Ask::Distance } else { Ask::Value }
    }

    /// What the search finds about its position, the moves best first.
    fn search(
        &self,
        search: &mut dyn DynSearch,
        name: &str,
        limits: Limits,
        stop: &Arc<AtomicBool>,
    ) -> Result<Report<String>> {
        let (pos, progress) = (search.position(), Progress::start());
        let run = Run::new(limits).stopped_by(stop);
        let mut run = run.observed(|report: &Report<String>, _| {
            let mut report = report.clone();
            report.rank(pos.turn(), pos.range());
            progress.say(self.table(pos.as_ref(), name, &report));
        });
        let mut report = search.run(self.ask(), &mut run)?;
        report.rank(pos.turn(), pos.range());
        Ok(report)
    }

    /// The moves in the view of the mover, best first, a sentence about the position, and a line
    /// about the search.
    fn table(&self, pos: &dyn DynPosition, name: &str, report: &Report<String>) -> String {
        const LINES: usize = 20;
        const MOVES: usize = 12;
        let mover = pos.turn();
        let visited = report.moves.iter().any(|m| m.mean.is_some());
        let width = if self.shortest { 11 } else { 7 };
        // Chances are shown beside points: the points of a game that is nearly lost may be few.
        let wins = report.moves.iter().any(|m| m.wins.is_some());
        let counts_wins = report.moves.iter().any(|m| m.counts_wins);
        let row = |mv: &str, visits: &str, [mean, share]: [&str; 2], bounds: &str, proven: &str| {
            let share = if wins { format!(" {share:>5}") } else { String::new() };
            let visits = if visited { format!(" {visits:>12} {mean:>7}{share} ") } else { String::new() };
            format!("  {mv:<10}{visits} {bounds:<10} {proven:<width$}")
        };
        let columns = columns();
        let mut text = format!("{} to move, searched by {name}\n", pos.side(mover));
        text += &(row(
            "move",
            "visits",
            [if answer::has_points(pos) && !counts_wins { "points" } else { "mean" }, "wins"],
            "bounds",
            "proven",
        ) + " line\n");
        for m in report.moves.iter().take(LINES) {
            let estimate = Estimate::of(m, pos.range(), mover);
            let number = |estimate: Estimate| match estimate.points {
                Some(points) => format!("{points:+.1}"),
                None => format!("{:+.3}", estimate.mean),
            };
            let share = estimate.and_then(|estimate| estimate.wins);
            let share = share.map_or("-".to_owned(), |wins| format!("{:.0} %", 100.0 * wins));
            let mean = estimate.map_or("-".to_owned(), number);
            let bounds = bounds_text(&pos.game(), m.bounds.seen_by(mover));
            let visits = HumanCount(m.visits).to_string();
            let proven = proven(m.bounds, mover).map(|word| answer::value_text(word, None, m.plies));
            let mut row = row(&m.mv, &visits, [&mean, &share], &bounds, proven.as_deref().unwrap_or("-"));
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
        text.extend(answer::without_plies(self.ask(), report).map(|missing| format!("{missing}\n")));
        text + &cost(report)
    }
}

/// What is known and the move to play, in a line.
fn tell_in_a_line(pos: &dyn DynPosition, report: &Report<String>) -> String {
    let best = report.moves.iter().find(|m| Some(&m.mv) == report.best.as_ref());
    let estimate = best
        .filter(|m| !m.bounds.is_exact())
        .and_then(|m| Some((Estimate::of(m, pos.range(), pos.turn())?, m.visits)));
    let estimate = estimate.map_or(String::new(), |(estimate, visits)| {
        format!("; expected {estimate}, {}", counted(HumanCount(visits), "visit"))
    });
    format!("{}{estimate}; line: {}", answer::sentence(pos, report), report.pv.join(" "))
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
