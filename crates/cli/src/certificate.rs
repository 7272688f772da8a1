//! Writes what a search has proven into a file.

use crate::files::{self, Unwritten};
use crate::output::seconds;
use crate::progress::Progress;
use clap::ValueEnum;
use indicatif::{HumanBytes, HumanCount};
use proofplay_certificate::Ends;
use proofplay_registry::{Certified, Certify, CertifyError, DynSearch};
use proofplay_search::{Limits, Report};
use serde::Serialize;
use std::fmt;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Where the lines of play of a certificate end.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum Ending {
    /// Where the game does
    Rules,
    /// Already where a count decides that docs/CERTIFICATES.md spells out (Domineering): a far smaller file
    Counted,
}

impl From<Ending> for Ends {
    fn from(ending: Ending) -> Ends {
        match ending {
            Ending::Rules => Ends::Rules,
            Ending::Counted => Ends::Counted,
        }
    }
}

/// What came of a certificate.
#[derive(Default, Serialize)]
pub struct Outcome {
    /// The file, if there is one.
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<String>,
    positions: u64,
    bytes: usize,
    elapsed_s: f64,
    /// The search that found the moves which the proving search did not remember.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves_by: Option<&'static str>,
}

impl Outcome {
    /// Whether there is a file.
    pub fn written(&self) -> bool {
        self.file.is_some()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(file) = &self.file else {
            return writeln!(f, "no certificate: {}", self.why_not.as_deref().unwrap_or_default());
        };
        let (positions, size) = (HumanCount(self.positions), HumanBytes(self.bytes as u64));
        let time = seconds(Duration::from_secs_f64(self.elapsed_s));
        let moves_by = self.moves_by.unwrap_or_default();
        writeln!(f, "certificate: {file}, {positions} positions, {size}, {time}, moves by {moves_by}")
    }
}

/// What a search has left of its limits, given the report of this run alone.
pub fn left_of(limits: Limits, report: &Report<String>) -> Limits {
    Limits {
        time: limits.time.map(|time| time.saturating_sub(report.elapsed)),
        nodes: limits.nodes.map(|nodes| nodes.saturating_sub(report.nodes)),
        ..limits
    }
}

/// Writes the certificate of what a search has proven. When a limit comes first there is no file, rather than half of one. What else goes wrong
/// is also noted in `unwritten`.
pub fn write(
    path: &Path,
    search: &mut dyn DynSearch,
    wanted: &Certify,
    unwritten: &mut Unwritten,
) -> Outcome {
    let started = Instant::now();
    let late = || wanted.limits.time.is_some_and(|time| started.elapsed() >= time);
    let is_over = || wanted.stop.load(Relaxed) || late();
    let result = {
        let progress = Progress::start();
        search.certify(wanted, &mut |walked| {
            progress.say(format!("certificate: {} positions", HumanCount(walked.positions)));
            !is_over()
        })
    };
    let mut outcome = Outcome::default();
    match result {
        Ok(Certified { written, moves_by, .. }) => {
            outcome.moves_by = Some(moves_by);
            (outcome.positions, outcome.bytes) = (written.walked.positions, written.bytes.len());
            match files::write(path, &written.bytes) {
                Ok(()) => outcome.file = Some(path.display().to_string()),
                Err(error) => {
                    unwritten.add(&error);
                    outcome.why_not = Some(error.to_string());
                }
            }
        }
        Err(error) => {
            if let CertifyError::Other(why) = &error {
                unwritten.add(format!("no certificate: {why}"));
            }
            let stopped = error == CertifyError::Limit && wanted.stop.load(Relaxed);
            outcome.why_not = Some(if stopped { "stopped".to_owned() } else { error.to_string() });
        }
    }
    outcome.elapsed_s = started.elapsed().as_secs_f64();
    outcome
}
