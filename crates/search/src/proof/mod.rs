//! Best-first proof searches: proof numbers and product propagation, on a tree, on a graph, on two
//! levels.
//!
//! One loop (`BestFirst`, Algorithm 1 of \[SC13\]), two kinds of numbers (`PnDn`, `Pp`), one store
//! that is a tree or a graph (`Graph`). A search answers yes or no to a [`Goal`]; the
//! solver asks one goal after the other until the value is exact.
//!
//! | name | numbers | store |
//! |---|---|---|
//! | `pns`, `pnt`, `pn2` | `PnDn` | tree, graph, two levels of trees |
//! | `pp`, `ppt`, `pp2` | `Pp` | tree, graph, two levels of trees |
//!
//! Nodes are counted as the paper counts its "node expansions": every child of an expanded
//! position. (Its 101 244 for PP on Domineering 5x6 is our count to the node.) `Report::nodes` and
//! `Limits::nodes` are in this unit and include the second level; `Report::expansions` are the
//! expanded positions of the first level.
//!
//! Memory, bytes per stored child, measured on Domineering 6x6: see `Graph`; at most 40 in a tree
//! and 56 in a graph.

mod best_first;
mod checkpoint;
mod collect;
mod goal;
mod graph;
mod index;
pub(crate) mod info;
mod leaf;
mod line;
pub(crate) mod pn;
pub(crate) mod pp;
mod prover;
#[cfg(test)]
mod pruning_tests;
#[cfg(test)]
mod tests;
mod two_level;

#[cfg(test)]
pub(crate) use best_first::{BestFirst, Ended, Spending, Stats};
pub use goal::Goal;
pub(crate) use goal::Judge;
pub(crate) use info::{Info, NodeKind, Status};
pub use leaf::Init;
pub(crate) use leaf::Leaves;
pub(crate) use leaf::init_row;
pub(crate) use pn::PnDn;
pub(crate) use pp::Pp;

use crate::settings::{Setting, Value, Values, named, row};
use crate::{Resources, Search, SearchError};
use proofplay_core::{Extras, Position};
pub(crate) use prover::ByGoals;
use std::fmt;

/// Which numbers guide the search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Numbers {
    /// Proof numbers.
    Pn,
    /// Product propagation.
    Pp,
}

/// Where nodes are stored.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Store {
    /// Every path has its own nodes.
    Tree,
    /// Paths to the same position meet.
    Graph {
        /// Images of a position count as the same. Off in the paper.
        symmetry: bool,
    },
    /// A tree whose leaves are searched by a second tree.
    TwoLevel,
}

/// A best-first proof search as plain data.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The numbers.
    pub numbers: Numbers,
    /// The store.
    pub store: Store,
    /// What a leaf is worth; the paper's best is mobility.
    pub init: Init,
    /// The facts of the game are used. Off in the paper.
    pub facts: bool,
}

impl Config {
    const GRAPH: Store = Store::Graph { symmetry: false };
    /// `pns`.
    pub(crate) const PNS: Config =
        Config { numbers: Numbers::Pn, store: Store::Tree, init: Init::Mobility, facts: false };

    /// The searches by name, as the paper has them.
    const NAMED: [(&'static str, Numbers, Store); 6] = [
        ("pns", Numbers::Pn, Store::Tree),
        ("pnt", Numbers::Pn, Config::GRAPH),
        ("pn2", Numbers::Pn, Store::TwoLevel),
        ("pp", Numbers::Pp, Store::Tree),
        ("ppt", Numbers::Pp, Config::GRAPH),
        ("pp2", Numbers::Pp, Store::TwoLevel),
    ];

    /// The search of this name with the paper's settings.
    pub fn named(name: &str) -> Option<Config> {
        let found = Config::NAMED.iter().find(|named| named.0 == name);
        found.map(|&(_, numbers, store)| Config { numbers, store, init: Init::Mobility, facts: false })
    }

    /// The name of this search, settings aside.
    pub fn name(&self) -> &'static str {
        let store = match self.store {
            Store::Graph { .. } => Config::GRAPH,
            store => store,
        };
        let found = Config::NAMED.iter().find(|named| (named.1, named.2) == (self.numbers, store));
        found.expect("all numbers and stores have a name").0
    }

    /// The table of its settings.
    pub(crate) fn settings(&self) -> &'static [Setting<Config>] {
        if matches!(self.store, Store::Graph { .. }) { GRAPH_SETTINGS } else { TREE_SETTINGS }
    }
}

const INIT: Setting<Config> =
    init_row!("what a leaf is worth before it is expanded: by its moves, all alike, by the evaluation");
const FACTS: Setting<Config> =
    row!("facts", facts, Values::Switch, "use what the game knows for certain, and only moves that suffice");
const SYMMETRY: Setting<Config> = Setting {
    key: "symmetry",
    values: Values::Switch,
    meaning: "images of a position count as the same",
    show: |config| (config.store == Store::Graph { symmetry: true }).show(),
    set: |config, text, values| {
        let mut on = false;
        let good = on.set(text, values);
        config.store = Store::Graph { symmetry: on };
        good
    },
};
const TREE_SETTINGS: &[Setting<Config>] = &[INIT, FACTS];
const GRAPH_SETTINGS: &[Setting<Config>] = &[INIT, SYMMETRY, FACTS];

impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base = Config::named(self.name()).expect("all searches have a name");
        f.write_str(&named(self.name(), self.settings(), self, &base))
    }
}

/// A search of `pos` and the positions after it.
///
/// ```
/// use proofplay_core::{Extras, Game, Score};
/// use proofplay_games::written::Written;
/// use proofplay_search::{Ask, Resources, Run, proof};
/// let start = Written::parse_tree("((+ -) = (- =))").unwrap().start();
/// let config = proof::Config::named("pp").unwrap();
/// let mut search = proof::start(&start, config, Extras::none(), Resources::default()).unwrap();
/// let report = search.run(Ask::Value, &mut Run::default()).unwrap();
/// assert_eq!(report.bounds.value(), Some(Score::DRAW));
/// ```
pub fn start<P: Position>(
    pos: &P,
    config: Config,
    extras: Extras<P>,
    resources: Resources,
) -> Result<Box<dyn Search<P>>, SearchError> {
    if matches!(config.store, Store::Graph { .. }) && pos.repeats() {
        return Err(SearchError::Cyclic(config.name()));
    }
    Ok(match config.numbers {
        Numbers::Pn => Box::new(ByGoals::<P, PnDn>::solver(pos, config, extras, resources.memory)),
        Numbers::Pp => Box::new(ByGoals::<P, Pp>::solver(pos, config, extras, resources.memory)),
    })
}
