//! Full memory, and counting: nodes, visits, what a report visits.

use super::tests::{check_tree, config, for_game};
use super::tree::{Fields, Id, ROOT, Room, Tree, Units};
use super::{Config, Mcts};
use crate::testing::{Budget, think};
use crate::{Halt, Limits, Resources};
use proofplay_core::minimax::Memo;
use proofplay_core::{Bounds, Game, Move, Position, Score};
use proofplay_games::connect4::Connect4;
use proofplay_games::in_a_row::Any;
use proofplay_games::written::{Place, Written};
use std::cell::Cell;

/// A full tree is recycled or does not grow, and the search continues.
#[test]
fn a_full_tree_goes_on() {
    let game = Connect4::new(Any::<u64>::new(7, 6, 4));
    for (threads, spec) in [(1, "mcts"), (4, "mcts"), (1, "mcts:full=stay"), (4, "mcts:full=stay")] {
        let budget = (
            Resources { memory: 1 << 18, threads, ..Resources::default() },
            Limits { simulations: Some(200_000), ..Limits::default() },
        );
        let mut search = for_game(&game, game.start(), config(spec), budget).unwrap();
        let report = think(&mut search, budget);
        assert_eq!(report.simulations, 200_000);
        assert!(report.memory <= 1 << 18);
    }
}

/// Where neither simulations nor time are limited, a search ends when its tree cannot grow, however
/// few nodes it has made.
#[test]
fn a_search_that_cannot_grow_ends() {
    let game = Connect4::new(Any::<u64>::new(7, 6, 4));
    let specs = [
        "mcts:full=stay",
        "mcts:full=stay,expand=one",
        "mcts:full=stay,proof=none",
        "mcts:leaf=evaluate,full=stay",
    ];
    for (spec, threads) in specs.into_iter().flat_map(|spec| [(spec, 1), (spec, 3)]) {
        for nodes in [None, Some(1_000_000)] {
            let budget = (
                Resources { memory: 1 << 12, threads, ..Resources::default() },
                Limits { nodes, ..Limits::default() },
            );
            let mut search = for_game(&game, game.start(), config(spec), budget).unwrap();
            let report = think(&mut search, budget);
            assert!(
                report.halt == Halt::Memory && !report.bounds.is_exact() && report.best.is_some(),
                "{spec}"
            );
            assert!((900..=1024).contains(&report.nodes), "{spec}: {}", report.nodes);
        }
    }
    // Nodes that have more moves than the tree has room for: recycling does not help.
    for tree in [format!("({})", "(- =) ".repeat(1200)), format!("(({0}) ({0}))", "- = ".repeat(600))] {
        let game = Written::parse_tree(&tree).unwrap();
        for nodes in [None, Some(1_000_000)] {
            let budget = (
                Resources { memory: 1 << 12, ..Resources::default() },
                Limits { nodes, ..Limits::default() },
            );
            let mut search = for_game(&game, game.start(), Config::default(), budget).unwrap();
            let report = think(&mut search, budget);
            assert!(report.halt == Halt::Memory && !report.bounds.is_exact() && report.best.is_some());
        }
    }
}

fn reachable<P: Position>(search: &Mcts<P>, id: Id) -> usize {
    let (first, children) = search.tree.children(id);
    1 + (0..children.len()).map(|i| reachable(search, first + i as Id)).sum::<usize>()
}

/// Every node is counted once, by the search that has made it, and the rest of a thread's room is
/// used by the next.
#[test]
fn nodes_are_counted() {
    let game = Connect4::new(Any::<u64>::new(7, 6, 4));
    for spec in ["mcts", "mcts:leaf=evaluate,batch=8"] {
        for threads in [1, 2, 8] {
            let budget = (
                Resources { memory: 1 << 24, threads, ..Resources::default() },
                Limits { simulations: Some(40), ..Limits::default() },
            );
            let mut search = for_game(&game, game.start(), config(spec), budget).unwrap();
            let mut nodes = 0;
            for _ in 0..50 {
                let report = think(&mut search, budget);
                nodes += report.nodes as usize;
                assert_eq!((search.tree.used(), reachable(&search, ROOT)), (nodes, nodes), "{spec}");
                assert_eq!(report.memory, 24 * nodes);
            }
            let unused = search.tree.taken() - nodes;
            assert!(unused <= 1100 * threads, "{unused} nodes are lost, {threads} threads");
            // A limit on nodes counts new ones.
            let budget = (budget.0, Limits { simulations: None, nodes: Some(1000), ..budget.1 });
            for _ in 0..5 {
                let report = think(&mut search, budget);
                nodes += report.nodes as usize;
                assert_eq!((search.tree.used(), reachable(&search, ROOT)), (nodes, nodes), "{spec}");
                // Threads may exceed it by what others are about to make.
                let most = 1000 + 7 * 8 * (threads as u64 - 1);
                assert!((993..=most).contains(&report.nodes), "{}, {threads} threads", report.nodes);
            }
            let best = think(&mut search, budget).best.unwrap();
            search.advance(best);
            assert_eq!(search.tree.used(), reachable(&search, ROOT), "after a move");
            let report = think(&mut search, budget);
            assert!(report.nodes > 990, "what is kept does not count");
        }
    }
}

#[test]
fn recycled_nodes_are_counted() {
    let game = Connect4::new(Any::<u64>::new(7, 6, 4));
    for threads in [1, 2, 8] {
        let budget = (
            Resources { memory: 1 << 17, threads, ..Resources::default() },
            Limits { simulations: Some(3000), ..Limits::default() },
        );
        let mut search = for_game(&game, game.start(), Config::default(), budget).unwrap();
        let mut nodes = 0;
        for _ in 0..20 {
            nodes += think(&mut search, budget).nodes;
            assert_eq!((search.tree.used(), search.tree.made()), (reachable(&search, ROOT), nodes));
        }
        assert!(nodes > 20_000, "recycled");
    }
}

/// More simulations than 32 bits can count do not overflow into the bounds.
#[test]
fn visits_do_not_overflow() {
    let game = Connect4::new(Any::<u64>::new(7, 6, 4));
    for threads in [1, 3] {
        let budget = (
            Resources { threads, ..Resources::default() },
            Limits { simulations: Some(2000), ..Limits::default() },
        );
        let mut search = for_game(&game, game.start(), Config::default(), budget).unwrap();
        think(&mut search, budget);
        search.tree.node(ROOT).add::<false>(u32::MAX - 2500, Units::of(0.0));
        for child in search.tree.children(ROOT).1 {
            child.add::<false>(u32::MAX / 8, Units::of(0.0));
        }
        let report = think(&mut search, budget);
        assert_eq!(report.bounds, Bounds::WDL);
        assert!(report.moves.iter().all(|m| m.bounds == Bounds::WDL && m.visits < 1 << 29));
        assert!(search.tree.node(ROOT).visits() < 1 << 31);
    }
}

/// A tree that is recycled repeatedly has only true bounds, and solves what a tree that stays full
/// cannot.
#[test]
fn recycled_trees_are_sound() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 4));
    let mut memo = Memo::new();
    let solved = |spec: &str, threads, memo: &mut Memo<_>| {
        let budget = (
            Resources { memory: 1 << 16, threads, ..Resources::default() },
            Limits { simulations: Some(400_000), ..Limits::default() },
        );
        let mut search = for_game(&game, game.start(), config(spec), budget).unwrap();
        let report = think(&mut search, budget);
        check_tree(&search, memo, spec);
        assert!(report.memory <= 1 << 16);
        report.bounds.is_exact()
    };
    for spec in ["score-bounded", "mcts:c=0.4,rave=100", "exact-win", "mcts-solver"] {
        for threads in [1, 4, 8] {
            let done = solved(spec, threads, &mut memo);
            // The others need more simulations, or prove no draws.
            assert!(done || spec != "score-bounded", "{threads} threads");
        }
    }
    assert!(!solved("score-bounded:full=stay", 1, &mut memo));
}

/// A report visits no more nodes of a decided tree than allowed, however large the tree.
#[test]
fn reports_take_little_of_a_decided_tree() {
    fn grow(tree: &Tree, id: Id, pos: &Place) {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        if !moves.is_empty() {
            let fill = |i: usize| (moves[i].code(), Bounds::exact(Score::WIN));
            assert!(tree.expand::<false>(&mut Room::default(), id, moves.len(), fill));
            let first = tree.children(id).0;
            (first..).zip(&moves).for_each(|(child, &mv)| grow(tree, child, &pos.after(mv)));
        }
    }
    // Three moves in each position, seven plies long.
    let text = (0..7).fold("+".to_owned(), |inner, _| format!("({inner} {inner} {inner})"));
    let game = Written::parse_tree(&text).unwrap();
    let search = for_game(&game, game.start(), Config::default(), Budget::default()).unwrap();
    grow(&search.tree, ROOT, &search.pos);
    let look = |left: u32| {
        let (left, scale) = (Cell::new(left), search.scale(&search.pos));
        let ranking = search.config.final_move.ranking((&search.tree, ROOT), &search.pos, None, scale, &left);
        (ranking.len(), left.get())
    };
    // All but the root and its children.
    let nodes = (3_u32.pow(8) - 1) / 2 - 4;
    assert_eq!((look(nodes + 5), look(100)), ((3, 5), (3, 0)));
}
