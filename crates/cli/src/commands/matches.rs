//! `proofplay match`: which of two players is stronger?

use crate::files;
use crate::lab::{Conditions, OwnLimits, Work, in_full, one_line, sprt};
use crate::output::{print, print_json, strong};
use crate::progress::Progress;
use crate::setup::Tables;
use crate::{Status, interrupt};
use anyhow::Result;
use clap::Args;
use indicatif::HumanCount;
use proofplay_front::text::counted;
use proofplay_lab::json::{GameRecord, MatchJson};
use proofplay_lab::stats::{Decision, Sprt};
use proofplay_lab::{Match, PlayedGame, Study, Trials, plain_name, run, standing};
use std::path::PathBuf;

/// Let two players meet in many games: which is stronger, and how certain is that?
///
/// Every opening is played twice, with the sides swapped. Every finished game is stored: after a stop the
/// same command continues, and with more games it plays only those that are missing. Players that are
/// limited by simulations or nodes play the same games again from the same seed.
///
/// A player is a search, as for `proofplay solve --algorithm`, perhaps with its own version of the game,
/// SEARCH@GAME, which must have the same rules; or gtp:COMMAND, any program that speaks the Go Text
/// Protocol. Such a program is started for each game. It loses by an illegal move, a crash, silence and
/// lateness, and the match goes on. After two passes in Go the board counts by area as it stands, except
/// that stones are taken off which the foreign programs call dead, if those that can say so agree. See
/// docs/GTP.md.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay match --game connect4 --a mcts:c=0.5 --b mcts:c=1 --playouts 1000 --games 200
  proofplay match --game breakthrough:6x6 --a mcts --b mcts:proof=none --sprt elo0=0,elo1=20 --games 2000
  proofplay match --game loa --a mcts --b mcts-solver --time-per-move 100ms --records games.jsonl
  proofplay match --game go:9x9,komi=7.5 --a 'gtp:gnugo --mode gtp' --b mcts --clock 5m --games 20

The exit status is 3 if not all games were played, or if a sequential test is undecided.")]
pub struct Options {
    /// The game as NAME or NAME:PARAMETERS; `proofplay games` lists them
    #[arg(long, value_name = "GAME")]
    game: String,
    /// One player
    #[arg(long, value_name = "PLAYER")]
    a: String,
    /// The other one
    #[arg(long, value_name = "PLAYER")]
    b: String,
    /// Play at most N games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    conditions: Conditions,
    /// Keep a certificate of each proof that ends a game, N.proof for game N, in this folder; games
    /// that the store has already leave none, and files of other matches are not written over
    #[arg(long, value_name = "FOLDER", requires = "adjudicate")]
    certificates: Option<PathBuf>,
    #[command(flatten)]
    b_limits: OwnLimits,
    /// Stop as soon as it is decided which Elo difference is likelier: elo0=0,elo1=20[,alpha=0.05,beta=0.05]
    #[arg(long, value_name = "TEST", value_parser = sprt)]
    sprt: Option<Sprt>,
    #[command(flatten)]
    work: Work,
    /// Write the games to this file, one line of JSON each; `proofplay replay GAME --moves …` shows one
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
}

/// Games as lines of JSON.
pub fn records(game: &str, a: &str, b: &str, games: &Trials<PlayedGame>) -> Result<String> {
    let lines: Result<Vec<String>, _> =
        GameRecord::all(game, [a, b], games).map(|record| serde_json::to_string(&record)).collect();
    Ok(lines?.iter().map(|line| format!("{line}\n")).collect())
}

impl Options {
    /// Plays what is missing and prints how the match stands.
    pub fn run(&self, json: bool) -> Result<Status> {
        self.tables.lay_out();
        let store = self.work.store.path()?;
        files::expect_apart(&[
            ("--openings", self.conditions.openings_file()),
            ("--records", self.records.as_deref()),
            ("--store", Some(&store)),
        ])?;
        if let Some(path) = &self.records {
            files::expect_writable(path)?;
        }
        let players = [self.a.parse()?, self.b.parse()?];
        let of_b = self.b_limits.limits();
        let mut contest = self.conditions.contest(&self.game, players, of_b, &self.work)?;
        if let Some(folder) = &self.certificates {
            files::make_folder(folder)?;
            contest.terms.certificates = Some(folder.clone());
        }
        let (store, stop) = (self.work.store.open()?, interrupt::stop_flag()?);
        let experiment = store.experiment(Match::KIND, &contest.plan(), &contest.signature()?)?;
        contest.check_certificates(self.games, &store.trials(experiment)?)?;
        let played = {
            let progress = Progress::start();
            let sprt = self.sprt.as_ref();
            run(&contest, self.games, self.work.threads(), &store, &stop, &mut |games| {
                let now = standing(games, sprt);
                progress.parts(games.len(), self.games as usize);
                progress.say(one_line(&now));
                now.sprt.is_some_and(|(decision, _)| decision != Decision::Open)
            })
        };
        let error = match played {
            Ok(games) => return self.show(json, &contest, experiment, &games, true),
            Err(error) => error,
        };
        // What was played is shown, whatever has ended it.
        let mut games: Trials<PlayedGame> = store.trials(experiment)?;
        games.retain(|game| game.0 < self.games);
        if !games.is_empty() {
            self.show(json, &contest, experiment, &games, false)?;
        }
        Err(error.into())
    }

    /// Prints how the match stands, and writes its games.
    fn show(
        &self,
        json: bool,
        contest: &Match,
        experiment: i64,
        games: &Trials<PlayedGame>,
        can_continue: bool,
    ) -> Result<Status> {
        let end = standing(games, self.sprt.as_ref());
        let done = match end.sprt {
            Some((decision, _)) => decision != Decision::Open,
            None => games.len() as u32 == self.games,
        };
        let (a, b) = (contest.a.to_string(), contest.b.to_string());
        let mut written = Vec::new();
        if let Some(path) = &self.records {
            written.push((path.as_path(), records(&contest.game, &a, &b, games)?.into_bytes()));
        }
        files::deliver(json, &written, |unwritten| {
            if json {
                let mut answer = MatchJson::new(contest, &end, experiment);
                (answer.done, answer.unwritten) = (done, unwritten.list());
                return print_json(&answer);
            }
            print(&format!("{}\nA       {a}\nB       {b}\n", strong(plain_name(&contest.game))))?;
            in_full(&end, self.sprt.as_ref())?;
            if !done && games.len() as u32 == self.games {
                let games = counted(HumanCount(u64::from(self.games)), "game");
                print(&format!("the test is undecided after {games}: allow more with --games\n"))?;
            } else if !done && can_continue {
                print("not all games are played: the same command continues\n")?;
            }
            Ok(())
        })?;
        Ok(if done { Status::Done } else { Status::Unfinished })
    }
}
