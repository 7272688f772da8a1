//! Whoever sets the stop flag, at whatever moment, does not wait long: positions count what is done with them, and set the flag.

use proofplay_core::{Blank, Bounds, Game, Key, Player, Position, Score};
use proofplay_games::connect4::Connect4;
use proofplay_games::in_a_row::Any;
use proofplay_search::checkpoint::{Checkpoint, Head, Spent};
use proofplay_search::proof::Goal;
use proofplay_search::{Limits, NoMove, SearchSpec, mcts};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Counts lists of moves and moves, and sets the flag after so many of them.
#[derive(Debug)]
struct Meter {
    count: AtomicU64,
    last: u64,
    stop: Arc<AtomicBool>,
}

impl Meter {
    fn count(&self) {
        if self.count.fetch_add(1, Relaxed) + 1 >= self.last {
            self.stop.store(true, Relaxed);
        }
    }
}

/// A position that counts. Nothing else is known about it but the rules.
#[derive(Clone, Debug)]
struct Counting<P> {
    pos: P,
    meter: Arc<Meter>,
}

impl<P: PartialEq> PartialEq for Counting<P> {
    fn eq(&self, other: &Self) -> bool {
        self.pos == other.pos
    }
}

impl<P: Eq> Eq for Counting<P> {}

impl<P: Hash> Hash for Counting<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.pos.hash(state);
    }
}

impl<P: Position> Position for Counting<P> {
    type Move = P::Move;
    const ACYCLIC: bool = P::ACYCLIC;

    fn turn(&self) -> Player {
        self.pos.turn()
    }

    fn outcome(&self) -> Option<Score> {
        self.pos.outcome()
    }

    fn moves(&self, out: &mut Vec<P::Move>) {
        self.meter.count();
        self.pos.moves(out);
    }

    fn play(&mut self, mv: P::Move) {
        self.meter.count();
        self.pos.play(mv);
    }

    fn key(&self) -> Key {
        self.pos.key()
    }

    fn range(&self) -> Bounds {
        self.pos.range()
    }
}

/// A clock by which all takes so long that a search looks at the flag at every step.
fn slow_clock() -> Duration {
    static HAND: AtomicU64 = AtomicU64::new(0);
    Duration::from_millis(HAND.fetch_add(3, Relaxed))
}

/// A position that sets the flag after `last` steps, and limits that know the flag.
fn set_up<P: Position>(pos: P, last: u64) -> (Counting<P>, Limits) {
    let limits = Limits { clock: Some(slow_clock), ..Limits::default() };
    let meter = Meter { count: AtomicU64::new(0), last, stop: Arc::clone(&limits.stop) };
    if last == 0 {
        limits.stop.store(true, Relaxed);
    }
    (Counting { pos, meter: Arc::new(meter) }, limits)
}

const SPECS: &[&str] = &[
    "minimax",
    "alphabeta",
    "alphabeta:deepen=on",
    "dfpn",
    "dfpp:init=eval",
    "pns",
    "pnt",
    "pn2",
    "pp:init=eval",
    "ppt:symmetry=on",
    "pp2:init=unit",
    "mcts",
    "mcts:full=stay",
    "mcts:leaf=evaluate",
    "mcts:leaf=evaluate,batch=10000",
    "mcts:ms=15",
    "mcts:mb=15,proof=solver",
    "mcts:mr=15",
    "mcts:mr=15,t=10",
];

#[test]
fn every_search_ends_soon() {
    /// About as many steps as a playout and a look at two plies take, and lines of play for a report.
    const ENOUGH: u64 = 1500;
    let start = Connect4::new(Any::<u64>::new(7, 6, 4)).start();
    for spec in SPECS {
        for memory in [1 << 12, 1 << 24] {
            for last in [0, 1, 30, 1000, 50_000] {
                for (all_moves, threads) in [(false, 1), (true, 1), (false, 3)] {
                    let (pos, limits) = set_up(start, last);
                    let limits = Limits { memory, threads, ..limits };
                    let search: SearchSpec = spec.parse().unwrap();
                    search.run(&pos, Arc::new(Blank), &limits, all_moves, &mut |_| ()).unwrap();
                    let steps = pos.meter.count.load(Relaxed);
                    assert!(steps >= last, "{spec} has an end of its own");
                    let late = steps - last;
                    assert!(
                        late < ENOUGH * threads as u64,
                        "{spec}: {late} steps after {last}, {memory} bytes, {threads} threads"
                    );
                }
            }
        }
    }
}

/// Who asks for moves of a strategy hears that there is no time.
#[test]
fn strategists_end_soon() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 4));
    for spec in ["alphabeta", "pns", "mcts"] {
        let (pos, limits) = set_up(game.start(), u64::MAX);
        let goal = Goal { player: Player::First, at_least: Score::DRAW };
        let search: SearchSpec = spec.parse().unwrap();
        let tree = mcts::Mcts::new(pos.clone(), mcts::Config::default(), Arc::new(Blank), &limits);
        let mut tree = tree.unwrap();
        if spec == "mcts" {
            assert!(tree.search(&limits, false, &mut |_| ()).bounds.is_exact());
        }
        limits.stop.store(true, Relaxed);
        let before = pos.meter.count.load(Relaxed);
        let rest = search.strategist(&pos, &Blank, &limits);
        let mut strategist = if spec == "mcts" { tree.strategist(rest, &limits) } else { rest };
        assert_eq!(strategist.choose(&pos, goal, &mut Vec::new()), Err(NoMove::Limit), "{spec}");
        let steps = pos.meter.count.load(Relaxed) - before;
        assert!(steps < 100, "{spec}: {steps}");
    }
}

/// Reading a checkpoint back takes as long as looking at many positions does.
#[test]
fn reading_ends_soon() {
    let start = Connect4::new(Any::<u64>::new(7, 6, 4)).start();
    let text = |text: &str| text.to_owned();
    let head = Head {
        game: text("some game"),
        from: None,
        moves: Vec::new(),
        position: text("some position"),
        algorithm: text("some algorithm"),
        all_moves: false,
        seed: 0,
        memory: 1 << 20,
        threads: 1,
        spent: Spent::default(),
    };
    let folder = std::env::temp_dir().join(format!("proofplay-stop-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("file");
    for spec in ["pns", "ppt", "mcts"] {
        let search: SearchSpec = spec.parse().unwrap();
        let checkpoint = Checkpoint::new(&path, Duration::from_secs(3600), head.clone()).unwrap();
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let limits = Limits { checkpoint: Some(Arc::new(checkpoint)), ..limits };
        search.run(&start, Arc::new(Blank), &limits, false, &mut |_| ()).unwrap();
        let (pos, limits) = set_up(start, 100);
        let checkpoint = Checkpoint::resume(&path, &path, Duration::from_secs(3600), &limits.stop).unwrap();
        let limits = Limits { checkpoint: Some(Arc::new(checkpoint)), ..limits };
        let error = search.run(&pos, Arc::new(Blank), &limits, false, &mut |_| ()).unwrap_err();
        assert_eq!(error.to_string(), "checkpoint: stopped while it was read", "{spec}");
        let late = pos.meter.count.load(Relaxed) - 100;
        assert!(late < 100, "{spec}: {late} steps");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
