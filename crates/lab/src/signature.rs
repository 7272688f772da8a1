//! Numbers that change only when behaviour does.

use crate::LabError;
use proofplay_core::{Rng, TextError, splitmix64};
use proofplay_registry::DynPosition;
use proofplay_search::{Limits, SearchSpec};

/// Searched positions per game.
pub const SEARCHED: u64 = 3;
/// Moves before the end of a random game, and the limits of each search. A search that
/// samples may never need so many nodes.
const MOVES_BEFORE_END: usize = 14;
const NODES: u64 = 20_000;
const SIMULATIONS: u64 = 5_000;
const MEMORY: usize = 1 << 24;
/// Random games that go into the signature.
const PLAYOUTS: u64 = 500;
/// A random game that goes on for so long is long enough.
const LONGEST: usize = 2_000;

/// Many numbers folded into one.
#[derive(Copy, Clone, Debug, Default)]
pub struct Fold(pub u64);

impl Fold {
    /// Folds in one more.
    pub fn add(&mut self, number: u64) {
        let mut state = self.0 ^ number;
        self.0 = splitmix64(&mut state);
    }

    /// Eight digits.
    pub fn text(&self) -> String {
        format!("{:08x}", self.0 >> 32)
    }
}

/// How a game and some searches of it behave, as eight digits.
pub fn signature(start: &dyn DynPosition, specs: &[&SearchSpec]) -> Result<String, LabError> {
    let mut fold = Fold::default();
    let (scores, plies) = start.playouts(PLAYOUTS, &mut Rng::from_parts(&[1]));
    fold.add(scores as u64);
    fold.add(plies);
    for number in 0..SEARCHED {
        let pos = late_position(start, number)?;
        for spec in specs {
            fold_search(pos.as_ref(), spec, &mut fold);
        }
    }
    Ok(fold.text())
}

/// Folds in what a search finds; gives the nodes it needed. A search that cannot play this game leaves no trace.
pub fn fold_search(pos: &dyn DynPosition, spec: &SearchSpec, fold: &mut Fold) -> u64 {
    let mut spec = spec.clone();
    if let SearchSpec::Mcts(config) = &mut spec {
        (config.threads, config.playouts) = (0, 0);
    }
    let limits =
        Limits { nodes: Some(NODES), playouts: Some(SIMULATIONS), memory: MEMORY, ..Limits::default() };
    let Ok(report) = pos.search(&spec, &limits, false, &mut |_| ()) else { return 0 };
    let (pess, opti) = (report.bounds.pess.0, report.bounds.opti.0);
    for part in [report.nodes, report.playouts, pess as u64, opti as u64] {
        fold.add(part);
    }
    report.nodes
}

/// A position shortly before the end of a random game.
pub fn late_position(start: &dyn DynPosition, number: u64) -> Result<Box<dyn DynPosition>, TextError> {
    let rng = &mut Rng::from_parts(&[3, number]);
    let mut line = vec![start.boxed()];
    while line.len() < LONGEST {
        let mut next = line[line.len() - 1].boxed();
        let legal = next.legal();
        if legal.is_empty() {
            break;
        }
        next.play(&legal[rng.below(legal.len() as u32) as usize])?;
        line.push(next);
    }
    let at = line.len().saturating_sub(MOVES_BEFORE_END + 1);
    Ok(line.swap_remove(at))
}
