//! Distances against brute force with a memory of whole positions.

use crate::testing::{ForEachGame, any_tree, random_position, small_games};
use crate::{Ask, Halt, Limits, Report, Resources, Run, SearchError, SearchSpec};
use proofplay_core::minimax::{Ending, brute_force};
use proofplay_core::{Extras, Game, Player, Position, Rng, Score};
use proofplay_games::written::Written;
use proptest::prelude::*;
use std::collections::HashMap;

const COUNTERS: &[&str] = &[
    "minimax",
    "alphabeta",
    "alphabeta:symmetry=off",
    "alphabeta:facts=off",
    "dfpn",
    "dfpn:facts=off,symmetry=off",
    "dfpp",
];

/// Value and plies of positions, by every line of play.
type Truth<P> = HashMap<P, (Score, u32)>;

fn truth<P: Position>(known: &mut Truth<P>, pos: &P) -> (Score, u32) {
    if let Some(score) = pos.outcome() {
        return (score, 0);
    }
    if let Some(&found) = known.get(pos) {
        return found;
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let after: Vec<(Score, u32)> = moves.iter().map(|&mv| truth(known, &pos.after(mv))).collect();
    let scores = after.iter().map(|end| end.0);
    let score = if pos.turn() == Player::First { scores.max() } else { scores.min() }.unwrap();
    let plies = after.iter().filter(|end| end.0 == score).map(|end| end.1 + 1);
    let plies = if score.winner() == Some(pos.turn()) { plies.min() } else { plies.max() }.unwrap();
    known.insert(pos.clone(), (score, plies));
    (score, plies)
}

fn ask<P: Position>(search: &str, pos: &P, extras: Extras<P>, ask: Ask, threads: usize) -> Report<P::Move> {
    let spec: SearchSpec = search.parse().unwrap();
    let resources = Resources { memory: 1 << 20, threads, ..Resources::default() };
    spec.start(pos, extras, resources).unwrap().run(ask, &mut Run::default()).unwrap()
}

/// Compares all distances of a report with the truth, and follows its line to the end.
fn check<P: Position>(known: &mut Truth<P>, pos: &P, report: &Report<P::Move>, all: bool, what: &str) {
    let (value, plies) = truth(known, pos);
    let counted = |score: Score, plies: u32| score.winner().map(|_| plies);
    assert_eq!(report.halt, Halt::Solved, "{what}: {pos:?}");
    assert_eq!(report.bounds.value(), Some(value), "{what}: {pos:?}");
    assert_eq!(report.plies, counted(value, plies), "{what}: {pos:?}");
    if pos.outcome().is_some() {
        return;
    }
    for m in report.moves.iter().filter(|m| all || m.plies.is_some()) {
        let (value, plies) = truth(known, &pos.after(m.mv));
        assert_eq!(m.plies, counted(value, plies + 1), "{what}: {:?} of {pos:?}", m.mv);
    }
    if value.winner().is_some() {
        let best = pos.after(report.best.unwrap());
        assert_eq!(truth(known, &best), (value, plies - 1), "{what}: the move to play of {pos:?}");
    }
    if value.winner().is_some() && !what.starts_with("minimax") {
        let mut end = pos.clone();
        report.pv.iter().for_each(|&mv| end.play(mv));
        assert_eq!(
            (end.outcome(), report.pv.len()),
            (Some(value), plies as usize),
            "{what}: line of {pos:?}"
        );
    }
}

#[test]
fn distances_of_all_small_games() {
    struct Work(Rng);
    impl ForEachGame for Work {
        fn with<G: Game>(&mut self, game: &G) {
            let mut known = Truth::new();
            for round in 0..12 {
                let pos = random_position(game, 2 + round % 5, &mut self.0);
                for &search in COUNTERS {
                    let threads = 1 + (round as usize + 1) % 2 * usize::from(search != "minimax");
                    for asked in [Ask::AllDistances, Ask::Distance] {
                        let extras = game.extras();
                        let report = ask(search, &pos, extras, asked, threads);
                        check(&mut known, &pos, &report, asked.all_moves(), search);
                    }
                }
            }
        }
    }
    small_games(&mut Work(Rng::new(16)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn distances_of_trees(tree in any_tree()) {
        let pos = Written::parse_tree(&tree).unwrap().start();
        let mut known = Truth::new();
        let (score, plies) = truth(&mut known, &pos);
        let ending = brute_force(&pos, &mut |_| true).unwrap();
        prop_assert_eq!(ending.score, score);
        if score.winner().is_some() {
            prop_assert_eq!(ending, Ending { score, plies });
        }
        for &search in COUNTERS {
            let report = ask(search, &pos, Extras::none(), Ask::AllDistances, 1);
            check(&mut known, &pos, &report, true, search);
        }
    }
}

/// Whatever a budget allows, what is counted is true.
#[test]
fn a_budget_never_makes_a_distance_wrong() {
    let mut rng = Rng::new(17);
    let mut uncounted = 0;
    let game = proofplay_games::connect4::Connect4::new(proofplay_games::in_a_row::Any::<u64>::new(4, 4, 3));
    let mut known = Truth::new();
    for round in 0..200 {
        let pos = random_position(&game, round % 6, &mut rng);
        let spec: SearchSpec = COUNTERS[round as usize % COUNTERS.len()].parse().unwrap();
        let mut search = spec.start_bare(&pos, Resources::default()).unwrap();
        let limits = Limits { nodes: Some(u64::from(1 + rng.below(400))), ..Limits::default() };
        let report = search.run(Ask::AllDistances, &mut Run::new(limits)).unwrap();
        uncounted += usize::from(report.bounds.is_exact() && report.halt != Halt::Solved);
        for m in &report.moves {
            let (score, plies) = truth(&mut known, &pos.after(m.mv));
            assert!(m.bounds.contains(score), "{spec}: {pos:?}");
            assert!(m.plies.is_none_or(|found| found == plies + 1), "{spec}: {pos:?}");
        }
        if let Some(found) = report.plies.filter(|_| pos.outcome().is_none()) {
            assert_eq!(found, truth(&mut known, &pos).1, "{spec}: {pos:?}");
        }
    }
    assert!(uncounted > 10, "the budget ended between value and distance only {uncounted} times");
}

#[test]
fn other_searches_refuse() {
    let pos = Written::parse_tree("((+ -) -)").unwrap().start();
    for search in ["pns", "ppt", "mcts", "alphabeta:deepen=on"] {
        let spec: SearchSpec = search.parse().unwrap();
        let mut search = spec.start_bare(&pos, Resources::default()).unwrap();
        let refused = search.run(Ask::Distance, &mut Run::default()).unwrap_err();
        assert!(matches!(refused, SearchError::NoDistances(_)), "{refused}");
    }
}
