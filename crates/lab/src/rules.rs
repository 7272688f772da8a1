//! Whether two games have the same rules, as far as random games show it.

use proofplay_core::Rng;
use proofplay_registry::DynPosition;

/// How many games are played, and how many moves of each at most.
const GAMES: u64 = 100;
const MOVES: usize = 200;

/// Whether games that begin here differ in positions, legal moves, turns, ends or possible scores.
pub(crate) fn differ(one: &dyn DynPosition, other: &dyn DynPosition) -> bool {
    (0..GAMES).any(|game| {
        let (mut one, mut other, mut rng) = (one.boxed(), other.boxed(), Rng::new(game));
        for _ in 0..MOVES {
            let legal = one.legal();
            let same = one.text() == other.text()
                && one.turn() == other.turn()
                && one.outcome() == other.outcome()
                && one.range() == other.range()
                && legal == other.legal();
            if !same {
                return true;
            }
            if legal.is_empty() {
                break;
            }
            let mv = &legal[rng.below(legal.len() as u32) as usize];
            if one.play(mv).is_err() || other.play(mv).is_err() {
                return true;
            }
        }
        false
    })
}
