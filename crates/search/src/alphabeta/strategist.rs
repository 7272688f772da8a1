//! Moves that keep what is known to be reachable.

use super::Prover;
use crate::proof::Goal;
use crate::solver::Windowed;
use crate::strategist::{NoMove, Strategist};
use proofplay_core::{Bounds, Position, guard};

impl<P: Position> Prover<P> {
    /// Appends all moves that reach the goal by the rules, by what the game knows or by what the table knows, without any
    /// search. Returns whether there are any.
    fn known_moves(&self, pos: &P, goal: Goal, good: &mut Vec<P::Move>) -> bool {
        let (first, key, config) = (good.len(), pos.key(), self.workers[0].config);
        pos.moves(good);
        let is_good = |&mv: &P::Move| {
            let child = pos.after(mv);
            let suffices = |bounds: Bounds| bounds.seen_by(goal.player).pess >= goal.at_least;
            if let Some(end) = guard::ended(&child) {
                return suffices(Bounds::exact(end));
            }
            if config.knowledge && suffices(child.certain()) {
                return true;
            }
            let key = pos.key_after(key, mv);
            let key = if config.symmetry { child.canonical_key(key) } else { key };
            self.table.get(key).is_some_and(|entry| suffices(entry.bounds))
        };
        let mut kept = first;
        for i in first..good.len() {
            if is_good(&good[i]) {
                good[kept] = good[i];
                kept += 1;
            }
        }
        good.truncate(kept);
        kept > first
    }
}

impl<P: Position> Strategist<P> for Prover<P> {
    fn choose(&mut self, pos: &P, goal: Goal, good: &mut Vec<P::Move>) -> Result<(), NoMove> {
        debug_assert_eq!(pos.turn(), goal.player);
        if self.known_moves(pos, goal, good) {
            return Ok(());
        }
        let score = goal.at_least.seen_by(goal.player);
        match self.holds(pos, goal.player, score) {
            None => Err(NoMove::Limit),
            Some(false) => Err(NoMove::Unproven),
            // The search has left the move in the table, unless the entry is gone.
            Some(true) if self.known_moves(pos, goal, good) => Ok(()),
            Some(true) => {
                good.push(self.keeping(pos, score).ok_or(NoMove::Limit)?);
                Ok(())
            }
        }
    }
}
