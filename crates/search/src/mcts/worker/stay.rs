//! Threads that share a tree stay below a node with many visits for a few simulations.
//!
//! What threads share most costs them most: each change of a node near the root takes its cache
//! line away from all others. So a thread that has come to a node with many visits does a few
//! simulations below it, and then adds all of them at once to the nodes above.

use super::super::tree::{Fields, ROOT, Units};
use super::super::{Playout, Step};
use super::{Held, Worker, virtual_loss};
use proofplay_core::{Move, Position};

/// This many visits: a few more make no difference to what the formula chooses above.
const MANY: u32 = 1024;

/// The number of simulations below such a node.
const STAY: u64 = 8;

impl<P: Position> Worker<'_, P> {
    /// One simulation, or in a shared tree up to `most`; what came of them.
    pub(super) fn simulate_some<const SHARED: bool>(&mut self, playout: &Playout, most: u64) -> Held {
        let search = self.run.search;
        let tree = &search.tree;
        self.path.clear();
        let mut held = Held::default();
        let mut pos = search.pos.clone();
        let top = self.simulate::<SHARED>(&mut pos, ROOT, playout, None, &mut held);
        if top > 0 {
            let mut start = search.pos.clone();
            for step in &self.path[1..=top] {
                start.play(P::Move::from_code(tree.node(step.id).code()));
            }
            let id = self.path[top].id;
            while held.visits < STAY.min(most) && !search.config.proof.is_done(tree.node(id).bounds()) {
                self.path.truncate(top);
                pos.clone_from(&start);
                self.simulate::<SHARED>(&mut pos, id, playout, Some(top), &mut held);
            }
            for i in 0..top {
                // All except the root have counted the first of these visits as a loss.
                let (counted, loss) =
                    if i > 0 { (1, virtual_loss(!self.path[i - 1].mover)) } else { (0, Units::default()) };
                tree.node(self.path[i].id).add::<true>(held.visits as u32 - counted, held.reward + loss);
            }
        }
        held
    }

    /// The place in the path of the deepest node with many visits; the root if the thread must not
    /// stay.
    pub(super) fn place_to_stay<const SHARED: bool>(&self) -> usize {
        let many = |step: &Step| self.run.search.tree.node(step.id).visits() >= MANY;
        if SHARED && self.stays { self.path.iter().rposition(many).unwrap_or(0) } else { 0 }
    }
}
