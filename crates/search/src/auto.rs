//! `auto` as a player: the strongest one that is known for a game.
//!
//! `proofplay strength` plays the matches that choose the rows; `results/strength.jsonl` has them, and
//! a test of the lab compares.

use crate::SearchSpec;

/// The player for a game that is in no row.
const ANY: &str = "mcts";

/// Playouts of four moves, and then the evaluation function.
const EVALUATING: &str = "mcts:moves=4,cutoff=evaluate";

/// Games by their whole names, or else by their names without parameters, and players: the strongest
/// one first, then the strongest one that makes simulations, if the first does not.
const ROWS: &[(&str, &[&str])] = &[
    ("amazons", &["alphabeta:deepen=on", EVALUATING]),
    ("breakthrough", &["alphabeta:deepen=on", EVALUATING]),
    ("cannon", &["alphabeta:deepen=on", EVALUATING]),
    ("checkers", &[EVALUATING]),
    ("connect4", &["mcts:mr=2"]),
    ("loa", &[EVALUATING]),
];

/// The strongest player that is known for the game of this name, or one that makes simulations.
pub fn player(game: &str, must_simulate: bool) -> SearchSpec {
    // Without the digest of its rules.
    let game = game.split('#').next().unwrap_or_default();
    let family = game.split(':').next().unwrap_or_default();
    let row = |name: &str| ROWS.iter().find(|row| row.0 == name).map(|row| row.1);
    let players = row(game).or_else(|| row(family)).unwrap_or_default();
    let read = |text: &&str| text.parse::<SearchSpec>().expect("a search that a test has read");
    let fits = |spec: &SearchSpec| !must_simulate || spec.counts_simulations();
    players.iter().chain([&ANY]).map(read).find(fits).expect("the last one makes simulations")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_name_comes_first() {
        let text = |game| player(game, false).to_string();
        assert_eq!(text("no such game:5"), ANY);
        for (name, players) in ROWS {
            assert_eq!(text(name), players[0]);
            assert_ne!(players[0], ANY, "{name} needs no row");
            let simulating = player(name, true);
            assert!(simulating.counts_simulations() && players.contains(&&*simulating.to_string()), "{name}");
        }
        assert_eq!(text("loa:6x6"), text("loa"));
        assert_eq!(player("no such game", true).to_string(), ANY);
    }
}
