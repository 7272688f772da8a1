//! Simulations whose leaves an evaluator sees together. A leaf gets its children, with their
//! priors, when its value comes back.

use super::super::Step;
use super::super::leaf::Request;
use super::super::tree::{Fields, ROOT};
use super::{Held, Stop, Worker, settled};
use proofplay_core::Position;

impl<P: Position> Worker<'_, P> {
    /// Simulations whose leaves are evaluated together: this many, or fewer if the search must end.
    pub(super) fn simulate_together<const SHARED: bool>(&mut self, simulations: u64) -> Held {
        let search = self.run.search;
        let mut held = Held::default();
        while held.visits < simulations && (held.visits == 0 || !self.watch.step(1)) {
            held.visits += 1;
            let mut pos = search.pos.clone();
            self.path.clear();
            self.enter::<SHARED>(ROOT, pos.turn());
            let (mut stop, mut changed) = self.descend::<SHARED>(&mut pos);
            let Step { id, .. } = self.path[self.path.len() - 1];
            if let Stop::Leaf = stop {
                let node = search.tree.node(id);
                changed = self.ask_facts::<SHARED>(&pos, id, node.bounds());
                if changed && search.config.proof.is_done(node.bounds()) {
                    stop = Stop::Known(settled(node.bounds()));
                }
            }
            match stop {
                Stop::Known(score) => {
                    let in_tree = self.path.len() as u32 - 1;
                    self.amaf.now = self.amaf.now.wrapping_add(1);
                    self.count_win(score.winner());
                    let reward = self.reward_of(&pos, self.scaled(score), score.winner(), in_tree);
                    self.back_up::<SHARED>(reward, changed, 0);
                    held.certain |= changed;
                }
                Stop::Leaf => {
                    let mut moves = Vec::new();
                    self.list_moves(&pos, id, &mut moves);
                    let priors = vec![1.0; moves.len()];
                    self.waiting.push(Request { pos, moves, value: 0.0, priors });
                    self.paths.push((std::mem::take(&mut self.path), changed));
                }
            }
        }
        if self.waiting.is_empty() {
            return held;
        }
        held.estimated = true;
        let mut waiting = std::mem::take(&mut self.waiting);
        search.evaluator.evaluate(&mut waiting);
        for (request, (path, known)) in waiting.drain(..).zip(std::mem::take(&mut self.paths)) {
            self.path = path;
            self.amaf.now = self.amaf.now.wrapping_add(1);
            let Step { id, .. } = self.path[self.path.len() - 1];
            self.scratch.moves.clear();
            self.scratch.moves.extend(&request.moves);
            self.priors.clone_from(&request.priors);
            if search.tree.has_priors() {
                search.fill_priors(&request.pos, &request.moves, true, &mut self.priors);
            }
            let bounds = search.tree.node(id).bounds();
            let grown = self.make_children::<SHARED>(&request.pos, id, bounds);
            let changed = known || grown.unwrap_or(false);
            // A guess from outside may be anything.
            let value = if request.value.is_nan() { 0.0 } else { request.value.clamp(-1.0, 1.0) };
            self.back_up::<SHARED>(f64::from(value), changed, 0);
            held.certain |= changed;
        }
        self.waiting = waiting;
        held
    }
}
