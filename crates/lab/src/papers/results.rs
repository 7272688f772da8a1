//! Doing a table's experiments, or looking up what a store has of them.

use super::experiment::Outcomes;
use super::figure::{Figure, Printed, Verdict, judge};
use super::{Scale, Table, tables};
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
    /// Ours, as far as it is known.
    pub figure: Option<Figure>,
    /// What to say of the two.
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
    /// What came of each experiment.
    pub outcomes: Vec<Outcomes>,
    /// Signatures of the behaviour that stored trials rest on.
    pub signatures: Vec<String>,
}

impl TableResult {
    fn new(table: Table, scale: Scale, outcomes: Vec<Outcomes>, signatures: Vec<String>) -> TableResult {
        let result = |cell: &super::Cell| {
            let missing = match &outcomes[cell.experiment] {
                Outcomes::Missing(why) => Some(why.clone()),
                _ => None,
            };
            let experiment = &table.experiments[cell.experiment].experiment;
            let figure = Figure::read(&cell.reading, experiment, &outcomes[cell.experiment]);
            let verdict = match &missing {
                Some(_) => Verdict::NotAvailable,
                None => judge(table.unit, cell.printed, figure.as_ref()),
            };
            let (row, column) = (cell.row.clone(), cell.column.clone());
            CellResult { row, column, printed: cell.printed, figure, verdict, missing }
        };
        let cells = table.cells.iter().map(result).collect();
        TableResult { table, scale, cells, outcomes, signatures }
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

    /// How many trials are done.
    pub fn trials(&self) -> usize {
        self.outcomes.iter().map(Outcomes::len).sum()
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
    let (mut outcomes, mut done) = (Vec::new(), 0);
    for planned in &table.experiments {
        if stop.load(SeqCst) {
            let all = store.experiments()?;
            outcomes.push(planned.experiment.stored(planned.trials, store, &all)?.0);
            continue;
        }
        let mut tell = |trials: usize| watch(done + trials as u64);
        outcomes.push(planned.experiment.run(planned.trials, threads, store, stop, &mut tell)?);
        done += u64::from(planned.trials);
        watch(done);
    }
    Ok(TableResult::new(table, scale, outcomes, Vec::new()))
}

/// What a store has of every table: at this scale, or, if nothing was done with the paper's limits, `quick`.
pub fn load(store: &Store, scale: Scale) -> Result<Vec<TableResult>, LabError> {
    let all = store.experiments()?;
    let read = |table: Table, scale: Scale| -> Result<TableResult, LabError> {
        let (mut outcomes, mut signatures) = (Vec::new(), Vec::new());
        for planned in &table.experiments {
            // However many there are.
            let (found, signature) = planned.experiment.stored(u32::MAX, store, &all)?;
            outcomes.push(found);
            signatures.extend(signature);
        }
        signatures.sort();
        signatures.dedup();
        Ok(TableResult::new(table, scale, outcomes, signatures))
    };
    let mut results = Vec::new();
    for (table, quick) in tables(scale).into_iter().zip(tables(Scale::Quick)) {
        let result = read(table, scale)?;
        results.push(if result.trials() > 0 { result } else { read(quick, Scale::Quick)? });
    }
    Ok(results)
}
