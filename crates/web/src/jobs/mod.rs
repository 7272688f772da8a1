//! Searches at work. A job is a search with a thread of its own. It works only while somebody listens: when the last
//! stream of its events closes, it stops at once. What it knows is kept until somebody else needs its place.
//!
//! ```text
//! begin   a thread, a search, a part of the memory; refused if all parts are taken by jobs that work
//! stop    the search ends and says what it has; its tree stays
//! go      it continues, in the same position or another one of the same game, with what it knows
//! ```

mod worker;

pub use worker::{Command, Reply};

use crate::error::Refused;
use crate::task::{Most, Task};
use axum::http::StatusCode;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc};
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};

/// A job that rests for longer is ended even if nobody needs its place.
const LONGEST_REST: Duration = Duration::from_secs(15 * 60);

/// What a job has told last.
#[derive(Clone, Debug)]
pub struct News {
    /// Whether the search has ended, for now.
    pub is_final: bool,
    /// One line of JSON.
    pub text: Arc<str>,
}

/// A search at work.
#[derive(Debug)]
pub struct Job {
    /// Its number.
    pub id: u64,
    /// Ends what it is doing. Everything that it does has a flag of its own, so that who leaves late ends nothing
    /// else.
    stop: Mutex<Arc<AtomicBool>>,
    commands: mpsc::Sender<Command>,
    news: watch::Sender<News>,
    /// Whether somebody has got its last answer.
    is_heard: AtomicBool,
    listeners: AtomicUsize,
    /// When somebody has last asked for it.
    asked: Mutex<Instant>,
    has_failed: AtomicBool,
}

impl Job {
    /// Tells all who listen. `answer` is an object.
    fn tell(&self, is_final: bool, mut answer: Value) {
        if let Value::Object(fields) = &mut answer {
            let head = [("id".to_owned(), self.id.into()), ("final".to_owned(), is_final.into())];
            *fields = head.into_iter().chain(std::mem::take(fields)).collect::<Map<_, _>>();
        }
        self.is_heard.store(false, SeqCst);
        self.news.send_replace(News { is_final, text: answer.to_string().into() });
    }

    /// It ends with an error.
    fn fail(&self, why: &str) {
        self.has_failed.store(true, SeqCst);
        self.tell(true, serde_json::json!({ "error": why }));
    }

    /// What it has told last.
    pub fn last(&self) -> News {
        self.touch();
        let news = self.news.borrow().clone();
        self.is_heard.fetch_or(news.is_final, SeqCst);
        news
    }

    /// It begins something, which this flag ends.
    fn begin(&self) -> Arc<AtomicBool> {
        let flag = Arc::default();
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&flag);
        flag
    }

    /// What ends the thing that it does.
    fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends its search, which tells what it has.
    pub fn stop(&self) {
        self.touch();
        self.stop_flag().store(true, SeqCst);
    }

    /// What it tells from now on, for as long as the listener lives.
    pub fn listen(self: &Arc<Job>) -> (Listener, watch::Receiver<News>) {
        self.listeners.fetch_add(1, SeqCst);
        self.touch();
        (Listener { job: Arc::clone(self), stop: self.stop_flag() }, self.news.subscribe())
    }

    /// Has something done, and waits for the answer.
    pub async fn ask<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Result<T, Refused> {
        self.touch();
        let gone = || Refused::new(StatusCode::GONE, format!("job {} has ended", self.id));
        let (reply, answer) = oneshot::channel();
        self.commands.send(command(reply)).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    fn touch(&self) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// When somebody has last asked for it; `None` if somebody listens.
    fn asked(&self) -> Option<Instant> {
        let asked = *self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        (self.listeners.load(SeqCst) == 0).then_some(asked)
    }

    /// Whether it is searching.
    pub fn works(&self) -> bool {
        !self.news.borrow().is_final
    }
}

/// Somebody who listens to a job. When the last one leaves, the search that it listens to stops.
#[derive(Debug)]
pub struct Listener {
    job: Arc<Job>,
    stop: Arc<AtomicBool>,
}

impl Listener {
    /// The last answer was sent.
    pub fn has_heard(&self) {
        self.job.is_heard.store(true, SeqCst);
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.job.touch();
        if self.job.listeners.fetch_sub(1, SeqCst) == 1 {
            self.stop.store(true, SeqCst);
        }
    }
}

/// All jobs.
#[derive(Debug)]
pub struct Jobs {
    jobs: Mutex<BTreeMap<u64, Arc<Job>>>,
    next: AtomicU64,
    /// As many jobs may live at the same time.
    most: usize,
    /// What each may use.
    pub each: Most,
    /// How long a job works without anybody who listens.
    patience: Duration,
}

impl Jobs {
    /// No jobs yet.
    pub fn new(most: usize, each: Most, patience: Duration) -> Jobs {
        Jobs { jobs: Mutex::default(), next: AtomicU64::new(1), most, each, patience }
    }

    /// How many jobs may live at the same time.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Begins a job.
    pub async fn begin(&self, task: Task) -> Result<Arc<Job>, Refused> {
        let job = self.place()?;
        match job.ask(|reply| Command::Go(Box::new(task), reply)).await {
            Ok(()) => Ok(job),
            Err(refused) => {
                self.lock().remove(&job.id);
                Err(refused)
            }
        }
    }

    /// A job that has nothing to do yet.
    fn place(&self) -> Result<Arc<Job>, Refused> {
        self.forget();
        let mut jobs = self.lock();
        if jobs.len() >= self.most {
            // The one that has rested longest makes room, but not before somebody could get its answer.
            let resting =
                jobs.values().filter(|job| !job.works()).filter_map(|job| Some((job.asked()?, job)));
            let heard = |(asked, job): &(Instant, &Arc<Job>)| {
                job.is_heard.load(SeqCst) || asked.elapsed() >= self.patience
            };
            let oldest = resting.filter(heard).map(|(asked, job)| (asked, job.id)).min();
            oldest.map(|(_, id)| jobs.remove(&id));
        }
        if jobs.len() >= self.most {
            let why = format!("{} searches are at work already: end one of them first", self.most);
            return Err(Refused::new(StatusCode::TOO_MANY_REQUESTS, why));
        }
        let id = self.next.fetch_add(1, SeqCst);
        let (commands, orders) = mpsc::channel();
        let nothing = News { is_final: false, text: format!("{{\"id\":{id},\"final\":false}}").into() };
        let job = Arc::new(Job {
            id,
            stop: Mutex::default(),
            commands,
            news: watch::Sender::new(nothing),
            is_heard: AtomicBool::new(false),
            listeners: AtomicUsize::new(0),
            asked: Mutex::new(Instant::now()),
            has_failed: AtomicBool::new(false),
        });
        let weak: Weak<Job> = Arc::downgrade(&job);
        let thread = std::thread::Builder::new().name(format!("job {id}"));
        thread.spawn(move || worker::work(&weak, orders)).map_err(|error| {
            Refused::new(StatusCode::SERVICE_UNAVAILABLE, format!("no thread for a search: {error}"))
        })?;
        jobs.insert(id, Arc::clone(&job));
        Ok(job)
    }

    /// The job of this number.
    pub fn get(&self, id: &str) -> Result<Arc<Job>, Refused> {
        let found = id.parse().ok().and_then(|id: u64| self.lock().get(&id).cloned());
        found.ok_or_else(|| Refused::missing(format!("there is no job `{id}`; it may have ended")))
    }

    /// Ends a job.
    pub fn end(&self, job: &Job) {
        job.stop();
        self.lock().remove(&job.id);
    }

    /// Stops searches that nobody listens to, and ends jobs that have failed or rest for long.
    pub fn forget(&self) {
        self.lock().retain(|_, job| {
            let alone = job.asked().map(|asked| asked.elapsed());
            if alone.is_some_and(|alone| alone >= self.patience) {
                job.stop_flag().store(true, SeqCst);
            }
            let rests = !job.works() && alone.is_some_and(|alone| alone >= LONGEST_REST);
            !(rests || job.has_failed.load(SeqCst) && alone.is_some())
        });
    }

    /// Ends all jobs.
    pub fn end_all(&self) {
        self.lock().values().for_each(|job| job.stop());
        self.lock().clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn task(fields: Value) -> Task {
        let Value::Object(fields) = fields else { panic!("an object") };
        Task::read(fields, most()).unwrap()
    }

    fn most() -> Most {
        let own = proofplay_search::Resources { memory: 4 << 20, threads: 1, seed: 0 };
        Most { own, threads: 2, time: Duration::from_secs(3600) }
    }

    /// Waits until something is so; it always becomes so.
    async fn until(holds: impl Fn() -> bool) {
        for _ in 0..6000 {
            if holds() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("it has not come to this");
    }

    fn analyze() -> Task {
        task(json!({ "do": "analyze", "game": "connect4:7x6", "search": "mcts:proof=none" }))
    }

    #[tokio::test]
    async fn a_search_stops_when_nobody_listens_and_goes_on() {
        let jobs = Jobs::new(1, most(), Duration::from_secs(3600));
        let job = jobs.begin(analyze()).await.unwrap();
        let (listener, _news) = job.listen();
        let (second, _) = job.listen();
        until(|| job.last().text.contains("simulations")).await;
        drop(listener);
        assert!(job.works(), "somebody listens");
        drop(second);
        until(|| !job.works()).await;
        let count =
            |text: &str| serde_json::from_str::<Value>(text).unwrap()["simulations"].as_u64().unwrap();
        let before: Value = serde_json::from_str(&job.last().text).unwrap();
        assert_eq!(before["ended"], "limit");
        let tree = job.ask(|reply| Command::Tree(Vec::new(), reply)).await.unwrap();
        let visits = tree["children"][0]["visits"].as_u64().unwrap();
        assert!(visits > 0);
        // What it knows is kept.
        let again = task(
            json!({ "do": "analyze", "game": "connect4:7x6", "search": "mcts:proof=none", "simulations": 10 }),
        );
        job.ask(|reply| Command::Go(Box::new(again), reply)).await.unwrap();
        until(|| !job.works()).await;
        assert!(count(&job.last().text) >= 10);
        let tree = job.ask(|reply| Command::Tree(Vec::new(), reply)).await.unwrap();
        assert!(tree["children"][0]["visits"].as_u64().unwrap() >= visits);
    }

    /// A stream that the system closes late ends nothing that has begun since.
    #[tokio::test]
    async fn who_leaves_late_ends_nothing_else() {
        let jobs = Jobs::new(1, most(), Duration::from_secs(3600));
        let job = jobs.begin(analyze()).await.unwrap();
        let (late, _news) = job.listen();
        job.stop();
        until(|| !job.works()).await;
        job.ask(|reply| Command::Go(Box::new(analyze()), reply)).await.unwrap();
        drop(late);
        assert!(!job.stop_flag().load(SeqCst));
        let (listener, _news) = job.listen();
        drop(listener);
        until(|| !job.works()).await;
    }

    #[tokio::test]
    async fn places_are_limited_and_resting_jobs_make_room() {
        let jobs = Jobs::new(2, most(), Duration::from_secs(3600));
        let works = jobs.begin(analyze()).await.unwrap();
        let solve = || task(json!({ "do": "solve", "game": "tictactoe" }));
        let rests = jobs.begin(solve()).await.unwrap();
        until(|| !rests.works()).await;
        let refused = jobs.begin(solve()).await.unwrap_err();
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "nobody has got its answer");
        assert!(rests.last().is_final);
        let third = jobs.begin(analyze()).await.unwrap();
        assert_eq!(jobs.get(&rests.id.to_string()).unwrap_err().status, StatusCode::NOT_FOUND);
        let refused = jobs.begin(solve()).await.unwrap_err();
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
        jobs.end(&works);
        until(|| !works.works()).await;
        jobs.begin(solve()).await.unwrap();
        third.stop();
        until(|| !third.works()).await;
    }

    #[tokio::test]
    async fn a_job_that_nobody_listens_to_is_stopped() {
        let jobs = Jobs::new(1, most(), Duration::ZERO);
        let job = jobs.begin(analyze()).await.unwrap();
        until(|| {
            jobs.forget();
            !job.works()
        })
        .await;
    }

    /// A bug in a search ends its job and nothing else.
    #[tokio::test]
    async fn panics_end_the_job_alone() {
        let jobs = Jobs::new(2, most(), Duration::from_secs(3600));
        let job = jobs.begin(task(json!({ "do": "solve", "game": "tictactoe" }))).await.unwrap();
        let gone = job.ask(Command::Panic).await.unwrap_err();
        assert_eq!(gone.status, StatusCode::GONE);
        until(|| job.last().text.contains("this is a bug")).await;
        jobs.forget();
        assert!(jobs.get(&job.id.to_string()).is_err());
        let other = jobs.begin(task(json!({ "do": "solve", "game": "tictactoe" }))).await.unwrap();
        until(|| other.last().text.contains("\"value\":\"draw\"")).await;
    }

    #[test]
    fn time_has_a_limit() {
        let limit = |fields: Value| match task(fields).asked {
            crate::task::Asked::Position(question) => question.limits.time.unwrap(),
            crate::task::Asked::Review(plan) => plan.budget.time.unwrap(),
        };
        let hour = Duration::from_secs(3600);
        assert_eq!(limit(json!({ "do": "solve", "game": "y:5" })), hour);
        assert_eq!(limit(json!({ "do": "analyze", "game": "y:5", "time": "9h" })), hour);
        assert_eq!(limit(json!({ "do": "move", "game": "y:5", "time": 2 })), Duration::from_secs(2));
        assert_eq!(limit(json!({ "do": "review", "game": "tictactoe", "moves": "a1", "time": "9h" })), hour);
    }
}
