//! What goes wrong: errors of Rust and of Python, and panics between them.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

create_exception!(
    proofplay,
    Error,
    PyValueError,
    "Something that proofplay cannot do: a text that it cannot read, a search that does not fit a game. The message \
     says what is allowed."
);
create_exception!(proofplay, CertificateError, Error, "A certificate that does not prove what it claims.");
create_exception!(
    proofplay,
    RulesError,
    Error,
    "An own game that breaks a promise, such as a score outside of its range. The message says which."
);

/// An error of this module from one of Rust.
pub fn error(why: impl Display) -> PyErr {
    Error::new_err(why.to_string())
}

/// What Python code has raised in the middle of a search, which cannot pass errors on. The search unwinds; who
/// has started it raises the error again.
#[derive(Debug, Default)]
pub struct Failure {
    raised: Mutex<Option<PyErr>>,
    is_set: AtomicBool,
}

/// The payload of a search that unwinds after [`Failure::unwind`].
struct Raised;

impl Failure {
    /// Keeps the error, unless there is one, and unwinds.
    pub fn unwind(&self, error: PyErr) -> ! {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.is_set.store(true, SeqCst);
        resume_unwind(Box::new(Raised))
    }

    /// Whether something was raised that nobody has taken.
    pub fn is_set(&self) -> bool {
        self.is_set.load(SeqCst)
    }

    /// Takes the error.
    pub fn take(&self) -> Option<PyErr> {
        self.is_set.store(false, SeqCst);
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Does work that may call an own game; what it has raised becomes the error, and so does a panic.
pub fn guarded<T>(failure: Option<&Failure>, work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let raised = failure.and_then(Failure::take);
        raised.unwrap_or_else(|| RulesError::new_err(message(&*panic)))
    })
}

/// What a panic says.
pub fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    text.unwrap_or_else(|| "the search was ended by another one of the same game".to_owned())
}

/// Panics become exceptions, so they are not printed as well, unless somebody asks for backtraces.
pub fn silence_panics() {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        std::panic::set_hook(Box::new(|_| ()));
    }
}
