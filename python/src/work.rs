//! Work on a thread of its own. The thread of Python waits, hears reports, and notices Ctrl-C.

use crate::error::{Failure, RulesError, message};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// How often signals are looked at.
const LOOK: Duration = Duration::from_millis(50);
/// Recursive searches take up to 1.8 KiB of stack a ply and may be a thousand plies deep; pages that are not
/// touched cost nothing.
const STACK: usize = 64 << 20;

/// What comes of work.
pub enum Answer {
    /// JSON.
    Text(String),
    /// A file.
    Bytes(Vec<u8>),
}

/// What work may do besides: report, and look whether it shall stop.
pub struct Desk {
    /// Where reports go, as JSON.
    pub reports: Sender<String>,
    /// Set when the work shall end soon.
    pub stop: Arc<AtomicBool>,
}

/// What came of work, or what a panic said.
type Ended = Result<PyResult<Answer>, String>;

/// Work that goes on.
#[pyclass(frozen, module = "proofplay._proofplay")]
pub struct Work {
    thread: Mutex<Option<JoinHandle<Ended>>>,
    reports: Mutex<Receiver<String>>,
    stop: Arc<AtomicBool>,
    failures: Vec<Arc<Failure>>,
}

impl Work {
    /// Begins; Python code that takes part in it may fail.
    pub fn begin(
        failures: Vec<Arc<Failure>>,
        task: impl FnOnce(Desk) -> PyResult<Answer> + Send + 'static,
    ) -> PyResult<Work> {
        let (stop, (reports, heard)) = (Arc::new(AtomicBool::new(false)), channel());
        failures.iter().for_each(|failure| drop(failure.take()));
        let (desk, calls_python) = (Desk { reports, stop: Arc::clone(&stop) }, !failures.is_empty());
        let token = Arc::new(());
        let mut live = live();
        live.retain(|(_, token)| token.strong_count() > 0);
        live.push((Arc::clone(&stop), Arc::downgrade(&token)));
        drop(live);
        let body = move || {
            let caught = || catch_unwind(AssertUnwindSafe(|| task(desk)));
            // Python is met once, so that own games need not introduce the thread at each call; where no code of
            // Python takes part it is not met at all.
            let ended = if calls_python { Python::attach(|py| py.detach(caught)) } else { caught() };
            drop(token);
            ended.map_err(|panic| message(&*panic))
        };
        let thread = Builder::new().name("proofplay".to_owned()).stack_size(STACK).spawn(body)?;
        Ok(Work { thread: Mutex::new(Some(thread)), reports: Mutex::new(heard), stop, failures })
    }
}

/// What goes on: the flags that stop it, and tokens that are gone when it has ended.
static LIVE: Mutex<Vec<(Arc<AtomicBool>, Weak<()>)>> = Mutex::new(Vec::new());

fn live() -> MutexGuard<'static, Vec<(Arc<AtomicBool>, Weak<()>)>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all work before Python ends: afterwards no thread may call it.
#[pyfunction]
pub fn _end_all(py: Python<'_>) {
    const MOST: Duration = Duration::from_secs(10);
    let all = std::mem::take(&mut *live());
    all.iter().for_each(|(stop, _)| stop.store(true, SeqCst));
    py.detach(|| {
        let began = Instant::now();
        while all.iter().any(|(_, token)| token.strong_count() > 0) && began.elapsed() < MOST {
            std::thread::sleep(Duration::from_millis(2));
        }
    });
}

impl Drop for Work {
    fn drop(&mut self) {
        self.stop.store(true, SeqCst);
    }
}

#[pymethods]
impl Work {
    /// The next report, or None at the end of the work.
    fn next(&self, py: Python<'_>) -> PyResult<Option<String>> {
        loop {
            let heard =
                py.detach(|| self.reports.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK));
            py.check_signals()?;
            if self.failures.iter().any(|failure| failure.is_set()) {
                self.stop.store(true, SeqCst);
            }
            match heard {
                Ok(report) => return Ok(Some(report)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// Asks it to end soon.
    fn stop(&self) {
        self.stop.store(true, SeqCst);
    }

    /// Waits for the end: what came of it.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let thread = thread.ok_or_else(|| crate::error::error("this was finished before"))?;
        if py.import("sys")?.call_method0("is_finalizing")?.is_truthy()? {
            // Python ends: a thread that would need it waits for ever.
            return Err(crate::error::error("Python ends before the search"));
        }
        let ended = py.detach(|| thread.join()).map_err(|panic| RulesError::new_err(message(&*panic)))?;
        let raised = self.failures.iter().filter_map(|failure| failure.take()).next();
        match (ended, raised) {
            (_, Some(error)) => Err(error),
            (Err(why), None) => Err(RulesError::new_err(why)),
            (Ok(Err(error)), None) => Err(error),
            (Ok(Ok(Answer::Text(text))), None) => Ok(PyString::new(py, &text).into_any()),
            (Ok(Ok(Answer::Bytes(bytes))), None) => Ok(PyBytes::new(py, &bytes).into_any()),
        }
    }
}
