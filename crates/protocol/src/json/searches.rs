//! Requests that think: `analyze`, `move` and `solve`.

use super::request::{Analyze, Choose, Effort, Solve};
use super::session::{Session, no_game, text};
use super::{Reports, Talk, json};
use proofplay_front::auto::{self, AUTO};
use proofplay_front::budget::{Budget, left_of, with_certificate};
use proofplay_front::certificate;
use proofplay_front::job::Job;
use proofplay_front::json::{Analyzed, Chosen, MoveValue, Solved};
use proofplay_front::player::Searcher;
use proofplay_registry::Certify;
use proofplay_search::checkpoint::probe;
use proofplay_search::{Ask, Limits, Report, Resources, Run, SearchSpec};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

/// The time for a move if nothing else ends the search.
const USUAL_TIME: Duration = Duration::from_secs(1);

impl Session {
    pub(super) fn analyze(&mut self, analyze: &Analyze, talk: &mut Talk<'_>) -> Result<Value, String> {
        let ask = if analyze.shortest { Ask::Distance } else { Ask::Value };
        let (analyzed, _) = self.think(analyze.effort(), ask, None, talk)?;
        Ok(json(&analyzed))
    }

    pub(super) fn choose(&mut self, choose: &Choose, talk: &mut Talk<'_>) -> Result<Value, String> {
        let legal = self.game()?.record.now().legal();
        let first = legal.into_iter().next().ok_or("the game is over")?;
        let (analyzed, best) = self.think(choose.effort(), Ask::Value, Some(USUAL_TIME), talk)?;
        // A search that was stopped at once may name no move.
        let mv = best.unwrap_or(first);
        if choose.play {
            self.game_mut()?.record.play(&mv).map_err(text)?;
        }
        Ok(json(&Chosen { mv, analyzed }))
    }

    /// What the player thinks, and the move it would play. Where nothing would end the search,
    /// `usual_time` does.
    fn think(
        &mut self,
        effort: Effort<'_>,
        ask: Ask,
        usual_time: Option<Duration>,
        talk: &mut Talk<'_>,
    ) -> Result<(Analyzed, Option<String>), String> {
        let (own, player) = (self.resources, &mut self.player);
        let record = &self.game.as_ref().ok_or_else(no_game)?.record;
        let (pos, asked, budget) = (record.now(), effort.search.unwrap_or(AUTO), effort.budget);
        let spec = auto::player(asked, pos, &budget).map_err(text)?;
        check(&budget, asked, &spec)?;
        let name = if asked == AUTO { spec.to_string() } else { asked.to_owned() };
        let limits = usual_time.map_or(budget.limits(), |time| budget.limits_or(&spec, time));
        let Limits { time, nodes, simulations, .. } = limits;
        let is_endless = (time, nodes, simulations) == (None, None, None) && !spec.limits_itself();
        let search = kept(player, spec, resources(effort, own)).follow(record).map_err(text)?;
        let told = |report: &Report<String>| {
            let mut report = report.clone();
            report.rank(pos.turn(), pos.range());
            Analyzed::new(pos, &name, report)
        };
        let (stop, leaves) = (Arc::clone(&talk.stop), Arc::clone(&talk.leaves));
        let mut reports = Reports::new(talk, effort.every);
        let mut run = Run::new(limits).stopped_by(&stop).observed(|report, _| {
            if is_endless && leaves.load(SeqCst) {
                stop.store(true, SeqCst);
            }
            reports.see(|| {
                let mut so_far = told(report);
                so_far.found.ended = None;
                so_far
            });
        });
        let report = search.run(ask, &mut run).map_err(text)?;
        Ok((told(&report), report.best))
    }

    pub(super) fn solve(&mut self, solve: &Solve, talk: &mut Talk<'_>) -> Result<Value, String> {
        let (effort, own, solver) = (solve.effort(), self.resources, &mut self.solver);
        let game = self.game.as_ref().ok_or_else(no_game)?;
        let (record, pos) = (&game.record, game.record.now());
        let asked = effort.search.unwrap_or(AUTO);
        let resources = resources(effort, own);
        let (memory, for_certificate) = match &solve.certificate {
            Some(_) => with_certificate(resources.memory),
            None => (resources.memory, 0),
        };
        if let Some(path) = &solve.certificate {
            probe(path).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        }
        let ask = if solve.all_moves { Ask::AllMoves } else { Ask::Value };
        let ask = if solve.shortest { ask.with_distances() } else { ask };
        let name = auto::algorithm(asked, pos);
        check(&effort.budget, asked, &name.parse().map_err(text)?)?;
        let (place, resources) = ((pos.boxed(), game.line()), Resources { memory, ..resources });
        let job = Job::new(place, name, ask, resources, &effort.budget).map_err(text)?;
        let job = Job { stop: Arc::clone(&talk.stop), ..job };
        let search = kept(solver, job.spec.clone(), resources).follow(record).map_err(text)?;
        let told = |report: &Report<String>| {
            let mut solved = Solved::new(pos, name, resources.seed, report);
            solved.moves = ask.all_moves().then(|| MoveValue::all(pos, report));
            solved
        };
        let mut reports = Reports::new(talk, effort.every);
        let watch = |report: &Report<String>| {
            reports.see(|| {
                let mut so_far = told(report);
                so_far.found.ended = None;
                so_far
            });
        };
        let report = job.run(&mut **search, watch).map_err(text)?;
        let mut solved = told(&report);
        if let Some(path) = &solve.certificate {
            let wanted = Certify {
                plies: report.plies,
                memory: for_certificate,
                limits: left_of(job.limits, &report),
                stop: Arc::clone(&job.stop),
                ..Certify::new(job.line.clone(), report.bounds)
            };
            let (written, failed) = certificate::write(path, &mut **search, &wanted, |_| ());
            (solved.certificate, solved.unwritten) = (Some(written), failed.into_iter().collect());
        }
        Ok(json(&solved))
    }
}

/// What a search has: what its request says, or else the session.
fn resources(effort: Effort<'_>, session: Resources) -> Resources {
    Resources {
        threads: effort.budget.threads.unwrap_or(session.threads),
        seed: effort.seed.unwrap_or(session.seed),
        ..session
    }
}

/// Refuses a limit that the search does not count.
fn check(budget: &Budget, search: &str, spec: &SearchSpec) -> Result<(), String> {
    budget
        .check(search, spec)
        .map_err(|_| format!("field `simulations`: {search} makes none; limit it with `nodes` or `time`"))
}

/// The search that was asked before, if the same is asked again; the memory of another one is free then.
fn kept(slot: &mut Option<Searcher>, spec: SearchSpec, resources: Resources) -> &mut Searcher {
    let before = slot.take().filter(|old| *old.spec() == spec && old.resources() == resources);
    slot.insert(before.unwrap_or_else(|| Searcher::new(spec, resources).keeping_proofs()))
}
