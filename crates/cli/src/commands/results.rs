//! `proofplay results`: what is in the store.

use crate::files;
use crate::lab::{StoreArg, percent};
use crate::output::{print, strong};
use crate::{Status, commands::contest};
use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use proofplay_lab::{Contest, Experiment, Game, Solve, Solved, Store, Study, standing, stats};
use serde::Serialize;
use std::path::PathBuf;

/// List what is in the store: experiments, or with EXPERIMENT the games or solves of one
///
/// The store is a SQLite database with the tables `experiment` and `trial` and the view `game`; other programs may read
/// it, also while games are being played.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay results
  proofplay results --game connect4 --format csv --output results.csv
  proofplay results 3 --format json")]
pub struct Options {
    /// Only this experiment, with all its games or solves
    #[arg(value_name = "EXPERIMENT")]
    experiment: Option<i64>,
    /// Only experiments of this kind: match or solve
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

/// A solve in a list.
#[derive(Serialize)]
struct SolveRow {
    number: u32,
    solved: bool,
    pess: i16,
    opti: i16,
    playouts: u64,
    nodes: u64,
    expansions: u64,
    seconds: f64,
}

/// A game in a list of comma-separated values.
#[derive(Serialize)]
struct GameRow<'a> {
    number: u32,
    a_moves: &'a str,
    a_points: f64,
    score: Option<i16>,
    plies: u32,
    opening: u32,
    a_playouts: u64,
    b_playouts: u64,
    a_seconds: f64,
    b_seconds: f64,
    moves: &'a str,
}

impl Options {
    /// Lists and writes.
    pub fn run(&self, json: bool) -> Result<Status> {
        if let Some(path) = &self.output {
            files::expect_writable(path)?;
        }
        let store = self.store.look()?;
        let format = if json { Format::Json } else { self.format };
        let text = match self.experiment {
            Some(id) => one(&store, id, format)?,
            None => self.list(&store, format)?,
        };
        match &self.output {
            Some(path) => files::write(path, text.as_bytes())?,
            None => print(&text)?,
        }
        Ok(Status::Done)
    }

    fn list(&self, store: &Store, format: Format) -> Result<String> {
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
        if format != Format::Table {
            return written(&rows, format);
        }
        let mut text = strong(&format!(
            "{:>4}  {:<5}  {:>7}  {:<28}  game: players or algorithm",
            "id", "kind", "trials", "result"
        ));
        text.push('\n');
        for row in rows {
            let result = match (row.result, row.low, row.high) {
                (Some(mean), Some(low), Some(high)) if row.kind == Contest::KIND => {
                    percent(stats::Interval { mean, low, high })
                }
                (Some(mean), Some(low), Some(high)) => {
                    format!("{mean:.0} [{low:.0}, {high:.0}] {}", row.unit)
                }
                (Some(mean), ..) => format!("{mean:.0} {}", row.unit),
                (None, ..) => "none yet".to_owned(),
            };
            text += &format!(
                "{:>4}  {:<5}  {:>7}  {result:<28}  {}: {}\n",
                row.experiment, row.kind, row.trials, row.game, row.what
            );
        }
        Ok(text)
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
    if experiment.kind == Contest::KIND {
        let games: Vec<(u32, Game, f64)> = store.trials(experiment.id)?;
        show(standing(&games, None).tally.score(), "score");
        row.what = format!("{} - {}{limits}", text("a"), text("b"));
    } else if experiment.kind == Solve::KIND {
        let solves: Vec<(u32, Solved, f64)> = store.trials(experiment.id)?;
        let count = |solved: &Solved| if solved.playouts > 0 { solved.playouts } else { solved.nodes };
        let counts: Vec<f64> = solves.iter().map(|(_, solved, _)| count(solved) as f64).collect();
        let sampled = solves.iter().any(|(_, solved, _)| solved.playouts > 0);
        show(stats::mean(&counts), if sampled { "playouts" } else { "nodes" });
        row.what = format!("{}{limits}", text("algorithm"));
    }
    if experiment.trials == 0 {
        (row.result, row.low, row.high) = (None, None, None);
    }
    Ok(row)
}

/// The trials of one experiment.
fn one(store: &Store, id: i64, format: Format) -> Result<String> {
    let Some((kind, plan)) = store.plan(id)? else {
        bail!("there is no experiment {id} in the store; `proofplay results` lists them");
    };
    let text = |key: &str| plan.get(key).and_then(|v| v.as_str()).unwrap_or_default().to_owned();
    let head = format!("{} {id}: {plan}\n", strong(&kind));
    if kind == Solve::KIND {
        let solves: Vec<(u32, Solved, f64)> = store.trials(id)?;
        let rows = solves.into_iter().map(|(number, solved, seconds)| SolveRow {
            number,
            solved: solved.is_exact(),
            pess: solved.pess,
            opti: solved.opti,
            playouts: solved.playouts,
            nodes: solved.nodes,
            expansions: solved.expansions,
            seconds,
        });
        let rows: Vec<SolveRow> = rows.collect();
        if format != Format::Table {
            return written(&rows, format);
        }
        let mut table = head + &strong("  run  value          simulations        nodes   seconds") + "\n";
        for row in rows {
            let value =
                if row.solved { row.pess.to_string() } else { format!("[{}, {}]", row.pess, row.opti) };
            table += &format!(
                "{:>5}  {value:<12}  {:>12} {:>12} {:>9.3}\n",
                row.number, row.playouts, row.nodes, row.seconds
            );
        }
        return Ok(table);
    }
    if kind != Contest::KIND {
        bail!("experiment {id} is a {kind}, which this program cannot list");
    }
    let games: Vec<(u32, Game, f64)> = store.trials(id)?;
    match format {
        Format::Json => contest::records(&text("game"), &text("a"), &text("b"), &games),
        Format::Csv => {
            let rows = games.iter().map(|(number, game, _)| GameRow {
                number: *number,
                a_moves: &game.a_moves,
                a_points: f64::from(game.half_points) / 2.0,
                score: game.score,
                plies: game.plies,
                opening: game.opening,
                a_playouts: game.a.playouts,
                b_playouts: game.b.playouts,
                a_seconds: game.a.seconds,
                b_seconds: game.b.seconds,
                moves: &game.moves,
            });
            written(&rows.collect::<Vec<_>>(), format)
        }
        Format::Table => {
            let mut table = head + &strong(" game  A moves  points  plies  moves") + "\n";
            for (number, game, _) in games {
                table += &format!(
                    "{number:>5}  {:<7}  {:>6}  {:>5}  {}\n",
                    game.a_moves,
                    f64::from(game.half_points) / 2.0,
                    game.plies,
                    game.moves
                );
            }
            Ok(table)
        }
    }
}

/// Rows as comma-separated values or lines of JSON.
fn written(rows: &[impl Serialize], format: Format) -> Result<String> {
    if format == Format::Json {
        let lines: serde_json::Result<Vec<String>> = rows.iter().map(serde_json::to_string).collect();
        return Ok(lines?.iter().map(|line| format!("{line}\n")).collect());
    }
    let mut csv = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| csv.serialize(row)).map_err(|error| anyhow!("{error}"))?;
    Ok(String::from_utf8(csv.into_inner()?)?)
}
