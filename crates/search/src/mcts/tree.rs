//! The tree: nodes of three atomic words in one arena, the children of a node side by side.
//!
//! ```text
//! word 0   sum of rewards, fixed point, 48 bits | number of children, 16 bits
//! word 1   opti 16 | pess 16 | visits 32
//! word 2   move 32 | first child 32 (0: none yet, MAKING: another thread is at it)
//! ```
//!
//! 24 bytes a node. All of it is in the view of `First`. The arena is reserved at once, but memory is only touched where
//! nodes are; priors and AMAF statistics are columns beside it that exist only if a policy asks for them. Alone, a
//! thread uses plain loads and stores; threads that share a tree use atomic additions, and bounds only ever tighten.

use crate::checkpoint::{Flaw, In, Out};
use proofplay_core::{Bounds, Score};
use std::io;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

/// The words of one node.
pub type Node = [AtomicU64; 3];

/// The number of a node in the arena.
pub type Id = u32;

/// The root is always the first node.
pub const ROOT: Id = 0;

const MAKING: u32 = u32::MAX;

/// Rewards are kept in units of 1 / 2^14: sums of 2^32 visits fit into 48 bits.
pub const UNIT: f64 = 1.0 / 16384.0;

/// A reward in units, placed above the 16 bits of the number of children.
#[derive(Copy, Clone, Default)]
pub struct Units(u64);

impl Units {
    /// A reward in units.
    #[inline]
    pub fn of(reward: f64) -> Units {
        Units((((reward * (1.0 / UNIT)).round() as i64) << 16) as u64)
    }
}

impl std::ops::Add for Units {
    type Output = Units;

    #[inline]
    fn add(self, other: Units) -> Units {
        Units(self.0.wrapping_add(other.0))
    }
}

/// Which columns a policy needs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Columns {
    /// A prior for every node.
    pub priors: bool,
    /// All-moves-as-first statistics.
    pub amaf: bool,
}

/// An arena of nodes.
pub struct Tree {
    nodes: Vec<Node>,
    used: Used,
    priors: Vec<AtomicU32>,
    amaf: Vec<[AtomicU64; 2]>,
    /// A node could not get its children.
    full: AtomicBool,
}

/// How much of the arena is taken, on a cache line of its own: it changes all the time, what is beside it never does.
#[repr(align(128))]
struct Used {
    /// Nodes handed out, perhaps beyond the end.
    taken: AtomicU32,
    /// Those among them that were given back without having been made.
    spare: AtomicU32,
    /// Nodes that were recycled.
    gone: AtomicU64,
}

/// Nodes that a thread has taken from the arena for itself, so that threads seldom meet at the counter and their new nodes
/// lie apart. Alone, a thread takes just what it needs.
#[derive(Default)]
pub struct Room {
    next: Id,
    end: Id,
}

impl Room {
    const CHUNK: u32 = 1024;
}

/// The fields of a node.
pub trait Fields {
    /// Simulations through the node.
    fn visits(&self) -> u32;
    /// The sum of their rewards, in the view of `First`.
    fn sum(&self) -> f64;
    /// What is certain.
    fn bounds(&self) -> Bounds;
    /// The code of the move that leads here.
    fn code(&self) -> u32;
    /// Visits and bounds in one look.
    fn seen(&self) -> (u32, Bounds);
    /// The sum of rewards in units of [`UNIT`].
    fn units(&self) -> i64;
    /// Adds visits and a reward to the node.
    fn add<const SHARED: bool>(&self, visits: u32, reward: Units);
    /// Tightens the bounds; whether that changed them.
    fn tighten<const SHARED: bool>(&self, bounds: Bounds) -> bool;
}

#[inline]
fn add<const SHARED: bool>(word: &AtomicU64, more: u64) {
    if SHARED {
        word.fetch_add(more, Relaxed);
    } else {
        word.store(word.load(Relaxed).wrapping_add(more), Relaxed);
    }
}

#[inline]
fn units(word: u64) -> i64 {
    word as i64 >> 16
}

#[inline]
fn pack(bounds: Bounds, visits: u32) -> u64 {
    u64::from(bounds.opti.0 as u16) << 48 | u64::from(bounds.pess.0 as u16) << 32 | u64::from(visits)
}

#[inline]
fn unpack(word: u64) -> Bounds {
    Bounds { pess: Score((word >> 32) as i16), opti: Score((word >> 48) as i16) }
}

impl Fields for Node {
    #[inline]
    fn visits(&self) -> u32 {
        self[1].load(Relaxed) as u32
    }

    #[inline]
    fn sum(&self) -> f64 {
        self.units() as f64 * UNIT
    }

    #[inline]
    fn units(&self) -> i64 {
        units(self[0].load(Relaxed))
    }

    #[inline]
    fn seen(&self) -> (u32, Bounds) {
        let word = self[1].load(Relaxed);
        (word as u32, unpack(word))
    }

    #[inline]
    fn bounds(&self) -> Bounds {
        unpack(self[1].load(Relaxed))
    }

    #[inline]
    fn code(&self) -> u32 {
        (self[2].load(Relaxed) >> 32) as u32
    }

    #[inline]
    fn add<const SHARED: bool>(&self, visits: u32, reward: Units) {
        add::<SHARED>(&self[0], reward.0);
        if visits > 0 {
            add::<SHARED>(&self[1], u64::from(visits));
        }
    }

    #[inline]
    fn tighten<const SHARED: bool>(&self, bounds: Bounds) -> bool {
        let mut old = self[1].load(Relaxed);
        loop {
            let new = unpack(old).tighten(bounds);
            if new == unpack(old) {
                return false;
            }
            let word = pack(new, old as u32);
            if !SHARED {
                self[1].store(word, Relaxed);
                return true;
            }
            match self[1].compare_exchange_weak(old, word, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(now) => old = now,
            }
        }
    }
}

/// A zeroed list that touches no memory yet.
fn reserve<T: bytemuck::Zeroable>(length: usize) -> Vec<T> {
    bytemuck::zeroed_vec(length)
}

impl Tree {
    /// An arena of at most `bytes` bytes with an unvisited root.
    pub fn new(bytes: usize, columns: Columns, root: Bounds) -> Tree {
        let per_node =
            size_of::<Node>() + if columns.priors { 4 } else { 0 } + if columns.amaf { 16 } else { 0 };
        // Far enough below the largest number that a counter beyond the end never wraps.
        let length = (bytes / per_node).clamp(1024, (MAKING - (1 << 28)) as usize);
        let column = |wanted| if wanted { length } else { 0 };
        let tree = Tree {
            nodes: reserve(length),
            used: Used { taken: AtomicU32::new(1), spare: AtomicU32::new(0), gone: AtomicU64::new(0) },
            priors: reserve(column(columns.priors)),
            amaf: reserve(column(columns.amaf)),
            full: AtomicBool::new(false),
        };
        tree.nodes[0][1].store(pack(root, 0), Relaxed);
        tree
    }

    /// How many nodes were made, those included that were recycled.
    pub fn made(&self) -> u64 {
        self.used() as u64 + self.used.gone.load(Relaxed)
    }

    /// How many nodes there are, or may be made by threads at work.
    pub fn used(&self) -> usize {
        // A thread may give back room in a tree that was recycled meanwhile.
        self.taken().saturating_sub(self.used.spare.load(Relaxed) as usize)
    }

    /// How much of the arena is taken.
    pub fn taken(&self) -> usize {
        (self.used.taken.load(Relaxed) as usize).min(self.nodes.len())
    }

    /// A block of `count` nodes side by side, if there is room.
    #[inline]
    fn take<const SHARED: bool>(&self, room: &mut Room, count: u32) -> Option<Id> {
        if !SHARED {
            let first = self.used.taken.load(Relaxed);
            let fits = first as usize + count as usize <= self.nodes.len();
            return fits.then(|| {
                self.used.taken.store(first + count, Relaxed);
                first
            });
        }
        if room.end - room.next < count {
            // The counter may end up beyond the end, but never far beyond: nobody takes from an arena that is full.
            if self.taken() == self.nodes.len() {
                return None;
            }
            self.give_back(room);
            let chunk = Room::CHUNK.max(count);
            let first = self.used.taken.fetch_add(chunk, Relaxed);
            let end = (first as usize + chunk as usize).min(self.nodes.len()) as u32;
            *room = Room { next: first.min(end), end };
        }
        (room.end - room.next >= count).then(|| {
            room.next += count;
            room.next - count
        })
    }

    /// Whether there is no room for more nodes, or hardly any.
    pub fn is_full(&self) -> bool {
        self.full.load(Relaxed)
    }

    /// Tells that a thread will make no more nodes in its room.
    pub fn give_back(&self, room: &mut Room) {
        self.used.spare.fetch_add(room.end - room.next, Relaxed);
        room.next = room.end;
    }

    /// Bytes of memory that are in use.
    pub fn bytes(&self) -> usize {
        let per = |used: bool, size| if used { size } else { 0 };
        let columns = per(!self.priors.is_empty(), 4) + per(!self.amaf.is_empty(), 16);
        self.used() * (size_of::<Node>() + columns)
    }

    /// A node.
    #[inline]
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    /// The first child of a node and all its children; none if it is a leaf (or just being expanded).
    #[inline]
    pub fn children(&self, id: Id) -> (Id, &[Node]) {
        let node = self.node(id);
        let first = node[2].load(Acquire) as u32;
        if first == 0 || first == MAKING {
            return (0, &[]);
        }
        let count = node[0].load(Relaxed) as u16;
        (first, &self.nodes[first as usize..][..usize::from(count)])
    }

    /// Gives a leaf its children, which `fill` writes (move codes and bounds). Returns false without doing anything if
    /// there is no room or another thread has begun to do the same.
    pub fn expand<const SHARED: bool>(
        &self,
        room: &mut Room,
        id: Id,
        count: usize,
        mut fill: impl FnMut(usize) -> (u32, Bounds),
    ) -> bool {
        debug_assert!(count > 0);
        let node = self.node(id);
        let leaf = node[2].load(Relaxed);
        if leaf as u32 != 0 || count > usize::from(u16::MAX) {
            return false;
        }
        let making = leaf | u64::from(MAKING);
        if SHARED && node[2].compare_exchange(leaf, making, Acquire, Relaxed).is_err() {
            return false;
        }
        let Some(first) = self.take::<SHARED>(room, count as u32) else {
            node[2].store(leaf, Release);
            self.full.store(true, Relaxed);
            return false;
        };
        for (i, child) in self.nodes[first as usize..][..count].iter().enumerate() {
            let (code, bounds) = fill(i);
            child[0].store(0, Relaxed);
            child[1].store(pack(bounds, 0), Relaxed);
            child[2].store(u64::from(code) << 32, Relaxed);
        }
        add::<SHARED>(&node[0], count as u64);
        node[2].store(leaf | u64::from(first), Release);
        true
    }

    /// The prior of a node.
    #[inline]
    pub fn prior(&self, id: Id) -> f32 {
        f32::from_bits(self.priors[id as usize].load(Relaxed))
    }

    /// Writes the prior of a node.
    pub fn set_prior(&self, id: Id, prior: f32) {
        self.priors[id as usize].store(prior.to_bits(), Relaxed);
    }

    /// Whether nodes have priors.
    pub fn has_priors(&self) -> bool {
        !self.priors.is_empty()
    }

    /// Visits and mean of the all-moves-as-first statistics of a node, in the view of `First`.
    #[inline]
    pub fn amaf(&self, id: Id) -> (f32, f32) {
        let [sum, visits] = &self.amaf[id as usize];
        let visits = visits.load(Relaxed) as f32;
        (visits, if visits > 0.0 { units(sum.load(Relaxed)) as f32 * UNIT as f32 / visits } else { 0.0 })
    }

    /// Adds a reward to the all-moves-as-first statistics of a node.
    #[inline]
    pub fn add_amaf<const SHARED: bool>(&self, id: Id, reward: Units) {
        add::<SHARED>(&self.amaf[id as usize][0], reward.0);
        add::<SHARED>(&self.amaf[id as usize][1], 1);
    }

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
        }
        let taken = self.taken();
        let mut blocks = Vec::new();
        let mut open = vec![new_root];
        while let Some(id) = open.pop() {
            let (first, children) = self.children(id);
            if !children.is_empty() {
                let count = children.len() as u32;
                blocks.push(Block { first, count, parent: id });
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
        let (mut moved, mut next) = (Vec::with_capacity(blocks.len()), 1);
        for block in &blocks {
            for i in 0..block.count {
                self.copy(block.first + i, next + i);
            }
            moved.push(next);
            next += block.count;
        }
        for (block, &first) in blocks.iter().zip(&moved) {
            // Where the parent is now: in the last block that started at or before it.
            let parent = if block.parent == new_root {
                ROOT
            } else {
                let at = blocks.partition_point(|other| other.first <= block.parent) - 1;
                moved[at] + (block.parent - blocks[at].first)
            };
            let parent = &self.nodes[parent as usize];
            let code = parent[2].load(Relaxed) & !u64::from(u32::MAX);
            parent[2].store(code | u64::from(first), Relaxed);
        }
        for id in next..taken as u32 {
            self.clear(id);
        }
        self.used.taken.store(next, Relaxed);
        self.used.spare.store(0, Relaxed);
        self.full.store(false, Relaxed);
    }

    /// Writes all nodes; no thread may be at work.
    pub fn save(&self, out: &mut Out) -> io::Result<()> {
        let taken = self.taken();
        out.u32(taken as u32)?;
        out.u32(self.used.spare.load(Relaxed))?;
        for word in self.nodes[..taken].iter().flatten() {
            out.u64(word.load(Relaxed))?;
        }
        for prior in self.priors.iter().take(taken) {
            out.u32(prior.load(Relaxed))?;
        }
        for word in self.amaf.iter().take(taken).flatten() {
            out.u64(word.load(Relaxed))?;
        }
        Ok(())
    }

    /// Reads nodes back into an empty tree with the same columns. Children are where nodes are, but may be anything.
    pub fn load(&mut self, from: &mut In) -> Result<(), Flaw> {
        let (taken, spare) = (from.u32()?, from.u32()?);
        if taken as usize > self.nodes.len() {
            let per_node = self.bytes() / self.used();
            return Err(Flaw::Memory((taken as usize).saturating_mul(per_node)));
        }
        if taken == 0 || spare >= taken {
            return Err(Flaw::Nonsense("there is no root"));
        }
        self.used =
            Used { taken: AtomicU32::new(taken), spare: AtomicU32::new(spare), gone: AtomicU64::new(0) };
        let taken = taken as usize;
        for node in &self.nodes[..taken] {
            let words = [from.u64()?, from.u64()?, from.u64()?];
            let (first, count) = (words[2] as u32 as usize, usize::from(words[0] as u16));
            if (first == 0) != (count == 0) || first + count > taken {
                return Err(Flaw::Nonsense("a node has children where there are none"));
            }
            node.iter().zip(words).for_each(|(place, word)| place.store(word, Relaxed));
        }
        for prior in self.priors.iter().take(taken) {
            prior.store(from.u32()?, Relaxed);
        }
        for word in self.amaf.iter().take(taken).flatten() {
            word.store(from.u64()?, Relaxed);
        }
        Ok(())
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
    use super::*;

    #[test]
    fn fields_do_not_disturb_each_other() {
        let tree = Tree::new(1 << 16, Columns { priors: true, amaf: true }, Bounds::WDL);
        let (root, mut room) = (tree.node(ROOT), Room::default());
        for _ in 0..3 {
            root.add::<false>(1, Units::of(-1.0));
        }
        root.add::<true>(1, Units::of(0.25));
        assert_eq!((root.visits(), root.sum(), root.bounds()), (4, -2.75, Bounds::WDL));
        assert!(tree.expand::<false>(&mut room, ROOT, 300, |i| (
            i as u32 + 7,
            Bounds::new(Score(-300), Score(i as i16))
        )));
        assert!(!tree.expand::<false>(&mut room, ROOT, 1, |_| unreachable!()), "only once");
        assert_eq!((root.visits(), root.sum()), (4, -2.75));
        let (first, children) = tree.children(ROOT);
        assert_eq!((first, children.len()), (1, 300));
        assert_eq!((children[299].code(), children[299].bounds().opti), (306, Score(299)));
        assert!(root.tighten::<true>(Bounds::exact(Score::DRAW)));
        assert!(!root.tighten::<false>(Bounds::WDL), "bounds do not loosen");
        assert_eq!((root.visits(), root.sum(), root.bounds()), (4, -2.75, Bounds::exact(Score::DRAW)));
        tree.set_prior(5, 0.5);
        tree.add_amaf::<true>(5, Units::of(-0.5));
        assert_eq!((tree.prior(5), tree.amaf(5), tree.amaf(6)), (0.5, (1.0, -0.5), (0.0, 0.0)));
    }

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

    #[test]
    fn a_full_arena_refuses() {
        let (tree, room) = (Tree::new(0, Columns::default(), Bounds::WDL), &mut Room::default());
        assert!(!tree.expand::<false>(room, ROOT, 1024, |_| (0, Bounds::WDL)));
        assert!(tree.expand::<true>(room, ROOT, 1000, |_| (0, Bounds::WDL)));
        assert!(
            !tree.expand::<true>(&mut Room::default(), 1, 1, |_| (0, Bounds::WDL)),
            "one thread took all"
        );
        assert!(tree.expand::<true>(room, 1, 23, |_| (0, Bounds::WDL)));
        assert!(!tree.expand::<true>(room, 2, 1, |_| (0, Bounds::WDL)));
        assert_eq!(tree.used(), 1024);
    }
}
