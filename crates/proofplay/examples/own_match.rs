//! Which of two settings plays better?
//!
//!     cargo run --release -p proofplay --example own_match

#[path = "own_game.rs"]
#[allow(dead_code, reason = "the game is wanted, not its main")]
mod own_game;

use own_game::Heap;
use proofplay::{Limits, Resources, Score, SearchSpec, play_game};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (a, b): (SearchSpec, SearchSpec) = ("mcts".parse()?, "mcts:proof=none,c=5".parse()?);
    let limits = Limits { simulations: Some(30), ..Limits::default() };
    let mut points = 0;
    for seed in 0..50 {
        let start =
            |spec: &SearchSpec| spec.start_bare(&Heap::of(30), Resources { seed, ..Resources::default() });
        let (a_first, _) = play_game(&mut *start(&a)?, &mut *start(&b)?, limits, 100)?;
        let (b_first, _) = play_game(&mut *start(&b)?, &mut *start(&a)?, limits, 100)?;
        points += i32::from(a_first == Some(Score::WIN)) + i32::from(b_first == Some(Score::LOSS));
    }
    println!("{a} wins {points} of 100 games against {b}");
    assert!(points > 50);
    Ok(())
}
