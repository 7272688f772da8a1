//! A move that keeps what is known to be reachable.

use super::AlphaBeta;
use crate::proof::Goal;
use crate::strategy::{NoMove, Strategist};
use proofplay_core::{Bounds, Position, Score};

impl<P: Position> Strategist<P> for AlphaBeta<'_, P> {
    fn choose(&mut self, pos: &P, goal: Goal) -> Result<P::Move, NoMove> {
        debug_assert_eq!(pos.turn(), goal.player);
        let (mut moves, key) = (Vec::new(), pos.key());
        pos.moves(&mut moves);
        // A move that the table knows to do costs no search.
        let known = moves.iter().copied().find(|&mv| {
            let (child, key) = (pos.after(mv), pos.key_after(key, mv));
            let certain = match child.outcome() {
                Some(score) => Some(Bounds::exact(score)),
                None => {
                    let key = if self.config.symmetry { child.canonical_key(key) } else { key };
                    self.table.get(key).map(|entry| entry.bounds)
                }
            };
            certain.is_some_and(|bounds| bounds.seen_by(goal.player).pess >= goal.at_least)
        });
        if let Some(mv) = known {
            return Ok(mv);
        }
        let below = Score(goal.at_least.0 - 1);
        let window = Bounds::new(below, goal.at_least).seen_by(goal.player);
        let (value, number) = self.best_of_moves(pos, None, window, 0).ok_or(NoMove::Limit)?;
        if value.seen_by(goal.player) < goal.at_least {
            return Err(NoMove::Unproven);
        }
        Ok(moves[usize::from(number)])
    }
}
