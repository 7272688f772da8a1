//! A proof as a file, and its check by the rules alone.
//!
//!     cargo run --release -p proofplay --example own_certificate

#[path = "own_game.rs"]
#[allow(dead_code, reason = "the game is wanted, not its main")]
mod own_game;

use own_game::Heap;
use proofplay::certificate::{Certificate, verify};
use proofplay::{Ask, Certify, Line, Own, Resources, Run, SearchSpec, certify};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (game, start) = (Own::new("heap:21", Heap::of(21)), Heap::of(21));
    let mut search = "pns".parse::<SearchSpec>()?.start_bare(&start, Resources::default())?;
    let bounds = search.run(Ask::Value, &mut Run::default())?.bounds;
    let file = certify(&game, &mut *search, &Certify::new(Line::start("heap:21"), bounds), &mut |_| true)?
        .written
        .bytes;
    let checked = verify(&game, &Certificate::parse(&file)?, 1 << 20, |_| true)?;
    println!("{} bytes prove {}", file.len(), checked.bounds);
    assert_eq!(checked.bounds, bounds);
    Ok(())
}
