//! `proofplay reproduce`: the tables of the founding papers, done again.

use crate::lab::Work;
use crate::output::{print, print_json, strong};
use crate::progress::Progress;
use crate::{Status, interrupt};
use anyhow::{Result, bail};
use clap::Args;
use proofplay_lab::papers::{
    Finding, Printed, Scale, Table, TableResult, Verdict, findings, load, reproduce, tables,
};
use proofplay_lab::report::{HEADS, row, summary};
use serde::Serialize;
use std::sync::atomic::Ordering::SeqCst;

/// Do the experiments of the founding papers again, and compare figure by figure
///
/// Each cell shows the printed figure, ours with its 95 % interval, and a verdict: reproduced (the printed figure lies in the
/// interval, or both are the same exact value, or both say "more than"), close (within a quarter, or three percentage points
/// of a score), or differs. Below a table stand the paper's claims that rest on it, each with pass, fail or, if the trials
/// do not decide it, open. Every finished trial is kept in a store: stopped at any time, the same command goes on where it was.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay reproduce --list
  proofplay reproduce score-bounded-6 --scale paper --threads 2
  proofplay reproduce pp-4 exact-win-2
  proofplay reproduce all --scale quick --threads 2 --store papers.db
  proofplay reproduce mcts-solver-1 --scale 10% --threads 2

The exit status is 3 if it was stopped before all trials were done.")]
pub struct Options {
    /// Which tables; `all` is every one
    #[arg(value_name = "TABLE", required_unless_present = "list")]
    tables: Vec<String>,
    /// List the tables with what they measure, their size and about how long they take
    #[arg(long, conflicts_with = "tables")]
    list: bool,
    /// quick: few trials and smaller limits; paper: what the authors did; N%: so much of the paper's trials
    #[arg(long, value_name = "quick|paper|N%", default_value = "quick")]
    scale: Scale,
    #[command(flatten)]
    work: Work,
}

#[derive(Serialize)]
struct Json {
    scale: String,
    tables: Vec<TableJson>,
    findings: Vec<Finding>,
    done: bool,
}

#[derive(Serialize)]
struct TableJson {
    table: &'static str,
    title: &'static str,
    source: &'static str,
    unit: &'static str,
    note: String,
    trials: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cells: Vec<CellJson>,
}

#[derive(Serialize)]
struct CellJson {
    row: String,
    column: String,
    paper: Option<f64>,
    paper_more_than: bool,
    ours: Option<f64>,
    interval: Option<(f64, f64)>,
    more_than: bool,
    trials: usize,
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
}

impl Options {
    /// Does what is missing and prints table after table.
    pub fn run(&self, json: bool) -> Result<Status> {
        let all = tables(self.scale);
        if self.list {
            return list(&all, json);
        }
        let chosen = choose(all, &self.tables)?;
        let (store, stop) = (self.work.store.open()?, interrupt::stop_flag()?);
        let total: u64 = chosen.iter().map(Table::trials).sum();
        let (mut done, mut results) = (0, Vec::new());
        let progress = Progress::start();
        for table in chosen {
            let trials = table.trials();
            progress.say(table.id.to_owned());
            let mut watch = |finished: u64| progress.parts((done + finished) as usize, total as usize);
            let threads = self.work.threads();
            let result = reproduce(table, self.scale, threads, &store, &stop, &mut watch)?;
            done += trials;
            if !json {
                progress.aside(|| print(&text(&result)))?;
            }
            results.push(result);
        }
        drop(progress);
        // Claims compare tables, some of which may have been done before.
        let ids: Vec<&str> = results.iter().map(|result| result.table.id).collect();
        let mut known = load(&store, self.scale)?;
        known.retain(|result| !ids.contains(&result.table.id));
        known.extend(results.iter().cloned());
        let mut claims = findings(&known);
        claims.retain(|finding| finding.tables.iter().any(|id| ids.contains(id)));
        let complete = !stop.load(SeqCst) && results.iter().all(TableResult::is_complete);
        if json {
            let tables = results.iter().map(|result| TableJson::of(&result.table, Some(result))).collect();
            print_json(&Json { scale: self.scale.to_string(), tables, findings: claims, done: complete })?;
        } else {
            print(&claims_text(&claims))?;
            if !complete {
                print("not all trials are done: the same command goes on\n")?;
            }
        }
        Ok(if complete { Status::Done } else { Status::Unfinished })
    }
}

/// Refuses names of tables that there are not.
pub fn expect_tables(all: &[Table], names: &[String]) -> Result<()> {
    if let Some(name) =
        names.iter().find(|name| *name != "all" && !all.iter().any(|table| table.id == **name))
    {
        let ids: Vec<&str> = all.iter().map(|table| table.id).collect();
        bail!("table `{name}`: there is no such table; there are all, {}", ids.join(", "));
    }
    Ok(())
}

/// The tables of these names, in their usual order.
fn choose(all: Vec<Table>, names: &[String]) -> Result<Vec<Table>> {
    expect_tables(&all, names)?;
    let wanted = |table: &Table| names.iter().any(|name| name == "all" || name == table.id);
    Ok(all.into_iter().filter(wanted).collect())
}

fn list(all: &[Table], json: bool) -> Result<Status> {
    if json {
        print_json(&all.iter().map(|table| TableJson::of(table, None)).collect::<Vec<_>>())?;
        return Ok(Status::Done);
    }
    let time = |minutes: f64| match minutes {
        ..1.0 => "< 1 min".to_owned(),
        1.0..120.0 => format!("{minutes:.0} min"),
        _ => format!("{:.0} h", minutes / 60.0),
    };
    let mut text = String::new();
    for table in all {
        let [quick, paper] = table.minutes.map(time);
        text += &format!(
            "{}\n  {}, {}\n  {} cells ({}); quick {quick}, paper {paper} on 2 cores\n",
            strong(table.id),
            table.title,
            table.source,
            table.cells.len(),
            table.unit.name(),
        );
    }
    print(&text)?;
    Ok(Status::Done)
}

/// A table for a person.
fn text(result: &TableResult) -> String {
    let table = &result.table;
    let mut text = format!("{}  {}, {}\n{}\n\n", strong(table.id), table.title, table.source, table.note);
    let mut rows = vec![HEADS.map(str::to_owned)];
    rows.extend(result.cells.iter().map(|cell| row(result, cell)));
    let width = |i: usize| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEADS.len()).map(width).collect();
    for row in &rows {
        let mut line = String::new();
        for (i, (field, width)) in row.iter().zip(&widths).enumerate() {
            // Figures stand on the right, words on the left.
            line += &if (2..6).contains(&i) {
                format!("{field:>width$}  ")
            } else {
                format!("{field:<width$}  ")
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text + &format!("\n{}\n\n", summary(result))
}

fn claims_text(claims: &[Finding]) -> String {
    claims.iter().map(|claim| format!("{}  {}: {}\n", claim.word(), claim.claim, claim.evidence)).collect()
}

impl TableJson {
    fn of(table: &Table, result: Option<&TableResult>) -> TableJson {
        let cells = result.map_or(&[][..], |result| &result.cells);
        TableJson {
            table: table.id,
            title: table.title,
            source: table.source,
            unit: table.unit.name(),
            note: table.note.clone(),
            trials: table.trials(),
            cells: cells.iter().map(CellJson::of).collect(),
        }
    }
}

impl CellJson {
    fn of(cell: &proofplay_lab::papers::CellResult) -> CellJson {
        let (paper, paper_more_than) = match cell.printed {
            Printed::Nothing => (None, false),
            Printed::Exactly(figure) => (Some(figure), false),
            Printed::MoreThan(figure) => (Some(figure), true),
        };
        let figure = cell.figure.as_ref();
        CellJson {
            row: cell.row.clone(),
            column: cell.column.clone(),
            paper,
            paper_more_than,
            ours: figure.map(|figure| figure.mean),
            interval: figure.and_then(|figure| figure.interval),
            more_than: figure.is_some_and(|figure| figure.stopped_at.is_some()),
            trials: figure.map_or(0, |figure| figure.trials),
            verdict: cell.verdict,
            missing: cell.missing.clone(),
        }
    }
}
