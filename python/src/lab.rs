//! Matches of searches, their statistics, and stores.

use crate::error::error;
use crate::game::json;
use crate::work::{Answer, Work};
use proofplay_lab::json::{ExperimentJson, GameRecord, RunJson, SolveJson, StandingJson};
use proofplay_lab::{Match, PlayedGame, Race, Raced, Solve, Solved, Store, Study, Trials, run, standing};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::Path;

/// How a match stands, with its games if they are wanted.
fn told(contest: [&str; 3], games: &Trials<PlayedGame>, with_games: bool) -> PyResult<String> {
    let [game, a, b] = contest;
    let mut told = serde_json::to_value(StandingJson::from(&standing(games, None))).map_err(error)?;
    if with_games {
        told["games_played"] = GameRecord::all(game, [a, b], games).map(|game| json!(game)).collect();
    }
    json(&told)
}

/// Begins a match of two searches or foreign programs. `plan` is JSON.
#[pyfunction]
pub fn begin_match(plan: &str, games: u32, threads: usize, store: Option<String>) -> PyResult<Work> {
    let mut contest: Match = serde_json::from_str(plan).map_err(error)?;
    let game = proofplay_registry::game(&contest.game).map_err(error)?;
    let b_pace = *contest.b_pace();
    contest.a = contest.a.clone().for_game(&game.name(), &contest.pace);
    contest.b = contest.b.clone().for_game(&game.name(), &b_pace);
    contest.game = game.id();
    let contest = contest.tidy();
    contest.check().map_err(|why| error(why.to_string().replace("playouts", "simulations")))?;
    Work::begin(Vec::new(), move |desk| {
        let contest = contest.introduced(&desk.stop).map_err(error)?;
        let (a, b) = (contest.a.to_string(), contest.b.to_string());
        let names = [&game.name(), &a[..], &b[..]];
        let store = Store::open(Path::new(store.as_deref().unwrap_or(":memory:"))).map_err(error)?;
        let mut watch = |games: &Trials<PlayedGame>| {
            let _ = told(names, games, false).map(|text| desk.reports.send(text));
            false
        };
        let played = run(&contest, games, threads, &store, &desk.stop, &mut watch).map_err(error)?;
        Ok(Answer::Text(told(names, &played, true)?))
    })
}

/// How a match stands after games that were played elsewhere; they are JSON.
#[pyfunction]
pub fn match_standing(game: &str, a: &str, b: &str, games: &str) -> PyResult<String> {
    let games: Vec<PlayedGame> = serde_json::from_str(games).map_err(error)?;
    let seconds = |game: &PlayedGame| game.a.seconds + game.b.seconds;
    let games: Trials<PlayedGame> =
        (0..).zip(games).map(|(i, game)| (i, seconds(&game), game)).map(|(i, s, g)| (i, g, s)).collect();
    told([game, a, b], &games, true)
}

/// The experiments of a store, as JSON.
#[pyfunction]
pub fn experiments(store: &str) -> PyResult<String> {
    let store = open(store)?;
    let all = store.experiments().map_err(error)?;
    let rows: Result<Vec<_>, _> = all.into_iter().map(|one| ExperimentJson::new(&store, one)).collect();
    json(&rows.map_err(error)?)
}

/// The trials of an experiment of a store, as JSON.
#[pyfunction]
pub fn trials(store: &str, experiment: i64) -> PyResult<String> {
    let store = open(store)?;
    let Some((kind, plan)) = store.plan(experiment).map_err(error)? else {
        return Err(error(format!("there is no experiment {experiment} in the store")));
    };
    let text = |key: &str| plan[key].as_str().unwrap_or_default();
    match &*kind {
        Match::KIND => {
            let games: Trials<PlayedGame> = store.trials(experiment).map_err(error)?;
            let name = text("game").split('#').next().unwrap_or_default();
            json(
                &GameRecord::all(name, [text("a"), text("b")], &games)
                    .map(|game| json!(game))
                    .collect::<Value>(),
            )
        }
        Solve::KIND => {
            let solves: Trials<Solved> = store.trials(experiment).map_err(error)?;
            let row = |(number, solved, seconds): &(u32, Solved, f64)| {
                SolveJson::new(text("game"), *number, solved, *seconds)
            };
            json(&solves.iter().map(row).collect::<Vec<_>>())
        }
        Race::KIND => {
            let races: Trials<Vec<Raced>> = store.trials(experiment).map_err(error)?;
            let race: Race = serde_json::from_value(plan).map_err(error)?;
            json(&RunJson::all(&race, &races))
        }
        other => Err(error(format!("experiment {experiment} is a {other}, which has no table"))),
    }
}

fn open(path: &str) -> PyResult<Store> {
    if !Path::new(path).is_file() {
        return Err(error(format!("store `{path}`: there is no such file")));
    }
    Store::open(Path::new(path)).map_err(error)
}
