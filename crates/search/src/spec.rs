//! A search as plain data, written as one readable string: `alphabeta:symmetry=off`.

use crate::{Limits, Observer, Report, SearchError, alphabeta, brute};
use proofplay_core::Position;
use std::fmt;
use std::str::FromStr;

/// A search with its settings.
#[derive(Clone, PartialEq, Debug)]
pub enum SearchSpec {
    /// Every line of play, nothing remembered.
    Minimax,
    /// Alpha-beta with a transposition table.
    AlphaBeta(alphabeta::Config),
}

/// What was wrong with the text of a search.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("search `{text}`: {why}")]
pub struct SpecError {
    text: String,
    why: String,
}

impl SearchSpec {
    /// The names a search can have.
    pub const NAMES: &[&str] = &["minimax", "alphabeta"];

    /// Runs the search on `pos`; with `all_moves` until every move's value is known.
    pub fn run<P: Position>(
        &self,
        pos: &P,
        limits: &Limits,
        all_moves: bool,
        observer: &mut Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        match self {
            SearchSpec::Minimax => brute::solve(pos, limits, observer),
            SearchSpec::AlphaBeta(config) => alphabeta::solve(pos, *config, limits, all_moves, observer),
        }
    }
}

impl FromStr for SearchSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<SearchSpec, SpecError> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let mut settings = Settings::parse(text, settings)?;
        let spec = match name {
            "minimax" => SearchSpec::Minimax,
            "alphabeta" => {
                SearchSpec::AlphaBeta(alphabeta::Config { symmetry: settings.switch("symmetry", true)? })
            }
            _ => {
                return Err(
                    settings.error(format!("no such search; there are {}", SearchSpec::NAMES.join(", ")))
                );
            }
        };
        settings.finish()?;
        Ok(spec)
    }
}

impl fmt::Display for SearchSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchSpec::Minimax => f.write_str("minimax"),
            SearchSpec::AlphaBeta(config) if config.symmetry => f.write_str("alphabeta"),
            SearchSpec::AlphaBeta(_) => f.write_str("alphabeta:symmetry=off"),
        }
    }
}

/// The `key=value` pairs of a spec, taken out one by one; what is left at the end is an error.
struct Settings<'a> {
    text: &'a str,
    pairs: Vec<(&'a str, &'a str)>,
    allowed: Vec<&'static str>,
}

impl<'a> Settings<'a> {
    fn parse(text: &'a str, settings: &'a str) -> Result<Settings<'a>, SpecError> {
        let mut all = Settings { text, pairs: Vec::new(), allowed: Vec::new() };
        for pair in settings.split(',').filter(|pair| !pair.is_empty()) {
            let Some(pair) = pair.split_once('=') else {
                return Err(all.error(format!("`{pair}` is not of the form key=value")));
            };
            if all.pairs.iter().any(|(key, _)| *key == pair.0) {
                return Err(all.error(format!("`{}` is given twice", pair.0)));
            }
            all.pairs.push(pair);
        }
        Ok(all)
    }

    fn error(&self, why: String) -> SpecError {
        SpecError { text: self.text.to_owned(), why }
    }

    fn take(&mut self, key: &'static str) -> Option<&'a str> {
        self.allowed.push(key);
        let at = self.pairs.iter().position(|(k, _)| *k == key)?;
        Some(self.pairs.remove(at).1)
    }

    fn switch(&mut self, key: &'static str, default: bool) -> Result<bool, SpecError> {
        match self.take(key) {
            None => Ok(default),
            Some("on") => Ok(true),
            Some("off") => Ok(false),
            Some(other) => Err(self.error(format!("`{key}` is `on` or `off`, not `{other}`"))),
        }
    }

    fn finish(self) -> Result<(), SpecError> {
        let Some((key, _)) = self.pairs.first() else { return Ok(()) };
        let allowed = if self.allowed.is_empty() { "none".to_owned() } else { self.allowed.join(", ") };
        Err(self.error(format!("unknown setting `{key}`; allowed: {allowed}")))
    }
}
