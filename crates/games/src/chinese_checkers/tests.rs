//! Chinese Checkers by hand and by the promises of every game.

use super::*;
use crate::board::U256;
use proofplay_core::{Game, conformance, perft};

fn game<W: StarWord>(side: u32) -> ChineseCheckers<W> {
    ChineseCheckers::new(Setup { side })
}

fn at(text: &str) -> Board<u64> {
    game(2).parse(text).unwrap_or_else(|e| panic!("{e}"))
}

fn after<W: StarWord>(mut pos: Board<W>, line: &str) -> Board<W> {
    let game = ChineseCheckers { star: pos.star };
    for mv in line.split_whitespace() {
        pos.play(game.parse_move(&pos, mv).unwrap_or_else(|e| panic!("{line}: {e}")));
    }
    pos
}

/// The goals of the piece on a cell.
fn goals<W: StarWord>(pos: &Board<W>, from: u32) -> Vec<u32> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves.into_iter().map(ends).filter(|ends| ends.0 == from).map(|ends| ends.1).collect()
}

#[test]
fn conforms() {
    conformance::check(&game::<u64>(1), 20, 1);
    conformance::check(&game::<u64>(2), 2, 2);
}

/// Pieces anywhere: many of them near their targets, where games end soon.
#[test]
fn conforms_anywhere() {
    fn check<W: StarWord>(side: u32, rounds: u32, rng: &mut Rng) {
        let game = game::<W>(side);
        for _ in 0..rounds {
            let mut pos = game.start();
            let mut free = game.star.board;
            for player in Player::BOTH {
                // All but a few in the target arm.
                let (target, all) = (game.star.targets[player.index()], side * (side + 1) / 2);
                let mut pieces = W::EMPTY;
                while pieces.count() < all {
                    let home = pieces.count() + 2 < all && rng.below(8) > 0 && !(free & target).is_empty();
                    let bit = W::bit(if home { free & target } else { free }.random_cell(rng));
                    (pieces, free) = (pieces | bit, free & !bit);
                }
                pos.pieces[player.index()] = pieces;
            }
            pos.end = pos.fills_target(Player::Second).then_some(Score::LOSS);
            conformance::check_line(&game, pos, rng);
        }
    }
    let mut rng = Rng::new(3);
    check::<u64>(2, 12, &mut rng);
    check::<u128>(3, 2, &mut rng);
    check::<U256>(3, 1, &mut rng);
}

#[test]
fn the_start() {
    let game = game::<u128>(3);
    let start = "1/11/111/........../........./......../......./......../........./........../222/22/2 1";
    assert_eq!(game.show(&game.start()), start);
    assert_eq!(game.parse(start), Ok(game.start()));
    // Six steps out of the arm, two from each cell of its last row; hops over that row from the two
    // before.
    assert_eq!(perft(&game.start(), 1), 10);
    assert_eq!((goals(&game.start(), 1), goals(&game.start(), 4)), (vec![9, 11], vec![10, 11]));
    assert_eq!(size_of::<Board<u128>>(), 304);
    assert_eq!(Setup::parse(""), Ok(Setup { side: 3 }));
    assert_eq!(game.name(), "chinese-checkers:3");
    for bad in ["0", "5", "03", "3x3", "-1", "3,", " 3"] {
        assert!(Setup::parse(bad).is_err(), "{bad}");
    }
}

/// A step next door, hops over pieces of both colours, and on in any direction; not over two, not
/// over a gap.
#[test]
fn chains_of_hops() {
    //         0
    //        1 2
    //   3 4 5 6 7 8 9
    //   10 11 12 13 14 15
    //    16 17 18 19 20
    //   21 22 23 24 25 26
    //  27 28 29 30 31 32 33
    //        34 35
    //         36
    let pos = at("./../......./..1.../.2.../..1.../...2.../.1/2 1");
    // Steps; over 17 to 22, over 23 to 24, over 30 to 34.
    assert_eq!(goals(&pos, 12), [5, 6, 11, 13, 18, 22, 24, 34]);
    // Over 17 to 11, over 12 to 13; from 11 back to the start, which is no move.
    assert_eq!(goals(&pos, 23), [11, 13, 18, 22, 24, 29]);
    assert_eq!(
        after(pos, "12-34").pieces[0],
        at("./../......./....../.2.../..1.../...2.../11/2 2").pieces[0]
    );
}

/// Player 1 has two pieces in the bottom arm, 34 to 36: they stay there.
#[test]
fn pieces_stay_in_their_target_arm() {
    let pos = at("2/2./......./..1.../...../....../....2../.1/1 1");
    assert_eq!((goals(&pos, 35), goals(&pos, 36)), (vec![34], vec![34]));
    // From 34 a hop over 29 would leave. Pieces of the other player may pass through: over 34 to
    // 36, over 35 to 31.
    let text = "2/2./......./..1.../...../....../..2..../11/. ";
    let pos = at(&format!("{text}1"));
    assert_eq!((goals(&pos, 34), goals(&pos, 35)), (vec![36], vec![36]));
    assert_eq!(goals(&at(&format!("{text}2")), 29), [22, 23, 28, 30, 31, 36]);
}

/// Full by the own last piece, or with the opponent's help; without an own piece in it nobody has
/// won.
#[test]
fn a_full_target_wins() {
    let pos = at("2/2./......./..1.../...../....../....2../.1/1 1");
    assert_eq!(pos.outcome(), None);
    let near = at("2/2./......./....../...../....../..1.2../.1/1 1");
    assert_eq!(after(near.clone(), "29-34").outcome(), Some(Score::WIN));
    // Player 2 fills player 1's arm: won after 1's next move, whatever it is.
    let helped = at("2/2./......./....../...../....../1.2..../.1/1 2");
    let filled = after(helped, "29-34");
    assert_eq!(filled.outcome(), None);
    assert_eq!(after(filled, "27-28").outcome(), Some(Score::WIN));
    // All three of player 2 still at home: nobody has won.
    assert_eq!(game::<u64>(2).start().outcome(), None);
    assert_eq!(at("2/21/......./..1.../...../....../..2..../.1/. 1").outcome(), Some(Score::LOSS));
}

/// The piece in the corner has no room, the others are at home: pass, and with a full arm that wins.
#[test]
fn who_cannot_move_passes() {
    let text = "2/../.../122......./2......../2......./......./......../........./........../111/11/2 1";
    let pos = game::<u128>(3).parse(text).unwrap();
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    assert_eq!((moves, pos.random_move(&mut Rng::new(1), &mut Vec::new())), (vec![PASS], PASS));
    let mut played = Vec::new();
    let score =
        pos.clone().playout(&mut Rng::new(1), &mut Vec::new(), &mut |player, mv| played.push((player, mv)));
    assert_eq!((score, played), (Score::WIN, vec![(Player::First, PASS)]));
    let passed = after(pos.clone(), "pass");
    assert_eq!((passed.outcome(), pos.key_after(pos.key(), PASS)), (Some(Score::WIN), passed.key()));
}

/// The third occurrence counts; to reach the target arm begins a new count.
#[test]
fn repetition_is_a_draw() {
    let pos = at("2/../..2..../....../...../....../..1..../11/2 1"
        .replace("/11/2", "/1./2")
        .replace("/..1..../", "/1.1..../")
        .as_str());
    let round = "27-28 5-4 28-27 4-5 ";
    let once = after(pos.clone(), round);
    assert_eq!((once.outcome(), once.key()), (None, pos.key()));
    assert_ne!(once, pos);
    let twice = after(once.clone(), round);
    assert_eq!(twice.outcome(), Some(Score::DRAW));
    assert!(game::<u64>(2).view(&twice).notes[0].contains("third time"));
    assert_eq!(after(once, "27-28 5-1").history, ReversibleMoves::default());
}

#[test]
fn refuses_what_cannot_be() {
    for (bad, why) in [
        (
            "1/11/......./....../...../....../......./22/. 1",
            "each side has 3 pieces here, but there are 2 `2`",
        ),
        ("1/11/1....../....../...../....../......./22/2 1", "4 `1`"),
        ("1/11/......./....../...../....../......./22/2", "the side to move"),
        ("1/11/......./....../...../....../......./22/2 3", "the side to move"),
        ("1/11/......./....../...../....../......./22/2 1 1", "nothing may follow"),
        ("1/11/......./....../...../....../......./2/22 1", "rank 8 from the top has 1 cells, not 2"),
    ] {
        let error = game::<u64>(2).parse(bad).unwrap_err().to_string();
        assert!(error.contains(why), "{bad}: {error}");
    }
}

#[test]
fn random_moves_are_uniform() {
    conformance::check_uniform(&game::<u64>(1).start(), 5_000, 1);
    conformance::check_uniform(&game::<u64>(2).start(), 2_000, 2);
    conformance::check_uniform(&at("2/2./......./..1.../.2.../.1..../......./.1/. 1"), 5_000, 3);
    conformance::check_uniform(&at("2/2./......./..1.../...../....../....2../.1/1 1"), 5_000, 4);
    let text = "2/2./2.1/.1......../1..1...../..1..2../......1/......../.2......./........../.2./../. 1";
    let pos = game::<u128>(3).parse(text).unwrap_or_else(|e| panic!("{e}"));
    conformance::check_uniform(&pos, 600, 5);
    // Chains of two pieces of one class and of others, and of a piece in its target arm.
    let text = "2/2./.../.2....2.../....1..../..1.2.../...2.../...1..../..1....../..1......./.../1./. 1";
    let pos = game::<u128>(3).parse(text).unwrap_or_else(|e| panic!("{e}"));
    conformance::check_uniform(&pos, 600, 6);
}

#[test]
fn pictures() {
    let view = game::<u64>(1).view(&game::<u64>(1).start());
    assert_eq!(
        view.draw(|symbol, _| symbol.to_string()),
        "         1:0\n1     2     3     4\n   5     6     7\n8     9     10    11\n         2:12\n"
    );
    let largest = game::<U256>(4).view(&game::<U256>(4).start());
    let widest = largest.draw(|symbol, _| symbol.to_string()).lines().map(str::len).max();
    assert!(widest.is_some_and(|widest| widest <= 80), "{widest:?}");
}
