//! The exact value by goal after goal: every answer tightens the bounds, so that an interrupted search reports them.

use super::best_first::{BestFirst, Budget, Ended, Stats};
use super::goal::Goal;
use super::info::{Info, Status};
use crate::limits::Watch;
use crate::report::{MoveReport, Report};
use crate::{Limits, Observer};
use proofplay_core::{Bounds, Player, Position};

/// One call of `solve`.
pub struct Exact<'a, P: Position, I: Info> {
    search: BestFirst<'a, P, I>,
    budget: Budget,
    report: Report<P::Move>,
    observer: &'a mut Observer<'a, P::Move>,
}

/// Whose value a search is about.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Of {
    Root,
    Move(usize),
}

impl<'a, P: Position, I: Info> Exact<'a, P, I> {
    /// With a search that has not begun.
    pub fn new(
        search: BestFirst<'a, P, I>,
        pos: &P,
        limits: &Limits,
        observer: &'a mut Observer<'a, P::Move>,
    ) -> Self {
        let budget = Budget { watch: Watch::new(limits), nodes: 0 };
        Exact { search, budget, report: Report::new(pos.range()), observer }
    }

    /// Asks until the value of `pos` is exact, or that of every move if `all_moves`, or a limit is reached.
    pub fn solve(mut self, pos: &P, all_moves: bool) -> (Report<P::Move>, Stats) {
        if let Some(score) = pos.outcome() {
            self.report.bounds = Bounds::exact(score);
            return (self.report, Stats::default());
        }
        let (mover, mut moves) = (pos.turn(), Vec::new());
        pos.moves(&mut moves);
        let by_rules = |&mv: &P::Move| {
            let child = pos.after(mv);
            let bounds = child.outcome().map_or_else(|| child.range(), Bounds::exact);
            MoveReport { mv, bounds, visits: 0, mean: 0.0, pv: vec![mv] }
        };
        self.report.moves = moves.iter().map(by_rules).collect();
        self.tighten(mover, self.report.bounds);
        if all_moves {
            for (i, &mv) in moves.iter().enumerate() {
                if self.ask(&pos.after(mv), mover, Of::Move(i)) == Ended::Limit {
                    break;
                }
                self.tighten(mover, self.report.bounds);
            }
            let best = self.report.moves.iter().find(|m| Some(m.mv) == self.report.best);
            self.report.pv = best.map(|m| m.pv.clone()).unwrap_or_default();
        } else {
            self.ask(pos, mover, Of::Root);
        }
        let stats = self.search.stats();
        note(&mut self.report, &self.budget, &stats);
        (self.report, stats)
    }

    /// What is certain of the root, given bounds that hold and those of its moves.
    fn tighten(&mut self, mover: Player, bounds: Bounds) {
        let by_moves = Bounds::minimax(mover, self.report.moves.iter().map(|m| m.bounds));
        self.report.bounds = bounds.tighten(by_moves);
        // The move to play is one that secures what is certain.
        let own = |m: &MoveReport<P::Move>| m.bounds.seen_by(mover).pess;
        let best = self.report.moves.iter().find(|m| Some(m.mv) == self.report.best);
        let safest = self.report.moves.iter().rev().max_by_key(|m| own(m));
        if let Some(safest) = safest.filter(|safest| best.is_none_or(|best| own(best) < own(safest))) {
            self.report.best = Some(safest.mv);
            self.report.pv = safest.pv.clone();
        }
    }

    /// Asks for goals of `player` until what is asked about is exact or the search ends without an answer.
    fn ask(&mut self, pos: &P, player: Player, of: Of) -> Ended {
        loop {
            let certain = match of {
                Of::Root => self.report.bounds,
                Of::Move(i) => self.report.moves[i].bounds,
            };
            if certain.is_exact() {
                return Ended::Solved;
            }
            let goal = Goal::next(player, certain);
            self.search.start(pos, goal);
            let ended = self.run();
            let status = self.search.status();
            let bounds = self.search.judge().bounds(status, certain);
            match of {
                Of::Root => {
                    self.note_moves(pos, status);
                    self.tighten(player, bounds);
                }
                Of::Move(i) => {
                    let line = self.shown_line(pos, status, bounds);
                    let known = &mut self.report.moves[i];
                    known.bounds = bounds;
                    if status.is_solved() && !line.is_empty() {
                        known.pv.truncate(1);
                        known.pv.extend(line);
                    }
                }
            }
            if ended != Ended::Solved {
                return ended;
            }
        }
    }

    fn run(&mut self) -> Ended {
        let Exact { search, budget, report, observer } = self;
        search.run(u64::MAX, budget, &mut |search, budget| {
            if budget.watch.report_due() {
                let mut now = report.clone();
                note(&mut now, budget, &search.stats());
                observer(&now);
                budget.watch.reported();
            }
        })
    }

    /// What the search of the root knows about the root's moves.
    fn note_moves(&mut self, pos: &P, status: Status) {
        let judge = *self.search.judge();
        for (mv, status) in self.search.root_moves() {
            if let Some(known) = self.report.moves.iter_mut().find(|m| m.mv == mv) {
                known.bounds = judge.bounds(status, known.bounds);
            }
        }
        // A proof shows the move; where nothing was ever proven any move is as good as another, and the search has its own mind.
        let proven_before =
            self.report.bounds.seen_by(pos.turn()).pess > pos.range().seen_by(pos.turn()).pess;
        if status == Status::Proven || !proven_before {
            let bounds = judge.bounds(status, self.report.bounds);
            let line = self.shown_line(pos, status, bounds);
            if !line.is_empty() {
                self.report.best = line.first().copied();
                self.report.pv = line;
            }
        }
    }

    /// The line of the search, as far as every move in it is certainly best. All of it if it ends with the best score there is
    /// for whoever the answer is for; else the first move if that player makes it.
    fn shown_line(&mut self, pos: &P, status: Status, bounds: Bounds) -> Vec<P::Move> {
        let player = self.search.judge().goal().player;
        let (own, range) = (bounds.seen_by(player), pos.range().seen_by(player));
        let mut line = self.search.line();
        let (best_there_is, winner) = match status {
            Status::Open => (true, player),
            Status::Proven => (own.pess == range.opti, player),
            Status::Disproven => (own.opti == range.pess, !player),
        };
        if !best_there_is {
            line.truncate(usize::from(pos.turn() == winner));
        }
        line
    }
}

/// Writes down what was spent.
fn note<M>(report: &mut Report<M>, budget: &Budget, stats: &Stats) {
    report.nodes = budget.nodes;
    report.expansions = stats.expansions;
    report.main_nodes = stats.nodes;
    report.memory = stats.bytes;
    report.elapsed = budget.watch.elapsed();
}
