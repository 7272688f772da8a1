//! What `auto` means.

use crate::budget::Budget;
use proofplay_registry::DynPosition;
use proofplay_search::{SearchSpec, SpecError};

/// Lets the program choose the search.
pub const AUTO: &str = "auto";

/// The search that proves: `auto` is alpha-beta, or proof numbers on a tree where positions can
/// repeat, which alpha-beta refuses. Both were the fastest when measured: see "What `auto` chooses"
/// in docs/SOLVED.md.
pub fn algorithm<'a>(asked: &'a str, pos: &dyn DynPosition) -> &'a str {
    match asked {
        AUTO if pos.repeats() => "pns:facts=on",
        AUTO => "alphabeta",
        other => other,
    }
}

/// The search that proves how soon the game ends, too: where positions can repeat only `retrograde` counts plies.
pub fn algorithm_for_plies<'a>(asked: &'a str, pos: &dyn DynPosition) -> &'a str {
    if asked == AUTO && pos.repeats() { "retrograde" } else { algorithm(asked, pos) }
}

/// The search that estimates what it cannot prove. With playouts from the first visit on it makes
/// many more simulations than `score-bounded`, which grows its tree to the end of the game: 86
/// times as many on `go:9x9`.
pub const ESTIMATOR: &str = "mcts";

/// The search that plays: `auto` is the strongest one known for the game, or one that makes
/// simulations if the budget counts these.
pub fn player(asked: &str, pos: &dyn DynPosition, budget: &Budget) -> Result<SearchSpec, SpecError> {
    Ok(asked.parse::<SearchSpec>()?.for_game(&pos.game(), budget.simulations.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_registry::game;

    #[test]
    fn auto_counts_plies_where_it_can() {
        let [loa, connect4] = ["loa:5x5", "connect4"].map(|name| game(name).unwrap().start());
        assert_eq!(algorithm("auto", &*loa), "pns:facts=on");
        assert_eq!(algorithm_for_plies("auto", &*loa), "retrograde");
        assert_eq!(algorithm_for_plies("pns", &*loa), "pns");
        assert_eq!(algorithm_for_plies("auto", &*connect4), "alphabeta");
    }

    #[test]
    fn auto_is_a_player_of_the_game() {
        let named = |name: &str, asked: &str, simulations| {
            let budget = Budget { simulations, ..Budget::default() };
            player(asked, &*game(name).unwrap().start(), &budget).unwrap().to_string()
        };
        assert_eq!(named("breakthrough:6x6", "auto", None), "alphabeta:deepen=on");
        assert_eq!(named("breakthrough:6x6", "auto", Some(5)), "mcts:moves=4,cutoff=evaluate");
        assert_eq!(named("breakthrough:6x6", "alphabeta", Some(5)), "alphabeta");
        assert_eq!(named("go:5x5", "auto", None), "mcts");
    }
}
