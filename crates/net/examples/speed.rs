//! Evaluations of a random net per second of processor time:
//!
//!     cargo run --release -p proofplay-net --example speed -- 9x9 18 6 64 2000
//!
//! Board, input planes, residual blocks, channels, evaluations.

use proofplay_net::model::Style;
use proofplay_net::{Evaluator, Net};

/// Seconds of processor time that this thread has taken.
#[cfg(unix)]
fn seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[cfg(not(unix))]
fn seconds() -> f64 {
    std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |time| time.as_secs_f64())
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let read = |word: &str| word.parse::<usize>().unwrap_or_else(|_| panic!("`{word}` is not a number"));
    let [board, planes, blocks, channels, count] = &words[..] else {
        panic!("expected: board, planes, blocks, channels, evaluations, e.g. 9x9 18 6 64 2000");
    };
    let (columns, rows) = board.split_once('x').unwrap_or_else(|| panic!("`{board}` is not like 9x9"));
    let board = [read(columns), read(rows)];
    let cells = board[0] * board[1];
    let net =
        Net::random(Style::Post { board, moves: cells + 1 }, read(planes), read(blocks), read(channels), 1);
    let mut evaluator = Evaluator::new(&net, board).unwrap_or_else(|error| panic!("{error}"));
    let mut planes: Vec<f32> = (0..evaluator.planes()).map(|i| (i % 3 / 2) as f32).collect();
    let mut sum = 0.0;
    // The first evaluations fill the caches.
    let start = (0..=read(count)).fold(0.0, |start, number| {
        let flip = number % planes.len();
        planes[flip] = 1.0 - planes[flip];
        sum += evaluator.evaluate(&planes, &[]).value();
        if number == 0 { seconds() } else { start }
    });
    println!(
        "{:.1} evaluations/s, mean value {:.6}",
        read(count) as f64 / (seconds() - start),
        sum / read(count) as f32
    );
}
