//! Alpha-beta to the end of the game: the exact value by depth-first search with a transposition
//! table.
//!
//! Knuth & Moore, "An analysis of alpha-beta pruning", 1975 \[KM75\], as principal variation
//! search: after the first move of a position the others are first only tested for being better
//! (Marsland & Campbell 1982 \[MC82\]). The window, the values and the table entries are in the
//! view of `First`; the table has an interval per position, which every visit can only tighten.
//!
//! ```text
//! first move:   v = search(window)
//! other moves:  v = search(alpha, alpha + 1); if alpha < v < beta: v = search(window)
//! ```
//!
//! Invariant: a returned value inside the window is exact; outside, it is a bound on the same side.
//! Differs from the papers: a player may move twice in a row, so nothing is negated from ply to ply.
//!
//! Before the moves of a position are searched, the table is searched for one that already causes a
//! cutoff (enhanced transposition cutoffs, Schaeffer & Plaat 1996 \[SP96\]).
//!
//! Threads share only the table and `Busy`: a thread tries moves to positions that others are
//! working on last. What a thread returns or stores is proven by itself and by entries of the
//! table, so threads change the time, never the value.

mod checkpoint;
pub mod deepen;
mod known;
mod node;
mod ordering;
pub(crate) mod settings;
#[cfg(test)]
mod tests;

use crate::abdada::Busy;
use crate::checkpoint::{Checkpoint, Flaw, In, Out};
use crate::distance::Scoring;
use crate::proof::Goal;
use crate::report::{Halt, Report};
use crate::search::{NodeView, Tree, children_by, walk};
use crate::solver::{Answer, Prover, Solver, Teller, proven_by};
use crate::table::Growing;
use crate::watch::Watch;
use crate::{Resources, Search, SearchError};
use node::{Stop, Worker};
use proofplay_core::threads::{Job, together};
use proofplay_core::{Bounds, Extras, Facts, Position, Score};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// How to search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Positions that are images of each other share an entry of the table.
    pub symmetry: bool,
    /// The game's facts are used, and the move order of its hints.
    pub facts: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config { symmetry: true, facts: true }
    }
}

impl std::fmt::Display for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let flat = settings::Flat { symmetry: self.symmetry, facts: self.facts, ..settings::Flat::default() };
        f.write_str(&flat.to_string())
    }
}

/// A search of `pos` and the positions after it, unless positions of the game repeat.
pub fn start<P: Position>(
    pos: &P,
    config: Config,
    extras: Extras<P>,
    resources: Resources,
) -> Result<Box<dyn Search<P>>, SearchError> {
    Ok(Box::new(solver(pos, config, extras, resources)?))
}

/// The same as a solver.
pub(crate) fn solver<P: Position>(
    pos: &P,
    config: Config,
    extras: Extras<P>,
    resources: Resources,
) -> Result<Solver<P>, SearchError> {
    if pos.repeats() {
        return Err(SearchError::Cyclic("alphabeta"));
    }
    let hints = Arc::clone(&extras.hints);
    Ok(Solver::new(pos, hints, Box::new(AlphaBeta::new(pos, config, extras, resources))))
}

/// A table and threads that prove bounds on values, one question after the other.
pub(crate) struct AlphaBeta<P: Position> {
    root: P,
    config: Config,
    facts: Option<Arc<dyn Facts<P>>>,
    watch: Watch,
    table: Growing,
    memory: usize,
    workers: Vec<Worker<P>>,
    /// Entries made for the question at hand before its last pause.
    puts: u64,
}

impl<P: Position> AlphaBeta<P> {
    fn new(pos: &P, config: Config, mut extras: Extras<P>, resources: Resources) -> Self {
        if !config.facts {
            extras = Extras::none();
        }
        let watch = Watch::idle();
        let worker = |_| Worker::new(pos, config, extras.clone(), watch.clone());
        let workers = (0..resources.threads()).map(worker).collect();
        let (table, memory) = (Growing::new(resources.memory), resources.memory);
        AlphaBeta { root: pos.clone(), config, facts: extras.facts, watch, table, memory, workers, puts: 0 }
    }

    fn scoring(&self) -> Scoring {
        self.workers[0].scoring
    }

    /// The value if it lies inside the window, else a bound on the same side of it; `None` when a
    /// limit was reached.
    fn value(&mut self, pos: &P, window: Bounds, teller: &mut Teller<P::Move>) -> Option<Score> {
        loop {
            let (busy, done) = (Busy::new(), Arc::new(AtomicBool::new(false)));
            let (table, threads, scoring) = (&self.table, self.workers.len(), self.scoring());
            let room = table.room().saturating_sub(self.puts).max(1) / threads as u64;
            let (main, others) = self.workers.split_first_mut().expect("there is at least one thread");
            let ask = |worker: &mut Worker<P>, look: &mut dyn FnMut(u64, &Watch)| {
                let mut search = worker.start(table.clone(), &busy, &done, room, look);
                let key = search.kept_as(pos, pos.key()) ^ scoring.key(0);
                let result = match threads {
                    1 => search.value::<false>(pos, key, window.pess, window.opti, 0),
                    _ => search.value::<true>(pos, key, window.pess, window.opti, 0),
                };
                let puts = search.end();
                done.store(true, Relaxed);
                (result, puts)
            };
            let shown = Shown { root: &self.root, config: self.config, table };
            let mut results = vec![(Err(Stop::Over), 0); threads];
            let (first, rest) = results.split_first_mut().expect("one for each thread");
            let mut jobs: Vec<Job> = Vec::new();
            for (worker, result) in others.iter_mut().zip(rest) {
                jobs.push(Box::new(|| *result = ask(worker, &mut |_, _| ())));
            }
            together(jobs, &mut || {
                *first = ask(main, &mut |nodes, watch| {
                    teller.tell(nodes * threads as u64, table.bytes(), watch.elapsed(), &shown);
                });
            });
            // A thread that returns an answer has proven it.
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
}

impl<P: Position> Prover<P> for AlphaBeta<P> {
    fn name(&self) -> &'static str {
        "alphabeta"
    }

    fn by_moves(&self) -> bool {
        true
    }

    fn begin(&mut self, watch: Watch, checkpoint: Option<&Arc<Checkpoint>>) {
        let watch = watch.with_pauses(checkpoint);
        let threads = self.workers.len() as u64;
        let nodes = watch.limits().nodes.map(|nodes| nodes.div_ceil(threads));
        self.workers.iter_mut().for_each(|worker| worker.begin(nodes, watch.clone()));
        self.watch = watch;
    }

    fn set_root(&mut self, root: &P) {
        self.root = root.clone();
    }

    fn counts_plies(&self) -> bool {
        true
    }

    fn score_by(&mut self, scoring: Scoring) {
        if self.scoring().at(0) != scoring.at(0) {
            self.table = Growing::new(self.memory);
        }
        self.workers.iter_mut().for_each(|worker| worker.scoring = scoring);
    }

    fn answer(
        &mut self,
        pos: &P,
        window: Bounds,
        known: Bounds,
        teller: &mut Teller<P::Move>,
    ) -> Answer<P::Move> {
        match self.value(pos, window, teller) {
            Some(value) => Answer::whole(proven_by(value, window)),
            None => Answer::none(known, Halt::Limit),
        }
    }

    fn known_moves(&mut self, pos: &P, goal: Goal, good: &mut Vec<P::Move>) -> bool {
        !self.scoring().counts_plies()
            && known::moves(pos, goal, self.config, self.facts.as_deref(), &self.table, good)
    }

    fn note(&self, report: &mut Report<P::Move>) {
        report.nodes = self.workers.iter().map(|worker| worker.nodes).sum();
        report.memory = self.table.bytes();
        report.elapsed = self.watch.elapsed();
    }

    fn children(&self, path: &[P::Move]) -> Vec<NodeView<P::Move>> {
        Shown { root: &self.root, config: self.config, table: &self.table }.children(path)
    }

    fn save(&mut self, out: &mut Out) -> io::Result<()> {
        if self.scoring().counts_plies() {
            // Its entries are of no use to a search for values.
            return Growing::<crate::table::Entry>::new(0).save(out);
        }
        self.table.save(out)
    }

    fn load(&mut self, from: &mut In, _pos: &P, range: Bounds) -> Result<(), Flaw> {
        self.table.restore(from, range)
    }
}

/// The part that observers can see while threads are at work.
struct Shown<'a, P> {
    root: &'a P,
    config: Config,
    table: &'a Growing,
}

impl<P: Position> Tree<P::Move> for Shown<'_, P> {
    fn children(&self, path: &[P::Move]) -> Vec<NodeView<P::Move>> {
        let Some(pos) = walk(self.root, path) else { return Vec::new() };
        children_by(&pos, &mut |_, child, view| {
            let key = child.key();
            let key = if self.config.symmetry { child.canonical_key(key) } else { key };
            let known = self.table.get(key).filter(|_| child.outcome().is_none());
            known.is_some_and(|entry| {
                view.bounds = view.bounds.tighten(entry.bounds);
                true
            })
        })
    }
}
