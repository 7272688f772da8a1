//! How soon: the number of plies to the end of the game, once values are known.

#[cfg(test)]
#[path = "shortest_tests.rs"]
mod tests;

use super::{About, Solver, Teller};
use crate::distance::{Distance, Scoring};
use crate::report::{Halt, promising_order};
use crate::{Ask, Run};
use proofplay_core::{Bounds, Position, Score};

impl<P: Position> Solver<P> {
    /// Counts the plies of what was asked, as far as values are known and the limits allow. Ends of the
    /// game stay scored by plies until the next question.
    pub(super) fn count_plies(&mut self, ask: Ask, run: &mut Run<P::Move>) -> Result<(), Halt> {
        if !ask.distances() {
            return Ok(());
        }
        self.count_all(ask, run)
    }

    pub(super) fn score_by(&mut self, scoring: Scoring) {
        self.scoring = scoring;
        self.prover.score_by(scoring);
    }

    fn count_all(&mut self, ask: Ask, run: &mut Run<P::Move>) -> Result<(), Halt> {
        if let Some(value) = self.report.bounds.value() {
            self.report.plies = self.count(None, value, run)?;
            self.name_soonest(value)?;
        }
        if ask.all_moves() {
            // Moves of the same value share what is remembered.
            let mut known: Vec<(Score, usize)> = Vec::new();
            known.extend(self.report.moves.iter().zip(0..).filter_map(|(m, i)| Some((m.bounds.value()?, i))));
            known.sort_by_key(|&(value, i)| (self.report.bounds.value() != Some(value), value, i));
            for (value, i) in known {
                self.report.moves[i].plies = self.count(Some(i), value, run)?;
            }
        }
        Ok(())
    }

    /// The plies from the root to the end of the game, by a move or at all; `None` if nobody wins.
    fn count(&mut self, about: About, value: Score, run: &mut Run<P::Move>) -> Result<Option<u32>, Halt> {
        let Some(distance) = Distance::of(value) else { return Ok(None) };
        let ply = usize::from(about.is_some());
        let pos = about.map_or_else(|| self.root.clone(), |i| self.root.after(self.report.moves[i].mv));
        if pos.outcome().is_some() {
            return Ok(Some(ply as u32));
        }
        let scoring = Scoring::Plies { distance, ply };
        self.score_by(scoring);
        let mut known = scoring.bounds(Bounds::exact(value), 0);
        let mut guess = Guess::default();
        while distance.plies(known).is_none() {
            let window = distance.within(guess.next(distance.span(known)));
            let mut teller = Teller { report: &mut self.report, observer: &mut *run.observer };
            let answer = self.prover.answer(&pos, window, known, &mut teller);
            known = known.tighten(answer.bounds);
            if let Some(halt) = answer.halt {
                return Err(halt);
            }
        }
        Ok(distance.plies(known))
    }

    /// Names a move that keeps the value and the distance of the root, and a line of such moves.
    fn name_soonest(&mut self, value: Score) -> Result<(), Halt> {
        let (Some(distance), Some(plies)) = (Distance::of(value), self.report.plies) else { return Ok(()) };
        let (root, mover, score) = (self.root.clone(), self.root.turn(), distance.score(plies));
        let moves: Vec<P::Move> = self.report.moves.iter().map(|m| m.mv).collect();
        for i in promising_order(&root, &*self.hints, &moves) {
            if !self.report.moves[i].bounds.contains(value) {
                continue;
            }
            let child = root.after(moves[i]);
            if self.holds(&child, 1, mover, score)? {
                let line = self.line(&child, 1, score);
                let best = &mut self.report.moves[i];
                (best.bounds, best.plies) = (Bounds::exact(value), Some(plies));
                best.pv.truncate(1);
                best.pv.extend(line);
                (self.report.best, self.report.pv) = (Some(moves[i]), best.pv.clone());
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Which number of plies to ask about: more and more until there is a win, then the middle.
#[derive(Default)]
struct Guess {
    step: u32,
}

impl Guess {
    /// The next one inside the span of what is possible. A question about few plies is cheap, one about many is not.
    fn next(&mut self, (least, most): (u32, Option<u32>)) -> u32 {
        match most {
            Some(most) => least + (most - least - 1) / 2,
            None => {
                let guess = least + self.step;
                self.step = (self.step + 1).max(self.step * 3 / 2);
                guess
            }
        }
    }
}
