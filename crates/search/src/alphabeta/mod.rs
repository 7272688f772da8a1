//! Alpha-beta to the end of the game: the exact value by depth-first search with a transposition table.
//!
//! Knuth & Moore, "An analysis of alpha-beta pruning", 1975 \[KM75\], as principal variation search: after the first move
//! of a position the others are first asked only whether they are better (Marsland & Campbell 1982 \[MC82\]). The window,
//! the values and what the table keeps are in the view of `First`; the table keeps an interval per position, which
//! every visit can only tighten. A player may move twice in a row: nothing is negated from ply to ply.
//!
//! Before the moves of a position are searched, the table is asked whether one of them is known to suffice (enhanced
//! transposition cutoffs, Schaeffer & Plaat 1996 \[SP96\]).
//!
//! Threads share the table and nothing else but `Busy`: who comes to a position that another thread is at tries its other
//! moves first. What a thread returns or stores is proven by itself and by entries of the table, so threads change the
//! time, never the value.

mod checkpoint;
pub mod deepen;
mod node;
mod ordering;
mod strategist;
#[cfg(test)]
mod tests;

use crate::abdada::Busy;
use crate::checkpoint::{Flaw, In, Out};
use crate::limits::Watch;
use crate::report::Report;
use crate::solver::Windowed;
use crate::table::Growing;
use crate::{Limits, Observer, SearchError};
use node::{Stop, Worker};
use proofplay_core::{Bounds, Position, Score};
use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::ScopedJoinHandle;

/// How to search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Positions that are images of each other share an entry of the table.
    pub symmetry: bool,
    /// What the game knows without searching is used: bounds, moves that suffice, which move is promising.
    pub knowledge: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config { symmetry: true, knowledge: true }
    }
}

impl std::fmt::Display for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let off = [("symmetry", self.symmetry), ("knowledge", self.knowledge)].into_iter().filter(|s| !s.1);
        let off: Vec<String> = off.map(|(name, _)| format!("{name}=off")).collect();
        write!(f, "alphabeta{}{}", if off.is_empty() { "" } else { ":" }, off.join(","))
    }
}

/// Finds the exact value of `pos`, and of each of its moves if `all_moves`.
///
/// # Panics
/// If the game breaks a promise: see [`crate::SearchSpec::run`].
pub fn solve<P: Position>(
    pos: &P,
    config: Config,
    limits: &Limits,
    all_moves: bool,
    observer: &mut Observer<P::Move>,
) -> Result<Report<P::Move>, SearchError> {
    prover(pos, config, limits)?.exact(pos, all_moves, true, observer)
}

/// A prover, unless positions of the game repeat.
pub fn prover<P: Position>(pos: &P, config: Config, limits: &Limits) -> Result<Prover<P>, SearchError> {
    if P::ACYCLIC { Ok(Prover::new(pos, config, limits)) } else { Err(SearchError::Cyclic("alphabeta")) }
}

/// A table and threads that prove bounds on values, one question after the other.
pub struct Prover<P: Position> {
    watch: Watch,
    table: Growing,
    workers: Vec<Worker<P>>,
    /// Entries made for the question at hand before its last pause.
    puts: u64,
}

impl<P: Position> Prover<P> {
    /// Knows nothing yet; its limits are for all questions together.
    ///
    /// # Panics
    /// If positions of the game repeat.
    pub fn new(pos: &P, config: Config, limits: &Limits) -> Self {
        assert!(P::ACYCLIC, "a table is unsound for games that repeat positions");
        let threads = limits.threads();
        let nodes = limits.nodes.map(|nodes| nodes.div_ceil(threads as u64));
        let watch = Watch::new(limits).with_pauses();
        let worker = |_| Worker::new(pos, config, nodes, watch.clone());
        let (table, workers) = (Growing::new(limits.memory), (0..threads).map(worker).collect());
        Prover { watch, table, workers, puts: 0 }
    }

    /// Knows what another prover of the same game and the same settings has left.
    pub fn with_table(self, table: Growing) -> Self {
        Prover { table, ..self }
    }

    /// What it has found out.
    pub fn into_table(self) -> Growing {
        self.table
    }
}

impl<P: Position> Windowed<P> for Prover<P> {
    fn value(
        &mut self,
        pos: &P,
        window: Bounds,
        report: &mut Report<P::Move>,
        observer: &mut Observer<P::Move>,
    ) -> Option<Score> {
        loop {
            let (busy, done) = (Busy::new(), Arc::new(AtomicBool::new(false)));
            let (table, threads) = (&self.table, self.workers.len());
            let room = table.room().saturating_sub(self.puts).max(1) / threads as u64;
            let (main, others) = self.workers.split_first_mut().expect("there is at least one thread");
            let ask = |worker: &mut Worker<P>, look: &mut dyn FnMut(u64, &Watch)| {
                let mut search = worker.start(table.clone(), &busy, &done, room, look);
                let key = search.kept_as(pos, pos.key());
                let result = match threads {
                    1 => search.value::<false>(pos, key, window.pess, window.opti, 0),
                    _ => search.value::<true>(pos, key, window.pess, window.opti, 0),
                };
                let puts = search.end();
                done.store(true, Relaxed);
                (result, puts)
            };
            let results: Vec<(Result<Score, Stop>, u64)> = std::thread::scope(|scope| {
                let others = others.iter_mut().map(|worker| scope.spawn(|| ask(worker, &mut |_, _| ())));
                let others: Vec<_> = others.collect();
                let first = ask(main, &mut |nodes, watch| {
                    report.nodes = nodes * threads as u64;
                    report.memory = table.bytes();
                    report.elapsed = watch.elapsed();
                    observer(report);
                });
                let join =
                    |thread: ScopedJoinHandle<_>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
                std::iter::once(first).chain(others.into_iter().map(join)).collect()
            });
            // Whoever has an answer has proven it.
            if let Some(value) = results.iter().find_map(|(result, _)| result.ok()) {
                self.puts = 0;
                return Some(value);
            }
            if !results.iter().any(|(result, _)| *result == Err(Stop::TableFull)) {
                self.puts += results.iter().map(|(_, puts)| puts).sum::<u64>();
                return None;
            }
            self.puts = 0;
            self.table = self.table.grown();
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

    fn save(&self, out: &mut Out) -> io::Result<()> {
        self.table.save(out)
    }

    fn load(&mut self, from: &mut In, range: Bounds) -> Result<(), Flaw> {
        self.table.restore(from, range)
    }
}
