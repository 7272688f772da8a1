//! `proofplay results`: what is in the store.

pub mod archive;
mod trials;

use crate::export::{Columns, csv, json, parquet};
use crate::lab::{StoreArg, percent};
use crate::output::{print, print_raw, strong};
use crate::{Status, files};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use proofplay_lab::{Experiment, Match, PlayedGame, Race, Solve, Solved, Store, Study, standing, stats};
use serde::Serialize;
use std::path::PathBuf;

/// List what is in the store: experiments, or with EXPERIMENT the trials of one; write the papers' tables as text
///
/// The store is a SQLite database with the tables `experiment` and `trial` and the view `game`; other programs may read
/// it, also while games are being played.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  proofplay results
  proofplay results --game connect4 --format csv --output results.csv
  proofplay results 3 --format json
  proofplay results 3 --format parquet --output games.parquet
  proofplay results export --store papers.db --out results")]
pub struct Options {
    #[command(subcommand)]
    archive: Option<archive::Archive>,
    /// Only this experiment, with all its games, solves or races
    #[arg(value_name = "EXPERIMENT")]
    experiment: Option<i64>,
    /// Only experiments of this kind: match, solve or race
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Only games whose name begins so
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Only experiments whose plan contains this text, e.g. a setting of a player
    #[arg(long, value_name = "TEXT")]
    contains: Option<String>,
    /// How to write them; json is one line each
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Write to this file
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArg,
}

/// How results are written.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// Comma-separated values with a line of names
    Csv,
    /// A line of JSON each
    Json,
    /// A Parquet file, for --output
    Parquet,
}

/// An experiment in a list.
#[derive(Serialize)]
struct Row {
    experiment: i64,
    kind: String,
    game: String,
    what: String,
    trials: u64,
    /// A's score or the mean number of simulations or nodes.
    result: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    unit: &'static str,
    seconds: f64,
    version: String,
    signature: String,
    begun: String,
}

impl Columns for Row {
    const COLUMNS: &'static str = "required int64 experiment; required binary kind (utf8); required binary game (utf8); \
        required binary what (utf8); required int64 trials; optional double result; optional double low; \
        optional double high; required binary unit (utf8); required double seconds; required binary version (utf8); \
        required binary signature (utf8); required binary begun (utf8)";
}

impl Options {
    /// Lists and writes.
    pub fn run(&self, json: bool) -> Result<Status> {
        if let Some(archive) = &self.archive {
            return archive.run(json);
        }
        if let Some(path) = &self.output {
            files::expect_writable(path)?;
        }
        let format = if json { Format::Json } else { self.format };
        if format == Format::Parquet && self.output.is_none() {
            bail!("Parquet is not for the eye: say where to write it with --output FILE");
        }
        let store = self.store.look()?;
        let bytes = match self.experiment {
            Some(id) => trials::list(&store, id, format)?,
            None => self.list(&store, format)?,
        };
        match &self.output {
            Some(path) => files::write(path, &bytes)?,
            None if format == Format::Table => print(&String::from_utf8(bytes)?)?,
            None => print_raw(&String::from_utf8(bytes)?)?,
        }
        Ok(Status::Done)
    }

    fn list(&self, store: &Store, format: Format) -> Result<Vec<u8>> {
        let mut rows = Vec::new();
        for experiment in store.experiments()? {
            let row = row(store, experiment)?;
            let shown = self.kind.as_ref().is_none_or(|kind| *kind == row.kind)
                && self.game.as_ref().is_none_or(|game| row.game.starts_with(game.as_str()))
                && self.contains.as_ref().is_none_or(|text| row.what.contains(text.as_str()));
            if shown {
                rows.push(row);
            }
        }
        written(&rows, format, || table(&rows))
    }
}

/// Experiments for a person.
fn table(rows: &[Row]) -> String {
    let mut text = strong(&format!(
        "{:>4}  {:<5}  {:>7}  {:<28}  game: players or algorithm",
        "id", "kind", "trials", "result"
    ));
    text.push('\n');
    for row in rows {
        let result = match (row.result, row.low, row.high) {
            (Some(mean), Some(low), Some(high)) if row.kind == Match::KIND => {
                percent(stats::Interval { mean, low, high })
            }
            (Some(mean), Some(low), Some(high)) => {
                format!("{mean:.0} [{low:.0}, {high:.0}] {}", row.unit)
            }
            (Some(mean), ..) => format!("{mean:.0} {}", row.unit),
            (None, ..) if row.trials > 0 => String::new(),
            (None, ..) => "none yet".to_owned(),
        };
        text += &format!(
            "{:>4}  {:<5}  {:>7}  {result:<28}  {}: {}\n",
            row.experiment, row.kind, row.trials, row.game, row.what
        );
    }
    text
}

/// Rows in a format; `table` writes them for a person.
fn written<R: Columns>(rows: &[R], format: Format, table: impl FnOnce() -> String) -> Result<Vec<u8>> {
    match format {
        Format::Table => Ok(table().into_bytes()),
        Format::Csv => csv(rows),
        Format::Json => json(rows),
        Format::Parquet => parquet(rows),
    }
}

/// Everything a list says about an experiment.
fn row(store: &Store, experiment: Experiment) -> Result<Row> {
    let text = |key: &str| experiment.plan.get(key).and_then(|v| v.as_str()).unwrap_or_default().to_owned();
    let mut row = Row {
        experiment: experiment.id,
        game: text("game"),
        what: String::new(),
        trials: experiment.trials,
        result: None,
        low: None,
        high: None,
        unit: "",
        seconds: experiment.seconds,
        version: experiment.version.clone(),
        signature: experiment.signature.clone(),
        begun: experiment.begun.clone(),
        kind: experiment.kind.clone(),
    };
    let limits = ["playouts", "nodes", "time_s"].iter().filter_map(|key| {
        let value = experiment.plan.get(key).filter(|value| !value.is_null())?;
        Some(format!(" {key}={value}"))
    });
    let limits: String = limits.collect();
    let mut show = |interval: stats::Interval, unit| {
        let finite = |x: f64| x.is_finite().then_some(x);
        (row.result, row.low, row.high) =
            (finite(interval.mean), finite(interval.low), finite(interval.high));
        row.unit = unit;
    };
    if experiment.kind == Match::KIND {
        let games: Vec<(u32, PlayedGame, f64)> = store.trials(experiment.id)?;
        show(standing(&games, None).tally.score(), "score");
        row.what = format!("{} - {}{limits}", text("a"), text("b"));
    } else if experiment.kind == Solve::KIND {
        let solves: Vec<(u32, Solved, f64)> = store.trials(experiment.id)?;
        let count = |solved: &Solved| if solved.playouts > 0 { solved.playouts } else { solved.nodes };
        let counts: Vec<f64> = solves.iter().map(|(_, solved, _)| count(solved) as f64).collect();
        let sampled = solves.iter().any(|(_, solved, _)| solved.playouts > 0);
        show(stats::mean(&counts), if sampled { "playouts" } else { "nodes" });
        let from = Some(text("position")).filter(|text| !text.is_empty());
        let after = Some(text("moves")).filter(|text| !text.is_empty());
        let from = from.map_or(String::new(), |from| format!(" from {from}"));
        let after = after.map_or(String::new(), |moves| format!(" after {moves}"));
        row.what = format!("{}{limits}{from}{after}", text("algorithm"));
    } else if experiment.kind == Race::KIND {
        row.what = trials::racers(&experiment.plan).join(" - ") + &limits;
    }
    if experiment.trials == 0 {
        (row.result, row.low, row.high) = (None, None, None);
    }
    Ok(row)
}
