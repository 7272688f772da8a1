//! Alpha-beta to the end of the game: the exact value by depth-first search with a transposition table.
//!
//! Knuth & Moore, "An analysis of alpha-beta pruning", 1975 \[KM75\]. The window, the values and what the table keeps are in
//! the view of `First`; the table keeps an interval per position, which every visit can only tighten. A player may
//! move twice in a row: nothing is negated from ply to ply.

mod keep;
mod ordering;
#[cfg(test)]
mod tests;

use crate::limits::Watch;
use crate::report::{MoveReport, Report};
use crate::table::{Entry, Growing};
use crate::{Limits, Observer, SearchError};
use ordering::Ordering;
use proofplay_core::{Bounds, Key, Player, Position, Score};

/// How to search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Positions that are images of each other share an entry of the table.
    pub symmetry: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config { symmetry: true }
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
    let mut search = AlphaBeta::new(pos, config, limits, observer);
    search.solve_root(pos, all_moves);
    Ok(search.finished_report())
}

/// A search whose table lasts from question to question.
pub(crate) struct AlphaBeta<'a, P: Position> {
    config: Config,
    table: Growing,
    ordering: Ordering,
    watch: Watch,
    observer: &'a mut Observer<'a, P::Move>,
    root: Report<P::Move>,
    /// Moves and their order, stacks shared by all plies.
    moves: Vec<P::Move>,
    order: Vec<(u32, u16)>,
    nodes: u64,
}

impl<'a, P: Position> AlphaBeta<'a, P> {
    /// Knows nothing yet. For positions of the game of `pos`, which must not repeat.
    pub(crate) fn new(
        pos: &P,
        config: Config,
        limits: &Limits,
        observer: &'a mut Observer<'a, P::Move>,
    ) -> Self {
        debug_assert!(P::ACYCLIC);
        AlphaBeta {
            config,
            table: Growing::new(limits.memory),
            ordering: Ordering::new(pos),
            watch: Watch::new(limits),
            observer,
            root: Report::new(pos.range()),
            moves: Vec::new(),
            order: Vec::new(),
            nodes: 0,
        }
    }

    fn finished_report(&mut self) -> Report<P::Move> {
        self.root.nodes = self.nodes;
        self.root.memory = self.table.bytes();
        self.root.elapsed = self.watch.elapsed();
        self.root.clone()
    }

    /// Looks at the moves of the root one by one, so that every one that is done counts even if time runs out.
    fn solve_root(&mut self, pos: &P, all_moves: bool) {
        if let Some(score) = pos.outcome() {
            self.root.bounds = Bounds::exact(score);
            return;
        }
        let (mover, range) = (pos.turn(), pos.range());
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let unknown = |&mv: &P::Move| MoveReport { mv, bounds: range, visits: 0, mean: 0.0, pv: vec![mv] };
        self.root.moves = moves.iter().map(unknown).collect();
        self.root.best = Some(moves[0]);
        let key = pos.key();
        for (i, &mv) in moves.iter().enumerate() {
            let so_far = Bounds::minimax(mover, self.root.moves.iter().map(|m| m.bounds));
            self.root.bounds = range.tighten(so_far);
            if self.root.bounds.is_exact() && !all_moves {
                break;
            }
            let child = pos.after(mv);
            // Without all_moves a move only matters if it can be better than the best one so far.
            let window = if all_moves { range } else { self.root.bounds };
            let key = pos.key_after(key, mv);
            let Some(value) = self.value(&child, key, window.pess, window.opti, 1) else { break };
            let bounds = proven_by(value, window).tighten(child.range());
            self.root.moves[i].bounds = bounds;
            let best = self.root.best.and_then(|best| self.root.moves.iter().find(|m| m.mv == best));
            let worst_for = |b: Bounds| b.seen_by(mover).pess;
            if best.is_none_or(|best| worst_for(bounds) > worst_for(best.bounds)) {
                self.root.best = Some(mv);
            }
        }
        let bounds = Bounds::minimax(mover, self.root.moves.iter().map(|m| m.bounds));
        self.root.bounds = range.tighten(bounds);
        if let Some(value) = self.root.bounds.value() {
            self.root.pv = self.line(pos, value);
            self.root.best = self.root.pv.first().copied().or(self.root.best);
        } else {
            self.root.pv = self.root.best.into_iter().collect();
        }
    }

    /// The value if it lies inside the window, else a bound on the same side of it; `None` when a limit was reached.
    fn value(&mut self, pos: &P, key: Key, alpha: Score, beta: Score, ply: usize) -> Option<Score> {
        if self.watch.is_over(self.nodes, self.watch.limits().nodes) {
            return None;
        }
        self.nodes += 1;
        if self.watch.report_due() {
            let report = self.finished_report();
            (self.observer)(&report);
        }
        if let Some(score) = pos.outcome() {
            return Some(score);
        }
        let key = if self.config.symmetry { pos.canonical_key(key) } else { key };
        let known = self.table.get(key);
        let certain = known.map_or(pos.range(), |entry| pos.range().tighten(entry.bounds));
        if certain.is_exact() || certain.pess >= beta {
            return Some(certain.pess);
        }
        if certain.opti <= alpha {
            return Some(certain.opti);
        }
        let window = Bounds::new(alpha.max(certain.pess), beta.min(certain.opti));
        let (value, best) = self.best_of_moves(pos, known.map(|entry| entry.best), window, ply)?;
        let bounds = certain.tighten(proven_by(value, window));
        self.table.put(key, Entry { bounds, best });
        Some(value)
    }

    /// The best value among the moves, inside or on the same side of `window`, and the number of the best move.
    fn best_of_moves(
        &mut self,
        pos: &P,
        table_move: Option<u16>,
        window: Bounds,
        ply: usize,
    ) -> Option<(Score, u16)> {
        let (mover, key) = (pos.turn(), pos.key());
        let (first_move, first_order) = (self.moves.len(), self.order.len());
        pos.moves(&mut self.moves);
        let table_move = if self.config.symmetry && pos.symmetries() > 1 { None } else { table_move };
        self.ordering.sort(pos, ply, table_move, &self.moves[first_move..], &mut self.order);
        // `alpha` and `beta` are in the mover's view from here on.
        let Bounds { pess: mut alpha, opti: beta } = window.seen_by(mover);
        let (mut best, nodes_before, mut done) = (None, self.nodes, true);
        for i in first_order..self.order.len() {
            let number = self.order[i].1;
            let mv = self.moves[first_move + usize::from(number)];
            let child_key = pos.key_after(key, mv);
            let Bounds { pess, opti } = Bounds { pess: alpha, opti: beta }.seen_by(mover);
            let Some(value) = self.value(&pos.after(mv), child_key, pess, opti, ply + 1) else {
                done = false;
                break;
            };
            let value = value.seen_by(mover);
            if best.is_none_or(|(best, _)| value > best) {
                best = Some((value, number));
                alpha = alpha.max(value);
                if alpha >= beta {
                    self.ordering.cut(pos, ply, mv, self.nodes - nodes_before);
                    break;
                }
            }
        }
        self.moves.truncate(first_move);
        self.order.truncate(first_order);
        if !done {
            return None;
        }
        let (value, number) = best.expect("a position that is not over has at least one move");
        Some((value.seen_by(mover), number))
    }

    /// A line of best play from a position of known value, as far as the limits allow.
    fn line(&mut self, pos: &P, value: Score) -> Vec<P::Move> {
        let (mut pos, mut line, mut moves) = (pos.clone(), Vec::new(), Vec::new());
        while pos.outcome().is_none() {
            moves.clear();
            pos.moves(&mut moves);
            let key = pos.key();
            // A move keeps the value if its child is not worse for the mover.
            let keeps = moves.iter().copied().find(|&mv| {
                let (child, key) = (pos.after(mv), pos.key_after(key, mv));
                let (alpha, beta) = match pos.turn() {
                    Player::First => (Score(value.0 - 1), value),
                    Player::Second => (value, Score(value.0 + 1)),
                };
                self.value(&child, key, alpha, beta, line.len() + 1)
                    .is_some_and(|v| v.seen_by(pos.turn()) >= value.seen_by(pos.turn()))
            });
            let Some(mv) = keeps else { break };
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
