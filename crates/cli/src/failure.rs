//! Errors for a person: one line `error: …`, perhaps lines of advice, and the exit status.
//!
//! Texts of the user are quoted in errors, so whatever is printed here is made harmless first: one
//! line, no control characters, not endless.

use crate::files::Unwritten;
use crate::interrupt::Stopped;
use crate::output::error_columns;
use clap::error::ErrorKind;
use proofplay_front::player::PlayerError;
use proofplay_front::text::{fitted, one_line};
use proofplay_lab::LabError;
use proofplay_search::SearchError;
use proofplay_search::checkpoint::Flaw;
use std::io::{self, Write};
use std::process::ExitCode;

/// An output could not be written.
const UNWRITTEN: u8 = 1;
/// Wrong usage, or input that cannot be read.
pub const USAGE: u8 = 2;
/// A limit or the user came before the answer was known.
pub const UNFINISHED: u8 = 3;

/// Reports what the parser of the arguments refused, or prints the help if that is wanted.
pub fn of_arguments(error: &clap::Error) -> ExitCode {
    use ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    match error.kind() {
        DisplayHelp | DisplayVersion => match error.print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => of_command(&error.into()),
        },
        DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ExitCode::from(USAGE)
        }
        _ => {
            // The parser writes paragraphs: the error, perhaps a tip and the usage, and where to
            // find help.
            let text = error.render().to_string();
            let mut paragraphs: Vec<_> = text.trim().split("\n\n").map(flatten).collect();
            if paragraphs.len() > 2 {
                paragraphs.pop();
            }
            complain(&paragraphs);
            ExitCode::from(USAGE)
        }
    }
}

/// Reports why a command could not do its work. A closed standard output (`… | head -1`) is no
/// error.
pub fn of_command(error: &anyhow::Error) -> ExitCode {
    // Only standard output comes with an error of its own; files say which one it was.
    let of_talk = match error.downcast_ref() {
        Some(PlayerError::Talk(error)) => Some(error),
        _ => None,
    };
    if let Some(output) = error.downcast_ref::<io::Error>().or(of_talk) {
        if output.kind() == io::ErrorKind::BrokenPipe {
            return ExitCode::SUCCESS;
        }
        complain(&[format!("error: cannot write the output: {error:#}")]);
        return ExitCode::from(UNWRITTEN);
    }
    complain(&[format!("error: {error:#}")]);
    let is_unwritten =
        error.is::<Unwritten>() || error.downcast_ref::<LabError>().is_some_and(|error| error.is_unwritten());
    let is_stopped =
        error.is::<Stopped>() || matches!(error.downcast_ref(), Some(SearchError::Checkpoint(Flaw::Stopped)));
    ExitCode::from(match (is_unwritten, is_stopped) {
        (true, _) => UNWRITTEN,
        (false, true) => UNFINISHED,
        (false, false) => USAGE,
    })
}

fn complain(lines: &[String]) {
    let mut stderr = io::stderr().lock();
    for line in lines {
        // What is wrong with a rule sheet comes with its line and a caret below.
        let (first, picture) = match line.split_once('\n') {
            Some((first, rest)) if rest.lines().count() == 2 && rest.ends_with('^') => (first, rest),
            _ => (&**line, ""),
        };
        // If standard error is closed too, there is still the exit status.
        let _ = writeln!(stderr, "{}", fitted(&one_line(first), error_columns()));
        for line in picture.lines() {
            let _ = writeln!(stderr, "{}", one_line(line));
        }
    }
}

/// A paragraph on one line. A command with two usages has them on two lines.
fn flatten(paragraph: &str) -> String {
    let lines = paragraph.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let between = if paragraph.starts_with("Usage:") { ", or " } else { " " };
    lines.collect::<Vec<_>>().join(between)
}
