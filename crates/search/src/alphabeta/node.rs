//! One thread's search: a position, its moves, their positions.

use super::Config;
use super::ordering::Ordering;
use crate::abdada::Busy;
use crate::distance::Scoring;
use crate::solver::proven_by;
use crate::table::{Entry, Growing};
use crate::watch::Watch;
use proofplay_core::{Bounds, Extras, Key, Player, Position, Score, guard};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Why there is no answer.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A limit was reached, or another thread has an answer.
    Over,
    /// The table should grow; its entries make starting again quick.
    TableFull,
}

/// What a thread reuses from question to question.
pub struct Worker<P: Position> {
    config: Config,
    extras: Extras<P>,
    pub scoring: Scoring,
    ordering: Ordering,
    watch: Watch,
    /// Moves, the keys of their positions where all are known early, and their order: stacks shared
    /// by all plies.
    moves: Vec<P::Move>,
    keys: Vec<Key>,
    order: Vec<(u32, u16)>,
    pub nodes: u64,
    most_nodes: Option<u64>,
}

/// A thread at work on one question.
pub struct Search<'a, P: Position> {
    worker: &'a mut Worker<P>,
    pub(super) table: Growing,
    busy: &'a Busy,
    /// Entries made so far, and when the table should grow.
    puts: u64,
    room: u64,
    look: &'a mut dyn FnMut(u64, &Watch),
}

impl<P: Position> Worker<P> {
    pub fn new(pos: &P, config: Config, extras: Extras<P>, watch: Watch) -> Self {
        let (moves, keys, order) = (Vec::new(), Vec::new(), Vec::new());
        let (ordering, scoring) = (Ordering::new(pos), Scoring::Rules);
        Worker { config, extras, scoring, ordering, watch, moves, keys, order, nodes: 0, most_nodes: None }
    }

    /// Starts counting again, with other limits.
    pub fn begin(&mut self, most_nodes: Option<u64>, watch: Watch) {
        (self.nodes, self.most_nodes, self.watch) = (0, most_nodes, watch);
    }

    /// Begins a question; `look` is called with the progress, `done` ends the search.
    pub fn start<'a>(
        &'a mut self,
        table: Growing,
        busy: &'a Busy,
        done: &Arc<AtomicBool>,
        room: u64,
        look: &'a mut dyn FnMut(u64, &Watch),
    ) -> Search<'a, P> {
        self.watch.also_stop_by(done);
        Search { worker: self, table, busy, puts: 0, room, look }
    }
}

impl<P: Position> Search<'_, P> {
    /// Leaves the stacks empty, however the search ended. Returns how many entries were made.
    pub fn end(self) -> u64 {
        self.worker.moves.clear();
        self.worker.keys.clear();
        self.worker.order.clear();
        self.puts
    }

    /// The key under which a position with the key `key` is stored.
    #[inline]
    pub(super) fn kept_as(&self, pos: &P, key: Key) -> Key {
        if self.worker.config.symmetry { pos.canonical_key(key) } else { key }
    }

    /// The value if it lies inside the window, else a bound on the same side of it. The position is
    /// stored under `key`.
    pub fn value<const SHARED: bool>(
        &mut self,
        pos: &P,
        key: Key,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Result<Score, Stop> {
        let worker = &mut *self.worker;
        if worker.watch.is_over(worker.nodes, worker.most_nodes) {
            return Err(Stop::Over);
        }
        worker.nodes += 1;
        if worker.watch.report_due() {
            (self.look)(worker.nodes, &worker.watch);
            worker.watch.reported();
        }
        if let Some(score) = guard::ended(pos) {
            return Ok(worker.scoring.end(score, ply));
        }
        guard::check_ply(ply);
        let first_move = worker.moves.len();
        let counts_plies = worker.scoring.counts_plies();
        let range = match &worker.extras.facts {
            Some(facts) if !counts_plies => facts.enough(pos, &mut worker.moves),
            Some(facts) => facts.bounds(pos),
            None => pos.range(),
        };
        let range = worker.scoring.bounds(range, ply);
        let settled = |bounds: Bounds| {
            if bounds.is_exact() || bounds.pess >= beta {
                Some(bounds.pess)
            } else {
                (bounds.opti <= alpha).then_some(bounds.opti)
            }
        };
        if let Some(score) = settled(range) {
            worker.moves.truncate(first_move);
            return Ok(score);
        }
        let known = self.table.get(key);
        let certain = known.map_or(range, |entry| range.tighten(entry.bounds));
        if let Some(score) = settled(certain) {
            worker.moves.truncate(first_move);
            return Ok(score);
        }
        if worker.extras.facts.is_none() || counts_plies {
            pos.moves(&mut worker.moves);
        }
        let window = Bounds { pess: alpha.max(certain.pess), opti: beta.min(certain.opti) };
        let table_move = known.map(|entry| entry.best);
        let (value, best) = self.best_of_moves::<SHARED>(pos, table_move, window, first_move, ply)?;
        let bounds = certain.tighten(proven_by(value, window));
        self.table.put(key, Entry { bounds, best });
        self.puts += 1;
        if self.puts == self.table.settled() {
            self.table.forget_before();
        }
        if self.puts == self.room {
            return Err(Stop::TableFull);
        }
        Ok(value)
    }

    /// A move after which the mover has at least `beta`, in the mover's view, by the table alone:
    /// the enhanced transposition cutoff of Schaeffer & Plaat 1996 \[SP96\]. The keys of the
    /// positions after all moves are on the stack from `first_key` on.
    #[inline]
    fn known_cut(&self, mover: Player, beta: Score, first_key: usize) -> Option<(Score, u16)> {
        let keys = &self.worker.keys[first_key..];
        if keys.len() <= FEW {
            return None;
        }
        let known = |key: &Key| self.table.get(*key).map(|entry| entry.bounds.seen_by(mover).pess);
        let values = keys.iter().map(known).zip(0..);
        values.filter_map(|(value, number)| Some((value?, number))).find(|(value, _)| *value >= beta)
    }

    /// Pops the moves from `first_move` on. Returns the best value among them, inside or on the
    /// same side of `window`, and the number of the best move.
    fn best_of_moves<const SHARED: bool>(
        &mut self,
        pos: &P,
        table_move: Option<u16>,
        window: Bounds,
        first_move: usize,
        ply: usize,
    ) -> Result<(Score, u16), Stop> {
        let (mover, key) = (pos.turn(), pos.key());
        let (first_order, first_key) = (self.worker.order.len(), self.worker.keys.len());
        let below = self.worker.scoring.key(ply + 1);
        // Memory is slow: prefetch the entries of their positions while the moves are sorted.
        for i in first_move..self.worker.moves.len() {
            let mv = self.worker.moves[i];
            let child_key = self.kept_as(&pos.after(mv), pos.key_after(key, mv)) ^ below;
            self.table.prefetch(child_key);
            self.worker.keys.push(child_key);
        }
        let beta = window.seen_by(mover).opti;
        if let Some((value, number)) = self.known_cut(mover, beta, first_key) {
            self.worker.moves.truncate(first_move);
            self.worker.keys.truncate(first_key);
            return Ok((value.seen_by(mover), number));
        }
        let worker = &mut *self.worker;
        // Images of a position share an entry, but number their moves differently.
        let table_move = if worker.config.symmetry && pos.symmetries() > 1 { None } else { table_move };
        let moves = &worker.moves[first_move..];
        worker.ordering.sort(pos, ply, table_move, &*worker.extras.hints, moves, &mut worker.order);
        let last_order = worker.order.len();
        // Like `beta` in the mover's view.
        let mut alpha = window.seen_by(mover).pess;
        let (mut best, nodes_before) = (None::<(Score, u16)>, worker.nodes);
        let marks = SHARED && ply < Busy::DEEPEST;
        // Moves that another thread is working on come last.
        'passes: for late in [false, true] {
            for i in first_order..last_order {
                let number = self.worker.order[i].1;
                let mv = self.worker.moves[first_move + usize::from(number)];
                let child = pos.after(mv);
                let child_key = self.worker.keys[first_key + usize::from(number)];
                if marks {
                    if !late && i > first_order && self.busy.has(child_key) {
                        self.worker.order[i].0 = LATE;
                        continue;
                    }
                    if late && self.worker.order[i].0 != LATE {
                        continue;
                    }
                    self.busy.mark(child_key);
                }
                let mut ask = |low: Score, high: Score| {
                    let Bounds { pess, opti } = Bounds { pess: low, opti: high }.seen_by(mover);
                    self.value::<SHARED>(&child, child_key, pess, opti, ply + 1).map(|v| v.seen_by(mover))
                };
                let first = if best.is_none() { beta } else { Score(alpha.0 + 1) };
                let mut answer = ask(alpha, first);
                if answer.is_ok_and(|value| best.is_some() && value > alpha && value < beta) {
                    answer = ask(alpha, beta);
                }
                let value = match answer {
                    Ok(value) => value,
                    Err(stop) => {
                        if self.worker.watch.may_pause() && !self.worker.scoring.counts_plies() {
                            let done = |j: usize| match self.worker.order[j].0 == LATE {
                                true => late && j < i,
                                false => late || j < i,
                            };
                            let done = (first_order..last_order).filter(|&j| done(j));
                            let number = |j: usize| usize::from(self.worker.order[j].1);
                            let done = done.map(|j| self.worker.moves[first_move + number(j)]).collect();
                            let raised = alpha > window.seen_by(mover).pess;
                            self.keep_done(pos, done, alpha, best.filter(|_| raised).map(|best| best.1));
                        }
                        return Err(stop);
                    }
                };
                if marks {
                    self.busy.clear(child_key);
                }
                if best.is_none_or(|(best, _)| value > best) {
                    best = Some((value, number));
                    alpha = alpha.max(value);
                    if alpha >= beta {
                        self.worker.ordering.cut(pos, ply, mv, self.worker.nodes - nodes_before);
                        break 'passes;
                    }
                }
            }
            if !marks {
                break;
            }
        }
        self.worker.moves.truncate(first_move);
        self.worker.keys.truncate(first_key);
        self.worker.order.truncate(first_order);
        let (value, number) = best.expect("a position that is not over has at least one move");
        Ok((value.seen_by(mover), number))
    }
}

/// With this few moves, looking all of them up in advance saves nodes but no time.
const FEW: usize = 8;

/// The order of a move that another thread is working on.
const LATE: u32 = u32::MAX;
