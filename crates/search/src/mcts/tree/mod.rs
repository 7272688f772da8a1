//! The tree: nodes in one arena, the children of a node side by side.
//!
//! The arena is reserved at once, but memory is only touched where nodes are; priors and AMAF
//! statistics are separate columns that exist only if a policy reads them.

mod node;
mod recycle;

pub use node::{Fields, Node, UNIT, Units, bits};

use crate::checkpoint::{Flaw, In, Out};
use node::{add, pack, units};
use proofplay_core::Bounds;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::sync::{Mutex, MutexGuard};
use std::{fmt, io};

/// The number of a node in the arena.
pub type Id = u32;

/// The root is always the first node.
pub const ROOT: Id = 0;

const MAKING: u32 = u32::MAX;

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
    /// Unused rooms of threads that have ended.
    rooms: Mutex<Vec<Room>>,
    priors: Vec<AtomicU32>,
    amaf: Vec<[AtomicU64; 2]>,
    /// A node could not get its children.
    full: AtomicBool,
}

/// How much of the arena is taken, on a separate cache line: it changes all the time, its
/// neighbours never do.
#[repr(align(128))]
struct Used {
    /// Nodes handed out, perhaps beyond the end.
    taken: AtomicU32,
    /// Nodes that were made, as far as threads have counted them.
    made: AtomicU64,
    /// Those among them that are no longer there.
    gone: AtomicU64,
}

/// Nodes that a thread has taken from the arena for itself, so that threads seldom contend for the
/// counter and their new nodes lie apart. A single thread takes just what it needs.
#[derive(Debug, Default)]
pub struct Room {
    next: Id,
    end: Id,
    /// Nodes made that the tree has not counted yet.
    made: u32,
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree").field("most_nodes", &self.nodes.len()).finish_non_exhaustive()
    }
}

impl Room {
    /// The size of a new room, where memory is not scarce.
    const CHUNK: u32 = 1024;
    /// Small trees have at least this many rooms.
    const ROOMS: usize = 16;
    /// Smaller rests are not reused.
    const LEAST: usize = 32;

    /// Nodes made since they were last counted.
    pub fn made(&self) -> u32 {
        self.made
    }

    fn left(&self) -> u32 {
        self.end - self.next
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
        // Far enough below the largest number that a counter beyond the end never wraps. A part is
        // left for the lists that [`Tree::recycle`] makes: 16 bytes for each block that stays.
        let length = ((bytes - bytes / 32) / per_node).clamp(1024, (MAKING - (1 << 28)) as usize);
        let column = |wanted| if wanted { length } else { 0 };
        let tree = Tree {
            nodes: reserve(length),
            used: Used { taken: AtomicU32::new(1), made: AtomicU64::new(1), gone: AtomicU64::new(0) },
            rooms: Mutex::default(),
            priors: reserve(column(columns.priors)),
            amaf: reserve(column(columns.amaf)),
            full: AtomicBool::new(false),
        };
        tree.nodes[0][1].store(pack(root, 0), Relaxed);
        tree
    }

    /// How many nodes were made, including those that are gone. Exact when no thread is at work.
    pub fn made(&self) -> u64 {
        self.used.made.load(Relaxed)
    }

    /// How many nodes there are. Exact when no thread is at work.
    pub fn used(&self) -> usize {
        self.made().saturating_sub(self.used.gone.load(Relaxed)) as usize
    }

    /// How much of the arena is taken.
    pub fn taken(&self) -> usize {
        (self.used.taken.load(Relaxed) as usize).min(self.nodes.len())
    }

    /// A block of `count` nodes side by side, if there is room.
    #[inline]
    fn take<const SHARED: bool>(&self, room: &mut Room, count: u32) -> Option<Id> {
        let first = if SHARED {
            if room.left() < count {
                let Room { next, end, .. } = self.new_room(count)?;
                (room.next, room.end) = (next, end);
            }
            let first = room.next;
            (room.left() >= count).then(|| {
                room.next += count;
                first
            })?
        } else {
            let first = self.used.taken.load(Relaxed);
            if first as usize + count as usize > self.nodes.len() {
                return None;
            }
            self.used.taken.store(first + count, Relaxed);
            first
        };
        room.made += count;
        Some(first)
    }

    /// A room for a thread that wants `count` nodes; a smaller one where the arena ends.
    #[cold]
    fn new_room(&self, count: u32) -> Option<Room> {
        let mut rooms = self.rooms();
        if let Some(i) = rooms.iter().position(|room| room.left() >= count) {
            return Some(rooms.swap_remove(i));
        }
        // The counter may pass the end, but never by much: a full arena is not taken from.
        let length = self.nodes.len();
        if self.taken() == length {
            return None;
        }
        let chunk = Room::CHUNK.min((length / Room::ROOMS) as u32).max(count);
        let first = self.used.taken.fetch_add(chunk, Relaxed);
        let end = (first as usize + chunk as usize).min(length) as u32;
        Some(Room { next: first.min(end), end, made: 0 })
    }

    fn rooms(&self) -> MutexGuard<'_, Vec<Room>> {
        self.rooms.lock().expect("no thread panics while it looks for room")
    }

    /// Counts what was made in a room.
    #[inline]
    pub fn count(&self, room: &mut Room) {
        if room.made > 0 {
            self.used.made.fetch_add(room.made.into(), Relaxed);
            room.made = 0;
        }
    }

    /// Counts what was made in a room, and releases the rest.
    pub fn give_back(&self, room: &mut Room) {
        self.count(room);
        let room = std::mem::take(room);
        if room.left() > 0 {
            self.rooms().push(room);
        }
    }

    /// Whether there is no room for more nodes, or hardly any.
    pub fn is_full(&self) -> bool {
        self.full.load(Relaxed)
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

    /// The first child of a node and all its children; none if it is a leaf (or just being
    /// expanded).
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

    /// Gives a leaf its children, which `fill` writes (move codes and bounds). Returns false
    /// without doing anything if there is no room or another thread has begun to do the same.
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

    /// Writes all nodes; no thread may be at work.
    pub fn save(&self, out: &mut Out) -> io::Result<()> {
        let taken = self.taken();
        out.u32(taken as u32)?;
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

    /// Reads nodes back into an empty tree with the same columns. Child indices are in range, but
    /// otherwise unchecked; a caller that has found out which nodes exist calls [`Tree::settle`].
    pub fn load(&mut self, from: &mut In) -> Result<(), Flaw> {
        let taken = from.u32()?;
        if taken as usize > self.nodes.len() {
            let per_node = self.bytes() / self.used();
            return Err(Flaw::Memory((taken as usize).saturating_mul(per_node)));
        }
        if taken == 0 {
            return Err(Flaw::Nonsense("there is no root"));
        }
        *self.used.taken.get_mut() = taken;
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

    /// After a [`Tree::load`]: makes everything that is no node available again.
    pub fn settle(&mut self, is_node: &[bool]) {
        let (mut at, mut nodes) = (0, 0);
        for part in is_node.chunk_by(|a, b| a == b) {
            let end = at + part.len();
            if part[0] {
                nodes += part.len() as u64;
            } else if part.len() >= Room::LEAST {
                self.rooms().push(Room { next: at as Id, end: end as Id, made: 0 });
            }
            at = end;
        }
        *self.used.made.get_mut() = nodes;
    }

    /// Halves all visits and sums of rewards; means stay. No other thread may use the tree
    /// meanwhile.
    pub fn halve(&self) {
        for node in &self.nodes[..self.taken()] {
            let (sum, seen) = (node[0].load(Relaxed), node[1].load(Relaxed));
            let half = (units(sum) >> 1) as u64;
            node[0].store(half << 16 | sum & 0xffff, Relaxed);
            node[1].store(seen & !u64::from(u32::MAX) | u64::from(seen as u32 >> 1), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::Score;

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

    #[test]
    fn a_full_arena_refuses() {
        let (tree, room) = (Tree::new(0, Columns::default(), Bounds::WDL), &mut Room::default());
        assert!(!tree.expand::<false>(room, ROOT, 1024, |_| (0, Bounds::WDL)));
        assert!(tree.expand::<true>(room, ROOT, 1000, |_| (0, Bounds::WDL)));
        let other = &mut Room::default();
        assert!(tree.expand::<true>(other, 1, 10, |_| (0, Bounds::WDL)));
        assert!(tree.expand::<true>(other, 2, 10, |_| (0, Bounds::WDL)));
        assert!(!tree.expand::<true>(other, 3, 10, |_| (0, Bounds::WDL)), "3 are left");
        assert!(!tree.expand::<true>(room, 3, 1, |_| (0, Bounds::WDL)), "the other thread has them");
        assert!(tree.expand::<true>(other, 3, 3, |_| (0, Bounds::WDL)));
        tree.give_back(room);
        tree.give_back(other);
        assert_eq!(tree.used(), 1024);
    }

    /// The next thread uses the rest of a room.
    #[test]
    fn rooms_are_used_again() {
        let tree = Tree::new(1 << 20, Columns::default(), Bounds::WDL);
        for i in 0..300 {
            let (mut room, leaf) = (Room::default(), 5 * i);
            assert!(tree.expand::<true>(&mut room, leaf, 5, |_| (0, Bounds::WDL)));
            assert_eq!(tree.used(), 5 * i as usize + 1, "not yet counted");
            tree.give_back(&mut room);
            assert_eq!(tree.used(), 5 * i as usize + 6);
        }
        assert_eq!(tree.taken(), 1 + 2 * Room::CHUNK as usize, "two rooms");
    }

    #[test]
    fn halves_keep_means() {
        let tree = Tree::new(0, Columns::default(), Bounds::WDL);
        let root = tree.node(ROOT);
        assert!(tree.expand::<false>(&mut Room::default(), ROOT, 300, |_| (7, Bounds::WDL)));
        root.add::<false>(u32::MAX, Units::of(-12.5));
        tree.halve();
        assert_eq!((root.visits(), root.sum(), root.bounds()), (u32::MAX / 2, -6.25, Bounds::WDL));
        assert_eq!((tree.children(ROOT).1.len(), tree.node(300).code()), (300, 7));
    }
}
