//! `auto` as a player: the strongest one that is known for a game.
//!
//! The rows were chosen by matches: `proofplay strength` plays them again, and docs/STRENGTH.md has
//! the games and their intervals.

use crate::SearchSpec;

/// The player for a game that is in no row.
const ANY: &str = "mcts";

/// Games by their whole names, and then by their names without parameters.
const ROWS: &[(&str, &str)] = &[
    ("amazons:6x6", "alphabeta:deepen=on"),
    ("breakthrough", "alphabeta:deepen=on"),
    ("loa", "alphabeta:deepen=on"),
];

/// The strongest player that is known for the game of this name.
pub fn player(game: &str) -> SearchSpec {
    // Without the digest of its rules.
    let game = game.split('#').next().unwrap_or_default();
    let family = game.split(':').next().unwrap_or_default();
    let row = |name: &str| ROWS.iter().find(|row| row.0 == name).map(|row| row.1);
    let text = row(game).or_else(|| row(family)).unwrap_or(ANY);
    text.parse().expect("a search that a test has read")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_name_comes_first() {
        let text = |game| player(game).to_string();
        assert_eq!(text("no such game:5"), ANY);
        for (name, spec) in ROWS {
            assert_eq!(text(name), *spec);
            assert_ne!(*spec, ANY, "{name} needs no row");
        }
        assert_eq!(text("loa:6x6"), text("loa"));
    }
}
