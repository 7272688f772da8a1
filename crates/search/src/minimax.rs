//! Brute force as a search with limits: `minimax` on the command line.

use crate::report::{Halt, Report, promising_order};
use crate::search::{NodeView, Saved, Search, Tree};
use crate::strategist::{Strategist, from_scratch};
use crate::{Ask, Limits, Resources, Run};
use proofplay_core::minimax::{Ending, brute_force};
use proofplay_core::{Bounds, Extras, Position};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Searches every line of play and remembers nothing except the value of every root move.
#[derive(Debug)]
pub struct Minimax<P: Position> {
    pos: P,
    /// Its memory, which only its strategist uses.
    memory: usize,
    extras: Extras<P>,
    /// What the last run has found about the moves.
    report: Report<P::Move>,
}

impl<P: Position> Minimax<P> {
    /// A search of `pos`.
    pub fn new(pos: &P, extras: Extras<P>, resources: Resources) -> Minimax<P> {
        let report = Report::by_rules(pos, &*extras.hints);
        Minimax { pos: pos.clone(), memory: resources.memory, extras, report }
    }
}

impl<P: Position> Search<P> for Minimax<P> {
    fn name(&self) -> &'static str {
        "minimax"
    }

    fn position(&self) -> &P {
        &self.pos
    }

    fn counts_plies(&self) -> bool {
        !self.pos.repeats()
    }

    fn think(&mut self, ask: Ask, run: &mut Run<P::Move>) -> Report<P::Move> {
        let (pos, mut watch) = (&self.pos, run.watch());
        let mut report = Report::by_rules(pos, &*self.extras.hints);
        if let Some(score) = pos.outcome() {
            report.plies = score.winner().filter(|_| ask.distances()).map(|_| 0);
            return report;
        }
        let mover = pos.turn();
        let certain = |bounds: Bounds| bounds.seen_by(mover).pess;
        let mut safest = report.after_best().map(certain);
        let moves: Vec<P::Move> = report.moves.iter().map(|m| m.mv).collect();
        for i in promising_order(pos, &*self.extras.hints, &moves) {
            let value = brute_force(&pos.after(moves[i]), &mut |_| {
                let go_on = !watch.is_over(report.nodes, run.limits.nodes);
                report.nodes += u64::from(go_on);
                if watch.report_due() {
                    report.elapsed = watch.elapsed();
                    (run.observer)(&report, &Known(&report));
                    watch.reported();
                }
                go_on
            });
            let Some(Ending { score: value, plies }) = value else { break };
            report.moves[i].bounds = Bounds::exact(value);
            report.moves[i].plies = value.winner().filter(|_| ask.distances()).map(|_| plies + 1);
            if Some(value.seen_by(mover)) > safest {
                (report.best, safest) = (Some(moves[i]), Some(value.seen_by(mover)));
            }
            let own = report.bounds.seen_by(mover);
            report.bounds = Bounds::new(own.pess.max(value.seen_by(mover)), own.opti).seen_by(mover);
        }
        report.bounds = pos.range().tighten(Bounds::minimax(mover, report.moves.iter().map(|m| m.bounds)));
        report.prefer_open(pos, &*self.extras.hints);
        report.prefer_soonest(mover);
        report.pv = report.best.into_iter().collect();
        report.end(if ask.distances() { Ask::AllDistances } else { Ask::AllMoves }, Halt::Limit);
        report.elapsed = watch.elapsed();
        self.report = report.clone();
        report
    }

    fn set_position(&mut self, pos: &P) {
        self.pos = pos.clone();
        self.report = Report::by_rules(&self.pos, &*self.extras.hints);
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
        from_scratch(&self.pos, &self.extras, self.memory, limits, stop)
    }
}

impl<P: Position> Tree<P::Move> for Minimax<P> {
    fn children(&self, path: &[P::Move]) -> Vec<NodeView<P::Move>> {
        Known(&self.report).children(path)
    }
}

/// What is known about the moves of the root; nothing else is.
struct Known<'a, M>(&'a Report<M>);

impl<M: Copy> Tree<M> for Known<'_, M> {
    fn children(&self, path: &[M]) -> Vec<NodeView<M>> {
        let moves = if path.is_empty() { self.0.moves.as_slice() } else { &[] };
        moves.iter().map(|m| NodeView::new(m.mv, m.bounds)).collect()
    }
}
