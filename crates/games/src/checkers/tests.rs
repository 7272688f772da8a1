//! Checkers by hand, by the promises of every game, and against published counts.

use super::*;
use proofplay_core::{Game, conformance, perft};

fn game(parameters: &str) -> Checkers {
    Checkers::new(Setup::parse(parameters).unwrap())
}

fn at(parameters: &str, text: &str) -> Board {
    game(parameters).parse(text).unwrap_or_else(|e| panic!("{e}"))
}

fn after(parameters: &str, mut pos: Board, line: &str) -> Board {
    for mv in line.split_whitespace() {
        pos.play(game(parameters).parse_move(&pos, mv).unwrap_or_else(|e| panic!("{line}: {e}")));
    }
    pos
}

fn legal(parameters: &str, pos: &Board) -> Vec<String> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let mut texts: Vec<_> = moves.iter().map(|&mv| game(parameters).show_move(pos, mv)).collect();
    texts.sort();
    texts
}

#[test]
fn conforms() {
    for size in 4..=10 {
        conformance::check(&game(&format!("{size}x{size}")), 5, 1);
        conformance::check(&game(&format!("{size}x{size},rows=1,draw=none")), 2, 2);
    }
    conformance::check(&game("10x10,rows=4"), 4, 3);
    conformance::check(&game("5x5,rows=2"), 4, 3);
}

/// Few pieces, many of them kings: long jumps, counters and repetition are frequent.
#[test]
fn conforms_with_kings() {
    let mut rng = Rng::new(4);
    for round in 0..80 {
        let name = ["8x8", "6x6,draw=none", "5x5", "10x10,rows=4"][round % 4];
        let game = game(name);
        let crowning = game.squares.crowning;
        let most = game.start().pieces[0].count().min(6);
        let mut squares = crate::board::shuffled(game.squares.board, &mut rng).cells().to_vec();
        let mut pieces = || {
            let count = 1 + rng.below(most);
            (0..count).fold(0, |set, _| set | 1 << squares.pop().unwrap())
        };
        let pieces = [pieces(), pieces()];
        let kings =
            (pieces[0] | pieces[1]) & rng.next_u64() | pieces[0] & crowning[0] | pieces[1] & crowning[1];
        conformance::check_line(&game, Board { pieces, kings, ..game.start() }, &mut rng);
    }
}

/// The published counts of English draughts: 7, 49, 302, 1469, 7361, 36768, 179740, 845931 (A. Bik,
/// "Computing deep perft and divide numbers for checkers", ICGA Journal 35(4), 2012; the start
/// mirrored, and exchanging colours changes nothing).
#[test]
fn published_counts() {
    let counts: Vec<_> = (1..=8).map(|depth| perft(&game("").start(), depth)).collect();
    assert_eq!(counts, [7, 49, 302, 1469, 7361, 36768, 179_740, 845_931]);
}

#[test]
fn the_start() {
    let start = ".b.b.b.b/b.b.b.b./.b.b.b.b/......../......../w.w.w.w./.w.w.w.w/w.w.w.w. w";
    assert_eq!(game("").show(&game("").start()), start);
    assert_eq!(at("", start), game("").start());
    assert_eq!(size_of::<Board>(), 296);
    let names = [
        ("", "8x8"),
        ("6x6", "6x6"),
        ("10x10,rows=4", "10x10,rows=4"),
        ("8x8,draw=none,rows=3", "8x8,draw=none"),
    ];
    for (parameters, name) in names {
        assert_eq!(game(parameters).name(), format!("checkers:{name}"));
    }
    assert_eq!(game("4x4").show(&game("4x4").start()), ".b.b/..../..../w.w. w");
}

/// Capturing is compulsory and continues; the way may be chosen; a man jumps forward only.
#[test]
fn jumps_by_hand() {
    let pos = at("", "......../......../.b.b..../......../.b.b..../..w...../......../w....... w");
    assert_eq!(legal("", &pos), ["c3xa5xc7", "c3xe5xc7"]);
    let done = after("", pos, "c3xe5xc7");
    assert_eq!(
        game("").show(&done),
        "......../..w...../.b....../......../.b....../......../......../w....... b"
    );
    // Backwards over b4 only as a king.
    let pos = at("", "......../......../......../..w...../.b....../......../......../........ w");
    assert_eq!(legal("", &pos), ["c5-b6", "c5-d6"]);
    let pos = at("", "......../......../......../..W...../.b....../......../......../........ w");
    assert_eq!(legal("", &pos), ["c5xa3"]);
}

/// Crowned on d8, a man stops there; a king continues.
#[test]
fn crowning_ends_the_turn() {
    let pos = at("", "......../..b.b.../.w....../......../......../......../......../........ w");
    assert_eq!(legal("", &pos), ["b6xd8"]);
    assert_eq!(
        game("").show(&after("", pos, "b6xd8")),
        "...W..../....b.../......../......../......../......../......../........ b"
    );
    let pos = at("", "......../..b.b.../.W....../......../......../......../......../........ w");
    assert_eq!(legal("", &pos), ["b6xd8xf6"]);
    let pos = at("", "......../......../......../......../......../....w.../.b....../........ b");
    assert_eq!(legal("", &pos), ["b2-a1", "b2-c1"]);
    let crowned = after("", pos, "b2-a1");
    assert!(game("").show(&crowned).contains("/B......."));
}

/// Round the square c1 e3 c5 a3 in either direction, back to where it began.
#[test]
fn a_king_may_return_to_its_start() {
    let pos = at("", "......../......../......../......../.b.b..../......../.b.b..../..W..... w");
    assert_eq!(legal("", &pos), ["c1xa3xc5xe3xc1", "c1xe3xc5xa3xc1"]);
    let done = after("", pos, "c1xe3xc5xa3xc1");
    assert_eq!(done.outcome(), Some(Score::WIN));
    assert_eq!(
        game("").show(&done),
        "......../......../......../......../......../......../......../..W..... b"
    );
}

/// All sixteen squares that a king on a3 of 10x10 can cross, in one move: the longest there is.
#[test]
fn the_longest_jump_fits_into_a_move() {
    let enemies = ".b.b.b.b..";
    let text = format!(
        "........../........../{enemies}/........../{enemies}/........../{enemies}/W........./{enemies}/.......... w"
    );
    let pos = at("10x10,rows=4", &text);
    let texts = legal("10x10,rows=4", &pos);
    let longest = texts.iter().map(|text| text.split('x').count() - 1).max();
    assert_eq!(longest, Some(16));
    let unique: std::collections::HashSet<_> = texts.iter().collect();
    assert_eq!(unique.len(), texts.len());
    for text in texts.iter().filter(|text| text.split('x').count() > 15) {
        let left = 16 + 1 - text.split('x').count() as u32;
        assert_eq!(after("10x10,rows=4", pos.clone(), text).pieces[1].count(), left);
    }
}

#[test]
fn draws_by_hand() {
    let lone = "......../......../......../......../......../......../.B....../W....... w";
    assert_eq!(at("", lone).outcome(), Some(Score::DRAW));
    assert_eq!(at("8x8,draw=none", lone).outcome(), None);
    // Two kings against one: the 25th king move in a row draws, unless it wins.
    let pos = at("", "......../......../......../......../......../W.W...../......../B....... w 24");
    assert_eq!(pos.outcome(), None);
    let drawn = after("", pos.clone(), "c3-d4");
    assert_eq!(drawn.outcome(), Some(Score::DRAW));
    assert!(game("").show(&drawn).ends_with(" b 25"));
    assert_eq!(after("", pos, "a3-b2").outcome(), Some(Score::WIN));
    // A man's move and a capture begin a new count.
    let pos = at("", ".......B/......../......../......../......../..W...../......../w....... w 10");
    assert!(game("").show(&after("", pos.clone(), "a1-b2")).ends_with(" b"));
    assert!(game("").show(&after("", pos, "c3-d4")).ends_with(" b 11"));
    let pos = at("", ".......B/......../......../......../...b..../..W...../......../w....... w 10");
    assert!(game("").show(&after("", pos, "c3xe5")).ends_with(" b"));
}

#[test]
fn repetition_is_a_draw() {
    for parameters in ["8x8", "8x8,draw=none"] {
        let text = ".......B/......../......../......../......../W......./......../W....... w";
        let (pos, round) = (at(parameters, text), "a1-b2 h8-g7 b2-a1 g7-h8 ");
        let once = after(parameters, pos.clone(), round);
        assert_eq!(once.outcome(), None);
        assert_eq!(after(parameters, once, round).outcome(), Some(Score::DRAW));
        // A man's move in between resets the count.
        let text = ".......B/......../......../......../......../w......./......../W....... w";
        let (pos, first) = (at(parameters, text), "a1-b2 h8-g7 b2-a1 g7-h8 a3-b4 h8-g7 ");
        let line = format!("{first}a1-b2 g7-h8 b2-a1 h8-g7 a1-b2 g7-h8 ");
        assert_eq!(after(parameters, pos.clone(), &line).outcome(), None);
        assert_eq!(after(parameters, pos, &format!("{line}b2-a1")).outcome(), Some(Score::DRAW));
    }
}

/// No piece, or none that can move.
#[test]
fn who_cannot_move_loses() {
    let outcome = |text| at("4x4", text).outcome();
    assert_eq!(outcome("..../..../..../w... b"), Some(Score::WIN));
    assert_eq!(outcome("..../..../.b../w... w"), None);
    assert_eq!(outcome("..../..b./.b../w... w"), Some(Score::LOSS));
    assert_eq!(outcome("...b/..w./.w../.... b"), Some(Score::WIN));
}

#[test]
fn refuses_what_cannot_be() {
    for bad in [
        "8",
        "8x6",
        "3x3",
        "11x11",
        "8x8,rows=4",
        "8x8,rows=0",
        "8x8,draw=40",
        "8x8,",
        "8x8,fast=yes",
        ",draw=none,",
    ] {
        assert!(Setup::parse(bad).is_err(), "{bad}");
    }
    for (bad, why) in [
        (".b.b/..../..../w.w.", "the side to move"),
        ("b..b/..../..../w.w. w", "a square of the other colour than a1"),
        (".b.b/..../..../w.w. x", "the side to move"),
        (".b.b/..../..../w.w. w 26", "counted from 0 to 25"),
        (".b.b/..../..../w.w. w -1", "counted from 0 to 25"),
        (".b.b/..../..../w.w. w 1 1", "nothing may follow"),
        (".b.b/..../..../w.w. w 1", "B has no king, but the last 1 plies are king moves"),
        (".B.b/..../..../w.w. w 2", "W has no king"),
        (".b.b/b.../..../w.w. w", "3 `b` and `B`, but B begins with 2"),
        (".w.b/..../..../w... w", "a `w` on the last row would be a king"),
        (".b.b/..../..../b.w. w", "3 `b`"),
        (".b../..../..../b.w. w", "a `b` on the last row would be a king"),
        ("..../..../..../w.w. w", "B has no piece and cannot have moved last"),
    ] {
        let error = game("4x4").parse(bad).unwrap_err().to_string();
        assert!(error.contains(why), "{bad}: {error}");
    }
    assert!(game("4x4,draw=none").parse(".B.b/..../..../W.w. w 1").is_err());
}

#[test]
fn random_moves_and_playouts_are_uniform() {
    conformance::check_uniform(&game("").start(), 5_000, 1);
    conformance::check_uniform(&game("5x5").start(), 20_000, 2);
    conformance::check_uniform(&game("6x6,draw=none").start(), 5_000, 3);
    let jumps = "......../......../.b.b..../......../.b.b..../..W...../.b.b..../w...w... w";
    conformance::check_uniform(&at("", jumps), 10_000, 4);
    let kings = ".......B/......../.....b../......../...W..../W......./......../w.w..... w 20";
    conformance::check_uniform(&at("", kings), 10_000, 5);
}

#[test]
fn pictures() {
    let view = game("4x4").view(&game("4x4").start());
    assert_eq!(
        view.draw(|symbol, _| symbol.to_string()),
        "4    b   b\n3  .   .\n2    .   .\n1  w   w\n   a b c d\n"
    );
}
