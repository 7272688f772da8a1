//! A question to a search, as another program asks it: `analyze`, `move` or `solve`, and its answer in
//! the words of [`json`](crate::json).
//!
//! A question is put together from a [request](crate::request) and a position, and refused then if it makes no
//! sense. It does not know who runs it: a conversation on one thread or a server of many.

use crate::auto::{self, AUTO};
use crate::budget::Budget;
use crate::json::{Analyzed, Chosen, MoveValue, Solved};
use crate::player::Searcher;
use crate::request::{Analyze, Choose, Effort, Solve};
use proofplay_registry::DynPosition;
use proofplay_search::{Ask, Limits, Report, Resources, Run, SearchSpec};
use serde_json::Value;
use std::time::Duration;

/// The time for a move if nothing else ends the search.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// What is wanted from a search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Question {
    /// Which answer is wanted.
    pub kind: Kind,
    /// How the search is called in answers.
    pub name: String,
    /// The search.
    pub spec: SearchSpec,
    /// What it is asked.
    pub ask: Ask,
    /// What it has.
    pub resources: Resources,
    /// What the question may take.
    pub limits: Limits,
    /// The time between two reports, if there shall be any.
    pub every: Option<Duration>,
}

/// Which answer is wanted.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// What a search thinks of every move.
    Analyze,
    /// The move that it chooses.
    Choose,
    /// What is proven.
    Solve,
}

impl Question {
    /// `analyze`. What the request does not say is as in `own`.
    pub fn analyze(pos: &dyn DynPosition, analyze: &Analyze, own: Resources) -> Result<Question, String> {
        let ask = if analyze.shortest { Ask::Distance } else { Ask::Value };
        Question::think(pos, Kind::Analyze, ask, analyze.effort(), own)
    }

    /// `move`: in a second if nothing else limits it.
    pub fn choose(pos: &dyn DynPosition, choose: &Choose, own: Resources) -> Result<Question, String> {
        if pos.outcome().is_some() {
            return Err("the game is over".to_owned());
        }
        Question::think(pos, Kind::Choose, Ask::Value, choose.effort(), own)
    }

    /// `solve`, without its certificate.
    pub fn solve(pos: &dyn DynPosition, solve: &Solve, own: Resources) -> Result<Question, String> {
        let (effort, all) = (solve.effort(), solve.all_moves);
        let ask = if all { Ask::AllMoves } else { Ask::Value };
        let ask = if solve.shortest { ask.with_distances() } else { ask };
        let proves = if solve.shortest { auto::algorithm_for_plies } else { auto::algorithm };
        let name = proves(effort.search.unwrap_or(AUTO), pos).to_owned();
        let spec: SearchSpec = name.parse().map_err(text)?;
        check(&effort.budget, effort.search.unwrap_or(AUTO), &spec)?;
        let (resources, limits) = (resources(effort, own), effort.budget.limits());
        Ok(Question { kind: Kind::Solve, name, spec, ask, resources, limits, every: effort.every })
    }

    fn think(
        pos: &dyn DynPosition,
        kind: Kind,
        ask: Ask,
        effort: Effort<'_>,
        own: Resources,
    ) -> Result<Question, String> {
        let (asked, budget) = (effort.search.unwrap_or(AUTO), effort.budget);
        let spec = auto::player(asked, pos, &budget).map_err(text)?;
        check(&budget, asked, &spec)?;
        let name = if asked == AUTO { spec.to_string() } else { asked.to_owned() };
        let limits = match kind {
            Kind::Choose => budget.limits_or(&spec, USUAL_TIME),
            _ => budget.limits(),
        };
        Ok(Question { kind, name, spec, ask, resources: resources(effort, own), limits, every: effort.every })
    }

    /// Whether nothing but the stop flag may end the search.
    pub fn is_endless(&self) -> bool {
        let Limits { time, nodes, simulations, .. } = self.limits;
        (time, nodes, simulations) == (None, None, None) && !self.spec.limits_itself()
    }

    /// A call of the search that is ended by this flag.
    pub fn run(&self, stop: &std::sync::Arc<std::sync::atomic::AtomicBool>) -> Run<'static, String> {
        Run::new(self.limits).stopped_by(stop)
    }

    /// The search that was asked before, if it is the same one; the memory of another one is free then.
    pub fn searcher<'a>(&self, slot: &'a mut Option<Searcher>) -> &'a mut Searcher {
        let same = |old: &Searcher| *old.spec() == self.spec && old.resources() == self.resources;
        let before = slot.take().filter(same);
        slot.insert(
            before.unwrap_or_else(|| Searcher::new(self.spec.clone(), self.resources).keeping_proofs()),
        )
    }

    /// What a search has found so far.
    pub fn so_far(&self, pos: &dyn DynPosition, report: &Report<String>) -> Value {
        match self.kind {
            Kind::Solve => {
                let mut solved = self.solved(pos, report);
                solved.found.ended = None;
                value(&solved)
            }
            Kind::Analyze | Kind::Choose => {
                let mut analyzed = self.analyzed(pos, report);
                analyzed.found.ended = None;
                value(&analyzed)
            }
        }
    }

    /// What it has found at its end.
    pub fn answer(&self, pos: &dyn DynPosition, report: &Report<String>) -> Value {
        match self.kind {
            Kind::Solve => value(&self.solved(pos, report)),
            Kind::Analyze => value(&self.analyzed(pos, report)),
            Kind::Choose => value(&self.chosen(pos, report)),
        }
    }

    /// The answer to `analyze`.
    pub fn analyzed(&self, pos: &dyn DynPosition, report: &Report<String>) -> Analyzed {
        let mut report = report.clone();
        report.rank(pos.turn(), pos.range());
        Analyzed::new(pos, &self.name, report)
    }

    /// The answer to `move`. A search that was stopped at once may name no move: then it is the first legal
    /// one.
    pub fn chosen(&self, pos: &dyn DynPosition, report: &Report<String>) -> Chosen {
        let first = || pos.legal().into_iter().next().expect("the game is not over");
        Chosen { mv: report.best.clone().unwrap_or_else(first), analyzed: self.analyzed(pos, report) }
    }

    /// The answer to `solve`, without files.
    pub fn solved(&self, pos: &dyn DynPosition, report: &Report<String>) -> Solved {
        let mut solved = Solved::new(pos, &self.name, self.resources.seed, report);
        solved.moves = self.ask.all_moves().then(|| MoveValue::all(pos, report));
        solved
    }
}

/// What a search has: what its request says, or else `own`.
fn resources(effort: Effort<'_>, own: Resources) -> Resources {
    Resources {
        threads: effort.budget.threads.unwrap_or(own.threads),
        seed: effort.seed.unwrap_or(own.seed),
        ..own
    }
}

/// Refuses a limit that the search does not count.
fn check(budget: &Budget, search: &str, spec: &SearchSpec) -> Result<(), String> {
    budget
        .check(search, spec)
        .map_err(|_| format!("field `simulations`: {search} makes none; limit it with `nodes` or `time`"))
}

fn text(error: impl ToString) -> String {
    error.to_string()
}

fn value(answer: &impl serde::Serialize) -> Value {
    serde_json::to_value(answer).expect("answers have fields with names")
}
