//! A strategy for one side, move by move: what a certificate is written from.

use crate::alphabeta::{self, Prover};
use crate::limits::Watch;
use crate::proof::{self, Budget, Ended, Goal, Info, Numbers, PnDn, Pp, Status, Store};
use crate::{Limits, SearchSpec};
use proofplay_core::{Knowledge, Position};

/// Why a strategist names no move.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoMove {
    /// A limit was reached, or somebody stopped it.
    #[error("the budget ran out")]
    Limit,
    /// The search has no memory left.
    #[error("the search needs more memory")]
    Memory,
    /// No move reaches the goal.
    #[error("no move reaches the goal")]
    Unproven,
}

/// Somebody who can reach a goal from every position of a strategy, not only from its root.
pub trait Strategist<P: Position> {
    /// Appends moves of the goal's player, who is to move, after which the goal can still be reached: at least one, and
    /// others if that needs no search.
    fn choose(&mut self, pos: &P, goal: Goal, good: &mut Vec<P::Move>) -> Result<(), NoMove>;
}

impl SearchSpec {
    /// A strategist that searches as this search does where it can: a proof search with its own settings, all others by
    /// alpha-beta, or by proof numbers on a tree where positions can repeat. It keeps what it has learnt.
    pub fn strategist<'a, P: Position>(
        &self,
        pos: &P,
        knowledge: &'a dyn Knowledge<P>,
        limits: &Limits,
    ) -> Box<dyn Strategist<P> + 'a> {
        let config = match self {
            SearchSpec::Proof(config) => *config,
            SearchSpec::AlphaBeta(config) if P::ACYCLIC => {
                return Box::new(Prover::new(pos, *config, limits));
            }
            _ if P::ACYCLIC => return Box::new(Prover::new(pos, alphabeta::Config::default(), limits)),
            _ => proof::Config {
                numbers: Numbers::Pn,
                store: Store::Tree,
                init: proof::Init::Mobility,
                knowledge: true,
            },
        };
        let budget = Budget { watch: Watch::new(limits), nodes: 0 };
        match config.numbers {
            Numbers::Pn => Box::new(ByProof::<P, PnDn> { config, knowledge, budget, search: None }),
            Numbers::Pp => Box::new(ByProof::<P, Pp> { config, knowledge, budget, search: None }),
        }
    }
}

/// Asks a best-first search.
struct ByProof<'a, P: Position, I: Info> {
    config: proof::Config,
    knowledge: &'a dyn Knowledge<P>,
    budget: Budget,
    /// The search for goals of one player, from the first question on.
    search: Option<proof::BestFirst<'a, P, I>>,
}

impl<P: Position, I: Info> ByProof<'_, P, I> {
    /// Whether the goal can be reached.
    fn proves(&mut self, pos: &P, goal: Goal) -> Result<bool, NoMove> {
        let search = self.search.as_mut().expect("made by the first question");
        search.start(pos, goal);
        match search.run(u64::MAX, &mut self.budget, &mut |_, _| ()) {
            Ended::Solved => Ok(search.status() == Status::Proven),
            Ended::Memory => Err(NoMove::Memory),
            Ended::Limit | Ended::Enough => Err(NoMove::Limit),
        }
    }

    /// A move that keeps the goal.
    fn one(&mut self, pos: &P, goal: Goal) -> Result<P::Move, NoMove> {
        debug_assert_eq!(pos.turn(), goal.player);
        let same_goal = |search: &proof::BestFirst<P, I>| search.judge().goal() == goal;
        if !self.search.as_ref().is_some_and(same_goal) {
            let memory = self.budget.watch.limits().memory;
            self.search = Some(proof::search(self.config, self.knowledge, goal, memory));
        } else if let Some(mv) = self.search.as_mut().and_then(|search| search.proven_move(pos)) {
            return Ok(mv);
        }
        if !self.proves(pos, goal)? {
            return Err(NoMove::Unproven);
        }
        let search = self.search.as_mut().expect("it has just answered");
        if let Some(mv) = search.line().first() {
            return Ok(*mv);
        }
        // What showed the proof was given up for memory: look at the moves one by one.
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        for mv in moves {
            if self.proves(&pos.after(mv), goal)? {
                return Ok(mv);
            }
        }
        Err(NoMove::Unproven)
    }
}

impl<P: Position, I: Info> Strategist<P> for ByProof<'_, P, I> {
    fn choose(&mut self, pos: &P, goal: Goal, good: &mut Vec<P::Move>) -> Result<(), NoMove> {
        good.push(self.one(pos, goal)?);
        Ok(())
    }
}
