//! Answers as JSON: one vocabulary for all front ends. docs/JSON.md describes it.

use crate::answer::{best_move, to_move, value_word};
use proofplay_core::{Bounds, Player};
use proofplay_registry::DynPosition;
use proofplay_search::{MoveReport, Report, Verdict};
use serde::Serialize;

/// A lower and an upper bound, in the view of the player who began.
pub type Pair = [i16; 2];

/// Bounds as JSON has them.
pub fn pair(bounds: Bounds) -> Pair {
    [bounds.pess.0, bounds.opti.0]
}

/// What a search has found about a position: the part that all answers share.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Found {
    /// The game with its parameters.
    pub game: String,
    /// The position as text.
    pub position: String,
    /// `first` or `second`; null when the game is over.
    pub to_move: Option<String>,
    /// The search with its settings.
    pub search: String,
    /// The value is known.
    pub solved: bool,
    /// What it is for the player to move: `win`, `draw`, `loss` or `unknown`; null when the game is
    /// over.
    pub value: Option<&'static str>,
    /// The score, if it is known, in the view of the player who began.
    pub score: Option<i16>,
    /// What is certain about the score.
    pub bounds: Pair,
    /// The move to play; null when the game is over, or where the value is known and no move is
    /// proven to preserve it.
    pub best_move: Option<String>,
    /// The line of play that goes with it.
    pub pv: Vec<String>,
    /// Positions visited, or nodes made.
    pub nodes: u64,
    /// Simulations of a Monte-Carlo search.
    pub simulations: u64,
    /// Seconds.
    pub elapsed_s: f64,
    /// Bytes of tables and trees.
    pub memory_bytes: usize,
    /// Why it has ended: `solved`, `limit`, `memory` or `exhausted`.
    pub ended: &'static str,
}

impl Found {
    /// What `report` says about `pos`.
    pub fn new(pos: &dyn DynPosition, search: &str, report: &Report<String>) -> Found {
        let best_move = best_move(pos, report);
        Found {
            game: pos.game(),
            position: pos.text(),
            to_move: to_move(pos),
            search: search.to_owned(),
            solved: report.bounds.is_exact(),
            value: value_word(pos, report.bounds),
            score: report.bounds.value().map(|score| score.0),
            bounds: pair(report.bounds),
            pv: if best_move.is_some() { report.pv.clone() } else { Vec::new() },
            best_move,
            nodes: report.nodes,
            simulations: report.simulations,
            elapsed_s: report.elapsed.as_secs_f64(),
            memory_bytes: report.memory,
            ended: report.halt.word(),
        }
    }
}

/// What is proven about a move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveValue {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// `win`, `draw`, `loss` or `unknown` for the player to move.
    pub value: &'static str,
    /// The score after it, if it is known.
    pub score: Option<i16>,
    /// What is certain about it.
    pub bounds: Pair,
}

impl MoveValue {
    /// What is certain about a move of `mover`.
    pub fn new(mv: String, bounds: Bounds, mover: Player) -> MoveValue {
        let score = bounds.value().map(|score| score.0);
        MoveValue { mv, value: Verdict::of(bounds, mover).word(), score, bounds: pair(bounds) }
    }
}

/// What a search has found about a move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveThought {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Simulations through it.
    pub visits: u64,
    /// Their mean reward, from -1 to 1, in the view of the player who began; null without any.
    pub mean: Option<f64>,
    /// What is certain about the score after it.
    pub bounds: Pair,
    /// `win`, `draw` or `loss` for the player to move, if it is proven.
    pub proven: Option<&'static str>,
    /// The best known line of play, from this move on.
    pub pv: Vec<String>,
}

impl MoveThought {
    /// What a report says about a move of `mover`.
    pub fn new(m: MoveReport<String>, mover: Player) -> MoveThought {
        let (bounds, proven) = (pair(m.bounds), proven(m.bounds, mover));
        MoveThought { mv: m.mv, visits: m.visits, mean: m.mean, bounds, proven, pv: m.pv }
    }
}

/// The proven value for the mover, if there is one.
pub fn proven(bounds: Bounds, mover: Player) -> Option<&'static str> {
    match Verdict::of(bounds, mover) {
        Verdict::Unknown => None,
        verdict => Some(verdict.word()),
    }
}
