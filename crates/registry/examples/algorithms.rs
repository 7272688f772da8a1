//! Which search solves which kind of game fastest: the measurement behind `auto`.
//!
//!     cargo run --release -p proofplay-registry --example algorithms [SECONDS]
//!
//! Every search gets the same positions and SECONDS (by default 5) for each. The table shows
//! milliseconds of CPU time; `>` says that the time ran out, `-` that the search refuses the game.
//! Whole boards stand for games that never repeat a position; games that do are too large for that,
//! so positions a few moves before the end of random games stand for them.

use proofplay_core::Rng;
use proofplay_registry::{DynPosition, GAMES, game};
use proofplay_search::{Ask, Limits, Resources, Run, SearchSpec};
use std::time::Duration;

const BOARDS: [&str; 12] = [
    "mnk:4x4k4",
    "connect4:5x5",
    "connect4:6x5",
    "domineering:7x6",
    "domineering:7x7",
    "nogo:4x4",
    "nogo:18x1",
    "y:4",
    "y:5",
    "breakthrough:4x5",
    "amazons:4x4",
    "seki:3,3,2",
];

/// Games whose positions repeat, and how many moves before the end to begin.
const REPEATING: [(&str, usize); 6] = [
    ("pentalath:3,k=4", 8),
    ("go:3x3", 6),
    ("loa:5x5", 5),
    ("checkers:6x6", 7),
    ("cannon", 3),
    ("chinese-checkers:2", 5),
];
const POSITIONS: u64 = 4;

const SEARCHES: [&str; 10] = [
    "alphabeta",
    "dfpn",
    "dfpp",
    "pnt:facts=on,symmetry=on",
    "ppt:facts=on,symmetry=on",
    "pns:facts=on",
    "pp:facts=on",
    "pn2:facts=on",
    "pp2:facts=on",
    "score-bounded:facts=on",
];

/// The position `back` moves before the end of a random game.
fn near_the_end(name: &str, back: usize, seed: u64) -> Box<dyn DynPosition> {
    let mut rng = Rng::new(seed);
    loop {
        let (mut pos, mut line) = (game(name).expect(name).start(), Vec::new());
        while pos.outcome().is_none() && line.len() < 400 {
            let legal = pos.legal();
            let mv = legal[rng.below(legal.len() as u32) as usize].clone();
            pos.play(&mv).expect("the move is legal");
            line.push(mv);
        }
        // A game that ends by repetition has nothing to prove at its end.
        if pos.outcome().is_some_and(|score| score.0 != 0) && line.len() > back {
            let mut pos = game(name).expect(name).start();
            line[..line.len() - back].iter().for_each(|mv| pos.play(mv).expect("it was legal before"));
            return pos;
        }
    }
}

#[cfg(unix)]
fn cpu() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

#[cfg(not(unix))]
fn cpu() -> Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}

/// The time to solve all positions, and how many were not solved; `None` if the search refuses the
/// game.
fn measure(search: &str, positions: &[Box<dyn DynPosition>], limits: Limits) -> Option<(Duration, usize)> {
    let spec: SearchSpec = search.parse().expect(search);
    let (start, mut open) = (cpu(), 0);
    for pos in positions {
        let report = pos.search(&spec, Resources::default(), Ask::Value, &mut Run::new(limits)).ok()?;
        open += usize::from(!report.bounds.is_exact());
    }
    Some((cpu() - start, open))
}

fn main() {
    let measured: Vec<&str> = BOARDS.into_iter().chain(REPEATING.map(|(name, _)| name)).collect();
    // Tic-tac-toe is an mnk game, and trees given as text are as hard as somebody has made them.
    for entry in GAMES.iter().filter(|entry| !["tictactoe", "written"].contains(&entry.name())) {
        let named = |board: &&str| board.split(':').next() == Some(entry.name());
        assert!(measured.iter().any(named), "{} is missing", entry.name());
    }
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(5);
    let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
    let short = SEARCHES.map(|search| search.split(':').next().unwrap_or(search));
    println!("| game | {} |", short.join(" | "));
    println!("|---|{}", "---|".repeat(SEARCHES.len()));
    let boards = BOARDS.map(|name| (name.to_owned(), vec![game(name).expect(name).start()]));
    let repeating = REPEATING.map(|(name, back)| {
        let positions = (1..=POSITIONS).map(|seed| near_the_end(name, back, seed)).collect();
        (format!("{name}, {POSITIONS} positions {back} from the end"), positions)
    });
    for (what, positions) in boards.into_iter().chain(repeating) {
        let cells = SEARCHES.map(|search| match measure(search, &positions, limits) {
            None => "-".to_owned(),
            Some((time, 0)) => format!("{:.1}", time.as_secs_f64() * 1e3),
            Some((_, open)) => format!("> ({open} open)"),
        });
        println!("| {what} | {} |", cells.join(" | "));
    }
}
