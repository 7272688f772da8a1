//! A move that keeps what is known to be reachable.

use super::Prover;
use crate::proof::Goal;
use crate::strategy::{NoMove, Strategist};
use crate::window::Windowed;
use proofplay_core::{Bounds, Position};

impl<P: Position> Prover<P> {
    /// A move that reaches the goal by the rules or by what the table knows, without any search.
    fn known_move(&self, pos: &P, goal: Goal) -> Option<P::Move> {
        let (mut moves, key) = (Vec::new(), pos.key());
        pos.moves(&mut moves);
        let symmetry = self.workers[0].config.symmetry;
        moves.into_iter().find(|&mv| {
            let (child, key) = (pos.after(mv), pos.key_after(key, mv));
            let certain = child.outcome().map(Bounds::exact).or_else(|| {
                let key = if symmetry { child.canonical_key(key) } else { key };
                self.table.get(key).map(|entry| entry.bounds)
            });
            certain.is_some_and(|bounds| bounds.seen_by(goal.player).pess >= goal.at_least)
        })
    }
}

impl<P: Position> Strategist<P> for Prover<P> {
    fn choose(&mut self, pos: &P, goal: Goal) -> Result<P::Move, NoMove> {
        debug_assert_eq!(pos.turn(), goal.player);
        if let Some(mv) = self.known_move(pos, goal) {
            return Ok(mv);
        }
        let score = goal.at_least.seen_by(goal.player);
        match self.holds(pos, goal.player, score) {
            None => Err(NoMove::Limit),
            Some(false) => Err(NoMove::Unproven),
            // The search has left the move in the table, unless the entry is gone or it needed none.
            Some(true) => {
                self.known_move(pos, goal).or_else(|| self.keeping(pos, score)).ok_or(NoMove::Limit)
            }
        }
    }
}
