//! The tables of the papers: `reproduce`, `report`, `results export` and `results import`.

use crate::papers::{CellResult, Finding, Learned, Printed, Scale, Table, TableResult, Verdict};
use serde::Serialize;

/// Tables done again: `reproduce`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct ReproduceJson {
    /// `quick`, `paper` or `N%`.
    pub scale: String,
    /// The tables.
    pub tables: Vec<TableJson>,
    /// What the papers say in words about them.
    pub findings: Vec<Finding>,
    /// Whether all trials are done.
    pub done: bool,
}

impl ReproduceJson {
    /// These tables at a scale, and the claims that rest on them.
    pub fn new(scale: Scale, results: &[TableResult], findings: Vec<Finding>, done: bool) -> ReproduceJson {
        let tables = results.iter().map(|result| TableJson::new(&result.table, &result.cells)).collect();
        ReproduceJson { scale: scale.to_string(), tables, findings, done }
    }
}

/// A table of a paper; an element of `reproduce --list` has no cells.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct TableJson {
    /// Its name.
    pub table: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Where it was printed.
    pub source: &'static str,
    /// What its figures are.
    pub unit: &'static str,
    /// How it is done.
    pub note: String,
    /// How many trials it takes.
    pub trials: u64,
    /// Its cells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<CellJson>,
}

impl TableJson {
    /// A table with these cells.
    pub fn new(table: &Table, cells: &[CellResult]) -> TableJson {
        TableJson {
            table: table.id,
            title: table.title,
            source: table.source,
            unit: table.unit.name(),
            note: table.note.clone(),
            trials: table.trials(),
            cells: cells.iter().map(CellJson::from).collect(),
        }
    }
}

/// A cell of a table.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct CellJson {
    /// The name of its row.
    pub row: String,
    /// The name of its column.
    pub column: String,
    /// The printed figure, if there is one.
    pub paper: Option<f64>,
    /// Whether the paper says "more than" that.
    pub paper_more_than: bool,
    /// Our figure, if it is known.
    pub ours: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<(f64, f64)>,
    /// Whether ours is "more than" that.
    pub more_than: bool,
    /// The trials that it rests on.
    pub trials: usize,
    /// Whether it was imported, not measured.
    pub imported: bool,
    /// What to say of the two figures.
    pub verdict: Verdict,
    /// Why it cannot be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

impl From<&CellResult> for CellJson {
    fn from(cell: &CellResult) -> CellJson {
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
            imported: cell.imported,
            verdict: cell.verdict,
            missing: cell.missing.clone(),
        }
    }
}

/// A page of tables: `report`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct ReportJson {
    /// The files that were written.
    pub written: Vec<String>,
    /// How many tables have figures.
    pub tables: usize,
    /// The trials that these rest on.
    pub trials: usize,
    /// Files that could not be written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<String>,
}

impl ReportJson {
    /// What these results say, before anything is written.
    pub fn new(results: &[TableResult]) -> ReportJson {
        let trials = || results.iter().map(TableResult::trials);
        ReportJson {
            written: Vec::new(),
            tables: trials().filter(|trials| *trials > 0).count(),
            trials: trials().sum(),
            unwritten: Vec::new(),
        }
    }
}

/// Tables as text: `results export`, `results import`.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct ArchiveJson {
    /// The tables that were written or read.
    pub tables: Vec<ArchivedTable>,
    /// Files that could not be written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<String>,
}

/// What became of a table.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct ArchivedTable {
    /// Its name.
    pub table: &'static str,
    /// The cells of its file.
    pub cells: usize,
    /// Those that are new or changed.
    pub changed: usize,
    /// Those that were kept, since the new line has smaller limits or fewer trials.
    pub kept: usize,
}

impl ArchivedTable {
    /// A table as its file has it, and what became of new lines.
    pub fn new(file: &TableResult, learned: Learned) -> ArchivedTable {
        let Learned { changed, kept } = learned;
        ArchivedTable { table: file.table.id, cells: file.records().count(), changed, kept }
    }
}
