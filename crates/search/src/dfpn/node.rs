//! One thread's search: multiple iterative deepening by thresholds.

use super::Config;
use super::path::{GROUND, Lean, NOTHING, Path};
use super::table::Numbers;
use super::threshold::Threshold;
use crate::abdada::Busy;
use crate::distance::Scoring;
use crate::proof::{Goal, Judge, Leaves, NodeKind, Status};
use crate::watch::Watch;
use proofplay_core::{Bounds, Extras, Key, Position, Score, guard, mix};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a thread reuses from goal to goal.
pub struct Worker<P: Position, I: Threshold> {
    config: Config,
    extras: Extras<P>,
    pub scoring: Scoring,
    /// What has been seen for each goal asked so far.
    judges: Vec<Judge>,
    watch: Watch,
    /// Moves, and children with their numbers: stacks shared by all plies.
    moves: Vec<P::Move>,
    children: Vec<Child<P::Move, I>>,
    path: Path,
    pub nodes: u64,
    most_nodes: Option<u64>,
}

/// A child of a node on the path.
#[derive(Copy, Clone)]
struct Child<M, I> {
    mv: M,
    key: Key,
    info: I,
    lean: Lean,
}

/// The tables that threads share.
#[derive(Copy, Clone)]
pub struct Tables<'a> {
    /// What is true on any path, and numbers of open positions.
    pub numbers: &'a Numbers,
    /// Where positions repeat: results on a path, with what they lean on.
    pub paths: &'a Numbers,
}

/// A thread at work on one goal.
struct Search<'a, P: Position, I: Threshold> {
    worker: &'a mut Worker<P, I>,
    leaves: Leaves<P>,
    goal_key: Key,
    tables: Tables<'a>,
    /// Positions can repeat.
    repeats: bool,
    busy: Option<&'a Busy>,
    look: &'a mut dyn FnMut(u64, &Watch),
}

/// A limit was reached, or another thread has the answer.
struct Over;

/// A position as it is searched: where positions repeat, without its history.
#[inline]
pub fn bare<P: Position>(pos: P) -> P {
    if !pos.repeats() || guard::ended(&pos).is_some() {
        return pos;
    }
    pos.unpacked(pos.packed().expect("positions of this game have numbers"))
}

/// The key of a position's entry, given its `key`: each goal has its own entries.
pub fn key<P: Position>(config: Config, goal: Goal, pos: &P, key: Key) -> Key {
    goal_key(goal) ^ if config.symmetry { pos.canonical_key(key) } else { key }
}

fn goal_key(goal: Goal) -> Key {
    // Keys of positions may be mixed small numbers: this one is none.
    mix(1 << 64 | (goal.player.index() as Key) << 32 | goal.at_least.0 as u16 as Key)
}

impl<P: Position, I: Threshold> Worker<P, I> {
    pub fn new(config: Config, extras: Extras<P>, watch: Watch) -> Self {
        let (judges, moves, children) = (Vec::new(), Vec::new(), Vec::new());
        let (scoring, path) = (Scoring::Rules, Path::default());
        Worker { config, extras, scoring, judges, watch, moves, children, path, nodes: 0, most_nodes: None }
    }

    /// Starts counting again, with other limits.
    pub fn begin(&mut self, most_nodes: Option<u64>, watch: Watch) {
        (self.nodes, self.most_nodes, self.watch) = (0, most_nodes, watch);
    }

    /// Answers a goal; no status when a limit was reached.
    pub fn prove(
        &mut self,
        pos: &P,
        goal: Goal,
        tables: Tables,
        busy: Option<&Busy>,
        done: &Arc<AtomicBool>,
        look: &mut dyn FnMut(u64, &Watch),
    ) -> (Option<Status>, Judge) {
        self.watch.also_stop_by(done);
        let judge = self.judges.iter().find(|judge| judge.goal() == goal).copied();
        let judge = judge.unwrap_or_else(|| Judge::new(goal));
        let leaves = Leaves { judge, init: self.config.init, extras: self.extras.clone() };
        let (goal_key, repeats) = (goal_key(goal), pos.repeats());
        let mut search = Search { worker: self, leaves, goal_key, tables, repeats, busy, look };
        let pos = bare(pos.clone());
        let [mut most, deepest] = Path::DEPTHS;
        let mut status = search.prove(&pos, most);
        while status.is_err_and(|lean| lean == Some(GROUND)) && most < deepest {
            most *= 2;
            status = search.prove(&pos, most);
        }
        let judge = search.leaves.judge;
        self.moves.clear();
        self.children.clear();
        (status.ok(), judge)
    }

    /// What has been seen for each goal so far.
    pub fn judges(&self) -> &[Judge] {
        &self.judges
    }

    /// Takes over what an earlier run has seen.
    pub fn resume(&mut self, judges: &[Judge]) {
        self.judges = judges.to_vec();
    }

    /// Takes over what all threads have seen for a goal.
    pub fn remember(&mut self, seen: &Judge) {
        self.judges.retain(|judge| judge.goal() != seen.goal());
        self.judges.push(*seen);
    }
}

impl<P: Position, I: Threshold> Search<'_, P, I> {
    /// Searches until the goal is solved, going down at most so deep where positions repeat. An error when a limit was reached,
    /// with the ground if the depth was the limit.
    fn prove(&mut self, pos: &P, most: usize) -> Result<Status, Option<Lean>> {
        self.worker.path.begin(most);
        let key = self.key(pos, pos.key(), self.ply_key(0));
        let (mut info, mut lean): (I, Lean) = self.look_at(pos, key, 0);
        while !info.status().is_solved() {
            (info, lean) = self.deepen(pos, key, I::NONE, 0).map_err(|Over| None)?;
        }
        if lean == NOTHING { Ok(info.status()) } else { Err(Some(lean)) }
    }

    /// What the keys of positions are mixed with, `ply` plies after the searched one.
    #[inline]
    fn ply_key(&self, ply: usize) -> Key {
        self.goal_key ^ self.worker.scoring.key(ply)
    }

    /// The key under which a position is stored.
    #[inline]
    fn key(&self, pos: &P, key: Key, ply_key: Key) -> Key {
        ply_key ^ if self.worker.config.symmetry { pos.canonical_key(key) } else { key }
    }

    /// What is known about a position without searching below it, and what that leans on.
    fn look_at(&mut self, pos: &P, key: Key, ply: usize) -> (I, Lean) {
        let scoring = self.worker.scoring;
        let bounds = match (guard::ended(pos), &self.worker.extras.facts) {
            (Some(score), _) => Bounds::exact(scoring.end(score, ply)),
            (None, Some(facts)) => scoring.bounds(facts.bounds(pos), ply),
            (None, None) => scoring.bounds(pos.range(), ply),
        };
        let status = self.leaves.judge.judge(bounds);
        if status != Status::Open {
            return (I::solved(status == Status::Proven), NOTHING);
        }
        let info = self.tables.numbers.get(key).map(I::from_bits);
        if self.repeats && !info.is_some_and(|info| info.status().is_solved()) {
            let path = &self.worker.path;
            let too_deep = || (ply >= path.most()).then_some(GROUND);
            let kept = || self.tables.paths.get(path.key(key, ply)).map(|lean| lean as Lean);
            if let Some(lean) = path.lean(key).or_else(kept).or_else(too_deep) {
                return (self.escaped(), lean);
            }
        }
        (info.unwrap_or_else(|| self.leaves.open(pos, &mut self.worker.moves)), NOTHING)
    }

    /// A repetition: a draw, and so what the hunter does not want.
    fn escaped(&mut self) -> I {
        let status = self.leaves.judge.judge(Bounds::exact(Score::DRAW));
        I::solved(status == Status::Proven)
    }

    /// Searches below an open position until its numbers pass `bound`; its numbers then, and what they lean on.
    fn deepen(&mut self, pos: &P, key: Key, bound: I::Bound, ply: usize) -> Result<(I, Lean), Over> {
        guard::check_ply(ply);
        if self.repeats {
            self.worker.path.enter(key);
        }
        let nodes_before = self.worker.nodes;
        let (first_child, kind) = (self.worker.children.len(), self.leaves.kind(pos));
        self.list(pos, kind, ply)?;
        let mut tried = false;
        let info = loop {
            let children = &self.worker.children[first_child..];
            let info = I::combine(kind, children.iter().map(|child| child.info));
            if info.status().is_solved() || tried && info.passes(bound) {
                break info;
            }
            let (i, second) = self.choose(kind, first_child, ply);
            let Child { mv, key, info: child, .. } = self.worker.children[first_child + i];
            let below = I::below(kind, info, bound, child, second);
            let busy = self.busy.filter(|_| ply < Busy::DEEPEST);
            busy.inspect(|busy| busy.mark(key));
            let (child, lean) = self.deepen(&bare(pos.after(mv)), key, below, ply + 1)?;
            busy.inspect(|busy| busy.clear(key));
            let known = &mut self.worker.children[first_child + i];
            (known.info, known.lean) = (child, lean);
            tried = true;
        };
        let lean = self.leaning(info.status(), kind, first_child, ply);
        self.worker.children.truncate(first_child);
        let nodes = self.worker.nodes - nodes_before;
        if self.repeats {
            self.worker.path.leave(key);
        }
        if lean == NOTHING {
            self.tables.numbers.put(key, info.to_bits(), nodes);
        } else {
            self.tables.paths.put(self.worker.path.key(key, ply), u64::from(lean), nodes);
        }
        Ok((info, lean))
    }

    /// What a result leans on that follows from the children: the highest position of all of them, or of the one that decides.
    /// What leans on nothing above this position leans on nothing.
    fn leaning(&self, status: Status, kind: NodeKind, first_child: usize, ply: usize) -> Lean {
        if !self.repeats || !status.is_solved() {
            return NOTHING;
        }
        let children = self.worker.children[first_child..].iter();
        let same = children.filter(|child| child.info.status() == status).map(|child| child.lean);
        let lean = if status.decides(kind) { same.max() } else { same.min() }.unwrap_or(NOTHING);
        if lean > ply as Lean { NOTHING } else { lean }
    }

    /// Puts the children of a position on the stack; only one that decides it, if there is one.
    fn list(&mut self, pos: &P, kind: NodeKind, ply: usize) -> Result<(), Over> {
        let (first_move, first_child) = (self.worker.moves.len(), self.worker.children.len());
        match &self.worker.extras.facts {
            Some(facts) if !self.worker.scoring.counts_plies() => {
                _ = facts.enough(pos, &mut self.worker.moves)
            }
            _ => pos.moves(&mut self.worker.moves),
        }
        // Memory is slow: prefetch the entries of all children before the first is read.
        let (pos_key, ply_key) = (pos.key(), self.ply_key(ply + 1));
        for i in first_move..self.worker.moves.len() {
            let mv = self.worker.moves[i];
            let key = self.key(&pos.after(mv), pos.key_after(pos_key, mv), ply_key);
            self.tables.numbers.prefetch(key);
            self.worker.children.push(Child { mv, key, info: I::solved(false), lean: NOTHING });
        }
        self.worker.moves.truncate(first_move);
        for i in first_child..self.worker.children.len() {
            let worker = &mut *self.worker;
            if worker.watch.is_over(worker.nodes, worker.most_nodes) {
                return Err(Over);
            }
            worker.nodes += 1;
            if worker.watch.report_due() {
                (self.look)(worker.nodes, &worker.watch);
                worker.watch.reported();
            }
            let Child { mv, key, .. } = worker.children[i];
            let (info, lean): (I, Lean) = self.look_at(&bare(pos.after(mv)), key, ply + 1);
            (self.worker.children[i].info, self.worker.children[i].lean) = (info, lean);
            // One that leans on nothing is better, so the others are looked at as well.
            if info.status().decides(kind) && lean == NOTHING {
                self.worker.children.swap(first_child, i);
                self.worker.children.truncate(first_child + 1);
                break;
            }
        }
        Ok(())
    }

    /// The child to search, and the numbers of the second choice. Children that another thread is
    /// working on come last.
    fn choose(&self, kind: NodeKind, first_child: usize, ply: usize) -> (usize, Option<I>) {
        let children = &self.worker.children[first_child..];
        let best = |free: bool, but: Option<usize>| {
            let mut best: Option<usize> = None;
            for (i, child) in children.iter().enumerate() {
                let taken = || self.busy.is_some_and(|busy| ply < Busy::DEEPEST && busy.has(child.key));
                let skip = child.info.status().is_solved() || Some(i) == but || (free && taken());
                if !skip && best.is_none_or(|b| I::before(kind, child.info, children[b].info)) {
                    best = Some(i);
                }
            }
            best
        };
        let first = best(true, None).or_else(|| best(false, None)).expect("an open node has an open child");
        let second = best(false, Some(first)).map(|second| children[second].info);
        // A child that is not the best has its own numbers to pass, not those of the better one.
        let second = second.map(|second| {
            if I::before(kind, second, children[first].info) { children[first].info } else { second }
        });
        (first, second)
    }
}
