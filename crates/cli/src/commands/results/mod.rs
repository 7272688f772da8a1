//! `proofplay results`: what is in the store.

pub mod archive;
mod trials;

use crate::export::{Columns, csv, json, parquet};
use crate::lab::{StoreArg, forfeited, percent};
use crate::output::{print, print_raw, strong};
use crate::{Status, files};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use indicatif::HumanCount;
use proofplay_lab::json::ExperimentJson;
use proofplay_lab::{Match, Race, Solve, Store, Study, stats};
use std::path::PathBuf;

/// List what is in the store: experiments, or with EXPERIMENT the trials of one; write the papers' tables as text
///
/// The store is a SQLite database with the tables `experiment` and `trial` and the view `game`. Other
/// programs may read it, also during a match.
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
    /// Only experiments of this kind
    #[arg(long, value_name = "KIND", value_parser = [Match::KIND, Solve::KIND, Race::KIND])]
    kind: Option<String>,
    /// Only games whose name begins with this text
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Only experiments whose plan contains this text, e.g. a setting of a player
    #[arg(long, value_name = "TEXT")]
    contains: Option<String>,
    /// How to write them; json writes a line for each
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

impl Columns for ExperimentJson {
    const COLUMNS: &'static str = "required int64 experiment; required binary kind (utf8); required binary game (utf8); \
        required binary what (utf8); required int64 trials; optional double result; optional double low; \
        optional double high; required binary unit (utf8); required double seconds; required binary version (utf8); \
        required binary signature (utf8); required binary begun (utf8); optional binary winner (utf8); \
        optional int64 a_forfeits; optional int64 b_forfeits";
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
            bail!("Parquet is a file: name it with --output FILE");
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
            let row = ExperimentJson::new(store, experiment)?;
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
fn table(rows: &[ExperimentJson]) -> String {
    if rows.is_empty() {
        return "no experiments\n".to_owned();
    }
    let results: Vec<String> = rows.iter().map(result).collect();
    let width = results.iter().map(|result| result.chars().count()).max().unwrap_or(0).max(6);
    let head =
        format!("{:>4}  {:<5}  {:>7}  {:<width$}  game: players or search", "id", "kind", "trials", "result");
    let mut text = strong(&head);
    text.push('\n');
    for (row, result) in rows.iter().zip(results) {
        text += &format!(
            "{:>4}  {:<5}  {:>7}  {result:<width$}  {}: {}\n",
            row.experiment,
            row.kind,
            HumanCount(row.trials).to_string(),
            row.game,
            row.what
        );
    }
    text
}

/// The result of an experiment: `57.3 % [50.4, 63.9], A lost 1 game on time`, `draw, 5,478 nodes`.
fn result(row: &ExperimentJson) -> String {
    let number = |x: f64| HumanCount(x.max(0.0).round() as u64);
    let measured = match (row.result, row.low, row.high) {
        (Some(mean), Some(low), Some(high)) if row.kind == Match::KIND => {
            percent(stats::Interval { mean, low, high })
        }
        (Some(mean), Some(low), Some(high)) => {
            format!("{} [{}, {}] {}", number(mean), number(low), number(high), row.unit)
        }
        (Some(mean), ..) => format!("{} {}", number(mean), row.unit),
        (None, ..) if row.trials > 0 => String::new(),
        (None, ..) => "none yet".to_owned(),
    };
    let winner = (row.kind == Solve::KIND && row.trials > 0).then(|| match row.winner {
        None => "not solved".to_owned(),
        Some("draw") => "draw".to_owned(),
        Some(player) => format!("{player} player wins"),
    });
    let forfeits = forfeited(row.forfeits, ["A", "B"]);
    let parts = winner.into_iter().chain([measured]).chain(forfeits);
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
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
