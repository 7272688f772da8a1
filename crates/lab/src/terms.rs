//! What a referee needs to know besides the rules of the game and what players may use.

use crate::{Pace, plan};
use proofplay_front::resign::Resignation;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// The terms of a match. What is as usual is not written, so that plans without it are what they always
/// were.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Terms {
    /// What B may use, if not the same as A.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b_pace: Option<Pace>,
    /// By how much more than its time in a game a foreign program loses; a second if nothing is said.
    #[serde(
        rename = "time_margin_s",
        default,
        skip_serializing_if = "Option::is_none",
        with = "plan::seconds"
    )]
    pub time_margin: Option<Duration>,
    /// When our searches resign; never if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resignation>,
    /// Whether a proof by the search that is to move ends a game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ended_by_proof: bool,
    /// How long a foreign program may take to start; a minute if nothing is said. It is no part of the
    /// plan.
    #[serde(skip)]
    pub start_up: Option<Duration>,
    /// Where certificates of such proofs are written, no part of the plan.
    #[serde(skip)]
    pub certificates: Option<PathBuf>,
}

impl Terms {
    /// The margin of foreign programs, if nothing else is said.
    pub const MARGIN: Duration = Duration::from_secs(1);

    /// How long foreign programs may take to start, if nothing else is said.
    pub const START_UP: Duration = Duration::from_secs(60);

    /// How long foreign programs may take to start.
    pub fn start_up(&self) -> Duration {
        self.start_up.unwrap_or(Terms::START_UP)
    }

    /// The margin of foreign programs.
    pub fn margin(&self) -> Duration {
        self.time_margin.unwrap_or(Terms::MARGIN)
    }
}
