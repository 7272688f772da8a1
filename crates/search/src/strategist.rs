//! A strategy for one side, move by move: what a certificate is written from.

use crate::distance::Scoring;
use crate::proof::{self, Goal, PnDn};
use crate::{Limits, Resources, alphabeta};
use proofplay_core::{Extras, Position};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Why a strategist names no move.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoMove {
    /// A limit was reached, or the stop flag was set.
    #[error("the budget ran out")]
    Limit,
    /// The search has no memory left.
    #[error("the search needs more memory")]
    Memory,
    /// No move reaches the goal.
    #[error("no move reaches the goal")]
    Unproven,
    /// The goal is about plies, which this search does not count.
    #[error("the search for its moves does not count plies in this game")]
    NoPlies,
}

/// Finds moves that reach a goal from every position of a strategy, not only from its root.
pub trait Strategist<P: Position> {
    /// The search that finds the moves.
    fn name(&self) -> &'static str;

    /// Appends moves of the goal's player, who is to move, after which the goal can still be
    /// reached: at least one, and others if that needs no search. Ends of the game have the scores
    /// of `scoring`, and so has the goal.
    fn choose(
        &mut self,
        pos: &P,
        goal: Goal,
        scoring: Scoring,
        good: &mut Vec<P::Move>,
    ) -> Result<(), NoMove>;
}

impl<P: Position, S: Strategist<P>> Strategist<P> for &mut S {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn choose(
        &mut self,
        pos: &P,
        goal: Goal,
        scoring: Scoring,
        good: &mut Vec<P::Move>,
    ) -> Result<(), NoMove> {
        (**self).choose(pos, goal, scoring, good)
    }
}

/// A strategist for searches that remember no strategy, or not all of it: alpha-beta, or proof
/// numbers on a tree where positions can repeat.
pub fn from_scratch<P: Position>(
    pos: &P,
    extras: &Extras<P>,
    memory: usize,
    limits: Limits,
    stop: &Arc<AtomicBool>,
) -> Box<dyn Strategist<P>> {
    let resources = Resources { memory, ..Resources::default() };
    match alphabeta::solver(pos, alphabeta::Config::default(), extras.clone(), resources) {
        Ok(solver) => solver.into_strategist(limits, stop),
        Err(_) => {
            let config = proof::Config { facts: true, ..proof::Config::PNS };
            let solver = proof::ByGoals::<P, PnDn>::solver(pos, config, extras.clone(), memory);
            solver.into_strategist(limits, stop)
        }
    }
}
