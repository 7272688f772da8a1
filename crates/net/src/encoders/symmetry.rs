//! What a symmetry of the board makes of moves.

use proofplay_core::{Key, Position};
use std::collections::HashMap;

/// For every legal move of `pos`, in their order, the place of its image among the legal moves of
/// `pos.transformed(symmetry)`: playing the image there gives the image of what the move gives here.
///
/// A net learns a position in all its symmetries: the planes are those of the transformed position, and
/// what the policy should say of a move it should say of its image.
///
/// `None` if a position after a move has no such image, as in games whose positions carry
/// earlier ones that cannot be turned.
pub fn images<P: Position>(pos: &P, symmetry: usize) -> Option<Vec<usize>> {
    let image = pos.transformed(symmetry);
    let list = |pos: &P| {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        moves
    };
    let mut places: HashMap<Key, Vec<usize>> = HashMap::new();
    for (place, mv) in list(&image).into_iter().enumerate().rev() {
        places.entry(image.after(mv).key()).or_default().push(place);
    }
    // Different moves may lead to one position: each has an image of its own.
    list(pos)
        .into_iter()
        .map(|mv| {
            let after = pos.after(mv);
            let is_seen = after.outcome().is_some() || symmetry < after.symmetries();
            if is_seen { places.get_mut(&after.transformed(symmetry).key())?.pop() } else { None }
        })
        .collect()
}
