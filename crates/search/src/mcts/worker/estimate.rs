//! What a leaf is worth, and the reward that follows from it.

use super::super::Playout;
use super::super::leaf::End;
use super::super::reward::Simulation;
use super::super::tree::ROOT;
use super::{Stop, Worker};
use proofplay_core::{Player, Position, Score};

impl<P: Position> Worker<'_, P> {
    /// The reward of the simulation that has come to `pos`: of the value that is known there, or of
    /// a playout.
    pub(super) fn estimate(&mut self, pos: &mut P, stop: &Stop, playout: &Playout) -> f64 {
        let search = self.run.search;
        let in_tree = self.path.len() as u32 - 1;
        self.amaf.now = self.amaf.now.wrapping_add(1);
        if let Stop::Known(score) = *stop {
            self.count_win(score.winner());
            return self.reward_of(pos, self.scaled(score), score.winner(), in_tree);
        }
        let Worker { amaf, watch, rng, scratch, rewards, .. } = self;
        let listens = amaf.slots > 0 || rewards.wants_length() || search.custom.reward.is_some();
        let policy = search.policy.map(|policy| (policy, listens));
        let (root, mut moves) = (&search.pos, in_tree);
        let mut trace = |player, mv| {
            moves += 1;
            if amaf.slots > 0 {
                amaf.stamp(player, root.slot(mv));
            }
        };
        let is_over = &mut || watch.step(1);
        match playout.run(pos, (&*search.extras.hints, policy), rng, scratch, is_over, &mut trace) {
            End::Over(score) => {
                self.count_win(score.winner());
                self.reward_of(pos, self.scaled(score), score.winner(), moves)
            }
            End::Stopped(winner) => {
                self.count_win(winner);
                let r = winner.map_or(0.0, |player| f64::from(Score::win_of(player).0));
                self.reward_of(pos, r, winner, moves)
            }
            // Nobody has won, so no bonus depends on it.
            End::Evaluated(value) => self.reward_of(pos, f64::from(value), None, moves),
        }
    }

    /// Counts who has won the simulation, where there are points.
    #[inline]
    pub(super) fn count_win(&self, winner: Option<Player>) {
        let search = self.run.search;
        if search.wins.counts()
            && let Some(step) = self.path.get(1)
        {
            search.wins.add((step.id - search.tree.children(ROOT).0) as usize, winner);
        }
    }

    /// The reward of a simulation of `moves` moves that ended in `end` with result `r`.
    pub(super) fn reward_of(&mut self, end: &P, r: f64, winner: Option<Player>, moves: u32) -> f64 {
        let custom = self.run.search.custom.reward.as_ref();
        let q = if (self.rewards.wants_quality() || custom.is_some())
            && winner.is_some()
            && end.outcome().is_some()
        {
            f64::from(self.run.search.extras.hints.quality(end))
        } else {
            0.5
        };
        let simulation = Simulation { r, winner, d: f64::from(moves), q };
        match custom {
            Some(rule) => rule.reward(&simulation),
            None => self.rewards.of(simulation),
        }
    }
}
