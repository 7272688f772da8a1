//! Several searches on the same positions: which solve them, how fast, and which find the right
//! move.

use crate::system::used;
use crate::{LabError, Openings, Study, plan, signature};
use proofplay_core::Player;
use proofplay_registry::{DynPosition, game};
use proofplay_search::{Ask, Limits, Resources, Run, SearchSpec, SpecError};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// A race.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Race {
    /// The game with its parameters.
    pub game: String,
    /// Where the positions come from.
    pub positions: Positions,
    /// The searches that take part.
    pub contestants: Vec<Contestant>,
    /// The limit of processor time for each search.
    #[serde(rename = "processor_s", with = "plan::seconds")]
    pub time: Option<Duration>,
    /// Bytes for each search.
    pub memory: usize,
}

/// Where positions come from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Positions {
    /// After random moves.
    Random {
        /// How many.
        #[serde(rename = "random")]
        plies: u32,
        /// Their seed.
        seed: u64,
    },
    /// A list, used again from its beginning with other seeds of the searches.
    Listed(Vec<String>),
}

/// A search that takes part.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "(String, Option<u64>)", try_from = "(String, Option<u64>)")]
pub struct Contestant {
    /// How it searches.
    pub spec: SearchSpec,
    /// The limit of simulations.
    pub playouts: Option<u64>,
}

/// What a search has done on a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Raced {
    /// The value is at least this, for the player to move.
    pub pess: i16,
    /// The value is at most this.
    pub opti: i16,
    /// Simulations, or expansions of a best-first search.
    pub iterations: u64,
    /// Nodes.
    #[serde(default)]
    pub nodes: u64,
    /// Processor time, so that a busy machine changes little.
    pub seconds: f64,
    /// The move it would play.
    pub best: String,
    /// Its estimate of that move for the player to move, from -1 to 1.
    pub mean: f64,
}

impl Raced {
    /// Whether the value is known.
    pub fn is_solved(&self) -> bool {
        self.pess == self.opti
    }
}

impl From<Contestant> for (String, Option<u64>) {
    fn from(one: Contestant) -> (String, Option<u64>) {
        (one.spec.to_string(), one.playouts)
    }
}

impl TryFrom<(String, Option<u64>)> for Contestant {
    type Error = SpecError;

    fn try_from((spec, playouts): (String, Option<u64>)) -> Result<Contestant, SpecError> {
        Ok(Contestant { spec: spec.parse()?, playouts })
    }
}

impl Race {
    /// A position.
    pub fn position(&self, number: u32) -> Result<Box<dyn DynPosition>, LabError> {
        let game = game(&self.game)?;
        match &self.positions {
            Positions::Listed(texts) => Ok(game.parse(&texts[number as usize % texts.len()])?),
            Positions::Random { plies, seed } => {
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

    fn signature(&self) -> Result<String, LabError> {
        let specs: Vec<_> = self.contestants.iter().map(|contestant| &contestant.spec).collect();
        signature(game(&self.game)?.start().as_ref(), &specs)
    }

    fn trial(&self, number: u32, stop: &Arc<AtomicBool>) -> Result<Option<Vec<Raced>>, LabError> {
        self.trial_by(used, number, stop)
    }
}

impl Race {
    /// A trial whose searches are timed by this clock.
    fn trial_by(
        &self,
        clock: fn() -> Duration,
        number: u32,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Vec<Raced>>, LabError> {
        let pos = self.position(number)?;
        let sign = if pos.turn() == Player::First { 1.0 } else { -1.0 };
        let mut runs = Vec::new();
        for contestant in &self.contestants {
            let resources =
                Resources { memory: self.memory, seed: u64::from(number) + 1, ..Resources::default() };
            let (simulations, time) = (contestant.playouts, self.time);
            let limits = Limits { simulations, time, clock: Some(clock), nodes: None };
            let mut run = Run::new(limits).stopped_by(stop);
            let before = clock();
            let report = pos.search(&contestant.spec, resources, Ask::Value, &mut run)?;
            let seconds = (clock() - before).as_secs_f64();
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local!(static LOOKS: Cell<u32> = const { Cell::new(0) });

    /// A clock that advances by a millisecond each time it is read.
    fn stepwise() -> Duration {
        LOOKS.set(LOOKS.get() + 1);
        Duration::from_millis(LOOKS.get().into())
    }

    /// The limit is on the race's own clock, whatever time has passed on the wall.
    #[test]
    fn races_are_timed_by_their_clock() {
        let contestant = |spec: &str| Contestant { spec: spec.parse().unwrap(), playouts: None };
        let race = Race {
            game: "y:11".to_owned(),
            positions: Positions::Random { plies: 4, seed: 1 },
            contestants: ["pp:init=eval", "mcts:c=0.4"].map(contestant).to_vec(),
            time: Some(Duration::from_millis(60)),
            memory: 1 << 26,
        };
        let runs = || race.trial_by(stepwise, 0, &Arc::default()).unwrap().unwrap();
        let (once, again) = (runs(), runs());
        assert!(once.iter().all(|run| !run.is_solved() && run.iterations > 0), "{once:?}");
        assert!(once.iter().all(|run| (0.06..0.1).contains(&run.seconds)), "{once:?}");
        assert_eq!(once, again);
    }

    /// The clock of real races counts what this thread does, not what others do meanwhile.
    #[cfg(unix)]
    #[test]
    fn the_clock_is_the_threads_own() {
        let (before, much) = (used(), Duration::from_millis(50));
        let other = std::thread::spawn(move || {
            let began = used();
            while used() - began < much {
                std::hint::spin_loop();
            }
        });
        other.join().unwrap();
        assert!(used() - before < much, "waiting is free");
    }
}
