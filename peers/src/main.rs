//! The same Connect Four 7x6 bitboard behind several engines: iterations per CPU second and bytes per iteration, one thread.
//!
//!     cargo run --release --manifest-path peers/Cargo.toml [-- ITERATIONS …]

mod plain;

use proofplay_core::{Blank, Game};
use proofplay_games::{connect4::Connect4, in_a_row::Fixed};
use proofplay_search::{Limits, SearchSpec, mcts};
use std::sync::Arc;
use std::time::Instant;

fn ours(spec: &str, iterations: u64) -> (f64, f64) {
    let game = Connect4::new(Fixed::<7, 6, 4>);
    let SearchSpec::Mcts(config) = spec.parse().expect("a spec") else { panic!("a Monte-Carlo search") };
    let limits = Limits { playouts: Some(iterations), memory: 8 << 30, ..Limits::default() };
    let mut search = mcts::Mcts::new(game.start(), config, Arc::new(Blank), &limits).expect("a search");
    let begun = Instant::now();
    let report = search.search(&limits, false, &mut |_| ());
    assert_eq!(report.playouts, iterations);
    (begun.elapsed().as_secs_f64(), report.memory as f64)
}

fn plain(iterations: u64) -> (f64, f64) {
    let game = Connect4::new(Fixed::<7, 6, 4>);
    let mut uct = plain::Uct::new(game.start(), 0.7, 1);
    let begun = Instant::now();
    uct.run(iterations);
    assert_eq!(u64::from(uct.root_visits()), iterations);
    (begun.elapsed().as_secs_f64(), uct.bytes() as f64)
}

fn main() {
    let sizes: Vec<u64> = std::env::args().skip(1).map(|a| a.parse().expect("a number of iterations")).collect();
    let sizes = if sizes.is_empty() { vec![100_000, 1_000_000, 10_000_000] } else { sizes };
    for n in sizes {
        let (plain_s, plain_b) = plain(n);
        println!("{n:>9} plain                {:>7.3} M/s {:>6.1} B/it", n as f64 / plain_s / 1e6, plain_b / n as f64);
        for spec in ["mcts:proof=none", "mcts:proof=bounds", "mcts:proof=bounds,expand=one"] {
            let (s, b) = ours(spec, n);
            println!("{n:>9} {spec:<28} {:>7.3} M/s {:>6.1} B/it  ratio {:.2}", n as f64 / s / 1e6, b / n as f64, plain_s / s);
        }
    }
}
