//! A position to be solved: what is asked, what the search may use, and the checkpoint from which
//! it continues.

use crate::budget::{Budget, BudgetError, add_up};
use crate::setup::position_of;
use proofplay_core::Line;
use proofplay_registry::{Certified, Certify, CertifyError, DynPosition, DynSearch, SetupError};
use proofplay_search::checkpoint::{Checkpoint, Head, Spent};
use proofplay_search::{Ask, Limits, Report, Resources, Run, SearchError, SearchSpec, SpecError};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// What is searched, and how.
pub struct Job {
    /// The position.
    pub pos: Box<dyn DynPosition>,
    /// The line of play that leads there.
    pub line: Line,
    /// The search as it was written.
    pub search: String,
    /// The search.
    pub spec: SearchSpec,
    /// What is asked.
    pub ask: Ask,
    /// What the search may use.
    pub resources: Resources,
    /// What the question may take.
    pub limits: Limits,
    /// Ends the search.
    pub stop: Arc<AtomicBool>,
    /// Where it is saved.
    pub checkpoint: Option<Arc<Checkpoint>>,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("line", &self.line)
            .field("search", &self.search)
            .field("ask", &self.ask)
            .field("resources", &self.resources)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Why there is no job.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// The position cannot be reached.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// There is no such search.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It cannot have what it is given.
    #[error(transparent)]
    Budget(#[from] BudgetError),
}

impl Job {
    /// A job that begins at a position, without a checkpoint.
    pub fn new(
        place: (Box<dyn DynPosition>, Line),
        search: &str,
        ask: Ask,
        resources: Resources,
        budget: &Budget,
    ) -> Result<Job, JobError> {
        let (pos, line) = place;
        let spec: SearchSpec = search.parse()?;
        budget.check(search, &spec)?;
        let (search, limits, stop) = (search.to_owned(), budget.limits(), Arc::default());
        Ok(Job { pos, line, search, spec, ask, resources, limits, stop, checkpoint: None })
    }

    /// The job of a checkpoint, which continues.
    pub fn resume(checkpoint: Checkpoint, budget: &Budget) -> Result<Job, JobError> {
        let head = checkpoint.head();
        let ask = if head.all_moves { Ask::AllMoves } else { Ask::Value };
        let place = (position_of(head)?, head.line.clone());
        let job = Job::new(place, &head.algorithm, ask, budget.resources_of_earlier(head)?, budget)?;
        Ok(Job { checkpoint: Some(Arc::new(checkpoint)), ..job })
    }

    /// What somebody must know to continue it.
    pub fn head(&self) -> Head {
        Head {
            line: self.line.clone(),
            position: self.pos.text(),
            algorithm: self.search.clone(),
            all_moves: self.ask.all_moves(),
            seed: self.resources.seed,
            memory: self.resources.memory as u64,
            threads: self.resources.threads as u32,
            spent: Spent::default(),
        }
    }

    /// Runs the search, one of this position. `watch` is called now and then with what all runs
    /// have found and spent; the report is that of this run.
    pub fn run(
        &self,
        search: &mut dyn DynSearch,
        mut watch: impl FnMut(&Report<String>),
    ) -> Result<Report<String>, SearchError> {
        let run = Run::new(self.limits).stopped_by(&self.stop);
        let mut run = run.observed(|report: &Report<String>, _| {
            let mut total = report.clone();
            add_up(self.checkpoint.as_deref(), &mut total);
            watch(&total);
        });
        run.checkpoint = self.checkpoint.clone();
        search.run(self.ask, &mut run)
    }
}

/// The certificate of what a search has proven; an error if the time or the flag of `wanted` ends
/// it first. `watch` is called now and then with the number of positions so far.
pub fn certify(
    search: &mut dyn DynSearch,
    wanted: &Certify,
    mut watch: impl FnMut(u64),
) -> Result<Certified, CertifyError> {
    let started = Instant::now();
    search.certify(wanted, &mut |walked| {
        watch(walked.positions);
        let is_late = wanted.limits.time.is_some_and(|time| started.elapsed() >= time);
        !is_late && !wanted.stop.load(Relaxed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_registry::reach;
    use std::time::Duration;

    /// A job that a limit ends continues from its checkpoint, to the same end as one that was never
    /// ended.
    #[test]
    fn jobs_are_resumed() {
        let folder = std::env::temp_dir().join(format!("proofplay-job-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (path, every) = (folder.join("x.checkpoint"), Duration::from_secs(3600));
        let line = Line::start("connect4:4x4").then("1 2");
        let begin = |budget: &Budget| {
            let place = (reach(&line).unwrap(), line.clone());
            let resources = Resources { memory: 1 << 20, threads: 1, seed: 3 };
            Job::new(place, "pns", Ask::Value, resources, budget).unwrap()
        };
        let solve = |job: &Job| {
            let mut search = job.pos.start_search(&job.spec, job.resources).unwrap();
            let mut report = job.run(&mut *search, |_| ()).unwrap();
            add_up(job.checkpoint.as_deref(), &mut report);
            report
        };
        let whole = solve(&begin(&Budget::default()));
        let part = Budget { nodes: Some(whole.nodes / 2), ..Budget::default() };
        let mut job = begin(&part);
        job.checkpoint = Some(Arc::new(Checkpoint::new(&path, every, job.head()).unwrap()));
        let first = solve(&job);
        assert!(!first.bounds.is_exact() && whole.bounds.is_exact());
        let saved = || Checkpoint::resume(&path, &path, every, &Arc::default()).unwrap();
        let again = Job::resume(saved(), &Budget::default()).unwrap();
        assert_eq!((again.head(), &again.line), (job.head(), &line));
        let end = solve(&again);
        assert_eq!(end.bounds, whole.bounds);
        assert!(end.nodes > first.nodes, "all runs are counted");
        let wrong = Job::resume(saved(), &Budget { simulations: Some(5), ..Budget::default() }).unwrap_err();
        assert!(wrong.to_string().contains("pns makes no playouts"), "{wrong}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
    /// A certificate is written unless its limits come first.
    #[test]
    fn certificates_heed_the_flag_and_the_time() {
        let line = Line::start("tictactoe");
        let place = (reach(&line).unwrap(), line.clone());
        let resources = Resources { memory: 1 << 20, ..Resources::default() };
        let job = Job::new(place, "alphabeta", Ask::Value, resources, &Budget::default()).unwrap();
        let mut search = job.pos.start_search(&job.spec, job.resources).unwrap();
        let bounds = job.run(&mut *search, |_| ()).unwrap().bounds;
        let mut wanted = Certify { memory: 1 << 20, ..Certify::new(line, bounds) };
        let mut seen = 0;
        let written = certify(&mut *search, &wanted, |positions| seen = positions).unwrap();
        assert!(written.written.walked.positions >= seen && !written.written.bytes.is_empty());
        wanted.stop.store(true, Relaxed);
        assert_eq!(certify(&mut *search, &wanted, |_| ()).err(), Some(CertifyError::Limit));
        wanted.stop.store(false, Relaxed);
        wanted.limits.time = Some(Duration::ZERO);
        assert_eq!(certify(&mut *search, &wanted, |_| ()).err(), Some(CertifyError::Limit));
    }
}
