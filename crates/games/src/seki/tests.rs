use super::*;
use proofplay_core::{conformance, minimax, perft};

fn game(parameters: &str) -> Seki {
    Seki::new(Setup::parse(parameters).unwrap())
}

#[test]
fn conforms() {
    let all = ["1,1", "3,4", "6,6", "1,1,0", "0,0,1", "0,0", "0,3,1", "3,0,5", "20,20,20", "2,1,0"];
    for parameters in all {
        conformance::check(&game(parameters), 20, 1);
        assert_eq!(game(parameters).name(), format!("seki:{parameters}"));
    }
    assert_eq!(game("3,4,2").name(), "seki:3,4");
}

#[test]
fn playouts_are_uniform() {
    for text in [".../../.... max", "#../.#/..#. min 1", "##./##/.##. max", "###/.#/#### min"] {
        conformance::check_uniform(&game("3,4").parse(text).unwrap(), 20_000, 1);
    }
}

/// Table 2 of \[CS10\]: rows Min liberties 1 to 6, columns Max liberties 1 to 6.
#[test]
fn published_values() {
    let published = ["DWWWWW", "DDWWWW", "LDDWWW", "LLDDWW", "LLLDDW", "LLLLDD"];
    for (min, row) in (1..).zip(published) {
        for (max, value) in (1..).zip(row.chars()) {
            let start = Seki::new(Setup { max, min, shared: 2 }).start();
            let score = minimax::Memo::new().value(&start);
            assert_eq!("LDW".find(value), Some((score.0 + 1) as usize), "seki:{max},{min} is {score}");
        }
    }
}

/// Points of one kind are interchangeable.
#[test]
fn canonical_form_keeps_the_value() {
    let mut rng = Rng::new(1);
    for parameters in ["3,3", "2,4", "4,2,3", "2,2,0"] {
        let game = game(parameters);
        let mut memo = minimax::Memo::new();
        for _ in 0..50 {
            let mut pos = game.start();
            while pos.outcome().is_none() {
                let canonical = pos.canonical();
                assert_eq!(memo.value(&canonical), memo.value(&pos), "{}", game.show(&pos));
                assert_eq!(canonical.canonical(), canonical);
                pos.play(pos.random_move(&mut rng, &mut Vec::new()));
            }
            assert_eq!(pos.canonical().outcome(), pos.outcome());
        }
    }
}

fn moves(game: &Seki, text: &str) -> String {
    let (pos, mut moves) = (game.parse(text).unwrap(), Vec::new());
    pos.moves(&mut moves);
    moves.iter().map(|&mv| game.show_move(&pos, mv)).collect::<Vec<_>>().join(" ")
}

#[test]
fn legal_moves_by_hand() {
    let game = game("2,1");
    assert_eq!(moves(&game, "../../. max"), "o1 s1 s2 m1 m2 pass");
    assert_eq!(moves(&game, "../#./. min"), "o1 o2 s2 m1 pass");
    // One liberty left: only the opponent's may be filled …
    assert_eq!(moves(&game, ".#/##/. max"), "o1 pass");
    assert_eq!(moves(&game, "##/#./. max"), "o1 pass");
    assert_eq!(moves(&game, "../##/. min"), "o1 o2 pass");
    // … or the shared one when that captures, even if the mover has no liberty left.
    assert_eq!(moves(&game, "##/#./# max"), "s2 pass");
    let pos = game.parse("##/#./# min").unwrap();
    let end = pos.after(game.parse_move(&pos, "s2").unwrap());
    assert_eq!(end.outcome(), Some(Score::LOSS));
    assert_eq!(game.show(&end), "##/##/# max 0");
}

/// seki:0,0,1: s1 captures, or pass. Then Min: s1 or pass; two passes end the game.
#[test]
fn counts_by_hand() {
    let counts: Vec<_> = (1..=3).map(|depth| perft(&game("0,0,1").start(), depth)).collect();
    assert_eq!(counts, [2, 2, 0]);
}

#[test]
fn refuses_what_cannot_be() {
    for bad in ["", "3", "3,", "3,4,", "3,4,2,1", "21,1", "0,1,0", "1,0,0", "-1,2", "3x4"] {
        assert!(Setup::parse(bad).is_err(), "{bad}");
    }
    let game = game("2,1");
    for bad in [
        "../../. min",     // Max moves first
        "../../. max 1",   // one pass, so Min is to move
        "../../. max 3",   // passes
        "../../. max 0 0", // nothing may follow
        "../../. b",
        "./../.. max",   // ranks
        "##/##/. min",   // Max has moved and has no liberty
        "##/##/# max 1", // no pass after the capture
    ] {
        assert!(game.parse(bad).is_err(), "{bad}");
    }
    assert!(Seki::new(Setup { max: 1, min: 1, shared: 0 }).parse("#//# max").is_err());
    for good in ["../../. min 1", "../../. max 2", "##/##/. max", "##/##/# min", "../.#/. max 1"] {
        assert!(game.parse(good).is_ok(), "{good}");
    }
}

/// The board of the rules, and narrower ones with other liberties.
#[test]
fn pictures() {
    let draw = |parameters, text| {
        let game = game(parameters);
        game.view(&game.parse(text).unwrap()).draw(|symbol, _| symbol.into())
    };
    let start = ".  O  O  .
O  O  O  O
m1 m2 m3 X
X  X  X  X
s1 X  X  s2
O  O  O  O
o1 o2 o3 o4
X  X  X  X
.  X  X  .
open liberties: Max 3, Min 4, shared 2
";
    assert_eq!(draw("3,4", ".../../.... max"), start);
    let later = ".  O  O  .
O  O  O  O
#  X  X  X
X  X  X  X
s1 #  s3 s4
O  O  O  O
O  O  O  O
X  X  X  X
.  X  X  .
open liberties: Max 0, Min 0, shared 3
passes in a row: 1
";
    assert_eq!(draw("1,0,4", "#/.#../ min 1"), later);
    let end = ".  O  .
O  O  O
#  X  X
X  X  X
X  X  #
O  O  O
o1 O  O
X  X  X
.  X  .
open liberties: Max 0, Min 1, shared 0
the string of Max is captured
";
    assert_eq!(draw("1,1,1", "#/#/. max"), end);
    let widest = draw("20,20,20", &format!("{0}/{0}/{0} max", ".".repeat(20))).lines().map(str::len).max();
    assert!(widest.is_some_and(|widest| widest <= 80), "{widest:?}");
}
