//! Whether two games have the same rules, as far as random games show it.

use proofplay_core::Rng;
use proofplay_registry::DynPosition;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// How many games are played, and how many moves of each at most.
const GAMES: u64 = 20;
const MOVES: usize = 60;

/// What was found about two games: plans are made more often than there are games.
static FOUND: Mutex<BTreeMap<[String; 2], bool>> = Mutex::new(BTreeMap::new());

/// Whether games that begin at these starts differ in positions, legal moves, turns, ends or possible
/// scores.
pub(crate) fn differ(one: &dyn DynPosition, other: &dyn DynPosition) -> bool {
    let names = [one.game(), other.game()];
    let found = || FOUND.lock().expect("no thread panics here");
    let known = found().get(&names).copied();
    known.unwrap_or_else(|| {
        let differ = games_differ(one, other);
        found().insert(names, differ);
        differ
    })
}

fn games_differ(one: &dyn DynPosition, other: &dyn DynPosition) -> bool {
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
