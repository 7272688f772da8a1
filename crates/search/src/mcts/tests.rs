//! Soundness: whatever the settings, what a tree calls certain is true at every step, and only
//! tightens.

use super::tree::{Fields, Id, ROOT};
use super::{Config, Evaluator, Mcts, Playout, Request};
use crate::testing::{Budget, any_tree, random_position, think, think_all};
use crate::{Ask, Limits, Resources, Run, Search, SearchError, SearchSpec};
use proofplay_core::minimax::Memo;
use proofplay_core::{Bounds, Extras, Game, Move, Position, Rng, Score};
use proofplay_games::board::Word;
use proofplay_games::in_a_row::Any;
use proofplay_games::written::Written;
use proofplay_games::{connect4::Connect4, domineering, mnk::Mnk, nogo, seki, y};
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

pub(crate) fn config(spec: &str) -> Config {
    match spec.parse() {
        Ok(SearchSpec::Mcts(config)) => config,
        other => panic!("{spec}: {other:?}"),
    }
}

pub(crate) fn for_game<G: Game>(
    game: &G,
    pos: G::Pos,
    config: Config,
    budget: Budget,
) -> Result<Mcts<G::Pos>, SearchError> {
    Mcts::new(pos, config, game.extras(), budget.0)
}

/// Every proof rule with every way to select, to grow, to estimate and to back up.
fn all_specs() -> Vec<String> {
    let proofs = [
        "proof=none",
        "proof=solver",
        "proof=exact",
        "proof=bounds",
        "proof=bounds,cut=off",
        "proof=bounds,delta=-0.1",
        "proof=bounds,gamma=0.3,delta=10000,fade=5,relative=on",
    ];
    let selections =
        ["select=uct", "select=root,fpu=0.2", "select=sum,c=0.5", "rave=50", "select=puct,w=3", "w=10,t=5"];
    let growths = ["expand=all", "expand=one", "expand=all,after=0", "expand=one,after=3"];
    let extras = [
        "",
        ",clamp=on",
        ",proven=on",
        ",rb=2",
        ",qb=1,qb_a=0.25,rb=1",
        ",ms=2",
        ",mb=2",
        ",mr=2",
        ",leaf=weighted,moves=6,check=2,stop=0.1",
        ",moves=2,cutoff=evaluate",
        ",leaf=staged",
        ",facts=on",
    ];
    let mut specs = Vec::new();
    for proof in proofs {
        for selection in selections {
            for growth in growths {
                // Every combination of three; the rest in turn.
                let extra = extras[specs.len() % extras.len()];
                specs.push(format!("mcts:{proof},{selection},{growth}{extra}"));
            }
        }
    }
    for evaluate in [
        "",
        ",select=puct,c=1.5",
        ",select=puct,batch=7",
        ",w=3,proof=exact,batch=3",
        ",proof=none,batch=2,rave=9",
        ",facts=on",
        ",facts=on,select=puct,reduce=0.5,batch=5",
        ",facts=on,proof=exact,select=puct,reduce=0.5,batch=2",
        ",select=puct,reduce=2",
    ] {
        specs.push(format!("mcts:leaf=evaluate{evaluate}"));
    }
    specs
}

/// Checks every node of the tree against brute force and returns all bounds, in a fixed order.
pub(super) fn check_tree<P: Position>(search: &Mcts<P>, memo: &mut Memo<P>, what: &str) -> Vec<Bounds> {
    fn walk<P: Position>(
        search: &Mcts<P>,
        id: Id,
        pos: &P,
        memo: &mut Memo<P>,
        what: &str,
        out: &mut Vec<Bounds>,
    ) {
        let bounds = search.tree.node(id).bounds();
        assert!(
            bounds.contains(memo.value(pos)),
            "{what}: {bounds} at {pos:?}, whose value is {}",
            memo.value(pos)
        );
        out.push(bounds);
        let (first, children) = search.tree.children(id);
        for (i, child) in children.iter().enumerate() {
            walk(search, first + i as Id, &pos.after(P::Move::from_code(child.code())), memo, what, out);
        }
    }
    let mut out = Vec::new();
    walk(search, ROOT, &search.pos, memo, what, &mut out);
    out
}

/// Runs a search one simulation at a time and checks the whole tree after each.
fn check_steps<G: Game>(game: &G, pos: &G::Pos, spec: &str, steps: u64, memo: &mut Memo<G::Pos>) {
    let budget = (
        Resources { memory: 1 << 20, ..Resources::default() },
        Limits { simulations: Some(1), ..Limits::default() },
    );
    let Ok(mut search) = for_game(game, pos.clone(), config(spec), budget) else { return };
    let what = format!("{} {} {spec}", game.name(), game.show(pos));
    let mut before = search.tree.node(ROOT).bounds();
    for _ in 0..steps {
        let report = think(&mut search, budget);
        check_tree(&search, memo, &what);
        let now = search.tree.node(ROOT).bounds();
        assert!(before.encloses(now), "{what}: {before} became {now}");
        before = now;
        if let Some(value) = report.bounds.value() {
            check_choice(pos, &report, value, memo, &what);
            return;
        }
    }
}

/// A solved search plays a move that preserves the value.
fn check_choice<P: Position>(
    pos: &P,
    report: &crate::Report<P::Move>,
    value: Score,
    memo: &mut Memo<P>,
    what: &str,
) {
    assert_eq!(value, memo.value(pos), "{what}: solved wrongly");
    if let Some(best) = report.best {
        assert_eq!(memo.value(&pos.after(best)), value, "{what}: plays a move that loses the value");
    }
}

fn check_game<G: Game>(game: &G, steps: u64, seed: u64) {
    let (mut rng, mut memo) = (Rng::new(seed), Memo::new());
    for (i, spec) in all_specs().iter().enumerate() {
        let mut pos = game.start();
        for _ in 0..i % 4 {
            if pos.outcome().is_none() {
                pos.play(pos.random_move(&mut rng, &mut Vec::new()));
            }
        }
        check_steps(game, &pos, spec, steps, &mut memo);
    }
}

fn domineering<W: Word>(size: &str) -> domineering::Domineering<W> {
    domineering::Domineering::new(domineering::Setup::parse(size).unwrap())
}

#[test]
fn certain_is_true_in_every_game() {
    check_game(&Mnk::new(Any::<u64>::new(3, 3, 3)), 60, 1);
    check_game(&Connect4::new(Any::<u64>::new(4, 3, 3)), 60, 2);
    check_game(&Connect4::new(Any::<u64>::new(3, 4, 4)), 40, 3);
    check_game(&domineering::<u64>("4x3"), 60, 4);
    check_game(&nogo::NoGo::<u64>::new(nogo::Setup::parse("3x3").unwrap()), 60, 5);
    check_game(&y::Y::<u64>::new(y::Setup { size: 3 }), 60, 6);
    check_game(&seki::Seki::new(seki::Setup::parse("2,2").unwrap()), 60, 7);
}

/// Every search of a small game runs until it is solved and is right about the value and the move.
#[test]
fn solves_to_the_end() {
    let game = Mnk::new(Any::<u64>::new(3, 3, 3));
    let mut memo = Memo::new();
    let mut rng = Rng::new(9);
    for (i, spec) in all_specs().iter().enumerate() {
        let mut pos = game.start();
        for _ in 0..i % 5 {
            pos.play(pos.random_move(&mut rng, &mut Vec::new()));
        }
        let value = memo.value(&pos);
        let unprovable = spec.contains("proof=none") || spec.contains("proof=solver") && value == Score::DRAW;
        let provable = !unprovable;
        let most = if provable { 2_000_000 } else { 5_000 };
        let budget = (
            Resources { memory: 1 << 25, seed: i as u64, ..Resources::default() },
            Limits { simulations: Some(most), ..Limits::default() },
        );
        let Ok(mut search) = for_game(&game, pos, config(spec), budget) else { continue };
        let report = think(&mut search, budget);
        check_tree(&search, &mut memo, spec);
        assert_eq!(report.bounds.value().is_some(), provable, "{spec} at {pos:?}");
        if provable {
            check_choice(&pos, &report, value, &mut memo, spec);
        }
    }
}

/// All moves of the root get their exact values.
#[test]
fn all_moves_are_valued() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 3));
    let mut memo = Memo::new();
    let mut rng = Rng::new(4);
    for seed in 0..10 {
        let mut pos = game.start();
        for _ in 0..seed {
            if pos.outcome().is_none() {
                pos.play(pos.random_move(&mut rng, &mut Vec::new()));
            }
        }
        let budget = (Resources { seed, ..Resources::default() }, Limits::default());
        let mut search = for_game(&game, pos, Config::default(), budget).unwrap();
        let report = think_all(&mut search, budget);
        for m in &report.moves {
            assert_eq!(
                m.bounds.value(),
                Some(memo.value(&pos.after(m.mv))),
                "{} move {}",
                game.show(&pos),
                m.mv
            );
        }
        assert_eq!(report.bounds.value(), Some(memo.value(&pos)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Any tree, any score range, any order of movers, any settings.
    #[test]
    fn certain_is_true_in_any_tree(tree in any_tree(), which in 0usize..1000, seed in 0u64..1000) {
        let game = Written::parse_tree(&tree).unwrap();
        let specs = all_specs();
        let spec = &specs[(which * 7 + seed as usize) % specs.len()];
        check_steps(&game, &game.start(), spec, 60, &mut Memo::new());
    }

    /// With bounds and enough simulations every tree is solved.
    #[test]
    fn any_tree_is_solved(tree in any_tree(), seed in 0u64..1000) {
        let game = Written::parse_tree(&tree).unwrap();
        for proof in ["exact", "bounds", "bounds,expand=one", "bounds,delta=10000"] {
            let budget = (Resources { memory: 1 << 20, seed, ..Resources::default() }, Limits { simulations: Some(20_000), ..Limits::default() });
            let mut search = for_game(&game, game.start(), config(&format!("mcts:proof={proof}")), budget).unwrap();
            let report = think(&mut search, budget);
            prop_assert_eq!(report.bounds.value(), Some(Memo::new().value(&game.start())), "{} {}", tree, proof);
        }
    }
}

/// Eight threads on one tree, many times: whatever they prove is true, and the tree stays
/// consistent.
#[test]
fn threads_prove_nothing_wrong() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 3));
    let ttt = Mnk::new(Any::<u64>::new(3, 3, 3));
    let (mut memo, mut memo_ttt) = (Memo::new(), Memo::new());
    let mut rng = Rng::new(8);
    for round in 0..60 {
        let spec =
            ["mcts", "mcts:expand=one,after=0", "mcts:proof=exact,rave=20", "mcts:delta=-0.1"][round % 4];
        let budget = (Resources { threads: 8, seed: round as u64, memory: 1 << 22 }, Limits::default());
        let mut pos = game.start();
        for _ in 0..rng.below(6) {
            if pos.outcome().is_none() {
                pos.play(pos.random_move(&mut rng, &mut Vec::new()));
            }
        }
        let mut search = for_game(&game, pos, config(spec), budget).unwrap();
        let report = think(&mut search, budget);
        check_tree(&search, &mut memo, spec);
        assert_eq!(report.bounds.value(), Some(memo.value(&pos)), "{spec} {}", game.show(&pos));
        let mut search = for_game(&ttt, ttt.start(), config(spec), budget).unwrap();
        let report = think(&mut search, budget);
        check_tree(&search, &mut memo_ttt, spec);
        assert_eq!(report.bounds.value(), Some(Score::DRAW), "{spec}");
    }
}

/// With threads exactly the given number of simulations is run, and the visits of the root are
/// theirs.
#[test]
fn threads_count_right() {
    let game = Connect4::new(Any::<u64>::new(7, 6, 4));
    for threads in [1, 2, 5] {
        let budget = (
            Resources { threads, ..Resources::default() },
            Limits { simulations: Some(10_001), ..Limits::default() },
        );
        let mut search = for_game(&game, game.start(), Config::default(), budget).unwrap();
        let report = think(&mut search, budget);
        assert_eq!((report.simulations, search.tree.node(ROOT).visits()), (10_001, 10_001));
        assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), 10_001);
        assert!(
            report.moves.iter().all(|m| m.mean.is_none_or(|mean| mean.abs() <= 1.0)),
            "virtual losses are taken back"
        );
    }
}

#[test]
fn one_thread_is_reproducible() {
    let game = Connect4::new(Any::<u64>::new(7, 6, 4));
    let run = |seed| {
        let budget = (
            Resources { seed, ..Resources::default() },
            Limits { simulations: Some(5000), ..Limits::default() },
        );
        let mut search = for_game(&game, game.start(), Config::default(), budget).unwrap();
        let mut report = think(&mut search, budget);
        report.elapsed = std::time::Duration::ZERO;
        report
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

/// A subtree that is kept has the same numbers, and the search continues from there.
#[test]
fn the_tree_is_reused() {
    let game = Connect4::new(Any::<u64>::new(5, 4, 4));
    let budget = (Resources::default(), Limits { simulations: Some(3000), ..Limits::default() });
    let mut search = for_game(&game, game.start(), Config::default(), budget).unwrap();
    let mut memo = Memo::new();
    while search.position().outcome().is_none() {
        let report = think(&mut search, budget);
        let best = report.moves[0].clone();
        search.advance(best.mv);
        let visits = search.tree.node(ROOT).visits();
        assert_eq!((u64::from(visits), search.tree.node(ROOT).bounds()), (best.visits, best.bounds));
        check_tree(&search, &mut memo, "reused");
    }
    let mut search = for_game(&game, game.start(), Config::default(), budget).unwrap();
    search.advance(0);
    assert_eq!(search.tree.used(), 1, "an unknown move starts a new tree");
}

/// Bounds that a node below the root has from facts, or from children that are gone, show no move.
/// Once it is the root it must find one before it calls itself solved.
#[test]
fn a_root_that_was_reached_has_a_move_to_show() {
    fn check<G: Game>(game: &G, spec: &str, memory: usize, seed: u64) -> usize {
        let (mut rng, mut memo, mut solved) = (Rng::new(seed), Memo::new(), 0);
        for _ in 0..30 {
            let pos = random_position(game, rng.below(6), &mut rng);
            let Some(mv) = pos.outcome().is_none().then(|| pos.random_move(&mut rng, &mut Vec::new())) else {
                continue;
            };
            let budget = (
                Resources { memory, ..Resources::default() },
                Limits { simulations: Some(400), ..Limits::default() },
            );
            let mut search = for_game(game, pos, config(spec), budget).unwrap();
            think(&mut search, budget);
            search.advance(mv);
            let pos = search.position().clone();
            if pos.outcome().is_some() {
                continue;
            }
            for playouts in [0, 1, 3, 10_000] {
                let budget = (budget.0, Limits { simulations: Some(playouts), ..budget.1 });
                let report = think(&mut search, budget);
                let what = format!("{}, {spec}, {playouts}", game.show(&pos));
                assert!(report.bounds.contains(memo.value(&pos)), "{what}");
                if let Some(value) = report.bounds.value() {
                    assert!(report.best_is_proven(pos.turn()), "{what}: solved, but by which move?");
                    assert_eq!(memo.value(&pos.after(report.best.unwrap())), value, "{what}");
                    solved += 1;
                }
            }
        }
        solved
    }
    let connect4 = Connect4::new(Any::<u64>::new(4, 4, 3));
    for spec in ["mcts:facts=on", "exact-win:facts=on", "mcts:facts=on,expand=one"] {
        assert!(check(&connect4, spec, 1 << 20, 1) > 10);
        assert!(check(&domineering::<u64>("4x4"), spec, 1 << 20, 2) > 10);
    }
    for spec in ["mcts", "mcts-solver", "score-bounded"] {
        assert!(check(&connect4, spec, 4 << 10, 3) > 10);
    }
}

/// A stop flag set from another thread ends a search; what is known is reported.
#[test]
fn stops_when_told() {
    let game = Connect4::new(Any::<u64>::new(7, 6, 4));
    let mut search = for_game(&game, game.start(), Config::default(), Budget::default()).unwrap();
    let (heard, hears) = std::sync::mpsc::channel();
    let mut run = Run::default().observed(|_, _| _ = heard.send(()));
    let stop = Arc::clone(&run.stop);
    std::thread::scope(|scope| {
        // Once something is known.
        scope.spawn(move || {
            hears.recv().unwrap();
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let report = search.run(Ask::Value, &mut run).unwrap();
        assert!(report.simulations > 0 && report.best.is_some());
    });
}

/// A proven win is played, the shortest first; a proven loss never while something else is there;
/// if all lose, the longest.
#[test]
fn proven_results_decide_the_move() {
    let best = |tree: &str| {
        let game = Written::parse_tree(tree).unwrap();
        let mut search = for_game(&game, game.start(), Config::default(), Budget::default()).unwrap();
        think_all(&mut search, Budget::default()).moves.iter().map(|m| m.mv).collect::<Vec<_>>()
    };
    assert_eq!(best("(- = +)"), [2, 1, 0]);
    assert_eq!(best("(((+)) ((((+)))) - +)"), [3, 0, 1, 2], "the shortest win first");
    assert_eq!(best("(- ((-)) ((((-)) -)))"), [2, 1, 0], "the longest loss first");
    assert_eq!(best("(3 5 (4 9))"), [1, 2, 0], "more points first");
    assert_eq!(best("(-1 ((-2)))"), [0, 1], "the smaller loss first, however long the other takes");
}

/// An evaluator is called with every leaf once, in batches; its priors steer PUCT.
#[test]
fn an_evaluator_is_asked_in_batches() {
    struct Favourite(Mutex<Vec<usize>>);
    impl<P: Position<Move = u8>> Evaluator<P> for Favourite {
        fn evaluate(&self, batch: &mut [Request<P>]) {
            self.0.lock().unwrap().push(batch.len());
            for request in batch {
                assert_eq!(request.pos.outcome(), None);
                assert_eq!(request.priors.len(), request.moves.len());
                for (prior, &mv) in request.priors.iter_mut().zip(&request.moves) {
                    *prior = if mv == 14 { 0.94 } else { 0.01 };
                }
            }
        }
    }
    let game = Connect4::new(Any::<u64>::new(7, 6, 4));
    let favourite = Arc::new(Favourite(Mutex::default()));
    let budget = (Resources::default(), Limits { simulations: Some(100), ..Limits::default() });
    let search = Mcts::new(
        game.start(),
        config("mcts:leaf=evaluate,select=puct,c=2,batch=8"),
        Extras::none(),
        budget.0,
    );
    let mut search = search.unwrap().with_evaluator(favourite.clone());
    let report = think(&mut search, budget);
    assert_eq!((report.simulations, report.best), (100, Some(14)), "the third column");
    assert!(report.moves[0].visits > 60, "{:?}", report.moves);
    let batches = favourite.0.lock().unwrap();
    assert_eq!(batches.iter().sum::<usize>(), 100);
    assert_eq!(batches.iter().max(), Some(&8));
}

/// Every spec prints as a text that reads back as the same spec.
#[test]
fn specs_print_and_read_back() {
    let more = [
        "mcts-solver",
        "exact-win",
        "score-bounded:delta=-0.1",
        "alphabeta:depth=7",
        "alphabeta:depth=none",
        "alphabeta:depth=none,deepen=on",
        "alphabeta:deepen=on",
        "mcts:final=secure,a=2,playouts=5,threads=3",
    ];
    for text in all_specs().iter().map(String::as_str).chain(more) {
        let spec: SearchSpec = text.parse().unwrap();
        assert_eq!(spec.to_string().parse(), Ok(spec.clone()), "{text} prints as {spec}");
    }
    for bad in [
        "alphabeta:depth=0",
        "alphabeta:depth=300",
        "alphabeta:depth=3,deepen=off",
        "alphabeta:deepen=on,symmetry=on",
        "mcts:c=x",
        "mcts:c",
        "mcts:c=1,c=2",
        "mcts:cc=1",
        "mcts:proof=maybe",
        "mcts:proof=exact,delta=1",
        "mcts:batch=2",
        "mcts:leaf=evaluate,t=5",
        "mcts:rb_a=1",
        "mcts:c=-1",
        "mcts:c=NaN",
        "mcts:threads=-1",
        "mctz",
        "",
        ":",
        "mcts:t=1e9",
    ] {
        assert!(bad.parse::<SearchSpec>().is_err(), "{bad}");
    }
}

/// A solved position plays a move that is proven to preserve the value, not one that might lose
/// more slowly.
#[test]
fn a_smaller_loss_is_not_given_up() {
    let game = Written::parse_tree("2(1 1(0 -1 1 2 2))").unwrap();
    for seed in 0..200 {
        let budget = (Resources { seed, memory: 1 << 20, ..Resources::default() }, Limits::default());
        let spec = config("mcts:proof=bounds,cut=off,expand=one");
        let mut search = for_game(&game, game.start(), spec, budget).unwrap();
        assert_eq!(think(&mut search, budget).best, Some(0), "seed {seed}");
    }
}

/// A playout that is cut off is worth what the evaluation function says of where it stopped.
#[test]
fn cut_off_playouts_are_evaluated() {
    use super::leaf::{Cutoff, End, Scratch};
    let game = proofplay_games::breakthrough::Breakthrough::<u64>::new(
        proofplay_games::breakthrough::Setup::parse("5x5").unwrap(),
    );
    let (hints, mut rng, mut values) = (game.hints(), Rng::new(3), Vec::new());
    let playout = Playout { most_moves: 6, cutoff: Cutoff::Evaluate, ..Playout::default() };
    for _ in 0..50 {
        let mut pos = game.start();
        let mut moves = 0;
        let end = playout.run(
            &mut pos,
            (&*hints, None),
            &mut rng,
            &mut Scratch::default(),
            &mut || false,
            &mut |_, _| moves += 1,
        );
        match end {
            End::Evaluated(value) => {
                assert_eq!((value, moves), (hints.value(&pos), 6));
                values.push(value);
            }
            End::Over(score) => assert_eq!(pos.outcome(), Some(score)),
            End::Stopped(_) => panic!("nothing else stops this playout"),
        }
    }
    values.sort_by(f32::total_cmp);
    assert!(values.len() > 40 && values[0] < values[values.len() - 1], "{values:?}");
}
