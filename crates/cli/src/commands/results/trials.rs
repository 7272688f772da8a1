//! The trials of one experiment: games, solves, races.

use super::{Format, written};
use crate::commands::matches;
use crate::export::Columns;
use crate::output::strong;
use anyhow::{Result, bail};
use proofplay_lab::{Match, PlayedGame, Race, Raced, Solve, Solved, Store, Study, Trials};
use proofplay_registry::{GAMES, SetupError};
use serde::Serialize;
use serde_json::Value;

/// A solve.
#[derive(Serialize)]
struct SolveRow {
    number: u32,
    solved: bool,
    pess: i16,
    opti: i16,
    playouts: u64,
    nodes: u64,
    expansions: u64,
    seconds: f64,
}

impl Columns for SolveRow {
    const COLUMNS: &'static str = "required int64 number; required boolean solved; required int64 pess; \
        required int64 opti; required int64 playouts; required int64 nodes; required int64 expansions; \
        required double seconds";
}

/// What one search of a race did on a position.
#[derive(Serialize)]
struct RunRow<'a> {
    number: u32,
    search: &'a str,
    pess: i16,
    opti: i16,
    iterations: u64,
    seconds: f64,
    best: &'a str,
}

impl Columns for RunRow<'_> {
    const COLUMNS: &'static str = "required int64 number; required binary search (utf8); required int64 pess; \
        required int64 opti; required int64 iterations; required double seconds; required binary best (utf8)";
}

/// A game; lines of JSON have more.
#[derive(Serialize)]
struct GameRow<'a> {
    number: u32,
    a_moves: &'a str,
    a_points: f64,
    score: Option<i16>,
    plies: u32,
    opening: u32,
    a_playouts: u64,
    b_playouts: u64,
    a_seconds: f64,
    b_seconds: f64,
    moves: &'a str,
}

impl Columns for GameRow<'_> {
    const COLUMNS: &'static str = "required int64 number; required binary a_moves (utf8); required double a_points; \
        optional int64 score; required int64 plies; required int64 opening; required int64 a_playouts; \
        required int64 b_playouts; required double a_seconds; required double b_seconds; \
        required binary moves (utf8)";
}

/// All trials of an experiment.
pub fn list(store: &Store, id: i64, format: Format) -> Result<Vec<u8>> {
    let Some((kind, plan)) = store.plan(id)? else {
        bail!("there is no experiment {id} in the store; `proofplay results` lists them");
    };
    // Moves of an earlier notation would be misread.
    let game = plan["game"].as_str().map(|game| GAMES.recorded(game));
    if let Some(Err(error @ SetupError::OtherRules { .. })) = game {
        bail!("experiment {id}: {error}");
    }
    let head = format!("{} {id}: {plan}\n", strong(&kind));
    match &*kind {
        Solve::KIND => solves(&store.trials(id)?, head, format),
        Race::KIND => races(&store.trials(id)?, &plan, head, format),
        Match::KIND => games(&store.trials(id)?, &plan, head, format),
        _ => bail!("experiment {id} is a {kind}, which this program cannot list"),
    }
}

fn solves(solves: &Trials<Solved>, head: String, format: Format) -> Result<Vec<u8>> {
    let row = |(number, solved, seconds): &(u32, Solved, f64)| SolveRow {
        number: *number,
        solved: solved.is_exact(),
        pess: solved.pess,
        opti: solved.opti,
        playouts: solved.playouts,
        nodes: solved.nodes,
        expansions: solved.expansions,
        seconds: *seconds,
    };
    let rows: Vec<SolveRow> = solves.iter().map(row).collect();
    written(&rows, format, || {
        let mut table = head + &strong("  run  value          simulations        nodes   seconds") + "\n";
        for row in &rows {
            table += &format!(
                "{:>5}  {:<12}  {:>12} {:>12} {:>9.3}\n",
                row.number,
                value(row.pess, row.opti),
                row.playouts,
                row.nodes,
                row.seconds
            );
        }
        table
    })
}

/// What is certain.
fn value(pess: i16, opti: i16) -> String {
    if pess == opti { pess.to_string() } else { format!("[{pess}, {opti}]") }
}

/// The searches of a race, as its plan names them.
pub fn racers(plan: &Value) -> Vec<&str> {
    let all = plan["contestants"].as_array().map_or(&[][..], Vec::as_slice);
    all.iter().map(|one| one[0].as_str().unwrap_or_default()).collect()
}

fn races(races: &Trials<Vec<Raced>>, plan: &Value, head: String, format: Format) -> Result<Vec<u8>> {
    let racers = racers(plan);
    let mut rows = Vec::new();
    for (number, runs, _) in races {
        for (search, run) in racers.iter().zip(runs) {
            rows.push(RunRow {
                number: *number,
                search,
                pess: run.pess,
                opti: run.opti,
                iterations: run.iterations,
                seconds: run.seconds,
                best: &run.best,
            });
        }
    }
    written(&rows, format, || {
        let mut table = head + &strong("  run  value         iterations   seconds  move      search") + "\n";
        for row in &rows {
            table += &format!(
                "{:>5}  {:<12} {:>11} {:>9.3}  {:<8}  {}\n",
                row.number,
                value(row.pess, row.opti),
                row.iterations,
                row.seconds,
                row.best,
                row.search
            );
        }
        table
    })
}

fn games(games: &Trials<PlayedGame>, plan: &Value, head: String, format: Format) -> Result<Vec<u8>> {
    if format == Format::Json {
        let text = |key: &str| plan[key].as_str().unwrap_or_default();
        return Ok(matches::records(text("game"), text("a"), text("b"), games)?.into_bytes());
    }
    let rows: Vec<GameRow<'_>> = games
        .iter()
        .map(|(number, game, _)| GameRow {
            number: *number,
            a_moves: &game.a_moves,
            a_points: f64::from(game.half_points) / 2.0,
            score: game.score,
            plies: game.plies,
            opening: game.opening,
            a_playouts: game.a.playouts,
            b_playouts: game.b.playouts,
            a_seconds: game.a.seconds,
            b_seconds: game.b.seconds,
            moves: &game.moves,
        })
        .collect();
    written(&rows, format, || {
        let mut table = head + &strong(" game  A moves  points  plies  moves") + "\n";
        for row in &rows {
            table += &format!(
                "{:>5}  {:<7}  {:>6}  {:>5}  {}\n",
                row.number, row.a_moves, row.a_points, row.plies, row.moves
            );
        }
        table
    })
}
