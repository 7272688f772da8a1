//! `proofplay tune`: good settings of a player, tested in games of their own.

use crate::lab::{Conditions, Work, forfeited, one_line, percent};
use crate::output::{print, print_json, strong};
use crate::progress::Progress;
use crate::{Status, interrupt};
use anyhow::Result;
use clap::Args;
use indicatif::HumanCount;
use proofplay_lab::json::TunedJson;
use proofplay_lab::{Contender, Tuning, grid, plain_name};

/// Find good settings for a player: try a grid of them, and test the best in games of its own
///
/// Every combination plays against the same opponent; the better half continues with twice the games,
/// until one is left. The games that chose it overrate it, so they do not count as its result: it is
/// tested in new games against the opponent; there A is the chosen player. All games are stored, and the
/// same command continues after a stop.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay tune --game connect4 --engine 'mcts:c=0.2|0.4|0.7|1|1.4' --against mcts --playouts 1000 --threads 2
  proofplay tune --game y:6 --engine 'mcts:c=0.3|0.7,rave=0|100|1000' --playouts 500")]
pub struct Options {
    /// The game as NAME or NAME:PARAMETERS; `proofplay games` lists them
    #[arg(long, value_name = "GAME")]
    game: String,
    /// The player, with alternatives for the values of its settings: mcts:c=0.5|1,rave=0|100
    #[arg(long, value_name = "PATTERN")]
    engine: String,
    /// The opponent [default: the player with the first of all alternatives]
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// Games of each candidate in the first round
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: u32,
    /// Games of the test
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    test_games: u32,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    work: Work,
}

impl Options {
    /// Tries, chooses, tests.
    pub fn run(&self, json: bool) -> Result<Status> {
        let candidates = grid(&self.engine)?;
        let against = match &self.against {
            Some(text) => text.parse()?,
            None => candidates[0].clone(),
        };
        let players = [candidates[0].clone(), against];
        let contest = self.conditions.contest(&self.game, players, None, &self.work)?;
        let own = |player: Contender| player.for_game(&contest.game, &contest.pace);
        let candidates = candidates.into_iter().map(own).collect();
        let tuning = Tuning { candidates, contest, games: self.games, test_games: self.test_games };
        tuning.check()?;
        let (store, stop) = (self.work.store.open()?, interrupt::stop_flag()?);
        let tuned = {
            let progress = Progress::start();
            tuning.run(self.work.threads(), &store, &stop, &mut |round, player, standing| {
                let what = if round == 0 { "test".to_owned() } else { format!("round {round}") };
                progress.say(format!("{what}, {player}: {}", one_line(standing)));
            })?
        };
        let done = tuned.test.is_some();
        let chosen = tuned.tried[0].player.to_string();
        if json {
            print_json(&TunedJson::new(&tuning, &tuned))?;
            return Ok(if done { Status::Done } else { Status::Unfinished });
        }
        let mut text =
            format!("{}, against {}\n", strong(plain_name(&tuning.contest.game)), tuning.contest.b);
        text += "round  tuning games  score                  player\n";
        for tried in &tuned.tried {
            let tally = tried.standing.tally;
            let (games, score) = (HumanCount(tally.games()).to_string(), percent(tally.score()));
            let lost = forfeited(tried.standing.forfeits, ["it", "the opponent"]);
            let lost = lost.map_or(String::new(), |lost| format!(" ({lost})"));
            text += &format!("{:>5}  {games:>12}  {score:<21}  {}{lost}\n", tried.rounds, tried.player);
        }
        text += &match &tuned.test {
            Some(test) => format!("chosen  {}\ntest    {}\n", strong(&chosen), one_line(test)),
            None => "stopped before the test: the same command continues\n".to_owned(),
        };
        print(&text)?;
        Ok(if done { Status::Done } else { Status::Unfinished })
    }
}
