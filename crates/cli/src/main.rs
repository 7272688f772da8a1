//! The command line of proofplay: look at games, count their lines, prove their values, play them.
//!
//! Exit status: 0 done or solved, 2 wrong usage or unreadable input, 3 the budget ran out (or the
//! user stopped it) before what was asked for was known, 1 when an output could not be written.
#![forbid(unsafe_code)]

mod batch;
mod budget;
mod certificate;
mod checkpoint;
mod commands;
mod engine;
mod export;
mod failure;
mod files;
mod input;
mod interrupt;
mod lab;
mod output;
mod progress;
mod setup;

use clap::{CommandFactory, FromArgMatches, Parser};
use commands::Command;
use proofplay_front::{answer, record};
use proofplay_registry::sheets;
use std::path::PathBuf;
use std::process::ExitCode;

/// Plays and proves two-player games in which nothing is hidden and nothing is left to chance.
///
/// A game is written NAME or NAME:PARAMETERS, board sizes are COLUMNSxROWS: `tictactoe`,
/// `connect4:7x6`. `proofplay games` lists all of them.
#[derive(Parser, Debug)]
#[command(
    name = "proofplay",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = EXAMPLES
)]
pub struct Cli {
    /// Print one line of JSON instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Read this rule sheet; its game is `gdl:` and the name of the file without ending
    #[arg(long, value_name = "FILE", global = true)]
    sheet: Vec<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  proofplay games                          what can be played
  proofplay show connect4 --moves \"4 4 3\"  a board after three moves
  proofplay solve connect4:5x4             who wins, and how
  proofplay verify c4.proof                check what somebody has proven
  proofplay play tictactoe                 play against the computer
  proofplay match --game connect4 --a mcts:c=0.5 --b mcts:c=1
                                           which of two players is stronger

Exit status:
  0  done, or solved
  1  an output could not be written; what was found is printed all the same
  2  wrong usage, or input that cannot be read
  3  the budget ran out, or Ctrl-C came, before the answer was known
  130  a second Ctrl-C came, which ends the program at once";

/// How a command ended, other than by an error.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// What was asked for is done.
    Done,
    /// A limit or the user came first.
    Unfinished,
    /// A part of the input was refused; the output says which and why.
    Refused,
}

fn main() -> ExitCode {
    let matches = budget::with_amounts(Cli::command()).try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return failure::of_arguments(&error),
    };
    sheets().tell(|note| eprintln!("note: {note}"));
    sheets().open_files(true);
    let opened = cli.sheet.iter().try_for_each(|file| sheets().open(file).map(drop));
    match opened.map_err(Into::into).and_then(|()| cli.command.run(cli.json)) {
        Ok(Status::Done) => ExitCode::SUCCESS,
        Ok(Status::Unfinished) => ExitCode::from(failure::UNFINISHED),
        Ok(Status::Refused) => ExitCode::from(failure::USAGE),
        Err(error) => failure::of_command(&error),
    }
}
