//! Doing a table's experiments, or reading from a store what is known of them.

use super::archive::{imported, put};
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
    /// What was done and what was found.
    pub record: Option<Record>,
    /// Whether the record was read from text, not measured with this store.
    pub imported: bool,
    /// Our figure, as far as it is known.
    pub figure: Option<Figure>,
    /// What our figure says about the printed one.
    pub verdict: Verdict,
    /// Why it cannot be done.
    pub missing: Option<String>,
}

/// How many of the records that a table was given are new to it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Learned {
    /// They were taken over.
    pub changed: usize,
    /// The known one was kept, since it says more.
    pub kept: usize,
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
    /// The outcomes of each experiment; empty if only records are known.
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
            CellResult { row, column, printed, record: None, imported: false, figure: None, verdict, missing }
        };
        let full = records.iter().any(|record| record.scale != Scale::Quick);
        let scale = if full { Scale::PAPER } else { Scale::Quick };
        let cells = table.cells.iter().map(cell).collect();
        let mut result = TableResult { table, scale, cells, outcomes: Vec::new() };
        result.learn(records);
        result
    }

    /// Takes over records, except where the known one says more.
    pub fn learn(&mut self, records: impl IntoIterator<Item = Record>) -> Learned {
        let mut learned = Learned::default();
        for record in records {
            let same = |cell: &&mut CellResult| cell.row == record.row && cell.column == record.column;
            let Some(cell) = self.cells.iter_mut().find(same) else { continue };
            let is_new = cell.record.as_ref() != Some(&record);
            if cell.record.as_ref().is_some_and(|known| !record.supersedes(known)) {
                learned.kept += usize::from(is_new);
                continue;
            }
            learned.changed += usize::from(is_new);
            cell.figure = Some(record.figure());
            cell.verdict = judge(self.table.unit, cell.printed, cell.figure.as_ref());
            (cell.record, cell.imported) = (Some(record), false);
        }
        learned
    }

    /// How many cells were not measured, since imported records answer them.
    pub fn imported(&self) -> usize {
        self.cells.iter().filter(|cell| cell.imported).count()
    }

    /// Whether its records answer an experiment.
    fn answers(&self, experiment: usize, scale: Scale) -> bool {
        let planned = &self.table.experiments[experiment];
        let cells = self.table.cells.iter().zip(&self.cells);
        let mut cells = cells.filter(|(cell, _)| cell.experiment == experiment);
        cells.all(|(planned_cell, cell)| {
            let answers = |record: &Record| record.answers(planned, scale);
            cell.record.as_ref().map_or(planned_cell.reading.may_be_empty(), answers)
        })
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

    /// One of its rows alone, without the row's name, to compare it with another row.
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

    /// Whether all trials are done that can be, here or by those who wrote imported records.
    pub fn is_complete(&self) -> bool {
        self.table.experiments.iter().zip(&self.outcomes).enumerate().all(|(i, (planned, outcomes))| {
            planned.left_out
                || matches!(outcomes, Outcomes::Missing(_) | Outcomes::Known(_))
                || outcomes.len() >= planned.trials as usize
                || self.answers(i, self.scale)
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

/// The outcomes of an experiment, and where they are stored.
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
            chances: Found::chances(&cell.reading, outcomes),
            version: stored.as_ref().map(|stored| stored.version.clone()),
            signature: stored.as_ref().map(|stored| stored.signature.clone()),
            note: None,
        })
    };
    table.cells.iter().filter_map(record).collect()
}

/// Does what the store lacks of a table. Experiments that imported records answer are not done again.
/// `watch` is called with the number of finished trials. After a stop, the result is what is known by
/// then.
pub fn reproduce(
    table: Table,
    scale: Scale,
    threads: usize,
    store: &Store,
    stop: &Arc<AtomicBool>,
    watch: &mut dyn FnMut(u64),
) -> Result<TableResult, LabError> {
    let known = imported(&table, store)?;
    let answered: Vec<bool> = (0..table.experiments.len()).map(|i| known.answers(i, scale)).collect();
    let (mut origins, mut done) = (Vec::new(), 0);
    for (planned, answered) in table.experiments.iter().zip(&answered) {
        if *answered || planned.left_out || stop.load(SeqCst) {
            let all = store.experiments()?;
            origins.push(planned.experiment.stored(planned.trials, store, &all)?);
        } else {
            let mut tell = |trials: usize| watch(done + trials as u64);
            origins.push((planned.experiment.run(planned.trials, threads, store, stop, &mut tell)?, None));
        }
        done += if planned.left_out { 0 } else { u64::from(planned.trials) };
        watch(done);
    }
    let found = records(&table, scale, &origins);
    // Exact figures have no trials: a record says that somebody has asked for them.
    put(&table, found.iter().filter(|record| record.conditions.is_none()).cloned(), store)?;
    let mut result = TableResult::recorded(table, Vec::new());
    for (i, cell) in result.table.cells.iter().enumerate() {
        if answered[cell.experiment] {
            result.cells[i] = known.cells[i].clone();
        }
    }
    result.learn(found);
    for (planned, cell) in result.table.cells.iter().zip(&mut result.cells) {
        if let (Outcomes::Missing(why), None) = (&origins[planned.experiment].0, &cell.record) {
            (cell.missing, cell.verdict) = (Some(why.clone()), Verdict::NotAvailable);
        }
    }
    let outcomes = origins.into_iter().map(|origin| origin.0).collect();
    Ok(TableResult { scale, outcomes, ..result })
}

/// What a store has of every table: trials at this scale, those of `quick`, and imported records,
/// whichever says most of a cell.
pub fn load(store: &Store, scale: Scale) -> Result<Vec<TableResult>, LabError> {
    let all = store.experiments()?;
    let read = |table: &Table, scale: Scale| -> Result<(Vec<Record>, Vec<Outcomes>), LabError> {
        // However many trials there are.
        let stored = |planned: &super::Planned| planned.experiment.stored(u32::MAX, store, &all);
        let origins = table.experiments.iter().map(stored).collect::<Result<Vec<Origin>, LabError>>()?;
        let mut found = records(table, scale, &origins);
        // Exact figures can always be computed: the store has those of which it has a record.
        found.retain(|record| record.conditions.is_some());
        Ok((found, origins.into_iter().map(|origin| origin.0).collect()))
    };
    let mut results = Vec::new();
    for (table, quick) in tables(scale).into_iter().zip(tables(Scale::Quick)) {
        let (full, few) = (read(&table, scale)?, read(&quick, Scale::Quick)?);
        let (table, scale, outcomes) =
            if full.0.is_empty() { (quick, Scale::Quick, few.1) } else { (table, scale, full.1) };
        let mut known = imported(&table, store)?;
        known.learn(few.0);
        known.learn(full.0);
        results.push(TableResult { scale, outcomes, ..known });
    }
    Ok(results)
}
