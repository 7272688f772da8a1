//! Alpha-beta to the end of the game: the exact value by depth-first search with a transposition table.
//!
//! Knuth & Moore, "An analysis of alpha-beta pruning", 1975 \[KM75\], as principal variation search: after the first move
//! of a position the others are first asked only whether they are better (Marsland & Campbell 1982 \[MC82\]). The window,
//! the values and what the table keeps are in the view of `First`; the table keeps an interval per position, which
//! every visit can only tighten. A player may move twice in a row: nothing is negated from ply to ply.
//!
//! Threads share the table and nothing else but [`Busy`]: who comes to a position that another thread is at tries its other
//! moves first. What a thread returns or stores is proven by itself and by entries of the table, so threads change the
//! time, never the value.

mod busy;
mod node;
mod ordering;
#[cfg(test)]
mod tests;

use crate::limits::Watch;
use crate::report::{MoveReport, Report};
use crate::table::Growing;
use crate::{Limits, Observer, SearchError};
use busy::Busy;
use node::{Stop, Worker};
use proofplay_core::{Bounds, Player, Position, Score};
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
pub fn solve<P: Position>(
    pos: &P,
    config: Config,
    limits: &Limits,
    all_moves: bool,
    observer: &mut Observer<P::Move>,
) -> Result<Report<P::Move>, SearchError> {
    if !P::ACYCLIC {
        return Err(SearchError::Cyclic("alphabeta"));
    }
    let mut prover = Prover::new(pos, config, limits);
    let mut report = Report::new(pos.range());
    prover.root(pos, all_moves, &mut report, observer);
    if let Some(value) = report.bounds.value() {
        report.pv = prover.line(pos, value);
        report.best = report.pv.first().copied().or(report.best);
    } else {
        report.pv = report.best.into_iter().collect();
    }
    prover.note(&mut report);
    Ok(report)
}

/// A table and threads that prove bounds on values, one question after the other.
pub struct Prover<P: Position> {
    watch: Watch,
    table: Growing,
    workers: Vec<Worker<P>>,
}

impl<P: Position> Prover<P> {
    /// Knows nothing yet; its limits are for all questions together.
    ///
    /// # Panics
    /// If positions of the game repeat.
    pub fn new(pos: &P, config: Config, limits: &Limits) -> Self {
        assert!(P::ACYCLIC, "a table is unsound for games that repeat positions");
        let threads = limits.threads.max(1);
        let nodes = limits.nodes.map(|nodes| nodes.div_ceil(threads as u64));
        let watch = Watch::new(limits);
        let worker = |_| Worker::new(pos, config, nodes, watch.clone());
        let (table, workers) = (Growing::new(limits.memory), (0..threads).map(worker).collect());
        Prover { watch, table, workers }
    }

    /// Writes what has been used so far into a report.
    fn note(&self, report: &mut Report<P::Move>) {
        report.nodes = self.workers.iter().map(|worker| worker.nodes).sum();
        report.memory = self.table.bytes();
        report.elapsed = self.watch.elapsed();
    }

    /// The value of `pos` if it lies inside the window, else a bound on the same side of it; `None` when a limit was
    /// reached. `report` is what the observer hears.
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
            let room = table.room() / threads as u64;
            let (main, others) = self.workers.split_first_mut().expect("there is at least one thread");
            let ask = |worker: &mut Worker<P>, look: &mut dyn FnMut(u64, &Watch)| {
                let mut search = worker.start(table.clone(), &busy, &done, room, look);
                let result = match threads {
                    1 => search.value::<false>(pos, pos.key(), window.pess, window.opti, 0),
                    _ => search.value::<true>(pos, pos.key(), window.pess, window.opti, 0),
                };
                search.end();
                done.store(true, Relaxed);
                result
            };
            let results: Vec<Result<Score, Stop>> = std::thread::scope(|scope| {
                let others = others.iter_mut().map(|worker| scope.spawn(|| ask(worker, &mut |_, _| ())));
                let others: Vec<_> = others.collect();
                let first = ask(main, &mut |nodes, watch| {
                    report.nodes = nodes * threads as u64;
                    report.memory = table.bytes();
                    report.elapsed = watch.elapsed();
                    observer(report);
                });
                let join = |thread: ScopedJoinHandle<_>| thread.join().expect("a search does not panic");
                std::iter::once(first).chain(others.into_iter().map(join)).collect()
            });
            // Whoever has an answer has proven it.
            if let Some(value) = results.iter().find_map(|result| result.ok()) {
                return Some(value);
            }
            if !results.contains(&Err(Stop::TableFull)) {
                return None;
            }
            self.table = self.table.grown();
        }
    }

    /// Looks at the moves of the root one by one, so that every one that is done counts even if time runs out.
    fn root(
        &mut self,
        pos: &P,
        all_moves: bool,
        report: &mut Report<P::Move>,
        observer: &mut Observer<P::Move>,
    ) {
        if let Some(score) = pos.outcome() {
            report.bounds = Bounds::exact(score);
            return;
        }
        let (mover, range) = (pos.turn(), pos.range());
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let unknown = |&mv: &P::Move| MoveReport { mv, bounds: range, visits: 0, mean: 0.0, pv: vec![mv] };
        report.moves = moves.iter().map(unknown).collect();
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(pos.promise(moves[i])));
        report.best = Some(moves[order[0]]);
        for i in order {
            let so_far = Bounds::minimax(mover, report.moves.iter().map(|m| m.bounds));
            report.bounds = range.tighten(so_far);
            if report.bounds.is_exact() && !all_moves {
                break;
            }
            let child = pos.after(moves[i]);
            // Without all_moves a move only matters if it can be better than the best one so far.
            let window = if all_moves { range } else { report.bounds };
            let Some(value) = self.value(&child, window, report, observer) else { break };
            let bounds = proven_by(value, window).tighten(child.range());
            report.moves[i].bounds = bounds;
            let best = report.best.and_then(|best| report.moves.iter().find(|m| m.mv == best));
            let worst_for = |b: Bounds| b.seen_by(mover).pess;
            if best.is_none_or(|best| worst_for(bounds) > worst_for(best.bounds)) {
                report.best = Some(moves[i]);
            }
        }
        let bounds = Bounds::minimax(mover, report.moves.iter().map(|m| m.bounds));
        report.bounds = range.tighten(bounds);
    }

    /// Whether `owner` can make sure of `score` or better (for `First` at least, for `Second` at most); `None` when a
    /// limit was reached.
    pub fn holds(&mut self, pos: &P, owner: Player, score: Score) -> Option<bool> {
        if let Some(end) = pos.outcome() {
            return Some(end.seen_by(owner) >= score.seen_by(owner));
        }
        let window = match owner {
            Player::First => Bounds { pess: Score(score.0 - 1), opti: score },
            Player::Second => Bounds { pess: score, opti: Score(score.0 + 1) },
        };
        let value = self.value(pos, window, &mut Report::new(pos.range()), &mut |_| ())?;
        Some(value.seen_by(owner) >= score.seen_by(owner))
    }

    /// A move after which its player still has `score`, most promising first; `None` if a limit was reached or there is none.
    pub fn keeping(&mut self, pos: &P, score: Score) -> Option<P::Move> {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        moves.sort_by_key(|&mv| std::cmp::Reverse(pos.promise(mv)));
        moves.into_iter().find(|&mv| self.holds(&pos.after(mv), pos.turn(), score) == Some(true))
    }

    /// A line of best play from a position of known value, as far as the limits allow.
    fn line(&mut self, pos: &P, value: Score) -> Vec<P::Move> {
        let (mut pos, mut line) = (pos.clone(), Vec::new());
        while pos.outcome().is_none() {
            let Some(mv) = self.keeping(&pos, value) else { break };
            line.push(mv);
            pos.play(mv);
        }
        line
    }
}

/// What a search with this window has proven when it returned `value`.
fn proven_by(value: Score, window: Bounds) -> Bounds {
    const LOWEST: Score = Score(-i16::MAX);
    const HIGHEST: Score = Score(i16::MAX);
    Bounds {
        pess: if value > window.pess { value } else { LOWEST },
        opti: if value < window.opti { value } else { HIGHEST },
    }
}
