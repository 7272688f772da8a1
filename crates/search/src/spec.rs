//! A search as plain data, written as one readable string: `alphabeta:symmetry=off`.

use crate::alphabeta::deepen::{self, Deepener};
use crate::mcts::Mcts;
use crate::minimax::Minimax;
use crate::retrograde::Retrograde;
use crate::settings::{Pairs, SettingInfo, SpecError, explain, named};
use crate::{Ask, Report, Resources, Run, Search, SearchError, alphabeta, auto, dfpn, mcts, proof};
use proofplay_core::{Extras, Position};
use std::fmt;
use std::str::FromStr;

/// A search with its settings.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum SearchSpec {
    /// The strongest player that is known for a game.
    Auto,
    /// Every line of play, nothing remembered.
    Minimax,
    /// All positions that can follow, solved from the ends of games backwards.
    Retrograde,
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

/// A search by name: a row of the table of searches.
#[derive(Debug)]
#[non_exhaustive]
pub struct SearchKind {
    /// The name.
    pub name: &'static str,
    /// What it is, in a line.
    pub meaning: &'static str,
    /// The papers, by their keys in docs/REFERENCES.md.
    pub papers: &'static str,
    /// Its default settings, after the name of the search it is a kind of.
    preset: &'static str,
}

/// All searches.
const KINDS: &[SearchKind] = &[
    kind("auto", "the strongest player known for the game, by matches; `solve` takes the fastest prover", ""),
    kind("minimax", "every line of play, without a table: the truth the others are tested against", ""),
    kind(
        "retrograde",
        "all positions that can follow, from the ends of games backwards; also where they repeat",
        "[Tho86]",
    ),
    kind(
        "alphabeta",
        "depth first to the end of the game, with a table; with depth or deepen a player",
        "[KM75], [MC82], [SA77]",
    ),
    kind("pns", "best first by proof numbers, on a tree", "[AMH94]"),
    kind("pnt", "best first by proof numbers, with transpositions", "[SAU94]"),
    kind("pn2", "best first by proof numbers, on two levels", "[Bre98]"),
    kind("pp", "best first by product propagation, on a tree", "[SC13]"),
    kind("ppt", "best first by product propagation, with transpositions", "[SC13]"),
    kind("pp2", "best first by product propagation, on two levels", "[SC13]"),
    kind("dfpn", "depth first by proof numbers, with a table of fixed size", "[Nag02]"),
    kind("dfpp", "depth first by product propagation, with a table of fixed size", "[Nag02], [SC13]"),
    kind("mcts", "Monte-Carlo tree search that proves while it plays", "[CS10]"),
    SearchKind {
        preset: "proof=solver,c=0.4,after=0,final=secure",
        ..kind("mcts-solver", "… with proofs of wins and losses only", "[WBS08]")
    },
    SearchKind {
        preset: "proof=exact,c=0.4,after=0",
        ..kind("exact-win", "… with WIN, LOSS, DRAW, UNKNOWN marks", "[CCL18]")
    },
    SearchKind {
        preset: "proof=bounds,c=0.4,after=0",
        ..kind("score-bounded", "… with an interval for every node", "[CS10]")
    },
];

const fn kind(name: &'static str, meaning: &'static str, papers: &'static str) -> SearchKind {
    SearchKind { name, meaning, papers, preset: "" }
}

impl SearchKind {
    /// All searches.
    pub fn all() -> &'static [SearchKind] {
        KINDS
    }

    /// The search with its defaults.
    pub fn spec(&self) -> SearchSpec {
        self.name.parse().expect("a search of the table")
    }

    /// Its settings, with their defaults.
    pub fn settings(&self) -> Vec<SettingInfo> {
        match self.spec() {
            SearchSpec::Auto | SearchSpec::Minimax | SearchSpec::Retrograde => Vec::new(),
            SearchSpec::AlphaBeta(_) | SearchSpec::Deepen(_) => {
                explain(alphabeta::settings::SETTINGS, &alphabeta::settings::Flat::default())
            }
            SearchSpec::Proof(config) => explain(config.settings(), &config),
            SearchSpec::Dfpn(config) => explain(dfpn::SETTINGS, &config),
            SearchSpec::Mcts(config) => explain(mcts::SETTINGS, &mcts::Flat::from(&config)),
        }
    }

    /// Reads the settings after the name.
    fn read(&self, pairs: &Pairs) -> Result<SearchSpec, SpecError> {
        let plain = [SearchSpec::Auto, SearchSpec::Minimax, SearchSpec::Retrograde];
        if let Some(spec) = plain.into_iter().find(|spec| spec.to_string() == self.name) {
            pairs.apply::<()>(&[], &mut ())?;
            return Ok(spec);
        }
        if self.name == "alphabeta" {
            return alphabeta::settings::read(pairs);
        }
        if let Some(mut config) = dfpn::Config::named(self.name) {
            pairs.apply(dfpn::SETTINGS, &mut config)?;
            return Ok(SearchSpec::Dfpn(config));
        }
        if let Some(mut config) = proof::Config::named(self.name) {
            pairs.apply(config.settings(), &mut config)?;
            return Ok(SearchSpec::Proof(config));
        }
        let base = mcts::Config::default().read(&Pairs::split(self.preset, self.preset)?)?;
        Ok(SearchSpec::Mcts(base.read(pairs)?))
    }
}

impl SearchSpec {
    /// The search that it means in the game of this name: [`SearchSpec::Auto`] is a player of a table,
    /// or one that makes simulations if `must_simulate`; the others are what they are.
    pub fn for_game(&self, name: &str, must_simulate: bool) -> SearchSpec {
        match self {
            SearchSpec::Auto => auto::player(name, must_simulate),
            other => other.clone(),
        }
    }

    /// Starts the search on `pos`, a position of a game with these extras. [`SearchSpec::Auto`] does
    /// not know the game here: see [`SearchSpec::for_game`].
    pub fn start<P: Position>(
        &self,
        pos: &P,
        extras: Extras<P>,
        resources: Resources,
    ) -> Result<Box<dyn Search<P>>, SearchError> {
        match *self {
            SearchSpec::Auto => auto::player("", false).start(pos, extras, resources),
            SearchSpec::Minimax => Ok(Box::new(Minimax::new(pos, extras, resources))),
            SearchSpec::Retrograde => Ok(Box::new(Retrograde::new(pos, extras, resources)?)),
            SearchSpec::AlphaBeta(config) => alphabeta::start(pos, config, extras, resources),
            SearchSpec::Deepen(config) => Ok(Box::new(Deepener::new(pos, config, extras, resources))),
            SearchSpec::Proof(config) => proof::start(pos, config, extras, resources),
            SearchSpec::Dfpn(config) => dfpn::start(pos, config, extras, resources),
            SearchSpec::Mcts(config) => Ok(Box::new(Mcts::new(pos.clone(), config, extras, resources)?)),
        }
    }

    /// Starts the search on a position of a game without extras.
    pub fn start_bare<P: Position>(
        &self,
        pos: &P,
        resources: Resources,
    ) -> Result<Box<dyn Search<P>>, SearchError> {
        self.start(pos, Extras::none(), resources)
    }

    /// The same search with `facts=on`, where it has that setting.
    pub fn with_facts(mut self) -> SearchSpec {
        match &mut self {
            SearchSpec::AlphaBeta(config) => config.facts = true,
            SearchSpec::Proof(config) => config.facts = true,
            SearchSpec::Dfpn(config) => config.facts = true,
            SearchSpec::Mcts(config) => config.facts = true,
            SearchSpec::Auto | SearchSpec::Minimax | SearchSpec::Retrograde | SearchSpec::Deepen(_) => {}
        }
        self
    }

    /// What the search can prove, if not every value: `it proves wins and losses only`.
    pub fn proves_only(&self) -> Option<&'static str> {
        match self {
            SearchSpec::Mcts(config) => config.proof.proves_only(),
            _ => None,
        }
    }

    /// Whether the spec has its own limit.
    pub fn limits_itself(&self) -> bool {
        match self {
            SearchSpec::Mcts(config) => config.playouts > 0,
            SearchSpec::Deepen(config) => config.depth.is_some(),
            _ => false,
        }
    }

    /// Whether it makes simulations, which [`Limits::simulations`](crate::Limits::simulations)
    /// counts; nodes and time limit every search.
    pub fn counts_simulations(&self) -> bool {
        matches!(self, SearchSpec::Mcts(_))
    }

    /// The threads that its settings ask for, if more than the resources of the search.
    pub fn threads(&self) -> usize {
        if let SearchSpec::Mcts(config) = self { config.threads } else { 0 }
    }

    /// The file of the network that it needs: the hints of the game must have it
    /// ([`Hints::network`](proofplay_core::Hints::network)).
    pub fn network(&self) -> Option<&'static str> {
        match self {
            SearchSpec::Mcts(mcts::Config { leaf: mcts::Leaf::Evaluate { net, .. }, .. }) => *net,
            _ => None,
        }
    }

    /// Solves a position of a game without extras.
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
        let pairs = Pairs::split(text, settings)?;
        match KINDS.iter().find(|kind| kind.name == name) {
            Some(kind) => kind.read(&pairs),
            None => {
                let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
                Err(pairs.error(format!("no such search; there are {}", names.join(", "))))
            }
        }
    }
}

impl fmt::Display for SearchSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchSpec::Auto => f.write_str("auto"),
            SearchSpec::Minimax => f.write_str("minimax"),
            SearchSpec::Retrograde => f.write_str("retrograde"),
            SearchSpec::AlphaBeta(config) => config.fmt(f),
            SearchSpec::Deepen(config) => config.fmt(f),
            SearchSpec::Proof(config) => config.fmt(f),
            SearchSpec::Dfpn(config) => config.fmt(f),
            SearchSpec::Mcts(config) => {
                let base = mcts::Flat::from(&mcts::Config::default());
                f.write_str(&named("mcts", mcts::SETTINGS, &mcts::Flat::from(config), &base))
            }
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for SearchSpec {
    /// As text.
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for SearchSpec {
    /// From text.
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<SearchSpec, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
