//! `proofplay serve`: a page in the browser to play, watch and prove.

use crate::lab::StoreArg;
use crate::output::print;
use crate::{Status, budget, interrupt};
use anyhow::{Context, Result};
use clap::Args;
use proofplay_lab::Store;
use proofplay_lab::json::StoreJson;
use proofplay_registry::sheets;
use proofplay_web::{Options as ServerOptions, Server};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Open a page in the browser: play every game, watch searches think, prove values, review games
///
/// The address is printed first. Only programs on this machine can ask for it, and no other site that is open in the
/// same browser. A search stops when its page is closed. docs/API.md lists what the page asks the
/// server, for other programs. Ctrl-C ends it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay serve --open
  proofplay serve --port 8000 --memory 4GiB
  proofplay serve --open --store papers.db
  curl 'http://127.0.0.1:8000/api/v1/board?game=connect4:5x4&moves=3+3+2'")]
pub struct Options {
    /// Listen on this port [default: a free one]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Show the page in the browser
    #[arg(long)]
    open: bool,
    /// Use at most this much memory for all searches [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = budget::memory)]
    memory: Option<u64>,
    /// Let N searches live at the same time; each has its part of the memory
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=64))]
    searches: u8,
    /// Let a search use at most N threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = budget::threads())]
    threads: Option<u32>,
    /// Let a question take at most this long
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = budget::some_time)]
    time: Duration,
    /// Show the experiments of this store, and the papers' tables with their plots
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

impl Options {
    /// Serves until Ctrl-C.
    pub fn run(&self) -> Result<Status> {
        // Requests name no files.
        sheets().open_files(false);
        let usual = ServerOptions::default();
        let mut server = Server::new(ServerOptions {
            memory: self.memory.unwrap_or(usual.memory),
            searches: self.searches.into(),
            threads: self.threads.map_or(usual.threads, |threads| threads as usize),
            time: self.time,
            ..usual
        })?;
        if let Some(path) = self.store.clone() {
            // What is wrong with it is said now, not in the browser.
            StoreArg { store: Some(path.clone()) }.look()?;
            server = server.with_results(move || {
                let shown = Store::open(&path).and_then(|store| StoreJson::new(&store));
                let shown = shown.map_err(|error| error.to_string())?;
                serde_json::to_value(shown).map_err(|error| error.to_string())
            });
        }
        let stop = interrupt::stop_flag()?;
        let begun = |address| {
            let url = format!("http://{address}/");
            print(&format!("{url}\n"))?;
            if self.open && !show(&url) {
                eprintln!("note: no browser could be started; open the address yourself");
            }
            Ok(())
        };
        let port = self.port.map_or("a free port".to_owned(), |port| format!("port {port}"));
        server.serve(self.port, &stop, begun).with_context(|| format!("cannot listen on {port}"))?;
        Ok(Status::Done)
    }
}

/// Asks the system to show an address.
fn show(url: &str) -> bool {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = Command::new(program);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // It ends by itself; nobody waits for it.
    command.spawn().is_ok()
}
