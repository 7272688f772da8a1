//! Every game on every board that its family names, and the papers' games on every board that there is: a picture, a text that reads back, counts, an exact search and a player.
//! The program's commands are calls of these.

use proofplay_registry::{DynSearch, GAMES, game};
use proofplay_search::{Ask, Limits, Resources, Run, SearchSpec};
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// The sizes of boards that must be accepted; all others must be refused.
fn sizes(longest: u32, fits: impl Fn(u32, u32) -> bool) -> (Vec<String>, Vec<String>) {
    let sides = (1..=longest).flat_map(|cols| (1..=longest).map(move |rows| (cols, rows)));
    let (good, bad): (Vec<_>, Vec<_>) = sides.partition(|&(cols, rows)| fits(cols, rows));
    let text = |sizes: Vec<(u32, u32)>| sizes.iter().map(|(cols, rows)| format!("{cols}x{rows}")).collect();
    (text(good), text(bad))
}

/// Two moves by a player that looks at some random games.
fn play_two(search: &mut dyn DynSearch, name: &str, legal: &[String]) {
    let limits = Limits { simulations: Some(20), ..Limits::default() };
    let best = search.run(Ask::Value, &mut Run::new(limits)).unwrap().best.unwrap();
    assert!(legal.contains(&best), "{name}: {best}");
    search.play(&best).unwrap();
    let next = search.run(Ask::Value, &mut Run::new(limits)).unwrap();
    if let Some(best) = next.best {
        search.play(&best).unwrap();
    }
}

fn works(name: &str) {
    let game = game(name).unwrap_or_else(|e| panic!("{e}"));
    let start = game.start();
    assert_eq!(game.parse(&start.text()).unwrap().text(), start.text(), "{name}");
    let (view, legal) = (start.view(), start.legal());
    let places: HashSet<(i16, i16)> = view.cells.iter().map(|cell| (cell.x, cell.y)).collect();
    assert_eq!(places.len(), view.cells.len(), "{name}: cells lie on each other");
    let picture = view.draw(|symbol, _| symbol.to_string());
    assert!(!places.is_empty() && !picture.contains('\u{0}'), "{name}: {picture}");
    if start.outcome().is_some() {
        // A board of one cell, a tree without moves.
        return assert!(legal.is_empty(), "{name}");
    }
    let lines = start.perft(1, 1, &AtomicBool::new(false), &|_, _, _| ()).unwrap();
    assert_eq!(lines.iter().map(|line| line.0.clone()).collect::<Vec<_>>(), legal, "{name}");
    assert!(lines.iter().all(|line| line.1 == 1) && !legal.is_empty(), "{name}");
    let exact = if game.repeats() { "score-bounded:facts=on" } else { "alphabeta" };
    let search: SearchSpec = exact.parse().unwrap();
    let resources = Resources { memory: 1 << 22, ..Resources::default() };
    let limits = Limits { nodes: Some(200), simulations: Some(20), ..Limits::default() };
    let report = start.search(&search, resources, Ask::Value, &mut Run::new(limits)).unwrap();
    assert!(
        start.range().contains(report.bounds.pess) && start.range().contains(report.bounds.opti),
        "{name}"
    );
    let mut player = start.start_search(&"mcts".parse().unwrap(), resources).unwrap();
    play_two(&mut *player, name, &legal);
}

/// All of these boards work and all others are refused.
fn check(name: &str, (good, bad): (Vec<String>, Vec<String>)) {
    good.iter().for_each(|parameters| works(&format!("{name}:{parameters}")));
    for parameters in bad {
        assert!(game(&format!("{name}:{parameters}")).is_err(), "{name}:{parameters}");
    }
    works(name);
}

#[test]
fn boards_of_every_family() {
    GAMES.iter().flat_map(|entry| entry.boards()).for_each(works);
}

#[test]
fn rectangles() {
    check("amazons", sizes(33, |cols, rows| cols.min(rows) >= 4 && cols * rows <= 128));
    check("breakthrough", sizes(65, |cols, rows| cols >= 2 && rows >= 4 && cols * rows <= 128));
}

#[test]
fn squares() {
    check("loa", sizes(12, |cols, rows| cols == rows && (3..=11).contains(&cols)));
    check("checkers", sizes(12, |cols, rows| cols == rows && (4..=10).contains(&cols)));
    for size in 4..=10 {
        for rows in 1..=(size - 1) / 2 {
            works(&format!("checkers:{size}x{size},rows={rows},draw=none"));
        }
    }
}

#[test]
fn go_boards() {
    check("go", sizes(20, |cols, rows| cols.max(rows) <= 19));
}

#[test]
fn hexagons_stars_and_options() {
    let numbers = |range: std::ops::RangeInclusive<u32>| {
        let text = |numbers: Vec<u32>| numbers.iter().map(u32::to_string).collect::<Vec<_>>();
        let (good, bad) = (0..20).partition(|number| range.contains(number));
        (text(good), text(bad))
    };
    check("pentalath", numbers(2..=6));
    check("chinese-checkers", numbers(1..=4));
    for number in 0..8 {
        let option = |bit: u32, name: &str| {
            let value = if number >> bit & 1 == 1 { "yes" } else { "no" };
            format!("{name}={value}")
        };
        works(&format!("cannon:{},{},{}", option(0, "corners"), option(1, "overshoot"), option(2, "mate")));
    }
}
