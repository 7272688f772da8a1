//! The life cycle of every search: run, moved along a game, run again, read, asked for its
//! strategy.

use proofplay_core::minimax::Memo;
use proofplay_core::{Game, Player, Position, Rng, Score};
use proofplay_games::connect4::Connect4;
use proofplay_games::in_a_row::Any;
use proofplay_games::mnk::Mnk;
use proofplay_games::nogo;
use proofplay_games::written::Written;
use proofplay_search::distance::Scoring;
use proofplay_search::proof::Goal;
use proofplay_search::{Ask, Limits, NoMove, Report, Resources, Run, Search, SearchError, SearchSpec, Tree};
use std::sync::Arc;

const SPECS: &[&str] = &[
    "minimax",
    "retrograde",
    "alphabeta",
    "alphabeta:symmetry=off,facts=off",
    "alphabeta:deepen=on",
    "dfpn",
    "dfpp:symmetry=off",
    "pns",
    "pnt",
    "pn2",
    "pp:facts=on",
    "ppt:symmetry=on",
    "pp2",
    "mcts",
    "mcts-solver",
    "exact-win",
    "score-bounded",
    "mcts:facts=on,leaf=evaluate",
];

fn start<G: Game>(game: &G, pos: &G::Pos, spec: &str, memory: usize) -> Box<dyn Search<G::Pos>> {
    let spec: SearchSpec = spec.parse().unwrap();
    // A set of positions is solved as a whole or not at all.
    let memory = if spec == SearchSpec::Retrograde { memory.max(1 << 24) } else { memory };
    let resources = Resources { memory, ..Resources::default() };
    spec.start(pos, game.extras(), resources).unwrap()
}

/// Whatever a report says is true.
fn check<P: Position>(pos: &P, report: &Report<P::Move>, memo: &mut Memo<P>, what: &str) {
    let value = memo.value(pos);
    assert!(report.bounds.contains(value), "{what}: {value} is not in {}", report.bounds);
    for m in &report.moves {
        let value = memo.value(&pos.after(m.mv));
        assert!(m.bounds.contains(value), "{what}: move {:?} is worth {value}, not in {}", m.mv, m.bounds);
    }
    if report.best_is_proven(pos.turn()) {
        assert_eq!(memo.value(&pos.after(report.best.unwrap())), value, "{what}");
    }
}

/// What the tree shows is true: the first moves, and what follows each of them.
fn check_tree<P: Position>(pos: &P, tree: &dyn Tree<P::Move>, memo: &mut Memo<P>, what: &str) -> usize {
    let mut moves = Vec::new();
    if pos.outcome().is_none() {
        pos.moves(&mut moves);
    }
    let mut seen = 0;
    let firsts = moves.iter().map(|&mv| vec![mv]);
    for path in std::iter::once(Vec::new()).chain(firsts) {
        let mut at = pos.clone();
        path.iter().for_each(|&mv| at.play(mv));
        let children = tree.children(&path);
        for child in &children {
            let mut legal = Vec::new();
            at.moves(&mut legal);
            assert!(legal.contains(&child.mv), "{what}: {:?} after {path:?}", child.mv);
            let value = memo.value(&at.after(child.mv));
            assert!(child.bounds.contains(value), "{what}: {value} is not in {:?}", child);
        }
        seen += children.len();
    }
    seen
}

/// From the start to the end of a game, by random moves: run with few nodes, then with enough, at
/// each ply.
fn follow<G: Game>(game: &G, seed: u64) {
    let mut memo = Memo::new();
    for spec in SPECS {
        let what = format!("{spec} on {}", game.name());
        let (mut pos, mut rng) = (game.start(), Rng::new(seed));
        let (mut search, mut seen) = (start(game, &pos, spec, 1 << 18), 0);
        loop {
            assert_eq!(search.position(), &pos, "{what}");
            for nodes in [Some(50), None] {
                let limits = Limits { nodes, simulations: nodes.or(Some(20_000)), ..Limits::default() };
                let ask = if rng.below(2) == 0 { Ask::Value } else { Ask::AllMoves };
                let report = search.run(ask, &mut Run::new(limits)).unwrap();
                check(&pos, &report, &mut memo, &what);
                seen += check_tree(&pos, &*search, &mut memo, &what);
                let samples = spec.starts_with("mcts") || spec.contains("deepen") || spec.contains("exact");
                assert!(nodes.is_some() || samples || report.is_solved(ask), "{what}: {}", report.bounds);
            }
            if pos.outcome().is_some() {
                break;
            }
            let mv = pos.random_move(&mut rng, &mut Vec::new());
            pos.play(mv);
            search.play(mv);
        }
        assert!(seen > 0, "{what} shows nothing");
    }
}

#[test]
fn searches_follow_a_game() {
    for seed in 0..4 {
        follow(&Mnk::new(Any::<u64>::new(3, 3, 3)), seed);
        follow(&Connect4::new(Any::<u64>::new(4, 3, 3)), seed);
        follow(&nogo::NoGo::<u64>::new(nogo::Setup::parse("3x3").unwrap()), seed);
    }
    for tree in ["1(3 2(-2 1(0 5) 4) 2(1 -1))", "((+ -) = (- =))", "2(2(7 -3) 1(1(2 -9) 0))"] {
        follow(&Written::parse_tree(tree).unwrap(), 1);
    }
}

/// A position after some random moves.
fn somewhere<G: Game>(game: &G, rng: &mut Rng) -> G::Pos {
    let mut pos = game.start();
    for _ in 0..rng.below(6) {
        if pos.outcome().is_some() {
            break;
        }
        pos.play(pos.random_move(rng, &mut Vec::new()));
    }
    pos
}

/// A search that is moved to any position answers as a new one does; what it samples is the same to
/// the last number.
fn jump<G: Game>(game: &G, seed: u64) {
    let mut memo = Memo::new();
    for spec in SPECS {
        let (mut rng, what) = (Rng::new(seed), format!("{spec} on {}", game.name()));
        let mut search = start(game, &somewhere(game, &mut rng), spec, 1 << 20);
        for _ in 0..12 {
            let pos = somewhere(game, &mut rng);
            search.set_position(&pos);
            assert_eq!(search.position(), &pos, "{what}");
            let nodes = (rng.below(3) == 0).then_some(50);
            let limits = Limits { nodes, simulations: Some(3000), ..Limits::default() };
            let ask = if rng.below(2) == 0 { Ask::Value } else { Ask::AllMoves };
            let mut report = search.run(ask, &mut Run::new(limits)).unwrap();
            check(&pos, &report, &mut memo, &what);
            check_tree(&pos, &*search, &mut memo, &what);
            let mut fresh = start(game, &pos, spec, 1 << 20);
            let fresh = fresh.run(ask, &mut Run::new(limits)).unwrap();
            let keeps_table =
                ["alphabeta", "dfpn", "dfpp", "retrograde"].iter().any(|name| spec.starts_with(name));
            if !keeps_table || spec.contains("deepen") {
                report.elapsed = fresh.elapsed;
                assert_eq!(report, fresh, "{what}: {pos:?}");
            } else if nodes.is_none() {
                let told = |report: &Report<_>| (report.bounds, report.best, report.pv.clone(), report.halt);
                assert_eq!(told(&report), told(&fresh), "{what}: {pos:?}");
            }
        }
    }
}

#[test]
fn searches_are_moved_anywhere() {
    for seed in 0..4 {
        jump(&Mnk::new(Any::<u64>::new(3, 3, 3)), seed);
        jump(&Connect4::new(Any::<u64>::new(4, 3, 3)), seed);
        jump(&nogo::NoGo::<u64>::new(nogo::Setup::parse("3x3").unwrap()), seed);
        jump(&Written::parse_tree("1(3 2(-2 1(0 5) 4) 2(1 -1))").unwrap(), seed);
    }
}

/// Positions that a table has are not searched again.
#[test]
fn tables_survive_a_jump() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 4));
    for spec in ["alphabeta", "dfpn", "dfpp", "retrograde"] {
        let (pos, run) = (game.start(), &mut Run::default());
        let mut search = start(&game, &pos, spec, 1 << 24);
        let first = search.run(Ask::Value, run).unwrap();
        let elsewhere = pos.after(game.parse_move(&pos, "2").unwrap());
        search.set_position(&elsewhere);
        search.run(Ask::Value, run).unwrap();
        search.set_position(&pos);
        let again = search.run(Ask::Value, run).unwrap();
        assert_eq!((again.bounds, again.best), (first.bounds, first.best), "{spec}");
        assert!(10 * again.nodes < first.nodes, "{spec}: {} nodes, then {}", first.nodes, again.nodes);
    }
}

/// The strategy of a search, whatever it has seen before, reaches what is true and nothing else.
fn strategies<G: Game>(game: &G, seed: u64) {
    let (mut memo, mut rng) = (Memo::new(), Rng::new(seed));
    for spec in SPECS {
        let what = format!("{spec} on {}", game.name());
        let mut search = start(game, &game.start(), spec, 1 << 20);
        let limits = Limits { simulations: Some(20_000), ..Limits::default() };
        search.run(Ask::Value, &mut Run::new(limits)).unwrap();
        let mut memory = 1 << 20;
        let mut strategist = search.strategist(&mut memory, Limits::default(), &Arc::default());
        assert!(memory > 0 && !strategist.name().is_empty(), "{what}");
        for _ in 0..3 {
            let mut pos = game.start();
            while pos.outcome().is_none() {
                let (mover, range) = (pos.turn(), pos.range().seen_by(pos.turn()));
                let value = memo.value(&pos).seen_by(mover);
                for at_least in [value, Score(value.0 + 1)] {
                    if at_least <= range.pess || at_least > range.opti {
                        continue;
                    }
                    let (goal, mut good) = (Goal { player: mover, at_least }, Vec::new());
                    let chosen = strategist.choose(&pos, goal, Scoring::Rules, &mut good);
                    if at_least > value {
                        assert_eq!(chosen, Err(NoMove::Unproven), "{what}: {pos:?}");
                        continue;
                    }
                    assert!(chosen.is_ok() && !good.is_empty(), "{what}: {pos:?}: {chosen:?}");
                    for mv in good {
                        let after = memo.value(&pos.after(mv)).seen_by(mover);
                        assert!(after >= at_least, "{what}: {mv:?} in {pos:?} is worth {after}");
                    }
                }
                let mv = pos.random_move(&mut rng, &mut Vec::new());
                pos.play(mv);
            }
        }
    }
}

#[test]
fn strategies_reach_what_is_true() {
    for seed in 0..3 {
        strategies(&Mnk::new(Any::<u64>::new(3, 3, 3)), seed);
        strategies(&Connect4::new(Any::<u64>::new(4, 3, 3)), seed);
        strategies(&nogo::NoGo::<u64>::new(nogo::Setup::parse("3x3").unwrap()), seed);
        strategies(&Written::parse_tree("1(3 2(-2 1(0 5) 4) 2(1 -1))").unwrap(), seed);
    }
}

/// A search that a limit has ended continues where it was, and needs hardly more than one that was
/// never ended.
#[test]
fn searches_go_on() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 4));
    for spec in ["retrograde", "alphabeta", "dfpn", "pns", "ppt", "pp", "score-bounded"] {
        let whole = start(&game, &game.start(), spec, 1 << 24).run(Ask::Value, &mut Run::default()).unwrap();
        let (mut search, mut nodes, mut runs) = (start(&game, &game.start(), spec, 1 << 24), 0, 0);
        let report = loop {
            let limits = Limits { nodes: Some(whole.nodes / 10), ..Limits::default() };
            let report = search.run(Ask::Value, &mut Run::new(limits)).unwrap();
            (nodes, runs) = (nodes + report.nodes, runs + 1);
            if report.bounds.is_exact() {
                break report;
            }
            assert!(runs < 100, "{spec} does not end");
        };
        assert_eq!(report.bounds, whole.bounds, "{spec}");
        assert!(
            runs > 3 && nodes < whole.nodes * 2,
            "{spec}: {nodes} nodes in {runs} runs, {} in one",
            whole.nodes
        );
    }
}

/// The seed given for a run is used for that run, whatever was searched before.
#[test]
fn a_seed_is_used_for_its_run() {
    let game = Connect4::new(Any::<u64>::new(7, 6, 4));
    let limits = Limits { simulations: Some(200), ..Limits::default() };
    let run = |first: Option<u64>, second: Option<u64>| {
        let mut search = start(&game, &game.start(), "mcts", 1 << 22);
        let mut visits = Vec::new();
        for seed in [first, second] {
            let mut run = Run::new(limits);
            run.seed = seed;
            let report = search.run(Ask::Value, &mut run).unwrap();
            visits.push(report.moves.iter().map(|m| (m.mv, m.visits)).collect::<Vec<_>>());
        }
        visits
    };
    let (ones, twos) = (run(Some(1), Some(1)), run(Some(1), Some(2)));
    assert_eq!(ones[0], twos[0]);
    assert_ne!(ones[1], twos[1]);
    assert_eq!(run(None, None), run(None, None));
}

/// What a search cannot do is refused before any work.
#[test]
fn refusals_come_first() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 4));
    let knowledge = || game.extras();
    let spec: SearchSpec = "mcts:rave=10".parse().unwrap();
    assert!(spec.start(&game.start(), knowledge(), Resources::default()).is_ok());
    let written = Written::parse_tree("(+ -)").unwrap();
    let refused = spec.start(&written.start(), written.extras(), Resources::default());
    assert!(matches!(refused.err(), Some(SearchError::NotOffered { .. })));
    assert_eq!(game.start().turn(), Player::First);
}

/// A clock so fast that observers are called about every fifty checks.
fn fast_clock() -> std::time::Duration {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    static HAND: AtomicU64 = AtomicU64::new(0);
    std::time::Duration::from_millis(HAND.fetch_add(3, Relaxed))
}

/// While a search runs, its observer may read the tree; what it shows is true.
#[test]
fn the_tree_can_be_looked_at_while_it_grows() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 4));
    let (pos, mut memo) = (game.start(), Memo::new());
    for spec in SPECS {
        let (mut heard, mut seen) = (0, 0);
        let limits = Limits { simulations: Some(3_000), clock: Some(fast_clock), ..Limits::default() };
        let mut run = Run::new(limits).observed(|report: &Report<_>, tree: &dyn Tree<_>| {
            heard += 1;
            if heard < 20 || heard % 50 == 0 {
                check(&pos, report, &mut memo, spec);
                seen += check_tree(&pos, tree, &mut memo, spec);
            }
        });
        start(&game, &pos, spec, 1 << 20).run(Ask::Value, &mut run).unwrap();
        drop(run);
        assert!(heard > 0 && seen > 0, "{spec}: heard {heard} times, saw {seen} nodes");
    }
}
