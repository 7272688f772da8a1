//! A search as plain data, written as one readable string: `alphabeta:symmetry=off`.

use crate::alphabeta::deepen::{self, Deepener};
use crate::mcts::Mcts;
use crate::minimax::Minimax;
use crate::proof::Init;
use crate::settings::{Settings, SpecError};
use crate::{Ask, Report, Resources, Run, Search, SearchError, alphabeta, dfpn, mcts, proof};
use proofplay_core::{Extras, Position};
use std::fmt;
use std::str::FromStr;

/// A search with its settings.
#[derive(Clone, PartialEq, Debug)]
pub enum SearchSpec {
    /// Every line of play, nothing remembered.
    Minimax,
    /// Alpha-beta with a transposition table.
    AlphaBeta(alphabeta::Config),
    /// Alpha-beta depth after depth, with the game's evaluation function.
    Deepen(deepen::Config),
    /// Best-first proof search: proof numbers, product propagation.
    Proof(proof::Config),
    /// Depth-first proof search with a table.
    Dfpn(dfpn::Config),
    /// Monte-Carlo tree search.
    Mcts(mcts::Config),
}

/// Monte-Carlo searches by the name of their paper: settings to start from.
const PRESETS: &[(&str, &str)] = &[
    ("mcts", ""),
    ("mcts-solver", "proof=solver,c=0.4,after=0,final=secure"),
    ("exact-win", "proof=exact,c=0.4,after=0"),
    ("score-bounded", "proof=bounds,c=0.4,after=0"),
];

impl SearchSpec {
    /// The names a search can have.
    pub const NAMES: &[&str] = &[
        "minimax",
        "alphabeta",
        "pns",
        "pnt",
        "pn2",
        "pp",
        "ppt",
        "pp2",
        "dfpn",
        "dfpp",
        "mcts",
        "mcts-solver",
        "exact-win",
        "score-bounded",
    ];

    /// Starts the search on `pos`, a position of a game that offers these extras.
    pub fn start<P: Position>(
        &self,
        pos: &P,
        extras: Extras<P>,
        resources: Resources,
    ) -> Result<Box<dyn Search<P>>, SearchError> {
        match *self {
            SearchSpec::Minimax => Ok(Box::new(Minimax::new(pos, extras, resources))),
            SearchSpec::AlphaBeta(config) => alphabeta::start(pos, config, extras, resources),
            SearchSpec::Deepen(config) => Ok(Box::new(Deepener::new(pos, config, extras, resources))),
            SearchSpec::Proof(config) => proof::start(pos, config, extras, resources),
            SearchSpec::Dfpn(config) => dfpn::start(pos, config, extras, resources),
            SearchSpec::Mcts(config) => Ok(Box::new(Mcts::new(pos.clone(), config, extras, resources)?)),
        }
    }

    /// Starts the search on a position of a game that knows nothing but its rules.
    pub fn start_bare<P: Position>(
        &self,
        pos: &P,
        resources: Resources,
    ) -> Result<Box<dyn Search<P>>, SearchError> {
        self.start(pos, Extras::none(), resources)
    }

    /// What the search proves, where that is less than every value: `it proves wins and losses only`.
    pub fn proves_only(&self) -> Option<&'static str> {
        match self {
            SearchSpec::Mcts(config) => config.proof.proves_only(),
            _ => None,
        }
    }

    /// Whether the spec itself says when the search ends, solved or not.
    pub fn limits_itself(&self) -> bool {
        match self {
            SearchSpec::Mcts(config) => config.playouts > 0,
            SearchSpec::Deepen(config) => config.depth.is_some(),
            _ => false,
        }
    }

    /// Whether it makes simulations, which [`Limits::simulations`](crate::Limits::simulations) counts; nodes and time limit every search.
    pub fn counts_simulations(&self) -> bool {
        matches!(self, SearchSpec::Mcts(_))
    }

    /// Solves a position of a game that knows nothing but its rules.
    ///
    /// # Panics
    /// As [`Search::run`] does.
    pub fn solve<P: Position>(&self, pos: &P) -> Result<Report<P::Move>, SearchError> {
        self.start_bare(pos, Resources::default())?.run(Ask::Value, &mut Run::default())
    }
}

impl FromStr for SearchSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<SearchSpec, SpecError> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let mut settings = Settings::split(text, settings)?;
        let spec = match name {
            "minimax" => SearchSpec::Minimax,
            "alphabeta" => read_alphabeta(&mut settings)?,
            _ if PRESETS.iter().any(|preset| preset.0 == name) => {
                let preset = PRESETS.iter().find(|preset| preset.0 == name).map_or("", |preset| preset.1);
                let mut base = Settings::split(text, preset)?;
                let base = mcts::Config::default().read(&mut base)?;
                SearchSpec::Mcts(base.read(&mut settings)?)
            }
            _ if let Some(config) = dfpn::Config::named(name) => SearchSpec::Dfpn(dfpn::Config {
                init: Init::read(&mut settings, config.init)?,
                symmetry: settings.switch("symmetry", config.symmetry)?,
                facts: settings.facts(config.facts)?,
                ..config
            }),
            _ if let Some(config) = proof::Config::named(name) => {
                SearchSpec::Proof(config.read(&mut settings)?)
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

/// With a depth, or deepening until a limit ends it, alpha-beta is a player; else it goes to the end of the game.
fn read_alphabeta(settings: &mut Settings) -> Result<SearchSpec, SpecError> {
    let depth = match settings.take("depth") {
        Some(text) => Some(settings.parse("depth", text, 1..=deepen::Config::DEEPEST)?),
        None => None,
    };
    if settings.switch("deepen", depth.is_some())? {
        return Ok(SearchSpec::Deepen(deepen::Config { depth }));
    }
    if depth.is_some() {
        return Err(settings.error("`depth` needs `deepen=on`"));
    }
    Ok(SearchSpec::AlphaBeta(alphabeta::Config {
        symmetry: settings.switch("symmetry", true)?,
        facts: settings.facts(true)?,
    }))
}

impl fmt::Display for SearchSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchSpec::Minimax => f.write_str("minimax"),
            SearchSpec::AlphaBeta(config) => config.fmt(f),
            SearchSpec::Deepen(config) => config.fmt(f),
            SearchSpec::Proof(config) => config.fmt(f),
            SearchSpec::Dfpn(config) => config.fmt(f),
            SearchSpec::Mcts(config) => {
                let settings = config.differences(&mcts::Config::default());
                write!(f, "mcts{}{settings}", if settings.is_empty() { "" } else { ":" })
            }
        }
    }
}
