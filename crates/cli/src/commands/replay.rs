//! `proofplay replay`: a line of play, ply by ply.

use crate::Status;
use crate::lab::StoreArg;
use crate::output::{board, outcome_sentence, print_json, print_raw, strong};
use crate::setup::Setup;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use proofplay_front::json::Replayed;
use proofplay_lab::{Match, PlayedGame, Study};

/// Play a line of moves and print, ply by ply, who moved and how many moves were legal
///
/// `--moves` or `--sgf` must be given (an empty line is `--moves ""`), or `--stored` a game of a
/// match. A move that is not legal is refused with its ply and with what was legal.
#[derive(Args, Debug)]
#[command(override_usage = USAGE, after_help = "\
Examples:
  proofplay replay tictactoe --moves \"b2 b1 a1 c3 a3 c1 a2\"
  proofplay replay connect4 --moves \"4 4 3 3 2 1 5\" --json
  proofplay replay go --sgf game.sgf
  proofplay replay go --sgf game.sgf --variation 2.1 --moves \"c3\" --as-sgf > longer.sgf
  proofplay replay --stored 3:17
  proofplay replay go:9x9,komi=7.5 --moves \"e5 e3 pass\" --as-sgf > game.sgf")]
pub struct Options {
    #[command(flatten)]
    setup: Option<Setup>,
    /// Game N of a match in the store, as `proofplay results` lists them
    #[arg(long, value_name = "EXPERIMENT:N", conflicts_with = "Setup")]
    stored: Option<String>,
    #[command(flatten)]
    store: StoreArg,
    /// Write a game of go, loa or amazons as an SGF file instead; with --sgf that file with all that it
    /// has, and the moves that it does not have
    #[arg(long)]
    as_sgf: bool,
}

const USAGE: &str = "proofplay replay [OPTIONS] GAME --moves MOVES
       proofplay replay [OPTIONS] GAME --sgf FILE
       proofplay replay [OPTIONS] --stored EXPERIMENT:N";

impl Options {
    /// Prints the line.
    pub fn run(&self, json: bool) -> Result<Status> {
        let record = match (&self.stored, &self.setup) {
            (Some(text), _) => self.stored(text)?.record()?,
            (None, Some(setup)) if setup.moves.is_some() || setup.sgf.is_some() => setup.record()?,
            _ => bail!("replay needs a line of play: GAME --moves \"…\""),
        };
        if self.as_sgf {
            print_raw(&record.sgf(&[])?)?;
            return Ok(Status::Done);
        }
        if json {
            print_json(&Replayed::new(&record, None))?;
            return Ok(Status::Done);
        }
        let pos = record.now();
        let end = match pos.outcome() {
            Some(score) => outcome_sentence(pos, score),
            None => format!("the game goes on: {} to move", pos.side(pos.turn())),
        };
        let head = format!("{}\n\n{}", strong(&pos.game()), record.table());
        let more = record.not_followed().map_or(String::new(), |more| format!("{more}\n"));
        print_raw(&format!("{head}\n{}\n{end}\nposition: {}\n{more}", board(pos), pos.text()))?;
        Ok(Status::Done)
    }

    /// The line of a game in the store.
    fn stored(&self, text: &str) -> Result<Setup> {
        let wrong = || anyhow!("`{text}`: expected EXPERIMENT:NUMBER, e.g. 3:17");
        let (id, number) = text.split_once(':').ok_or_else(wrong)?;
        let (id, number): (i64, u32) =
            (id.parse().map_err(|_| wrong())?, number.parse().map_err(|_| wrong())?);
        let store = self.store.look()?;
        let game = match store.plan(id)? {
            Some((kind, plan)) if kind == Match::KIND => plan["game"].as_str().unwrap_or_default().to_owned(),
            _ => bail!("there is no match {id} in the store; `proofplay results` lists them"),
        };
        let games: Vec<(u32, PlayedGame, f64)> = store.trials(id)?;
        let found = games.into_iter().find(|(n, ..)| *n == number);
        let (_, played, _) = found.ok_or_else(|| anyhow!("match {id} has no game {number} yet"))?;
        Ok(Setup { game, moves: Some(played.moves), position: None, sgf: None, variation: Vec::new() })
    }
}
