//! The search that is taken where nobody names one.

use proofplay_registry::DynPosition;

/// Lets the program choose the search.
pub const AUTO: &str = "auto";
/// What it chooses.
pub const AUTO_MEANING: &str = "what `solve` takes: alphabeta, or pns:facts=on where positions can repeat";

/// The search that is meant: `auto` is alpha-beta, or where positions can repeat, which its table cannot bear, proof numbers on
/// a tree. Both were the fastest of their kind when measured: see "What `auto` takes" in docs/SOLVED.md.
pub fn algorithm<'a>(asked: &'a str, pos: &dyn DynPosition) -> &'a str {
    match asked {
        AUTO if pos.repeats() => "pns:facts=on",
        AUTO => "alphabeta",
        other => other,
    }
}

/// The search that plays against a person: it also guesses well what it cannot prove. Playouts from the first visit on make
/// many more simulations than `score-bounded`, which grows its tree to the end of the game: 86 times as many on `go:9x9`.
pub const DEFAULT_OPPONENT: &str = "mcts";
