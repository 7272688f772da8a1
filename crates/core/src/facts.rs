//! What is certain without a search.

use crate::{Bounds, Player, Position, Score};

/// What is certain about positions without a search: theorems of a game, a table of endgames. It must be true, always: searches
/// build proofs on it. [`crate::conformance::check_facts`] compares it with brute force.
///
/// Nothing here is asked when the game is over.
pub trait Facts<P: Position>: Send + Sync {
    /// What is certain about the value, within [`Position::range`] (the admissible heuristic of \[CS10\] section 3.1). Unlike the
    /// range it may be wider again after a bad move.
    fn bounds(&self, pos: &P) -> Bounds;

    /// [`Facts::bounds`] and, appended, moves that suffice: one of the best is among them. They come in the order of
    /// [`Position::moves`]. With exact bounds no moves need be appended, else at least one.
    fn enough(&self, pos: &P, out: &mut Vec<P::Move>) -> Bounds {
        pos.moves(out);
        self.bounds(pos)
    }

    /// Whether [`Facts::counted`] may say something.
    fn counts(&self) -> bool {
        false
    }

    /// A score, in the view of [`Player::First`], that `player` is sure to reach or to better, by a count that takes no search
    /// and that `docs/CERTIFICATES.md` spells out: others must be able to repeat it. Searches take [`Facts::bounds`], which may
    /// know more; certificates may end where this decides.
    fn counted(&self, pos: &P, player: Player) -> Option<Score> {
        let _ = (pos, player);
        None
    }
}
