//! `--checkpoint` and `--resume`: a search that continues after whatever ended it.

use crate::budget::some_time;
use crate::files::{self, Unwritten};
use crate::interrupt::Stopped;
use anyhow::{Result, anyhow};
use clap::Args;
use indicatif::{BinaryBytes, HumanDuration};
use proofplay_front::json::CheckpointFile;
use proofplay_search::checkpoint::{Checkpoint, Flaw, Head};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The arguments about checkpoints.
#[derive(Args, Debug)]
pub struct Keeping {
    /// Keep what the search knows in this file: every minute, when the budget runs out, and on
    /// Ctrl-C
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How often to write the file; less often where writing would take more than a twentieth of
    /// the time
    #[arg(long, value_name = "TIME", value_parser = some_time, default_value = "60s")]
    pub checkpoint_every: Duration,
    /// Continue the search of a checkpoint. The budget may be another; further checkpoints go into
    /// the same file unless --checkpoint names one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["Setup", "algorithm", "seed", "all_moves"])]
    pub resume: Option<PathBuf>,
}

fn refuse(file: &Path, flaw: &Flaw) -> anyhow::Error {
    match flaw {
        Flaw::Stopped => Stopped { doing: format!("`{}` was read", file.display()) }.into(),
        flaw => anyhow!("checkpoint `{}`: {flaw}", file.display()),
    }
}

impl Keeping {
    /// The checkpoint of a search that begins, if one is wanted.
    pub fn begin(&self, head: &Head) -> Result<Option<Checkpoint>> {
        let Some(path) = &self.checkpoint else { return Ok(None) };
        files::expect_writable(path)?;
        let checkpoint = Checkpoint::new(path, self.checkpoint_every, head.clone());
        checkpoint.map(Some).map_err(|flaw| refuse(path, &flaw))
    }

    /// The checkpoint in `file`, which continues in the file of `--checkpoint` or in the same one.
    pub fn open(&self, file: &Path, stop: &Arc<AtomicBool>) -> Result<Checkpoint> {
        let path = self.checkpoint.as_deref().unwrap_or(file);
        files::expect_writable(path)?;
        let checkpoint = Checkpoint::resume(file, path, self.checkpoint_every, stop);
        checkpoint.map_err(|flaw| refuse(file, &flaw))
    }
}

/// What the progress line says about checkpoints.
pub fn so_far(checkpoint: Option<&Checkpoint>) -> String {
    match checkpoint.map(Checkpoint::last) {
        None | Some((None, None)) => String::new(),
        Some((_, Some(error))) => format!(", no checkpoint: {error}"),
        Some((Some(last), None)) => {
            let ago = HumanDuration(last.at.elapsed());
            format!(", checkpoint of {} {ago} ago", BinaryBytes(last.bytes))
        }
    }
}

/// Notes why the newest checkpoint could not be written.
pub fn note(last: &CheckpointFile, unwritten: &mut Unwritten) {
    if let Some(why) = &last.why_not {
        unwritten.add(format!("cannot write `{}`: {why}", last.file));
    }
}

/// The last checkpoint of a run, for a person; `more` are arguments to be given again.
pub fn text(last: &CheckpointFile, more: &str) -> String {
    let file = &last.file;
    match (&last.why_not, last.bytes) {
        (Some(why), _) => format!("checkpoint: `{file}` could not be written: {why}\n"),
        (None, Some(bytes)) => {
            let size = BinaryBytes(bytes);
            format!("checkpoint: {file}, {size}; continue with `proofplay solve --resume {file}{more}`\n")
        }
        (None, None) => String::new(),
    }
}
