//! What is guessed about positions and moves.

use crate::{Facts, Player, Position, Rng, Score};
use std::fmt;
use std::sync::Arc;

/// What is guessed: an evaluation, learned categories, a network. None of it is a proof; every
/// method has a neutral default.
pub trait Hints<P: Position>: Send + Sync {
    /// A guess of the value in the view of `First`, in [-1, 1].
    fn value(&self, pos: &P) -> f32 {
        let _ = pos;
        0.0
    }

    /// How likely each move is to be the best one, as positive numbers that searches divide by
    /// their sum; `out` has the length of `moves` and comes filled with 1. By default
    /// [`Hints::weights`].
    fn priors(&self, pos: &P, moves: &[P::Move], out: &mut [f32]) {
        self.weights(pos, moves, out);
    }

    /// Fills in what to try first, larger is better, and returns true; or returns false without an
    /// opinion. `out` has the length of `moves`.
    fn order(&self, pos: &P, moves: &[P::Move], out: &mut [u8]) -> bool {
        let _ = (pos, moves, out);
        false
    }

    /// How often a playout should take each move; `out` has the length of `moves` and comes filled
    /// with 1.
    fn weights(&self, pos: &P, moves: &[P::Move], out: &mut [f32]) {
        let _ = (pos, moves, out);
    }

    /// The names of its playout policies, besides the uniform [`Position::playout`].
    fn policies(&self) -> &'static [&'static str] {
        &[]
    }

    /// The policy, one of [`Hints::policies`], that a search takes by default; `None` for uniform
    /// playouts.
    fn usual_policy(&self) -> Option<&'static str> {
        None
    }

    /// Plays to the end of the game by one of [`Hints::policies`] and returns the score; `trace` is
    /// called with every move.
    fn playout(
        &self,
        policy: &'static str,
        pos: &mut P,
        rng: &mut Rng,
        buf: &mut Vec<P::Move>,
        trace: Option<&mut dyn FnMut(Player, P::Move)>,
    ) -> Score {
        let _ = policy;
        match trace {
            Some(trace) => pos.playout(rng, buf, &mut |player, mv| trace(player, mv)),
            None => pos.playout(rng, buf, &mut |_, _| ()),
        }
    }

    /// The category of each move; `proofplay learn` counts how often moves of each are played.
    /// `out` has the length of `moves` and comes filled with 0.
    fn categories(&self, pos: &P, moves: &[P::Move], out: &mut [u32]) {
        let _ = (pos, moves, out);
    }

    /// The name of a category, numbered from 0; `None` if there is no such category.
    fn category_name(&self, category: u32) -> Option<String> {
        let _ = category;
        None
    }

    /// The file of the network that gives value and priors; `None` without one.
    fn network(&self) -> Option<&str> {
        None
    }

    /// How convincing the win at a finished position is, in the winner's view, in (0, 1).
    fn quality(&self, end: &P) -> f32 {
        let _ = end;
        0.5
    }
}

/// Guesses nothing.
#[derive(Copy, Clone, Debug)]
pub struct NoHints;

impl<P: Position> Hints<P> for NoHints {}

/// What a game offers to a search beyond its rules.
pub struct Extras<P: Position> {
    /// What is certain; `None` if nothing is.
    pub facts: Option<Arc<dyn Facts<P>>>,
    /// What is guessed.
    pub hints: Arc<dyn Hints<P>>,
}

impl<P: Position> Extras<P> {
    /// Nothing but the rules.
    pub fn none() -> Extras<P> {
        Extras { facts: None, hints: Arc::new(NoHints) }
    }
}

impl<P: Position> Clone for Extras<P> {
    fn clone(&self) -> Extras<P> {
        Extras { facts: self.facts.clone(), hints: Arc::clone(&self.hints) }
    }
}

impl<P: Position> fmt::Debug for Extras<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extras").field("facts", &self.facts.is_some()).finish_non_exhaustive()
    }
}
