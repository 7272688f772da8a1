//! What is certain without a search.

use crate::{Bounds, Player, Position, Score};

/// What is certain about positions without a search: theorems of a game, a table of endgames. It
/// must always be true: searches build proofs on it. [`crate::conformance::check_facts`] compares
/// it with brute force.
///
/// No method is called when the game is over.
pub trait Facts<P: Position>: Send + Sync {
    /// What is certain about the value, within [`Position::range`] (the admissible heuristic of
    /// \[CS10\] section 3.1). Unlike the range it may become wider after a bad move.
    fn bounds(&self, pos: &P) -> Bounds;

    /// Returns [`Facts::bounds`] and appends a set of moves that contains a best move, in the order
    /// of [`Position::moves`]. If the bounds are exact the set may be empty.
    fn enough(&self, pos: &P, out: &mut Vec<P::Move>) -> Bounds {
        pos.moves(out);
        self.bounds(pos)
    }

    /// Whether [`Facts::counted`] returns anything in this game.
    fn counts(&self) -> bool {
        false
    }

    /// A score that `player` can force, or better, in the view of [`Player::First`]. It is computed
    /// by the fixed rule in `docs/CERTIFICATES.md`, so that other verifiers can recompute it.
    /// Certificates may end where it decides; searches use [`Facts::bounds`], which may be sharper.
    fn counted(&self, pos: &P, player: Player) -> Option<Score> {
        let _ = (pos, player);
        None
    }
}
