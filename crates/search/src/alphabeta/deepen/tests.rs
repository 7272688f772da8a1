//! The deepening search against a plain search of the same depth, and its proofs against brute
//! force.

use super::value::{Scale, Worth};
use super::{Config, Deepener};
use crate::testing::{Budget, ForEachGame, any_tree, random_position, small_games, think};
use crate::{Ask, Limits, Report, Resources, Run, Search};
use proofplay_core::minimax::Memo;
use proofplay_core::{Extras, Game, Hints, Key, Player as Mover, Position, Rng, Score, mix, splitmix64};
use proofplay_games::in_a_row::Any;
use proofplay_games::written::Written;
use proofplay_games::{amazons, breakthrough, checkers, connect4::Connect4, go, loa, nogo, pentalath};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Random guesses: each position has its own, always the same.
struct Lots;

impl<P: Position> Hints<P> for Lots {
    fn value(&self, pos: &P) -> f32 {
        (pos.key() >> 40 & 0x7f) as f32 / 64.0 - 1.0
    }
}

fn lots<P: Position>() -> Extras<P> {
    Extras { facts: None, hints: Arc::new(Lots) }
}

/// Every line of play to `depth` plies on real positions: no table, no window, no order.
fn plain<P: Position>(pos: &P, depth: u8, scale: Scale, ply: usize) -> Worth {
    if let Some(score) = pos.outcome() {
        return scale.end(score, ply);
    }
    if depth == 0 {
        return scale.guess(Lots.value(pos));
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let worths = moves.iter().map(|&mv| plain(&pos.after(mv), depth - 1, scale, ply + 1));
    worths.max_by_key(|worth| worth.seen_by(pos.turn())).unwrap()
}

fn run<P: Position>(pos: &P, depth: Option<u8>, budget: Budget, ask: Ask) -> Report<P::Move> {
    let mut search = Deepener::new(pos, Config { depth }, lots(), budget.0);
    search.run(ask, &mut Run::new(budget.1)).unwrap()
}

/// The best move is one of the best of a plain search, and the worths of all moves are those of one.
fn check_depth<P: Position>(pos: &P, depth: u8, what: &str) {
    if pos.outcome().is_some() {
        assert_eq!(run(pos, Some(depth), Budget::default(), Ask::Value).best, None);
        return;
    }
    let scale = Scale::new(pos.range());
    for memory in [0, 1 << 20] {
        let budget = (Resources { memory, ..Resources::default() }, Limits::default());
        let report = run(pos, Some(depth), budget, Ask::Value);
        assert!(report.depth == depth || report.bounds.is_decisive() || report.bounds.is_exact(), "{what}");
        let truth = plain(pos, report.depth, scale, 0);
        let best = report.best.unwrap();
        assert_eq!(plain(&pos.after(best), report.depth - 1, scale, 1), truth, "{what}: {best:?}");
        assert_eq!(report.moves[0].mean, Some(scale.mean(truth)), "{what}");
        // What is told of another move is what it is worth, not a bound that was enough.
        for m in &report.moves {
            let worth = plain(&pos.after(m.mv), report.depth - 1, scale, 1);
            assert!(m.mean.is_none_or(|mean| mean == scale.mean(worth)), "{what}: {:?}", m.mv);
        }
        assert_eq!(report.pv.first(), Some(&best));
        assert!(report.pv.len() <= usize::from(depth));
        let report = run(pos, Some(depth), budget, Ask::AllMoves);
        for m in &report.moves {
            let truth = plain(&pos.after(m.mv), report.depth - 1, scale, 1);
            assert_eq!(m.mean, Some(scale.mean(truth)), "{what}: {:?}", m.mv);
        }
    }
}

struct Depths(Rng);

impl ForEachGame for Depths {
    fn with<G: Game>(&mut self, game: &G) {
        for round in 0..24 {
            let pos = random_position(game, round / 4, &mut self.0);
            check_depth(&pos, 1 + (round % 4) as u8, &format!("{} {}", game.name(), game.show(&pos)));
        }
    }
}

#[test]
fn small_boards_are_searched_to_their_depth() {
    small_games(&mut Depths(Rng::new(1)));
}

/// Larger boards, points, and games that repeat. Deeper than 4 only where a position cannot be
/// reached with more or less moves: the table may have it at a larger depth than a plain search.
#[test]
fn larger_boards_are_searched_to_their_depth() {
    fn check<G: Game>(game: &G, deepest: u8, moves: u32) {
        let mut rng = Rng::new(2);
        for round in 0..20 {
            let pos = random_position(game, moves * round / 10, &mut rng);
            check_depth(&pos, 1 + round as u8 % deepest, &format!("{} {}", game.name(), game.show(&pos)));
        }
    }
    check(&breakthrough::Breakthrough::<u64>::new(breakthrough::Setup::parse("5x5").unwrap()), 4, 10);
    check(&Connect4::new(Any::<u64>::new(7, 6, 4)), 5, 20);
    check(&nogo::NoGo::<u64>::new(nogo::Setup::parse("3x3").unwrap()), 6, 4);
    check(&amazons::Amazons::<u64>::new(amazons::Setup::parse("4x4").unwrap()), 3, 4);
    check(&go::Go::<u64>::new(go::Setup::parse("3x3").unwrap()), 4, 6);
    check(&pentalath::Pentalath::<u64>::new(pentalath::Setup::parse("2,k=4").unwrap()), 4, 3);
    check(&checkers::Checkers::new(checkers::Setup::parse("6x6").unwrap()), 4, 10);
    // Without history, so that nothing can occur for the third time.
    let game = loa::Loa::<u64>::new(loa::Setup::parse("5x5").unwrap());
    let mut rng = Rng::new(3);
    for round in 0..20 {
        let text = game.show(&random_position(&game, round, &mut rng));
        check_depth(&game.parse(&text).unwrap(), 1 + round as u8 % 4, &text);
    }
}

struct Proofs(Rng);

impl ForEachGame for Proofs {
    fn with<G: Game>(&mut self, game: &G) {
        let mut memo = Memo::new();
        for round in 0..20 {
            let pos = random_position(game, round % 7, &mut self.0);
            check_proofs(&pos, &mut memo, &format!("{} {}", game.name(), game.show(&pos)));
        }
    }
}

/// Whenever it is stopped, what it claims is true, and there is a move. Deep enough it finds the
/// value.
fn check_proofs<P: Position>(pos: &P, memo: &mut Memo<P>, what: &str) {
    let value = memo.value(pos);
    for nodes in [0, 1, 2, 5, 30, 100, 1000] {
        for (memory, ask) in [(0, Ask::Value), (1 << 20, Ask::AllMoves)] {
            let budget = (
                Resources { memory, ..Resources::default() },
                Limits { nodes: Some(nodes), ..Limits::default() },
            );
            let report = run(pos, None, budget, ask);
            assert!(report.nodes <= nodes);
            assert!(report.bounds.contains(value), "{what}: {} after {nodes} nodes", report.bounds);
            assert!(pos.outcome().is_some() || report.best.is_some(), "{what}: no move after {nodes} nodes");
            for m in report.moves {
                assert!(m.bounds.contains(memo.value(&pos.after(m.mv))), "{what}: move {:?}", m.mv);
            }
        }
    }
    let report = run(pos, None, Budget::default(), Ask::Value);
    assert_eq!(report.bounds.value(), Some(value), "{what}");
    if let Some(best) = report.best {
        assert_eq!(memo.value(&pos.after(best)), value, "{what}: {best:?}");
    }
}

#[test]
fn proofs_are_true_and_end_the_search() {
    small_games(&mut Proofs(Rng::new(4)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any points, any order of movers.
    #[test]
    fn any_tree_is_searched(tree in any_tree(), depth in 1u8..6) {
        let pos = Written::parse_tree(&tree).unwrap().start();
        check_depth(&pos, depth, &tree);
        check_proofs(&pos, &mut Memo::new(), &tree);
    }
}

/// A walk in a random maze of ten rooms; whose turn it is depends on the room. `First` wins in room
/// 0, `Second` in room 1, and entering a room again is a draw. As in Lines of Action the key leaves
/// out the history.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Walk {
    maze: u64,
    room: u8,
    /// Bit by bit the rooms before this one.
    seen: u16,
}

impl Walk {
    fn door(&self, number: u8) -> u64 {
        splitmix64(&mut (self.maze << 16 | u64::from(self.room) << 8 | u64::from(number)))
    }
}

impl Position for Walk {
    type Move = u8;
    fn turn(&self) -> Mover {
        Mover::BOTH[self.door(9) as usize % 2]
    }
    fn outcome(&self) -> Option<Score> {
        match self.room {
            0 => Some(Score::WIN),
            1 => Some(Score::LOSS),
            room => (self.seen >> room & 1 != 0).then_some(Score::DRAW),
        }
    }
    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(0..3);
    }
    fn play(&mut self, number: u8) {
        let to = self.door(number) % 10;
        self.seen |= 1 << self.room;
        self.room = to as u8;
    }
    fn key(&self) -> Key {
        mix(Key::from(self.room))
    }
}

/// What the table has about a room may be wrong after other rooms.
#[test]
fn wins_that_need_a_history_are_not_claimed() {
    let mut claims = 0;
    for maze in 0..3000 {
        let (room, mut seed) = (2 + (maze % 8) as u8, maze);
        let pos = Walk { maze, room, seen: splitmix64(&mut seed) as u16 & !(1 << room) };
        let scale = Scale::new(pos.range());
        let mut search = Deepener::new(
            &pos,
            Config { depth: Some(10) },
            lots(),
            Resources { memory: 1 << 18, ..Resources::default() },
        );
        // A table with the room without history.
        search.pos = Walk { seen: 0, ..pos.clone() };
        think(&mut search, Budget::default());
        search.pos = pos.clone();
        for depth in 1..=10 {
            search.config.depth = Some(depth);
            let report = think(&mut search, Budget::default());
            // A walk is over after ten rooms.
            let truth = scale.score(plain(&pos, 10, scale, 0));
            assert!(report.bounds.contains(truth), "{pos:?}: {}, but it is {truth}", report.bounds);
            claims += u32::from(report.bounds.is_decisive());
        }
    }
    assert!(claims > 3000, "{claims}");
}

/// Where positions repeat, a claimed win can be forced on the path at hand, as a plain search sees.
/// Pieces move back and forth before, so that many positions have occurred twice already.
fn check_repeating<G: Game>(game: &G, depth: u8, rounds: u32) -> u32 {
    let (mut rng, mut claims) = (Rng::new(5), 0);
    for round in 0..rounds {
        let mut pos = random_position(game, 2 + round % 40, &mut rng);
        let mut trail = Vec::new();
        for _ in 0..8 {
            let mut moves = Vec::new();
            if pos.outcome().is_some() {
                break;
            }
            pos.moves(&mut moves);
            // Back to an earlier position, if possible.
            let seen = moves.iter().find(|&&mv| trail.contains(&pos.after(mv).key()));
            let mv = *seen.unwrap_or(&moves[rng.below(moves.len() as u32) as usize]);
            trail.push(pos.key());
            if pos.after(mv).outcome().is_none() {
                pos.play(mv);
            }
        }
        if pos.outcome().is_some() {
            continue;
        }
        let report = run(
            &pos,
            Some(depth),
            (Resources { memory: 1 << 20, ..Resources::default() }, Limits::default()),
            if round % 2 == 0 { Ask::AllMoves } else { Ask::Value },
        );
        let scale = Scale::new(pos.range());
        let moves = report.moves.iter().map(|m| (pos.after(m.mv), 1, m.bounds));
        for (pos, ply, bounds) in moves.chain([(pos.clone(), 0, report.bounds)]) {
            // A draw at the next move needs no search.
            if bounds == pos.range()
                || !bounds.is_decisive() && bounds == Report::by_rules(&pos, &Lots).bounds
            {
                continue;
            }
            claims += 1;
            let truth = plain(&pos, depth - ply, scale, 0);
            assert!(truth.is_decisive(), "{} {}: {bounds}", game.name(), game.show(&pos));
            assert!(bounds.contains(scale.score(truth)), "{} {}: {bounds}", game.name(), game.show(&pos));
        }
    }
    claims
}

#[test]
fn wins_in_repeating_games_are_true() {
    let loa = |size| loa::Loa::<u64>::new(loa::Setup::parse(size).unwrap());
    assert!(check_repeating(&loa("4x4"), 5, 300) > 100);
    assert!(check_repeating(&loa("5x5"), 4, 100) > 20);
    assert!(check_repeating(&checkers::Checkers::new(checkers::Setup::parse("4x4").unwrap()), 6, 300) > 50);
    let pentalath = pentalath::Pentalath::<u64>::new(pentalath::Setup::parse("2,k=3").unwrap());
    assert!(check_repeating(&pentalath, 4, 100) > 10);
}

fn loa() -> loa::Loa<u64> {
    loa::Loa::new(loa::Setup::default())
}

#[test]
fn the_same_nodes_give_the_same_report() {
    let pos = loa().start();
    let budget = (Resources::default(), Limits { nodes: Some(20_000), ..Limits::default() });
    let report = || {
        let mut search = Deepener::new(
            &pos,
            Config::default(),
            loa().extras(),
            Resources { memory: 1 << 20, ..Resources::default() },
        );
        Report { elapsed: Duration::ZERO, ..think(&mut search, budget) }
    };
    assert_eq!(report(), report());
    assert_eq!(report().nodes, 20_000);
}

#[test]
fn the_clock_and_the_flag_end_it() {
    /// A clock that advances by a millisecond whenever it is read.
    fn clock() -> Duration {
        static HAND: AtomicU64 = AtomicU64::new(0);
        Duration::from_millis(HAND.fetch_add(1, Relaxed))
    }
    let game = loa();
    let time = Some(Duration::from_millis(500));
    let limits = Limits { time, clock: Some(clock), ..Limits::default() };
    let mut search = Deepener::new(
        &game.start(),
        Config::default(),
        game.extras(),
        Resources { memory: 1 << 24, ..Resources::default() },
    );
    let mut depths = Vec::new();
    let report = {
        let mut run = Run::new(limits).observed(|report, _| depths.push(report.depth));
        search.run(Ask::Value, &mut run).unwrap()
    };
    assert!(report.best.is_some() && report.halt == crate::Halt::Limit);
    assert!(!depths.is_empty(), "observers hear of it");
    let mut stopped = Run::default();
    stopped.stop.store(true, Relaxed);
    let report = search.run(Ask::Value, &mut stopped).unwrap();
    assert!(report.best.is_some() && report.nodes == 0);
}

/// What one search has left in the table helps the next one.
#[test]
fn the_table_is_kept() {
    let game = loa();
    let mut search = Deepener::new(
        &game.start(),
        Config { depth: Some(4) },
        game.extras(),
        Resources { memory: 1 << 24, ..Resources::default() },
    );
    let mut nodes = || think(&mut search, Budget::default()).nodes;
    let (first, second) = (nodes(), nodes());
    assert!(second < first / 10, "{first} nodes, then {second}");
}

/// Looking two plies ahead beats playing at random.
#[test]
fn beats_random_play() {
    let game = loa::Loa::<u64>::new(loa::Setup::parse("6x6").unwrap());
    let (mut rng, mut sum) = (Rng::new(6), 0);
    for round in 0..20 {
        let me = if round % 2 == 0 { Mover::First } else { Mover::Second };
        let mut pos = game.start();
        let resources = Resources { memory: 1 << 20, ..Resources::default() };
        let mut search = Deepener::new(&pos, Config { depth: Some(2) }, game.extras(), resources);
        while pos.outcome().is_none() {
            let mv = if pos.turn() == me {
                think(&mut search, Budget::default()).best.unwrap()
            } else {
                pos.random_move(&mut rng, &mut Vec::new())
            };
            pos.play(mv);
            search.play(mv);
        }
        sum += pos.outcome().map_or(Score(0), |score| score.seen_by(me)).0;
    }
    assert!(sum >= 18, "{sum} of 20");
}
