//! How a position becomes the planes that a net reads, and where the net speaks of a move.

pub mod board;
pub mod gomoku;
pub mod katago;
pub mod leela;
mod symmetry;

pub use symmetry::images;

use crate::NetError;
use proofplay_core::{Game, Position};
use std::sync::Arc;

/// The most outputs that a move is looked up in.
pub const MOST_PARTS: usize = 4;

/// Where a net speaks of a move: one output of its policy, or several whose sum is meant.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct MoveIndex {
    parts: [u32; MOST_PARTS],
    count: u8,
}

impl MoveIndex {
    /// One output.
    pub fn one(output: usize) -> MoveIndex {
        MoveIndex { parts: [output as u32, 0, 0, 0], count: 1 }
    }

    /// As many outputs as an array has, each with its own part of the policy.
    pub fn sum(parts: [usize; MOST_PARTS]) -> MoveIndex {
        MoveIndex { parts: parts.map(|part| part as u32), count: MOST_PARTS as u8 }
    }

    /// The outputs.
    pub fn outputs(&self) -> impl Iterator<Item = usize> {
        self.parts[..usize::from(self.count)].iter().map(|&part| part as usize)
    }

    /// What the policy says of the move.
    pub fn logit(&self, policy: &[f32]) -> f32 {
        self.outputs().map(|output| policy[output]).sum()
    }
}

/// From positions of a game to numbers. Distinct legal moves of a position have distinct indices.
pub trait Encoder<P: Position>: Send + Sync {
    /// Columns and rows of the planes.
    fn board(&self) -> [usize; 2];

    /// How many planes there are.
    fn planes(&self) -> usize;

    /// How many numbers there are that are no planes.
    fn globals(&self) -> usize {
        0
    }

    /// How many outputs the policy has.
    fn outputs(&self) -> usize;

    /// Fills in the planes, all cells of the first one, then all of the next one, row by row; and the
    /// other numbers. The game is not over.
    fn encode(&self, pos: &P, planes: &mut [f32], globals: &mut [f32]);

    /// Where the net speaks of a legal move.
    fn index(&self, pos: &P, mv: P::Move) -> MoveIndex;
}

/// The encoder of this name for a game: `board` for every board game, `gomoku` for k in a row,
/// `leela-zero` and `katago` for Go.
pub fn encoder<G: Game>(name: &str, game: &G) -> Result<Arc<dyn Encoder<G::Pos>>, NetError> {
    Ok(match name {
        "board" => Arc::new(board::BoardEncoder::new(game.clone())?),
        "gomoku" => Arc::new(gomoku::Gomoku::new(game.clone())?),
        "leela-zero" => Arc::new(leela::LeelaZero::new(game, 0)?),
        "katago" => Arc::new(katago::KataGo::new(game)?),
        _ => {
            let known = "board, gomoku, leela-zero and katago are known";
            return Err(NetError::new(format!("there is no encoder `{name}`: {known}")));
        }
    })
}
