//! The settings of alpha-beta, as a solver and as a player.

use super::Config;
use super::deepen;
use crate::SearchSpec;
use crate::settings::{Pairs, Setting, SpecError, Values, named, row};
use std::fmt;

/// All settings, flat.
pub(crate) struct Flat {
    /// None: to the end of the game, or until a limit ends it.
    pub depth: (Option<u8>, &'static str),
    pub deepen: bool,
    pub symmetry: bool,
    pub facts: bool,
}

impl Default for Flat {
    fn default() -> Flat {
        Flat { depth: (None, NO_DEPTH), deepen: false, symmetry: true, facts: true }
    }
}

/// The word for no depth.
pub(crate) const NO_DEPTH: &str = "none";

/// The table of the settings.
pub(crate) const SETTINGS: &[Setting<Flat>] = &[
    row!(
        "depth",
        depth,
        Values::WordOrWhole(NO_DEPTH, 1..=deepen::Config::DEEPEST as u64),
        "as a player: search to this many plies"
    ),
    row!("deepen", deepen, Values::Switch, "as a player: deeper and deeper until a limit ends it"),
    row!("symmetry", symmetry, Values::Switch, "images of a position share an entry of the table"),
    row!(
        "facts",
        facts,
        Values::Switch,
        "use what the game knows for certain, and try first what it would try first"
    ),
];

impl fmt::Display for Flat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&named("alphabeta", SETTINGS, self, &Flat::default()))
    }
}

/// With a depth, or deepening until a limit ends it, alpha-beta is a player; else it searches to
/// the end of the game.
pub(crate) fn read(pairs: &Pairs) -> Result<SearchSpec, SpecError> {
    let mut flat = Flat::default();
    pairs.apply(SETTINGS, &mut flat)?;
    let (depth, _) = flat.depth;
    if !flat.deepen && depth.is_some() && pairs.has("deepen") {
        return Err(pairs.error("with a depth it deepens: leave `deepen=off` out, or the depth"));
    }
    if !flat.deepen && depth.is_none() {
        return Ok(SearchSpec::AlphaBeta(Config { symmetry: flat.symmetry, facts: flat.facts }));
    }
    match ["symmetry", "facts"].into_iter().find(|key| pairs.has(key)) {
        Some(key) => Err(pairs.error(format!("`{key}` is for alphabeta without depth and deepen"))),
        None => Ok(SearchSpec::Deepen(deepen::Config { depth })),
    }
}
