//! Moves that are known to reach a goal without a search.

use super::Config;
use crate::proof::Goal;
use crate::table::Growing;
use proofplay_core::{Bounds, Facts, Position, guard};

/// Appends all moves that reach the goal by the rules, by the facts of the game or by the table.
/// Returns whether there are any.
pub fn moves<P: Position>(
    pos: &P,
    goal: Goal,
    config: Config,
    facts: Option<&dyn Facts<P>>,
    table: &Growing,
    good: &mut Vec<P::Move>,
) -> bool {
    let (first, key) = (good.len(), pos.key());
    pos.moves(good);
    let is_good = |&mv: &P::Move| {
        let child = pos.after(mv);
        let suffices = |bounds: Bounds| bounds.seen_by(goal.player).pess >= goal.at_least;
        if let Some(end) = guard::ended(&child) {
            return suffices(Bounds::exact(end));
        }
        if facts.is_some_and(|facts| suffices(facts.bounds(&child))) {
            return true;
        }
        let key = pos.key_after(key, mv);
        let key = if config.symmetry { child.canonical_key(key) } else { key };
        table.get(key).is_some_and(|entry| suffices(entry.bounds))
    };
    let mut kept = first;
    for i in first..good.len() {
        if is_good(&good[i]) {
            good[kept] = good[i];
            kept += 1;
        }
    }
    good.truncate(kept);
    kept > first
}
