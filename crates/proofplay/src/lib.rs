//! Play and prove two-player games in which nothing is hidden and nothing is left to chance.
//!
//! Bring your own game by implementing [`Position`] and perhaps [`Game`] and check it with
//! [`conformance::check_position`], or use one of [`games`]; then run a search for a move or the
//! exact value. `examples/own_game.rs` is a whole game, solved, in under 70 lines.
//!
#![cfg_attr(feature = "games", doc = "```")]
#![cfg_attr(not(feature = "games"), doc = "```ignore")]
//! use proofplay::{Ask, Resources, Run, registry};
//! let pos = registry::game("connect4:4x4")?.start();
//! let mut search = pos.start_search(&"score-bounded".parse()?, Resources::default())?;
//! let report = search.run(Ask::Value, &mut Run::default())?;
//! assert_eq!(report.bounds.value(), Some(proofplay::Score::DRAW));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to do | use |
//! |---|---|
//! | describe a game | [`Position`], [`Game`], [`Facts`], [`Hints`] |
//! | have a game of one's own in a list of games | [`Family`], [`registry::Games::with`] |
//! | find out whether a game keeps its promises | [`conformance::check_position`]; with a [`Game`] [`conformance::check`] |
//! | find the exact value of a position | [`SearchSpec::solve`], e.g. of `alphabeta` |
//! | search with limits, follow a game, read the tree | [`SearchSpec::start`] and [`Search`] |
//! | find a good move at once, and a proof in time | a `SearchSpec` of `mcts`, or [`mcts::Mcts`] |
//! | write a proof down, check one | [`certify`], [`certificate::verify`] |
//! | let two searches play | [`play_game`] |
//! | plug in a formula, a reward, a rule of one's own | [`mcts::Custom`] |
//! | look a game up by its name | [`registry::game`] |
//! | count lines of play | [`perft()`] |
//!
//! # Features
//!
//! `games` (default) compiles all games of ours. With `default-features = false` there is none of them; `connect4`, `go` and so on bring
//! single ones, `registry` a list of games without any of ours. `serde` reads and writes scores, bounds, reports and specs.
#![forbid(unsafe_code)]

pub use proofplay_certificate as certificate;
pub use proofplay_certify::{Certified, Certify, CertifyError, certify};
pub use proofplay_core::{
    Bounds, Cell, Extras, Facts, Family, FamilyVisitor, Game, GameVisitor, Hints, Key, Line, Move, NoHints,
    Own, Player, Position, Rng, Score, TextError, View, cell_name, column_name, conformance, guard, minimax,
    mix, perft, zobrist,
};
pub use proofplay_search::proof::Goal;
pub use proofplay_search::{
    Ask, Halt, Limits, MoveReport, NoMove, NodeView, Observer, ProofNumbers, Report, Resources, Run, Saved,
    Search, SearchError, SearchKind, SearchSpec, SettingInfo, SpecError, Strategist, Tree, Verdict,
    from_scratch, play_game,
};

/// Monte-Carlo tree search with settings as values, policies and evaluations of one's own.
pub mod mcts {
    pub use proofplay_search::mcts::{
        Backup, Bonus, Config, Custom, Draw, Evaluator, Explore, FinalMove, FinalRule, Formula, Growth,
        Hybrids, Intervals, Leaf, Mcts, Playout, Proof, Request, Reward, RewardRule, Rewards, Seen,
        Selection, Simulation,
    };
}

/// Files from which a search continues.
pub mod checkpoint {
    pub use proofplay_search::checkpoint::{Checkpoint, Flaw, Head, In, Out, Spent, Written};
}

#[cfg(feature = "registry")]
pub use proofplay_games as games;
#[cfg(feature = "registry")]
pub use proofplay_registry as registry;
