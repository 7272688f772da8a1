//! Keeping a part of a tree, in place: the part below a move that was played, or what is worth its
//! memory.

use super::{Fields, Id, Node, ROOT, Tree};
use proofplay_core::Bounds;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// The children of a node that keeps them.
struct Block {
    first: Id,
    count: u32,
    parent: Id,
    /// Where they move to.
    moved: Id,
}

fn has_children(node: &Node) -> bool {
    node[2].load(Relaxed) as u32 != 0
}

impl Tree {
    /// Makes the child `new_root` the root and keeps only what is below it, moved down in place.
    pub fn keep_subtree(&mut self, new_root: Id) {
        self.keep(new_root, |_| true, &AtomicBool::new(false));
    }

    /// Makes room in a full tree: nodes that are done and those with the fewest visits become
    /// leaves again, until half of the arena is free. They keep their statistics and bounds. No
    /// other thread may use the tree meanwhile. Returns whether enough room was made. Nothing has
    /// changed if `stop` was set early enough.
    pub fn recycle(&self, is_done: impl Fn(Bounds) -> bool, stop: &AtomicBool) -> bool {
        // Nodes by the logarithm of their parent's visits: what would be removed if only parents
        // with more visits stayed.
        let mut nodes = [0; 33];
        let log = |visits: u32| (u32::BITS - visits.leading_zeros()) as usize;
        for node in &self.nodes[..self.taken()] {
            if has_children(node) && !is_done(node.bounds()) {
                nodes[log(node.visits())] += usize::from(node[0].load(Relaxed) as u16);
            }
        }
        let (mut least, mut stay) = (0, nodes.iter().sum::<usize>());
        while stay > self.nodes.len() / 2 && least < 32 {
            stay -= nodes[least];
            least += 1;
        }
        self.keep(ROOT, |node| !is_done(node.bounds()) && log(node.visits()) >= least, stop);
        self.taken() < self.nodes.len() / 8 * 7
    }

    /// Makes `new_root` the root and keeps the children of the root and of all nodes below it for
    /// which `grows` is true. No other thread may use the tree meanwhile. Does nothing if `stop` is
    /// set before all has been found.
    fn keep(&self, new_root: Id, grows: impl Fn(&Node) -> bool, stop: &AtomicBool) {
        let taken = self.taken();
        let Some(mut blocks) = self.blocks(new_root, &grows, stop) else { return };
        // From low to high, every block moves down onto dead nodes or those that have moved.
        blocks.sort_unstable_by_key(|block| block.first);
        let mut next = 1;
        for block in &mut blocks {
            block.moved = next;
            next += block.count;
            let children = &self.nodes[block.first as usize..][..block.count as usize];
            for node in children.iter().filter(|node| has_children(node) && !grows(node)) {
                // A leaf again: no children, none to be found.
                node[0].store(node[0].load(Relaxed) & !0xffff, Relaxed);
                node[2].store(node[2].load(Relaxed) & !u64::from(u32::MAX), Relaxed);
            }
        }
        // Nodes take with them where their children will be.
        for block in &blocks {
            let parent = self.node(block.parent);
            let code = parent[2].load(Relaxed) & !u64::from(u32::MAX);
            parent[2].store(code | u64::from(block.moved), Relaxed);
        }
        self.copy(new_root, ROOT);
        for block in &blocks {
            for i in 0..block.count {
                self.copy(block.first + i, block.moved + i);
            }
        }
        for id in next..taken as u32 {
            self.clear(id);
        }
        self.used.taken.store(next, Relaxed);
        self.used.gone.store(self.made() - u64::from(next), Relaxed);
        self.rooms().clear();
        self.full.store(false, Relaxed);
    }

    /// The children of `new_root` and, below it, of all nodes for which `grows` is true; `None` if
    /// `stop` was set.
    fn blocks(&self, new_root: Id, grows: impl Fn(&Node) -> bool, stop: &AtomicBool) -> Option<Vec<Block>> {
        /// Blocks between two tests of the flag.
        const LOOK: usize = 1 << 12;
        // Room for all of them is reserved once: only the used part takes memory.
        let most = self.nodes[..self.taken()].iter().filter(|node| has_children(node)).count();
        let (mut blocks, mut open) = (Vec::with_capacity(most), vec![new_root]);
        while let Some(parent) = open.pop() {
            let (first, children) = self.children(parent);
            if children.is_empty() {
                continue;
            }
            let found = (first..).zip(children).filter(|(_, node)| has_children(node) && grows(node));
            open.extend(found.map(|(id, _)| id));
            if blocks.len().is_multiple_of(LOOK) && stop.load(Relaxed) {
                return None;
            }
            blocks.push(Block { first, count: children.len() as u32, parent, moved: 0 });
        }
        Some(blocks)
    }

    fn copy(&self, from: Id, to: Id) {
        let (from, to) = (from as usize, to as usize);
        let words = |a: &[AtomicU64], b: &[AtomicU64]| {
            for (a, b) in a.iter().zip(b) {
                b.store(a.load(Relaxed), Relaxed);
            }
        };
        words(&self.nodes[from], &self.nodes[to]);
        if !self.priors.is_empty() {
            self.priors[to].store(self.priors[from].load(Relaxed), Relaxed);
        }
        if !self.amaf.is_empty() {
            words(&self.amaf[from], &self.amaf[to]);
        }
    }

    fn clear(&self, id: Id) {
        self.nodes[id as usize].iter().for_each(|word| word.store(0, Relaxed));
        if !self.amaf.is_empty() {
            self.amaf[id as usize].iter().for_each(|word| word.store(0, Relaxed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Columns, Room, Units};
    use super::*;

    /// Numbers the nodes below a node by their codes, depth first.
    fn codes(tree: &Tree, id: Id, out: &mut Vec<(u32, u32)>) {
        out.push((tree.node(id).code(), tree.node(id).visits()));
        let (first, children) = tree.children(id);
        for i in 0..children.len() as u32 {
            codes(tree, first + i, out);
        }
    }

    /// Grows a random tree; threads that share it would make their nodes in separate rooms.
    fn random_tree<const SHARED: bool>(rng: &mut proofplay_core::Rng) -> Tree {
        let tree = Tree::new(1 << 20, Columns { priors: false, amaf: true }, Bounds::WDL);
        let (mut rooms, mut leaves, mut code) = ([(); 3].map(|()| Room::default()), vec![ROOT], 0);
        while code < 5000 {
            let id = leaves.swap_remove(rng.below(leaves.len() as u32) as usize);
            let (count, room) = (1 + rng.below(5), &mut rooms[rng.below(3) as usize]);
            assert!(tree.expand::<SHARED>(room, id, count as usize, |_| {
                code += 1;
                (code, Bounds::WDL)
            }));
            let first = tree.children(id).0;
            for child in first..first + count {
                tree.node(child).add::<false>(child % 91, Units::of(0.5));
                leaves.push(child);
            }
        }
        rooms.iter_mut().for_each(|room| tree.give_back(room));
        assert_eq!(tree.used(), code as usize + 1);
        tree
    }

    #[test]
    fn a_kept_subtree_is_the_same_tree() {
        let mut rng = proofplay_core::Rng::new(3);
        for mut tree in [random_tree::<false>(&mut rng), random_tree::<true>(&mut rng)] {
            while !tree.children(ROOT).1.is_empty() {
                let (first, children) = tree.children(ROOT);
                let new_root = first + rng.below(children.len() as u32);
                let (mut before, mut after) = (Vec::new(), Vec::new());
                codes(&tree, new_root, &mut before);
                tree.keep_subtree(new_root);
                codes(&tree, ROOT, &mut after);
                assert_eq!(before, after);
                assert_eq!(tree.used(), after.len());
            }
        }
    }

    /// The remaining nodes have their numbers, each was there before, and half of the arena is
    /// free.
    #[test]
    fn a_recycled_tree_is_a_part_of_it() {
        let mut rng = proofplay_core::Rng::new(5);
        for tree in [random_tree::<false>(&mut rng), random_tree::<true>(&mut rng)] {
            let (mut before, mut after) = (Vec::new(), Vec::new());
            codes(&tree, ROOT, &mut before);
            // Visits are random here, so that a node may have more than its parent: what is below a
            // removed node is removed.
            let full = tree.nodes.len() / 2;
            let set = AtomicBool::new(true);
            assert!(tree.recycle(|bounds| bounds.is_exact(), &set));
            codes(&tree, ROOT, &mut after);
            assert_eq!(after, before, "stopped before anything was changed");
            after.clear();
            let unset = AtomicBool::new(false);
            assert!(tree.recycle(|bounds| bounds.is_exact(), &unset) && tree.used() <= full);
            codes(&tree, ROOT, &mut after);
            assert_eq!((tree.used(), after[0]), (after.len(), before[0]));
            assert!(after.len() > 1 && after.iter().all(|node| before.contains(node)));
        }
    }
}
