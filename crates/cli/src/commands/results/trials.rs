//! The trials of one experiment: games, solves, races.

use super::{Format, written};
use crate::commands::matches;
use crate::export::Columns;
use crate::output::strong;
use anyhow::{Result, bail};
use indicatif::HumanCount;
use proofplay_core::{Bounds, Player, Score};
use proofplay_front::points::Points;
use proofplay_front::text::counted;
use proofplay_lab::json::{RunJson, SolveJson};
use proofplay_lab::{Match, PlayedGame, Race, Raced, Solve, Solved, Store, Study, Trials};
use proofplay_registry::{GAMES, SetupError};
use proofplay_search::Verdict;
use serde::Serialize;
use serde_json::Value;

impl Columns for SolveJson {
    const COLUMNS: &'static str = "required int64 number; required boolean solved; required double pess; \
        required double opti; required int64 playouts; required int64 nodes; required int64 expansions; \
        required double seconds; optional int64 plies";
}

impl Columns for RunJson {
    const COLUMNS: &'static str = "required int64 number; required binary search (utf8); required int64 pess; \
        required int64 opti; required int64 iterations; required double seconds; required binary best (utf8)";
}

/// A game; lines of JSON have more.
#[derive(Serialize)]
struct GameRow<'a> {
    number: u32,
    a_moves: &'a str,
    a_points: f64,
    score: Option<Points>,
    plies: u32,
    opening: u32,
    a_playouts: u64,
    b_playouts: u64,
    a_seconds: f64,
    b_seconds: f64,
    moves: &'a str,
    lost_by: Option<String>,
}

impl Columns for GameRow<'_> {
    const COLUMNS: &'static str = "required int64 number; required binary a_moves (utf8); required double a_points; \
        optional double score; required int64 plies; required int64 opening; required int64 a_playouts; \
        required int64 b_playouts; required double a_seconds; required double b_seconds; \
        required binary moves (utf8); optional binary lost_by (utf8)";
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
        Solve::KIND => solves(&store.trials(id)?, &plan, head, format),
        Race::KIND => races(&store.trials(id)?, plan, head, format),
        Match::KIND => games(&store.trials(id)?, &plan, head, format),
        _ => bail!("experiment {id} is a {kind}, which this program cannot list"),
    }
}

/// A score of the game that was planned.
fn points(plan: &Value, score: i16) -> Points {
    Points::of(plan["game"].as_str().unwrap_or_default(), Score(score))
}

fn solves(solves: &Trials<Solved>, plan: &Value, head: String, format: Format) -> Result<Vec<u8>> {
    let game = plan["game"].as_str().unwrap_or_default();
    let row =
        |(number, solved, seconds): &(u32, Solved, f64)| SolveJson::new(game, *number, solved, *seconds);
    let rows: Vec<SolveJson> = solves.iter().map(row).collect();
    written(&rows, format, || {
        let values: Vec<String> = rows.iter().map(value).collect();
        let width = values.iter().map(String::len).max().unwrap_or(0).max(5);
        let title =
            format!("  run  {:<width$}  {:>12} {:>12} {:>9}", "value", "simulations", "nodes", "seconds");
        let mut table = head + &strong(&title) + "\n";
        for (row, value) in rows.iter().zip(values) {
            let [simulations, nodes] = [row.playouts, row.nodes].map(|n| HumanCount(n).to_string());
            table += &format!(
                "{:>5}  {value:<width$}  {simulations:>12} {nodes:>12} {:>9.3}\n",
                row.number, row.seconds
            );
        }
        table
    })
}

/// What a solve has proven: `first player wins in 7 plies`, `draw`, `not solved [-1, 0]`.
fn value(row: &SolveJson) -> String {
    let by = |least: Points, most: Points| match (least.amount(), most.amount()) {
        (least, most) if least == most && least == 1.0 => String::new(),
        (least, most) if least == most => format!(" by {least}"),
        (least, most) => format!(" by {least} to {most}"),
    };
    let (pess, opti, draw) = (row.pess, row.opti, Points::default());
    let who = if (pess, opti) == (draw, draw) {
        "draw".to_owned()
    } else if pess > draw {
        format!("first player wins{}", by(pess, opti))
    } else if opti < draw {
        format!("second player wins{}", by(opti, pess))
    } else {
        format!("not solved [{}, {}]", pess.number(), opti.number())
    };
    who + &row.plies.map_or(String::new(), |plies| format!(" in {}", counted(plies, "ply")))
}

fn races(races: &Trials<Vec<Raced>>, plan: Value, head: String, format: Format) -> Result<Vec<u8>> {
    let rows = RunJson::all(&serde_json::from_value(plan)?, races);
    written(&rows, format, || {
        let mut table = head + &strong("  run  value         iterations   seconds  move      search") + "\n";
        for row in &rows {
            // For the player to move, like the bounds.
            let value = Verdict::of(Bounds::new(Score(row.pess), Score(row.opti)), Player::First).word();
            let iterations = HumanCount(row.iterations).to_string();
            table += &format!(
                "{:>5}  {value:<12} {iterations:>11} {:>9.3}  {:<8}  {}\n",
                row.number, row.seconds, row.best, row.search
            );
        }
        table
    })
}

/// How a game has ended, where its moves do not show it.
fn end(plan: &Value, game: &PlayedGame) -> String {
    match (&game.lost_by, game.proven, &game.dead) {
        (Some(loss), ..) => format!(" ({loss})"),
        (_, Some(score), _) => format!(" (proven: {})", points(plan, score)),
        (_, _, Some(dead)) => format!(" (dead: {dead})"),
        _ => String::new(),
    }
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
            score: game.score.map(|score| points(plan, score)),
            plies: game.plies,
            opening: game.opening,
            a_playouts: game.a.playouts,
            b_playouts: game.b.playouts,
            a_seconds: game.a.seconds,
            b_seconds: game.b.seconds,
            moves: &game.moves,
            lost_by: game.lost_by.as_ref().map(ToString::to_string),
        })
        .collect();
    written(&rows, format, || {
        let mut table = head + &strong(" game  A moves  points  plies  moves") + "\n";
        for (row, (_, game, _)) in rows.iter().zip(games) {
            table += &format!(
                "{:>5}  {:<7}  {:>6}  {:>5}  {}{}\n",
                row.number,
                row.a_moves,
                row.a_points,
                row.plies,
                row.moves,
                end(plan, game)
            );
        }
        table
    })
}
