//! `proofplay searches`: how positions can be searched.

use crate::output::{print, print_json, strong};
use crate::{Status, engine};
use anyhow::{Result, bail};
use clap::Args;
use proofplay_front::json::SearchInfo;
use proofplay_search::SearchKind;
use std::fmt::Write;

/// List the searches, or the settings of one
///
/// A search is written NAME or NAME:KEY=VALUE,…, e.g. `mcts:c=0.5,playouts=10000`, wherever a
/// command takes one: `solve --algorithm`, `analyze --engine`, `match --a`. The keys of papers are
/// explained in docs/REFERENCES.md.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay searches
  proofplay searches mcts
  proofplay searches dfpn --json")]
pub struct Options {
    /// Show the settings of this search
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

impl Options {
    /// Prints all searches, or one with its settings.
    pub fn run(&self, json: bool) -> Result<Status> {
        let Some(name) = &self.name else {
            let lines: Vec<SearchInfo> = SearchKind::all().iter().map(SearchInfo::from).collect();
            if json {
                print_json(&lines)?;
                return Ok(Status::Done);
            }
            let padded = |name: &str| strong(&format!("{name:<14}"));
            let mut text = String::new();
            for line in lines {
                let papers = if line.papers.is_empty() { String::new() } else { format!(" {}", line.papers) };
                writeln!(text, "{} {}{papers}", padded(line.name), line.meaning)?;
            }
            print(&(text + "\n`proofplay searches NAME` shows the settings of one.\n"))?;
            return Ok(Status::Done);
        };
        let line = match SearchKind::all().iter().find(|kind| kind.name == *name) {
            Some(kind) => SearchInfo::from(kind),
            None => bail!("search `{name}`: there is none of this name; there are {}", engine::names()),
        };
        if json {
            print_json(&line)?;
            return Ok(Status::Done);
        }
        let mut text =
            format!("{}: {} {}\n", strong(line.name), line.meaning, line.papers).trim_end().to_owned() + "\n";
        if line.spec != line.name {
            writeln!(text, "the same as {}", line.spec)?;
        }
        for setting in &line.settings {
            writeln!(text, "\n  {}={}", strong(setting.key), setting.default)?;
            writeln!(text, "      {}; {}", setting.meaning, setting.values)?;
        }
        if line.settings.is_empty() {
            text += "it has no settings\n";
        }
        print(&text)?;
        Ok(Status::Done)
    }
}
