//! `proofplay replay`: a line of play, ply by ply.

use crate::Status;
use crate::lab::StoreArg;
use crate::output::{board, outcome_sentence, print_json, print_raw, strong};
use crate::setup::Setup;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use proofplay_front::json::Replayed;
use proofplay_front::record::Record;
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
        let stored = self.stored.as_deref().map(|text| self.stored(text)).transpose()?;
        let record = match (&stored, &self.setup) {
            (Some(stored), _) => stored.record()?,
            (None, Some(setup)) if setup.moves.is_some() || setup.sgf.is_some() => setup.record()?,
            _ => bail!("replay needs a line of play: GAME --moves \"…\""),
        };
        if self.as_sgf {
            print_raw(&match &stored {
                Some(Stored { players, result, .. }) => {
                    record.sgf_between(players.each_ref().map(String::as_str), result)?
                }
                None => record.sgf(&[])?,
            })?;
            return Ok(Status::Done);
        }
        if json {
            print_json(&Replayed::new(&record, stored.and_then(|stored| stored.played.lost_by)))?;
            return Ok(Status::Done);
        }
        let pos = record.now();
        let end = match pos.outcome() {
            Some(score) => outcome_sentence(pos, score),
            None => format!("the game goes on: {} to move", pos.side(pos.turn())),
        };
        let told = stored.as_ref().map_or(String::new(), Stored::tell);
        let head = format!("{}\n\n{}", strong(&pos.game()), record.table());
        print_raw(&format!(
            "{head}\n{}\n{end}\nposition: {}\n{}",
            board(pos),
            pos.text(),
            record.remarks() + &told
        ))?;
        Ok(Status::Done)
    }

    /// The line of a game in the store.
    fn stored(&self, text: &str) -> Result<Stored> {
        let wrong = || anyhow!("`{text}`: expected EXPERIMENT:NUMBER, e.g. 3:17");
        let (id, number) = text.split_once(':').ok_or_else(wrong)?;
        let (id, number): (i64, u32) =
            (id.parse().map_err(|_| wrong())?, number.parse().map_err(|_| wrong())?);
        let store = self.store.look()?;
        let plan = match store.plan(id)? {
            Some((kind, plan)) if kind == Match::KIND => plan,
            _ => bail!("there is no match {id} in the store; `proofplay results` lists them"),
        };
        let games: Vec<(u32, PlayedGame, f64)> = store.trials(id)?;
        let found = games.into_iter().find(|(n, ..)| *n == number);
        let (_, played, _) = found.ok_or_else(|| anyhow!("match {id} has no game {number} yet"))?;
        let text = |key: &str| plan[key].as_str().unwrap_or_default().to_owned();
        let (game, mut players) = (text("game"), [text("a"), text("b")]);
        if played.a_moves != "first" {
            players.reverse();
        }
        Ok(Stored { result: played.result(&game), game, players, played })
    }
}

/// A game of a match.
struct Stored {
    game: String,
    /// The player who began, and the other.
    players: [String; 2],
    /// How it has ended in the match: stones may be dead, or a player has lost by something else than the
    /// rules.
    result: String,
    played: PlayedGame,
}

impl Stored {
    /// The game as far as it was played.
    fn record(&self) -> Result<Record> {
        let (game, moves) = (self.game.clone(), Some(self.played.moves.clone()));
        Setup { game, moves, position: None, sgf: None, variation: Vec::new() }.record()
    }

    /// The result for a person.
    fn tell(&self) -> String {
        let why = match (&self.played.lost_by, &self.played.dead) {
            (Some(loss), _) => format!(": {loss}"),
            (None, Some(dead)) => format!(", dead: {dead}"),
            (None, None) => format!(", by {}", self.played.ended_by()),
        };
        let [first, second] = &self.players;
        format!("{first} - {second}\nin the match: {}{why}\n", self.result)
    }
}
