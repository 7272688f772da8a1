//! Numbers that change only when behaviour does.

use crate::LabError;
use proofplay_core::{Rng, TextError, splitmix64};
use proofplay_registry::DynPosition;
use proofplay_search::{Ask, Limits, Resources, Run, SearchSpec};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Searched positions per game.
pub const SEARCHED: u64 = 3;
/// Moves before the end of a random game, and the limits of each search. A search by simulations
/// may never need that many nodes.
const MOVES_BEFORE_END: usize = 14;
const NODES: u64 = 20_000;
const SIMULATIONS: u64 = 5_000;
/// Those that look ahead, if only by one move, and those that ask a network take far longer.
const FEW_SIMULATIONS: u64 = 20;
const MEMORY: usize = 1 << 24;
/// Random games that go into the signature.
const PLAYOUTS: u64 = 500;
/// Random games are cut off after this many moves.
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

    /// Folds in some more.
    pub fn add_all(&mut self, numbers: &[u64]) {
        numbers.iter().for_each(|&number| self.add(number));
    }

    /// Eight digits.
    pub fn text(&self) -> String {
        format!("{:08x}", self.0 >> 32)
    }
}

/// How a game and some searches of it behave, as eight digits.
pub fn signature(start: &dyn DynPosition, specs: &[&SearchSpec]) -> Result<String, LabError> {
    let mut fold = Fold::default();
    fold.add_all(&known(format!("{} {}", start.game_id(), start.text()), || {
        let (scores, plies) = start.playouts(PLAYOUTS, &mut Rng::from_parts(&[1]));
        Ok(vec![scores as u64, plies])
    })?);
    for number in 0..SEARCHED {
        for spec in specs {
            fold.add_all(&known(format!("{} {} {number} {spec}", start.game_id(), start.text()), || {
                Ok(search(late_position(start, number)?.as_ref(), spec))
            })?);
        }
    }
    Ok(fold.text())
}

/// Numbers that do not change while the program runs, found once: a tournament uses those of each
/// player many times.
fn known(what: String, find: impl FnOnce() -> Result<Vec<u64>, TextError>) -> Result<Vec<u64>, TextError> {
    static KNOWN: Mutex<BTreeMap<String, Vec<u64>>> = Mutex::new(BTreeMap::new());
    let found = || KNOWN.lock().expect("no thread panics while it looks");
    if let Some(numbers) = found().get(&what) {
        return Ok(numbers.clone());
    }
    let numbers = find()?;
    found().insert(what, numbers.clone());
    Ok(numbers)
}

/// Folds in what a search finds; returns the nodes it needed. A search that refuses the game adds
/// nothing.
pub fn fold_search(pos: &dyn DynPosition, spec: &SearchSpec, fold: &mut Fold) -> u64 {
    let numbers = search(pos, spec);
    fold.add_all(&numbers);
    numbers.first().copied().unwrap_or(0)
}

/// Nodes, simulations and bounds of a search; nothing if it refuses the game.
fn search(pos: &dyn DynPosition, spec: &SearchSpec) -> Vec<u64> {
    let (mut spec, mut simulations) = (spec.clone(), SIMULATIONS);
    let asks_network = spec.network().is_some();
    if let SearchSpec::Mcts(config) = &mut spec {
        (config.threads, config.playouts) = (0, 0);
        if config.look_ahead_at_most(1) || asks_network {
            simulations = FEW_SIMULATIONS;
        }
    }
    let resources = Resources { memory: MEMORY, ..Resources::default() };
    let limits = Limits { nodes: Some(NODES), simulations: Some(simulations), ..Limits::default() };
    let Ok(report) = pos.search(&spec, resources, Ask::Value, &mut Run::new(limits)) else {
        return Vec::new();
    };
    let (pess, opti) = (report.bounds.pess.0, report.bounds.opti.0);
    vec![report.nodes, report.simulations, pess as u64, opti as u64]
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

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_registry::game;

    /// What is remembered of other players and games changes nothing.
    #[test]
    fn a_signature_is_a_fold_of_everything() {
        let specs: Vec<SearchSpec> =
            ["mcts", "mcts:c=2", "alphabeta"].map(|text| text.parse().unwrap()).into();
        for name in ["tictactoe", "connect4:4x4", "tictactoe"] {
            let start = game(name).unwrap().start();
            for two in [[&specs[0], &specs[1]], [&specs[1], &specs[0]], [&specs[2], &specs[0]]] {
                let mut fold = Fold::default();
                let (scores, plies) = start.playouts(PLAYOUTS, &mut Rng::from_parts(&[1]));
                fold.add_all(&[scores as u64, plies]);
                for number in 0..SEARCHED {
                    let pos = late_position(start.as_ref(), number).unwrap();
                    two.iter().for_each(|spec| {
                        fold_search(pos.as_ref(), spec, &mut fold);
                    });
                }
                assert_eq!(signature(start.as_ref(), &two).unwrap(), fold.text(), "{name} {two:?}");
            }
        }
    }
}
