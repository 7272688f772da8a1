//! Every search ends soon after the stop flag is set, at any moment: positions count the calls, and
//! set the flag.

use proofplay_core::{Bounds, Game, Key, Line, Player, Position, Score};
use proofplay_games::connect4::Connect4;
use proofplay_games::in_a_row::Any;
use proofplay_search::checkpoint::{Checkpoint, Head, Spent};
use proofplay_search::distance::Scoring;
use proofplay_search::proof::Goal;
use proofplay_search::{Ask, Limits, NoMove, Resources, Run, SearchSpec};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Counts lists of moves and moves, and sets the flag after a number of them.
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

/// A position that counts, with the rules and nothing else.
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
    fn repeats(&self) -> bool {
        self.pos.repeats()
    }

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

/// A clock so fast that a search checks the flag at every step.
fn slow_clock() -> Duration {
    static HAND: AtomicU64 = AtomicU64::new(0);
    Duration::from_millis(HAND.fetch_add(3, Relaxed))
}

/// A position that sets the flag after `last` steps, and a run with the flag.
fn set_up<P: Position>(pos: P, last: u64) -> (Counting<P>, Run<'static, P::Move>) {
    let run = Run::new(Limits { clock: Some(slow_clock), ..Limits::default() });
    let meter = Meter { count: AtomicU64::new(0), last, stop: Arc::clone(&run.stop) };
    if last == 0 {
        run.stop.store(true, Relaxed);
    }
    (Counting { pos, meter: Arc::new(meter) }, run)
}

const SPECS: &[&str] = &[
    "minimax",
    "retrograde",
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
    /// About the steps of a playout, a search of two plies, and the lines of play for a report.
    const ENOUGH: u64 = 1500;
    let start = Connect4::new(Any::<u64>::new(7, 6, 4)).start();
    for spec in SPECS {
        // What does not fit into memory ends a retrograde analysis.
        for memory in [if *spec == "retrograde" { 1 << 25 } else { 1 << 12 }, 1 << 24] {
            for last in [0, 1, 30, 1000, 50_000] {
                for (ask, threads) in [(Ask::Value, 1), (Ask::AllMoves, 1), (Ask::Value, 3)] {
                    let (pos, mut run) = set_up(start, last);
                    let resources = Resources { memory, threads, ..Resources::default() };
                    let search: SearchSpec = spec.parse().unwrap();
                    search.start_bare(&pos, resources).unwrap().run(ask, &mut run).unwrap();
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

/// A strategy whose flag is set returns that there is no time.
#[test]
fn strategists_end_soon() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 4));
    for spec in ["minimax", "retrograde", "alphabeta", "alphabeta:depth=2", "dfpn", "pns", "ppt", "mcts"] {
        let (pos, mut run) = set_up(game.start(), u64::MAX);
        let goal = Goal { player: Player::First, at_least: Score::DRAW };
        let search: SearchSpec = spec.parse().unwrap();
        let mut search = search.start_bare(&pos, Resources::default()).unwrap();
        if spec == "mcts" {
            assert!(search.run(Ask::Value, &mut run).unwrap().bounds.is_exact());
        }
        run.stop.store(true, Relaxed);
        let before = pos.meter.count.load(Relaxed);
        let mut strategist = search.strategist(&mut (1 << 20), run.limits, &run.stop);
        assert_eq!(
            strategist.choose(&pos, goal, Scoring::Rules, &mut Vec::new()),
            Err(NoMove::Limit),
            "{spec}"
        );
        let steps = pos.meter.count.load(Relaxed) - before;
        assert!(steps < 100, "{spec}: {steps}");
    }
}

/// Reading a checkpoint back visits many positions.
#[test]
fn reading_ends_soon() {
    let start = Connect4::new(Any::<u64>::new(7, 6, 4)).start();
    let text = |text: &str| text.to_owned();
    let head = Head {
        line: Line::start("some game"),
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
        let mut run = Run::new(Limits { nodes: Some(20_000), ..Limits::default() });
        run.checkpoint = Some(Arc::new(checkpoint));
        search.start_bare(&start, Resources::default()).unwrap().run(Ask::Value, &mut run).unwrap();
        let (pos, mut run) = set_up(start, 100);
        let checkpoint = Checkpoint::resume(&path, &path, Duration::from_secs(3600), &run.stop).unwrap();
        run.checkpoint = Some(Arc::new(checkpoint));
        let mut search = search.start_bare(&pos, Resources::default()).unwrap();
        let error = search.run(Ask::Value, &mut run).unwrap_err();
        assert_eq!(error.to_string(), "checkpoint: stopped while it was read", "{spec}");
        let late = pos.meter.count.load(Relaxed) - 100;
        assert!(late < 100, "{spec}: {late} steps");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
