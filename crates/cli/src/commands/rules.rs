//! `proofplay rules`: how a game is played, and how its moves and positions are written.

use crate::Status;
use crate::output::{board, list_columns, print, print_json, strong};
use anyhow::Result;
use clap::Args;
use proofplay_front::json::GameRules;
use proofplay_front::text::wrapped;
use proofplay_registry::{GAMES, reach};

/// Explain a game: its rules, its notation and its parameters
///
/// A picture shows the board; with parameters it is the board that they give.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay rules go
  proofplay rules pentalath:3
  proofplay rules cannon --json | jq -r .full_rules")]
pub struct Options {
    /// The game as NAME or NAME:PARAMETERS; `proofplay games` lists them
    #[arg(value_name = "GAME")]
    game: String,
}

impl Options {
    /// Prints the rules.
    pub fn run(&self, json: bool) -> Result<Status> {
        explain(&self.game, json)
    }
}

/// Prints the rules of the game written `NAME` or `NAME:PARAMETERS`.
pub fn explain(game: &str, json: bool) -> Result<Status> {
    let (rules, line) = GameRules::new(game)?;
    let form = GAMES.entry(&rules.info.name)?.form();
    if json {
        print_json(&rules)?;
        return Ok(Status::Done);
    }
    let pos = reach(&line)?;
    let after =
        if line.moves.is_empty() { String::new() } else { format!(" after {}", line.moves.join(" ")) };
    let side = pos.side(pos.turn());
    let head = format!("{}\n{}", strong(&form), page(&rules.info.rules));
    let picture = format!("{}{after}, {side} to move:\n\n{}", rules.here.game, board(&*pos));
    print(&format!("{head}\n{picture}\n{}", page(&rules.full_rules)))?;
    Ok(Status::Done)
}

/// Markdown for a terminal: paragraphs and lists in lines of at most 80 characters, headings in bold,
/// indented lines as they are.
fn page(markdown: &str) -> String {
    let (mut text, mut label, mut words) = (String::new(), "", Vec::new());
    let flush = |text: &mut String, label: &str, words: &mut Vec<String>| {
        for line in wrapped(label, words, list_columns()).lines().filter(|_| !words.is_empty()) {
            // Without a label lines begin with the blank before their first word.
            *text += if label.is_empty() { line.trim_start() } else { line };
            text.push('\n');
        }
        words.clear();
    };
    for line in markdown.lines() {
        let (heading, item) = (line.strip_prefix("## "), line.strip_prefix("- "));
        if line.is_empty() || heading.is_some() || item.is_some() || line.starts_with("    ") {
            flush(&mut text, label, &mut words);
            label = "";
        }
        match (heading, item) {
            (Some(heading), _) => text += &format!("{}\n", strong(heading)),
            (_, Some(item)) => {
                label = "-";
                add_words(&mut words, item);
            }
            _ if line.is_empty() || line.starts_with("    ") => text += &format!("{line}\n"),
            _ => add_words(&mut words, line),
        }
    }
    flush(&mut text, label, &mut words);
    text
}

/// Adds the words of a line. What stands between backticks is one word, even if it has blanks.
fn add_words(words: &mut Vec<String>, line: &str) {
    for word in line.split_whitespace() {
        match words.last_mut().filter(|last| last.matches('`').count() % 2 == 1) {
            Some(open) => *open += &format!(" {word}"),
            None => words.push(word.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages() {
        let markdown =
            "One two\nthree.\n\n- an item `of x` of\n  two lines\n- another\n\n## Moves\n\n    as it is\n";
        let shown = "One two three.\n\n- an item `of x` of two lines\n- another\n\n";
        let heading = strong("Moves");
        assert_eq!(page(markdown), format!("{shown}{heading}\n\n    as it is\n"));
        let long = format!("{} `x y z`, end", "word ".repeat(15));
        assert_eq!(page(&long), format!("{}\n`x y z`, end\n", "word ".repeat(15).trim_end()));
    }
}
