//! `auto` as a player: the strongest one that is known for a game.
//!
//! `proofplay strength` plays the matches that choose the rows. So far only the clear cases are here:
//! against `mcts` at 200 ms a move, `alphabeta:deepen=on` has won 16 of 16 games of Breakthrough 8x8, 14
//! of 14 of Lines of Action 8x8, and 10 of 14 of Amazons 6x6.

use crate::SearchSpec;

/// The player for a game that is in no row.
const ANY: &str = "mcts";

/// Games by their whole names, and then by their names without parameters.
const ROWS: &[(&str, &str)] = &[
    ("amazons:6x6", "alphabeta:deepen=on"),
    ("breakthrough", "alphabeta:deepen=on"),
    ("loa", "alphabeta:deepen=on"),
];

/// The strongest player that is known for the game of this name, or one that makes simulations.
pub fn player(game: &str, must_simulate: bool) -> SearchSpec {
    // Without the digest of its rules.
    let game = game.split('#').next().unwrap_or_default();
    let family = game.split(':').next().unwrap_or_default();
    let row = |name: &str| ROWS.iter().find(|row| row.0 == name).map(|row| row.1);
    let text = row(game).or_else(|| row(family)).unwrap_or(ANY);
    let read = |text: &str| text.parse::<SearchSpec>().expect("a search that a test has read");
    Some(read(text)).filter(|spec| !must_simulate || spec.counts_simulations()).unwrap_or_else(|| read(ANY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_name_comes_first() {
        let text = |game| player(game, false).to_string();
        assert_eq!(text("no such game:5"), ANY);
        for (name, spec) in ROWS {
            assert_eq!(text(name), *spec);
            assert_ne!(*spec, ANY, "{name} needs no row");
        }
        assert_eq!(text("loa:6x6"), text("loa"));
        assert_eq!(player("loa", true).to_string(), ANY);
    }
}
