//! The way down: which child, and what becomes of a leaf.

use super::super::leaders::Leaders;
use super::super::select::Parent;
use super::super::shortlist::Shortlist;
use super::super::tree::{Fields, Id, Node, ROOT};
use super::super::{Leaf, Playout, Proof, Step};
use super::{Stop, Worker, settled, virtual_loss};
use crate::Ask;
use proofplay_core::{Bounds, Move, Position, guard};

impl<P: Position> Worker<'_, P> {
    /// Goes down from node `id`, which ends up in the path after what is there, to a leaf, a finished game or a proven node,
    /// and gives a leaf children when it is due. The second result tells whether the bounds of the last node have changed.
    pub(super) fn descend<const SHARED: bool>(&mut self, pos: &mut P, mut id: Id) -> (Stop, bool) {
        let search = self.run.search;
        let (tree, proof, range) = (&search.tree, search.config.proof, self.run.range);
        loop {
            let (node, mover) = (tree.node(id), pos.turn());
            let (mut visits, mut bounds) = node.seen();
            self.path.push(Step { id, mover });
            if id != ROOT {
                if SHARED {
                    // Virtual loss for whoever chose to come here.
                    let chooser = self.path[self.path.len() - 2].mover;
                    node.add::<true>(1, virtual_loss(chooser));
                }
                if proof.is_done(bounds) {
                    return (Stop::Known(settled(bounds)), false);
                }
            }
            let (mut first, mut children) = tree.children(id);
            if children.is_empty() {
                if let Some(stop) = self.arrive::<SHARED>(pos, id, visits, bounds) {
                    return stop;
                }
                (visits, bounds) = node.seen();
                (first, children) = tree.children(id);
            }
            if id == ROOT && self.run.ask == Ask::AllMoves {
                bounds = range;
            }
            let parent = Parent { mover, visits, bounds, range };
            let chosen = if visits < search.config.selection.threshold {
                self.pick_by_playout(pos, first, children, parent)
            } else if let Some(plain) = &self.plain {
                if id == ROOT && Shortlist::is_for(children.len()) {
                    self.shortlist.pick(plain, children, parent)
                } else if Leaders::are_for(children.len(), visits) {
                    self.leaders.pick(plain, id, children, parent)
                } else {
                    plain.pick(children, parent)
                }
            } else {
                search.pick(first, children, parent)
            };
            let Some(i) = chosen else {
                // Everything below is settled: other threads were faster, or the playout policy chose a lost child.
                let changed = self.refresh::<SHARED>(self.path.len() - 1);
                let known = node.bounds();
                let loss = range.seen_by(mover).pess.seen_by(mover);
                return (Stop::Known(if proof.is_done(known) { settled(known) } else { loss }), changed);
            };
            pos.play(P::Move::from_code(children[i].code()));
            id = first + i as Id;
        }
    }

    /// At a leaf: the game may be over, or the leaf stays one, or it gets children and the descent goes on (`None`).
    fn arrive<const SHARED: bool>(
        &mut self,
        pos: &P,
        id: Id,
        visits: u32,
        bounds: Bounds,
    ) -> Option<(Stop, bool)> {
        let search = self.run.search;
        let (node, config, proof) = (search.tree.node(id), &search.config, search.config.proof);
        if let Some(score) = guard::ended(pos) {
            let exact = proof.coarsen(bounds.tighten(Bounds::exact(score)), bounds);
            return Some((Stop::Known(score), node.tighten::<SHARED>(exact)));
        }
        let too_early = visits < config.growth.after && id != ROOT;
        if too_early || matches!(config.leaf, Leaf::Evaluate { .. }) {
            return Some((Stop::Leaf, false));
        }
        // What the game knows for certain; the root needs its children all the same.
        let facts = self.run.search.extras.facts.as_ref();
        let known = facts.filter(|_| proof != Proof::None && id != ROOT).is_some_and(|facts| {
            let certain = proof.coarsen(bounds.tighten(facts.bounds(pos)), bounds);
            node.tighten::<SHARED>(certain)
        });
        if known && proof.is_done(node.bounds()) {
            return Some((Stop::Known(settled(node.bounds())), true));
        }
        let Some(grown) = self.expand::<SHARED>(pos, id, node.bounds()) else {
            return Some((Stop::Leaf, known));
        };
        let found = known || grown;
        if found && proof.is_done(node.bounds()) && (id != ROOT || self.run.ask == Ask::Value) {
            return Some((Stop::Known(settled(node.bounds())), true));
        }
        if found {
            // What has changed without being done goes up at once, before the descent goes on.
            self.climb::<SHARED>(self.path.len() - 1);
        }
        None
    }

    /// The child that the playout policy takes, as long as a node has few visits. A solver of wins and losses may come upon
    /// a lost one and stop there (`None`); otherwise settled children are left to the formula.
    fn pick_by_playout(&mut self, pos: &P, first: Id, children: &[Node], parent: Parent) -> Option<usize> {
        let search = self.run.search;
        let proof = search.config.proof;
        let playout =
            if let Leaf::Playout(playout) = search.config.leaf { playout } else { Playout::default() };
        let Worker { rng, scratch, watch, .. } = self;
        let mv = playout.choose(pos, &*search.extras.hints, rng, scratch, &mut || watch.step(1));
        let i = children.iter().position(|child| child.code() == mv.code());
        // A move that has no child is one that others make superfluous.
        let Some(i) = i else {
            return search.pick(first, children, parent);
        };
        if !proof.cuts(children[i].bounds(), parent.bounds, parent.mover) {
            Some(i)
        } else if proof == Proof::WinLoss {
            None
        } else {
            search.pick(first, children, parent)
        }
    }

    /// Gives a leaf its children in random order. Returns whether its bounds have changed by that; `None` if it stays a leaf.
    fn expand<const SHARED: bool>(&mut self, pos: &P, id: Id, bounds: Bounds) -> Option<bool> {
        self.scratch.moves.clear();
        let moves = &mut self.scratch.moves;
        if let Some(facts) = &self.run.search.extras.facts
            && id != ROOT
        {
            facts.enough(pos, moves);
        }
        if moves.is_empty() {
            // Also where the game knows the value, but the proof rule cannot say it.
            pos.moves(moves);
        }
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
