//! The tree of a search, for eyes.

use super::{Pair, pair, proven};
use proofplay_core::{Bounds, Player};
use proofplay_search::{NodeView, ProofNumbers};
use serde::Serialize;

/// A node of the tree with its moves: `tree`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TreeShown {
    /// The moves that lead to it.
    pub path: Vec<String>,
    /// `first` or `second`; null when the game is over there.
    pub to_move: Option<String>,
    /// What the search knows about the moves there, most visited first; empty if it knows nothing.
    pub children: Vec<Branch>,
}

/// A move in the tree of a search.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Branch {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Simulations through it.
    pub visits: u64,
    /// Their mean reward, from -1 to 1, in the view of the player who began; null without any.
    pub mean: Option<f64>,
    /// What is certain about the score after it, in the view of the player who began.
    pub bounds: Pair,
    /// `win`, `draw` or `loss` for the player who makes it, if it is proven.
    pub proven: Option<&'static str>,
    /// It cannot be better than another move that is certain: searches with bounds do not look at it any more.
    pub cut: bool,
    /// The numbers of a proof search: leaves that have yet to be proven; null is infinite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Option<u64>>,
    /// Leaves that have yet to be disproven; null is infinite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disproof: Option<Option<u64>>,
    /// The chance of being proven, of product propagation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<f64>,
}

impl TreeShown {
    /// The moves after `path` in the game of this name, where it is the turn of `mover`; none if the game is
    /// over there.
    pub fn new(
        game: &str,
        path: Vec<String>,
        mover: Option<Player>,
        children: Vec<NodeView<String>>,
    ) -> TreeShown {
        let Some(turn) = mover else { return TreeShown { path, to_move: None, children: Vec::new() } };
        let own = |bounds: Bounds| bounds.seen_by(turn);
        let best = children.iter().map(|child| own(child.bounds).pess).max();
        let branch = |child: &NodeView<String>| {
            let (proof, disproof, product) = match child.numbers {
                Some(ProofNumbers::Pn { proof, disproof }) => (Some(proof), Some(disproof), None),
                Some(ProofNumbers::Pp(chance)) => (None, None, Some(chance)),
                _ => (None, None, None),
            };
            Branch {
                mv: child.mv.clone(),
                visits: child.visits,
                mean: child.mean,
                bounds: pair(game, child.bounds),
                proven: proven(child.bounds, turn),
                cut: best.is_some_and(|best| own(child.bounds).opti < best),
                proof,
                disproof,
                product,
            }
        };
        let mut branches: Vec<Branch> = children.iter().map(branch).collect();
        branches.sort_by_key(|branch| std::cmp::Reverse(branch.visits));
        TreeShown { path, to_move: Some(turn.to_string()), children: branches }
    }
}
