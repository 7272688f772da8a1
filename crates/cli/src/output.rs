//! What commands print: JSON on one line, boards in colour, numbers and lists a person can read.
//!
//! Everything goes through `anstream`, which drops colours unless standard output is a terminal and
//! honours `NO_COLOR`. A closed pipe comes back as an error instead of a panic.

use anstyle::{AnsiColor, Style};
use proofplay_core::Player;
pub use proofplay_front::answer::outcome_sentence;
use proofplay_front::text::{WIDTH, fitted};
use proofplay_registry::DynPosition;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;
use terminal_size::{Height, Width, terminal_size_of};

/// The columns of the terminal, if standard output is one; as many as wanted in a file or pipe.
pub fn columns() -> usize {
    columns_of(terminal_size_of(io::stdout()))
}

/// The same for standard error.
pub fn error_columns() -> usize {
    columns_of(terminal_size_of(io::stderr()))
}

fn columns_of(size: Option<(Width, Height)>) -> usize {
    size.map_or(usize::MAX, |(Width(columns), _)| columns.into())
}

/// The columns for lists, which are never wider than their usual width.
pub fn list_columns() -> usize {
    columns().min(WIDTH)
}

/// Prints text for a person: on a terminal its lines are broken where the terminal ends.
pub fn print(text: &str) -> io::Result<()> {
    print_raw(&fitted(text, columns()))
}

/// Prints text as it is, for programs and to be copied.
pub fn print_raw(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Prints text where a conversation with the user belongs: standard error when standard output
/// carries JSON.
pub fn talk(json: bool, text: &str) -> io::Result<()> {
    if !json {
        return print(text);
    }
    let mut out = anstream::stderr().lock();
    out.write_all(fitted(text, error_columns()).as_bytes())?;
    out.flush()
}

/// Prints a value as one line of JSON.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_string(value)?;
    line.push('\n');
    Ok(print_raw(&line)?)
}

/// The board, pieces coloured by owner.
pub fn board(pos: &dyn DynPosition) -> String {
    pos.view().draw(paint)
}

/// A piece, coloured by owner.
pub fn paint(symbol: char, owner: Option<Player>) -> String {
    match owner {
        None => symbol.to_string(),
        Some(player) => {
            let style = colour(player);
            format!("{style}{symbol}{style:#}")
        }
    }
}

fn colour(player: Player) -> Style {
    let colour = match player {
        Player::First => AnsiColor::BrightCyan,
        Player::Second => AnsiColor::BrightYellow,
    };
    colour.on_default().bold()
}

/// The text in bold.
pub fn strong(text: &str) -> String {
    let style = Style::new().bold();
    format!("{style}{text}{style:#}")
}

/// A time for a person: `0.012 s`, `95.1 s`.
pub fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 10.0 { format!("{seconds:.3} s") } else { format!("{seconds:.1} s") }
}

/// So many per second in a form that is easy to compare: `12.3 million`.
pub fn per_second(count: u64, time: Duration) -> String {
    let rate = count as f64 / time.as_secs_f64().max(1e-9);
    match rate {
        1e9.. => format!("{:.2} billion", rate / 1e9),
        1e6.. => format!("{:.1} million", rate / 1e6),
        1e4.. => format!("{:.1} thousand", rate / 1e3),
        _ => format!("{rate:.0}"),
    }
}
