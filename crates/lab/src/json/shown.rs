//! What the page of `proofplay serve --store` shows of a store: every experiment, and the papers' tables with their plots.

use super::ExperimentJson;
use crate::papers::{Scale, TableResult, load};
use crate::report::{HEADS, command, plots, row, summary};
use crate::{LabError, Store};
use serde::Serialize;

/// A whole store.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct StoreJson {
    /// The experiments, newest first.
    pub experiments: Vec<ExperimentJson>,
    /// The tables that have figures.
    pub tables: Vec<ShownTable>,
}

impl StoreJson {
    /// What a store has now.
    pub fn new(store: &Store) -> Result<StoreJson, LabError> {
        let all = store.experiments()?.into_iter().rev();
        let experiments = all.map(|one| ExperimentJson::new(store, one)).collect::<Result<_, _>>()?;
        let results = load(store, Scale::PAPER)?;
        let known = results.iter().filter(|result| result.trials() > 0);
        Ok(StoreJson { experiments, tables: known.map(ShownTable::new).collect() })
    }
}

/// A table of a paper, for a person.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct ShownTable {
    /// Its name.
    pub table: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Where it was printed.
    pub source: &'static str,
    /// How many cells have which verdict.
    pub summary: String,
    /// The command that does it.
    pub command: String,
    /// What the columns are called.
    pub heads: [&'static str; 7],
    /// A row for each cell.
    pub rows: Vec<[String; 7]>,
    /// Its plots as SVG.
    pub plots: Vec<String>,
}

impl ShownTable {
    /// A table with its figures.
    pub fn new(result: &TableResult) -> ShownTable {
        let measured = result.cells.iter().filter(|cell| cell.figure.is_some());
        ShownTable {
            table: result.table.id,
            title: result.table.title,
            source: result.table.source,
            summary: summary(result),
            command: command(result),
            heads: HEADS,
            rows: measured.map(|cell| row(result, cell)).collect(),
            plots: plots(result).collect(),
        }
    }
}
