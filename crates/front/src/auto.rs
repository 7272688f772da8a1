//! The default search.

use proofplay_registry::DynPosition;

/// Lets the program choose the search.
pub const AUTO: &str = "auto";

/// The search that a name stands for: `auto` is alpha-beta, or proof numbers on a tree where
/// positions can repeat, which alpha-beta refuses. Both were the fastest when measured: see "What
/// `auto` chooses" in docs/SOLVED.md.
pub fn algorithm<'a>(asked: &'a str, pos: &dyn DynPosition) -> &'a str {
    match asked {
        AUTO if pos.repeats() => "pns:facts=on",
        AUTO => "alphabeta",
        other => other,
    }
}

/// The search that plays against a person: it also estimates well what it cannot prove. With
/// playouts from the first visit on it makes many more simulations than `score-bounded`, which
/// grows its tree to the end of the game: 86 times as many on `go:9x9`.
pub const DEFAULT_OPPONENT: &str = "mcts";
