//! Doing a table's experiments, or looking up what a store has of them.

use super::archive::imported;
use super::experiment::{Experiment, Outcomes};
use super::figure::{Figure, Printed, Verdict, judge};
use super::record::{Conditions, Found, Record};
use super::{Cell, Scale, Table, tables};
use crate::store::Experiment as Stored;
use crate::{LabError, Store};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// A cell with what we found.
#[derive(Clone, Debug)]
pub struct CellResult {
    /// The name of its row.
    pub row: String,
    /// The name of its column.
    pub column: String,
    /// What the paper printed.
    pub printed: Printed,
    /// What was done and what came of it.
    pub record: Option<Record>,
    /// Our figure, as far as it is known.
    pub figure: Option<Figure>,
    /// What to say of the two figures.
    pub verdict: Verdict,
    /// Why it cannot be done.
    pub missing: Option<String>,
}

/// A table with what we found.
#[derive(Clone, Debug)]
pub struct TableResult {
    /// The table.
    pub table: Table,
    /// At which scale.
    pub scale: Scale,
    /// Its cells, in the same order.
    pub cells: Vec<CellResult>,
    /// What came of each experiment; empty if only records are known.
    pub outcomes: Vec<Outcomes>,
}

impl TableResult {
    /// A table with what records say of it.
    pub fn recorded(table: Table, records: Vec<Record>) -> TableResult {
        let cell = |cell: &Cell| {
            let missing = match &table.experiments[cell.experiment].experiment {
                Experiment::Missing(why) => Some(why.clone()),
                _ => None,
            };
            let verdict = if missing.is_some() { Verdict::NotAvailable } else { Verdict::Open };
            let (row, column, printed) = (cell.row.clone(), cell.column.clone(), cell.printed);
            CellResult { row, column, printed, record: None, figure: None, verdict, missing }
        };
        let full = records.iter().any(|record| record.scale != Scale::Quick);
        let scale = if full { Scale::PAPER } else { Scale::Quick };
        let cells = table.cells.iter().map(cell).collect();
        let mut result = TableResult { table, scale, cells, outcomes: Vec::new() };
        result.learn(records);
        result
    }

    /// Takes over records, except where the one that is there says more.
    pub fn learn(&mut self, records: impl IntoIterator<Item = Record>) {
        for record in records {
            let same = |cell: &&mut CellResult| cell.row == record.row && cell.column == record.column;
            let Some(cell) = self.cells.iter_mut().find(same) else { continue };
            if cell.record.as_ref().is_none_or(|known| record.supersedes(known)) {
                cell.figure = Some(record.figure());
                cell.verdict = judge(self.table.unit, cell.printed, cell.figure.as_ref());
                cell.record = Some(record);
            }
        }
    }

    /// What is known, as records.
    pub fn records(&self) -> impl DoubleEndedIterator<Item = &Record> {
        self.cells.iter().filter_map(|cell| cell.record.as_ref())
    }

    /// The signatures of the behaviour that its records rest on.
    pub fn signatures(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.records().filter_map(|record| record.signature.as_deref()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// A cell by its row and column.
    pub fn cell(&self, row: &str, column: &str) -> Option<&CellResult> {
        self.cells.iter().find(|cell| cell.row == row && cell.column == column)
    }

    /// One of its rows alone, with the row's name left out, to compare it with another.
    pub fn row(&self, row: &str) -> TableResult {
        let mut one = self.clone();
        one.cells.retain(|cell| cell.row == row);
        one.cells.iter_mut().for_each(|cell| cell.row.clear());
        one
    }

    /// Our figure in a cell.
    pub fn figure(&self, row: &str, column: &str) -> Option<&Figure> {
        self.cell(row, column)?.figure.as_ref()
    }

    /// How many trials its figures rest on; one that several cells are read from counts once.
    pub fn trials(&self) -> usize {
        let of = |experiment: usize| {
            let cells = self.table.cells.iter().zip(&self.cells);
            let cells = cells.filter(|(planned, _)| planned.experiment == experiment);
            cells.filter_map(|(_, cell)| Some(cell.figure?.trials)).max().unwrap_or(0)
        };
        (0..self.table.experiments.len()).map(of).sum()
    }

    /// Whether all trials are done that can be.
    pub fn is_complete(&self) -> bool {
        self.table.experiments.iter().zip(&self.outcomes).all(|(planned, outcomes)| {
            matches!(outcomes, Outcomes::Missing(_) | Outcomes::Known(_))
                || outcomes.len() >= planned.trials as usize
        })
    }

    /// How many cells have each verdict, most important first.
    pub fn summary(&self) -> Vec<(Verdict, usize)> {
        use Verdict::{
            Close, DiffersFewer, DiffersMore, NotAvailable, NotComparable, Open, Reproduced, Unprinted,
        };
        let order =
            [Reproduced, Close, DiffersFewer, DiffersMore, NotComparable, Unprinted, Open, NotAvailable];
        let count = |verdict| self.cells.iter().filter(|cell| cell.verdict == verdict).count();
        order.into_iter().map(|verdict| (verdict, count(verdict))).filter(|entry| entry.1 > 0).collect()
    }
}

/// What came of an experiment, and where it is stored.
type Origin = (Outcomes, Option<Stored>);

/// What trials say of a table's cells.
fn records(table: &Table, scale: Scale, origins: &[Origin]) -> Vec<Record> {
    let record = |cell: &Cell| {
        let experiment = &table.experiments[cell.experiment].experiment;
        let (outcomes, stored) = &origins[cell.experiment];
        let found = Found::read(&cell.reading, experiment, outcomes)?;
        Some(Record {
            row: cell.row.clone(),
            column: cell.column.clone(),
            scale: scale.pick(Scale::Quick, Scale::PAPER),
            conditions: Conditions::of(experiment),
            trials: outcomes.len() as u64,
            found,
            version: stored.as_ref().map(|stored| stored.version.clone()),
            signature: stored.as_ref().map(|stored| stored.signature.clone()),
            note: None,
        })
    };
    table.cells.iter().filter_map(record).collect()
}

/// Does what the store lacks of a table. `watch` hears how many of its trials are done. When stopped, the result is what is
/// known by then.
pub fn reproduce(
    table: Table,
    scale: Scale,
    threads: usize,
    store: &Store,
    stop: &Arc<AtomicBool>,
    watch: &mut dyn FnMut(u64),
) -> Result<TableResult, LabError> {
    let (mut origins, mut done) = (Vec::new(), 0);
    for planned in &table.experiments {
        if stop.load(SeqCst) {
            let all = store.experiments()?;
            origins.push(planned.experiment.stored(planned.trials, store, &all)?);
            continue;
        }
        let mut tell = |trials: usize| watch(done + trials as u64);
        origins.push((planned.experiment.run(planned.trials, threads, store, stop, &mut tell)?, None));
        done += u64::from(planned.trials);
        watch(done);
    }
    let found = records(&table, scale, &origins);
    let outcomes = origins.into_iter().map(|origin| origin.0).collect();
    Ok(TableResult { scale, outcomes, ..TableResult::recorded(table, found) })
}

/// What a store has of every table: at this scale, or, if nothing was done with the paper's limits, `quick`; and the records that
/// were put into it.
pub fn load(store: &Store, scale: Scale) -> Result<Vec<TableResult>, LabError> {
    let all = store.experiments()?;
    let read = |table: Table, scale: Scale| -> Result<TableResult, LabError> {
        // However many trials there are.
        let stored = |planned: &super::Planned| planned.experiment.stored(u32::MAX, store, &all);
        let origins = table.experiments.iter().map(stored).collect::<Result<Vec<Origin>, LabError>>()?;
        let found = records(&table, scale, &origins);
        let outcomes = origins.into_iter().map(|origin| origin.0).collect();
        Ok(TableResult { scale, outcomes, ..TableResult::recorded(table, found) })
    };
    let mut results = Vec::new();
    for (table, quick) in tables(scale).into_iter().zip(tables(Scale::Quick)) {
        let mut result = read(table, scale)?;
        if result.trials() == 0 {
            result = read(quick, Scale::Quick)?;
        }
        let mut known = imported(&result.table, store)?;
        known.learn(result.records().cloned());
        results.push(TableResult { scale: result.scale, outcomes: result.outcomes, ..known });
    }
    Ok(results)
}
