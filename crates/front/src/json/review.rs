//! A game that was judged.

use super::{Pair, pair};
use crate::review::{Basis, Judged, Review, Summary, Worth};
use proofplay_core::Player;
use serde::Serialize;

/// A game, judged move by move: `review`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Reviewed {
    /// The game with its parameters.
    pub game: String,
    /// Nobody has stopped it.
    pub done: bool,
    /// How the player has played who began.
    pub first: Played,
    /// How the other one has.
    pub second: Played,
    /// The plies of the turning points.
    pub turning_points: Vec<usize>,
    /// All moves.
    pub moves: Vec<MoveJudged>,
    /// Files that could not be written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<String>,
}

/// How a player has played.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Played {
    /// The moves of the player.
    pub moves: usize,
    /// Those that are judged by proofs alone.
    pub proven: usize,
    /// Those that are judged with estimates.
    pub estimated: usize,
    /// Mistakes.
    pub mistakes: usize,
    /// Turning points.
    pub turning_points: usize,
    /// What a move has cost on average; null if none is judged.
    pub average_loss: Option<f64>,
}

/// A move and what it was worth.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveJudged {
    /// From 1.
    pub ply: usize,
    /// `first` or `second`: who made it.
    pub to_move: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What the game was worth before it.
    pub before: WorthTo,
    /// What it was worth after it.
    pub after: WorthTo,
    /// `proof`, `mixed` or `estimate`; null if it is not judged.
    pub judged_by: Option<&'static str>,
    /// What it has cost.
    pub loss: Option<f64>,
    /// It is a mistake.
    pub mistake: bool,
    /// It is a turning point.
    pub turning_point: bool,
    /// A better move, if one is known.
    pub better: Option<String>,
    /// Whether that is proven to be better.
    pub better_proven: bool,
    /// The line of play after a mistake.
    pub refutation: Vec<String>,
}

/// What a position is worth to the player whose move is judged.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorthTo {
    /// `win`, `draw`, `loss` or `unknown`, by proofs alone.
    pub value: &'static str,
    /// The value if it is proven, else the estimate; null if there is none.
    pub points: Option<f64>,
    /// Whether it is proven.
    pub proven: bool,
    /// What is certain, in the view of the player who began.
    pub bounds: Pair,
}

impl Reviewed {
    /// A review, without files.
    pub fn new(review: &Review) -> Reviewed {
        let of = |player| {
            let Summary { moves, proven, estimated, mistakes, turning_points, average_loss } =
                review.of(player);
            Played { moves, proven, estimated, mistakes, turning_points, average_loss }
        };
        Reviewed {
            game: review.game.clone(),
            done: review.done,
            first: of(Player::First),
            second: of(Player::Second),
            turning_points: review.turning_points().map(|m| m.ply).collect(),
            moves: review.moves.iter().map(|m| MoveJudged::new(m, &review.game)).collect(),
            unwritten: Vec::new(),
        }
    }
}

impl MoveJudged {
    fn new(m: &Judged, game: &str) -> MoveJudged {
        let worth = |worth: Worth| WorthTo {
            value: worth.verdict().word(),
            points: worth.points(),
            proven: worth.is_proven(),
            bounds: pair(game, worth.bounds.seen_by(m.mover)),
        };
        MoveJudged {
            ply: m.ply,
            to_move: m.mover.to_string(),
            mv: m.mv.clone(),
            before: worth(m.before),
            after: worth(m.after),
            judged_by: m.basis.map(|basis| match basis {
                Basis::Proof => "proof",
                Basis::Mixed => "mixed",
                Basis::Estimate => "estimate",
            }),
            loss: m.loss,
            mistake: m.mistake,
            turning_point: m.turning_point,
            better: m.better.as_ref().map(|better| better.mv.clone()),
            better_proven: m.better.as_ref().is_some_and(|better| better.proven),
            refutation: m.refutation.clone(),
        }
    }
}
