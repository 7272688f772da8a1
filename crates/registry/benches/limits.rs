//! One table: how many random games a second, and how near that is to what we want. Connect Four
//! stands against the limit line below, a loop by hand; the other games against other programs;
//! perft of the registry against the library.
//!
//! All lines take turns in short slices of CPU time, round after round, so that a busy machine
//! disturbs all of them alike; the table shows medians. Every slice must give the known result, so
//! that a broken game cannot look fast. Games are made and played by the registry, as the command
//! line does it.

use proofplay_core::{Game, Rng, perft};
use proofplay_games::amazons::{self, Amazons};
use proofplay_games::{connect4::Connect4, in_a_row::Fixed};
use proofplay_registry::{GAMES, game};
use std::hint::black_box;
use std::sync::atomic::AtomicBool;

/// Rounds: slices of each line.
const ROUNDS: usize = 41;

/// A game in the table.
struct Line {
    game: &'static str,
    /// Random games in a slice, and the sum of their scores.
    playouts: u64,
    sum: i64,
    /// Who else plays it: name, playouts per CPU second on a machine like ours, and how many times
    /// as fast we want to be.
    peer: Option<(&'static str, f64, f64)>,
}

#[rustfmt::skip]
const LINES: [Line; 17] = [
    Line { game: "connect4:7x6", playouts: CONNECT4, sum: 11_279, peer: Some(("OpenSpiel", 0.07e6, 1.0)) },
    Line { game: "tictactoe", playouts: 200_000, sum: 59_285, peer: Some(("OpenSpiel", 0.50e6, 20.0)) },
    Line { game: "mnk:9x9k5", playouts: 20_000, sum: 953, peer: None },
    Line { game: "domineering:8x8", playouts: 20_000, sum: 492, peer: Some(("Ludii", 2260.0, 100.0)) },
    Line { game: "nogo:9x9", playouts: 5_000, sum: -114, peer: Some(("Ludii", 970.0, 100.0)) },
    Line { game: "y:6", playouts: 50_000, sum: 10_182, peer: Some(("OpenSpiel", 0.24e6, 10.0)) },
    Line { game: "y:11", playouts: 10_000, sum: -32, peer: Some(("OpenSpiel", 0.054e6, 10.0)) },
    Line { game: "go:9x9", playouts: 1_000, sum: 2_780, peer: Some(("OpenSpiel", 5600.0, 10.0)) },
    Line { game: "go:19x19", playouts: 200, sum: -522, peer: None },
    Line { game: "breakthrough:8x8", playouts: 5_000, sum: 138, peer: Some(("OpenSpiel", 16_000.0, 30.0)) },
    Line { game: "amazons:10x10", playouts: 500, sum: -20, peer: Some(("OpenSpiel", 10_000.0, 5.0)) },
    Line { game: "loa:8x8", playouts: 500, sum: -16, peer: Some(("OpenSpiel", 740.0, 30.0)) },
    Line { game: "checkers:8x8", playouts: 2_000, sum: -68, peer: Some(("OpenSpiel", 4_100.0, 20.0)) },
    Line { game: "chinese-checkers:3", playouts: 100, sum: 22, peer: Some(("OpenSpiel", 818.0, 20.0)) },
    Line { game: "cannon", playouts: 300, sum: 2, peer: Some(("Ludii", 99.0, 60.0)) },
    Line { game: "pentalath:5", playouts: 2_000, sum: 82, peer: Some(("Ludii", 1_600.0, 60.0)) },
    Line { game: "seki:3,4", playouts: 100_000, sum: -5_932, peer: None },
];

/// Random games of Amazons 10x10 with moves drawn in stages, and the sum of their scores.
const STAGED: Line =
    Line { game: "amazons:10x10", playouts: 1_000, sum: -8, peer: Some(("OpenSpiel", 10_000.0, 5.0)) };

fn staged_amazons() -> i64 {
    let game = Amazons::<u128>::new(amazons::Setup::STANDARD);
    let (start, hints, mut rng, mut buf) = (game.start(), game.hints(), Rng::new(1), Vec::new());
    let mut score = |_| i64::from(hints.playout("staged", &mut start.clone(), &mut rng, &mut buf, None).0);
    (0..STAGED.playouts).map(&mut score).sum()
}

/// The moves of the random games of Chinese Checkers in a slice. OpenSpiel stops every game after
/// 1000 moves, and hardly any has ended by then, while ours are played to the end, so moves are
/// compared: this many its version 2.0.2 makes in a CPU second (`peers/openspiel.py`).
const CHINESE_MOVES: i64 = 134_018;
const THEIR_MOVES: f64 = 1.26e6;

fn chinese_moves() -> i64 {
    game("chinese-checkers:3").expect("a game").start().playouts(100, &mut Rng::new(1)).1 as i64
}

/// Random games of Connect Four in a slice, and the sum of their scores when the limit line plays
/// them.
const CONNECT4: u64 = 100_000;
const LIMIT_SUM: i64 = 11_277;

/// Random games of Connect Four 7x6 by hand: two words, no trait, a column drawn again while it is
/// full, rows found without a branch. Cell (c, r) is bit 7c + r. Returns the sum of the scores.
fn limit_line(games: u64, seed: u64) -> i64 {
    const BOTTOM: u64 = 0x0000_0408_1020_4081;
    const BOARD: u64 = BOTTOM * 0x3f;
    let mut state = seed;
    // wyrand, and seven times a number from 0 to 6.
    let mut draw = || {
        state = state.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(state) * u128::from(state ^ 0xe703_7ed1_a0b4_28db);
        let random = (product >> 64) as u64 ^ product as u64;
        (((random >> 32) * 7) >> 32) * 7
    };
    let mut sum = 0;
    for _ in 0..games {
        let (mut own, mut all, mut score) = (0u64, 0u64, 1);
        sum += loop {
            let open = (all + BOTTOM) & BOARD;
            if open == 0 {
                break 0;
            }
            let stone = loop {
                let stone = open & 0x3f << draw();
                if stone != 0 {
                    break stone;
                }
            };
            let stones = own | stone;
            (own, all) = (own ^ all, all | stone);
            let (up, right) = (stones & stones >> 1, stones & stones >> 7);
            let (rise, fall) = (stones & stones >> 8, stones & stones >> 6);
            if (up & up >> 2 | right & right >> 14 | rise & rise >> 16 | fall & fall >> 12) != 0 {
                break score;
            }
            score = -score;
        };
    }
    sum
}

/// Moves of the sequences that perft counts in Connect Four 7x6, and their known number.
const DEPTH: u32 = 7;
const SEQUENCES: i64 = 823_536;

fn perft_by_library() -> i64 {
    perft(&black_box(Connect4::new(Fixed::<7, 6, 4>).start()), black_box(DEPTH)) as i64
}

fn perft_by_registry() -> i64 {
    let start = game("connect4:7x6").expect("a game").start();
    let parts = start.perft(DEPTH, 1, &AtomicBool::new(false), &|_, _, _| ()).expect("nobody stops it");
    parts.iter().map(|part| part.1 as i64).sum()
}

/// CPU seconds of this program so far; where the system has no such clock, wall-clock seconds.
fn now() -> f64 {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    }
    #[cfg(not(unix))]
    {
        use std::{sync::LazyLock, time::Instant};
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed().as_secs_f64()
    }
}

/// Something to measure: its name, what it does, and what it must return.
type Task<'a> = (&'a str, Box<dyn Fn() -> i64 + 'a>, i64);

/// The seconds of every task, round by round.
fn measure(tasks: &[Task]) -> Vec<Vec<f64>> {
    let mut seconds = vec![Vec::new(); tasks.len()];
    for _ in 0..ROUNDS {
        for ((name, work, want), seconds) in tasks.iter().zip(&mut seconds) {
            let begun = now();
            let result = black_box(work());
            seconds.push(now() - begun);
            assert_eq!(result, *want, "{name}: a wrong result has no speed");
        }
    }
    seconds
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// The median of the ratios, round by round: how many times as fast `a` is as `b`.
fn ratio(a: &[f64], b: &[f64]) -> f64 {
    median(a.iter().zip(b).map(|(a, b)| b / a))
}

/// How many times as fast as something else, and whether that is what we want.
fn compared(factor: f64, with: &str, wanted: f64) -> String {
    let verdict = if factor >= wanted { "reached" } else { "MISSED" };
    format!("{factor:.2} x {with} (at least {wanted}: {verdict})")
}

fn main() {
    // Trees that are given as text, and rule sheets, which are other games.
    for entry in GAMES.iter().filter(|entry| !["written", "gdl"].contains(&entry.name())) {
        let named = |line: &Line| line.game.split(':').next() == Some(entry.name());
        assert!(LINES.iter().any(named), "{} has no line", entry.name());
    }
    let mut tasks: Vec<Task> =
        vec![("limit line", Box::new(|| limit_line(black_box(CONNECT4), black_box(1))), LIMIT_SUM)];
    for line in &LINES {
        let start = game(line.game).expect("a game").start();
        let playouts = move || start.playouts(line.playouts, &mut Rng::new(1)).0;
        tasks.push((line.game, Box::new(playouts), line.sum));
    }
    tasks.push(("amazons, staged", Box::new(staged_amazons), STAGED.sum));
    tasks.push(("chinese, moves", Box::new(chinese_moves), CHINESE_MOVES));
    tasks.push(("perft by library", Box::new(perft_by_library), SEQUENCES));
    tasks.push(("perft by registry", Box::new(perft_by_registry), SEQUENCES));
    let seconds = measure(&tasks);

    let [limit, games @ .., staged, chinese, library, registry] = &seconds[..] else {
        unreachable!("the tasks above")
    };
    let speed = |units: u64, seconds: &[f64]| units as f64 / median(seconds.iter().copied());
    let print = |name: &str, bytes: &str, speed: f64, compared: &[String]| {
        println!("{name:<18} {bytes:>5} {speed:>12.0}  {}", compared.join(", "));
    };
    println!("{:<18} {:>5} {:>12}  compared", "playouts", "bytes", "per second");
    print("limit line", "", speed(CONNECT4, limit), &[]);
    let row = |name: &str, line: &Line, seconds: &[f64]| {
        let bytes = game(line.game).expect("a game").position_bytes().to_string();
        let speed = speed(line.playouts, seconds);
        let to_limit =
            (line.game == "connect4:7x6").then(|| compared(ratio(seconds, limit), "limit line", 0.8));
        let to_peer = line.peer.map(|(peer, theirs, wanted)| compared(speed / theirs, peer, wanted));
        print(name, &bytes, speed, &to_limit.into_iter().chain(to_peer).collect::<Vec<_>>());
    };
    for (line, seconds) in LINES.iter().zip(games) {
        row(line.game, line, seconds);
    }
    row("amazons, staged", &STAGED, staged);
    let moves = speed(CHINESE_MOVES as u64, chinese);
    print("chinese, moves", "", moves, &[compared(moves / THEIR_MOVES, "OpenSpiel", 20.0)]);
    print("perft by library", "", speed(SEQUENCES as u64, library), &[]);
    let to_library = compared(ratio(registry, library), "library", 0.95);
    print("perft by registry", "", speed(SEQUENCES as u64, registry), &[to_library]);
}
