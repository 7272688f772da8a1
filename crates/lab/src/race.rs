//! Several searches on the same many positions: who solves them, how fast, and who finds the right move.

use crate::system::used;
use crate::{LabError, Openings, Study, signature};
use proofplay_core::Player;
use proofplay_registry::{DynPosition, game};
use proofplay_search::{Ask, Limits, Resources, Run, SearchSpec};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// A race.
#[derive(Clone, PartialEq, Debug)]
pub struct Race {
    /// The game with its parameters.
    pub game: String,
    /// Where the positions come from.
    pub positions: Positions,
    /// Who takes part.
    pub contestants: Vec<Contestant>,
    /// At most so much time of a processor for each search.
    pub time: Option<Duration>,
    /// Bytes for each search.
    pub memory: usize,
}

/// Where positions come from.
#[derive(Clone, PartialEq, Debug)]
pub enum Positions {
    /// After so many random moves, by this seed.
    Random(u32, u64),
    /// A list, from its beginning again when it ends: the seeds of the searches differ.
    Listed(Vec<String>),
}

/// One who takes part.
#[derive(Clone, PartialEq, Debug)]
pub struct Contestant {
    /// How it searches.
    pub spec: SearchSpec,
    /// At most so many simulations.
    pub playouts: Option<u64>,
}

/// What a search has done on a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Raced {
    /// What is certain for the player to move: at least so much,
    pub pess: i16,
    /// and at most so much.
    pub opti: i16,
    /// Simulations, or expansions of a best-first search.
    pub iterations: u64,
    /// Nodes.
    #[serde(default)]
    pub nodes: u64,
    /// Time of the processor, so that a busy machine changes little.
    pub seconds: f64,
    /// The move it would play.
    pub best: String,
    /// What it thinks of that move, for the player to move: from -1 to 1.
    pub mean: f64,
}

impl Raced {
    /// Whether the value is known.
    pub fn is_solved(&self) -> bool {
        self.pess == self.opti
    }
}

impl Race {
    /// A position.
    pub fn position(&self, number: u32) -> Result<Box<dyn DynPosition>, LabError> {
        let game = game(&self.game)?;
        match &self.positions {
            Positions::Listed(texts) => Ok(game.parse(&texts[number as usize % texts.len()])?),
            Positions::Random(plies, seed) => {
                let mut pos = game.start();
                let line = Openings::Random(*plies).of(pos.as_ref(), *seed, number)?;
                line.iter().try_for_each(|mv| pos.play(mv))?;
                Ok(pos)
            }
        }
    }
}

impl Study for Race {
    type Outcome = Vec<Raced>;
    const KIND: &'static str = "race";

    fn plan(&self) -> serde_json::Value {
        let positions = match &self.positions {
            Positions::Random(plies, seed) => serde_json::json!({ "random": plies, "seed": seed }),
            Positions::Listed(texts) => serde_json::json!(texts),
        };
        let contestant = |c: &Contestant| serde_json::json!([c.spec.to_string(), c.playouts]);
        serde_json::json!({
            "game": self.game,
            "positions": positions,
            "contestants": self.contestants.iter().map(contestant).collect::<Vec<_>>(),
            "processor_s": self.time.map(|time| time.as_secs_f64()),
            "memory": self.memory,
        })
    }

    fn signature(&self) -> Result<String, LabError> {
        let specs: Vec<_> = self.contestants.iter().map(|contestant| &contestant.spec).collect();
        signature(game(&self.game)?.start().as_ref(), &specs)
    }

    fn trial(&self, number: u32, stop: &Arc<AtomicBool>) -> Result<Option<Vec<Raced>>, LabError> {
        let pos = self.position(number)?;
        let sign = if pos.turn() == Player::First { 1.0 } else { -1.0 };
        let mut runs = Vec::new();
        for contestant in &self.contestants {
            let resources =
                Resources { memory: self.memory, seed: u64::from(number) + 1, ..Resources::default() };
            let (simulations, time, clock) = (contestant.playouts, self.time, Some(used as fn() -> Duration));
            let mut run = Run::new(Limits { simulations, time, clock, nodes: None }).stopped_by(stop);
            let before = used();
            let report = pos.search(&contestant.spec, resources, Ask::Value, &mut run)?;
            let seconds = (used() - before).as_secs_f64();
            if stop.load(SeqCst) {
                return Ok(None);
            }
            let own = report.bounds.seen_by(pos.turn());
            let best = report.best.unwrap_or_default();
            let mean =
                report.moves.iter().find(|m| m.mv == best).map_or(0.0, |m| m.mean.unwrap_or(0.0) * sign);
            let iterations = report.simulations.max(report.expansions);
            let (pess, opti, nodes) = (own.pess.0, own.opti.0, report.nodes);
            runs.push(Raced { pess, opti, iterations, nodes, seconds, best, mean });
        }
        Ok(Some(runs))
    }
}
