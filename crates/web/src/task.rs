//! What a search is asked: the requests `analyze`, `move` and `solve` of `proofplay serve-stdio` with the fields of
//! their game, and `review`.

use crate::error::Refused;
use crate::lines;
use proofplay_front::auto::{AUTO, ESTIMATOR};
use proofplay_front::budget::Budget;
use proofplay_front::question::Question;
use proofplay_front::record::Record;
use proofplay_front::request::{Analyze, Task as Request, read_fields};
use proofplay_front::review::Plan;
use proofplay_search::{Resources, SearchSpec};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::time::Duration;

/// A game, and what is asked about it.
#[derive(Debug)]
pub struct Task {
    /// The game.
    pub record: Record,
    /// The question.
    pub asked: Asked,
}

/// What is asked.
#[derive(Clone, Debug)]
pub enum Asked {
    /// A question about the position at the end of the game.
    Position(Box<Question>),
    /// What every move was worth.
    Review(Box<Plan>),
}

/// What one task may use at most.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Most {
    /// Memory, threads and seed if nothing else is said.
    pub own: Resources,
    /// Threads.
    pub threads: usize,
    /// Time.
    pub time: Duration,
}

impl Task {
    /// Reads the body of a request.
    pub fn read(mut fields: Map<String, Value>, most: Most) -> Result<Task, Refused> {
        let game = lines::take(&mut fields);
        let is_review = fields.get("do").is_some_and(|word| word == "review");
        if is_review {
            fields.shift_remove("do");
            let plan = read_fields(fields, |fields| Analyze::deserialize(Value::Object(fields)));
            let plan = plan.map_err(|error| Refused::bad(format!("review: {error}")))?;
            return Task::review(lines::record(game)?, &plan, most);
        }
        let request = Request::read(fields).map_err(Refused::bad)?;
        let record = lines::record(game)?;
        let (pos, own) = (record.now(), most.own);
        let question = match &request {
            Request::Analyze(analyze) => Question::analyze(pos, analyze, own),
            Request::Move(choose) if choose.play => {
                Err("field `play`: the game is kept by who asks".to_owned())
            }
            Request::Move(choose) => Question::choose(pos, choose, own),
            Request::Solve(solve) if solve.certificate.is_some() => {
                Err("field `certificate`: no file is written here; download it when it is solved".to_owned())
            }
            Request::Solve(solve) => Question::solve(pos, solve, own),
            _ => Err("field `do`: expected analyze, move, solve or review".to_owned()),
        };
        let mut question = question.map_err(Refused::bad)?;
        opens_no_file(&question.spec)?;
        expect_threads(question.resources.threads, most)?;
        question.limits.time = Some(question.limits.time.map_or(most.time, |time| time.min(most.time)));
        Ok(Task { record, asked: Asked::Position(Box::new(question)) })
    }

    fn review(record: Record, asked: &Analyze, most: Most) -> Result<Task, Refused> {
        if record.plies.is_empty() {
            return Err(Refused::bad("review: expected a game with moves"));
        }
        let effort = asked.effort();
        let threads = effort.budget.threads.unwrap_or(most.own.threads);
        expect_threads(threads, most)?;
        if asked.shortest {
            return Err(Refused::bad("review: plies are not counted, leave out `shortest`"));
        }
        let prover = effort.search.unwrap_or(AUTO);
        opens_no_file(&prover.parse().map_err(Refused::bad)?)?;
        let budget = Budget {
            time: effort.budget.time.map(|time| time.min(most.time)),
            memory: Some(most.own.memory as u64),
            threads: Some(threads),
            ..effort.budget
        };
        let plan = Plan {
            prover: prover.to_owned(),
            estimator: ESTIMATOR.to_owned(),
            budget,
            seed: effort.seed.unwrap_or(most.own.seed),
        };
        Ok(Task { record, asked: Asked::Review(Box::new(plan)) })
    }
}

/// No request reaches the files of this machine.
fn opens_no_file(spec: &SearchSpec) -> Result<(), Refused> {
    match spec.network() {
        None => Ok(()),
        Some(file) => Err(Refused::bad(format!("leaf=net:{file}: this server opens no files"))),
    }
}

fn expect_threads(threads: usize, most: Most) -> Result<(), Refused> {
    if threads <= most.threads {
        return Ok(());
    }
    Err(Refused::bad(format!("field `threads`: `{threads}`: expected at most {}", most.threads)))
}
