//! Exact values by questions about windows: what solvers that remember positions in a table have in common.

use crate::checkpoint::{Flaw, In, Out, load_progress, save_progress};
use crate::limits::Watch;
use crate::report::{Halt, Report, promising, promising_order};
use crate::{Observer, SearchError};
use proofplay_core::{Bounds, Player, Position, Score, guard};
use std::io;

/// A solver that keeps what it finds from question to question.
pub trait Windowed<P: Position> {
    /// The value of `pos` if it lies inside the window, else a bound on the same side of it; `None` when a limit was
    /// reached. `report` is what the observer hears.
    fn value(
        &mut self,
        pos: &P,
        window: Bounds,
        report: &mut Report<P::Move>,
        observer: &mut Observer<P::Move>,
    ) -> Option<Score>;

    /// Watches the limits of all questions together; with pauses, so that [`Windowed::ask`] can write checkpoints.
    fn watch(&self) -> &Watch;

    /// Notes what was spent.
    fn note(&self, report: &mut Report<P::Move>);

    /// Writes what it keeps from question to question.
    fn save(&self, out: &mut Out) -> io::Result<()>;

    /// Reads it back; all values lie in `range`.
    fn load(&mut self, from: &mut In, range: Bounds) -> Result<(), Flaw>;

    /// Writes a checkpoint, if they are wanted.
    fn keep(&self, root: &P, report: &mut Report<P::Move>) {
        if let Some(checkpoint) = &self.watch().limits().checkpoint {
            self.note(report);
            checkpoint.save(report, |out| {
                save_progress(root, report, out)?;
                self.save(out)
            });
        }
    }

    /// [`Windowed::value`], with pauses for checkpoints.
    fn ask(
        &mut self,
        (root, pos): (&P, &P),
        window: Bounds,
        report: &mut Report<P::Move>,
        observer: &mut Observer<P::Move>,
    ) -> Option<Score> {
        loop {
            let answer = self.value(pos, window, report, observer);
            let checkpoint = self.watch().limits().checkpoint.as_ref();
            if answer.is_some() || !checkpoint.is_some_and(|checkpoint| checkpoint.is_due()) {
                return answer;
            }
            self.keep(root, report);
        }
    }

    /// Whether `owner` can make sure of `score` or better (for `First` at least, for `Second` at most); `None` when a
    /// limit was reached.
    fn holds(&mut self, pos: &P, owner: Player, score: Score) -> Option<bool> {
        if let Some(end) = guard::ended(pos) {
            return Some(end.seen_by(owner) >= score.seen_by(owner));
        }
        let window = match owner {
            Player::First => Bounds { pess: Score(score.0 - 1), opti: score },
            Player::Second => Bounds { pess: score, opti: Score(score.0 + 1) },
        };
        let value = self.value(pos, window, &mut Report::new(pos.range()), &mut |_| ())?;
        Some(value.seen_by(owner) >= score.seen_by(owner))
    }

    /// A move after which its player still has `score`, the most promising first; `None` if a limit was reached or there is
    /// none.
    fn keeping(&mut self, pos: &P, score: Score) -> Option<P::Move> {
        for mv in promising(pos) {
            if self.holds(&pos.after(mv), pos.turn(), score)? {
                return Some(mv);
            }
        }
        None
    }

    /// A line of best play from a position of known value, as far as the limits allow.
    fn line(&mut self, pos: &P, value: Score) -> Vec<P::Move> {
        let (mut pos, mut line) = (pos.clone(), Vec::new());
        while pos.outcome().is_none() && line.len() < 2 * guard::MOST_PLIES {
            let Some(mv) = self.keeping(&pos, value) else { break };
            line.push(mv);
            pos.play(mv);
        }
        line
    }

    /// Looks at the moves of the root one by one, so that every one that is done counts even if time runs out.
    fn root(
        &mut self,
        pos: &P,
        all_moves: bool,
        report: &mut Report<P::Move>,
        observer: &mut Observer<P::Move>,
    ) {
        let (mover, range) = (pos.turn(), pos.range());
        let moves: Vec<P::Move> = report.moves.iter().map(|m| m.mv).collect();
        let order = promising_order(pos, &moves);
        let best_of = |a: Option<Bounds>, b: Bounds| Some(Bounds::minimax(mover, a.into_iter().chain([b])));
        // What the moves from each place of the order on allow together, and what those before it do.
        let mut rest = Vec::new();
        for &i in order.iter().rev() {
            rest.extend(best_of(rest.last().copied(), report.moves[i].bounds));
        }
        let certain = |bounds: Bounds| bounds.seen_by(mover).pess;
        let (mut before, mut safest) = (None, report.after_best().map(certain));
        for &i in &order {
            let behind = rest.pop().expect("one for each move");
            report.bounds = best_of(before, behind).map_or(range, |bounds| range.tighten(bounds));
            if report.bounds.is_exact() && !all_moves {
                return;
            }
            // Without all_moves a move only matters if it can be better than the best one so far.
            let window = if all_moves { range } else { report.bounds };
            if !settles(report.moves[i].bounds, window) {
                let child = pos.after(moves[i]);
                let Some(value) = self.ask((pos, &child), window, report, observer) else { return };
                let known = &mut report.moves[i].bounds;
                *known = known.tighten(proven_by(value, window));
            }
            let known = report.moves[i].bounds;
            if Some(certain(known)) > safest {
                (report.best, safest) = (Some(moves[i]), Some(certain(known)));
            }
            before = best_of(before, known);
        }
        report.bounds = before.map_or(range, |bounds| range.tighten(bounds));
    }

    /// Finds the exact value of `pos`: move by move if `all_moves` or `by_moves`, else of the root as a whole.
    fn exact(
        &mut self,
        pos: &P,
        all_moves: bool,
        by_moves: bool,
        observer: &mut Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        let mut report = Report::by_rules(pos);
        if pos.outcome().is_some() {
            return Ok(report);
        }
        let checkpoint = self.watch().limits().checkpoint.clone();
        if let Some(mut kept) = checkpoint.as_ref().and_then(|checkpoint| checkpoint.take()) {
            load_progress(pos, &mut report, &mut kept)?;
            self.load(&mut kept, pos.range())?;
            kept.end()?;
        }
        if all_moves || by_moves {
            self.root(pos, all_moves, &mut report, observer);
        } else if !report.bounds.is_exact() {
            let window = report.bounds;
            if let Some(value) = self.ask((pos, pos), window, &mut report, observer) {
                report.bounds = proven_by(value, window).tighten(window);
            }
        }
        if !report.is_solved(all_moves) {
            self.keep(pos, &mut report);
        }
        if let Some(checkpoint) = checkpoint {
            checkpoint.finish();
        }
        if let Some(value) = report.bounds.value() {
            self.name_move(pos, value, &mut report);
        }
        report.pv = report.best.into_iter().collect();
        if report.best_is_proven(pos.turn()) {
            let line = report.best.map(|best| self.line(&pos.after(best), report.bounds.pess));
            report.pv.extend(line.into_iter().flatten());
        }
        if let Some(best) = report.moves.iter_mut().find(|m| Some(m.mv) == report.best) {
            best.pv.clone_from(&report.pv);
        }
        report.end(all_moves, Halt::Limit);
        self.note(&mut report);
        Ok(report)
    }

    /// Names a move that is proven to keep the value of the root, the most promising one, unless a limit is reached first.
    fn name_move(&mut self, pos: &P, value: Score, report: &mut Report<P::Move>) {
        let (mover, enough) = (pos.turn(), value.seen_by(pos.turn()));
        let moves: Vec<P::Move> = report.moves.iter().map(|m| m.mv).collect();
        for i in promising_order(pos, &moves) {
            let known = &mut report.moves[i].bounds;
            let Bounds { pess, opti } = known.seen_by(mover);
            if opti < enough {
                continue;
            }
            let keeps =
                if pess >= enough { Some(true) } else { self.holds(&pos.after(moves[i]), mover, value) };
            match keeps {
                Some(true) => {
                    // No move is worth more than the position.
                    *known = Bounds::exact(value);
                    report.best = Some(moves[i]);
                    return;
                }
                Some(false) => *known = Bounds::new(pess, Score(enough.0 - 1)).seen_by(mover),
                None => return,
            }
        }
    }
}

/// Whether nothing inside the window is left to be found.
fn settles(bounds: Bounds, window: Bounds) -> bool {
    bounds.is_exact() || bounds.pess >= window.opti || bounds.opti <= window.pess
}

/// What a search with this window has proven when it returned `value`.
pub fn proven_by(value: Score, window: Bounds) -> Bounds {
    const LOWEST: Score = Score(-i16::MAX);
    const HIGHEST: Score = Score(i16::MAX);
    Bounds {
        pess: if value > window.pess { value } else { LOWEST },
        opti: if value < window.opti { value } else { HIGHEST },
    }
}
