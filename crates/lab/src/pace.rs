//! What a player may use.

use crate::{Contender, LabError, plan};
use proofplay_front::clock::TimeControl;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a player may use for a move, except where its spec sets a limit.
#[derive(Copy, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Pace {
    /// Simulations.
    pub playouts: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Time, for each move or for the game.
    #[serde(rename = "time_s", with = "plan::time_control")]
    pub time: Option<TimeControl>,
    /// Bytes for the tree or table of one player.
    pub memory: usize,
}

impl Pace {
    /// Whether anything ends the thinking of this player about a move.
    pub fn limits(&self, player: &Contender) -> bool {
        player.limits_itself()
            || self.nodes.is_some()
            || self.time.is_some()
            || self.playouts.is_some() && player.counts_simulations()
    }

    /// Refuses limits that leave nothing to think with.
    pub(crate) fn check(&self) -> Result<(), LabError> {
        if self.time == Some(TimeControl::PerMove(Duration::ZERO)) {
            return Err(LabError::Plan("0 s a move: expected some time, e.g. 100ms".to_owned()));
        }
        for (limit, what) in [(self.playouts, "playouts"), (self.nodes, "nodes")] {
            if limit == Some(0) {
                return Err(LabError::Plan(format!("0 {what} a move: expected at least 1")));
            }
        }
        Ok(())
    }
}
