//! The same position solved again and again, each time with another seed.

use crate::{LabError, Study, plan, signature};
use proofplay_core::Line;
use proofplay_front::job::Job;
use proofplay_registry::{DynPosition, game, reach};
use proofplay_search::{Ask, Limits, Report, Resources, Run, SearchSpec};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// Solving a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Solve {
    /// The game and what leads to the position.
    #[serde(flatten, with = "plan::LineFields")]
    pub line: Line,
    /// The search.
    #[serde(rename = "algorithm", with = "plan::text")]
    pub spec: SearchSpec,
    /// Whether the value of every move is asked for.
    pub all_moves: bool,
    /// Whether the plies to the end of the game are asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shortest: bool,
    /// The limit of simulations.
    pub playouts: Option<u64>,
    /// The limit of nodes.
    pub nodes: Option<u64>,
    /// The limit of time.
    #[serde(rename = "time_s", with = "plan::seconds")]
    pub time: Option<Duration>,
    /// Bytes for the tree or table.
    pub memory: usize,
    /// Threads of each search.
    pub threads: usize,
    /// The seed of the first trial; those that follow are for the others.
    pub seed: u64,
}

/// The result of a solve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Solved {
    /// The value is at least this for the first player.
    pub pess: i16,
    /// The value is at most this.
    pub opti: i16,
    /// Simulations.
    pub playouts: u64,
    /// Nodes.
    pub nodes: u64,
    /// Expansions of a best-first search.
    pub expansions: u64,
    /// Nodes of its first level.
    pub main_nodes: u64,
    /// Each move with the simulations through it and what is certain about it, in the order of the
    /// moves' texts.
    pub moves: Vec<(String, u64, i16, i16)>,
    /// In how many plies the game ends, if that was asked and is proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
}

impl Solved {
    /// What a report says; `None` if the user stopped the search before its end, since then it does
    /// not show how long the search takes.
    pub fn of(report: &Report<String>, stop: &AtomicBool) -> Option<Solved> {
        let (pess, opti) = (report.bounds.pess.0, report.bounds.opti.0);
        let mut moves: Vec<_> =
            report.moves.iter().map(|m| (m.mv.clone(), m.visits, m.bounds.pess.0, m.bounds.opti.0)).collect();
        moves.sort();
        let ended = pess == opti || !stop.load(SeqCst);
        ended.then_some(Solved {
            pess,
            opti,
            playouts: report.simulations,
            nodes: report.nodes,
            expansions: report.expansions,
            main_nodes: report.main_nodes,
            moves,
            plies: report.plies,
        })
    }

    /// `first`, `second` or `draw`: who wins with best play, where that is proven.
    pub fn winner(&self) -> Option<&'static str> {
        match (self.pess, self.opti) {
            (1.., _) => Some("first"),
            (_, ..0) => Some("second"),
            (0, 0) => Some("draw"),
            _ => None,
        }
    }

    /// Whether the value is known.
    pub fn is_exact(&self) -> bool {
        self.pess == self.opti
    }
}

impl Solve {
    /// Solving the start of a game on one thread, with no limit except memory.
    pub fn new(game: &str, spec: SearchSpec, memory: usize) -> Solve {
        Solve {
            line: Line::start(game),
            spec,
            all_moves: false,
            shortest: false,
            playouts: None,
            nodes: None,
            time: None,
            memory,
            threads: 1,
            seed: 1,
        }
    }

    /// The study of which this job is the only trial.
    pub fn of_job(job: &Job) -> Solve {
        Solve {
            line: job.line.clone(),
            spec: job.spec.clone(),
            all_moves: job.ask.all_moves(),
            shortest: job.ask.distances(),
            playouts: job.limits.simulations,
            nodes: job.limits.nodes,
            time: job.limits.time,
            memory: job.resources.memory,
            threads: job.resources.threads,
            seed: job.resources.seed,
        }
    }

    /// Where the search begins.
    pub fn start(&self) -> Result<Box<dyn DynPosition>, LabError> {
        Ok(reach(&self.line)?)
    }
}

impl Study for Solve {
    type Outcome = Solved;
    const KIND: &'static str = "solve";

    fn signature(&self) -> Result<String, LabError> {
        signature(game(&self.line.game)?.start().as_ref(), &[&self.spec])
    }

    fn trial(&self, number: u32, stop: &Arc<AtomicBool>) -> Result<Option<Solved>, LabError> {
        let seed = self.seed.wrapping_add(u64::from(number));
        let resources = Resources { memory: self.memory, threads: self.threads, seed };
        let (simulations, nodes, time) = (self.playouts, self.nodes, self.time);
        let mut run = Run::new(Limits { simulations, nodes, time, clock: None }).stopped_by(stop);
        let mut ask = if self.all_moves { Ask::AllMoves } else { Ask::Value };
        if self.shortest {
            ask = ask.with_distances();
        }
        let report = self.start()?.search(&self.spec, resources, ask, &mut run)?;
        Ok(Solved::of(&report, stop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, run};
    use std::path::Path;

    #[test]
    fn seeds_differ_and_values_agree() {
        let study = Solve::new("tictactoe", "score-bounded".parse().unwrap(), 1 << 24);
        let study = Solve { line: Line::start("tictactoe").then("b2"), ..study };
        let store = Store::open(Path::new(":memory:")).unwrap();
        let solved = run(&study, 4, 2, &store, &Arc::default(), &mut |_| false).unwrap();
        assert!(solved.iter().all(|(_, solved, _)| (solved.pess, solved.opti) == (0, 0)));
        let playouts: std::collections::BTreeSet<u64> = solved.iter().map(|(_, s, _)| s.playouts).collect();
        assert!(playouts.len() > 2, "{playouts:?}");
        assert_eq!((solved[0].1.winner(), solved[0].1.plies), (Some("draw"), None));
        // X wins at once with c3.
        let won = Solve {
            line: study.line.clone().then("a2").then("a1").then("b1"),
            shortest: true,
            ..study.clone()
        };
        let won = Solve { spec: "alphabeta".parse().unwrap(), ..won };
        let trial = won.trial(0, &Arc::default()).unwrap().unwrap();
        assert_eq!((trial.winner(), trial.plies), (Some("first"), Some(1)));
        let unsolved = Solve { playouts: Some(10), ..study };
        let trial = unsolved.trial(0, &Arc::default()).unwrap().unwrap();
        assert!(!trial.is_exact() && trial.playouts == 10 && trial.moves.len() == 8);
    }
}
