//! `proofplay verify`: checks a certificate with the rules of its game alone.

use crate::budget::memory;
use crate::files::TooLarge;
use crate::interrupt::Stopped;
use crate::output::{board, list_columns, outcome_sentence, print, print_json, seconds, strong};
use crate::progress::Progress;
use crate::{Status, files, interrupt};
use anyhow::Result;
use clap::Args;
use indicatif::{HumanBytes, HumanCount};
use proofplay_certificate::{Certificate, Checked, Ends, Evidence, VerifyError};
use proofplay_front::answer::value_word;
use proofplay_front::budget::share;
use proofplay_front::json::{Here, Undecided, Verified, pair};
use proofplay_front::points::{Points, bounds_text};
use proofplay_front::text::{counted, wrapped};
use proofplay_registry::{CheckError, DynPosition, reach};
use proofplay_search::Verdict;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Check a certificate that `solve --certificate` has written
///
/// The strategies in the file are played against every reply of the opponent, by nothing but the rules of the game: no
/// search takes part. The longest line of play of the strategies is printed. If the file says so, plies are counted, or
/// lines of play end where a count already decides; how many is told. A certificate that does not prove what it claims is
/// refused with the line of play at which it fails, and the exit status is 2. The format is described in
/// docs/CERTIFICATES.md.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay solve connect4:5x4 --certificate c4.proof
  proofplay verify c4.proof
  proofplay verify c4.proof --json")]
pub struct Options {
    /// The certificate
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// Use at most this much memory for the whole program, e.g. 512MiB, 2GiB
    #[arg(long, value_name = "SIZE", value_parser = memory, default_value = "1GiB")]
    memory: u64,
}

impl Options {
    /// Checks the file and says what it proves.
    pub fn run(&self, json: bool) -> Result<Status> {
        let (memory, stop, started) = (share(self.memory, 1)?, interrupt::stop_flag()?, Instant::now());
        let file = match files::read(&self.file, memory, Certificate::expect_beginning) {
            Err(error) if error.is::<Stopped>() => return undecided(json, &error.to_string()),
            Err(error) if error.is::<TooLarge>() => {
                return undecided(json, &format!("{error}; allow more with --memory"));
            }
            read => read?,
        };
        let result = {
            let progress = Progress::start();
            proofplay_registry::verify(&file, memory - file.len(), &mut |walked| {
                progress.say(format!("{} checked", counted(HumanCount(walked.positions), "position")));
                !stop.load(Relaxed)
            })
        };
        let (certificate, checked) = match result {
            Err(CheckError::Verify(error @ (VerifyError::Stopped | VerifyError::Memory(_)))) => {
                return undecided(json, &error.to_string());
            }
            other => other?,
        };
        let (pos, elapsed) = (position(&certificate)?, started.elapsed());
        if json {
            let bounds = checked.bounds;
            print_json(&Verified {
                valid: true,
                here: Here::new(pos.as_ref()),
                value: value_word(&*pos, bounds),
                score: bounds.value().map(|score| Points::of(&pos.game(), score)),
                bounds: pair(&pos.game(), bounds),
                positions: checked.walked.positions,
                ends: checked.walked.ends,
                counted_ends: checked.walked.counted,
                late_ends: checked.walked.late,
                plies: checked.within,
                longest_line: checked.longest,
                bytes: file.len(),
                elapsed_s: elapsed.as_secs_f64(),
            })?;
        } else {
            print(&tell(pos.as_ref(), &certificate, &checked, file.len(), elapsed)?)?;
        }
        Ok(Status::Done)
    }
}

/// Prints why there is no verdict.
fn undecided(json: bool, why: &str) -> Result<Status> {
    if json {
        print_json(&Undecided::new(why))?;
    } else {
        print(&format!("neither accepted nor refused: {why}\n"))?;
    }
    Ok(Status::Unfinished)
}

/// The position of a certificate that was found right.
fn position(certificate: &Certificate) -> Result<Box<dyn DynPosition>> {
    let pos = reach(&certificate.line)?;
    Ok(pos)
}

/// The answer for a person.
fn tell(
    pos: &dyn DynPosition,
    certificate: &Certificate,
    checked: &Checked,
    bytes: usize,
    elapsed: Duration,
) -> Result<String> {
    let mut text = format!("{}\n\n{}\n", strong(&pos.game()), board(pos));
    let side = pos.side(pos.turn());
    let plies = checked.within.map_or(String::new(), |plies| format!(" in {plies}"));
    let proven = match (pos.outcome(), Verdict::of(checked.bounds, pos.turn())) {
        (Some(score), _) => outcome_sentence(pos, score),
        (None, Verdict::Win) => format!("{side} to move wins{plies}"),
        (None, Verdict::Draw) => format!("{side} to move draws"),
        (None, Verdict::Loss) => format!("{side} to move loses{plies}"),
        (None, Verdict::Unknown) => format!("the value lies in {}", bounds_text(&pos.game(), checked.bounds)),
    };
    writeln!(text, "{}", strong(&format!("proven: {proven}")))?;
    for (claim, evidence) in &certificate.halves {
        match evidence {
            Evidence::Rules => writeln!(text, "{claim}: by the rules")?,
            Evidence::Strategy { positions, data } => {
                let positions = counted(HumanCount(*positions), "position");
                let data = counted(HumanCount(data.len() as u64), "byte");
                writeln!(text, "{claim}: by a strategy for {positions} in {data}")?;
            }
        }
    }
    if !checked.longest.is_empty() {
        let plies = counted(checked.longest.len(), "ply");
        text += &wrapped(&format!("longest line, {plies}:"), &checked.longest, list_columns());
    }
    let positions = counted(HumanCount(checked.walked.positions), "position");
    let ends = counted(HumanCount(checked.walked.ends), "end");
    let (size, time) = (HumanBytes(bytes as u64), seconds(elapsed));
    let and = |ends, how| format!(" and {} {how}", counted(HumanCount(ends), "end"));
    let others = match (certificate.ends, checked.within) {
        (Ends::Rules, None) => String::new(),
        (Ends::Rules, Some(_)) => and(checked.walked.late, "late enough"),
        (Ends::Counted, _) => and(checked.walked.counted, "by count"),
    };
    writeln!(text, "checked {positions} and {ends} of the game{others} ({size}) in {time}")?;
    Ok(text)
}
