//! `proofplay report`: everything that a store, or text, has of the papers' tables, on one page.

use super::results::archive;
use crate::Status;
use crate::files::{self, Unwritten};
use crate::lab::StoreArg;
use crate::output::{print, print_json};
use anyhow::{Result, bail};
use clap::Args;
use proofplay_lab::papers::{Scale, findings, load};
use proofplay_lab::report::{Notes, html, markdown};
use serde::Serialize;
use std::path::PathBuf;

/// Write the papers' tables that a store has as one page, with plots and commands
///
/// The page holds everything it needs. Tables that were done with the paper's limits are shown with these, others as
/// `reproduce --scale quick` has left them. With --from, what `results export` has written is shown instead.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay report --store papers.db --out report.html
  proofplay report --store papers.db --out REPORT.md
  proofplay report --out reports
  proofplay report --from results --out REPRODUCTION.md")]
pub struct Options {
    #[command(flatten)]
    store: StoreArg,
    /// Take the tables from FOLDER/TABLE.jsonl instead of a store
    #[arg(long, value_name = "FOLDER", conflicts_with = "store")]
    from: Option<PathBuf>,
    /// A file ending in .html or .md, or a folder for report.html and report.md, which is made if need be
    #[arg(long, value_name = "FILE|FOLDER")]
    out: PathBuf,
}

#[derive(Serialize)]
struct Json<'a> {
    written: Vec<String>,
    tables: usize,
    trials: usize,
    #[serde(skip_serializing_if = "Unwritten::is_empty")]
    unwritten: &'a Unwritten,
}

impl Options {
    /// Reads the store and writes.
    pub fn run(&self, json: bool) -> Result<Status> {
        let extension = self.out.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let paths = match extension {
            "html" | "md" => vec![self.out.clone()],
            "" => {
                files::make_folder(&self.out)?;
                vec![self.out.join("report.html"), self.out.join("report.md")]
            }
            _ => bail!("`{}`: expected a file ending in .html or .md, or a folder", self.out.display()),
        };
        paths.iter().try_for_each(|path| files::expect_writable(path))?;
        let results = match &self.from {
            Some(folder) => archive::read(folder)?,
            None => load(&self.store.look()?, Scale::PAPER)?,
        };
        let notes = self.from.as_ref().map(|_| Notes::REPRODUCTION);
        let findings = findings(&results);
        let (mut written, mut unwritten) = (Vec::new(), Unwritten::default());
        for path in &paths {
            let is_html = path.extension().is_some_and(|extension| extension == "html");
            let page = if is_html { html(&results, &findings) } else { markdown(&results, &findings, notes) };
            match files::write(path, page.as_bytes()) {
                Ok(()) => written.push(path.display().to_string()),
                Err(why) => unwritten.add(why),
            }
        }
        let tables = results.iter().filter(|result| result.trials() > 0).count();
        if json {
            let trials = results.iter().map(|result| result.trials()).sum();
            print_json(&Json { written, tables, trials, unwritten: &unwritten })?;
        } else if !written.is_empty() {
            print(&format!("wrote {}: {tables} tables with figures\n", written.join(" and ")))?;
        }
        unwritten.check()?;
        Ok(Status::Done)
    }
}
