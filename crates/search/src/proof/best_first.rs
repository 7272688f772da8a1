//! The generic best-first proof search: descend to the most proving leaf, expand it, update its
//! ancestors.
//!
//! Saffidine & Cazenave \[SC13\], Algorithm 1; with transpositions: Schijf, Allis & Uiterwijk,
//! "Proof-number search and transpositions", ICCA Journal 1994 \[SAU94\].
//!
//! Paper -> here: bfs -> [`BestFirst::run`]; the inner loop with select-child -> `descend`; extend
//! -> `expand`; backpropagate -> `update`; the state q of a node -> replayed from the root, never
//! stored.
//!
//! Invariant: after every round each node's numbers are those that its children give
//! ([`Info::combine`]), and a node is solved only if the rules say so: no loop, no rounding and no
//! lack of memory can close an open node.
//!
//! Differs from the paper:
//! - A child is checked for the end of the game when it is made. With mobility the paper's numbers
//!   agree: no move is 1 - 1/2^0 = 0.
//! - Children that are solved and do not decide are not stored, and a node that is decided at once
//!   stores none; only the root stores all. The numbers are the same without them.
//! - In a graph, leaves meet when they are expanded, not when they are made (see [`super::graph`]).
//!   Measured on the boards of the paper, PPT needs the same expansions (within 0.2 %), PNT 3 to 40
//!   % more; the store is half as large.
//! - All parents are updated in the order in which they were reached, each again until nothing
//!   changes. A graph that counts leaves twice changes the numbers, never a proof, and the loop
//!   ends because no position repeats.

use super::collect::Sweep;
use super::goal::{Goal, Judge};
use super::graph::{ABOVE, Graph, NodeId, ROOT, Slot, SlotId};
use super::info::{Info, NodeKind, Status, is_solved};
use super::leaf::{Init, Leaves};
use crate::watch::Watch;
use proofplay_core::{Extras, Key, Move, Position};
use std::collections::VecDeque;
use std::marker::PhantomData;

/// Why a search came back.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The root is solved.
    Solved,
    /// It made as many nodes as it was allowed.
    Enough,
    /// A limit was reached, or it is to pause.
    Limit,
    /// Memory is full of what must not be given up.
    Memory,
}

/// What may still be spent, by all searches of one call together.
pub struct Spending {
    /// Watches clock and stop flag.
    pub watch: Watch,
    /// Nodes made so far.
    pub nodes: u64,
}

impl Spending {
    /// Called once a round: a round may make no nodes.
    fn is_over(&mut self) -> bool {
        let most = self.watch.limits().nodes;
        self.watch.step(1) || most.is_some_and(|most| self.nodes >= most)
    }

    fn allows(&self, more: usize) -> bool {
        self.watch.limits().nodes.is_none_or(|most| self.nodes + more as u64 <= most)
    }
}

/// What a search has done so far.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Positions whose children were made.
    pub expansions: u64,
    /// Their children, checked or not, merged or not: what the paper counts.
    pub nodes: u64,
    /// The most children that were stored at a time.
    pub stored: usize,
    /// The most bytes that were in use at a time.
    pub bytes: usize,
}

/// One ply of a descent: a slot of a node, and the position it leads to.
struct Step<P> {
    owner: NodeId,
    slot: SlotId,
    /// The numbers of the slot on the way down.
    info: u64,
    pos: P,
    /// The position's key; 0 in a tree, which needs none.
    key: Key,
}

/// What became of a leaf.
enum Growth {
    Done,
    /// There is no room for its children.
    Full,
    /// The search must end.
    Stop(Ended),
}

/// A search for a goal of one position at a time.
pub struct BestFirst<P: Position, I: Info> {
    pub(super) leaves: Leaves<P>,
    pub(super) graph: Graph,
    symmetry: bool,
    /// Searches a leaf before it is expanded (PN², PP²).
    pub(super) second: Option<Box<BestFirst<P, I>>>,
    path: Vec<Step<P>>,
    work: VecDeque<NodeId>,
    moves: Vec<P::Move>,
    buf: Vec<P::Move>,
    /// The children being made, and their keys.
    pub(super) made: Vec<Slot>,
    keys: Vec<Key>,
    stats: Stats,
    /// Nodes made for the present root and goal.
    since_start: u64,
    info: PhantomData<I>,
}

impl<P: Position, I: Info> BestFirst<P, I> {
    /// A search that stores a tree, or a graph if `merging`, in at most `bytes` bytes. It uses the
    /// facts of `extras`, and only their sets of moves that contain a best one.
    pub fn new(goal: Goal, init: Init, extras: Extras<P>, merging: bool, bytes: usize) -> Self {
        BestFirst {
            leaves: Leaves { judge: Judge::new(goal), init, extras },
            graph: Graph::new(merging, bytes),
            symmetry: false,
            second: None,
            path: Vec::new(),
            work: VecDeque::new(),
            moves: Vec::new(),
            buf: Vec::new(),
            made: Vec::new(),
            keys: Vec::new(),
            stats: Stats::default(),
            since_start: 0,
            info: PhantomData,
        }
    }

    /// Positions that are images of each other meet too. Only for a graph.
    pub fn with_symmetry(mut self, symmetry: bool) -> Self {
        debug_assert!(self.graph.merges() || !symmetry);
        self.symmetry = symmetry;
        self
    }

    /// Starts on another position that is not over, or for another goal of the same player. A graph
    /// keeps the nodes that are solved for the new goal too.
    pub fn start(&mut self, pos: &P, goal: Goal) {
        self.remember_peak();
        let (judge, carries) = self.leaves.judge.carry_to(goal);
        self.leaves.judge = if self.graph.merges() { judge } else { Judge::new(goal) };
        let root = self.leaves.open::<I>(pos, &mut self.buf).to_bits();
        self.graph.restart(root, &|info| carries(I::from_bits(info).status()));
        self.since_start = 0;
        let key = if self.graph.merges() { pos.key() } else { 0 };
        self.path.clear();
        self.path.push(Step { owner: ABOVE, slot: ROOT, info: root, pos: pos.clone(), key });
    }

    /// The key under which a position is stored, given its own.
    #[inline]
    pub(super) fn own_key(&self, pos: &P, key: Key) -> Key {
        if self.symmetry { pos.canonical_key(key) } else { key }
    }

    /// Whether images of positions meet.
    pub(super) fn symmetry(&self) -> bool {
        self.symmetry
    }

    /// What is known of the root.
    pub fn status(&self) -> Status {
        self.root_info().status()
    }

    /// The numbers of the root.
    pub fn root_info(&self) -> I {
        I::from_bits(self.graph.root().info)
    }

    /// The judge of the present goal.
    pub fn judge(&self) -> &Judge {
        &self.leaves.judge
    }

    /// The position at the root.
    pub fn root(&self) -> &P {
        &self.path[0].pos
    }

    /// What was done so far, for all roots and goals together. Of two levels, only the first.
    pub fn stats(&self) -> Stats {
        let second = self.second.as_ref().map_or(0, |second| second.stats().bytes);
        Stats {
            stored: self.stats.stored.max(self.graph.stored()),
            bytes: self.stats.bytes.max(self.graph.bytes()) + second,
            ..self.stats
        }
    }

    fn remember_peak(&mut self) {
        self.stats.stored = self.stats.stored.max(self.graph.stored());
        self.stats.bytes = self.stats.bytes.max(self.graph.bytes());
    }

    /// Goes back to the root, so that nodes may move.
    pub(super) fn rest(&mut self) {
        self.remember_peak();
        self.path.truncate(1);
    }

    /// Call it after the graph was replaced by one from a checkpoint.
    pub(super) fn resume_after(&mut self, since_start: u64) {
        self.since_start = since_start;
        self.path[0].info = self.graph.root().info;
    }

    /// Nodes made since the last [`BestFirst::start`].
    pub(super) fn since_start(&self) -> u64 {
        self.since_start
    }

    /// Searches until the root is solved, `enough` nodes were made since the start, the budget is
    /// spent, or `pause`, called before every round, returns true.
    pub fn run(
        &mut self,
        enough: u64,
        budget: &mut Spending,
        pause: &mut dyn FnMut(&Self, &mut Spending) -> bool,
    ) -> Ended {
        loop {
            if self.status().is_solved() {
                return Ended::Solved;
            }
            if self.since_start >= enough {
                return Ended::Enough;
            }
            if budget.is_over() || pause(self, budget) {
                return Ended::Limit;
            }
            self.descend();
            match self.expand(budget) {
                Growth::Done => self.climb(),
                Growth::Full => {
                    if let Some(ended) = self.make_room(budget) {
                        return ended;
                    }
                }
                Growth::Stop(ended) => return ended,
            }
        }
    }

    /// Follows the preferred children from the end of the path down to a leaf.
    fn descend(&mut self) {
        while let Some(last) = self.path.last() {
            let node = self.graph.slot(last.slot).child;
            if node == ABOVE {
                return;
            }
            let (slot, Slot { info, code, .. }) = self.preferred(node);
            debug_assert!(!I::from_bits(info).status().is_solved(), "an open node has an open child");
            let (pos, key) = self.step(&last.pos, last.key, P::Move::from_code(code));
            self.path.push(Step { owner: node, slot, info, pos, key });
            // No position repeats: otherwise a descent might never end.
            let most = self.graph.nodes.len();
            assert!(
                self.path.len() <= most,
                "a line of play meets a position twice: does the game repeat positions although `Position::repeats` is false?"
            );
        }
    }

    /// The position after a move as it is stored (perhaps an image), and its key.
    #[inline]
    pub(super) fn step(&self, pos: &P, key: Key, mv: P::Move) -> (P, Key) {
        let key = if self.graph.merges() { pos.key_after(key, mv) } else { 0 };
        let pos = pos.after(mv);
        if self.symmetry {
            // A node's moves are those of the image that all paths to it agree on.
            let pos = pos.canonical();
            let key = pos.key();
            return (pos, key);
        }
        (pos, key)
    }

    /// The child to descend into; among equals the first.
    #[inline]
    pub(super) fn preferred(&self, node: NodeId) -> (SlotId, Slot) {
        let (kind, _) = self.graph.node(node);
        let (first, slots) = self.graph.children(node);
        let mut best = 0;
        for (i, slot) in slots.iter().enumerate().skip(1) {
            if I::before(kind, I::from_bits(slot.info), I::from_bits(slots[best].info)) {
                best = i;
            }
        }
        (first + best as SlotId, slots[best])
    }

    /// Gives the leaf at the end of the path its children, or links it to the node that has them
    /// already.
    fn expand(&mut self, budget: &mut Spending) -> Growth {
        let Some(&Step { owner, slot, ref pos, key, .. }) = self.path.last() else { return Growth::Done };
        let own_key = self.own_key(pos, key);
        if let Some(node) = self.graph.find(own_key) {
            self.meet(owner, slot, node);
            return Growth::Done;
        }
        self.moves.clear();
        // The root reports all its moves, also on the second level.
        if let Some(facts) = &self.leaves.extras.facts
            && owner != ABOVE
            && self.second.is_none()
        {
            facts.enough(pos, &mut self.moves);
        }
        if self.moves.is_empty() {
            pos.moves(&mut self.moves);
        }
        if !budget.allows(self.moves.len()) {
            return Growth::Stop(Ended::Limit);
        }
        if !self.graph.fits(self.moves.len()) {
            return Growth::Full;
        }
        let (kind, is_root) = (self.leaves.kind(pos), owner == ABOVE);
        let info = if self.second.is_some() {
            let pos = pos.clone();
            match self.look_ahead(&pos, budget) {
                Ended::Solved | Ended::Enough => self.combine_made(kind, is_root),
                ended => return Growth::Stop(ended),
            }
        } else {
            budget.nodes += self.moves.len() as u64;
            self.make_children(kind, is_root)
        };
        self.stats.expansions += 1;
        self.stats.nodes += self.moves.len() as u64;
        self.since_start = self.since_start.saturating_add(self.moves.len() as u64);
        let solved = I::from_bits(info).status().is_solved() && !is_root;
        if solved {
            self.graph.set_info(slot, info);
            if self.graph.merges() {
                self.graph.add(kind, info, own_key, &[]);
            }
        } else {
            let node = self.graph.add(kind, info, own_key, &self.made);
            self.graph.link(owner, slot, node);
        }
        Growth::Done
    }

    /// Makes the children of the position at the end of the path, one for each of `moves`, and
    /// writes those worth storing into `made`.
    fn make_children(&mut self, kind: NodeKind, is_root: bool) -> u64 {
        let BestFirst { graph, leaves, path, moves, buf, made, keys, symmetry, .. } = self;
        let Some(Step { pos, key, .. }) = path.last() else { return 0 };
        made.clear();
        keys.clear();
        for &mv in moves.iter() {
            let child = pos.after(mv);
            let mut node = ABOVE;
            let info = match leaves.status(&child) {
                Status::Open if graph.merges() => {
                    let key = pos.key_after(*key, mv);
                    let key = if *symmetry { child.canonical_key(key) } else { key };
                    if *symmetry && !is_root {
                        if keys.contains(&key) {
                            continue;
                        }
                        keys.push(key);
                    }
                    node = graph.find(key).unwrap_or(ABOVE);
                    if node == ABOVE { leaves.open(&child, buf) } else { I::from_bits(graph.node(node).1) }
                }
                Status::Open => leaves.open(&child, buf),
                status => I::solved(status == Status::Proven),
            };
            let status = info.status();
            if status.decides(kind) && !is_root {
                made.clear();
                return info.to_bits();
            }
            if status.is_solved() {
                if !is_root {
                    continue;
                }
                node = ABOVE;
            }
            made.push(Slot { info: info.to_bits(), child: node, code: mv.code() });
        }
        self.combine_made(kind, is_root)
    }

    /// The numbers of a node with the children in `made`, of which only those that matter stay,
    /// except at the root.
    fn combine_made(&mut self, kind: NodeKind, is_root: bool) -> u64 {
        let info = I::combine(kind, self.made.iter().map(|slot| I::from_bits(slot.info)));
        if !is_root {
            self.made.retain(|slot| !I::from_bits(slot.info).status().is_solved());
        }
        info.to_bits()
    }

    /// A leaf turns out to be a position that was expanded on another path.
    fn meet(&mut self, owner: NodeId, slot: SlotId, node: NodeId) {
        let (_, info) = self.graph.node(node);
        if I::from_bits(info).status().is_solved() {
            self.graph.set_info(slot, info);
        } else if !self.graph.link(owner, slot, node) {
            // Two moves to the same position: the second adds nothing.
            let nothing = I::solved(self.graph.node(owner).0 == NodeKind::And);
            self.graph.set_info(slot, nothing.to_bits());
        }
    }

    /// Updates the ancestors of the leaf at the end of the path and leaves as much of the path as
    /// still holds.
    fn climb(&mut self) {
        let Some(&Step { owner, .. }) = self.path.last() else { return };
        self.update(owner);
        let graph = &self.graph;
        let changed = self.path.iter().position(|step| graph.slot(step.slot).info != step.info);
        // Where a child has changed, its parent must choose again.
        self.path.truncate(changed.unwrap_or(self.path.len()).max(1));
        self.path[0].info = graph.root().info;
    }

    /// Recomputes a node and all that changes with it.
    fn update(&mut self, node: NodeId) {
        let (graph, work) = (&mut self.graph, &mut self.work);
        work.push_back(node);
        while let Some(node) = work.pop_front() {
            graph.unqueue(node);
            if node == ABOVE {
                continue;
            }
            let (kind, old) = graph.node(node);
            if I::from_bits(old).status().is_solved() {
                continue;
            }
            let children = graph.children(node).1.iter().map(|slot| I::from_bits(slot.info));
            let new = I::combine(kind, children).to_bits();
            if new != old {
                graph.change(node, new, |parent| work.push_back(parent));
            }
        }
    }

    /// Frees memory until a quarter is free: first what is below solved nodes, then what the search
    /// has not visited for long. The search ends if that is not enough for the current leaf, or if
    /// a limit is reached first.
    fn make_room(&mut self, budget: &mut Spending) -> Option<Ended> {
        self.rest();
        let enough = self.graph.most_bytes() / 4 * 3;
        for sweep in std::iter::once(Sweep::Dead).chain([Sweep::Forgotten; 16]) {
            self.graph.collect(sweep, is_solved::<I>, &mut || budget.watch.is_over_now());
            if budget.watch.is_over_now() {
                return Some(Ended::Limit);
            }
            if self.graph.bytes() <= enough {
                return (!self.graph.fits(self.moves.len())).then_some(Ended::Memory);
            }
        }
        Some(Ended::Memory)
    }
}
