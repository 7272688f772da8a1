//! What becomes of a leaf: its children, and what they make certain.

use super::super::Proof;
use super::super::tree::{Fields, Id, ROOT};
use super::{Stop, Worker, settled};
use proofplay_core::{Bounds, Move, Position, guard};

impl<P: Position> Worker<'_, P> {
    /// Gives the leaf at the end of the path its children, if it is time for that; `None` if the descent
    /// continues below it. Otherwise the simulation stops here, and the second result is whether
    /// the bounds of the leaf have changed.
    pub(super) fn expand<const SHARED: bool>(&mut self, pos: &P) -> Option<(Stop, bool)> {
        let search = self.run.search;
        let id = self.path[self.path.len() - 1].id;
        let (node, config, proof) = (search.tree.node(id), &search.config, search.config.proof);
        let (visits, bounds) = self.seen_before::<SHARED>(id);
        if visits < config.growth.after && id != ROOT {
            return Some((Stop::Leaf, false));
        }
        let known = self.ask_facts::<SHARED>(pos, id, bounds);
        if known && proof.is_done(node.bounds()) {
            return Some((Stop::Known(settled(node.bounds())), true));
        }
        let Some(grown) = self.grow::<SHARED>(pos, id, node.bounds()) else {
            return Some((Stop::Leaf, known));
        };
        let found = known || grown;
        if found && proof.is_done(node.bounds()) && (id != ROOT || !self.run.ask.all_moves()) {
            return Some((Stop::Known(settled(node.bounds())), true));
        }
        if found {
            // What has changed without being done goes up at once, before the descent continues.
            self.climb::<SHARED>(self.path.len() - 1);
        }
        None
    }

    /// Gives a leaf the bounds that the game knows for certain, and returns whether that changes its
    /// own; the root needs its children all the same.
    pub(super) fn ask_facts<const SHARED: bool>(&self, pos: &P, id: Id, bounds: Bounds) -> bool {
        let search = self.run.search;
        let proof = search.config.proof;
        let facts = search.extras.facts.as_ref();
        facts.filter(|_| proof != Proof::None && id != ROOT).is_some_and(|facts| {
            let certain = proof.coarsen(bounds.tighten(facts.bounds(pos)), bounds);
            search.tree.node(id).tighten::<SHARED>(certain)
        })
    }

    /// The moves of a leaf, or a set of them that contains a best one.
    pub(super) fn list_moves(&self, pos: &P, id: Id, moves: &mut Vec<P::Move>) {
        if let Some(facts) = &self.run.search.extras.facts
            && id != ROOT
        {
            facts.enough(pos, moves);
        }
        if moves.is_empty() {
            // Also where the game knows the value, but the proof rule cannot say it.
            pos.moves(moves);
        }
    }

    /// Gives a leaf its children in random order. Returns whether its bounds have changed by that;
    /// `None` if it stays a leaf.
    fn grow<const SHARED: bool>(&mut self, pos: &P, id: Id, bounds: Bounds) -> Option<bool> {
        let mut moves = std::mem::take(&mut self.scratch.moves);
        moves.clear();
        self.list_moves(pos, id, &mut moves);
        self.scratch.moves = moves;
        let moves = &mut self.scratch.moves;
        for i in (1..moves.len()).rev() {
            moves.swap(i, self.rng.below(i as u32 + 1) as usize);
        }
        if self.run.search.tree.has_priors() {
            self.priors.clear();
            self.priors.resize(moves.len(), 1.0);
            self.run.search.fill_priors(pos, moves, false, &mut self.priors);
        }
        self.make_children::<SHARED>(pos, id, bounds)
    }

    /// Makes the children of a leaf for the moves in `scratch` with the priors in `priors`.
    pub(super) fn make_children<const SHARED: bool>(
        &mut self,
        pos: &P,
        id: Id,
        bounds: Bounds,
    ) -> Option<bool> {
        let search = self.run.search;
        if let Some(most) = self.watch.limits().nodes {
            let made = search.made() + u64::from(self.room.made());
            if made + self.scratch.moves.len() as u64 > most {
                self.spent = true;
                return None;
            }
        }
        let (tree, config, proof) = (&search.tree, &search.config, search.config.proof);
        let (range, mover, moves) = (pos.range(), pos.turn(), &self.scratch.moves);
        let look = proof != Proof::None && (config.growth.all || proof == Proof::WinLoss);
        let wins = |b: Bounds| b.seen_by(mover).pess.0 > 0;
        let fill = |i: usize| {
            let mv = moves[i];
            let end = if look { guard::ended(&pos.after(mv)) } else { None };
            let exact = end.map_or(range, |score| proof.coarsen(Bounds::exact(score), range));
            // One node a simulation: of all children only an immediate win is looked for.
            (mv.code(), if config.growth.all || wins(exact) { exact } else { range })
        };
        if !tree.expand::<SHARED>(&mut self.room, id, moves.len(), fill) {
            return None;
        }
        let (first, children) = tree.children(id);
        if tree.has_priors() {
            for (i, &prior) in self.priors.iter().enumerate() {
                tree.set_prior(first + i as Id, prior);
            }
        }
        if proof == Proof::None {
            return Some(false);
        }
        if config.hybrids.select > 0 {
            self.look_ahead::<SHARED>(pos, id, config.hybrids.select);
        }
        let certain = Bounds::minimax(mover, children.iter().map(Fields::bounds));
        let certain = proof.coarsen(bounds.tighten(certain), bounds);
        Some(tree.node(id).tighten::<SHARED>(certain))
    }
}
