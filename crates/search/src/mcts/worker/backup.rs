//! The way up: rewards, and what became certain.

use super::super::Step;
use super::super::leaf::shallow;
use super::super::tree::{Fields, Id, Units};
use super::{Worker, settled, virtual_loss};
use proofplay_core::{Bounds, Move, Player, Position};

impl<P: Position> Worker<'_, P> {
    /// Recomputes the bounds of the nodes above `path[below]` until nothing changes; whether
    /// anything did.
    pub(super) fn climb<const SHARED: bool>(&mut self, below: usize) -> bool {
        let mut any = false;
        for i in (0..below).rev() {
            if !self.refresh::<SHARED>(i) {
                break;
            }
            any = true;
        }
        any
    }

    /// Recomputes the bounds of `path[i]` from its children; whether they have changed.
    pub(super) fn refresh<const SHARED: bool>(&self, i: usize) -> bool {
        let (tree, proof) = (&self.run.search.tree, self.run.search.config.proof);
        let Step { id, mover } = self.path[i];
        let node = tree.node(id);
        let bounds = node.bounds();
        let certain = Bounds::minimax(mover, tree.children(id).1.iter().map(Fields::bounds));
        node.tighten::<SHARED>(proof.coarsen(bounds.tighten(certain), bounds))
    }

    /// Adds the reward to every node of the path from the leaf up to `path[top]`, and what became
    /// certain; whether the bounds of the last one have changed.
    pub(super) fn back_up<const SHARED: bool>(
        &mut self,
        mut reward: f64,
        mut changed: bool,
        top: usize,
    ) -> bool {
        let search = self.run.search;
        let (tree, config) = (&search.tree, &search.config);
        let mut units = Units::of(reward);
        for i in (top..self.path.len()).rev() {
            let Step { id, mover } = self.path[i];
            let node = tree.node(id);
            if changed && i + 1 < self.path.len() {
                changed = self.refresh::<SHARED>(i);
                if config.hybrids.backup > 0 && !config.proof.is_done(node.bounds()) {
                    changed |= self.search_back::<SHARED>(i);
                }
            }
            let mut own = units;
            if config.backup.clamp || config.backup.proven {
                let bounds = node.bounds();
                let [pess, opti] = [bounds.pess, bounds.opti].map(|score| self.scaled(score));
                if config.backup.proven && config.proof.is_done(bounds) {
                    reward = self.scaled(settled(bounds));
                    units = Units::of(reward);
                    own = units;
                } else if config.backup.clamp {
                    own = Units::of(reward.clamp(pess, opti));
                }
            }
            if SHARED && i > 0 {
                node.add::<true>(0, own + virtual_loss(!self.path[i - 1].mover));
            } else {
                node.add::<SHARED>(1, own);
            }
            if self.amaf.slots > 0 {
                self.back_up_amaf::<SHARED>(i, mover, units);
            }
        }
        changed
    }

    /// A minimax search of `depth` moves from a node, which tells the children what it finds.
    pub(super) fn look_ahead<const SHARED: bool>(&mut self, pos: &P, id: Id, depth: u32) {
        let (tree, proof) = (&self.run.search.tree, self.run.search.config.proof);
        let Worker { scratch, watch, .. } = self;
        scratch.moves.clear();
        for child in tree.children(id).1 {
            let bounds = child.bounds();
            let next = pos.after(P::Move::from_code(child.code()));
            let certain = shallow(&next, depth - 1, &mut scratch.moves, &mut || watch.step(1));
            let certain = bounds.tighten(certain);
            child.tighten::<SHARED>(proof.coarsen(certain, bounds));
        }
    }

    /// MCTS-MB: a minimax search from `path[i]`, below which a child has just been settled.
    fn search_back<const SHARED: bool>(&mut self, i: usize) -> bool {
        let search = self.run.search;
        let mut pos = search.pos.clone();
        for step in &self.path[1..=i] {
            pos.play(P::Move::from_code(search.tree.node(step.id).code()));
        }
        self.look_ahead::<SHARED>(&pos, self.path[i].id, search.config.hybrids.backup);
        self.refresh::<SHARED>(i)
    }

    /// All moves as first: the children of `path[i]` whose move the same player has played later
    /// on.
    fn back_up_amaf<const SHARED: bool>(&mut self, i: usize, mover: Player, reward: Units) {
        let search = self.run.search;
        if let Some(next) = self.path.get(i + 1) {
            let mv = P::Move::from_code(search.tree.node(next.id).code());
            self.amaf.stamp(mover, search.pos.slot(mv));
        }
        let (first, children) = search.tree.children(self.path[i].id);
        for (c, child) in children.iter().enumerate() {
            if self.amaf.was_played(mover, search.pos.slot(P::Move::from_code(child.code()))) {
                search.tree.add_amaf::<SHARED>(first + c as Id, reward);
            }
        }
    }
}
