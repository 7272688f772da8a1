//! The module `proofplay._proofplay`: what the package `proofplay` is made of.
//!
//! Games, positions and searches are those of the registry, without their types. Answers are JSON, in the words of
//! `docs/JSON.md`; the package makes objects of them. Whatever takes long is [`work::Work`] on a thread of its own,
//! without the lock of Python.
#![forbid(unsafe_code)]
// Nobody in Rust sees what is public here.
#![allow(missing_debug_implementations)]

mod error;
mod evaluator;
mod game;
mod lab;
mod own;
mod position;
mod search;
mod work;

use pyo3::prelude::*;

/// What the package `proofplay` is made of.
#[pymodule]
mod _proofplay {
    use super::*;

    #[pymodule_export]
    use crate::error::{CertificateError, Error, RulesError};
    #[pymodule_export]
    use crate::game::{Game, games, rules, searches};
    #[pymodule_export]
    use crate::lab::{begin_match, experiments, match_standing, trials};
    #[pymodule_export]
    use crate::position::{_restore, Position, Random};
    #[pymodule_export]
    use crate::search::{Search, check_certificate, check_search, is_game};
    #[pymodule_export]
    use crate::work::{_end_all, Work};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::error::silence_panics();
        module.py().import("atexit")?.call_method1("register", (module.getattr("_end_all")?,))?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
