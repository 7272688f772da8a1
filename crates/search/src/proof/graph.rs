//! The store of a best-first search: a tree, or a graph in which paths to the same position meet.
//!
//! ```text
//! slot   info 8 | child 4 | move 4          one per open child, side by side; child 0: a leaf
//! node   info 8 | first slot 4 | parents 4 | number of slots 4 | kind, queued
//! graph  next parent 4 per slot; key 16 and 10 to 22 bytes of table per node
//! ```
//!
//! Only expanded positions are nodes. A leaf is no more than its slot in its parent's block: 16 bytes, and it is most of a
//! tree. Numbers live where they are read: a slot repeats its child's, so updating a node reads one block.
//!
//! A tree is a graph that never merges. A graph finds expanded positions by their keys, both when a child is made and
//! when a leaf is about to be expanded: a leaf that was expanded on another path meanwhile is linked instead. The
//! parents of a node are a list through the slots that lead to it: `node.parents` is the first parent, and the next one stands
//! beside that parent's slot.
//!
//! Node 0 stands above the root, and slot 0 is its only slot: the root's. Nodes and blocks are made in the same order, which
//! lets [`Graph::collect`] slide what is worth keeping down in place when memory is short.

use super::index::Index;
use super::info::NodeKind;
use proofplay_core::Key;

/// The number of a node.
pub type NodeId = u32;
/// The number of a slot.
pub type SlotId = u32;

/// The node above the root. As a child: none, a leaf.
pub const ABOVE: NodeId = 0;
/// The slot of the root.
pub const ROOT: SlotId = 0;
/// The end of a list of parents.
const NONE: NodeId = u32::MAX;

/// A child of a node.
#[derive(Copy, Clone, Debug)]
pub struct Slot {
    /// The child's numbers.
    pub info: u64,
    /// The child's node, or [`ABOVE`] if it is a leaf.
    pub child: NodeId,
    /// The move that leads to it.
    pub code: u32,
}

/// An expanded position.
#[derive(Copy, Clone, Debug)]
struct Node {
    info: u64,
    first: SlotId,
    /// The first of the parents.
    parents: NodeId,
    count: u32,
    kind: NodeKind,
    /// Waits to be updated.
    queued: bool,
}

/// What a collection may give up.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Sweep {
    /// What no longer matters: everything below solved nodes.
    Dead,
    /// Also the older half of the nodes that have only leaves below them: the search has long preferred others.
    Forgotten,
}

/// A tree or a graph.
pub struct Graph {
    nodes: Vec<Node>,
    slots: Vec<Slot>,
    /// For every slot the next parent of its child; empty in a tree.
    next: Vec<NodeId>,
    /// `None` in a tree.
    index: Option<Index>,
    most_bytes: usize,
}

impl Graph {
    /// An empty store of at most `bytes` bytes, but at least 64 KiB.
    pub fn new(merging: bool, bytes: usize) -> Graph {
        let index = merging.then(Index::default);
        let most_bytes = bytes.max(1 << 16);
        let mut graph = Graph { nodes: Vec::new(), slots: Vec::new(), next: Vec::new(), index, most_bytes };
        graph.clear(0);
        graph
    }

    /// Forgets everything; the root becomes a leaf with these numbers.
    pub fn clear(&mut self, root: u64) {
        self.nodes.clear();
        self.slots.clear();
        self.next.clear();
        if let Some(index) = &mut self.index {
            index.clear();
        }
        self.slots.push(Slot { info: root, child: ABOVE, code: 0 });
        let above = Node { info: 0, first: ROOT, parents: NONE, count: 1, kind: NodeKind::Or, queued: false };
        self.nodes.push(above);
        if let Some(index) = &mut self.index {
            index.push(0);
            self.next.push(NONE);
        }
    }

    /// Like [`Graph::clear`], but keeps the solved nodes that `useful` says still hold. A tree could not find them again.
    pub fn restart(&mut self, root: u64, useful: impl Fn(u64) -> bool) {
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

    /// Whether different paths to a position meet in one node.
    pub fn merges(&self) -> bool {
        self.index.is_some()
    }

    /// How many leaves and links to nodes are stored.
    pub fn stored(&self) -> usize {
        self.slots.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.bytes_with(0, 0)
    }

    fn bytes_with(&self, more_nodes: usize, more_slots: usize) -> usize {
        let (nodes, slots) = (self.nodes.len() + more_nodes, self.slots.len() + more_slots);
        let plain = nodes * size_of::<Node>() + slots * size_of::<Slot>();
        plain
            + self
                .index
                .as_ref()
                .map_or(0, |index| index.bytes_with(more_nodes) + slots * size_of::<NodeId>())
    }

    /// The bytes it may use.
    pub fn most_bytes(&self) -> usize {
        self.most_bytes
    }

    /// Whether a node with `count` children has room.
    #[inline]
    pub fn fits(&self, count: usize) -> bool {
        self.bytes_with(1, count) <= self.most_bytes && self.slots.len() + count < NONE as usize
    }

    /// The root's slot.
    pub fn root(&self) -> Slot {
        self.slots[ROOT as usize]
    }

    /// A slot.
    #[inline]
    pub fn slot(&self, slot: SlotId) -> Slot {
        self.slots[slot as usize]
    }

    /// Changes the numbers of a slot.
    #[inline]
    pub fn set_info(&mut self, slot: SlotId, info: u64) {
        self.slots[slot as usize].info = info;
    }

    /// The first slot of a node and all of them.
    #[inline]
    pub fn children(&self, node: NodeId) -> (SlotId, &[Slot]) {
        let Node { first, count, .. } = self.nodes[node as usize];
        (first, &self.slots[first as usize..][..count as usize])
    }

    /// Kind and numbers of a node.
    #[inline]
    pub fn node(&self, node: NodeId) -> (NodeKind, u64) {
        let Node { kind, info, .. } = self.nodes[node as usize];
        (kind, info)
    }

    /// The node of a position.
    #[inline]
    pub fn find(&self, key: Key) -> Option<NodeId> {
        self.index.as_ref().and_then(|index| index.find(key))
    }

    /// Makes a node with these children, of which those with a node of their own are linked. Two moves to one node
    /// are one child.
    pub fn add(&mut self, kind: NodeKind, info: u64, key: Key, children: &[Slot]) -> NodeId {
        let (node, first) = (self.nodes.len() as NodeId, self.slots.len());
        self.nodes.push(Node { info, first: first as SlotId, parents: NONE, count: 0, kind, queued: false });
        if let Some(index) = &mut self.index {
            index.push(key);
        }
        for &slot in children {
            if slot.child != ABOVE && self.nodes[slot.child as usize].parents == node {
                continue;
            }
            self.slots.push(slot);
            if self.merges() {
                self.next.push(NONE);
            }
            if slot.child != ABOVE {
                self.enlist(node, self.slots.len() - 1);
            }
        }
        self.nodes[node as usize].count = (self.slots.len() - first) as u32;
        node
    }

    /// Puts `owner` at the head of the parents of the child in its slot.
    fn enlist(&mut self, owner: NodeId, slot: usize) {
        let child = self.slots[slot].child;
        let head = std::mem::replace(&mut self.nodes[child as usize].parents, owner);
        if self.merges() {
            self.next[slot] = head;
        }
    }

    /// Makes the leaf in `slot` of `owner` that node. Says no if `owner` leads there by another move already.
    pub fn link(&mut self, owner: NodeId, slot: SlotId, child: NodeId) -> bool {
        if self.children(owner).1.iter().any(|slot| slot.child == child) {
            return false;
        }
        self.slots[slot as usize].child = child;
        self.slots[slot as usize].info = self.nodes[child as usize].info;
        self.enlist(owner, slot as usize);
        true
    }

    /// Changes the numbers of a node and of all slots that lead to it; `queue` hears of every parent not yet queued.
    #[inline]
    pub fn change(&mut self, node: NodeId, info: u64, mut queue: impl FnMut(NodeId)) {
        self.nodes[node as usize].info = info;
        let mut parent = self.nodes[node as usize].parents;
        while parent != NONE {
            let (first, slots) = self.children(parent);
            let at = slots.iter().position(|slot| slot.child == node).expect("a parent leads to its child");
            let at = first as usize + at;
            self.slots[at].info = info;
            let owner = &mut self.nodes[parent as usize];
            if !std::mem::replace(&mut owner.queued, true) {
                queue(parent);
            }
            parent = if self.index.is_some() { self.next[at] } else { NONE };
        }
    }

    /// The node is no longer queued.
    #[inline]
    pub fn unqueue(&mut self, node: NodeId) {
        self.nodes[node as usize].queued = false;
    }

    /// Frees memory; all numbers of nodes and slots change but the root's slot. Solved nodes keep nothing below them
    /// and are themselves kept only in a graph, which may meet them again. A node that is given up becomes a leaf
    /// with the numbers it had.
    pub fn collect(&mut self, sweep: Sweep, solved: impl Fn(u64) -> bool) {
        let root = self.root().child;
        let mut reached = Numbers::new(self.nodes.len());
        let mut open = vec![ABOVE];
        while let Some(node) = open.pop() {
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
            let last: Vec<NodeId> = (1..self.nodes.len() as NodeId)
                .filter(|&node| {
                    reached.keeps(node) && (solved(self.nodes[node as usize].info) || bears_leaves(node))
                })
                .collect();
            last[..last.len().div_ceil(2)].iter().for_each(|&node| reached.drop(node));
        }
        self.slide(reached, solved);
    }

    /// Moves what is kept down onto what is not. Solved children are left out, but for the root's.
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
        if let Some(index) = &mut self.index {
            index.renumber(|old| if old == ABOVE { Some(ABOVE) } else { numbers.new_of(old) });
        }
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
    use super::*;
    use proofplay_core::Rng;

    const SOLVED: u64 = 999;

    /// Every child knows exactly its parents, and the index finds exactly the nodes.
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

    /// Grows a random graph and collects it again and again; what is reachable and open keeps its shape.
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
                    // Links to older nodes, in a graph: acyclic because such a node gets no new links below.
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
                graph.collect(Sweep::Dead, |info| info == SOLVED);
                check(&graph);
                assert_eq!(shape(&graph), before, "round {round}");
                if round % 4 == 3 {
                    graph.collect(Sweep::Forgotten, |info| info == SOLVED);
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

    #[test]
    fn sizes_are_as_documented() {
        assert_eq!((size_of::<Slot>(), size_of::<Node>()), (16, 24));
        let mut graph = Graph::new(false, 1 << 16);
        let slot = Slot { info: 1, child: ABOVE, code: 0 };
        let mut nodes = 0;
        while graph.fits(10) {
            graph.add(NodeKind::Or, 1, 0, &[slot; 10]);
            nodes += 1;
        }
        assert_eq!(nodes, ((1 << 16) - 40) / (24 + 160));
        assert!(graph.bytes() <= 1 << 16);
    }
}
