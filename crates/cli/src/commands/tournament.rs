//! `proofplay tournament`: many players, many games, a cross table and ratings.

use crate::lab::{Conditions, ConditionsFile, LimitsOf, Work, difference, introduce, pace_of};
use crate::output::{print, print_json, strong};
use crate::progress::Progress;
use crate::{Status, budget, files, interrupt};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use indicatif::HumanCount;
use proofplay_front::clock::TimeControl;
use proofplay_front::text::counted;
use proofplay_lab::json::TournamentJson;
use proofplay_lab::{Contender, Mode, Pairing, Tournament, plain_name};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Let many players meet in many games: a cross table, and ratings with their uncertainty
///
/// The file says who plays what:
///
///     games = ["connect4:7x6", "breakthrough:6x6"]
///     rounds = 40                  # games of every pairing in every game
///     mode = "round-robin"         # or "gauntlet": the first player against all others
///     playouts = 1000              # a move; or nodes = N, time_per_move = "100ms", clock = "60+1";
///                                  # a player with any of these has its own instead of them
///     openings = "random:2"        # or a file
///     seed = 1
///     [[player]]
///     name = "plain"
///     spec = "mcts:proof=none"
///     [[player]]
///     name = "bounds"
///     spec = "mcts"
///     [[player]]
///     name = "another program"
///     spec = "gtp:COMMAND"         # as for `proofplay match`
///     clock = "5m"
///
/// Only `games` and two players are needed; there may be 1000 players. Ratings are Elo points
/// of mean 0 by maximum likelihood. Games are stored like those of `proofplay match`, and the
/// same command continues after a stop.
#[derive(Args, Debug)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  proofplay tournament engines.toml --threads 2"
)]
pub struct Options {
    /// The tournament, a file of at most 1 MiB
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    #[command(flatten)]
    work: Work,
}

/// No file may be larger.
const LARGEST: usize = 1 << 20;

/// What the file may say.
const ALLOWED: &str = "there may be games, rounds, mode, playouts, nodes, time_per_move, clock, openings, most_moves, memory, \
    time_margin, start_up, resign, adjudicate, seed, and for each player a table `[[player]]` with name, spec, and perhaps \
    playouts, nodes, time_per_move or clock; see `proofplay tournament --help`";

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    games: Vec<String>,
    rounds: Option<u32>,
    #[serde(default)]
    mode: Mode,
    #[serde(flatten)]
    conditions: ConditionsFile,
    player: Vec<PlayerPlan>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerPlan {
    name: String,
    spec: String,
    playouts: Option<u64>,
    nodes: Option<u64>,
    time_per_move: Option<String>,
    clock: Option<TimeControl>,
}

impl PlayerPlan {
    /// Its own limits, if it has any.
    fn limits(&self) -> Result<Option<LimitsOf>> {
        let time = self.time_per_move.as_deref().map(budget::time).transpose();
        let time = time.map_err(|error| anyhow!("time_per_move: {error}"))?;
        if time.is_some() && self.clock.is_some() {
            bail!("clock and time_per_move of `{}`: expected one of them", self.name);
        }
        let limits = (self.clock.or(time.map(TimeControl::PerMove)), self.playouts, self.nodes);
        Ok((limits != (None, None, None)).then_some(limits))
    }
}

impl Options {
    /// Plays what is missing and shows the tables.
    pub fn run(&self, json: bool) -> Result<Status> {
        let text = files::read_text(&self.file, LARGEST)?;
        let plan: Plan = toml::from_str(&text).map_err(|error| {
            let line = error.span().filter(|span| span.start > 0).map_or(String::new(), |span| {
                format!(" line {}:", text[..span.start].lines().count().max(1))
            });
            anyhow!("`{}`:{line} {}; {ALLOWED}", self.file.display(), error.message())
        })?;
        let tournament = plan.tournament(&self.work).with_context(|| self.file.display().to_string())?;
        let (store, stop) = (self.work.store.open()?, interrupt::stop_flag()?);
        let all = tournament.all_games();
        let mut seen: Vec<Pairing> = Vec::new();
        let run = {
            let progress = Progress::start();
            tournament.run(self.work.threads(), &store, &stop, &mut |played, now| {
                let of = |pairing: &Pairing| (pairing.game, pairing.a, pairing.b);
                seen.pop_if(|last| of(last) == of(now));
                seen.push(now.clone());
                let name = |i: usize| &tournament.players[i].0;
                progress.parts(played as usize, all as usize);
                progress.say(format!(
                    "{}: {} - {}",
                    plain_name(&tournament.games[now.game]),
                    name(now.a),
                    name(now.b)
                ));
            })
        };
        // What was played is shown, whatever has ended it.
        let (pairings, error) = match run {
            Ok(pairings) => (pairings, None),
            Err(error) => (seen, Some(error)),
        };
        let played: u64 = pairings.iter().map(|pairing| pairing.standing.tally.games()).sum();
        if played == 0
            && let Some(error) = error
        {
            return Err(error.into());
        }
        let done = tournament.is_done(&pairings);
        if json {
            print_json(&TournamentJson::new(&tournament, &pairings))?;
        } else {
            for (i, game) in tournament.games.iter().enumerate() {
                print(&format!(
                    "{}\n{}\n",
                    strong(plain_name(game)),
                    cross(&tournament, &pairings, Some(i))
                ))?;
            }
            if tournament.games.len() > 1 {
                print(&format!("{}\n{}\n", strong("all games"), cross(&tournament, &pairings, None)))?;
            }
            if !done && error.is_none() {
                let (played, all) = (HumanCount(played), counted(HumanCount(all), "game"));
                print(&format!("{played} of {all} played: the same command continues\n"))?;
            }
        }
        match error {
            Some(error) => Err(error.into()),
            None => Ok(if done { Status::Done } else { Status::Unfinished }),
        }
    }
}

impl Plan {
    fn tournament(self, work: &Work) -> Result<Tournament> {
        let conditions = Conditions::try_from(self.conditions)?;
        let (mut players, mut paces) = (Vec::<(String, Contender)>::new(), BTreeMap::new());
        for (number, player) in self.player.into_iter().enumerate() {
            let (limits, contender) = (player.limits()?, player.spec.parse()?);
            if let Some(limits) = limits {
                paces.insert(number, conditions.pace_by(limits, std::slice::from_ref(&contender), work)?);
            }
            players.push((player.name, contender));
        }
        let games: Result<Vec<String>> =
            self.games.iter().map(|game| Ok(proofplay_registry::game(game)?.id())).collect();
        let all = players.iter().enumerate().filter(|(number, _)| !paces.contains_key(number));
        let all: Vec<_> = all.map(|(_, player)| player.1.clone()).collect();
        let pace = conditions.pace_by(conditions.limits(), &all, work)?;
        for (number, (_, player)) in players.iter().enumerate().filter(|(_, player)| player.1.is_foreign()) {
            paces.entry(number).or_insert(pace_of(player, pace, conditions.limits()));
        }
        let has_foreign = players.iter().any(|player| player.1.is_foreign());
        let tournament = Tournament {
            games: games?,
            players,
            mode: self.mode,
            rounds: self.rounds.unwrap_or(20),
            pace,
            paces,
            openings: conditions.openings()?,
            seed: conditions.seed,
            most_plies: conditions.most_moves,
            terms: conditions.terms(has_foreign),
        };
        tournament.check()?;
        let players: Vec<_> = tournament.players.iter().map(|(_, player)| player).collect();
        introduce(&players, |stop| tournament.clone().introduced(stop))
    }
}

/// The cross table with ratings of those who have played, best first, and who has lost by something else
/// than the rules.
fn cross(tournament: &Tournament, pairings: &[Pairing], game: Option<usize>) -> String {
    let table = tournament.cross_table(pairings, game);
    let ratings = table.ratings();
    let has_played = |i: &usize| table.games[*i].iter().any(|&games| games > 0.0);
    let mut order: Vec<usize> = (0..ratings.len()).filter(has_played).collect();
    order.sort_by(|&i, &j| ratings[j].mean.total_cmp(&ratings[i].mean));
    let width = tournament.players.iter().map(|player| player.0.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!("    {:<width$}  {:<20}  {:>12}", "player", "Elo (95 %)", "points");
    order.iter().enumerate().for_each(|(place, _)| text += &format!(" {:>11}", place + 1));
    text.push('\n');
    for (place, &i) in order.iter().enumerate() {
        let sum = |rows: &[Vec<f64>]| rows[i].iter().sum::<f64>();
        let points = format!("{} of {}", sum(&table.points), sum(&table.games));
        let elo = difference(ratings[i]);
        text += &format!("{:>2}  {:<width$}  {elo:<20}  {points:>12}", place + 1, tournament.players[i].0);
        for &j in &order {
            let cell = match table.games[i][j] {
                0.0 => "-".to_owned(),
                games => format!("{}/{games}", table.points[i][j]),
            };
            text += &format!(" {cell:>11}");
        }
        text.push('\n');
    }
    let forfeits = tournament.forfeits(pairings, game);
    let lost = order.iter().flat_map(|&i| forfeits[i].parts().into_iter().map(move |part| (i, part)));
    let lost: Vec<String> = lost
        .map(|(i, (games, how))| {
            format!("{} {} {how}", tournament.players[i].0, counted(HumanCount(games), "game"))
        })
        .collect();
    if !lost.is_empty() {
        text += &format!("forfeits: {}\n", lost.join(", "));
    }
    text
}
