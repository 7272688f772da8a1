//! One search to a given depth: a position, its moves, their positions.

use super::Shown;
use super::table_entry::Searched;
use super::value::{Found, Scale, Worth};
use crate::Observer;
use crate::alphabeta::ordering::Ordering;
use crate::report::Report;
use crate::table::Growing;
use crate::watch::Watch;
use proofplay_core::{Hints, Key, Player, Position, guard};

/// A limit was reached.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Over;

/// Iterations of one search, depth after depth.
pub struct Iteration<'a, P: Position> {
    pub root: &'a P,
    pub hints: &'a dyn Hints<P>,
    pub scale: Scale,
    pub table: &'a mut Growing<Searched>,
    pub watch: Watch,
    pub most_nodes: Option<u64>,
    pub ordering: Ordering,
    /// Moves and their order, stacks shared by all plies.
    pub moves: Vec<P::Move>,
    pub order: Vec<(u32, u16)>,
    /// Entries made since the table last grew.
    pub puts: u64,
    pub report: Report<P::Move>,
    pub observer: &'a mut Observer<'a, P::Move>,
}

impl<P: Position> Iteration<'_, P> {
    /// Counts a position, unless a limit is reached.
    #[inline]
    pub fn visit(&mut self) -> Result<(), Over> {
        if self.watch.is_over(self.report.nodes, self.most_nodes) {
            return Err(Over);
        }
        self.report.nodes += 1;
        if self.watch.report_due() {
            self.report.elapsed = self.watch.elapsed();
            let shown = Shown { root: self.root, scale: self.scale, table: self.table };
            (self.observer)(&self.report, &shown);
            self.watch.reported();
        }
        Ok(())
    }

    /// The worth of `pos` to `depth` plies if it lies inside the window, else a bound on the same
    /// side of it.
    pub fn value(
        &mut self,
        pos: &P,
        key: Key,
        depth: u8,
        low: Worth,
        high: Worth,
        ply: usize,
    ) -> Result<Found, Over> {
        self.visit()?;
        if let Some(score) = guard::ended(pos) {
            // Where positions repeat, an end may belong to one path only, and the table mixes paths.
            let certain = !pos.repeats();
            return Ok(Found { worth: self.scale.end(score, ply), at_least: certain, at_most: certain });
        }
        if depth == 0 {
            return Ok(Found::guess(self.scale.guess(self.hints.value(pos))));
        }
        let known = self.table.get(key);
        if let Some(found) = known.and_then(|known| known.answer(low, high, depth, ply)) {
            return Ok(found);
        }
        let (first_move, mover) = (self.moves.len(), pos.turn());
        pos.moves(&mut self.moves);
        let first_order = self.order.len();
        let moves = &self.moves[first_move..];
        self.ordering.sort(pos, ply, known.map(|known| known.best), self.hints, moves, &mut self.order);
        let (mut race, last_order, nodes) =
            (Race::new(mover, low, high), self.order.len(), self.report.nodes);
        let mut best = 0;
        for i in first_order..last_order {
            let number = self.order[i].1;
            let mv = self.moves[first_move + usize::from(number)];
            // Leaves are not looked up.
            let child_key = if depth > 1 { pos.key_after(key, mv) } else { 0 };
            let child = pos.after(mv);
            let better =
                race.enter(|low, high| self.value(&child, child_key, depth - 1, low, high, ply + 1))?;
            if better {
                best = number;
            }
            if race.is_cut() {
                race.leave_out(last_order - 1 - i);
                self.ordering.cut(pos, ply, mv, self.report.nodes - nodes);
                break;
            }
        }
        self.moves.truncate(first_move);
        self.order.truncate(first_order);
        let found = race.found();
        self.table.put(key, Searched::new(found, low, high, depth, best, ply));
        self.puts += 1;
        Ok(found)
    }
}

/// The moves of a position against each other: principal variation search. Everything inside is in
/// the mover's view.
pub struct Race {
    mover: Player,
    alpha: Worth,
    beta: Worth,
    best: Option<Found>,
}

impl Race {
    /// No move was searched yet.
    #[inline]
    pub fn new(mover: Player, low: Worth, high: Worth) -> Race {
        let (alpha, beta) = match mover {
            Player::First => (low, high),
            Player::Second => (high.seen_by(mover), low.seen_by(mover)),
        };
        Race { mover, alpha, beta, best: None }
    }

    /// Looks at the next move by asking for its worth within windows in the view of `First`;
    /// whether it is the best so far.
    #[inline]
    pub fn enter(&mut self, mut ask: impl FnMut(Worth, Worth) -> Result<Found, Over>) -> Result<bool, Over> {
        let mover = self.mover;
        let mut ask = |alpha: Worth, beta: Worth| {
            let (low, high) = match mover {
                Player::First => (alpha, beta),
                Player::Second => (beta.seen_by(mover), alpha.seen_by(mover)),
            };
            ask(low, high).map(|found| found.seen_by(mover))
        };
        let Some(best) = self.best else {
            let first = ask(self.alpha, self.beta)?;
            self.alpha = self.alpha.max(first.worth);
            self.best = Some(first);
            return Ok(true);
        };
        let mut next = ask(self.alpha, Worth(self.alpha.0 + 1))?;
        if next.worth > self.alpha && next.worth < self.beta {
            next = ask(self.alpha, self.beta)?;
        }
        // The mover has what the best move leaves for certain, and at most what all of them do.
        let better = next.worth > best.worth;
        let at_most = best.at_most && next.at_most;
        self.best = Some(Found { at_most, ..if better { next } else { best } });
        self.alpha = self.alpha.max(next.worth);
        Ok(better)
    }

    /// The other moves do not matter.
    #[inline]
    pub fn is_cut(&self) -> bool {
        self.alpha >= self.beta
    }

    /// This many moves were not searched.
    #[inline]
    pub fn leave_out(&mut self, moves: usize) {
        if let Some(best) = &mut self.best {
            best.at_most &= moves == 0;
        }
    }

    /// What the moves are worth together, in the view of `First`.
    #[inline]
    pub fn found(&self) -> Found {
        self.best.expect("a position that is not over has at least one move").seen_by(self.mover)
    }
}
