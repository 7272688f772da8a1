//! The searches of proofplay. They use positions only through the traits of the core.
#![forbid(unsafe_code)]

mod abdada;
pub mod alphabeta;
mod auto;
pub mod checkpoint;
pub mod dfpn;
pub mod distance;
mod game;
mod huge_pages;
mod limits;
pub mod mcts;
pub mod minimax;
pub mod proof;
mod report;
pub mod retrograde;
mod run;
mod search;
mod settings;
mod solver;
mod spec;
mod strategist;
mod table;
#[cfg(test)]
mod testing;
mod watch;

/// What the benches in `benches/` measure: no promise is made about it.
#[doc(hidden)]
pub mod internals {
    pub use crate::dfpn::table::Numbers;
    pub use crate::mcts::leaders::Leaders;
    pub use crate::mcts::select::{Parent, Plain};
    pub use crate::mcts::shortlist::Shortlist;
    pub use crate::mcts::tree::{Columns, Fields, Node, ROOT, Room, Tree, Units};
    pub use crate::proof::info::{Info, NodeKind, Status};
    pub use crate::proof::pn::PnDn;
    pub use crate::proof::pp::Pp;
    pub use crate::table::{Entry, Table};
}

pub use game::play_game;
pub use limits::{Limits, Resources};
pub use report::{Halt, MoveReport, Report, Verdict};
pub use run::{Ask, Observer, Run};
pub use search::{NodeView, ProofNumbers, Saved, Search, Tree};
pub use settings::{SettingInfo, SpecError};
pub use spec::{SearchKind, SearchSpec};
pub use strategist::{NoMove, Strategist, from_scratch};

/// Why a search cannot run on a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The search needs a game whose positions never repeat.
    #[error(
        "{0} needs a game whose positions never repeat, since its table would mix histories; for this game use pns, pn2, pp, \
         pp2, minimax or a Monte-Carlo search such as score-bounded"
    )]
    Cyclic(&'static str),
    /// The search needs positions that it can tell from each other without their histories.
    #[error(
        "{0} leaves aside what was played before a position, which this game does not allow, or its positions are too large for \
         that; for this game use pns, pn2, pp, pp2, minimax or a Monte-Carlo search such as score-bounded"
    )]
    NoNumbers(&'static str),
    /// The search does not count plies in this game.
    #[error(
        "{0} does not count plies to the end of this game: retrograde does, and in games whose positions never repeat alphabeta, \
         dfpn, dfpp and minimax do"
    )]
    NoDistances(&'static str),
    /// The search needs something that the game does not offer.
    #[error("{setting} needs {what}, which this game does not offer: search without it")]
    NotOffered {
        /// The setting of the search.
        setting: &'static str,
        /// What the game would have to offer.
        what: &'static str,
    },
    /// The search needs a network that is not there.
    #[error("leaf=net: {0}")]
    Network(String),
    /// The search cannot continue from this file.
    #[error("checkpoint: {0}")]
    Checkpoint(checkpoint::Flaw),
}

// No `#[from]`: that would make the flaw the source as well, and programs that print sources would
// print it twice.
impl From<checkpoint::Flaw> for SearchError {
    fn from(flaw: checkpoint::Flaw) -> SearchError {
        SearchError::Checkpoint(flaw)
    }
}
