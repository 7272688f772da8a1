//! Text that is about no position: searches, players, amounts, openings, learned categories.

use proofplay_front::amounts as read;
use proofplay_games::loa::Transitions;
use proofplay_lab::{Contender, Openings, grid};
use proofplay_registry::game;
use proofplay_search::{Ask, Limits, Resources, Run, SearchSpec};
use std::fmt::{Debug, Display};
use std::str::{FromStr, from_utf8};

/// What is read is printed so that it reads back.
fn prints_back<T: FromStr<Err: Debug> + Display + PartialEq + Debug>(value: &T) {
    let shown = value.to_string();
    assert_eq!(&shown.parse::<T>().unwrap(), value, "{shown}");
}

/// A search, a player, or a grid of players. A search that can be read can also be run or says why
/// not, and what it proves of a small position is true.
pub fn spec(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    if let Ok(player) = text.parse::<Contender>() {
        prints_back(&player);
    }
    if let Ok(players) = grid(text) {
        players.iter().for_each(prints_back);
    }
    let Ok(spec) = text.parse::<SearchSpec>() else { return };
    prints_back(&spec);
    if spec.to_string().contains("threads=") {
        return;
    }
    let limits = Limits { nodes: Some(500), simulations: Some(100), ..Limits::default() };
    let resources = Resources { memory: 1 << 16, ..Resources::default() };
    for (name, moves) in [("tictactoe", "b2 a1 a3 c1"), ("go:1x3", "a1 pass")] {
        let mut pos = game(name).unwrap().start();
        moves.split(' ').for_each(|mv| pos.play(mv).unwrap());
        let value = super::value(&*pos, 10_000).unwrap();
        if let Ok(report) = pos.search(&spec, resources, Ask::Value, &mut Run::new(limits)) {
            assert!(report.bounds.contains(value), "{name} {spec}: {:?}", report.bounds);
        }
    }
}

/// Numbers of things, times and sizes.
pub fn amounts(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let count = read::count(text);
    if let Ok(count) = count {
        assert_eq!(read::count(&count.to_string()), Ok(count));
    }
    assert_eq!(read::some(text).is_ok(), count.is_ok_and(|count| count > 0));
    let time = read::time(text);
    if let Ok(time) = &time {
        assert_eq!(read::time(&format!("{}ns", time.as_nanos())), Ok(*time));
    }
    assert_eq!(read::some_time(text).is_ok(), time.is_ok_and(|time| !time.is_zero()));
    if let Ok(bytes) = read::memory(text) {
        assert_eq!(read::memory(&format!("{bytes}B")), Ok(bytes));
    }
}

/// A file of openings.
pub fn openings(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let openings = Openings::read(text);
    let Openings::Lines(lines) = &openings else { panic!("{text:?}") };
    assert!(openings.longest() <= text.len() && lines.iter().all(|line| !line.is_empty()));
    let shown: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
    assert_eq!(Openings::read(&shown.join("\n")), openings, "{shown:?}");
}

/// Counts of learned categories. Each has a chance, whatever the others have.
pub fn categories(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    if let Ok(read) = Transitions::parse(text) {
        assert_eq!(Transitions::parse(text), Ok(read));
    }
}
