//! `proofplay bench`: speeds, and one number that changes only when behaviour does.

use crate::output::{per_second, print, print_json, strong};
use crate::progress::Progress;
use crate::{Status, interrupt};
use anyhow::Result;
use clap::Args;
use proofplay_core::Rng;
use proofplay_lab::json::{BenchJson, BenchedGame};
use proofplay_lab::{Fold, SEARCHED, fold_search, late_position};
use proofplay_registry::{GAMES, game};
use proofplay_search::{SearchKind, SearchSpec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Measure the speed of every game, and print the signature of their behaviour
///
/// perft counts lines of play on one thread, playouts are games of random moves. The signature is
/// folded from counts, scores and search results with fixed seeds, never from times: the same
/// number on every machine, and a new one only when the rules or the searches behave differently.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay bench
  proofplay bench --signature")]
pub struct Options {
    /// Find only the signature, measure no speed
    #[arg(long)]
    signature: bool,
}

/// Measure for at least this long, and count perft up to at least this many lines.
const MEASURE: Duration = Duration::from_millis(300);
const LINES: u64 = 500_000;
/// Random games that go into the signature.
const PLAYOUTS: u64 = 500;

impl Options {
    /// Measures every game and prints a line for each.
    pub fn run(&self, json: bool) -> Result<Status> {
        let stop = interrupt::stop_flag()?;
        let mut names: Vec<String> = Vec::new();
        // The games that are code of this program; those of rule sheets are not.
        let compiled = || GAMES.iter().filter(|entry| entry.name() != "gdl");
        let standard = compiled().flat_map(|entry| entry.standard()).map(String::as_str);
        for text in compiled().map(|entry| entry.example()).chain(standard) {
            let name = game(text)?.name();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let table = !json && !self.signature;
        if table {
            let head = format!(
                "{:<width$} {:>9} {:>15} {:>15} {:>11}",
                "game", "bytes/pos", "perft nodes/s", "playouts/s", "moves/game"
            );
            print(&format!("{}\n", strong(&head)))?;
        }
        let progress = Progress::start();
        let (mut fold, mut rows) = (Fold::default(), Vec::new());
        for (i, name) in names.iter().enumerate() {
            progress.parts(i, names.len());
            progress.say(name.clone());
            let Some(row) = measure(name, !self.signature, &stop, &mut fold)? else { break };
            if table {
                progress.aside(|| print(&text(&row, width)))?;
            }
            rows.push(row);
        }
        drop(progress);
        let done = rows.len() == names.len();
        let signature = done.then(|| fold.text());
        if json {
            print_json(&BenchJson::new(signature, rows))?;
        } else {
            print(&format!("signature: {}\n", signature.as_deref().unwrap_or("unknown, interrupted")))?;
        }
        Ok(if done { Status::Done } else { Status::Unfinished })
    }
}

/// What was measured of a game, for a person.
fn text(row: &BenchedGame, width: usize) -> String {
    let rate = |per_s: Option<f64>| per_second(per_s.unwrap_or(0.0) as u64, Duration::from_secs(1));
    format!(
        "{:<width$} {:>9} {:>15} {:>15} {:>11.1}\n",
        row.game,
        row.position_bytes,
        rate(row.perft_nodes_per_s),
        rate(row.playouts_per_s),
        row.mean_plies
    )
}

/// Everything about one game; `None` when stopped.
fn measure(name: &str, speed: bool, stop: &AtomicBool, all: &mut Fold) -> Result<Option<BenchedGame>> {
    let game = game(name)?;
    let (start, mut fold) = (game.start(), Fold::default());
    let mut row = BenchedGame {
        game: name.to_owned(),
        position_bytes: game.position_bytes(),
        ..BenchedGame::default()
    };
    let count = |depth| {
        let counts = start.perft(depth, 1, stop, &|_, _, _| ())?;
        Some(counts.iter().map(|(_, n)| n).sum::<u64>())
    };
    // The first depth with enough lines, or the last one that has any.
    for depth in 1.. {
        let Some(lines) = count(depth) else { return Ok(None) };
        fold.add(lines);
        if lines > 0 {
            (row.perft_depth, row.perft_count) = (depth, lines);
        }
        if lines == 0 || lines >= LINES {
            break;
        }
    }
    row.perft_nodes_per_s = speed.then(|| rate(stop, || count(row.perft_depth).unwrap_or(0)));

    let (scores, plies) = start.playouts(PLAYOUTS, &mut Rng::from_parts(&[1]));
    fold.add(scores as u64);
    fold.add(plies);
    row.mean_plies = plies as f64 / PLAYOUTS as f64;
    let mut rng = Rng::from_parts(&[2]);
    let mut playouts = || {
        start.playouts(PLAYOUTS, &mut rng);
        PLAYOUTS
    };
    row.playouts_per_s = speed.then(|| rate(stop, &mut playouts));

    for number in 0..SEARCHED {
        let pos = late_position(start.as_ref(), number)?;
        // `auto` is one of the others.
        for spec in SearchKind::all().iter().map(SearchKind::spec).filter(|spec| *spec != SearchSpec::Auto) {
            row.search_nodes += fold_search(pos.as_ref(), &spec, &mut fold);
        }
    }
    row.signature = fold.text();
    all.add(fold.0);
    Ok((!stop.load(Relaxed)).then_some(row))
}

/// How much `work` gets done per second.
fn rate(stop: &AtomicBool, mut work: impl FnMut() -> u64) -> f64 {
    let (started, mut done) = (Instant::now(), 0);
    while done == 0 || (started.elapsed() < MEASURE && !stop.load(Relaxed)) {
        done += work().max(1);
    }
    done as f64 / started.elapsed().as_secs_f64()
}
