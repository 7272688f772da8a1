//! Requests that think: `analyze`, `move` and `solve`.

use super::session::{Session, no_game, text};
use super::{Reports, Talk, json};
use proofplay_front::budget::{left_of, with_certificate};
use proofplay_front::certificate;
use proofplay_front::json::Chosen;
use proofplay_front::question::{Kind, Question};
use proofplay_front::request::{Analyze, Choose, Solve};
use proofplay_registry::Certify;
use proofplay_search::checkpoint::probe;
use proofplay_search::{Report, Resources};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

impl Session {
    pub(super) fn analyze(&mut self, analyze: &Analyze, talk: &mut Talk<'_>) -> Result<Value, String> {
        let question = Question::analyze(self.game()?.record.now(), analyze, self.resources)?;
        let report = self.run(&question, talk)?;
        Ok(question.answer(self.game()?.record.now(), &report))
    }

    pub(super) fn choose(&mut self, choose: &Choose, talk: &mut Talk<'_>) -> Result<Value, String> {
        let question = Question::choose(self.game()?.record.now(), choose, self.resources)?;
        let report = self.run(&question, talk)?;
        let chosen: Chosen = question.chosen(self.game()?.record.now(), &report);
        if choose.play {
            self.game_mut()?.record.play(&chosen.mv).map_err(text)?;
        }
        Ok(json(&chosen))
    }

    pub(super) fn solve(&mut self, solve: &Solve, talk: &mut Talk<'_>) -> Result<Value, String> {
        let own = self.resources;
        let (memory, for_certificate) = match &solve.certificate {
            Some(_) => with_certificate(own.memory),
            None => (own.memory, 0),
        };
        let question = Question::solve(self.game()?.record.now(), solve, Resources { memory, ..own })?;
        if let Some(path) = &solve.certificate {
            probe(path).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        }
        let stop = Arc::clone(&talk.stop);
        let report = self.run(&question, talk)?;
        let game = self.game.as_ref().ok_or_else(no_game)?;
        let mut solved = question.solved(game.record.now(), &report);
        if let Some(path) = &solve.certificate {
            let wanted = Certify {
                plies: report.plies,
                memory: for_certificate,
                limits: left_of(question.limits, &report),
                stop,
                ..Certify::new(game.line(), report.bounds)
            };
            let search = question.searcher(&mut self.solver).follow(&game.record).map_err(text)?;
            let (written, failed) = certificate::write(path, &mut **search, &wanted, |_| ());
            (solved.certificate, solved.unwritten) = (Some(written), failed.into_iter().collect());
        }
        Ok(json(&solved))
    }

    /// Runs the search of a question and tells what it finds meanwhile.
    fn run(&mut self, question: &Question, talk: &mut Talk<'_>) -> Result<Report<String>, String> {
        let slot = if question.kind == Kind::Solve { &mut self.solver } else { &mut self.player };
        let record = &self.game.as_ref().ok_or_else(no_game)?.record;
        let search = question.searcher(slot).follow(record).map_err(text)?;
        // A proof comes to its end even if nobody waits for more than that.
        let is_endless = question.kind != Kind::Solve && question.is_endless();
        let (stop, leaves) = (Arc::clone(&talk.stop), Arc::clone(&talk.leaves));
        let mut reports = Reports::new(talk, question.every);
        let mut run = question.run(&stop).observed(|report, _| {
            if is_endless && leaves.load(SeqCst) {
                stop.store(true, SeqCst);
            }
            reports.see(|| question.so_far(record.now(), report));
        });
        search.run(question.ask, &mut run).map_err(text)
    }
}
