//! Answers of searches, and of checks of what they have proven.

use super::{Here, Pair, pair};
use crate::answer::{best_move, has_points, value_word};
use crate::estimate::Estimate;
use crate::points::Points;
use proofplay_core::{Bounds, Player};
use proofplay_registry::DynPosition;
use proofplay_search::checkpoint::Checkpoint;
use proofplay_search::{MoveReport, Report, Verdict};
use serde::Serialize;
use std::collections::HashMap;

/// What a search has found about a position: the part that all answers share.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Found {
    /// The position.
    #[serde(flatten)]
    pub here: Here,
    /// The search with its settings.
    pub search: String,
    /// The value is known.
    pub solved: bool,
    /// What it is for the player to move: `win`, `draw`, `loss` or `unknown`; null when the game is
    /// over.
    pub value: Option<&'static str>,
    /// The score, if it is known, in the view of the player who began.
    pub score: Option<Points>,
    /// What is certain about the score.
    pub bounds: Pair,
    /// What scores, bounds and points count: `points`, or `result` (+1, 0 and -1).
    pub scale: &'static str,
    /// In how many plies the game ends if the winner hurries and the loser holds out, where that is
    /// proven exactly.
    pub plies: Option<u32>,
    /// The move to play; null when the game is over, or where the value is known and no move is
    /// proven to keep it.
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
    /// Why it has ended: `solved`, `limit`, `memory` or `exhausted`; null while it goes on.
    pub ended: Option<&'static str>,
}

impl Found {
    /// What `report` says about `pos`.
    pub fn new(pos: &dyn DynPosition, search: &str, report: &Report<String>) -> Found {
        let best_move = best_move(pos, report);
        Found {
            here: Here::new(pos),
            search: search.to_owned(),
            solved: report.bounds.is_exact(),
            value: value_word(pos, report.bounds),
            score: report.bounds.value().map(|score| Points::of(&pos.game(), score)),
            bounds: pair(&pos.game(), report.bounds),
            scale: if has_points(pos) { "points" } else { "result" },
            plies: report.plies,
            pv: if best_move.is_some() { report.pv.clone() } else { Vec::new() },
            best_move,
            nodes: report.nodes,
            simulations: report.simulations,
            elapsed_s: report.elapsed.as_secs_f64(),
            memory_bytes: report.memory,
            ended: Some(report.halt.word()),
        }
    }
}

/// What is proven about a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveValue {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// `win`, `draw`, `loss` or `unknown` for the player to move.
    pub value: &'static str,
    /// The score after it, if it is known.
    pub score: Option<Points>,
    /// What is certain about it.
    pub bounds: Pair,
    /// The plies to the end of the game, this move counted, where that is proven exactly.
    pub plies: Option<u32>,
}

impl MoveValue {
    /// What is certain about a move of `pos`.
    pub fn new(mv: String, bounds: Bounds, plies: Option<u32>, pos: &dyn DynPosition) -> MoveValue {
        let (game, value) = (pos.game(), Verdict::of(bounds, pos.turn()).word());
        let score = bounds.value().map(|score| Points::of(&game, score));
        MoveValue { mv, value, score, bounds: pair(&game, bounds), plies }
    }

    /// What is proven about each legal move, in the order of the legal moves.
    pub fn all(pos: &dyn DynPosition, report: &Report<String>) -> Vec<MoveValue> {
        let known: HashMap<&str, _> =
            report.moves.iter().map(|m| (m.mv.as_str(), (m.bounds, m.plies))).collect();
        let value = |mv: String| {
            let (bounds, plies) = known.get(mv.as_str()).copied().unwrap_or_else(|| (pos.range(), None));
            MoveValue::new(mv, bounds, plies, pos)
        };
        pos.legal().into_iter().map(value).collect()
    }

    /// Whether nothing is proven.
    pub fn is_unknown(&self) -> bool {
        self.value == Verdict::Unknown.word()
    }
}

/// What a search thinks of a move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveThought {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Simulations through it.
    pub visits: u64,
    /// Their mean reward, from -1 to 1, in the view of the player who began; null without any.
    pub mean: Option<f64>,
    /// The points that the mean stands for, in the view of the player who began; null where there are
    /// no points, and where the mean counts wins alone, as networks do.
    pub points: Option<f64>,
    /// The share of simulations that the player who began has won; null where there are no points.
    pub wins: Option<f64>,
    /// What is certain about the score after it.
    pub bounds: Pair,
    /// `win`, `draw` or `loss` for the player to move, if it is proven.
    pub proven: Option<&'static str>,
    /// The best line of play known, from this move on.
    pub pv: Vec<String>,
}

impl MoveThought {
    /// What a report says about a move of `pos`.
    pub fn new(m: MoveReport<String>, pos: &dyn DynPosition) -> MoveThought {
        let (bounds, proven) = (pair(&pos.game(), m.bounds), proven(m.bounds, pos.turn()));
        let points = Estimate::of(&m, pos.range(), Player::First).and_then(|estimate| estimate.points);
        let MoveReport { mv, visits, mean, wins, pv, .. } = m;
        MoveThought { mv, visits, mean, points, wins, bounds, proven, pv }
    }
}

/// The proven value for the mover, if there is one.
pub fn proven(bounds: Bounds, mover: Player) -> Option<&'static str> {
    match Verdict::of(bounds, mover) {
        Verdict::Unknown => None,
        verdict => Some(verdict.word()),
    }
}

/// What a search has found, and what it thinks of every move: `analyze`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Analyzed {
    /// What it has found.
    #[serde(flatten)]
    pub found: Found,
    /// The moves, in the order of the report.
    pub moves: Vec<MoveThought>,
    /// The old name of `search`.
    pub engine: String,
}

impl Analyzed {
    /// What `report` says about `pos`.
    pub fn new(pos: &dyn DynPosition, search: &str, report: Report<String>) -> Analyzed {
        let found = Found::new(pos, search, &report);
        let moves = report.moves.into_iter().map(|m| MoveThought::new(m, pos)).collect();
        Analyzed { found, moves, engine: search.to_owned() }
    }
}

/// The move that a search chooses, and what it thinks of every move: `move` of `serve-stdio`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Chosen {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it thinks.
    #[serde(flatten)]
    pub analyzed: Analyzed,
}

/// What a search has proven, and the files that it has left: `solve`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Solved {
    /// What it has found.
    #[serde(flatten)]
    pub found: Found,
    /// The seed of searches that draw random numbers.
    pub seed: u64,
    /// What every move is worth, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveValue>>,
    /// The certificate, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<CertificateFile>,
    /// The last checkpoint, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<CheckpointFile>,
    /// Its number in the store, if it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experiment: Option<i64>,
    /// Files that could not be written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<String>,
    /// The old name of `search`.
    pub algorithm: String,
    /// The old name of `simulations`.
    pub playouts: u64,
}

impl Solved {
    /// What `report` says about `pos`, without any files.
    pub fn new(pos: &dyn DynPosition, search: &str, seed: u64, report: &Report<String>) -> Solved {
        Solved {
            found: Found::new(pos, search, report),
            seed,
            moves: None,
            certificate: None,
            checkpoint: None,
            experiment: None,
            unwritten: Vec::new(),
            algorithm: search.to_owned(),
            playouts: report.simulations,
        }
    }
}

/// The answer to a line of many: `--batch`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Lined<T> {
    /// The number of the line, from 1.
    pub line: usize,
    /// The answer.
    #[serde(flatten)]
    pub answer: T,
}

/// Why a line has no answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BadLine {
    /// Why.
    pub error: String,
}

/// What came of a certificate.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct CertificateFile {
    /// The file, if there is one.
    pub file: Option<String>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
    /// Positions of both strategies.
    pub positions: u64,
    /// The size of the file.
    pub bytes: usize,
    /// Seconds.
    pub elapsed_s: f64,
    /// The search that found the moves which the proving search did not remember.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves_by: Option<&'static str>,
}

/// The last checkpoint of a run, or why there is none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CheckpointFile {
    /// The file.
    pub file: String,
    /// Its size; null if none was written.
    pub bytes: Option<u64>,
    /// Why the newest could not be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}

impl CheckpointFile {
    /// The last one so far.
    pub fn of(checkpoint: &Checkpoint) -> CheckpointFile {
        let (written, why_not) = checkpoint.last();
        let file = checkpoint.path().display().to_string();
        CheckpointFile { file, bytes: written.map(|written| written.bytes), why_not }
    }
}

/// What a certificate proves: `verify`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verified {
    /// True: a certificate that is wrong has no answer but an error.
    pub valid: bool,
    /// The position.
    #[serde(flatten)]
    pub here: Here,
    /// What it is for the player to move: `win`, `draw`, `loss` or `unknown`; null when the game is
    /// over.
    pub value: Option<&'static str>,
    /// The score, if it is proven.
    pub score: Option<Points>,
    /// What is certain about the score.
    pub bounds: Pair,
    /// Positions of both strategies.
    pub positions: u64,
    /// Ends of the game that were met.
    pub ends: u64,
    /// Ends where a count decides.
    pub counted_ends: u64,
    /// Positions where the game has lasted as long as claimed.
    pub late_ends: u64,
    /// In how many plies the game ends, if that is proven.
    pub plies: Option<u16>,
    /// The longest line of play of both strategies.
    pub longest_line: Vec<String>,
    /// The size of the file.
    pub bytes: usize,
    /// Seconds.
    pub elapsed_s: f64,
}

/// Why there is no verdict about a certificate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Undecided {
    /// Null.
    pub valid: Option<bool>,
    /// Why.
    pub why: String,
}

impl Undecided {
    /// No verdict, for this reason.
    pub fn new(why: impl Into<String>) -> Undecided {
        Undecided { valid: None, why: why.into() }
    }
}
