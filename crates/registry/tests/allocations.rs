//! Random games of every registered game allocate nothing but one list of moves, which grows a few
//! times. What else a position must not allocate is checked where the games are, in
//! `crates/games/tests/allocations.rs`.

use allocation_counter::measure;
use proofplay_core::Rng;
use proofplay_registry::{GAMES, game};

/// A list of one move that doubles to 256 moves has been allocated nine times.
const GROWTH: u64 = 9;

#[test]
fn random_games() {
    // A tree that was given as text lives on the heap, and its positions point into it.
    for entry in GAMES.iter().filter(|entry| entry.name() != "written") {
        let start = game(entry.example()).unwrap().start();
        let allocations = |games| measure(|| _ = start.playouts(games, &mut Rng::new(1))).count_total;
        // The game makes its hints once, however many games are played.
        let (one, many) = (allocations(1), allocations(1000));
        assert!(many <= one + GROWTH, "{}: {one} and {many} allocations", entry.example());
    }
}

#[test]
fn small_positions() {
    for entry in GAMES.iter() {
        let game = game(entry.example()).unwrap();
        // A game whose positions can repeat carries its history, of which a copy takes only what is
        // used.
        let small = game.position_bytes() <= 64 || game.repeats();
        assert!(small, "{}: {} bytes", entry.example(), game.position_bytes());
    }
}
