//! Finds the positions that the papers' tables need and do not print.
//!
//!     cargo run --release -p proofplay-lab --example find_positions connect4
//!     cargo run --release -p proofplay-lab --example find_positions loa 40 > crates/lab/src/papers/forced_wins.txt
//!
//! Everything follows from fixed seeds. `connect4` prints random positions of Connect Four where every
//! column loses for O and several are hard, with the mean number of simulations that Exact-win needs to
//! prove it, by other seeds than the table's. `loa N` prints N positions of Lines of Action, from games
//! that a weak Monte-Carlo search plays against itself. In each, MCTS-Solver and alpha-beta prove that
//! the player to move wins, and the plain search chooses a move after which no win is found with ten
//! times the effort. Each is followed by the moves that are proven to win.

use proofplay_core::Player;
use proofplay_lab::papers::{FORCED_CHECK, FORCED_CHECK_NODES, FORCED_PLAYOUTS, FORCED_SPECS};
use proofplay_lab::{LabError, Openings};
use proofplay_registry::{DynPosition, game};
use proofplay_search::{Ask, Limits, Report, Resources, Run, SearchSpec};
use std::ops::RangeInclusive;

/// The two searches.
const PLAIN: &str = FORCED_SPECS[0];
const PROVER: &str = FORCED_SPECS[1];
/// Positions before the end of a game that are examined.
const LATE: usize = 20;

fn search(
    pos: &dyn DynPosition,
    spec: &str,
    playouts: u64,
    seed: u64,
    all: bool,
) -> Result<Report<String>, LabError> {
    let spec: SearchSpec = spec.parse().map_err(|error| LabError::Plan(format!("{error}")))?;
    let resources = Resources { memory: 1 << 29, seed, ..Resources::default() };
    let limits = Limits { simulations: Some(playouts), ..Limits::default() };
    let ask = if all { Ask::AllMoves } else { Ask::Value };
    Ok(pos.search(&spec, resources, ask, &mut Run::new(limits))?)
}

fn connect4() -> Result<(), LabError> {
    const EXACT_WIN: &str = "exact-win:select=sum,c=0.032,expand=one,after=1";
    /// This many columns need at least `HARD` simulations each; the paper shows six of seven.
    const COLUMNS: usize = 4;
    const HARD: u64 = 500;
    const SEEDS: RangeInclusive<u64> = 1001..=1100;
    let start = game("connect4:7x6")?.start();
    for pair in 0..20_000 {
        let line = Openings::Random(9 + pair % 4 * 2).of(start.as_ref(), 1, pair)?;
        let mut pos = start.boxed();
        line.iter().try_for_each(|mv| pos.play(mv))?;
        if pos.legal().len() < 7 {
            continue;
        }
        // The cheap test first: is the position solved with few simulations at all?
        let quick = search(pos.as_ref(), EXACT_WIN, 40_000, 1, true)?;
        let lost = quick.moves.len() == 7 && quick.moves.iter().all(|m| m.bounds.pess.0 == 1);
        let hard = quick.moves.iter().filter(|m| m.visits >= HARD).count();
        if !lost || quick.simulations < 8000 || hard < COLUMNS {
            continue;
        }
        let runs: Result<Vec<u64>, LabError> =
            SEEDS.map(|seed| Ok(search(pos.as_ref(), EXACT_WIN, 400_000, seed, true)?.simulations)).collect();
        println!("{:.0} {} {}", runs?.iter().sum::<u64>() as f64 / 100.0, line.len(), line.join(" "));
    }
    Ok(())
}

fn loa(count: usize) -> Result<(), LabError> {
    println!(
        "# Positions of Lines of Action 8x8 with a forced win that plain MCTS misses, and the moves that are proven to"
    );
    println!(
        "# win; the first one by two searches. Found by `find_positions loa {count}`: see examples/find_positions.rs."
    );
    let (rules, mut found) = (game("loa:8x8")?, 0);
    for pair in 0.. {
        let mut pos = rules.start();
        Openings::Random(3).of(pos.as_ref(), 1, pair)?.iter().try_for_each(|mv| pos.play(mv))?;
        let mut past = Vec::new();
        while pos.outcome().is_none() && past.len() < 400 {
            past.push(pos.text());
            let seed = past.len() as u64;
            pos.play(&search(pos.as_ref(), PLAIN, 100, seed, false)?.best.unwrap_or_default())?;
        }
        // Forced wins are near the end; one position a game, since neighbours are much alike.
        for text in &past[past.len().saturating_sub(LATE)..] {
            // Without its past, which a text does not have.
            let pos = rules.parse(text)?;
            if !is_missed(pos.as_ref())? {
                continue;
            }
            let wins = winning_moves(pos.as_ref())?;
            if !wins.is_empty() {
                println!("{text} | {}", wins.join(" "));
                found += 1;
                break;
            }
        }
        if found == count {
            break;
        }
    }
    Ok(())
}

/// Whether the mover is certain to win.
fn is_won(report: &Report<String>, mover: Player) -> bool {
    report.bounds.seen_by(mover).pess.0 > 0
}

/// Whether the position is proven to be won, but not after the move that plain MCTS chooses, even with
/// ten times the effort.
fn is_missed(pos: &dyn DynPosition) -> Result<bool, LabError> {
    let mover = pos.turn();
    if !is_won(&search(pos, PROVER, FORCED_PLAYOUTS, 1_000, false)?, mover) {
        return Ok(false);
    }
    let chosen = search(pos, PLAIN, FORCED_PLAYOUTS, 1_000, false)?.best.unwrap_or_default();
    let mut after = pos.boxed();
    after.play(&chosen)?;
    Ok(after.outcome().is_none() && !is_won(&search(after.as_ref(), PROVER, 50_000, 1, false)?, mover))
}

/// All moves that are proven to win, those first that alpha-beta also proves; none if there is no such
/// move.
fn winning_moves(pos: &dyn DynPosition) -> Result<Vec<String>, LabError> {
    let (mut both, mut one) = (Vec::new(), Vec::new());
    for mv in pos.legal() {
        let mut after = pos.boxed();
        after.play(&mv)?;
        if after.outcome().is_some_and(|score| score.seen_by(pos.turn()).0 > 0) {
            both.push(mv);
        } else if after.outcome().is_none()
            && is_won(&search(after.as_ref(), PROVER, 10_000, 1, false)?, pos.turn())
        {
            let list = if second_opinion(after.as_ref(), pos.turn())? { &mut both } else { &mut one };
            list.push(mv);
        }
    }
    Ok(if both.is_empty() { both } else { [both, one].concat() })
}

/// Whether a search without random numbers also proves the win.
fn second_opinion(after: &dyn DynPosition, mover: Player) -> Result<bool, LabError> {
    let spec = FORCED_CHECK.parse().map_err(|error| LabError::Plan(format!("{error}")))?;
    let resources = Resources { memory: 1 << 26, ..Resources::default() };
    let limits = Limits { nodes: Some(FORCED_CHECK_NODES), ..Limits::default() };
    Ok(is_won(&after.search(&spec, resources, Ask::Value, &mut Run::new(limits))?, mover))
}

fn main() -> Result<(), LabError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["connect4"] => connect4(),
        ["loa", count] => loa(count.parse().unwrap_or(1)),
        _ => Err(LabError::Plan("say connect4, or loa N".to_owned())),
    }
}
