//! `--batch`: many positions of a game, a line of standard input each, and a line of answer for each.

use crate::Status;
use crate::input::Input;
use crate::output::{print, print_json};
use anyhow::{Result, anyhow};
use proofplay_front::batch::go_to;
use proofplay_front::json::{BadLine, Lined};
use proofplay_front::person::Heard;
use proofplay_front::text::one_line;
use proofplay_registry::DynSearch;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// No line may be longer.
const LONGEST: usize = 1 << 20;

/// What a command says about the position of a line.
pub struct Told<J> {
    /// For a person.
    pub text: String,
    /// As JSON.
    pub json: J,
    /// Whether it is all that was asked for.
    pub status: Status,
}

/// Answers the lines of standard input one after the other, each at once. `answer` searches the position to which the search was
/// moved.
pub fn each_line<J: Serialize>(
    json: bool,
    search: &mut dyn DynSearch,
    stop: &AtomicBool,
    mut answer: impl FnMut(&mut dyn DynSearch) -> Result<Told<J>>,
) -> Result<Status> {
    let (input, mut status) = (Input::open(LONGEST), Status::Done);
    for line in 1.. {
        let heard =
            input.next_within(stop, None).map_err(|error| anyhow!("cannot read standard input: {error}"))?;
        let placed = match heard {
            Heard::Line(text) => go_to(search, &text).map_err(|error| error.to_string()),
            Heard::TooLong(most) => Err(format!("it has more than {most} bytes")),
            _ => break,
        };
        match placed {
            Ok(false) => {}
            Ok(true) => {
                let told = answer(search)?;
                if json {
                    print_json(&Lined { line, answer: told.json })?;
                } else {
                    print(&(told.text + "\n"))?;
                }
                status = status.max(told.status);
            }
            Err(error) => {
                let error = one_line(&error);
                if json {
                    print_json(&Lined { line, answer: BadLine { error } })?;
                } else {
                    print(&format!("line {line}: {error}\n"))?;
                }
                status = Status::Refused;
            }
        }
    }
    Ok(if stop.load(Relaxed) { status.max(Status::Unfinished) } else { status })
}
