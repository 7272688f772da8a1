//! The exact value by goal after goal: every answer tightens the bounds, so that an interrupted search reports them.

use super::best_first::{BestFirst, Budget, Ended, Stats};
use super::goal::Goal;
use super::info::{Info, Status};
use crate::checkpoint::{Checkpoint, Flaw, In, load_progress, save_progress};
use crate::limits::Watch;
use crate::report::{Halt, MoveReport, Report};
use crate::{Limits, Observer, SearchError};
use proofplay_core::{Bounds, Player, Position};
use std::sync::Arc;

/// One call of `solve`.
pub struct Exact<'a, P: Position, I: Info> {
    search: BestFirst<'a, P, I>,
    budget: Budget,
    report: Report<P::Move>,
    observer: &'a mut Observer<'a, P::Move>,
    /// The position that `solve` is about.
    root: P,
    /// Whose value is being searched.
    of: Of,
    /// An earlier run has left the search in the middle of its question.
    resumed: bool,
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
        let (report, root) = (Report::by_rules(pos), pos.clone());
        Exact { search, budget, report, observer, root, of: Of::Root, resumed: false }
    }

    /// Asks until the value of `pos` is exact, or that of every move if `all_moves`, or a limit is reached.
    pub fn solve(mut self, pos: &P, all_moves: bool) -> Result<(Report<P::Move>, Stats), SearchError> {
        if pos.outcome().is_some() {
            return Ok((self.report, Stats::default()));
        }
        let (mover, moves) = (pos.turn(), self.report.moves.iter().map(|m| m.mv).collect::<Vec<_>>());
        let checkpoint = self.checkpoint();
        if let Some(kept) = checkpoint.as_ref().and_then(|checkpoint| checkpoint.take()) {
            self.load(pos, kept)?;
        }
        let mut halt = Halt::Limit;
        if all_moves {
            // Where an earlier run has ended, then whatever is open.
            let first = if let Of::Move(first) = self.of { first } else { 0 };
            for i in std::iter::once(first).chain((0..moves.len()).filter(|&i| i != first)) {
                let mv = moves[i];
                let ended = self.ask(&pos.after(mv), mover, Of::Move(i));
                self.take_if_safer(mover, i);
                match ended {
                    Ended::Memory => halt = Halt::Memory,
                    Ended::Limit => break,
                    Ended::Solved | Ended::Enough => {}
                }
            }
            self.tighten(mover, self.report.bounds);
            let best = self.report.moves.iter().find(|m| Some(m.mv) == self.report.best);
            self.report.pv = best.map(|m| m.pv.clone()).unwrap_or_default();
        } else if self.ask(pos, mover, Of::Root) == Ended::Memory {
            halt = Halt::Memory;
        }
        self.report.prefer_ends(pos);
        self.report.end(all_moves, halt);
        if let Some(best) = self.report.moves.iter_mut().find(|m| Some(m.mv) == self.report.best) {
            best.pv.clone_from(&self.report.pv);
        }
        let stats = self.search.stats();
        note(&mut self.report, &self.budget, &stats);
        if let Some(checkpoint) = checkpoint {
            if !self.report.is_solved(all_moves) {
                keep(&checkpoint, &self.root, self.of, &self.report, &mut self.search);
            }
            checkpoint.finish();
        }
        Ok((self.report, stats))
    }

    fn checkpoint(&self) -> Option<Arc<Checkpoint>> {
        self.budget.watch.limits().checkpoint.clone()
    }

    /// Goes on from what [`keep`] has written.
    fn load(&mut self, pos: &P, mut kept: In) -> Result<(), Flaw> {
        load_progress(pos, &mut self.report, &mut kept)?;
        let number = kept.u32()?;
        let place = if number == OF_ROOT {
            pos.clone()
        } else {
            let known = self.report.moves.get(number as usize);
            let known = known.ok_or(Flaw::Nonsense("it is about a move that is not there"))?;
            self.of = Of::Move(number as usize);
            pos.after(known.mv)
        };
        if place.outcome().is_some() {
            return Err(Flaw::Nonsense("it is about a game that is over"));
        }
        self.search.load(&place, &mut kept)?;
        self.resumed = true;
        kept.end()
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

    /// Plays a move that secures more than the one to play so far.
    fn take_if_safer(&mut self, mover: Player, i: usize) {
        let certain = |bounds: Bounds| bounds.seen_by(mover).pess;
        let (m, own) = (&self.report.moves[i], self.report.bounds.seen_by(mover));
        if certain(m.bounds) > own.pess {
            (self.report.best, self.report.pv) = (Some(m.mv), m.pv.clone());
            self.report.bounds = Bounds::new(certain(m.bounds), own.opti).seen_by(mover);
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
            let goes_on = std::mem::take(&mut self.resumed) && of == self.of;
            if !goes_on || self.search.judge().goal() != goal {
                self.search.start(pos, goal);
            }
            self.of = of;
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
        let checkpoint = self.checkpoint();
        let Exact { search, budget, report, observer, root, of, .. } = self;
        search.run(u64::MAX, budget, &mut |search, budget| {
            if budget.watch.report_due() {
                let mut now = report.clone();
                note(&mut now, budget, &search.stats());
                observer(&now);
                budget.watch.reported();
                if let Some(checkpoint) = checkpoint.as_ref().filter(|checkpoint| checkpoint.is_due()) {
                    keep(checkpoint, root, *of, &now, search);
                }
            }
        })
    }

    /// What the search of the root knows about the root's moves.
    fn note_moves(&mut self, pos: &P, status: Status) {
        let judge = *self.search.judge();
        // Both lists are in the order of the moves.
        let mut moves = self.report.moves.iter_mut();
        for (mv, status) in self.search.root_moves() {
            let known = moves.find(|m| m.mv == mv).expect("a root move is a move of the position");
            known.bounds = judge.bounds(status, known.bounds);
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

/// The number that stands for [`Of::Root`] in a checkpoint.
const OF_ROOT: u32 = u32::MAX;

/// Writes a checkpoint of a search between two rounds.
fn keep<P: Position, I: Info>(
    checkpoint: &Checkpoint,
    root: &P,
    of: Of,
    report: &Report<P::Move>,
    search: &mut BestFirst<P, I>,
) {
    search.tidy();
    checkpoint.save(report, |out| {
        save_progress(root, report, out)?;
        out.u32(if let Of::Move(i) = of { i as u32 } else { OF_ROOT })?;
        search.save(out)
    });
}

/// Writes down what was spent.
fn note<M>(report: &mut Report<M>, budget: &Budget, stats: &Stats) {
    report.nodes = budget.nodes;
    report.expansions = stats.expansions;
    report.main_nodes = stats.nodes;
    report.memory = stats.bytes;
    report.elapsed = budget.watch.elapsed();
}
