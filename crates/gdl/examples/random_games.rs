//! Random games a CPU second for each rule sheet, and the time to build it.
//!
//! A game includes all legal moves, a uniform choice, the next position, the test for the end, and the goals.
//!
//!     cargo run --release -p proofplay-gdl --example random_games -- [--seconds N] SHEET…
use proofplay_core::{Game, Position, Rng};
use proofplay_gdl::{Sheet, SheetGame};

/// CPU seconds of this thread.
fn cpu() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

fn main() {
    let mut args = std::env::args().skip(1).peekable();
    let mut seconds = 2.0;
    if args.next_if(|arg| arg == "--seconds").is_some() {
        seconds = args.next().and_then(|text| text.parse().ok()).expect("--seconds needs a number");
    }
    println!("{:>12} {:>12} {:>8} {:>8}  sheet", "games/s", "moves/s", "plies", "build s");
    for path in args {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let begin = cpu();
        let game = match Sheet::read(&path, &text).and_then(|sheet| SheetGame::new(&sheet)) {
            Ok(game) => game,
            Err(flaw) => {
                println!("refused: {flaw}");
                continue;
            }
        };
        let (start, mut rng, mut buf) = (game.start(), Rng::new(1), Vec::new());
        let built = cpu() - begin;
        let (mut games, mut plies, begin) = (0_u64, 0_u64, cpu());
        while cpu() - begin < seconds {
            for _ in 0..if game.is_grounded() { 100 } else { 1 } {
                start.clone().playout(&mut rng, &mut buf, &mut |_, _| plies += 1);
                games += 1;
            }
        }
        let spent = cpu() - begin;
        let (speed, moves) = (games as f64 / spent, plies as f64 / spent);
        let engine = if game.is_grounded() { "" } else { " (interpreter)" };
        println!(
            "{speed:>12.0} {moves:>12.0} {:>8.1} {built:>8.2}  {path}{engine}",
            plies as f64 / games as f64
        );
    }
}
