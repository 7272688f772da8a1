use super::*;
use proofplay_core::{conformance, minimax, perft};
use std::collections::HashMap;

fn game<W: Word>(parameters: &str) -> Amazons<W> {
    Amazons::new(Setup::parse(parameters).unwrap())
}

#[test]
fn conforms() {
    for size in ["4x4", "5x4", "4x5", "6x6", "8x8"] {
        conformance::check(&game::<u64>(size), 3, 1);
    }
    for size in ["4x4", "10x10", "4x32", "32x4", "11x11", "12x10"] {
        conformance::check(&game::<u128>(size), 1, 1);
    }
}

/// A position in the middle of the game, few moves at its end, and the many moves of a start.
#[test]
fn random_moves_and_playouts_are_uniform() {
    conformance::check_uniform(&game::<u64>("4x4").start(), 20_000, 1);
    conformance::check_uniform(&game::<u64>("6x6").start(), 20_000, 2);
    let five = game::<u64>("5x5");
    conformance::check_uniform(&five.parse("xb.bx/b.xxb/..x../w.w.w/xwx.. b").unwrap(), 20_000, 3);
    conformance::check_uniform(&five.parse("xb.bx/bxxxb/..x../wxw.w/xwxx. w").unwrap(), 20_000, 4);
    conformance::check_uniform(&game::<u128>("10x10").start(), 22_000, 5);
}

/// Staged playouts are those of the staged weights: first moves against their chances, by
/// chi-square.
#[test]
fn staged_playouts_are_staged() {
    let five = game::<u64>("5x5");
    let pos = five.parse("xb.bx/b.xxb/..x../w.w.w/xwx.. b").unwrap();
    let (mut moves, mut rng, samples) = (Vec::new(), Rng::new(1), 40_000);
    pos.moves(&mut moves);
    let mut weights = vec![1.0; moves.len()];
    five.hints().weights(&pos, &moves, &mut weights);
    let mut counts = HashMap::new();
    for _ in 0..samples {
        let (mut end, mut first) = (pos, None);
        let mut trace = |_, mv| {
            first.get_or_insert(mv);
        };
        let score = five.hints().playout("staged", &mut end, &mut rng, &mut Vec::new(), Some(&mut trace));
        assert_eq!(end.outcome(), Some(score));
        *counts.entry(first.unwrap()).or_insert(0) += 1;
    }
    let total: f32 = weights.iter().sum();
    let excess = |(mv, &weight): (&Shot, &f32)| {
        let expected = f64::from(samples as f32 * weight / total);
        (f64::from(*counts.get(mv).unwrap_or(&0)) - expected).powi(2) / expected
    };
    let (chi2, freedom) = (moves.iter().zip(&weights).map(excess).sum::<f64>(), moves.len() as f64 - 1.0);
    assert!(
        chi2 < freedom + 4.0 * (2.0 * freedom).sqrt(),
        "chi-square {chi2} with {freedom} degrees of freedom"
    );
}

/// 2176 moves on 10x10 and 4307152 pairs of moves are well-known figures.
#[test]
fn known_counts() {
    let start = game::<u128>("10x10").start();
    assert_eq!([1, 2].map(|depth| perft(&start, depth)), [2176, 4_307_152]);
}

/// By hand. B is shut in; B takes the one cell that both reach; W does, and has another one in
/// reserve; each has one private cell, and W runs out first.
#[test]
fn small_values() {
    let four = game::<u64>("4x4");
    let value = |text| minimax(&four.parse(text).unwrap());
    assert_eq!(value("bbbb/xxxx/xxxw/.www b"), Score::WIN);
    assert_eq!(value("bbbb/x.xx/xwxx/wwwx b"), Score::LOSS);
    assert_eq!(value("bbbb/x.xx/xwx./xwww w"), Score::WIN);
    assert_eq!(value(".bbb/bxxx/xxxw/www. w"), Score::LOSS);
}

#[test]
fn starts() {
    assert_eq!(
        game::<u128>("").show(&game("").start()),
        "...b..b.../........../........../b........b/........../........../w........w/........../........../...w..w... w"
    );
    let eight = game::<u64>("8x8");
    assert_eq!(
        eight.show(&eight.start()),
        "..b..b../......../b......b/......../......../w......w/......../..w..w.. w"
    );
    let six = game::<u64>("6x5");
    assert_eq!(six.show(&six.start()), ".b..b./b....b/....../w....w/.w..w. w");
}

#[test]
fn refuses_what_cannot_be() {
    for bad in ["3x9", "9x3", "10", "12x11", "10x10,", "0x0"] {
        assert!(Setup::parse(bad).is_err(), "{bad}");
    }
    let game = game::<u64>("4x4");
    for (bad, why) in [
        (".bb./b..b/w..w/..w. w", "four `w` and four `b`, not 3 and 4"),
        (".bb./b..b/w..w/.ww. b", "every move shoots an arrow"),
        (".bb./bx.b/w..w/.ww. w", "every move shoots an arrow"),
        (".bb./b..b/w..w/.ww. w w", "nothing may follow"),
    ] {
        let error = game.parse(bad).unwrap_err().to_string();
        assert!(error.contains(why), "{bad}: {error}");
    }
    let pos = game.start();
    for (bad, why) in [
        ("a2", "a move is from-to/arrow"),
        ("a2-b2", "a move is from-to/arrow"),
        ("a2-e2/b2", "`e2` is no cell"),
        ("a3-b3/c3", "no amazon of the mover"),
        ("a2-d2/c2", "the amazon cannot go there"),
        ("a2-c3/b2", "the amazon cannot go there"),
        ("a2-b2/d2", "the arrow cannot go there"),
        ("a2-a2/b2", "the amazon cannot go there"),
    ] {
        let error = game.parse_move(&pos, bad).unwrap_err().to_string();
        assert!(error.contains(why), "{bad}: {error}");
    }
    assert!(game.parse_move(&pos, "a2-b2/a2").is_ok());
}
