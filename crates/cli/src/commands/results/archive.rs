//! `proofplay results export` and `import`: what is known of the papers' tables as text for git.

use crate::Status;
use crate::commands::reproduce::expect_tables;
use crate::files;
use crate::lab::StoreArg;
use crate::output::{print, print_json};
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Subcommand};
use proofplay_front::text::counted;
use proofplay_lab::json::{ArchiveJson, ArchivedTable};
use proofplay_lab::papers::{Scale, TableResult, archive, load, tables};
use proofplay_lab::strength;
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
/// A new line takes the place of an old one only if its limits are at least as large and its trials at
/// least as many. The command says how many old lines it has kept; delete a line to let another one in.
/// `proofplay report --from FOLDER` makes a page of them.
#[derive(Args, Debug)]
pub struct Export {
    /// The tables [default: all that the store has something of]
    #[arg(value_name = "TABLE")]
    tables: Vec<String>,
    /// The folder, which is made if it is missing
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    out: PathBuf,
    #[command(flatten)]
    store: StoreArg,
}

/// Read FOLDER/TABLE.jsonl into the store, where the lines answer for trials that it does not have
///
/// `report` and `results export` use them, and `reproduce` does not measure them again if they have the
/// limits and trials that are asked for. A new line takes the place of an old one only if its limits are
/// at least as large and its trials at least as many.
#[derive(Args, Debug)]
pub struct Import {
    /// The folder
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    from: PathBuf,
    #[command(flatten)]
    store: StoreArg,
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
        let mut found = load(&self.store.look()?, Scale::PAPER)?;
        found.retain(|result| wanted(result.table.id) && result.records().next().is_some());
        let mut answer = ArchiveJson::default();
        if found.is_empty() {
            return tell(json, &answer, "nothing to export: the store has no figures of these tables\n");
        }
        files::make_folder(&self.out)?;
        let mut written = Vec::new();
        for mut file in read(&self.out)? {
            let Some(new) = found.iter().find(|new| new.table.id == file.table.id) else { continue };
            let learned = file.learn(new.records().cloned());
            answer.tables.push(ArchivedTable::new(&file, learned));
            let path = self.out.join(archive::file_name(&file.table));
            written.push((path, archive::text(&file).into_bytes()));
        }
        written.iter().try_for_each(|(path, _)| files::expect_writable(path))?;
        let files: Vec<(&Path, Vec<u8>)> =
            written.iter().map(|(path, text)| (path.as_path(), text.clone())).collect();
        files::deliver(json, &files, |unwritten| {
            answer.unwritten = unwritten.list();
            tell(json, &answer, "").map(drop)
        })?;
        Ok(Status::Done)
    }
}

impl Import {
    fn run(&self, json: bool) -> Result<Status> {
        let results = read(&self.from)?;
        let mut answer = ArchiveJson::default();
        for (file, learned) in archive::import(&results, &self.store.open()?)? {
            answer.tables.push(ArchivedTable::new(file, learned));
        }
        tell(json, &answer, "nothing to import: the folder has no lines of any table\n")
    }
}

/// Prints what has changed in the tables, or that there are none.
fn tell(json: bool, answer: &ArchiveJson, nothing: &str) -> Result<Status> {
    if json {
        print_json(answer)?;
        return Ok(Status::Done);
    }
    let line = |done: &ArchivedTable| {
        let changed = match done.changed {
            0 => "nothing changed".to_owned(),
            changed => format!("{changed} new or changed"),
        };
        let kept = match done.kept {
            0 => String::new(),
            kept => format!(", {kept} kept: the new lines have fewer trials or smaller limits"),
        };
        format!("{}: {}, {changed}{kept}\n", done.table, counted(done.cells, "cell"))
    };
    let lines: String = answer.tables.iter().map(line).collect();
    print(if lines.is_empty() { nothing } else { &lines })?;
    Ok(Status::Done)
}

/// Every table as a folder has it.
pub fn read(folder: &Path) -> Result<Vec<TableResult>> {
    let known: Vec<String> = tables(Scale::PAPER).iter().map(archive::file_name).collect();
    let unread = |error: std::io::Error| anyhow!("cannot read `{}`: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(unread)? {
        let name = entry.map_err(unread)?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".jsonl") && name != strength::FILE && !known.contains(&name) {
            bail!("`{}`: there is no such table; see reproduce --list", folder.join(name).display());
        }
    }
    let read = |name: &str| {
        let path = folder.join(name);
        if path.exists() { files::read_text(&path, LARGEST).map(Some) } else { Ok(None) }
    };
    archive::recorded::<anyhow::Error>(read).with_context(|| format!("in `{}`", folder.display()))
}
