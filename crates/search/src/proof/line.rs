//! The best line of play of a search.

use super::best_first::BestFirst;
use super::graph::{ABOVE, NodeId};
use super::info::{Info, Status};
use crate::search::{NodeView, children_by, walk};
use proofplay_core::{Move, Position};

impl<P: Position, I: Info> BestFirst<P, I> {
    /// Root moves with what is known of them. A move to the same position as an earlier one may be
    /// missing, or open.
    pub fn root_moves(&mut self) -> Vec<(P::Move, Status)> {
        let root = self.graph.root().child;
        if root == ABOVE {
            return Vec::new();
        }
        let (kind, (_, slots)) = (self.graph.node(root).0, self.graph.children(root));
        let mut known: Vec<_> = slots
            .iter()
            .map(|slot| (P::Move::from_code(slot.code), I::from_bits(slot.info).status()))
            .collect();
        if self.graph.merges() {
            // A solved slot that does not decide may only mark a second move to the same position.
            let (pos, key) = (self.root().clone(), self.root().key());
            for (mv, status) in
                known.iter_mut().filter(|(_, status)| status.is_solved() && !status.decides(kind))
            {
                let child = pos.after(*mv);
                *status = match self.graph.find(self.own_key(&child, pos.key_after(key, *mv))) {
                    Some(node) => I::from_bits(self.graph.node(node).1).status(),
                    None => self.leaves.status(&child),
                };
            }
        }
        known
    }

    /// What is known about the moves of the position that `path` leads to from the root, in the
    /// order of the moves.
    pub fn children(&self, path: &[P::Move]) -> Vec<NodeView<P::Move>> {
        let Some(pos) = walk(self.root(), path) else { return Vec::new() };
        let show = |info: u64, view: &mut NodeView<P::Move>| {
            let info = I::from_bits(info);
            view.numbers = Some(info.shown());
            view.bounds = self.judge().bounds(info.status(), view.bounds);
            true
        };
        if self.symmetry() && !path.is_empty() {
            // Below the root the stored moves may be those of an image.
            let found = |child: &P| self.graph.find(self.own_key(child, child.key()));
            return children_by(&pos, &mut |_, child, view| {
                found(child).is_some_and(|node| show(self.graph.node(node).1, view))
            });
        }
        let slots = |node: NodeId| if node == ABOVE { &[] } else { self.graph.children(node).1 };
        let find = |node, mv: P::Move| slots(node).iter().find(|slot| slot.code == mv.code());
        let mut node = self.graph.root().child;
        for &mv in path {
            node = find(node, mv).map_or(ABOVE, |slot| slot.child);
        }
        children_by(&pos, &mut |mv, _, view| find(node, mv).is_some_and(|slot| show(slot.info, view)))
    }

    /// From a solved root a line that shows it, as far as it is stored; from an open root the one
    /// that the search follows.
    pub fn line(&mut self) -> Vec<P::Move> {
        let (mut pos, mut node) = (self.root().clone(), self.graph.root().child);
        let status = self.status();
        let mut line = Vec::new();
        while pos.outcome().is_none() {
            if self.symmetry() && !line.is_empty() {
                // From here on the stored moves may be those of an image.
                node = ABOVE;
            }
            let step = match status {
                Status::Open if node == ABOVE => None,
                Status::Open => {
                    let slot = self.preferred(node).1;
                    Some((P::Move::from_code(slot.code), slot.child))
                }
                _ => self.solved_step(&pos, node, status),
            };
            let Some((mv, next)) = step else { break };
            line.push(mv);
            pos.play(mv);
            node = next;
        }
        line
    }

    /// A move that keeps a position proven, if that is known without a search. For positions where
    /// the goal's player moves.
    pub(crate) fn proven_move(&mut self, pos: &P) -> Option<P::Move> {
        self.solved_step(pos, ABOVE, Status::Proven).map(|step| step.0)
    }

    /// A move that keeps a solved position solved, and the node it leads to: from the stored
    /// children, or from the rules where none are stored because the node was solved at once.
    fn solved_step(&mut self, pos: &P, node: NodeId, status: Status) -> Option<(P::Move, NodeId)> {
        let solved_alike = |info: u64| I::from_bits(info).status() == status;
        if node != ABOVE {
            let slots = self.graph.children(node).1;
            // Prefer a child that has a node, and so a line.
            let alike = || slots.iter().filter(|slot| solved_alike(slot.info));
            if let Some(slot) = alike().find(|slot| slot.child != ABOVE).or_else(|| alike().next()) {
                return Some((P::Move::from_code(slot.code), slot.child));
            }
        }
        if self.leaves.extras.facts.is_some() && self.leaves.status(pos).is_solved() {
            // A node that facts have decided has no stored moves.
            return None;
        }
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let key = pos.key();
        moves.into_iter().find_map(|mv| {
            let child = pos.after(mv);
            if self.leaves.status(&child) == status {
                return Some((mv, ABOVE));
            }
            let next = self.graph.find(self.own_key(&child, pos.key_after(key, mv)))?;
            solved_alike(self.graph.node(next).1).then_some((mv, next))
        })
    }
}
