//! The thread of a job: it has the search and does one thing after the other. While the search runs, its observer
//! answers questions about the tree, about ten times a second.

use super::Job;
use crate::error::Refused;
use crate::task::{Asked, Task};
use axum::http::StatusCode;
use proofplay_core::Line;
use proofplay_front::budget::{left_of, with_certificate};
use proofplay_front::job::certify;
use proofplay_front::json::{Reviewed, TreeShown};
use proofplay_front::player::Searcher;
use proofplay_front::question::Question;
use proofplay_front::record::Record;
use proofplay_front::review::{Plan, review};
use proofplay_registry::{Certify, DynPosition};
use proofplay_search::{Limits, Report, Tree};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Whom an answer is for.
pub type Reply<T> = oneshot::Sender<Result<T, Refused>>;

/// What a job is to do.
#[derive(Debug)]
pub enum Command {
    /// Search, perhaps another position; the reply says whether it has begun.
    Go(Box<Task>, Reply<()>),
    /// The moves after a line of play in the tree.
    Tree(Vec<String>, Reply<Value>),
    /// A certificate of what is proven.
    Certificate(Reply<Vec<u8>>),
    /// A bug.
    #[cfg(test)]
    Panic(Reply<()>),
}

/// The least time between two reports.
const LEAST_PAUSE: Duration = Duration::from_millis(100);

/// What the thread has.
struct Worker {
    job: Weak<Job>,
    commands: Receiver<Command>,
    /// Commands that came while a search was running, and wait for its end.
    waiting: VecDeque<Command>,
    searcher: Option<Searcher>,
    /// The last question with its game and what came of it.
    last: Option<(Question, Record, Report<String>)>,
}

/// Works until nobody can send commands any more. A panic ends the job, nothing else.
pub fn work(job: &Weak<Job>, commands: Receiver<Command>) {
    let mut worker =
        Worker { job: job.clone(), commands, waiting: VecDeque::new(), searcher: None, last: None };
    if catch_unwind(AssertUnwindSafe(|| worker.work())).is_err()
        && let Some(job) = job.upgrade()
    {
        job.fail("the search has failed: this is a bug of proofplay, the job has ended");
    }
}

impl Worker {
    fn work(&mut self) {
        while let Some(command) = self.waiting.pop_front().or_else(|| self.commands.recv().ok()) {
            let Some(job) = self.job.upgrade() else { return };
            match command {
                Command::Go(task, reply) => self.go(&job, *task, reply),
                Command::Tree(path, reply) => {
                    let answer = self.tree(path);
                    let _ = reply.send(answer);
                }
                Command::Certificate(reply) => {
                    let answer = self.certificate(&job);
                    let _ = reply.send(answer);
                }
                #[cfg(test)]
                Command::Panic(reply) => panic!("this is a test: {reply:?}"),
            }
        }
    }

    fn go(&mut self, job: &Arc<Job>, task: Task, reply: Reply<()>) {
        let stop = job.begin();
        job.tell(false, json!({}));
        match task.asked {
            Asked::Position(question) => self.search((job, &stop), task.record, *question, reply),
            Asked::Review(plan) => {
                let _ = reply.send(Ok(()));
                judge(job, &task.record, &plan, &stop);
            }
        }
    }

    fn search(
        &mut self,
        (job, stop): (&Arc<Job>, &Arc<AtomicBool>),
        record: Record,
        mut question: Question,
        reply: Reply<()>,
    ) {
        // What is proven shall fit into a certificate, so that has its part from the start.
        question.resources.memory = with_certificate(question.resources.memory).0;
        let Worker { commands, waiting, searcher, .. } = self;
        let search = match question.searcher(searcher).follow(&record) {
            Ok(search) => search,
            Err(error) => {
                let _ = reply.send(Err(Refused::bad(&error)));
                job.fail(&error.to_string());
                return;
            }
        };
        // An observer hears only of searches that take a while, so the first report is sent now.
        let mut reply = Some(reply);
        let every = question.every.unwrap_or(LEAST_PAUSE).max(LEAST_PAUSE);
        let mut told = Instant::now();
        let pos = record.now();
        let mut run = question.run(stop).observed(|report, tree| {
            reply.take().map(|reply| reply.send(Ok(())));
            loop {
                match commands.try_recv() {
                    Ok(Command::Tree(path, reply)) => {
                        let _ = reply.send(shown(pos, tree, path));
                    }
                    Ok(other) => waiting.push_back(other),
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => {
                        stop.store(true, SeqCst);
                        break;
                    }
                }
            }
            if told.elapsed() >= every {
                told = Instant::now();
                job.tell(false, question.so_far(pos, report));
            }
        });
        let report = search.run(question.ask, &mut run);
        drop(run);
        match report {
            Ok(report) => {
                reply.take().map(|reply| reply.send(Ok(())));
                job.tell(true, question.answer(pos, &report));
                self.last = Some((question, record, report));
            }
            Err(error) => match reply.take() {
                Some(reply) => {
                    let _ = reply.send(Err(Refused::bad(&error)));
                    job.fail(&error.to_string());
                }
                None => job.fail(&error.to_string()),
            },
        }
    }

    fn tree(&mut self, path: Vec<String>) -> Result<Value, Refused> {
        let nothing = || Refused::bad("this job has no tree");
        let (_, record, _) = self.last.as_ref().ok_or_else(nothing)?;
        let search = self.searcher.as_mut().ok_or_else(nothing)?.follow(record).map_err(Refused::bad)?;
        shown(record.now(), &**search, path)
    }

    fn certificate(&mut self, job: &Job) -> Result<Vec<u8>, Refused> {
        let unproven = || Refused::new(StatusCode::CONFLICT, "nothing is proven yet");
        let (question, record, report) = self.last.as_ref().ok_or_else(unproven)?;
        let searcher = self.searcher.as_mut().ok_or_else(unproven)?;
        let wanted = Certify {
            plies: report.plies,
            memory: question.resources.memory,
            limits: left_of(Limits { time: question.limits.time, ..Limits::default() }, report),
            stop: job.begin(),
            ..Certify::new(line(record), report.bounds)
        };
        let search = searcher.follow(record).map_err(Refused::bad)?;
        let certified = certify(&mut **search, &wanted, |_| ());
        certified
            .map(|certified| certified.written.bytes)
            .map_err(|error| Refused::new(StatusCode::CONFLICT, format!("no certificate: {error}")))
    }
}

/// The line of play of a record, as files name it.
fn line(record: &Record) -> Line {
    let start = record.start();
    let rules = proofplay_registry::game(&start.game()).expect("the record has a game");
    let from = Some(start.text()).filter(|text| *text != rules.start().text());
    Line {
        from,
        moves: record.plies.iter().map(|ply| ply.mv.clone()).collect(),
        ..Line::start(&start.game_id())
    }
}

/// What a tree knows about the moves after a line of play.
fn shown(pos: &dyn DynPosition, tree: &dyn Tree<String>, path: Vec<String>) -> Result<Value, Refused> {
    let mut end = pos.boxed();
    for mv in &path {
        end.play(mv).map_err(Refused::bad)?;
    }
    let mover = end.outcome().is_none().then(|| end.turn());
    let shown = TreeShown::new(&pos.game(), path.clone(), mover, tree.children(&path));
    Ok(serde_json::to_value(shown).expect("answers have fields with names"))
}

/// Judges a game.
fn judge(job: &Job, record: &Record, plan: &Plan, stop: &Arc<AtomicBool>) {
    let progress = |done: usize, total: usize| job.tell(false, json!({ "parts": done, "of": total }));
    match review(record, plan, stop, &mut |done, total| progress(done, total)) {
        Ok(judged) => {
            job.tell(true, serde_json::to_value(Reviewed::new(&judged)).expect("answers have fields"));
        }
        Err(error) => job.fail(&error.to_string()),
    }
}
