//! Retrograde analysis: all positions that can follow, solved from the ends of games backwards.
//!
//! K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986. Positions that differ only in what was
//! played before them are one position here, which is sound in games where the third occurrence of a position is a draw
//! (docs/SOUNDNESS.md): endless play is a draw, too. So this search has a table where positions repeat, and counts plies there.
//!
//! Invariant: what a table knows about a position holds for an empty history. [`Solved::bounds`] says what it means for another
//! one.

mod backward;
mod parts;
mod positions;
mod table;

use crate::distance::Scoring;
use crate::proof::Goal;
use crate::report::{Halt, Report, promising};
use crate::search::{NodeView, Saved, Search, Tree, children_by, walk};
use crate::strategist::{NoMove, Strategist, from_scratch};
use crate::{Ask, Limits, Resources, Run, SearchError};
use positions::NoNumber;
use proofplay_core::{Bounds, Entry, Extras, Facts, Hints, Position};
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use table::{Known, Table};

pub use parts::{Look, Parts, Progress};
pub use proofplay_core::Certain;

/// Plies of a line of play that nobody wins, at most.
const LONGEST_DRAW: usize = 200;

/// A search that solves all positions that can follow its own.
pub struct Retrograde<P: Position> {
    pos: P,
    extras: Extras<P>,
    memory: usize,
    /// `None` where positions cannot be told from each other without their histories, or the game is over.
    table: Option<Arc<Table<P>>>,
}

impl<P: Position> Retrograde<P> {
    /// A search of `pos`; nothing is done yet.
    pub fn new(pos: &P, extras: Extras<P>, resources: Resources) -> Result<Self, SearchError> {
        if pos.repeats() && pos.outcome().is_none() && pos.packed().is_none() {
            return Err(SearchError::NoNumbers("retrograde"));
        }
        Ok(Retrograde { pos: pos.clone(), extras, memory: resources.memory, table: None })
    }

    /// All that it has solved, as facts for other searches; `None` before it has solved its position.
    pub fn solved(&self) -> Option<Solved<P>> {
        self.table.as_ref().filter(|table| table.is_done()).map(|table| Solved { table: Arc::clone(table) })
    }

    /// The positions found, and their moves as far as they were listed.
    pub fn size(&self) -> (u64, u64) {
        self.table.as_ref().map_or((0, 0), |table| (table.found(), table.edges()))
    }

    /// Goes on with the table of the present position, which is not over; begins it if there is none.
    fn advance(&mut self, report: &mut Report<P::Move>, run: &mut Run<P::Move>) -> Result<(), Halt> {
        let mut watch = run.watch();
        if !self.table.as_ref().is_some_and(|table| table.has(&self.pos)) {
            self.table = None;
            let table = Table::new(&self.pos).map_err(|NoNumber| Halt::Exhausted)?;
            self.table = Some(Arc::new(table));
        }
        let table = self.table.as_mut().expect("it was made");
        // The first position counts when it is listed.
        let found = |table: &Table<P>| if table.listed() == 0 { 0 } else { table.found() };
        let before = (found(table), table.listed());
        let count = |report: &mut Report<P::Move>, table: &Table<P>| {
            (report.nodes, report.expansions) = (found(table) - before.0, table.listed() - before.1);
            report.memory = table.bytes();
        };
        let done = match Arc::get_mut(table) {
            // Facts that were handed out share it, so it is solved.
            None => Ok(()),
            Some(table) => table.go_on(self.memory, run.limits.nodes, &mut watch, &mut |table, watch| {
                if watch.report_due() {
                    count(report, table);
                    report.elapsed = watch.elapsed();
                    (run.observer)(report, &Moves(report));
                    watch.reported();
                }
            }),
        };
        count(report, table);
        report.elapsed = watch.elapsed();
        done
    }
}

impl<P: Position> Search<P> for Retrograde<P> {
    fn name(&self) -> &'static str {
        "retrograde"
    }

    fn position(&self) -> &P {
        &self.pos
    }

    fn counts_plies(&self) -> bool {
        true
    }

    fn think(&mut self, ask: Ask, run: &mut Run<P::Move>) -> Report<P::Move> {
        let mut report = Report::by_rules(&self.pos, &*self.extras.hints);
        if let Some(score) = self.pos.outcome() {
            report.plies = score.winner().map(|_| 0);
            return report;
        }
        let halt = self.advance(&mut report, run).err();
        if let Some(solved) = self.solved() {
            solved.tell(&self.pos, ask, &*self.extras.hints, &mut report);
        }
        report.end(ask, halt.unwrap_or(Halt::Exhausted));
        report
    }

    fn set_position(&mut self, pos: &P) {
        self.pos = pos.clone();
    }

    fn saved(&mut self) -> Option<&mut dyn Saved> {
        None
    }

    fn strategist<'a>(
        &'a mut self,
        _memory: &mut usize,
        limits: Limits,
        stop: &Arc<AtomicBool>,
    ) -> Box<dyn Strategist<P> + 'a> {
        match self.solved() {
            Some(solved) => Box::new(ByTable { solved, hints: &*self.extras.hints, stop: Arc::clone(stop) }),
            None => from_scratch(&self.pos, &self.extras, self.memory, limits, stop),
        }
    }
}

impl<P: Position> Tree<P::Move> for Retrograde<P> {
    fn children(&self, path: &[P::Move]) -> Vec<NodeView<P::Move>> {
        let (Some(solved), Some(pos)) = (self.solved(), walk(&self.pos, path)) else { return Vec::new() };
        children_by(&pos, &mut |_, child, view| match solved.after(child) {
            Some(after) => {
                view.bounds = after.bounds;
                true
            }
            None => false,
        })
    }
}

impl<P: Position> fmt::Debug for Retrograde<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retrograde")
            .field("pos", &self.pos)
            .field("size", &self.size())
            .finish_non_exhaustive()
    }
}

/// What the rules show about the moves of the root, while nothing more is known.
struct Moves<'a, M>(&'a Report<M>);

impl<M: Copy> Tree<M> for Moves<'_, M> {
    fn children(&self, path: &[M]) -> Vec<NodeView<M>> {
        let moves = if path.is_empty() { self.0.moves.as_slice() } else { &[] };
        moves.iter().map(|m| NodeView::new(m.mv, m.bounds)).collect()
    }
}

/// A solved set of positions: values and distances, to look up in any order.
pub struct Solved<P: Position> {
    table: Arc<Table<P>>,
}

impl<P: Position> Solved<P> {
    /// What is certain about a position that is not over; `None` if it does not belong to the set.
    pub fn certain(&self, pos: &P) -> Option<Certain> {
        let Known { value, plies } = self.table.known(pos)?;
        Some(Certain::of(pos, value, plies, None))
    }

    /// All positions by their numbers ([`Position::packed`]), ascending, with what is known about each. `None` if the game does not
    /// number its positions, or a value is no win, draw or loss.
    pub fn entries(&self) -> Option<impl Iterator<Item = (u128, Entry)> + '_> {
        self.table.entries()
    }

    /// The same for a position that may be over.
    fn after(&self, pos: &P) -> Option<Certain> {
        match pos.outcome() {
            Some(score) => Some(Certain { bounds: Bounds::exact(score), plies: score.winner().map(|_| 0) }),
            None => self.certain(pos),
        }
    }

    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.table.found()
    }

    /// How many moves they have.
    pub fn moves(&self) -> u64 {
        self.table.edges()
    }

    /// A move that keeps the value of a position and, if somebody wins, its distance; of several, the most promising one. `None`
    /// where the history leaves no such move certain.
    fn best(&self, pos: &P, hints: &dyn Hints<P>) -> Option<P::Move> {
        let here = self.certain(pos)?;
        let value = here.bounds.value()?;
        let keeps = |&mv: &P::Move| {
            self.after(&pos.after(mv)).is_some_and(|after| {
                after.bounds.value() == Some(value)
                    && after.plies.is_none_or(|plies| Some(plies + 1) == here.plies)
            })
        };
        promising(pos, hints).into_iter().find(keeps)
    }

    /// A line of best play, until a position comes again.
    fn line(&self, pos: &P, hints: &dyn Hints<P>) -> Vec<P::Move> {
        let (mut pos, mut line, mut seen) = (pos.clone(), Vec::new(), HashSet::new());
        while pos.outcome().is_none() {
            let won = self.certain(&pos).is_some_and(|here| here.plies.is_some());
            if !won && (line.len() >= LONGEST_DRAW || !seen.insert((pos.key(), pos.turn()))) {
                break;
            }
            let Some(mv) = self.best(&pos, hints) else { break };
            line.push(mv);
            pos.play(mv);
        }
        line
    }

    /// Writes what is known about `pos` and its moves into a report by the rules.
    fn tell(&self, pos: &P, ask: Ask, hints: &dyn Hints<P>, report: &mut Report<P::Move>) {
        let Some(here) = self.certain(pos) else { return };
        report.bounds = report.bounds.tighten(here.bounds);
        report.plies = here.plies;
        for m in &mut report.moves {
            let child = pos.after(m.mv);
            let Some(after) = self.after(&child) else { continue };
            m.bounds = m.bounds.tighten(after.bounds);
            m.plies = after.plies.map(|plies| plies + 1);
            if ask.all_moves() {
                m.pv.truncate(1);
                m.pv.extend(self.line(&child, hints));
            }
        }
        if let Some(best) = self.best(pos, hints) {
            report.best = Some(best);
            report.pv = vec![best];
            report.pv.extend(self.line(&pos.after(best), hints));
        } else {
            // The history counts: the safest move.
            report.prefer_open(pos, hints);
        }
    }
}

impl<P: Position> Clone for Solved<P> {
    fn clone(&self) -> Self {
        Solved { table: Arc::clone(&self.table) }
    }
}

impl<P: Position> fmt::Debug for Solved<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solved").field("positions", &self.positions()).finish_non_exhaustive()
    }
}

impl<P: Position> Facts<P> for Solved<P> {
    fn bounds(&self, pos: &P) -> Bounds {
        self.certain(pos).map_or_else(|| pos.range(), |here| here.bounds)
    }
}

/// Moves by the table.
struct ByTable<'a, P: Position> {
    solved: Solved<P>,
    hints: &'a dyn Hints<P>,
    stop: Arc<AtomicBool>,
}

impl<P: Position> Strategist<P> for ByTable<'_, P> {
    fn name(&self) -> &'static str {
        "retrograde"
    }

    /// The best move alone: another one that wins, too, might lead round in a circle.
    fn choose(
        &mut self,
        pos: &P,
        goal: Goal,
        scoring: Scoring,
        good: &mut Vec<P::Move>,
    ) -> Result<(), NoMove> {
        if self.stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(NoMove::Limit);
        }
        let reaches = |here: Certain| {
            let worst = here.bounds.seen_by(goal.player).pess.seen_by(goal.player);
            scoring.end(worst, here.plies.unwrap_or(0) as usize).seen_by(goal.player) >= goal.at_least
        };
        let here = self.solved.certain(pos).ok_or(NoMove::Unproven)?;
        if !reaches(here) {
            return Err(NoMove::Unproven);
        }
        let best = self.solved.best(pos, self.hints);
        // Where the history counts, any move that reaches the goal.
        let mut moves = promising(pos, self.hints).into_iter();
        let one_more = |after: Certain| Certain { plies: after.plies.map(|plies| plies + 1), ..after };
        let best = best.or_else(|| {
            moves.find(|&mv| self.solved.after(&pos.after(mv)).is_some_and(|after| reaches(one_more(after))))
        });
        good.push(best.ok_or(NoMove::Unproven)?);
        Ok(())
    }
}
