//! Soundness: every search with every setting against brute force, also when interrupted, out of
//! memory, or misled by numbers.

use super::*;
use crate::testing::{Budget, any_tree, random_position};
use crate::watch::Watch;
use crate::{Ask, Limits, Report, Run, Search, SearchError, SearchSpec};
use proofplay_core::minimax::Memo;
use proofplay_core::{Bounds, Game, Key, Player, Rng, Score};
use proofplay_games::in_a_row::Any;
use proofplay_games::written::{Place, Written};
use proofplay_games::{connect4::Connect4, domineering, mnk::Mnk, nogo, seki, y};
use proptest::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Every search with every way to initialise leaves, and with symmetry where it can have it.
fn all_configs() -> Vec<Config> {
    let mut configs = Vec::new();
    for (_, numbers, store) in Config::NAMED {
        for init in Init::ALL {
            for facts in [false, true] {
                configs.push(Config { numbers, store, init, facts });
            }
            if store == Config::GRAPH {
                configs.push(Config { numbers, store: Store::Graph { symmetry: true }, init, facts: false });
            }
        }
    }
    configs
}

fn run<G: Game>(
    game: &G,
    pos: &G::Pos,
    config: Config,
    budget: Budget,
) -> Report<<G::Pos as Position>::Move> {
    let mut search = start(pos, config, game.extras(), budget.0).unwrap();
    search.run(Ask::Value, &mut Run::new(budget.1)).unwrap()
}

/// The values of all moves.
fn run_all<P: Position>(pos: &P, config: Config) -> Report<P::Move> {
    let mut search = start(pos, config, Extras::none(), Resources::default()).unwrap();
    search.run(Ask::AllMoves, &mut Run::default()).unwrap()
}

/// A run, and what the first level did.
fn with_stats<P: Position>(pos: &P, config: Config, budget: Budget) -> (Report<P::Move>, Stats) {
    fn of<P: Position, I: Info>(pos: &P, config: Config, budget: Budget) -> (Report<P::Move>, Stats) {
        let mut solver = ByGoals::<P, I>::solver(pos, config, Extras::none(), budget.0.memory);
        (solver.run(Ask::Value, &mut Run::new(budget.1)).unwrap(), solver.stats())
    }
    match config.numbers {
        Numbers::Pn => of::<P, PnDn>(pos, config, budget),
        Numbers::Pp => of::<P, Pp>(pos, config, budget),
    }
}

/// Whatever a report says is true; if it says everything, so is its line of play.
fn check<P: Position>(pos: &P, report: &Report<P::Move>, memo: &mut Memo<P>, what: &str) {
    let value = memo.value(pos);
    assert!(report.bounds.contains(value), "{what}: {} but the value is {value}", report.bounds);
    for m in &report.moves {
        let value = memo.value(&pos.after(m.mv));
        assert!(m.bounds.contains(value), "{what}: {:?} is {}, not {}", m.mv, value, m.bounds);
    }
    assert_eq!(report.best.is_some(), pos.outcome().is_none(), "{what}");
    assert_eq!(report.pv.first(), report.best.as_ref(), "{what}");
    if report.bounds.is_exact() {
        let mut end = pos.clone();
        for &mv in &report.pv {
            end.play(mv);
            assert_eq!(memo.value(&end), value, "{what}: the line {:?} does not keep the value", report.pv);
        }
    }
}

fn check_solved<P: Position>(pos: &P, report: &Report<P::Move>, memo: &mut Memo<P>, what: &str) {
    assert!(report.bounds.is_exact(), "{what}: {} is not solved", report.bounds);
    check(pos, report, memo, what);
}

/// Every configuration on the start and on random positions.
fn check_game<G: Game>(game: &G, positions: usize, plies: u32) {
    let (mut rng, mut memo) = (Rng::new(7), Memo::new());
    let budget = (Resources { memory: 1 << 24, ..Resources::default() }, Limits::default());
    for config in all_configs() {
        check_solved(
            &game.start(),
            &run(game, &game.start(), config, budget),
            &mut memo,
            &config.to_string(),
        );
    }
    for _ in 0..positions {
        let moves = rng.below(plies);
        let pos = random_position(game, moves, &mut rng);
        for config in all_configs() {
            let what = format!("{config} on {} {}", game.name(), game.show(&pos));
            check_solved(&pos, &run(game, &pos, config, budget), &mut memo, &what);
        }
    }
}

fn domineering_game(size: &str) -> domineering::Domineering<u64> {
    domineering::Domineering::new(domineering::Setup::parse(size).unwrap())
}

fn nogo_game(size: &str) -> nogo::NoGo<u64> {
    nogo::NoGo::new(nogo::Setup::parse(size).unwrap())
}

#[test]
fn values_are_those_of_brute_force_in_a_row() {
    check_game(&Mnk::new(Any::<u64>::new(3, 3, 3)), 300, 8);
    check_game(&Mnk::new(Any::<u64>::new(4, 3, 3)), 60, 8);
    check_game(&Connect4::new(Any::<u64>::new(4, 3, 3)), 400, 10);
    check_game(&Connect4::new(Any::<u64>::new(4, 4, 4)), 30, 14);
}

#[test]
fn values_are_those_of_brute_force_without_draws() {
    for size in ["1x1", "1x2", "2x1", "2x2", "3x2", "3x3", "2x5", "4x3", "5x1", "3x3,first=H"] {
        check_game(&domineering_game(size), 5, 3);
    }
    check_game(&domineering_game("4x4"), 400, 6);
    for size in ["1x1", "2x1", "3x1", "4x1", "2x2", "3x2"] {
        check_game(&nogo_game(size), 5, 4);
    }
    check_game(&nogo_game("3x3"), 400, 6);
    check_game(&y::Y::<u64>::new(y::Setup { size: 3 }), 300, 5);
    check_game(&y::Y::<u64>::new(y::Setup { size: 4 }), 30, 8);
}

#[test]
fn values_are_those_of_brute_force_in_seki() {
    for setup in ["2,2", "1,3", "3,2,1", "2,2,3"] {
        check_game(&seki::Seki::new(seki::Setup::parse(setup).unwrap()), 100, 6);
    }
}

/// Every stored number that claims to be certain is true.
fn check_store<P: Position, I: Info>(search: &BestFirst<P, I>, memo: &mut Memo<P>) {
    let goal = search.judge().goal();
    let mut todo = vec![(search.root().clone(), search.graph.root())];
    while let Some((pos, slot)) = todo.pop() {
        let reached = memo.value(&pos).seen_by(goal.player) >= goal.at_least;
        match I::from_bits(slot.info).status() {
            Status::Open => {}
            status => assert_eq!(status == Status::Proven, reached, "{pos:?}"),
        }
        if slot.child != graph::ABOVE {
            let (kind, info) = search.graph.node(slot.child);
            assert_eq!(info, slot.info, "a slot repeats its child's numbers");
            let slots = search.graph.children(slot.child).1;
            let numbers = I::combine(kind, slots.iter().map(|slot| I::from_bits(slot.info)));
            assert_eq!(numbers.to_bits(), info, "a node's numbers are its children's");
            todo.extend(
                slots.iter().map(|slot| (pos.after(proofplay_core::Move::from_code(slot.code)), *slot)),
            );
        }
    }
}

/// Runs a search a few nodes at a time, in very little memory, and checks the whole store every
/// time.
fn check_steps<P: Position, I: Info>(pos: &P, merging: bool, at_least: i16) {
    let (goal, mut memo) = (Goal { player: pos.turn(), at_least: Score(at_least) }, Memo::new());
    let mut search = BestFirst::<P, I>::new(goal, Init::Mobility, Extras::none(), merging, 1 << 16);
    let mut budget = Spending { watch: Watch::idle(), nodes: 0 };
    search.start(pos, goal);
    for round in 1.. {
        let ended = search.run(round * 50, &mut budget, &mut |_, _| false);
        check_store(&search, &mut memo);
        if ended != Ended::Enough {
            assert_eq!(ended, Ended::Solved);
            return;
        }
    }
}

#[test]
fn stored_numbers_are_true_at_every_step() {
    let connect4 = Connect4::new(Any::<u64>::new(4, 4, 3)).start();
    let domineering = domineering_game("4x4").start();
    for merging in [false, true] {
        for at_least in [0, 1] {
            check_steps::<_, Pp>(&connect4, merging, at_least);
            check_steps::<_, PnDn>(&connect4, merging, at_least);
            check_steps::<_, Pp>(&domineering, merging, at_least);
            check_steps::<_, PnDn>(&domineering, merging, at_least);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Any tree, any score range, any order of movers: solved, and right when stopped after any
    /// number of nodes.
    #[test]
    fn any_tree_is_solved(tree in any_tree()) {
        let (game, mut memo) = (Written::parse_tree(&tree).unwrap(), Memo::new());
        for config in all_configs() {
            let what = format!("{config} on {tree}");
            let whole = run(&game, &game.start(), config, Budget::default());
            check_solved(&game.start(), &whole, &mut memo, &what);
            let mut before = game.start().range();
            for nodes in 0..whole.nodes {
                let budget = (Resources::default(), Limits { nodes: Some(nodes), ..Limits::default() });
                let part = run(&game, &game.start(), config, budget);
                prop_assert!(part.nodes <= nodes);
                check(&game.start(), &part, &mut memo, &what);
                prop_assert!(before.encloses(part.bounds), "more nodes never loosen the bounds");
                before = part.bounds;
            }
        }
    }

    /// Every move's exact value.
    #[test]
    fn any_tree_all_moves(tree in any_tree()) {
        let (game, mut memo) = (Written::parse_tree(&tree).unwrap(), Memo::new());
        for config in all_configs() {
            let report = run_all(&game.start(), config);
            check_solved(&game.start(), &report, &mut memo, &tree);
            prop_assert!(report.moves.iter().all(|m| m.bounds.is_exact()), "{config} on {tree}");
        }
    }
}

/// All moves in a game where paths meet: nodes solved below one move serve below the others.
#[test]
fn all_moves_are_valued() {
    let (game, mut memo, mut rng) = (Connect4::new(Any::<u64>::new(4, 4, 3)), Memo::new(), Rng::new(3));
    for _ in 0..10 {
        let moves = rng.below(8);
        let pos = random_position(&game, moves, &mut rng);
        for config in all_configs() {
            let report = run_all(&pos, config);
            check_solved(&pos, &report, &mut memo, &config.to_string());
            assert!(report.moves.iter().all(|m| m.bounds.is_exact()));
            for m in &report.moves {
                let mut end = pos;
                m.pv.iter().for_each(|&mv| end.play(mv));
                assert_eq!(m.pv[0], m.mv);
                assert_eq!(Some(memo.value(&end)), m.bounds.value(), "{config}");
            }
        }
    }
}

/// Interrupted anywhere in a real game.
#[test]
fn interrupted_bounds_are_sound() {
    let (game, mut memo) = (Connect4::new(Any::<u64>::new(4, 3, 3)), Memo::new());
    for config in all_configs() {
        for nodes in (0..1500).step_by(7) {
            let budget = (Resources::default(), Limits { nodes: Some(nodes), ..Limits::default() });
            let report = run(&game, &game.start(), config, budget);
            assert!(report.nodes <= nodes);
            check(&game.start(), &report, &mut memo, &config.to_string());
        }
    }
}

/// With far too little memory a search discards old subtrees and still finds the value, within the
/// budget.
#[test]
fn little_memory_is_enough() {
    let game = domineering_game("5x5");
    let (mut memo, mut collected) = (Memo::new(), 0);
    for config in all_configs() {
        for memory in [0, 1 << 17] {
            let budget = (
                Resources { memory, ..Resources::default() },
                Limits { nodes: Some(500_000), ..Limits::default() },
            );
            let (report, stats) = with_stats(&game.start(), config, budget);
            assert!(report.memory <= memory.max(2 << 16), "{config}: {} bytes", report.memory);
            check(&game.start(), &report, &mut memo, &config.to_string());
            if report.bounds.is_exact() && stats.nodes as usize > 4 * stats.stored {
                collected += 1;
            }
        }
    }
    assert!(collected > 10, "only {collected} searches were solved in a fraction of the memory");
    // A position that does not fit at all ends the search.
    let wide = Written::parse_tree(&format!("({})", "(+ -) ".repeat(6000))).unwrap();
    let report = run(
        &wide,
        &wide.start(),
        all_configs()[0],
        (Resources { memory: 0, ..Resources::default() }, Limits::default()),
    );
    assert_eq!(report.bounds, Bounds::WDL);
}

/// Hundreds of children: the plain product of 1500 halves is 0, and one minus it is 1. Neither may
/// count as certain.
#[test]
fn rounding_is_no_proof() {
    let choices = "(+ -) ".repeat(1500);
    // First wins every one of 1500 replies; First loses all of 1500 tries.
    for (tree, value) in [(format!("(({choices}))"), Score::WIN), (format!("({choices})"), Score::LOSS)] {
        let game = Written::parse_tree(&tree).unwrap();
        for config in all_configs() {
            let report = run(&game, &game.start(), config, Budget::default());
            assert_eq!(report.bounds.value(), Some(value), "{config}");
        }
    }
}

/// 199 plies, at each of which the other move loses at once or leads to more of the same.
#[test]
fn deep_trees_do_not_overflow() {
    let mut memo = Memo::new();
    for tail in ["+", "-", "="] {
        let mut tree = tail.to_owned();
        for ply in (0..199).rev() {
            let other = if ply % 2 == 0 { "-" } else { "+" };
            tree =
                if ply % 7 == 0 { format!("({tree} ({tail} {tail}))") } else { format!("({other} {tree})") };
        }
        let game = Written::parse_tree(&tree).unwrap();
        for config in all_configs() {
            let report = run(&game, &game.start(), config, Budget::default());
            check_solved(&game.start(), &report, &mut memo, &config.to_string());
        }
    }
}

/// Two lanes of positions, each leading to both of the next level: 2^levels paths through 2 *
/// levels positions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Lanes<const CYCLIC: bool> {
    level: u8,
    lane: u8,
    levels: u8,
}

impl<const CYCLIC: bool> Position for Lanes<CYCLIC> {
    type Move = u8;
    fn repeats(&self) -> bool {
        CYCLIC
    }

    fn turn(&self) -> Player {
        Player::BOTH[usize::from(self.level % 2)]
    }
    fn outcome(&self) -> Option<Score> {
        // Second ends a level early in lane 1, which wins for First; the last level is lost for
        // First.
        match self.level {
            level if level == self.levels => Some(Score::LOSS),
            _ => None,
        }
    }
    fn moves(&self, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }
    fn play(&mut self, mv: u8) {
        self.lane = mv;
        // The cyclic game goes back to the start from lane 1.
        self.level = if CYCLIC && mv == 1 { 0 } else { self.level + 1 };
    }
    fn key(&self) -> Key {
        proofplay_core::zobrist::<1>(u64::from(self.level) << 8 | u64::from(self.lane))[0]
    }
}

/// Leaves that are counted once for every path: the numbers double from ply to ply, far past 2^32,
/// and every expansion reaches all levels above. It must end after one expansion a position, each
/// of them updating a node about once.
#[test]
fn double_counting_neither_loops_nor_stalls() {
    let start = Lanes::<false> { level: 0, lane: 0, levels: 200 };
    for config in all_configs().into_iter().filter(|config| matches!(config.store, Store::Graph { .. })) {
        let (report, stats) = with_stats(&start, config, Budget::default());
        assert_eq!(report.bounds.value(), Some(Score::LOSS), "{config}");
        assert!(stats.expansions <= 399, "{config}: {} expansions", stats.expansions);
    }
}

/// Where positions repeat, a graph is refused; a tree searches until its limit and claims nothing
/// wrong.
#[test]
fn cyclic_games_need_a_tree() {
    let pos = Lanes::<true> { level: 0, lane: 0, levels: 5 };
    for config in all_configs() {
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let search = start(&pos, config, Extras::none(), Resources::default());
        match config.store {
            Store::Graph { .. } => {
                let error = search.err().unwrap();
                assert_eq!(error, SearchError::Cyclic(config.name()));
                assert!(error.to_string().contains("positions never repeat"));
            }
            // First can go back for ever, so nothing is certain.
            _ => {
                let report = search.unwrap().run(Ask::Value, &mut Run::new(limits)).unwrap();
                assert_eq!(report.bounds, Bounds::WDL, "{config}");
            }
        }
    }
}

/// The counts of the paper's smallest board. PP's is the paper's own number (Table 4); the others
/// are ours and may only change with the algorithm.
#[test]
fn counts_are_those_of_the_paper() {
    let game = domineering_game("5x6");
    let nodes = |name: &str| {
        let config = Config::named(name).unwrap();
        let (report, stats) = with_stats(&game.start(), config, Budget::default());
        assert_eq!(report.bounds.value(), Some(Score::WIN));
        (stats.nodes, stats.expansions)
    };
    assert_eq!(nodes("pp"), (101_244, 18_564));
    assert_eq!(nodes("ppt"), (27_313, 4_597));
}

/// The sizes that the documentation promises: 40 bytes in a tree, 56 in a graph.
#[test]
fn nodes_are_small() {
    let game = domineering_game("6x6");
    let budget = (Resources::default(), Limits { nodes: Some(2_000_000), ..Limits::default() });
    for config in all_configs().into_iter().filter(|config| config.store != Store::TwoLevel) {
        let (_, stats) = with_stats(&game.start(), config, budget);
        let most = if config.store == Store::Tree { 40 } else { 56 };
        assert!(stats.bytes <= most * stats.stored, "{config}: {stats:?}");
    }
}

#[test]
fn limits_and_observers() {
    /// A clock that advances by a millisecond whenever it is read.
    fn clock() -> Duration {
        use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
        static HAND: AtomicU64 = AtomicU64::new(0);
        Duration::from_millis(HAND.fetch_add(1, Relaxed))
    }
    let game = domineering_game("8x8");
    for config in all_configs() {
        let time = Some(Duration::from_secs(3));
        let limits = Limits { time, clock: Some(clock), ..Limits::default() };
        let mut heard = 0;
        let mut search = start(&game.start(), config, Extras::none(), Resources::default()).unwrap();
        let mut run = Run::new(limits).observed(|report, tree| {
            heard += 1;
            assert!(report.nodes > 0 && report.memory > 0 && report.best.is_some());
            let known = tree.children(&[]);
            assert!(known.len() == report.moves.len() && known.iter().any(|child| child.numbers.is_some()));
            assert_eq!(known.iter().map(|child| child.mv).collect::<Vec<_>>(), game_moves(&game.start()));
        });
        let report = search.run(Ask::Value, &mut run).unwrap();
        drop(run);
        assert!(report.nodes > 0 && heard > 0, "{config}: {heard}");
        let mut stopped = Run::default().stopped_by(&Arc::new(true.into()));
        let mut search = start(&game.start(), config, Extras::none(), Resources::default()).unwrap();
        assert_eq!(search.run(Ask::Value, &mut stopped).unwrap().nodes, 0);
    }
}

fn game_moves<P: Position>(pos: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

#[test]
fn specs_print_and_parse() {
    for config in all_configs() {
        assert_eq!(config.to_string().parse(), Ok(SearchSpec::Proof(config)));
    }
    assert_eq!("ppt".parse(), Ok(SearchSpec::Proof(Config::named("ppt").unwrap())));
    for (name, ..) in Config::NAMED {
        assert!(crate::SearchKind::all().iter().any(|kind| kind.name == name));
    }
    let error = |text: &str| text.parse::<SearchSpec>().unwrap_err().to_string();
    assert!(error("pp:symmetry=on").contains("unknown setting `symmetry`; allowed: init"));
    assert!(error("pn2:init=zero").contains("unit, mobility, eval"));
}

/// A worked example: which leaf PP expands first, and the root's number after every expansion.
#[test]
fn a_worked_example() {
    let game = Written::parse_tree("((+ (- -)) ((- +) = -))").unwrap();
    let goal = Goal { player: Player::First, at_least: Score::WIN };
    let mut search = BestFirst::<Place, Pp>::new(goal, Init::Unit, Extras::none(), false, 1 << 16);
    let mut budget = Spending { watch: Watch::idle(), nodes: 0 };
    search.start(&game.start(), goal);
    let mut numbers = vec![search.root_info().0];
    for enough in [1, 3, 6, 8] {
        search.run(enough, &mut budget, &mut |_, _| false);
        numbers.push(search.root_info().0);
    }
    // The root: 1 - 1/2 1/2. Its first child: 1 * 1/2, then 1 * 0, for (- -) is lost. Its second
    // child has losing replies.
    assert_eq!(numbers, [0.5, 0.75, 0.75, 0.5, 0.0]);
}
