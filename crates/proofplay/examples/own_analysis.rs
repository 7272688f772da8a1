//! What every move is worth.
//!
//!     cargo run --release -p proofplay --example own_analysis

#[path = "own_game.rs"]
#[allow(dead_code, reason = "the game is wanted, not its main")]
mod own_game;

use own_game::Heap;
use proofplay::{Ask, Resources, Run, Score, SearchSpec};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut search = "alphabeta".parse::<SearchSpec>()?.start_bare(&Heap::of(21), Resources::default())?;
    for m in search.run(Ask::AllMoves, &mut Run::default())?.moves {
        println!("take {}: {}", m.mv, m.bounds);
        assert_eq!(m.bounds.value(), Some(if m.mv == 1 { Score::WIN } else { Score::LOSS }));
    }
    Ok(())
}
