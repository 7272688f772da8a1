use super::*;
use proofplay_core::{conformance, minimax, perft};

fn game<W: Word>(parameters: &str) -> Breakthrough<W> {
    Breakthrough::new(Setup::parse(parameters).unwrap())
}

#[test]
fn conforms() {
    for size in
        ["2x2,rows=1", "2x4", "3x5", "4x4", "5x4,rows=1", "8x8", "8x8,rows=4", "5x9,rows=3", "32x2,rows=1"]
    {
        conformance::check(&game::<u64>(size), 5, 1);
    }
    for size in ["4x4", "9x9", "10x10", "11x11,rows=3", "2x64", "64x2,rows=1", "16x8"] {
        conformance::check(&game::<u128>(size), 3, 1);
    }
}

#[test]
fn random_moves_and_playouts_are_uniform() {
    conformance::check_uniform(&game::<u64>("4x4").start(), 20_000, 1);
    conformance::check_uniform(&game::<u64>("8x8").start(), 20_000, 2);
    conformance::check_uniform(&game::<u128>("10x10").start(), 20_000, 3);
    let five = game::<u64>("5x5");
    conformance::check_uniform(&five.parse("bb.bb/b..bb/..w../w.b.w/.ww.w w").unwrap(), 20_000, 4);
    conformance::check_uniform(&five.parse("bb.bb/b..bb/..w../w.b.w/.ww.w b").unwrap(), 20_000, 5);
}

/// 8x8: 22 steps, and any reply to each: the armies do not meet in two moves. On 4x4 they touch:
/// three captures to the left, three to the right.
#[test]
fn known_counts() {
    let start = game::<u64>("8x8").start();
    assert_eq!([1, 2].map(|depth| perft(&start, depth)), [22, 484]);
    assert_eq!(perft(&game::<u64>("4x4").start(), 1), 6);
}

/// By hand. 2x2 and 4x2: the first capture is on the far row. 2x3: after a1-a2 B must take, W takes
/// back, and the last pawn of B is a step late.
#[test]
fn small_values() {
    assert_eq!(minimax(&game::<u64>("2x2,rows=1").start()), Score::WIN);
    assert_eq!(minimax(&game::<u64>("4x2,rows=1").start()), Score::WIN);
    assert_eq!(minimax(&game::<u64>("2x3,rows=1").start()), Score::WIN);
}

/// Taking the last pawn wins, wherever it stands; straight ahead nothing is captured.
#[test]
fn ends() {
    let game = game::<u64>("3x4,rows=1");
    let mut pos = game.parse(".../b../.w./... w").unwrap();
    pos.play(game.parse_move(&pos, "b2xa3").unwrap());
    assert_eq!(pos.outcome(), Some(Score::WIN));
    let pos = game.parse(".../.b./.w./... w").unwrap();
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let texts: Vec<_> = moves.iter().map(|&mv| game.show_move(&pos, mv)).collect();
    assert_eq!(texts, ["b2-a3", "b2-c3"]);
    assert_eq!(game.parse("..w/.../b../... b").unwrap().outcome(), Some(Score::WIN));
    assert_eq!(game.parse(".../.w./.../b.. w").unwrap().outcome(), Some(Score::LOSS));
}

#[test]
fn refuses_what_cannot_be() {
    for bad in ["8", "1x8", "8x3", "8x8,rows=5", "8x8,rows=0", "8x8,rows=", "8x8,first=B", "12x11", "8x8,"] {
        assert!(Setup::parse(bad).is_err(), "{bad}");
    }
    let message = Setup::parse("4x3").unwrap_err().to_string();
    assert!(message.contains("1 to 1 on 3 rows, not 2"), "{message}");
    assert_eq!(Setup::parse(""), Ok(Setup::STANDARD));
    assert_eq!(game::<u64>("4x4,rows=2").name(), "breakthrough:4x4");
    let game = game::<u64>("3x4,rows=1");
    for (bad, why) in [
        (".../.../w../... w", "B has no pawn"),
        ("w../.../b../... w", "W has won and cannot be to move"),
        ("w.w/.../b../... b", "W had won before the last step"),
        ("bbb/b../.../www w", "at most 3 pawns"),
        ("bbb/.../.../www b", "all pawns on the board"),
        ("bbb/.../w../.ww w", "all pawns on the board"),
        ("bbb/.../.../www x", "side to move"),
        ("bbb/.../.../www w 1", "nothing may follow"),
    ] {
        let error = game.parse(bad).unwrap_err().to_string();
        assert!(error.contains(why), "{bad}: {error}");
    }
}
