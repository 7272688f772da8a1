//! Tables 4 to 7 of Saffidine & Cazenave, "Developments on Product Propagation" \[SC13\], beside our own counts.
//!
//! ```text
//! cargo run --release -p proofplay-search --example proof_tables            every board, every algorithm
//! cargo run --release -p proofplay-search --example proof_tables -- domineering:6x6 nogo:18x1 ppt,pp
//! ```
//!
//! The limit is the paper's 10^7 nodes and 8 GiB; for the two-level searches the first level counts, as in the paper, and a
//! second limit of 10^9 nodes holds for both levels together. `>` marks what a limit stopped.
//!
//! The paper's "5x6" is 5 columns and 6 rows with V first, and its "node expansions" are the children of the expanded positions:
//! for PP on that board our count is the paper's 101 244 exactly, in the other orientation it is 822 013.

use proofplay_core::{Game, Position};
use proofplay_games::{domineering, nogo};
use proofplay_search::{Limits, proof};

/// Board, algorithm, nodes, seconds; 0: not printed, negative: more than that.
const PAPER: &[(&str, &str, f64, f64)] = &[
    ("domineering:5x6", "pnt", 1_002_277.0, 5.92),
    ("domineering:5x6", "pn2", 17_236.0, 78.7),
    ("domineering:5x6", "pp", 101_244.0, 0.24),
    ("domineering:5x6", "ppt", 27_766.0, 0.17),
    ("domineering:5x6", "pp2", 3_634.0, 0.22),
    ("domineering:6x6", "pnt", -1e7, 0.0),
    ("domineering:6x6", "pn2", -154_107.0, -10_660.0),
    ("domineering:6x6", "pp", 5_525_608.0, 20.1),
    ("domineering:6x6", "ppt", 528_032.0, 5.33),
    ("domineering:6x6", "pp2", 24_190.0, 15.5),
    ("domineering:7x6", "pnt", -1e7, 0.0),
    ("domineering:7x6", "pn2", -511_568.0, -153_000.0),
    ("domineering:7x6", "pp", -1e7, -35.84),
    ("domineering:7x6", "ppt", 4_294_785.0, 55.13),
    ("domineering:7x6", "pp2", 145_757.0, 320.3),
    ("nogo:4x4", "pnt", 3_575_076.0, 436.6),
    ("nogo:4x4", "pn2", 77_010.0, 27_519.0),
    ("nogo:4x4", "pp", -1e7, -338.84),
    ("nogo:4x4", "ppt", 2_319_816.0, 396.36),
    ("nogo:18x1", "pnt", 2_015_179.0, 144.2),
    ("nogo:18x1", "pn2", -22_679.0, -3_607.0),
    ("nogo:18x1", "pp", 864_951.0, 21.39),
    ("nogo:18x1", "ppt", 98_991.0, 9.46),
    ("nogo:18x1", "pp2", 14_246.0, 109.7),
    ("nogo:20x1", "pnt", -1e7, -809.0),
    ("nogo:20x1", "pn2", -29_098.0, -4_583.0),
    ("nogo:20x1", "pp", 6_173_393.0, 156.3),
    ("nogo:20x1", "ppt", 389_119.0, 46.3),
    ("nogo:22x1", "pnt", -1e7, 0.0),
    ("nogo:22x1", "pp", -1e7, -307.55),
    ("nogo:22x1", "ppt", 2_814_553.0, 446.58),
];

const BOARDS: &[&str] = &[
    "domineering:5x6",
    "domineering:6x5",
    "domineering:6x6",
    "domineering:7x6",
    "domineering:6x7",
    "nogo:4x4",
    "nogo:18x1",
    "nogo:20x1",
    "nogo:22x1",
];

const ALGORITHMS: &[&str] = &["pns", "pnt", "pn2", "pp", "ppt", "pp2"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (boards, algorithms): (Vec<&str>, Vec<&str>) =
        arguments.iter().map(String::as_str).partition(|argument| argument.contains('x'));
    let boards = if boards.is_empty() { BOARDS.to_vec() } else { boards };
    let algorithms: Vec<&str> = algorithms.iter().flat_map(|list| list.split(',')).collect();
    let algorithms = if algorithms.is_empty() { ALGORITHMS.to_vec() } else { algorithms };
    println!(
        "{:16}{:5}{:>9}{:>12}{:>13}{:>12}{:>9}{:>9}{:>10}{:>8}",
        "board", "", "value", "expansions", "nodes", "paper", "s", "paper", "nodes/s", "B/node"
    );
    for board in boards {
        for &algorithm in &algorithms {
            let (name, size) = board.split_once(':').expect("a board is GAME:CxR");
            match name {
                "domineering" => {
                    let setup = domineering::Setup::parse(size).expect("a size");
                    row(&domineering::Domineering::<u64>::new(setup), board, algorithm);
                }
                "nogo" => {
                    row(&nogo::NoGo::<u64>::new(nogo::Setup::parse(size).expect("a size")), board, algorithm)
                }
                _ => panic!("no table for `{board}`"),
            }
        }
    }
}

fn row<G: Game>(game: &G, board: &str, algorithm: &str) {
    let config = proof::Config::named(algorithm).unwrap_or_else(|| panic!("no algorithm `{algorithm}`"));
    let most = if config.store == proof::Store::TwoLevel { 1_000_000_000 } else { 10_000_000 };
    let limits = Limits { nodes: Some(most), memory: 8 << 30, ..Limits::default() };
    let pos: G::Pos = game.start();
    debug_assert!(G::Pos::ACYCLIC);
    let (report, stats) =
        proof::solve_with_stats(&pos, config, &*game.knowledge(), &limits, false, &mut |_| ())
            .expect("acyclic");
    let seconds = report.elapsed.as_secs_f64();
    let paper = PAPER.iter().find(|row| (row.0, row.1) == (board, algorithm));
    let printed = |number: f64, digits| match number {
        0.0 => String::new(),
        n if n < 0.0 => format!(">{:.digits$}", -n),
        n => format!("{n:.digits$}"),
    };
    let value = report.bounds.value();
    let sign = if value.is_none() { ">" } else { "" };
    println!(
        "{board:16}{algorithm:5}{:>9}{:>12}{:>13}{:>12}{:>9.2}{:>9}{:>10.0}{:>8.1}",
        report.bounds.to_string(),
        stats.expansions,
        format!("{sign}{}", stats.nodes),
        paper.map_or(String::new(), |row| printed(row.2, 0)),
        seconds,
        paper.map_or(String::new(), |row| printed(row.3, 2)),
        report.nodes as f64 / seconds,
        stats.bytes as f64 / stats.stored.max(1) as f64,
    );
}
