//! A game that was played, judged move by move.
//!
//! Every position of the game gets what is certain about its value and, where that is not exact, an estimate
//! (`search.rs`). A move is judged by what the game was worth before and after it, in the view of the player who made it:
//!
//! ```text
//! proven fall       worst before - best after, where that is above 0: somebody has given something away
//! estimated fall    estimate before - estimate after; where one value is proven, only how far the estimate of the other
//!                   is on the wrong side of a draw: a win that is estimated at 0.4 is still a win
//! mistake           a proven fall, or an estimated one of more than a threshold
//! turning point     a proven fall to another result (win, draw, loss), or an estimated one of more than the threshold
//! ```
//!
//! No move gains value, so a rise is the noise of estimates and counts as no fall. A move that the estimating search would
//! make, too, is no mistake by its estimate: the search has only learned more after it.

mod search;
mod text;

pub use search::{Plan, ReviewError, USUAL_TIME, review};
pub use text::{annotated_sgf, sentence, summary, table};

use proofplay_core::{Bounds, Player};
use proofplay_search::Verdict;

/// An estimate that falls by more is a mistake and a turning point, where the result is all that counts: 15 percentage points
/// between a loss (-1) and a win (+1). Untuned.
pub const FALL: f64 = 0.3;
/// The same where points count. Untuned.
pub const FALL_IN_POINTS: f64 = 5.0;

/// What a position is worth, in the view of the player whose move is judged.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Worth {
    /// What is certain.
    pub bounds: Bounds,
    /// What a search guesses, within these bounds; `None` if it has not looked.
    pub estimate: Option<f64>,
}

impl Worth {
    /// Whether the value is known.
    pub fn is_proven(self) -> bool {
        self.bounds.is_exact()
    }

    /// The value if it is known, else the estimate.
    pub fn points(self) -> Option<f64> {
        self.bounds.value().map(|value| f64::from(value.0)).or(self.estimate)
    }

    /// The result, as far as it is certain.
    pub fn verdict(self) -> Verdict {
        // The bounds are in the view of the player already.
        Verdict::of(self.bounds, Player::First)
    }
}

/// On what a judgement rests.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Basis {
    /// On proofs alone.
    Proof,
    /// A proven value is compared with an estimate.
    Mixed,
    /// On estimates.
    Estimate,
}

/// A move that the player should have made, or perhaps should have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Better {
    /// The move.
    pub mv: String,
    /// Whether it is proven to be worth more than the move that was made.
    pub proven: bool,
}

/// A move that was made, and what it was worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// From 1.
    pub ply: usize,
    /// Who made it.
    pub mover: Player,
    /// The move.
    pub mv: String,
    /// What the game was worth to them before it.
    pub before: Worth,
    /// The same after it.
    pub after: Worth,
    /// On what the rest is based; `None` if too little is known.
    pub basis: Option<Basis>,
    /// How much it has cost: 0 for a good move.
    pub loss: Option<f64>,
    /// It has cost something that counts.
    pub mistake: bool,
    /// It has changed the result, or the estimate by a lot.
    pub turning_point: bool,
    /// After a mistake, a better move if one is known.
    pub better: Option<Better>,
    /// After a mistake, how it is refuted: the best line of play known from there.
    pub refutation: Vec<String>,
}

/// A game, judged.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// The game with its parameters.
    pub game: String,
    /// What the players are called.
    pub sides: [String; 2],
    /// More than win, draw and loss is at stake.
    pub has_points: bool,
    /// The moves in their order.
    pub moves: Vec<Judged>,
    /// Nobody has stopped it.
    pub done: bool,
}

/// How a player has played.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// The moves of the player.
    pub moves: usize,
    /// Those that are judged by proofs alone.
    pub proven: usize,
    /// Those that are judged by an estimate, or by one and a proof.
    pub estimated: usize,
    /// Mistakes.
    pub mistakes: usize,
    /// Turning points.
    pub turning_points: usize,
    /// What a move that is judged has cost on average; `None` without any.
    pub average_loss: Option<f64>,
}

impl Review {
    /// How a player has played.
    pub fn of(&self, player: Player) -> Summary {
        let (mut of, mut lost) = (Summary::default(), 0.0);
        for m in self.moves.iter().filter(|m| m.mover == player) {
            of.moves += 1;
            of.proven += usize::from(m.basis == Some(Basis::Proof));
            of.estimated += usize::from(matches!(m.basis, Some(Basis::Mixed | Basis::Estimate)));
            of.mistakes += usize::from(m.mistake);
            of.turning_points += usize::from(m.turning_point);
            lost += m.loss.unwrap_or(0.0);
        }
        let judged = self.moves.iter().filter(|m| m.mover == player && m.loss.is_some()).count();
        of.average_loss = (judged > 0).then(|| lost / judged as f64);
        of
    }

    /// The turning points in their order.
    pub fn turning_points(&self) -> impl Iterator<Item = &Judged> {
        self.moves.iter().filter(|m| m.turning_point)
    }
}

/// What a move has cost, and what that rests on.
struct Cost {
    basis: Option<Basis>,
    loss: Option<f64>,
    mistake: bool,
    turning_point: bool,
}

/// Compares what the game was worth before and after a move, which the search that estimates prefers or not.
fn cost(before: Worth, after: Worth, is_preferred: bool, threshold: f64) -> Cost {
    let (worst, best) = (before.bounds.pess, after.bounds.opti);
    let certain = f64::from(worst.0) - f64::from(best.0);
    let fall = before.points().zip(after.points()).map(|points| {
        let (before, after) = match (before.is_proven(), after.is_proven()) {
            (true, false) => (0.0, points.1),
            (false, true) => (points.0, 0.0),
            _ => points,
        };
        (before - after).max(0.0)
    });
    if certain > 0.0 {
        // How large it is may be a guess, that there is one is not.
        let loss = fall.map_or(certain, |fall| fall.max(certain));
        let turning_point = worst.0.signum() > best.0.signum();
        return Cost { basis: Some(Basis::Proof), loss: Some(loss), mistake: true, turning_point };
    }
    let basis = match (before.is_proven(), after.is_proven()) {
        (true, true) => Basis::Proof,
        (false, false) => Basis::Estimate,
        _ => Basis::Mixed,
    };
    let is_forgiven = !before.is_proven() && is_preferred;
    let loss = fall.map(|fall| if is_forgiven { 0.0 } else { fall });
    let is_mistake = loss.is_some_and(|loss| loss > threshold);
    Cost { basis: loss.map(|_| basis), loss, mistake: is_mistake, turning_point: is_mistake }
}

#[cfg(test)]
mod tests;
