//! A player with a time limit that keeps its tree from move to move.
//!
//!     cargo run --release -p proofplay --example own_player

#[path = "own_game.rs"]
#[allow(dead_code, reason = "the game is wanted, not its main")]
mod own_game;

use own_game::Heap;
use proofplay::{Ask, Limits, Position, Resources, Run, SearchSpec};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::default() };
    let mut player = "mcts".parse::<SearchSpec>()?.start_bare(&Heap::of(21), Resources::default())?;
    while player.position().outcome().is_none() {
        let report = player.run(Ask::Value, &mut Run::new(limits))?;
        player.play(report.best.expect("the game is not over"));
        println!("{:?} after {} simulations", player.position(), report.simulations);
    }
    Ok(())
}
