//! Experiments as numbered trials, done by threads and stored.

use crate::store::Next;
use crate::{LabError, Store};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// An experiment whose trials follow from it and their number alone. It is plain data: another
/// process that reads its plan can do its trials.
pub trait Study: Serialize + DeserializeOwned + Sync {
    /// The result of a trial.
    type Outcome: Serialize + DeserializeOwned + Clone + Send;
    /// What kind of experiment it is: one word.
    const KIND: &'static str;
    /// Everything that its outcomes depend on.
    fn plan(&self) -> serde_json::Value {
        serde_json::to_value(self).expect("plans are plain data")
    }
    /// A number that changes when the program behaves differently in this experiment.
    fn signature(&self) -> Result<String, LabError>;
    /// Does a trial; `None` if `stop` was set before it ended.
    fn trial(&self, number: u32, stop: &Arc<AtomicBool>) -> Result<Option<Self::Outcome>, LabError>;
}

/// Finished trials of a study by number, with the seconds each took.
pub type Trials<T> = Vec<(u32, T, f64)>;

/// How often the main thread checks for a stop, and how often it marks its worker as alive.
const LOOK: Duration = Duration::from_millis(50);
const BEAT: Duration = Duration::from_secs(5);

/// Does the trials `0..count` that the store lacks on this many threads, and returns all of them.
/// `watch` is called with the finished trials, first with the stored ones and then after each new one,
/// and returns whether they are enough. Setting `stop` ends the run early; unfinished trials are lost.
pub fn run<S: Study>(
    study: &S,
    count: u32,
    threads: usize,
    store: &Store,
    stop: &Arc<AtomicBool>,
    watch: &mut dyn FnMut(&Trials<S::Outcome>) -> bool,
) -> Result<Trials<S::Outcome>, LabError> {
    let experiment = store.experiment(S::KIND, &study.plan(), &study.signature()?)?;
    let below = |trials: Trials<S::Outcome>| -> Trials<S::Outcome> {
        trials.into_iter().filter(|trial| trial.0 < count).collect()
    };
    let mut trials = below(store.trials(experiment)?);
    if watch(&trials) || trials.len() as u32 == count {
        return Ok(trials);
    }
    let worker = store.worker()?;
    // Trials stop for the user, for an error, or because there are enough.
    let (halt, failure) = (Arc::new(AtomicBool::new(false)), Mutex::new(None));
    let (tell, hear) = channel();
    let work = |tell: Sender<(u32, S::Outcome, f64)>| -> Result<(), LabError> {
        while !halt.load(SeqCst) {
            match store.claim(experiment, count, worker)? {
                Next::Done => return Ok(()),
                Next::Wait => std::thread::sleep(LOOK),
                Next::Trial(number) => {
                    let started = Instant::now();
                    let Some(outcome) = study.trial(number, &halt)? else { return Ok(()) };
                    let time = started.elapsed();
                    store.finish(experiment, number, &outcome, time)?;
                    // After an error nobody receives it.
                    let _ = tell.send((number, outcome, time.as_secs_f64()));
                }
            }
        }
        Ok(())
    };
    let outcome = std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count as usize) {
            let (tell, work, failure, halt) = (tell.clone(), &work, &failure, &halt);
            scope.spawn(move || {
                if let Err(error) = work(tell) {
                    failure.lock().expect("no thread panics here").get_or_insert(error);
                    halt.store(true, SeqCst);
                }
            });
        }
        drop(tell);
        let mut look = || -> Result<(), LabError> {
            let mut beat = Instant::now();
            loop {
                match hear.recv_timeout(LOOK) {
                    Ok(trial) => {
                        let at = trials.partition_point(|other| other.0 < trial.0);
                        trials.insert(at, trial);
                        if watch(&trials) {
                            halt.store(true, SeqCst);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if stop.load(SeqCst) {
                    halt.store(true, SeqCst);
                }
                if beat.elapsed() >= BEAT {
                    store.beat(worker)?;
                    beat = Instant::now();
                }
            }
            // Other processes may have done some.
            trials = below(store.trials(experiment)?);
            watch(&trials);
            Ok(())
        };
        look().inspect_err(|_| halt.store(true, SeqCst))
    });
    store.dismiss(worker);
    outcome?;
    match failure.into_inner().expect("no thread panics here") {
        Some(error) => Err(error),
        None => Ok(trials),
    }
}

/// Stores the outcome of a trial that was done elsewhere, except if the trial of this number is
/// stored already. Returns the experiment.
pub fn keep<S: Study>(
    study: &S,
    number: u32,
    outcome: &S::Outcome,
    time: Duration,
    store: &Store,
) -> Result<i64, LabError> {
    let experiment = store.experiment(S::KIND, &study.plan(), &study.signature()?)?;
    store.finish(experiment, number, outcome, time)?;
    Ok(experiment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::path::Path;
    use std::sync::atomic::AtomicU32;

    /// Squares numbers; counts how many trials were begun.
    #[derive(Serialize, Deserialize, Default)]
    struct Squares {
        #[serde(skip)]
        begun: AtomicU32,
        /// Trials from this number on end only when they are stopped.
        #[serde(skip)]
        hang_from: Option<u32>,
    }

    impl Study for Squares {
        type Outcome = u32;
        const KIND: &'static str = "squares";
        fn signature(&self) -> Result<String, LabError> {
            Ok(String::new())
        }
        fn trial(&self, number: u32, stop: &Arc<AtomicBool>) -> Result<Option<u32>, LabError> {
            if number == 13 {
                return Err(LabError::Plan("bad luck".to_owned()));
            }
            self.begun.fetch_add(1, SeqCst);
            while self.hang_from.is_some_and(|hang| number >= hang) && !stop.load(SeqCst) {
                std::thread::yield_now();
            }
            Ok((!stop.load(SeqCst)).then_some(number * number))
        }
    }

    fn memory() -> Store {
        Store::open(Path::new(":memory:")).unwrap()
    }

    #[test]
    fn trials_are_done_once() {
        let (store, squares, stop) = (memory(), Squares::default(), Arc::default());
        let go = |count| run(&squares, count, 3, &store, &stop, &mut |_| false).unwrap();
        let numbers = |trials: Trials<u32>| trials.into_iter().map(|t| (t.0, t.1)).collect::<Vec<_>>();
        assert_eq!(numbers(go(4)), [(0, 0), (1, 1), (2, 4), (3, 9)]);
        assert_eq!(go(7).len(), 7);
        assert_eq!(numbers(go(2)), [(0, 0), (1, 1)]);
        assert_eq!(squares.begun.load(SeqCst), 7);
    }

    #[test]
    fn enough_is_enough() {
        let squares = Squares { hang_from: Some(2), ..Squares::default() };
        let (store, stop) = (memory(), Arc::default());
        let trials = run(&squares, 12, 3, &store, &stop, &mut |trials| trials.len() == 2).unwrap();
        assert_eq!(trials.iter().map(|trial| trial.0).collect::<Vec<_>>(), [0, 1]);
        assert!(!stop.load(SeqCst), "nobody has asked to stop");
    }

    #[test]
    fn stops_and_errors_end_it() {
        let (store, stop) = (memory(), Arc::new(AtomicBool::new(false)));
        let error = run(&Squares::default(), 20, 2, &store, &stop, &mut |_| false).unwrap_err();
        assert_eq!(error.to_string(), "bad luck");
        // Trials that never end by themselves are ended by the flag, and none of them is stored.
        stop.store(true, SeqCst);
        let squares = Squares { hang_from: Some(0), ..Squares::default() };
        assert!(run(&squares, 12, 2, &memory(), &stop, &mut |_| false).unwrap().is_empty());
    }
}
