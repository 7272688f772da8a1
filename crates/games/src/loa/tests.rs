//! Lines of Action by hand, by the promises of every game, and move by move.

use super::*;
use proofplay_core::{conformance, perft};

fn game<W: Word>(size: u32) -> Loa<W> {
    Loa::new(Setup { size, ..Setup::default() })
}

/// The position after a line of play.
fn after(mut pos: Board<u64>, line: &str) -> Board<u64> {
    let game = game(pos.lines.grid.cols);
    for mv in line.split_whitespace() {
        pos.play(game.parse_move(&pos, mv).unwrap_or_else(|e| panic!("{line}: {e}")));
    }
    pos
}

fn at(size: u32, text: &str) -> Board<u64> {
    game(size).parse(text).unwrap()
}

fn legal(pos: &Board<u64>) -> Vec<String> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let mut texts: Vec<_> = moves.iter().map(|&mv| game(pos.lines.grid.cols).show_move(pos, mv)).collect();
    texts.sort();
    texts
}

#[test]
fn conforms() {
    for size in 3..=8 {
        conformance::check(&game::<u64>(size), 2, 1);
    }
    for size in [3, 5, 9, 11] {
        conformance::check(&game::<u128>(size), 1, 2);
    }
}

/// Few pieces, anywhere: repetition, passes and captures that connect the enemy are frequent.
#[test]
fn conforms_with_few_pieces() {
    let mut rng = Rng::new(3);
    for round in 0..60 {
        let size = 3 + round % 5;
        let game = game::<u64>(size);
        let most = (2 * (size - 2)).min(4);
        let mut cells = crate::board::shuffled(game.lines.grid.board, &mut rng).cells().to_vec();
        let mut pieces = || {
            let count = 1 + rng.below(most);
            (0..count).fold(0, |set, _| set | u64::bit(cells.pop().unwrap().into()))
        };
        let mut pos = Board { pieces: [pieces(), pieces()], ..game.start() };
        pos.outcome = pos.connection();
        conformance::check_line(&game, pos, &mut rng);
    }
}

#[test]
fn the_start() {
    let start = ".bbbbbb./w......w/w......w/w......w/w......w/w......w/w......w/.bbbbbb. b";
    assert_eq!(game::<u64>(8).show(&game::<u64>(8).start()), start);
    assert_eq!(at(8, start), game(8).start());
    assert_eq!(perft(&game::<u64>(8).start(), 1), 36);
    assert_eq!(size_of::<Board<u64>>(), 288);
}

#[test]
fn moves_by_hand() {
    let pos = at(7, "....w../......./....b../b....../w.b..bw/.w...../....... b");
    let texts = legal(&pos);
    let from_c3: Vec<_> = texts.iter().filter(|text| text.starts_with("c3")).map(String::as_str).collect();
    // Row 3 has four pieces: c3xg3 captures over the own f3; to the left is no room. Column c has
    // one piece, so has the diagonal a5-e1. The diagonal a1-g7 has b2, c3 and e5: over the own e5
    // to f6, and no room downwards.
    assert_eq!(from_c3, ["c3-b4", "c3-c2", "c3-c4", "c3-d2", "c3-f6", "c3xg3"]);
    // Two pieces on column a: upwards a6, downwards the enemy a3 is in the way.
    let up_and_down: Vec<_> = texts.iter().filter(|text| text.starts_with("a4-a")).collect();
    assert_eq!(up_and_down, ["a4-a6"]);
}

/// B captures from c1 to c3: then both, one of them or nobody is connected.
#[test]
fn who_is_connected_wins() {
    for (text, score) in [
        ("...../.b.../..w../....w/..b.w b", Some(Score::DRAW)),
        ("...../.b..w/..w../...../..b.w b", Some(Score::WIN)),
        ("b..../...../..w../....w/..b.w b", Some(Score::LOSS)),
        ("b..../....w/..w../...../..b.w b", None),
    ] {
        assert_eq!(after(at(5, text), "c1xc3").outcome(), score, "{text}");
        let exchange = |letter| match letter {
            'b' => 'w',
            'w' => 'b',
            other => other,
        };
        let exchanged: String = text.chars().map(exchange).collect();
        assert_eq!(after(at(5, &exchanged), "c1xc3").outcome(), score.map(|score| -score), "{exchanged}");
    }
    // Without capture, and when a single piece is left.
    assert_eq!(after(at(5, "...../.b..w/...../..b../....w b"), "c2-c3").outcome(), Some(Score::WIN));
    assert_eq!(after(at(5, "b..../....w/..w../...../..b.. b"), "c1xc3").outcome(), Some(Score::LOSS));
}

/// W cannot leave the corners: an enemy is next door on every line, and the way over it is barred.
#[test]
fn a_player_without_a_move_passes() {
    let pos = at(6, "....bw/....bb/....../...b../bb..../wb.... w");
    assert_eq!(legal(&pos), ["pass"]);
    assert_eq!(pos.random_move(&mut Rng::new(1), &mut Vec::new()), PASS);
    let passed = after(pos.clone(), "pass");
    assert_eq!((passed.turn(), passed.outcome()), (Player::First, None));
    assert_eq!(pos.key_after(pos.key(), PASS), passed.key());
    let line = "pass d3-e3 pass e3-d3";
    assert_eq!(after(pos.clone(), line).outcome(), None);
    assert_eq!(after(pos, &format!("{line} {line}")).outcome(), Some(Score::DRAW));
}

/// The third occurrence counts, the start included; a position text begins a new count.
#[test]
fn repetition_is_a_draw() {
    let start = game(8).start();
    let round = "b1-b3 a2-c2 b3-b1 c2-a2 ";
    let (twice, thrice) = (after(start.clone(), round), after(start.clone(), &round.repeat(2)));
    assert_eq!((twice.outcome(), thrice.outcome()), (None, Some(Score::DRAW)));
    assert_eq!(twice.key(), start.key());
    assert_ne!(twice, start);
    let reread = at(8, &game::<u64>(8).show(&twice));
    assert_eq!(reread, start);
    assert_eq!(after(reread, round).outcome(), None);
    // After a capture no earlier position can repeat.
    let captured = after(start, "b1-b3 a2-c2 b3-b1 c2-a2 c1xa3");
    assert_eq!(captured.history, ReversibleMoves::default());
}

#[test]
fn refuses_what_cannot_be() {
    for bad in [
        "8",
        "8x7",
        "2x2",
        "12x12",
        "8x8,",
        "x",
        "8x8,rows=2",
        "8x8,eval=2001",
        "eval=2000",
        "8x8,eval=2000,",
    ] {
        assert!(Setup::parse(bad).is_err(), "{bad}");
    }
    assert_eq!(Setup::parse(""), Ok(Setup { size: 8, evaluator: Evaluator::Mia2006 }));
    for (text, name) in
        [("6x6", "loa:6x6"), ("6x6,eval=2006", "loa:6x6"), ("6x6,eval=2002", "loa:6x6,eval=2002")]
    {
        assert_eq!(Loa::<u64>::new(Setup::parse(text).unwrap()).name(), name);
    }
    let game = game::<u64>(4);
    for (bad, why) in [
        ("..../..../..../.b.. b", "each side has 1 to 4 pieces here, but there are 0 `w`"),
        ("w.../..../..../.... b", "each side has 1 to 4 pieces here, but there are 0 `b`"),
        ("bbbb/b.../..../.w.. b", "each side has 1 to 4 pieces here, but there are 5 `b`"),
        ("b.../..../..../w... x", "the side to move"),
        ("b.../..../..../w... b 1", "nothing may follow"),
        ("B.../..../..../w... b", "a cell is one of"),
        ("b.../..../w... b", "4 ranks"),
    ] {
        let error = game.parse(bad).unwrap_err().to_string();
        assert!(error.contains(why), "{bad}: {error}");
    }
}

#[test]
fn random_moves_are_uniform() {
    conformance::check_uniform(&game::<u64>(8).start(), 1_500, 1);
    conformance::check_uniform(&game::<u128>(9).start(), 1_000, 2);
    conformance::check_uniform(&game::<u64>(4).start(), 20_000, 3);
    conformance::check_uniform(&at(6, "....bw/....bb/....../...b../bb..../wb.... w"), 5_000, 4);
    conformance::check_uniform(&at(6, "b....b/..w.../....../w...b./..w.../b....w w"), 10_000, 5);
}
