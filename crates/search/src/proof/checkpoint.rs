//! Writes a search and its graph into a checkpoint, and reads them back.
//!
//! What is below solved nodes is discarded first. Then every node is open and can be reached from
//! the root, or, in a graph, is solved and has no children. Reading plays all moves from the root
//! and compares everything that follows from the rules and from the children: a search on what was
//! read cannot meet an illegal move, a cycle, or an open node without an open child. That a leaf or
//! a node without children is solved is trusted.

use super::best_first::BestFirst;
use super::collect::Sweep;
use super::goal::Judge;
use super::graph::{ABOVE, Graph, NONE, NodeId, ROOT, Slot};
use super::info::{Info, NodeKind, is_solved};
use crate::checkpoint::{Flaw, In, Out};
use proofplay_core::{Move, Position};
use std::io;

impl Graph {
    fn save(&self, out: &mut Out) -> io::Result<()> {
        let slot = |slot: &Slot, out: &mut Out| {
            out.u64(slot.info)?;
            out.u32(slot.child)?;
            out.u32(slot.code)
        };
        slot(&self.root(), out)?;
        out.u32(self.nodes.len() as u32)?;
        for node in 1..self.nodes.len() as NodeId {
            let ((kind, info), children) = (self.node(node), self.children(node).1);
            out.u32((children.len() as u32) << 1 | u32::from(kind == NodeKind::And))?;
            out.u64(info)?;
            if let Some(index) = &self.index {
                out.u128(index.key(node))?;
            }
            children.iter().try_for_each(|child| slot(child, out))?;
        }
        Ok(())
    }

    /// Reads nodes and slots back; checks only that they fit and that children are nodes.
    fn load(&mut self, from: &mut In) -> Result<(), Flaw> {
        let slot = |from: &mut In| -> Result<Slot, Flaw> {
            Ok(Slot { info: from.u64()?, child: from.u32()?, code: from.u32()? })
        };
        let root = slot(from)?;
        self.clear(root.info);
        let (nodes, mut made) = (from.u32()?, Vec::new());
        let there = |child: NodeId| child == ABOVE || child < nodes;
        for _ in 1..nodes {
            let head = from.u32()?;
            let (info, kind) = (from.u64()?, [NodeKind::Or, NodeKind::And][head as usize & 1]);
            let key = if self.merges() { from.u128()? } else { 0 };
            let count = head >> 1;
            if !self.fits(count as usize) {
                return Err(Flaw::Memory(self.most_bytes().saturating_mul(2)));
            }
            made.clear();
            for _ in 0..count {
                made.push(slot(from)?);
            }
            if !made.iter().all(|slot| there(slot.child)) || self.find(key).is_some() {
                return Err(Flaw::Nonsense("a node is not where it can be"));
            }
            self.append(kind, info, key, &made);
        }
        if !there(root.child) {
            return Err(Flaw::Nonsense("there is no root"));
        }
        self.slots[ROOT as usize].child = root.child;
        self.find_parents();
        Ok(())
    }
}

impl<P: Position, I: Info> BestFirst<P, I> {
    /// Writes the goal and the graph.
    pub(super) fn save(&self, out: &mut Out) -> io::Result<()> {
        self.leaves.judge.save(out)?;
        out.u64(self.since_start())?;
        self.graph.save(out)
    }

    /// Discards what is below solved nodes, between two rounds.
    pub(super) fn tidy(&mut self) {
        self.rest();
        self.graph.collect(Sweep::Dead, is_solved::<I>, &mut || false);
    }

    /// Reads a search of `pos` back; [`BestFirst::run`] continues it.
    pub(super) fn load(&mut self, pos: &P, from: &mut In) -> Result<(), Flaw> {
        let judge = Judge::load(from, self.leaves.judge.goal().player)?;
        let since_start = from.u64()?;
        self.start(pos, judge.goal());
        self.leaves.judge = judge;
        self.graph.load(from)?;
        self.resume_after(since_start);
        self.check(pos, from)
    }

    /// Checks the graph against the rules.
    fn check(&mut self, pos: &P, from: &In) -> Result<(), Flaw> {
        let solved = |info: u64| I::from_bits(info).status().is_solved();
        let root = self.graph.root();
        // The last parent of each node.
        let mut reached = vec![NONE; self.graph.nodes.len()];
        let (mut open, mut moves) = (Vec::new(), Vec::new());
        if !I::from_bits(root.info).is_valid() {
            return Err(Flaw::Nonsense("the root has impossible numbers"));
        }
        if root.child != ABOVE {
            if self.graph.node(root.child).1 != root.info {
                return Err(Flaw::Nonsense("the root has other numbers than its node"));
            }
            reached[root.child as usize] = ABOVE;
            open.push((root.child, pos.clone(), if self.graph.merges() { pos.key() } else { 0 }));
        }
        while let Some((node, pos, key)) = open.pop() {
            from.expect_no_stop()?;
            let ((kind, info), slots) = (self.graph.node(node), self.graph.children(node).1);
            let own_key = self.own_key(&pos, key);
            if self.graph.index.as_ref().is_some_and(|index| index.key(node) != own_key) {
                return Err(Flaw::Nonsense("a node is not of the position that its moves lead to"));
            }
            if slots.is_empty() && solved(info) {
                continue;
            }
            moves.clear();
            if pos.outcome().is_none() {
                pos.moves(&mut moves);
            }
            if moves.is_empty() || kind != self.leaves.kind(&pos) {
                return Err(Flaw::Nonsense("a node has moves of the wrong player"));
            }
            let numbers = slots.iter().map(|slot| I::from_bits(slot.info));
            if !numbers.clone().all(I::is_valid) || I::combine(kind, numbers).to_bits() != info {
                return Err(Flaw::Nonsense("a node has other numbers than its children give"));
            }
            // Slots come in the order of the moves, some of which have none.
            let mut legal = moves.iter();
            for slot in slots {
                let Some(&mv) = legal.find(|mv| mv.code() == slot.code) else {
                    return Err(Flaw::Nonsense("a move is not legal"));
                };
                if slot.child == ABOVE {
                    continue;
                }
                if self.graph.node(slot.child).1 != slot.info {
                    return Err(Flaw::Nonsense("a node has other numbers than its parent believes"));
                }
                let before = std::mem::replace(&mut reached[slot.child as usize], node);
                let (child, child_key) = self.step(&pos, key, mv);
                if before == NONE {
                    open.push((slot.child, child, child_key));
                } else if before == node
                    || self.graph.find(self.own_key(&child, child_key)) != Some(slot.child)
                {
                    return Err(Flaw::Nonsense("two positions share a node"));
                }
            }
        }
        let forgotten = |node: NodeId| {
            let info = self.graph.node(node).1;
            let lone = self.graph.merges() && self.graph.children(node).1.is_empty() && solved(info);
            lone && I::from_bits(info).is_valid()
        };
        if (1..reached.len()).all(|node| reached[node] != NONE || forgotten(node as NodeId)) {
            Ok(())
        } else {
            Err(Flaw::Nonsense("a node cannot be reached"))
        }
    }
}
