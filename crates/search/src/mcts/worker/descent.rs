//! The way down: which child.

use super::super::leaders::Leaders;
use super::super::select::Parent;
use super::super::shortlist::Shortlist;
use super::super::tree::{Fields, Id, Node, ROOT};
use super::super::{Leaf, Playout, Proof, Step};
use super::{Stop, Worker, settled, virtual_loss};
use proofplay_core::{Bounds, Move, Player, Position, guard};

impl<P: Position> Worker<'_, P> {
    /// Puts a node into the path. In a shared tree it is a loss, until more is known, for the
    /// player who chose to come here.
    #[inline]
    pub(super) fn enter<const SHARED: bool>(&mut self, id: Id, mover: Player) {
        if SHARED && id != ROOT {
            let chooser = self.path[self.path.len() - 1].mover;
            self.run.search.tree.node(id).add::<true>(1, virtual_loss(chooser));
        }
        self.path.push(Step { id, mover });
    }

    /// The visits of a node of the path before this simulation came, and its bounds.
    #[inline]
    pub(super) fn seen_before<const SHARED: bool>(&self, id: Id) -> (u32, Bounds) {
        let (visits, bounds) = self.run.search.tree.node(id).seen();
        (visits - u32::from(SHARED && id != ROOT), bounds)
    }

    /// Descends from the last node of the path to a leaf, a finished game or a proven node. The
    /// second result is whether the bounds of that node have changed.
    pub(super) fn descend<const SHARED: bool>(&mut self, pos: &mut P) -> (Stop, bool) {
        let search = self.run.search;
        let (tree, proof, range) = (&search.tree, search.config.proof, self.run.range);
        let Step { mut id, mut mover } = self.path[self.path.len() - 1];
        loop {
            let node = tree.node(id);
            let (visits, mut bounds) = self.seen_before::<SHARED>(id);
            if id != ROOT && proof.is_done(bounds) {
                return (Stop::Known(settled(bounds)), false);
            }
            let (first, children) = tree.children(id);
            if children.is_empty() {
                let Some(score) = guard::ended(pos) else { return (Stop::Leaf, false) };
                let exact = proof.coarsen(bounds.tighten(Bounds::exact(score)), bounds);
                return (Stop::Known(score), node.tighten::<SHARED>(exact));
            }
            if id == ROOT && self.run.ask.all_moves() {
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
                // Everything below is settled: other threads came first, or the playout policy
                // chose a lost child.
                let changed = self.refresh::<SHARED>(self.path.len() - 1);
                let known = node.bounds();
                let loss = range.seen_by(mover).pess.seen_by(mover);
                return (Stop::Known(if proof.is_done(known) { settled(known) } else { loss }), changed);
            };
            pos.play(P::Move::from_code(children[i].code()));
            (id, mover) = (first + i as Id, pos.turn());
            self.enter::<SHARED>(id, mover);
        }
    }

    /// The child that the playout policy takes, as long as a node has few visits. A solver of wins
    /// and losses may come upon a lost one and stop there (`None`); otherwise settled children are
    /// left to the formula.
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
}
