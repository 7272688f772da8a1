//! The experiments of the founding papers as data, done again.
//!
//! A [`Table`] has experiments and cells. An experiment is a study with its number of trials. A cell
//! has the figure that a paper printed, and how ours is read from the outcomes of an experiment;
//! several cells can share one. Tables are made for a [`Scale`]: `paper` is what the authors did,
//! `10%` has the same limits and a tenth of the trials, and `quick` has its own, smaller limits, with
//! which only the easier cells can be compared.
//!
//! What the papers leave open is chosen in the constants at the top of each paper's file. The note of
//! the table names it.

pub mod archive;
mod claim;
mod exact_win;
mod exact_win_zero;
mod experiment;
mod figure;
mod mcts_solver;
mod product_propagation;
mod quality;
mod record;
mod results;
mod score_bounded;
#[cfg(test)]
mod tests;

pub use claim::Finding;
pub use experiment::{Experiment, Outcomes};
pub use figure::{Figure, Part, Printed, RIGHT, Reading, Share, Unit, Verdict, judge};
pub use mcts_solver::{FORCED_CHECK, FORCED_CHECK_NODES, FORCED_PLAYOUTS, FORCED_SPECS};
pub use record::{Conditions, Found, Record, Stopped, Summary};
pub use results::{CellResult, Learned, TableResult, load, reproduce};

use crate::{Contender, Openings, Pace, Terms};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// How much of the authors' work is repeated.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Scale {
    /// Few trials, smaller limits: everything together in minutes.
    Quick,
    /// The paper's limits, and this percentage of its trials.
    Percent(f64),
}

impl Scale {
    /// As in the paper.
    pub const PAPER: Scale = Scale::Percent(100.0);

    /// The first for `quick`, the second with the paper's limits.
    pub fn pick<T>(self, quick: T, paper: T) -> T {
        if self == Scale::Quick { quick } else { paper }
    }

    /// The number of trials, at least 1.
    pub fn trials(self, quick: u32, paper: u32) -> u32 {
        match self {
            Scale::Quick => quick,
            Scale::Percent(percent) => ((f64::from(paper) * percent / 100.0).round() as u32).max(1),
        }
    }

    /// The number of games, in whole pairs.
    pub fn games(self, quick: u32, paper: u32) -> u32 {
        self.trials(quick, paper).next_multiple_of(2)
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scale::Quick => f.write_str("quick"),
            Scale::Percent(100.0) => f.write_str("paper"),
            Scale::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

impl FromStr for Scale {
    type Err = String;

    fn from_str(text: &str) -> Result<Scale, String> {
        let percent = |text: &str| text.strip_suffix('%')?.parse::<f64>().ok();
        match text {
            "quick" => Ok(Scale::Quick),
            "paper" => Ok(Scale::PAPER),
            _ => match percent(text) {
                Some(percent) if percent > 0.0 && percent <= 10_000.0 => Ok(Scale::Percent(percent)),
                _ => Err("expected quick, paper, or percents of the paper's trials, e.g. 10%".to_owned()),
            },
        }
    }
}

/// A table of a paper.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name on the command line.
    pub id: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Where it was printed, with the paper's key.
    pub source: &'static str,
    /// What the figures are.
    pub unit: Unit,
    /// What is measured, and what was chosen where the paper is silent.
    pub note: String,
    /// About how many minutes it takes on two cores: quick, and as in the paper.
    pub minutes: [f64; 2],
    /// The experiments.
    pub experiments: Vec<Planned>,
    /// The cells.
    pub cells: Vec<Cell>,
}

/// An experiment and its number of trials.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The experiment.
    pub experiment: Experiment,
    /// The number of trials.
    pub trials: u32,
    /// Nobody wants it now: what is known of it is shown, and no more is done.
    pub left_out: bool,
}

/// A figure.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The name of its row.
    pub row: String,
    /// The name of its column.
    pub column: String,
    /// What the paper printed.
    pub printed: Printed,
    /// Which experiment it is read from.
    pub experiment: usize,
    /// How it is read.
    pub reading: Reading,
}

impl Table {
    /// A table without experiments and cells.
    fn new(
        id: &'static str,
        title: &'static str,
        source: &'static str,
        unit: Unit,
        minutes: [f64; 2],
        note: impl Into<String>,
    ) -> Table {
        let note = note.into();
        Table { id, title, source, unit, note, minutes, experiments: Vec::new(), cells: Vec::new() }
    }

    /// Adds an experiment; the cells that follow are read from it.
    fn experiment(&mut self, experiment: Experiment, trials: u32) {
        self.experiments.push(Planned { experiment, trials, left_out: false });
    }

    /// Adds a cell that is read from the latest experiment.
    fn cell(
        &mut self,
        row: impl Into<String>,
        column: impl Into<String>,
        printed: Printed,
        reading: Reading,
    ) {
        let experiment = self.experiments.len() - 1;
        self.cells.push(Cell { row: row.into(), column: column.into(), printed, experiment, reading });
    }

    /// Its rows' or its columns' names in their order.
    pub fn names(&self, name: impl Fn(&Cell) -> &String) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.cells.iter().map(|cell| name(cell).as_str()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Leaves out what only rows need whose names do not contain this. Returns whether something is left.
    pub fn leave_rows(&mut self, text: &str) -> bool {
        for (i, planned) in self.experiments.iter_mut().enumerate() {
            let mut cells = self.cells.iter().filter(|cell| cell.experiment == i);
            planned.left_out = !cells.any(|cell| cell.row.contains(text));
        }
        self.experiments.iter().any(|planned| !planned.left_out)
    }

    /// How many trials all its experiments have together that are not left out.
    pub fn trials(&self) -> u64 {
        let wanted = self.experiments.iter().filter(|planned| !planned.left_out);
        wanted.map(|planned| u64::from(planned.trials)).sum()
    }
}

/// Every table, in the order of the papers' years.
pub fn tables(scale: Scale) -> Vec<Table> {
    [
        mcts_solver::tables(scale),
        score_bounded::tables(scale),
        product_propagation::tables(scale),
        quality::tables(scale),
        exact_win::tables(scale),
        exact_win_zero::tables(scale),
    ]
    .concat()
}

/// What the papers say in words, checked against the tables that are there.
pub fn findings(results: &[TableResult]) -> Vec<Finding> {
    let results: BTreeMap<&str, &TableResult> =
        results.iter().map(|result| (result.table.id, result)).collect();
    let papers = [
        mcts_solver::findings,
        score_bounded::findings,
        product_propagation::findings,
        quality::findings,
        exact_win::findings,
        exact_win_zero::findings,
    ];
    papers.iter().flat_map(|findings| findings(&results)).collect()
}

/// The known tables by name.
type Results<'a> = BTreeMap<&'a str, &'a TableResult>;

/// Bytes for the tree or table of one trial.
const MEMORY: usize = 1 << 30;
/// Bytes for the tree of one player of a match.
const PLAYER_MEMORY: usize = 1 << 28;
/// Where random numbers of matches and openings start.
const SEED: u64 = 1;

/// A match with this many simulations a move. It has the game's full name, so that `proofplay match`
/// under the same conditions adds its games to the same experiment.
fn contest(game: &str, a: &str, b: &str, playouts: u64, openings: Openings, most_plies: u32) -> Experiment {
    let pace = Pace { playouts: Some(playouts), nodes: None, time: None, memory: PLAYER_MEMORY };
    contest_at(pace, game, a, b, openings, most_plies)
}

/// The same with other limits of a move.
fn contest_at(pace: Pace, game: &str, a: &str, b: &str, openings: Openings, most_plies: u32) -> Experiment {
    let player = |text: &str| text.parse::<Contender>();
    match (player(a), player(b)) {
        (Ok(a), Ok(b)) => Experiment::Match(Box::new(crate::Match {
            game: proofplay_registry::game(game).map_or(game.to_owned(), |game| game.id()),
            a,
            b,
            pace,
            openings,
            seed: SEED,
            most_plies,
            terms: Terms::default(),
        }))
        .checked(),
        (Err(error), _) | (_, Err(error)) => Experiment::Missing(error.to_string()),
    }
}
