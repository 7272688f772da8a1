//! The same Connect Four 7x6 bitboard behind several engines: iterations per CPU second and bytes per iteration from the opening,
//! one thread, each measurement in a process of its own.
//!
//!     cargo run --release --manifest-path peers/Cargo.toml [-- ITERATIONS …]
//!
//! And boards solved by our alpha-beta and by a plain one:
//!
//!     cargo run --release --manifest-path peers/Cargo.toml -- solve
#![forbid(unsafe_code)]

mod others;
mod plain;
mod solve;

use minimax::Strategy;
use proofplay_core::{Extras, Game, Rng};
use proofplay_games::{connect4::Connect4, in_a_row::Fixed};
use proofplay_search::{Ask, Limits, Resources, Run, Search, SearchSpec, mcts as our_mcts};
use rand::SeedableRng;
use std::process::Command;
use std::sync::Mutex;

const ENGINES: &[&str] = &[
    "plain UCT",
    "mcts:proof=none",
    "mcts:proof=bounds",
    "mcts:proof=bounds,threads=2",
    "board-game",
    "minimax",
    "mcts (crate)",
];

/// Runs one engine.
fn run(engine: &str, iterations: u64) {
    let start = Connect4::new(Fixed::<7, 6, 4>).start();
    match engine {
        "plain UCT" => {
            let mut uct = plain::Uct::new(start, 0.7, 1);
            uct.run(iterations);
            assert_eq!(u64::from(uct.root_visits()), iterations);
        }
        "board-game" => {
            let mut rng = rand::rngs::SmallRng::seed_from_u64(1);
            let board = others::ForBoardGame(start);
            board_game::ai::mcts::mcts_build_tree(&board, iterations, 1.0, &mut rng);
        }
        "minimax" => {
            let options = minimax::strategies::mcts::MCTSOptions::default()
                .with_num_threads(1)
                .with_rollouts_before_expanding(1);
            let mut search = minimax::MonteCarloTreeSearch::<others::ForMinimax>::new(options);
            search.set_max_rollouts(iterations as u32);
            assert!(search.choose_move(&start).is_some());
        }
        "mcts (crate)" => {
            let playouts = others::Playouts(Mutex::new(Rng::new(1)));
            let policy = mcts::tree_policy::UCTPolicy::new(0.7);
            let mut search =
                mcts::MCTSManager::new(others::ForMcts(start), others::Uct, playouts, policy, ());
            search.playout_n(iterations);
        }
        spec => {
            let Ok(SearchSpec::Mcts(config)) = spec.parse() else {
                panic!("{spec} is not a Monte-Carlo search")
            };
            let resources = Resources { memory: 8 << 30, ..Resources::default() };
            let mut search = our_mcts::Mcts::new(start, config, Extras::none(), resources).expect("a search");
            let limits = Limits { simulations: Some(iterations), ..Limits::default() };
            let report = search.run(Ask::Value, &mut Run::new(limits)).expect("a report");
            assert_eq!(report.simulations, iterations);
        }
    }
}

/// A number from a file of the running process, e.g. `VmHWM` of its status.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).unwrap_or(0)
}

/// CPU seconds of this process: time on a core, of all its threads.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|t| t.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

/// So many numbers that this program prints in a process of its own.
fn measured(args: &[&str], count: usize) -> Vec<f64> {
    let this = std::env::current_exe().expect("the path of this program");
    let output = Command::new(this).args(args).output().expect("a process");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|x| x.parse().ok()).collect();
    assert_eq!(numbers.len(), count, "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    numbers
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["solve"] => return solve::all(),
        ["--solve", board, search] => return solve::one(board, search),
        ["--one", engine, iterations] => {
            let before = peak_kib();
            let begun = std::time::Instant::now();
            run(engine, iterations.parse().expect("a number of iterations"));
            println!("{} {} {}", cpu_seconds(), begun.elapsed().as_secs_f64(), (peak_kib() - before) * 1024);
            return;
        }
        _ => {}
    }
    let sizes: Vec<u64> = args.iter().map(|a| a.parse().expect("a number of iterations")).collect();
    let sizes = if sizes.is_empty() { vec![100_000, 1_000_000, 10_000_000] } else { sizes };
    println!(
        "{:>10} {:<28} {:>12} {:>12} {:>9} {:>8}",
        "iterations", "engine", "M/CPU s", "M/s", "bytes/it", "ratio"
    );
    for n in sizes {
        let mut plain = None;
        // Runs are repeated, engines taking turns, and the best counts: other work on the machine only ever takes time.
        let rounds = (20_000_000 / n).clamp(2, 15);
        let mut all = vec![Vec::new(); ENGINES.len()];
        for _ in 0..rounds {
            for (engine, results) in ENGINES.iter().zip(&mut all) {
                results.push(measured(&["--one", engine, &n.to_string()], 3));
            }
        }
        for (engine, results) in ENGINES.iter().zip(all) {
            let best = |i: usize| results.iter().map(|r| r[i]).min_by(f64::total_cmp).expect("a round");
            // Short runs are timed on the clock: CPU time is only counted in hundredths of a second.
            let (cpu, clock) = (best(0), best(1));
            let cpu = if n < 1_000_000 { clock } else { cpu };
            let rate = n as f64 / cpu / 1e6;
            let plain = *plain.get_or_insert(rate);
            let (per_s, bytes) = (n as f64 / clock / 1e6, best(2) / n as f64);
            println!("{n:>10} {engine:<28} {rate:>12.3} {per_s:>12.3} {bytes:>9.1} {:>8.2}", rate / plain);
        }
    }
}
