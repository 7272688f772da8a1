//! `proofplay reproduce`: the tables of the founding papers, done again.

use crate::lab::Work;
use crate::output::{print, print_json, strong};
use crate::progress::Progress;
use crate::{Status, interrupt};
use anyhow::{Result, bail};
use clap::Args;
use proofplay_front::text::counted;
use proofplay_lab::json::{ReproduceJson, TableJson};
use proofplay_lab::papers::{Finding, Scale, Table, TableResult, findings, load, reproduce, tables};
use proofplay_lab::report::{HEADS, row, summary};
use std::sync::atomic::Ordering::SeqCst;

/// Do the experiments of the founding papers again, and compare figure by figure
///
/// Each cell shows the printed figure, ours with its 95 % interval, and a verdict: reproduced (the
/// printed figure lies in the interval, or both are the same exact value, or both say "more than"),
/// close (within a quarter, or three percentage points of a score), differs, or not comparable (a limit
/// stopped the search). Below the tables are the papers' claims that rest on them, each with pass, fail
/// or, if the trials do not decide it, open. Every finished trial is stored: after a stop the same
/// command continues. Cells that `results import` has read with at least the limits and trials that are
/// asked for are not measured again.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay reproduce --list
  proofplay reproduce score-bounded-6 --scale paper --threads 2
  proofplay reproduce pp-4 exact-win-2
  proofplay reproduce all --scale quick --threads 2 --store papers.db
  proofplay reproduce mcts-solver-1 --scale 10% --threads 2
  proofplay reproduce exact-win-5 --scale paper --rows 'Go 7x7' --store papers.db

The exit status is 3 if it was stopped before all trials were done.")]
pub struct Options {
    /// The tables; `all` means every table
    #[arg(value_name = "TABLE", required_unless_present = "list")]
    tables: Vec<String>,
    /// List the tables: what they measure, how many cells they have and about how long they take
    #[arg(long, conflicts_with = "tables")]
    list: bool,
    /// quick: few trials and smaller limits; paper: what the authors did; N%: this share of the paper's
    /// trials
    #[arg(long, value_name = "quick|paper|N%", default_value = "quick")]
    scale: Scale,
    /// Do only rows whose names contain this, and show what is known of the others
    #[arg(long, value_name = "TEXT", conflicts_with = "list")]
    rows: Option<String>,
    #[command(flatten)]
    work: Work,
}

impl Options {
    /// Does what is missing and prints table after table.
    pub fn run(&self, json: bool) -> Result<Status> {
        let all = tables(self.scale);
        if self.list {
            return list(&all, json);
        }
        let mut chosen = choose(all, &self.tables)?;
        if let Some(text) = &self.rows {
            let left = chosen.iter_mut().filter_map(|table| table.leave_rows(text).then_some(()));
            if left.count() == 0 {
                let names = chosen.iter().flat_map(|table| table.names(|cell| &cell.row));
                bail!("no row contains `{text}`; there are {}", names.collect::<Vec<_>>().join("; "));
            }
        }
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
            print_json(&ReproduceJson::new(self.scale, &results, claims, complete))?;
        } else {
            print(&claims_text(&claims))?;
            if !complete {
                print("not all trials are done: the same command continues\n")?;
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
        print_json(&all.iter().map(|table| TableJson::new(table, &[])).collect::<Vec<_>>())?;
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
            "{}\n  {}, {}\n  {} ({}); quick {quick}, paper {paper} on 2 cores\n",
            strong(table.id),
            table.title,
            table.source,
            counted(table.cells.len(), "cell"),
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
    text += &format!("\n{}\n", summary(result));
    if result.imported() > 0 {
        let cells = counted(result.imported(), "cell");
        text += &format!("{cells} imported, with at least these limits and trials: not measured again\n");
    }
    text + "\n"
}

fn claims_text(claims: &[Finding]) -> String {
    claims.iter().map(|claim| format!("{}  {}: {}\n", claim.word(), claim.claim, claim.evidence)).collect()
}
