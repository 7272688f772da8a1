//! Keeping a part of a tree, in place: the part below a move that was played, or what is worth its memory.

use super::{Fields, Id, Node, ROOT, Tree};
use proofplay_core::Bounds;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

impl Tree {
    /// Makes the child `new_root` the root and keeps only what is below it, moved down in place.
    pub fn keep_subtree(&mut self, new_root: Id) {
        self.keep(new_root, |_| true);
    }

    /// Makes room in a full tree: nodes that are done and those with the fewest visits become leaves again, until half of the
    /// arena is free. They keep their statistics and bounds. Nobody else may use the tree meanwhile. Returns whether there is
    /// room worth the effort now.
    pub fn recycle(&self, is_done: impl Fn(Bounds) -> bool) -> bool {
        // Nodes by the logarithm of their parent's visits: what would go if only parents with more stayed.
        let mut nodes = [0; 33];
        let log = |visits: u32| (u32::BITS - visits.leading_zeros()) as usize;
        let kept = |node: &Node| node[2].load(Relaxed) as u32 != 0 && !is_done(node.bounds());
        for node in self.nodes[..self.taken()].iter().filter(|node| kept(node)) {
            nodes[log(node.visits())] += usize::from(node[0].load(Relaxed) as u16);
        }
        let (mut least, mut stay) = (0, nodes.iter().sum::<usize>());
        while stay > self.nodes.len() / 2 && least < 32 {
            stay -= nodes[least];
            least += 1;
        }
        let before = self.taken();
        self.keep(ROOT, |node| !is_done(node.bounds()) && log(node.visits()) >= least);
        self.used.gone.fetch_add((before - self.taken()) as u64, Relaxed);
        self.taken() < self.nodes.len() / 8 * 7
    }

    /// Makes `new_root` the root and keeps what is below it and below nodes that `grows` says may have children; the root
    /// may in any case. Nobody else may use the tree meanwhile.
    fn keep(&self, new_root: Id, grows: impl Fn(&Node) -> bool) {
        struct Block {
            first: Id,
            count: u32,
            parent: Id,
            /// Where it moves to.
            moved: Id,
        }
        let taken = self.taken();
        // Room for all of them is asked for once: only what is used of it takes memory.
        let has_children = |node: &&Node| node[2].load(Relaxed) as u32 != 0;
        let mut blocks = Vec::with_capacity(self.nodes[..taken].iter().filter(has_children).count());
        let mut open = vec![new_root];
        while let Some(id) = open.pop() {
            let (first, children) = self.children(id);
            if !children.is_empty() {
                let count = children.len() as u32;
                blocks.push(Block { first, count, parent: id, moved: 0 });
                for child in first..first + count {
                    let node = self.node(child);
                    if node[2].load(Relaxed) as u32 == 0 {
                        continue;
                    }
                    if grows(node) {
                        open.push(child);
                    } else {
                        // A leaf again: no children, none to be found.
                        node[0].store(node[0].load(Relaxed) & !0xffff, Relaxed);
                        node[2].store(node[2].load(Relaxed) & !u64::from(u32::MAX), Relaxed);
                    }
                }
            }
        }
        // From low to high, every block moves down onto dead nodes or those that have moved.
        blocks.sort_unstable_by_key(|block| block.first);
        self.copy(new_root, ROOT);
        let mut next = 1;
        for block in &mut blocks {
            for i in 0..block.count {
                self.copy(block.first + i, next + i);
            }
            block.moved = next;
            next += block.count;
        }
        for block in &blocks {
            // Where the parent is now: in the last block that started at or before it.
            let parent = if block.parent == new_root {
                ROOT
            } else {
                let at = blocks.partition_point(|other| other.first <= block.parent) - 1;
                blocks[at].moved + (block.parent - blocks[at].first)
            };
            let parent = &self.nodes[parent as usize];
            let code = parent[2].load(Relaxed) & !u64::from(u32::MAX);
            parent[2].store(code | u64::from(block.moved), Relaxed);
        }
        for id in next..taken as u32 {
            self.clear(id);
        }
        self.used.taken.store(next, Relaxed);
        self.used.spare.store(0, Relaxed);
        self.full.store(false, Relaxed);
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

    /// Grows a random tree; threads that share it would make their nodes in rooms of their own.
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

    /// What is left has the numbers it had, every node that is left was one of those before, and half of the arena is free.
    #[test]
    fn a_recycled_tree_is_a_part_of_it() {
        let mut rng = proofplay_core::Rng::new(5);
        for tree in [random_tree::<false>(&mut rng), random_tree::<true>(&mut rng)] {
            let (mut before, mut after) = (Vec::new(), Vec::new());
            codes(&tree, ROOT, &mut before);
            // Visits are random here, so that a node may have more than its parent: what hangs below one that goes, goes.
            let full = tree.nodes.len() / 2;
            assert!(tree.recycle(|bounds| bounds.is_exact()) && tree.used() <= full);
            codes(&tree, ROOT, &mut after);
            assert_eq!((tree.used(), after[0]), (after.len(), before[0]));
            assert!(after.len() > 1 && after.iter().all(|node| before.contains(node)));
        }
    }
}
