//! Frees memory: moves what is worth keeping together, in place.

use super::graph::{ABOVE, Graph, NONE, Node, NodeId, ROOT, Slot, SlotId};

/// What a collection may discard.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Sweep {
    /// What no longer matters: everything below solved nodes.
    Dead,
    /// Also the older half of the nodes that have only leaves below them: the search has not chosen
    /// them for long.
    Forgotten,
}

impl Graph {
    /// Like [`Graph::clear`], but keeps the solved nodes for which `useful` is true. A tree could
    /// not find them again.
    pub fn restart(&mut self, root: u64, useful: &dyn Fn(u64) -> bool) {
        if self.index.is_none() {
            return self.clear(root);
        }
        self.slots[ROOT as usize] = Slot { info: root, child: ABOVE, code: 0 };
        let mut numbers = Numbers::new(self.nodes.len());
        (1..self.nodes.len())
            .filter(|&node| useful(self.nodes[node].info))
            .for_each(|node| numbers.keep(node));
        // Every node that is left is solved and needs no children.
        self.slide(numbers, |_| true);
    }

    /// Frees memory; all numbers of nodes and slots change except the root's slot. Solved nodes
    /// keep nothing below them and are themselves kept only in a graph, which may meet them again.
    /// A discarded node becomes a leaf with the numbers it had. Does nothing if `is_over` returns
    /// true before all has been found.
    pub fn collect(&mut self, sweep: Sweep, solved: impl Fn(u64) -> bool, is_over: &mut dyn FnMut() -> bool) {
        /// Nodes between two calls of `is_over`.
        const LOOK: u32 = 1 << 14;
        let root = self.root().child;
        let mut reached = Numbers::new(self.nodes.len());
        let (mut open, mut steps) = (vec![ABOVE], 0u32);
        while let Some(node) = open.pop() {
            if steps.is_multiple_of(LOOK) && is_over() {
                return;
            }
            steps = steps.wrapping_add(1);
            for slot in self.children(node).1 {
                if slot.child != ABOVE && !solved(slot.info) && !reached.keeps(slot.child) {
                    reached.keep(slot.child as usize);
                    open.push(slot.child);
                }
            }
        }
        if self.merges() {
            (1..self.nodes.len()).filter(|&n| solved(self.nodes[n].info)).for_each(|n| reached.keep(n));
        }
        if sweep == Sweep::Forgotten {
            let bears_leaves = |node: NodeId| {
                let slots = self.children(node).1;
                node != root && slots.iter().all(|slot| slot.child == ABOVE || solved(slot.info))
            };
            let is_last = |node: NodeId, reached: &Numbers| {
                reached.keeps(node) && (solved(self.nodes[node as usize].info) || bears_leaves(node))
            };
            let nodes = || 1..self.nodes.len() as NodeId;
            let mut surplus = nodes().filter(|&node| is_last(node, &reached)).count().div_ceil(2);
            for node in nodes() {
                if surplus > 0 && is_last(node, &reached) {
                    reached.drop(node);
                    surplus -= 1;
                }
            }
        }
        self.slide(reached, solved);
    }

    /// Moves what is kept down onto what is not. Solved children are left out, except those of the
    /// root.
    fn slide(&mut self, mut numbers: Numbers, solved: impl Fn(u64) -> bool) {
        numbers.count();
        let root = self.root().child;
        let (mut nodes, mut slots) = (1, 1);
        self.slots[ROOT as usize].child = numbers.new_of(root).unwrap_or(ABOVE);
        for old in 1..self.nodes.len() {
            if !numbers.keeps(old as NodeId) {
                continue;
            }
            let mut node = self.nodes[old];
            let first = slots;
            if !solved(node.info) {
                for at in node.first as usize..(node.first + node.count) as usize {
                    let mut slot = self.slots[at];
                    if solved(slot.info) && old as NodeId != root {
                        continue;
                    }
                    slot.child = numbers.new_of(slot.child).unwrap_or(ABOVE);
                    self.slots[slots] = slot;
                    slots += 1;
                }
            }
            node.first = first as SlotId;
            node.count = (slots - first) as u32;
            self.nodes[nodes] = node;
            nodes += 1;
        }
        self.nodes.truncate(nodes);
        self.slots.truncate(slots);
        self.next.truncate(slots);
        // Free memory goes back to the system: next time another list may grow.
        self.nodes.shrink_to_fit();
        self.slots.shrink_to_fit();
        self.next.shrink_to_fit();
        if let Some(index) = &mut self.index {
            index.renumber(&|old| if old == ABOVE { Some(ABOVE) } else { numbers.new_of(old) });
        }
        self.find_parents();
    }

    /// Rebuilds the lists of parents.
    pub(super) fn find_parents(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.parents = NONE);
        for owner in 0..self.nodes.len() {
            let Node { first, count, .. } = self.nodes[owner];
            for slot in first..first + count {
                if self.slots[slot as usize].child != ABOVE {
                    self.enlist(owner as NodeId, slot as usize);
                }
            }
        }
    }
}

/// Which nodes are kept, and their new numbers: those above the root's count from 1 without gaps.
struct Numbers {
    kept: Vec<u64>,
    /// How many are kept before each word.
    before: Vec<u32>,
}

impl Numbers {
    fn new(nodes: usize) -> Numbers {
        Numbers { kept: vec![0; nodes / 64 + 1], before: Vec::new() }
    }

    fn keep(&mut self, node: usize) {
        self.kept[node / 64] |= 1 << (node % 64);
    }

    fn drop(&mut self, node: NodeId) {
        self.kept[node as usize / 64] &= !(1 << (node % 64));
    }

    fn keeps(&self, node: NodeId) -> bool {
        self.kept[node as usize / 64] >> (node % 64) & 1 == 1
    }

    fn count(&mut self) {
        let mut sum = 1;
        self.before = Vec::with_capacity(self.kept.len());
        for word in &self.kept {
            self.before.push(sum);
            sum += word.count_ones();
        }
    }

    fn new_of(&self, node: NodeId) -> Option<NodeId> {
        let (word, bit) = (node as usize / 64, node % 64);
        self.keeps(node).then(|| self.before[word] + (self.kept[word] & ((1 << bit) - 1)).count_ones())
    }
}

#[cfg(test)]
mod tests {
    use super::super::info::NodeKind;
    use super::*;
    use proofplay_core::Rng;

    const SOLVED: u64 = 999;

    /// Every child has exactly its parents, and the index finds exactly the nodes.
    fn check(graph: &Graph) {
        let mut parents = vec![Vec::new(); graph.nodes.len()];
        for owner in 0..graph.nodes.len() as NodeId {
            for slot in graph.children(owner).1.iter().filter(|slot| slot.child != ABOVE) {
                parents[slot.child as usize].push(owner);
                assert_eq!(slot.info, graph.node(slot.child).1);
            }
        }
        for (child, expected) in parents.iter_mut().enumerate().skip(1) {
            let mut list = Vec::new();
            let mut parent = graph.nodes[child].parents;
            while parent != NONE {
                list.push(parent);
                let (first, slots) = graph.children(parent);
                let at = slots.iter().position(|slot| slot.child == child as NodeId).unwrap();
                parent = if graph.merges() { graph.next[first as usize + at] } else { NONE };
            }
            list.sort_unstable();
            expected.sort_unstable();
            assert_eq!(list, *expected, "the parents of {child}");
        }
    }

    /// Grows a random graph and collects it repeatedly; what is reachable and open keeps its shape.
    #[test]
    fn collecting_keeps_what_matters() {
        for merging in [false, true] {
            let (mut rng, mut graph) = (Rng::new(5), Graph::new(merging, 1 << 20));
            let mut key = 1;
            for round in 0..40 {
                for _ in 0..50 {
                    // A random leaf below random open nodes.
                    let (mut owner, mut at) = (ABOVE, ROOT);
                    while graph.slot(at).child != ABOVE {
                        owner = graph.slot(at).child;
                        let (first, slots) = graph.children(owner);
                        at = first + rng.below(slots.len() as u32);
                    }
                    if graph.slot(at).info == SOLVED {
                        continue;
                    }
                    let old = rng.below(graph.nodes.len() as u32);
                    let children: Vec<Slot> = (0..1 + rng.below(5))
                        .map(|code| {
                            // An open node has an open child.
                            let solved = code > 0 && rng.below(9) == 0;
                            let info = if solved { SOLVED } else { u64::from(rng.below(100)) };
                            Slot { info, child: ABOVE, code }
                        })
                        .collect();
                    key += 1;
                    let node = graph.add(NodeKind::Or, graph.slot(at).info, key, &children);
                    assert!(graph.link(owner, at, node));
                    // Links to older nodes, in a graph: acyclic because such a node gets no new
                    // links below.
                    if merging && old != ABOVE && graph.children(old).1.iter().all(|s| s.child == ABOVE) {
                        let leaf = graph.children(node).0;
                        if graph.slot(leaf).info != SOLVED && old != node {
                            graph.link(node, leaf, old);
                        }
                    }
                }
                check(&graph);
                let shape = |graph: &Graph| {
                    let (mut out, mut todo) = (Vec::new(), vec![graph.root()]);
                    while let Some(slot) = todo.pop() {
                        out.push((slot.info, slot.code, slot.child != ABOVE));
                        if slot.child != ABOVE && out.len() < 5000 {
                            todo.extend(graph.children(slot.child).1.iter().filter(|s| s.info != SOLVED));
                        }
                    }
                    out
                };
                let (before, bytes) = (shape(&graph), graph.bytes());
                graph.collect(Sweep::Forgotten, |info| info == SOLVED, &mut || true);
                assert_eq!((shape(&graph), graph.bytes()), (before.clone(), bytes), "stopped in time");
                graph.collect(Sweep::Dead, |info| info == SOLVED, &mut || false);
                check(&graph);
                assert_eq!(shape(&graph), before, "round {round}");
                if round % 4 == 3 {
                    graph.collect(Sweep::Forgotten, |info| info == SOLVED, &mut || false);
                    check(&graph);
                    assert!(graph.bytes() < bytes);
                }
                assert!((1..graph.nodes.len()).all(|n| !merging || {
                    let key = graph.index.as_ref().unwrap();
                    (2..=1 << 12).filter(|&k| key.find(k) == Some(n as u32)).count() == 1
                }));
            }
        }
    }
}
