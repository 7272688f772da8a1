//! The store of a best-first search: a tree, or a graph in which paths to the same position meet.
//!
//! ```text
//! slot   info 8 | child 4 | move 4          one per open child, side by side; child 0: a leaf
//! node   info 8 | first slot 4 | parents 4 | number of slots 4 | kind, queued
//! graph  next parent 4 per slot; key 16 and 10 to 22 bytes of table per node
//! ```
//!
//! Only expanded positions are nodes. A leaf is only its slot in its parent's block: 16 bytes, and
//! most of a tree is leaves. Numbers are stored where they are read: a slot repeats its child's, so
//! updating a node reads one block.
//!
//! A tree is a graph that never merges. A graph finds expanded positions by their keys, both when a
//! child is made and when a leaf is about to be expanded: a leaf that was expanded on another path
//! meanwhile is linked instead. The parents of a node are a list through the slots that lead to it:
//! `node.parents` is the first parent, and the next one stands beside that parent's slot.
//!
//! Node 0 stands above the root, and slot 0 is its only slot: the root's. Nodes and blocks are made
//! in the same order, which lets [`Graph::collect`] move what is worth keeping together, in place,
//! when memory is short.

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
pub(super) const NONE: NodeId = u32::MAX;

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
pub(super) struct Node {
    pub(super) info: u64,
    pub(super) first: SlotId,
    /// The first of the parents.
    pub(super) parents: NodeId,
    pub(super) count: u32,
    kind: NodeKind,
    /// Waits to be updated.
    queued: bool,
}

/// A tree or a graph.
pub struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) slots: Vec<Slot>,
    /// For every slot the next parent of its child; empty in a tree.
    pub(super) next: Vec<NodeId>,
    /// `None` in a tree.
    pub(super) index: Option<Index>,
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

    /// Makes a node with these children, of which those that have nodes are linked. Two moves to
    /// one node are one child.
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

    /// Makes a node with just these children, which may lead to nodes that are made later. Call
    /// [`Graph::find_parents`] when all are made.
    pub(super) fn append(&mut self, kind: NodeKind, info: u64, key: Key, children: &[Slot]) {
        let (first, count) = (self.slots.len() as SlotId, children.len() as u32);
        self.nodes.push(Node { info, first, parents: NONE, count, kind, queued: false });
        self.slots.extend_from_slice(children);
        if let Some(index) = &mut self.index {
            index.push(key);
            self.next.resize(self.slots.len(), NONE);
        }
    }

    /// Puts `owner` at the head of the parents of the child in its slot.
    pub(super) fn enlist(&mut self, owner: NodeId, slot: usize) {
        let child = self.slots[slot].child;
        let head = std::mem::replace(&mut self.nodes[child as usize].parents, owner);
        if self.merges() {
            self.next[slot] = head;
        }
    }

    /// Links the leaf in `slot` of `owner` to that node. Returns false if another move of `owner`
    /// leads there already.
    pub fn link(&mut self, owner: NodeId, slot: SlotId, child: NodeId) -> bool {
        if self.children(owner).1.iter().any(|slot| slot.child == child) {
            return false;
        }
        self.slots[slot as usize].child = child;
        self.slots[slot as usize].info = self.nodes[child as usize].info;
        self.enlist(owner, slot as usize);
        true
    }

    /// Changes the numbers of a node and of all slots that lead to it; `queue` is called with every
    /// parent not yet queued.
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
}

#[cfg(test)]
mod tests {
    use super::*;

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
