//! `proofplay results export` and `import`: what is known of the papers' tables as text for git.

use crate::Status;
use crate::commands::reproduce::expect_tables;
use crate::files::{self, Unwritten};
use crate::lab::StoreArg;
use crate::output::{print, print_json};
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Subcommand};
use proofplay_lab::papers::{Scale, TableResult, archive, load, tables};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// The largest file that is read.
const LARGEST: usize = 16 << 20;

/// Tables as text.
#[derive(Subcommand, Debug)]
pub enum Archive {
    Export(Export),
    Import(Import),
}

/// Write what the store has of the papers' tables as text, FOLDER/TABLE.jsonl, a line of JSON for each cell
///
/// Cells that the folder has already are kept if they say more: with the paper's limits instead of smaller ones, or, with
/// the same limits, from more trials. `proofplay report --from FOLDER` makes a page of them.
#[derive(Args, Debug)]
pub struct Export {
    /// Which tables [default: all that have something]
    #[arg(value_name = "TABLE")]
    tables: Vec<String>,
    /// The folder, which is made if need be
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    out: PathBuf,
    #[command(flatten)]
    store: StoreArg,
}

/// Read FOLDER/TABLE.jsonl into the store, where the cells stand in for trials that it does not have
#[derive(Args, Debug)]
pub struct Import {
    /// The folder
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    from: PathBuf,
    #[command(flatten)]
    store: StoreArg,
}

/// What became of a table.
#[derive(Serialize)]
struct Done {
    table: &'static str,
    cells: usize,
    /// How many of the cells' lines are new or changed.
    changed: usize,
}

#[derive(Serialize)]
struct Json<'a> {
    tables: &'a [Done],
    #[serde(skip_serializing_if = "Unwritten::is_empty")]
    unwritten: &'a Unwritten,
}

impl Archive {
    /// Writes or reads.
    pub fn run(&self, json: bool) -> Result<Status> {
        match self {
            Archive::Export(export) => export.run(json),
            Archive::Import(import) => import.run(json),
        }
    }
}

impl Export {
    fn run(&self, json: bool) -> Result<Status> {
        expect_tables(&tables(Scale::PAPER), &self.tables)?;
        let wanted =
            |id: &str| self.tables.is_empty() || self.tables.iter().any(|name| name == id || name == "all");
        let store = self.store.look()?;
        files::make_folder(&self.out)?;
        let (mut written, mut done) = (Vec::new(), Vec::new());
        for (mut kept, found) in read(&self.out)?.into_iter().zip(load(&store, Scale::PAPER)?) {
            let before = archive::text(&kept);
            kept.learn(found.records().cloned());
            let (table, after) = (kept.table.id, archive::text(&kept));
            if !wanted(table) || after.is_empty() {
                continue;
            }
            let changed = after.lines().filter(|line| !before.lines().any(|old| old == *line)).count();
            done.push(Done { table, cells: after.lines().count(), changed });
            written.push((self.out.join(archive::file_name(&kept.table)), after));
        }
        written.iter().try_for_each(|(path, _)| files::expect_writable(path))?;
        let files: Vec<(&Path, Vec<u8>)> =
            written.iter().map(|(path, text)| (path.as_path(), text.clone().into_bytes())).collect();
        files::deliver(json, &files, |unwritten| tell(json, &done, unwritten))?;
        Ok(Status::Done)
    }
}

impl Import {
    fn run(&self, json: bool) -> Result<Status> {
        let results = read(&self.from)?;
        archive::import(&results, &self.store.open()?)?;
        let cells = |result: &TableResult| result.records().count();
        let done: Vec<Done> = results
            .iter()
            .filter(|result| cells(result) > 0)
            .map(|result| Done { table: result.table.id, cells: cells(result), changed: cells(result) })
            .collect();
        tell(json, &done, &Unwritten::default())?;
        Ok(Status::Done)
    }
}

fn tell(json: bool, tables: &[Done], unwritten: &Unwritten) -> Result<()> {
    if json {
        return print_json(&Json { tables, unwritten });
    }
    let line =
        |done: &Done| format!("{}: {} cells, {} new or changed\n", done.table, done.cells, done.changed);
    Ok(print(&tables.iter().map(line).collect::<String>())?)
}

/// Every table as a folder has it.
pub fn read(folder: &Path) -> Result<Vec<TableResult>> {
    let known: Vec<String> = tables(Scale::PAPER).iter().map(archive::file_name).collect();
    let unread = |error: std::io::Error| anyhow!("cannot read `{}`: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(unread)? {
        let name = entry.map_err(unread)?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".jsonl") && !known.contains(&name) {
            bail!("`{}`: there is no such table; see reproduce --list", folder.join(name).display());
        }
    }
    let read = |name: &str| {
        let path = folder.join(name);
        if path.exists() { files::read_text(&path, LARGEST).map(Some) } else { Ok(None) }
    };
    archive::recorded::<anyhow::Error>(read).with_context(|| format!("in `{}`", folder.display()))
}
