//! Writes a tree into a checkpoint, and reads it back.
//!
//! Random numbers need no saved state: each part of a search between two pauses draws from its own
//! numbered stream. Reading plays all moves from the root, so that the tree has only legal moves.
//! Bounds and means are trusted.

use super::Mcts;
use super::tree::{Fields, Id, ROOT};
use crate::Saved;
use crate::checkpoint::{Flaw, In, Out, load_root, save_root};
use proofplay_core::{Bounds, Move, Position};
use std::io;

impl<P: Position> Saved for Mcts<P> {
    fn save(&mut self, out: &mut Out) -> io::Result<()> {
        save_root(&self.pos, out)?;
        out.u64(self.searches)?;
        self.tree.save(out)
    }

    fn load(&mut self, from: &mut In) -> Result<(), Flaw> {
        load_root(&self.pos, from)?;
        self.searches = from.u64()?;
        self.tree.load(from)?;
        let is_node = self.check(from)?;
        self.tree.settle(&is_node);
        Ok(())
    }
}

impl<P: Position> Mcts<P> {
    /// Checks the tree against the rules and returns which nodes it has.
    fn check(&self, from: &In) -> Result<Vec<bool>, Flaw> {
        let (tree, range) = (&self.tree, self.pos.range());
        let ordered = |bounds: Bounds| bounds.pess <= bounds.opti && range.encloses(bounds);
        if !ordered(tree.node(ROOT).bounds()) {
            return Err(Flaw::Nonsense("a value is out of range"));
        }
        let mut reached = vec![false; tree.taken()];
        reached[ROOT as usize] = true;
        let (mut open, mut moves, mut legal) = (vec![(ROOT, self.pos.clone())], Vec::new(), Vec::new());
        while let Some((id, pos)) = open.pop() {
            let (first, children) = tree.children(id);
            if children.is_empty() {
                continue;
            }
            from.expect_no_stop()?;
            moves.clear();
            if pos.outcome().is_none() {
                pos.moves(&mut moves);
            }
            legal.clear();
            legal.extend(moves.iter().map(|mv| mv.code()));
            legal.sort_unstable();
            for (i, child) in children.iter().enumerate() {
                let at = (first as usize) + i;
                let Ok(known) = legal.binary_search(&child.code()) else {
                    return Err(Flaw::Nonsense("a move is not legal"));
                };
                legal.remove(known);
                if !ordered(child.bounds()) {
                    return Err(Flaw::Nonsense("a value is out of range"));
                }
                if child.visits() > tree.node(id).visits() {
                    return Err(Flaw::Nonsense("a node has more visits than its parent"));
                }
                if std::mem::replace(&mut reached[at], true) {
                    return Err(Flaw::Nonsense("a node has two parents"));
                }
                if !tree.children(at as Id).1.is_empty() {
                    open.push((at as Id, pos.after(P::Move::from_code(child.code()))));
                }
            }
        }
        Ok(reached)
    }
}
