//! Depth-first proof search with a table of fixed size: `dfpn` and `dfpp`.
//!
//! The best-first searches of [`crate::proof`] keep a tree; these keep a table and go down the same way again and again,
//! staying below a child until its numbers say that the best-first search would go elsewhere ([`Threshold`]). What the table
//! has lost is searched again, so that any amount of memory will do.
//!
//! Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002 \[Nag02\]. A table keyed by positions is
//! sound only if positions never repeat: other games are refused.
//!
//! Threads share the table; who comes to a child that another thread is at takes the next one if there is any. A node is
//! solved only by the rules or by solved children, so threads change the time, never the value.

mod node;
mod table;
#[cfg(test)]
mod tests;
mod threshold;

pub use threshold::Threshold;

use crate::abdada::Busy;
use crate::checkpoint::{Flaw, In, Out};
use crate::limits::Watch;
use crate::proof::{Goal, Init, Judge, PnDn, Pp, Status};
use crate::solver::Windowed;
use crate::{Limits, Observer, Report, SearchError};
use node::Worker;
use proofplay_core::{Bounds, Knowledge, Player, Position, Score, guard};
use std::fmt;
use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use table::Numbers;

/// A depth-first proof search as plain data.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Product propagation instead of proof numbers.
    pub products: bool,
    /// What a leaf is worth.
    pub init: Init,
    /// Positions that are images of each other share an entry of the table.
    pub symmetry: bool,
    /// What the game knows without searching is used: bounds, and moves that suffice.
    pub knowledge: bool,
}

impl Config {
    /// The names of these searches.
    pub const NAMES: [&str; 2] = ["dfpn", "dfpp"];

    /// The search of this name.
    pub fn named(name: &str) -> Option<Config> {
        let products = Config::NAMES.iter().position(|&n| n == name)? == 1;
        Some(Config { products, init: Init::Mobility, symmetry: true, knowledge: true })
    }

    /// The name of this search, settings aside.
    pub fn name(&self) -> &'static str {
        Config::NAMES[usize::from(self.products)]
    }
}

impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        let init = (self.init != Init::Mobility).then(|| format!("init={}", Init::WORDS[self.init as usize]));
        let off = |name: &str, on: bool| (!on).then(|| format!("{name}=off"));
        let settings = [init, off("symmetry", self.symmetry), off("knowledge", self.knowledge)];
        let settings: Vec<String> = settings.into_iter().flatten().collect();
        write!(f, "{}{}", if settings.is_empty() { "" } else { ":" }, settings.join(","))
    }
}

/// Finds the exact value of `pos`, and of each of its moves if `all_moves`.
///
/// # Panics
/// If the game breaks a promise: see [`crate::SearchSpec::run`].
pub fn solve<P: Position>(
    pos: &P,
    config: Config,
    knowledge: &dyn Knowledge<P>,
    limits: &Limits,
    all_moves: bool,
    observer: &mut Observer<P::Move>,
) -> Result<Report<P::Move>, SearchError> {
    if !P::ACYCLIC {
        return Err(SearchError::Cyclic(config.name()));
    }
    if config.products {
        DepthFirst::<P, Pp>::new(pos, config, knowledge, limits).solve(pos, all_moves, observer)
    } else {
        DepthFirst::<P, PnDn>::new(pos, config, knowledge, limits).solve(pos, all_moves, observer)
    }
}

/// A table and threads that answer goals, one after the other.
struct DepthFirst<'a, P: Position, I: Threshold> {
    watch: Watch,
    table: Numbers,
    workers: Vec<Worker<'a, P, I>>,
    /// Whose goals are asked: one player's, so that answers share the table.
    player: Player,
}

impl<'a, P: Position, I: Threshold> DepthFirst<'a, P, I> {
    fn new(pos: &P, config: Config, knowledge: &'a dyn Knowledge<P>, limits: &Limits) -> Self {
        let (threads, watch) = (limits.threads(), Watch::new(limits).with_pauses());
        let nodes = limits.nodes.map(|nodes| nodes.div_ceil(threads as u64));
        let worker = |_| Worker::new(config, knowledge, nodes, watch.clone());
        let workers = (0..threads).map(worker).collect();
        DepthFirst { watch, table: Numbers::new(limits.memory), workers, player: pos.turn() }
    }

    fn solve(
        mut self,
        pos: &P,
        all_moves: bool,
        observer: &mut Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        self.exact(pos, all_moves, false, observer)
    }

    /// What the answer to a goal says about the value, in the view of `First`; `None` when a limit was reached.
    fn answer(
        &mut self,
        pos: &P,
        goal: Goal,
        range: Bounds,
        look: &mut dyn FnMut(u64, &Watch),
    ) -> Option<Bounds> {
        let (busy, done) = (Busy::new(), Arc::new(AtomicBool::new(false)));
        let (table, threads) = (&self.table, self.workers.len());
        let (main, others) = self.workers.split_first_mut().expect("there is at least one thread");
        let run = |worker: &mut Worker<P, I>, look: &mut dyn FnMut(u64, &Watch)| {
            let (status, judge) = worker.prove(pos, goal, table, (threads > 1).then_some(&busy), &done, look);
            done.store(true, Relaxed);
            (status, judge)
        };
        let answers: Vec<(Option<Status>, Judge)> = std::thread::scope(|scope| {
            let others = others.iter_mut().map(|worker| scope.spawn(|| run(worker, &mut |_, _| ())));
            let others: Vec<_> = others.collect();
            let first = run(main, look);
            let others =
                others.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
            std::iter::once(first).chain(others).collect()
        });
        // A proof may stand on entries that other threads have made, now or before: on the ends that they saw.
        let mut judge = Judge::new(goal);
        answers.iter().for_each(|(_, seen)| judge.learn(seen));
        self.workers.iter_mut().for_each(|worker| worker.remember(&judge));
        let status = answers.iter().find_map(|(status, _)| *status)?;
        Some(judge.bounds(status, range))
    }
}

impl<P: Position, I: Threshold> Windowed<P> for DepthFirst<'_, P, I> {
    fn value(
        &mut self,
        pos: &P,
        window: Bounds,
        report: &mut Report<P::Move>,
        observer: &mut Observer<P::Move>,
    ) -> Option<Score> {
        if let Some(score) = guard::ended(pos) {
            return Some(score);
        }
        let mut certain = pos.range();
        loop {
            if certain.is_exact() || certain.pess >= window.opti {
                return Some(certain.pess);
            }
            if certain.opti <= window.pess {
                return Some(certain.opti);
            }
            // Only what lies inside the window is of interest.
            let open = Bounds::new(certain.pess.max(window.pess), certain.opti.min(window.opti));
            let goal = Goal::next(self.player, open);
            let (threads, memory) = (self.workers.len() as u64, self.table.bytes());
            let mut look = |nodes: u64, watch: &Watch| {
                (report.nodes, report.memory, report.elapsed) = (nodes * threads, memory, watch.elapsed());
                observer(report);
            };
            certain = self.answer(pos, goal, certain, &mut look)?;
        }
    }

    fn watch(&self) -> &Watch {
        &self.watch
    }

    fn note(&self, report: &mut Report<P::Move>) {
        report.nodes = self.workers.iter().map(|worker| worker.nodes).sum();
        report.memory = self.table.bytes();
        report.elapsed = self.watch.elapsed();
    }

    /// Proofs in the table stand on ends of the game: what was seen of these belongs to it.
    fn save(&self, out: &mut Out) -> io::Result<()> {
        let judges = self.workers[0].judges();
        out.u32(judges.len() as u32)?;
        judges.iter().try_for_each(|judge| judge.save(out))?;
        self.table.save(out)
    }

    fn load(&mut self, from: &mut In, range: Bounds) -> Result<(), Flaw> {
        let (range, mut judges) = (range.seen_by(self.player), Vec::<Judge>::new());
        for _ in 0..from.u32()? {
            let judge = Judge::load(from, self.player)?;
            let (goal, known) = (judge.goal().at_least, |other: &Judge| other.goal() == judge.goal());
            if goal <= range.pess || goal > range.opti || judges.iter().any(known) {
                return Err(Flaw::Nonsense("a goal is out of range, or there twice"));
            }
            judges.push(judge);
        }
        self.workers.iter_mut().for_each(|worker| worker.resume(&judges));
        self.table.fill(from, |info| I::from_bits(info).is_valid())
    }
}
