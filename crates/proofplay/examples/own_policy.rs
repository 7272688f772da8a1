//! Your own selection formula and rule for the move to play.
//!
//!     cargo run --release -p proofplay --example own_policy

#[path = "own_game.rs"]
#[allow(dead_code, reason = "the game is wanted, not its main")]
mod own_game;

use own_game::Heap;
use proofplay::mcts::{Config, Custom, FinalRule, Formula, Mcts, Seen};
use proofplay::{Ask, Extras, Limits, Resources, Run, Search};
use std::sync::Arc;

/// UCT with a floor: every child gets at least a tenth of the visits.
struct Fair;

impl Formula for Fair {
    fn value(&self, parent: &Seen, child: &Seen) -> f32 {
        let (n_p, n) = (parent.visits as f32, child.visits as f32);
        let floor = if 10.0 * n < n_p { 100.0 } else { 0.0 };
        floor + child.mean.unwrap_or(1.0) + (n_p.max(1.0).ln() / n.max(1.0)).sqrt()
    }
}

/// Most visits among the moves whose mean is not below zero.
impl FinalRule for Fair {
    fn merit(&self, visits: u32, mean: f64) -> f64 {
        if mean < 0.0 { mean } else { f64::from(visits) }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let search = Mcts::new(Heap::of(10), Config::default(), Extras::none(), Resources::default())?;
    let custom =
        Custom { formula: Some(Arc::new(Fair)), final_rule: Some(Arc::new(Fair)), ..Custom::default() };
    let limits = Limits { simulations: Some(5_000), ..Limits::default() };
    let report = search.with_custom(custom).run(Ask::Value, &mut Run::new(limits))?;
    println!("take {:?}, value in {}", report.best, report.bounds);
    assert_eq!(report.best, Some(2), "two matches leave a multiple of four");
    Ok(())
}
