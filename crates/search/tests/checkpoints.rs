//! Searches that are stopped repeatedly and continue from their checkpoints.

use proofplay_core::{Game, Line, Position, Rng, Score, minimax};
use proofplay_games::connect4::Connect4;
use proofplay_games::in_a_row::Any;
use proofplay_games::mnk::Mnk;
use proofplay_games::{domineering, nogo};
use proofplay_search::checkpoint::{Checkpoint, Flaw, Head, Spent};
use proofplay_search::{Ask, Limits, Report, Resources, Run, SearchError, SearchSpec};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A temporary file, removed at the end.
struct Place(PathBuf);

impl Place {
    fn new(test: &str) -> Place {
        let test = test.replace([':', '=', ',', '/'], "-");
        let folder = std::env::temp_dir().join(format!("proofplay-resume-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Place(folder.join("file"))
    }

    /// The checkpoint of a new search.
    fn begin(&self) -> Checkpoint {
        Checkpoint::new(&self.0, OFTEN, head()).unwrap()
    }

    /// The same, with a flag that stops reading.
    fn resume_unless(&self, stop: &Arc<AtomicBool>) -> Checkpoint {
        Checkpoint::resume(&self.0, &self.0, OFTEN, stop).unwrap()
    }

    /// The checkpoint of a search that continues.
    fn resume(&self) -> Checkpoint {
        self.resume_unless(&Arc::default())
    }
}

const OFTEN: Duration = Duration::from_millis(1);

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.0.parent().unwrap());
    }
}

fn head() -> Head {
    let text = |text: &str| text.to_owned();
    Head {
        line: Line::start("some game"),
        position: text("some position"),
        algorithm: text("some algorithm"),
        all_moves: false,
        seed: 0,
        memory: 1 << 20,
        threads: 1,
        spent: Spent::default(),
    }
}

/// What a search may use, and how it is run.
type Budget<M> = (Resources, Run<'static, M>);

fn limits<M>(nodes: u64, checkpoint: Checkpoint) -> Budget<M> {
    let mut run = Run::new(Limits { nodes: Some(nodes), ..Limits::default() });
    run.checkpoint = Some(Arc::new(checkpoint));
    (Resources { memory: 1 << 26, ..Resources::default() }, run)
}

fn run<G: Game>(
    game: &G,
    pos: &G::Pos,
    spec: &str,
    (resources, mut run): Budget<<G::Pos as Position>::Move>,
    ask: Ask,
) -> Result<Report<<G::Pos as Position>::Move>, SearchError> {
    let spec: SearchSpec = spec.parse().unwrap();
    spec.start(pos, game.extras(), resources).unwrap().run(ask, &mut run)
}

/// Stops after `nodes` nodes and continues until all is known; returns the answer and the number of
/// runs.
fn in_parts<G: Game>(
    game: &G,
    pos: &G::Pos,
    spec: &str,
    nodes: u64,
    ask: Ask,
    threads: usize,
) -> (Report<<G::Pos as Position>::Move>, u32) {
    let place = Place::new(&format!("{}-{spec}-{threads}-{ask:?}", game.name()));
    let mut checkpoint = place.begin();
    // A search on the second level must fit into one run.
    let mut nodes = if spec.ends_with('2') { 50 * nodes } else { nodes };
    for runs in 1..200 {
        nodes += nodes / 4;
        let (resources, limited) = limits(nodes, checkpoint);
        let report = run(game, pos, spec, (Resources { threads, ..resources }, limited), ask).unwrap();
        if report.is_solved(ask) {
            return (report, runs);
        }
        checkpoint = place.resume();
        let spent = checkpoint.head().spent;
        assert!(spent.nodes > 0 && spent.nodes >= report.nodes, "{spec}");
    }
    panic!("{spec} does not end");
}

const TABLES: &[&str] = &["alphabeta", "alphabeta:symmetry=off,facts=off", "dfpn", "dfpp:facts=off"];
const TREES: &[&str] = &["pns", "pn2", "pp", "pp2", "mcts", "exact-win", "score-bounded:facts=on"];
const GRAPHS: &[&str] = &["pnt", "ppt:symmetry=on", "ppt:facts=on,init=unit"];

fn same_value<G: Game>(game: &G, pos: &G::Pos, nodes: u64) {
    let (value, mut moves) = (minimax(pos), Vec::new());
    pos.moves(&mut moves);
    let name = game.name();
    let mut stopped = 0;
    for spec in [TABLES, TREES, GRAPHS].concat() {
        let (report, runs) = in_parts(game, pos, spec, nodes, Ask::Value, 1);
        assert_eq!(report.bounds.value(), Some(value), "{name} {spec}");
        stopped += runs - 1;
        let (report, runs) = in_parts(game, pos, spec, nodes, Ask::AllMoves, 1);
        stopped += runs - 1;
        assert_eq!(report.moves.len(), moves.len());
        for known in &report.moves {
            assert_eq!(known.bounds.value(), Some(minimax(&pos.after(known.mv))), "{name} {spec}");
        }
    }
    for spec in ["alphabeta", "dfpn", "score-bounded"] {
        let (report, _) = in_parts(game, pos, spec, nodes, Ask::Value, 3);
        assert_eq!(report.bounds.value(), Some(value), "{name} {spec} with threads");
    }
    assert!(stopped > 10, "{name} was stopped {stopped} times");
}

#[test]
fn tic_tac_toe() {
    let game = Mnk::new(Any::<u64>::new(3, 3, 3));
    let pos = game.start();
    same_value(&game, &pos.after(game.parse_move(&pos, "b1").unwrap()), 100);
}

#[test]
fn domineering() {
    let game = domineering::Domineering::<u64>::new(domineering::Setup::parse("4x4").unwrap());
    same_value(&game, &game.start(), 40);
}

#[test]
fn nogo_after_random_moves() {
    let game = nogo::NoGo::<u64>::new(nogo::Setup::parse("3x3").unwrap());
    let mut rng = Rng::new(5);
    for _ in 0..3 {
        let mut pos = game.start();
        for _ in 0..2 {
            let mv = pos.random_move(&mut rng, &mut Vec::new());
            pos.play(mv);
        }
        same_value(&game, &pos, 60);
    }
}

#[test]
fn connect4_in_many_parts() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 4));
    for spec in ["alphabeta", "dfpn", "dfpp", "pnt", "ppt"] {
        let (report, runs) = in_parts(&game, &game.start(), spec, 700, Ask::Value, 1);
        assert_eq!((report.bounds.value(), runs > 2), (Some(Score::DRAW), true), "{spec} in {runs} runs");
    }
}

/// What [`half_a_millisecond`] has said, in its unit.
static HAND: AtomicU64 = AtomicU64::new(0);

/// A clock that advances by half a millisecond whenever it is asked: a search asks twice whenever it looks at it.
fn half_a_millisecond() -> Duration {
    Duration::from_micros(500 * HAND.fetch_add(1, Relaxed))
}

/// A pause does not lose what was done, even in a small table.
#[test]
fn pauses_cost_little() {
    let game = Connect4::new(Any::<u64>::new(5, 4, 4));
    for memory in [1 << 14, 1 << 24] {
        let little = Resources { memory, ..Resources::default() };
        let alone = run(&game, &game.start(), "alphabeta:symmetry=off", (little, Run::default()), Ask::Value)
            .unwrap();
        let place = Place::new("pauses");
        // By this clock it looks at its limits at every node, a millisecond each, and pauses half-way.
        HAND.store(0, Relaxed);
        let pause = Duration::from_millis(alone.nodes / 2);
        let checkpoint = Checkpoint::new(&place.0, pause, head()).unwrap();
        let (_, mut with) = limits(u64::MAX, checkpoint.by_clock(half_a_millisecond));
        with.limits.clock = Some(half_a_millisecond);
        let with = (little, with);
        let with = run(&game, &game.start(), "alphabeta:symmetry=off", with, Ask::Value).unwrap();
        assert_eq!(with.bounds, alone.bounds);
        assert!(place.0.exists(), "it has paused");
        assert!(with.nodes < alone.nodes * 3 / 2, "{} instead of {}", with.nodes, alone.nodes);
    }
}

#[test]
fn some_searches_keep_nothing() {
    let game = Mnk::new(Any::<u64>::new(3, 3, 3));
    for name in ["minimax", "retrograde"] {
        let place = Place::new(name);
        let error = run(&game, &game.start(), name, limits(10, place.begin()), Ask::Value).unwrap_err();
        assert_eq!(error, SearchError::Checkpoint(Flaw::Nothing(name)));
    }
}

/// The file with something else in it and a checksum that fits.
fn forge(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    bytes.truncate(bytes.len() - 4);
    change(&mut bytes);
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    fs::write(path, bytes).unwrap();
}

/// Files that are whole and make no sense: no panic, no endless search. Most are refused; the
/// others change numbers that the search trusts.
#[test]
fn nonsense_is_refused() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 4));
    let (pos, mut rng) = (game.start(), Rng::new(9));
    for spec in [TABLES, TREES, GRAPHS].concat() {
        let place = Place::new(&format!("nonsense-{spec}"));
        let unsolved = run(&game, &pos, spec, limits(200, place.begin()), Ask::Value).unwrap();
        assert!(!unsolved.is_solved(Ask::Value), "{spec}");
        let whole = fs::read(&place.0).unwrap();
        let start = whole.windows(2).position(|two| two == b"\n\n").unwrap() + 2;
        let mut refused = 0;
        for round in 0..120 {
            fs::write(&place.0, &whole).unwrap();
            forge(&place.0, |bytes| match round {
                0 => bytes.truncate(start),
                1 => bytes.push(0),
                2 => bytes[start] ^= 1,
                3..20 => bytes.truncate(start + rng.below((bytes.len() - start) as u32) as usize),
                // Large numbers, most of them where counts are: near the beginning.
                80.. => {
                    let (near, length) = (round < 110, 1 + rng.below(16) as usize);
                    let end = bytes.len() - length;
                    let end = if near { end.min(start + 200) } else { end };
                    let at = start + rng.below((end - start) as u32) as usize;
                    bytes[at..at + length].fill(0xff);
                }
                _ => {
                    let at = start + rng.below((bytes.len() - start) as u32) as usize;
                    bytes[at] = rng.next_u64() as u8;
                }
            });
            match run(&game, &pos, spec, limits(5000, place.resume()), Ask::Value) {
                Err(SearchError::Checkpoint(_)) => refused += 1,
                other => assert!(round >= 20 && other.is_ok(), "{spec}, round {round}"),
            }
        }
        assert!(refused >= 20, "{spec}: {refused}");
    }
}

/// Claims that only show to be wrong when the search comes there: the file is refused then, by one
/// thread and by two. Before, the search panicked.
#[test]
fn claims_that_contradict_the_rules_are_refused_later() {
    let game = Mnk::new(Any::<u64>::new(3, 3, 3));
    let pos = game.start();
    let place = Place::new("claims");
    let contradiction = Flaw::Nonsense("what is certain contradicts the rules");
    let mut found = [0; 2];
    for (threads, found) in [1, 2].into_iter().zip(&mut found) {
        run(&game, &pos, "mcts", limits(60, place.begin()), Ask::Value).unwrap();
        let whole = fs::read(&place.0).unwrap();
        let start = whole.windows(2).position(|two| two == b"\n\n").unwrap() + 2;
        for at in start..whole.len() - 4 {
            fs::write(&place.0, &whole).unwrap();
            forge(&place.0, |bytes| bytes[at] = if bytes[at] == 0 { 1 } else { 0 });
            let (mut resources, mut budget) = limits(3000, place.resume());
            resources.threads = threads;
            budget.limits.simulations = Some(3000);
            match run(&game, &pos, "mcts", (resources, budget), Ask::Value) {
                Err(SearchError::Checkpoint(flaw)) => *found += u32::from(flaw == contradiction),
                other => assert!(other.is_ok(), "{at}"),
            }
        }
    }
    assert!(found.iter().all(|&found| found > 0), "{found:?}");
}

/// Counters at their maximum: a search that continues still counts.
#[test]
fn large_counters_do_no_harm() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 4));
    let place = Place::new("counters");
    for spec in ["mcts", "pns", "alphabeta"] {
        run(&game, &game.start(), spec, limits(200, place.begin()), Ask::Value).unwrap();
        forge(&place.0, |bytes| {
            // The key of the root, then how many parts of the search there were.
            let start = bytes.windows(2).position(|two| two == b"\n\n").unwrap() + 2;
            if spec == "mcts" {
                bytes[start + 16..start + 24].fill(0xff);
            }
            let head = String::from_utf8(bytes[..start].to_vec()).unwrap();
            let most = u64::MAX.to_string();
            let lines = head.lines().map(|line| match line.split_once(": ") {
                Some((key @ ("seed" | "nodes" | "expansions" | "playouts" | "milliseconds"), _)) => {
                    format!("{key}: {most}\n")
                }
                _ => format!("{line}\n"),
            });
            let head: String = lines.collect();
            bytes.splice(..start, head.into_bytes());
        });
        let report = run(&game, &game.start(), spec, limits(300, place.resume()), Ask::Value).unwrap();
        assert!(report.nodes > 290 && report.nodes < 400, "{spec}: {}", report.nodes);
        let spent = place.resume().head().spent;
        assert_eq!((spent.nodes, spent.playouts), (u64::MAX, u64::MAX), "{spec}");
        assert_eq!(spent.elapsed, Duration::from_millis(u64::MAX), "{spec}");
        assert!(run(&game, &game.start(), spec, limits(300, place.resume()), Ask::Value).is_ok(), "{spec}");
    }
}

/// Each thread takes nodes from the tree in advance: those that are unused when a run ends are not
/// lost.
#[test]
fn pauses_lose_no_nodes() {
    let game = Connect4::new(Any::<u64>::new(7, 6, 4));
    for threads in [1, 2, 8] {
        let place = Place::new(&format!("nodes-{threads}"));
        let mut checkpoint = place.begin();
        for runs in 1..=6 {
            let (resources, limited) = limits(150, checkpoint);
            let budget = (Resources { threads, ..resources }, limited);
            let report = run(&game, &game.start(), "mcts", budget, Ask::Value).unwrap();
            let most = 150 + 56 * (threads as u64 - 1);
            assert!(report.nodes > 142 && report.nodes <= most, "{}", report.nodes);
            checkpoint = place.resume();
            let nodes = checkpoint.head().spent.nodes;
            assert!(nodes > 142 * runs && report.memory as u64 == 24 * nodes);
            let bytes = fs::metadata(&place.0).unwrap().len();
            assert!(bytes < 24 * (nodes + 1100 * threads as u64) + 500, "{bytes} bytes for {nodes} nodes");
        }
    }
}

/// Another position, another search of the same game, or less memory.
#[test]
fn what_does_not_fit_is_refused() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 4));
    for (spec, other) in [("alphabeta", "dfpn"), ("ppt", "pp"), ("mcts", "ppt"), ("pns", "pnt")] {
        let place = Place::new(&format!("fit-{spec}"));
        run(&game, &game.start(), spec, limits(200, place.begin()), Ask::Value).unwrap();
        let mut pos = game.start();
        pos.play(game.parse_move(&pos, "1").unwrap());
        let elsewhere = run(&game, &pos, spec, limits(200, place.resume()), Ask::Value).unwrap_err();
        assert_eq!(elsewhere.to_string(), "checkpoint: it makes no sense: it is about another position");
        let otherwise = run(&game, &game.start(), other, limits(200, place.resume()), Ask::Value);
        assert!(matches!(otherwise, Err(SearchError::Checkpoint(_))), "{spec} as {other}");
    }
    let game = Connect4::new(Any::<u64>::new(6, 5, 4));
    for spec in ["mcts", "alphabeta", "ppt"] {
        let place = Place::new(&format!("memory-{spec}"));
        run(&game, &game.start(), spec, limits(20_000, place.begin()), Ask::Value).unwrap();
        let (resources, limited) = limits(1, place.resume());
        let less = (Resources { memory: 1 << 10, ..resources }, limited);
        let error = run(&game, &game.start(), spec, less, Ask::Value).unwrap_err();
        assert!(matches!(error, SearchError::Checkpoint(Flaw::Memory(100_000..))), "{spec}: {error}");
    }
}

/// Reading a large file can be stopped, and the file is unchanged.
#[test]
fn reading_can_be_stopped() {
    let game = Connect4::new(Any::<u64>::new(6, 5, 4));
    for spec in [TABLES, TREES, GRAPHS].concat() {
        let place = Place::new(&format!("stop-{spec}"));
        run(&game, &game.start(), spec, limits(2_000, place.begin()), Ask::Value).unwrap();
        let before = fs::read(&place.0).unwrap();
        let stop = Arc::default();
        let checkpoint = place.resume_unless(&stop);
        stop.store(true, Relaxed);
        let error = run(&game, &game.start(), spec, limits(2_000, checkpoint), Ask::Value).unwrap_err();
        assert!(matches!(error, SearchError::Checkpoint(Flaw::Stopped)), "{spec}: {error}");
        assert!(fs::read(&place.0).unwrap() == before, "{spec}");
    }
}
