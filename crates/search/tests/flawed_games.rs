//! Games that break a promise of [`Position`]: every search ends with a message that names what to
//! repair, in release builds too.

use proofplay_core::minimax::Memo;
use proofplay_core::{Bounds, Key, Player, Position, Score, minimax, mix};
use proofplay_search::{Ask, Limits, Resources, Run, SearchKind, SearchSpec};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The range is that of win, draw and loss, but the winner gets five points.
const FORGOTTEN_RANGE: u8 = 0;
/// The range is that of win, draw and loss until the game is over.
const GROWING_RANGE: u8 = 1;
/// One is put back where one could be the last, so that positions repeat and no game ends.
const REPEATS: u8 = 2;
/// Nothing is wrong.
const SOUND: u8 = 3;

/// Take one or two from a pile; taking the last one gives five points.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Pile<const FLAW: u8> {
    left: u16,
    mover: Player,
}

impl<const FLAW: u8> Position for Pile<FLAW> {
    type Move = u8;
    fn repeats(&self) -> bool {
        false
    }

    fn turn(&self) -> Player {
        self.mover
    }
    fn outcome(&self) -> Option<Score> {
        (self.left == 0).then(|| Score(5).seen_by(!self.mover))
    }
    fn moves(&self, out: &mut Vec<u8>) {
        let most = if FLAW == REPEATS { self.left - 1 } else { self.left };
        out.extend((1..=2).filter(|&taken| u16::from(taken) <= most));
        out.extend((FLAW == REPEATS && most == 0).then_some(0));
    }
    fn play(&mut self, taken: u8) {
        self.left = if taken == 0 { self.left + 1 } else { self.left - u16::from(taken) };
        self.mover = !self.mover;
    }
    fn key(&self) -> Key {
        mix(Key::from(self.left) << 1 | self.mover.index() as Key)
    }
    fn range(&self) -> Bounds {
        match FLAW {
            FORGOTTEN_RANGE => Bounds::WDL,
            GROWING_RANGE if self.left > 0 => Bounds::WDL,
            _ => Bounds::new(Score(-5), Score(5)),
        }
    }
}

fn pile<const FLAW: u8>(left: u16) -> Pile<FLAW> {
    Pile { left, mover: Player::First }
}

/// The message of the panic that `work` ends with.
fn panic_of<T>(work: impl FnOnce() -> T) -> String {
    let Err(panic) = catch_unwind(AssertUnwindSafe(work)) else { return "no panic".to_owned() };
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref().cloned()).unwrap_or_default()
}

fn run<const FLAW: u8>(spec: &str, start: &Pile<FLAW>, threads: usize, ask: Ask) -> Bounds {
    let resources = Resources { threads, memory: 1 << 20, ..Resources::default() };
    let limits = Limits { simulations: Some(1000), ..Limits::default() };
    let spec: SearchSpec = spec.parse().unwrap();
    spec.start_bare(start, resources).unwrap().run(ask, &mut Run::new(limits)).unwrap().bounds
}

/// Other places where searches read the score of a finished game.
const SETTINGS: [&str; 12] = [
    "alphabeta:facts=off",
    "alphabeta:depth=9",
    "dfpn:facts=off",
    "pns:facts=on",
    "mcts:proof=none",
    "mcts:proof=none,leaf=uniform",
    "mcts:proof=none,leaf=weighted",
    "mcts:proof=none,moves=50",
    "mcts:leaf=evaluate",
    "mcts:expand=one",
    "mcts:ms=9,mb=9",
    "mcts:proof=none,mr=9",
];

fn searches() -> impl Iterator<Item = &'static str> {
    SearchKind::all().iter().map(|kind| kind.name).chain(SETTINGS)
}

#[test]
fn scores_outside_the_range_are_named() {
    let ends =
        ["+5", "-5"].map(|end| format!("the game ends with {end}, but `Position::range` says [-1, +1]"));
    let is_named = |text: &str| ends.iter().any(|end| text.contains(end));
    for spec in searches() {
        for (threads, ask) in [(1, Ask::Value), (1, Ask::AllMoves), (2, Ask::Value)] {
            let text = panic_of(|| run(spec, &pile::<FORGOTTEN_RANGE>(6), threads, ask));
            assert!(is_named(&text), "{spec} with {threads} threads: {text}");
        }
        // A game that is over, and one that a single move ends.
        for left in 0..2 {
            let text = panic_of(|| run(spec, &pile::<FORGOTTEN_RANGE>(left), 1, Ask::Value));
            assert!(is_named(&text), "{spec}, {left} left: {text}");
        }
    }
    assert!(is_named(&panic_of(|| minimax(&pile::<FORGOTTEN_RANGE>(6)))));
    assert!(is_named(&panic_of(|| Memo::new().value(&pile::<FORGOTTEN_RANGE>(6)))));
}

/// What a range that grows makes of the bounds is contradictory: no search reports it.
#[test]
fn bounds_are_never_upside_down() {
    for spec in searches() {
        let start = pile::<GROWING_RANGE>(6);
        let mut found = None;
        let text = panic_of(|| found = Some(run(spec, &start, 1, Ask::Value)));
        match found {
            Some(bounds) => assert!(bounds.pess <= bounds.opti, "{spec}: {bounds}"),
            None => assert!(text.contains("`Position::range`"), "{spec}: {text}"),
        }
    }
}

#[test]
fn searches_that_would_never_come_back_say_why() {
    let expected = "does the game repeat positions although `Position::repeats` is false?";
    for spec in ["minimax", "alphabeta", "alphabeta:facts=off", "dfpn", "dfpp", "pnt", "ppt"] {
        for threads in 1..=2 {
            let text = panic_of(|| run(spec, &pile::<REPEATS>(6), threads, Ask::Value));
            assert!(text.contains(expected), "{spec} with {threads} threads: {text}");
        }
    }
    assert!(panic_of(|| minimax(&pile::<REPEATS>(6))).contains(expected));
    assert!(panic_of(|| Memo::new().value(&pile::<REPEATS>(6))).contains(expected));
}

#[test]
fn a_sound_game_is_searched() {
    for spec in searches() {
        let bounds = run(spec, &pile::<SOUND>(6), 1, Ask::Value);
        assert!(bounds.contains(Score(-5)), "{spec}: {bounds}");
    }
    // Just as deep as the searches go.
    let deep = pile::<SOUND>(999);
    for spec in ["alphabeta", "dfpn", "dfpp"] {
        assert_eq!(run(spec, &deep, 1, Ask::Value), Bounds::exact(Score(-5)), "{spec}");
    }
    assert_eq!(Memo::new().value(&deep), Score(-5));
}
