//! Our engine for front ends ends every game within its time, on a computer that is busy with other
//! things: main time, increments, Canadian and Japanese byo-yomi.
//!
//! The clocks are real, so each is generous: to lose, a move must come more than a second late.

use serde_json::Value;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{available_parallelism, scope};

/// Two games of at most so many moves, one with each side; the thinking of our engine is ended by its
/// clock alone.
const MOVES: &str = "12";

fn played(clock: &str) -> Value {
    let program = assert_cmd::cargo::cargo_bin!("proofplay");
    let engine = format!("gtp:{} gtp connect4 --engine mcts --memory 64MiB", program.display());
    let output = Command::new(program)
        .args(["match", "--game", "connect4", "--a", &engine, "--b", "mcts:playouts=5", "--clock", clock])
        .args(["--games", "2", "--most-moves", MOVES, "--openings", "random:0", "--store", ":memory:"])
        .args(["--memory", "64MiB", "--json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{clock}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn no_game_is_lost_on_a_loaded_computer() {
    let (is_over, cores) = (AtomicBool::new(false), available_parallelism().map_or(1, usize::from));
    scope(|busy| {
        for _ in 0..2 * cores {
            busy.spawn(|| {
                while !is_over.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let told = scope(|games| {
            let clocks = ["6s", "2s+500ms", "1s+6s/4", "1s+3x1500ms"];
            let games = clocks.map(|clock| (clock, games.spawn(move || played(clock))));
            games.map(|(clock, game)| (clock, game.join()))
        });
        is_over.store(true, Relaxed);
        for (clock, told) in told {
            let told = told.unwrap();
            let ended = (&told["games"], &told["forfeits"]);
            assert_eq!(ended, (&2.into(), &serde_json::json!([0, 0])), "{clock}: {told}");
            // It has thought: a thirtieth of the main time, and more where there is more.
            let each = told["a_per_move"]["elapsed_s"].as_f64().unwrap();
            assert!(each > 0.01, "{clock}: {told}");
        }
    });
}
