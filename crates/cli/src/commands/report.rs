//! `proofplay report`: everything that a store, or text, has of the papers' tables, on one page.

use super::results::archive;
use crate::Status;
use crate::files::{self, Unwritten};
use crate::lab::StoreArg;
use crate::output::{print, print_json};
use anyhow::{Result, bail};
use clap::Args;
use proofplay_front::text::counted;
use proofplay_lab::json::ReportJson;
use proofplay_lab::papers::{Scale, findings, load};
use proofplay_lab::report::{Notes, html, markdown};
use std::path::PathBuf;

/// Write the papers' tables that a store has as one page, with plots and commands
///
/// The page needs no other file. Figures with the paper's limits are shown where they rest on at least as
/// many trials as those of `reproduce --scale quick`. With --from, the page shows what `results export`
/// has written instead.
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
    /// A file ending in .html or .md, or a folder for report.html and report.md, which is made if it is
    /// missing
    #[arg(long, value_name = "FILE|FOLDER")]
    out: PathBuf,
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
        let mut answer = ReportJson::new(&results);
        if answer.tables == 0 {
            bail!(
                "nothing to report: there are no figures of any table; `proofplay reproduce` measures them"
            );
        }
        let notes = self.from.as_ref().map(|_| Notes::REPRODUCTION);
        let findings = findings(&results);
        let mut unwritten = Unwritten::default();
        for path in &paths {
            let is_html = path.extension().is_some_and(|extension| extension == "html");
            let page = if is_html { html(&results, &findings) } else { markdown(&results, &findings, notes) };
            match files::write(path, page.as_bytes()) {
                Ok(()) => answer.written.push(path.display().to_string()),
                Err(why) => unwritten.add(why),
            }
        }
        answer.unwritten = unwritten.list();
        if json {
            print_json(&answer)?;
        } else if !answer.written.is_empty() {
            let tables = counted(answer.tables, "table");
            print(&format!("wrote {}: {tables} with figures\n", answer.written.join(" and ")))?;
        }
        unwritten.check()?;
        Ok(Status::Done)
    }
}
