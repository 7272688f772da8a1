//! `proofplay strength`: the matches that decide what `auto` plays.

use crate::files;
use crate::lab::{Work, one_line};
use crate::output::{print, print_json};
use crate::progress::Progress;
use crate::{Status, interrupt};
use anyhow::{Context, Result, bail};
use clap::Args;
use proofplay_front::budget::{PLAYER, share_or};
use proofplay_lab::strength::{BOARDS, Next, Played, Strengths, markdown, next, read};
use proofplay_lab::{run, standing};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

/// Find the strongest player of every game by matches: what `auto` plays
///
/// On each board players meet `mcts` at 100 ms a move, and the better half goes on with twice the games, until two are
/// left; where the last cut would part equals, they meet each other first. The last two meet at 1 s a move. The winner
/// meets `mcts` once more at 200 ms a move, in other games. Every match that is over is a line of text in --results; what
/// is there is not played again. Games go into the store, so that a match goes on after a stop.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay strength connect4 y:8 --results strength.jsonl
  proofplay strength --results results/strength.jsonl --markdown docs/STRENGTH.md --threads 2")]
pub struct Options {
    /// The boards [default: all of them]
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// The lines of text
    #[arg(long, value_name = "FILE")]
    results: PathBuf,
    /// Write a page about the results
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Play nothing: use the lines that are there
    #[arg(long)]
    only_read: bool,
    #[command(flatten)]
    work: Work,
}

impl Options {
    /// Plays what is missing.
    pub fn run(&self, json: bool) -> Result<Status> {
        let names: Vec<&str> = BOARDS.iter().map(|board| board.0).collect();
        if let Some(other) = self.games.iter().find(|game| !names.contains(&game.as_str())) {
            bail!("no matches are planned on `{other}`; the boards are {}", names.join(", "));
        }
        let mut played = match std::fs::read_to_string(&self.results) {
            Ok(text) => read(&text).with_context(|| format!("`{}`", self.results.display()))?,
            Err(_) => Vec::new(),
        };
        let stop = interrupt::stop_flag()?;
        if !self.only_read {
            let store = self.work.store.open()?;
            let progress = Progress::start();
            let wanted = |name: &&(&str, &[&str])| {
                self.games.is_empty() || self.games.iter().any(|game| game == name.0)
            };
            for board in BOARDS.iter().filter(wanted) {
                while let Next::Play(pairing) = next(*board, &played) {
                    let contest = pairing.contest(share_or(None, 2 * self.work.threads(), PLAYER)?)?;
                    let games = pairing.stage.games();
                    let what = format!("{}, {} against {}", pairing.game, pairing.player, pairing.against);
                    let trials = run(&contest, games, self.work.threads(), &store, &stop, &mut |games| {
                        progress.say(format!("{what}: {}", one_line(&standing(games, None))));
                        false
                    })?;
                    if stop.load(Relaxed) {
                        break;
                    }
                    let line = Played { pairing, tally: standing(&trials, None).tally };
                    self.append(&line)?;
                    played.push(line);
                }
                if stop.load(Relaxed) {
                    break;
                }
            }
        }
        if let Some(path) = &self.markdown {
            files::write(path, markdown(&played).as_bytes())?;
        }
        if json {
            print_json(&Strengths::of(&played))?
        } else {
            print(&markdown(&played))?
        }
        Ok(if stop.load(Relaxed) { Status::Unfinished } else { Status::Done })
    }

    /// Adds a line to the results.
    fn append(&self, line: &Played) -> Result<()> {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&self.results)?;
        Ok(writeln!(file, "{}", serde_json::to_string(line)?)?)
    }
}
