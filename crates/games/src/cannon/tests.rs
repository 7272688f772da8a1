//! Cannon by hand and by the promises of every game.

use super::*;
use crate::board::shuffled;
use proofplay_core::{Facts, Game, conformance, perft};

fn game(parameters: &str) -> Cannon {
    Cannon::new(Setup::parse(parameters).unwrap())
}

/// The position with these pieces, each a letter and a point, and the side to move.
fn text_of(pieces: &str, side: &str) -> String {
    let mut ranks = vec![vec!['.'; 10]; 10];
    for piece in pieces.split_whitespace() {
        let (letter, name) = piece.split_at(1);
        let (file, rank) = name.split_at(1);
        let (c, r) = (usize::from(file.as_bytes()[0] - b'a'), rank.parse::<usize>().unwrap());
        ranks[10 - r][c] = letter.chars().next().unwrap();
    }
    let ranks: Vec<String> = ranks.into_iter().map(|rank| rank.into_iter().collect()).collect();
    format!("{} {side}", ranks.join("/"))
}

fn at(parameters: &str, pieces: &str, side: &str) -> Board {
    game(parameters).parse(&text_of(pieces, side)).unwrap_or_else(|e| panic!("{e}"))
}

fn after(mut pos: Board, line: &str) -> Board {
    let game = Cannon::new(pos.setup);
    for mv in line.split_whitespace() {
        pos.play(game.parse_move(&pos, mv).unwrap_or_else(|e| panic!("{line}: {e}")));
    }
    pos
}

/// The legal moves that begin like this, sorted.
fn legal(pos: &Board, prefix: &str) -> Vec<String> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let texts = moves.iter().map(|&mv| Cannon::new(pos.setup).show_move(pos, mv));
    let mut texts: Vec<_> = texts.filter(|text| text.starts_with(prefix)).collect();
    texts.sort();
    texts
}

const ALL: [&str; 6] = [
    "",
    "corners=yes",
    "overshoot=yes",
    "mate=yes",
    "overshoot=yes,mate=yes",
    "corners=yes,overshoot=yes,mate=yes",
];

#[test]
fn conforms() {
    for parameters in ALL {
        conformance::check(&game(parameters), 3, 1);
    }
}

/// Few soldiers, anywhere: slides back and forth, repetition and players without a move are
/// frequent.
#[test]
fn conforms_with_few_soldiers() {
    let mut rng = Rng::new(2);
    for round in 0..60 {
        let game = game(ALL[round % 3]);
        let mut pos = after(game.start(), "Td1 Te10");
        let free = BOARD & !pos.pieces.towns[0] & !pos.pieces.towns[1];
        let mut points = shuffled(free, &mut rng).cells().to_vec();
        let mut soldiers = || {
            let count = 1 + rng.below(5);
            (0..count).fold(0, |set, _| set | u128::bit(points.pop().unwrap().into()))
        };
        pos.pieces.soldiers = [soldiers(), soldiers()];
        conformance::check_line(&game, pos, &mut rng);
    }
}

#[test]
fn the_start() {
    let start = "........../w.w.w.w.w./w.w.w.w.w./w.w.w.w.w./........../........../.b.b.b.b.b/.b.b.b.b.b/.b.b.b.b.b/.......... b";
    let pos = game("").start();
    assert_eq!(game("").show(&pos), start);
    assert_eq!(game("").parse(start), Ok(pos.clone()));
    assert_eq!(legal(&pos, "T"), ["Tb1", "Tc1", "Td1", "Te1", "Tf1", "Tg1", "Th1", "Ti1"]);
    assert_eq!(perft(&game("corners=yes").start(), 2), 100);
    let placed = after(pos, "Td1 Te10");
    assert_eq!(game("").parse(&game("").show(&placed)), Ok(placed.clone()));
    // Steps of the front row, then of the two behind it; slides up, and down except where the town
    // is.
    assert_eq!(
        (legal(&placed, "").len(), legal(&placed, "d2")),
        (14 + 2 * 9 + 5 + 4, vec!["d2-c3".into(), "d2-e3".into(), "d2sd5".into()])
    );
    assert_eq!(size_of::<Board>(), 336);
    for (parameters, name) in [
        ("", "cannon"),
        ("corners=no,mate=no", "cannon"),
        ("mate=yes,corners=yes", "cannon:corners=yes,mate=yes"),
        ("overshoot=yes", "cannon:overshoot=yes"),
    ] {
        assert_eq!(game(parameters).name(), name);
    }
}

#[test]
fn steps_captures_and_retreats() {
    // Forward, diagonally forward and sideways, but not backward; the empty points forward.
    let pos = at("", "Bd1 We10 be5 wd6 wf5 wd4 we4", "b");
    assert_eq!(legal(&pos, "e5"), ["e5-e6", "e5-f6", "e5rg3", "e5xd6", "e5xf5"]);
    // W goes down. An enemy town allows no retreat; it can be taken from the side.
    let pos = at("", "Bd1 We10 be1 wc1 wf9", "w");
    assert_eq!(legal(&pos, "c1"), ["c1xd1"]);
    assert_eq!(after(pos, "c1xd1").outcome(), Some(Score::LOSS));
    let pos = at("", "Bd1 We10 bd9 bd2 wa5", "b");
    assert_eq!(legal(&pos, "d9"), ["d9-c10", "d9-d10", "d9xe10"]);
    // Both points behind must be empty, and on the board.
    let pos = at("", "Bd1 We10 bd3 wd4 wc3 we2", "b");
    assert_eq!(legal(&pos, "d3r"), ["d3rb1"]);
    assert_eq!(legal(&at("", "Bd1 We10 bc2 wc3", "b"), "c2"), ["c2-b3", "c2-d3", "c2xc3"]);
}

#[test]
fn cannons() {
    // Up and down the file: slides to both ends, shots at the second and third point.
    let pos = at("", "Bd1 We10 be4 be5 be6 we8 we1 wa9", "b");
    assert_eq!(legal(&pos, "e4s"), ["e4se7"]);
    assert_eq!(legal(&pos, "e6"), ["e6*e8", "e6-d7", "e6-e7", "e6-f7", "e6se3"]);
    assert_eq!(legal(&pos, "e4*"), ["e4*e1"]);
    let shot = after(pos, "e6*e8");
    assert_eq!(shot, {
        let mut same = at("", "Bd1 We10 be4 be5 be6 we1 wa9", "w");
        same.history = shot.history;
        same
    });
    // A piece on the second point shields the third one, except with `overshoot`; one on the first
    // always does.
    let pieces = "Bd1 Wh8 ba1 bb2 bc3 we5 wf6".replace("Wh8", "Wh10");
    assert_eq!(legal(&at("", &pieces, "b"), "c3*"), ["c3*e5"]);
    assert_eq!(legal(&at("overshoot=yes", &pieces, "b"), "c3*"), ["c3*e5", "c3*f6"]);
    let own = "Bd1 Wh10 ba1 bb2 bc3 be5 wf6";
    assert_eq!(legal(&at("", own, "b"), "c3*"), Vec::<String>::new());
    assert_eq!(legal(&at("overshoot=yes", own, "b"), "c3*"), ["c3*f6"]);
    assert_eq!(
        legal(&at("overshoot=yes", "Bd1 Wh10 ba1 bb2 bc3 wd4 we5 wf6", "b"), "c3*"),
        Vec::<String>::new()
    );
    // A shot at the town wins.
    let pos = at("", "Bc1 Wd10 bd6 bd7 bd8 ba7 bb8 bc9 wj5 wj9", "b");
    assert_eq!(legal(&pos, "d8*"), ["d8*d10"]);
    assert_eq!(after(pos, "d8*d10").outcome(), Some(Score::WIN));
    // Two cannons at one target are two moves.
    let pos = at("", "Bc1 Wi10 bb6 bc6 bd6 bb2 bc3 bd4 wf6 wj9", "b");
    assert_eq!((legal(&pos, "d6*"), legal(&pos, "d4*")), (vec!["d6*f6".into()], vec!["d4*f6".into()]));
    // No cannon shoots round the edge: i, j, then a of the next row.
    let pos = at("overshoot=yes", "Bc1 Wd10 bh5 bi5 bj5 wa6 wb6 wc6", "b");
    assert_eq!(legal(&pos, "j5"), ["j5-i6", "j5-j6", "j5sg5"]);
    // Four in a row are two cannons.
    let pos = at("", "Bc1 Wd10 ba3 bb3 bc3 bd3 wf3 wj9", "b");
    assert_eq!(
        (legal(&pos, "a3s"), legal(&pos, "b3s"), legal(&pos, "d3*")),
        (vec![], vec!["b3se3".into()], vec!["d3*f3".into()])
    );
}

/// W's soldier on e2 is about to take the town: with `mate` B must do something about it.
#[test]
fn mate() {
    let pieces = "Bd1 We10 bf2 bh8 we3";
    assert!(legal(&at("", pieces, "b"), "").len() > 5);
    let after_step = after(at("mate=yes", pieces, "b"), "h8-h9");
    assert_eq!(after_step.outcome(), None);
    let checked = after(after_step, "e3-e2");
    // Capturing sideways is all that helps.
    assert_eq!(legal(&checked, ""), ["f2xe2"]);
    // Nothing helps: W has won, though without `mate` B could still move.
    let mated = "Bd1 We10 bh8 we3 wc3";
    let done = after(at("mate=yes", mated, "w"), "e3-e2");
    assert_eq!((done.outcome(), done.count_moves(&mut Vec::new())), (Some(Score::LOSS), 0));
    assert_eq!(after(at("", mated, "w"), "e3-e2").outcome(), None);
    assert!(game("mate=yes").parse(&text_of("Bd1 We10 bh8 we2", "w")).is_err());
}

#[test]
fn who_cannot_move_loses() {
    // On the last row, with nothing beside it.
    let pos = at("", "Bd1 We10 ba10 wj5", "w");
    assert_eq!(after(pos, "j5-j4").outcome(), Some(Score::LOSS));
    assert_eq!(at("", "Bd1 We10 ba10 wb10", "b").outcome(), None);
    assert_eq!(at("", "Bd1 We10 ba5", "w").outcome(), Some(Score::WIN));
}

/// Slides up and down; the third occurrence counts, the start included; a capture begins a new
/// count.
#[test]
fn repetition_is_a_draw() {
    let pos = at("", "Bd1 We10 ba4 ba5 ba6 wj4 wj5 wj6 wi3", "b");
    let round = "a4sa7 j6sj3 a7sa4 j3sj6 ";
    let once = after(pos.clone(), round);
    assert_eq!((once.outcome(), once.key()), (None, pos.key()));
    assert_ne!(once, pos);
    let twice = after(once.clone(), round);
    assert_eq!(twice.outcome(), Some(Score::DRAW));
    assert!(game("").view(&twice).notes[0].contains("third time"));
    // An irreversible step in between does not matter; after a capture no earlier position can
    // repeat.
    let pos = at("", "Bd1 We10 ba4 ba5 ba6 bh3 wj4 wj5 wj6 wi3", "b");
    assert_eq!(after(pos, &format!("{round}h3xi3")).history, ReversibleMoves::default());
}

#[test]
fn random_moves_are_uniform() {
    conformance::check_uniform(&after(game("").start(), "Td1 Te10"), 1_500, 1);
    conformance::check_uniform(&game("corners=yes").start(), 1_000, 2);
    let few = "Bd1 We10 bc5 bd5 be5 bh3 wc7 wd8 wg6 wh5 wj9";
    conformance::check_uniform(&at("", few, "b"), 5_000, 3);
    conformance::check_uniform(&at("overshoot=yes", few, "w"), 5_000, 4);
    conformance::check_uniform(
        &at("mate=yes", "Bd1 We10 bc5 bd5 be5 bf2 wc7 wd8 wg6 we2 wj9", "b"),
        5_000,
        5,
    );
    conformance::check_uniform(&at("", "Bd1 We10 ba4 ba5 ba6 wj4 wj5 wj6 wi3", "b"), 5_000, 6);
}

#[test]
fn refuses_what_cannot_be() {
    for bad in
        ["10x10", "corners", "corners=maybe", "mate=yes,mate=yes", "mate=yes,", ",", "Corners=yes", "a=yes"]
    {
        assert!(Setup::parse(bad).is_err(), "{bad}");
    }
    for (pieces, side, why) in [
        ("bd4 wd7", "b", "has lost the town and cannot have moved last"),
        ("Ba1 We10 bd4 wd7", "b", "not on a corner"),
        ("Bd2 We10 bd4 wd7", "b", "the town of B is on the own back row"),
        ("Bd1 Be1 We10 bd4 wd7", "b", "B has more than one town"),
        ("Bd1 bd4 wd7", "b", "W has lost the town and cannot have moved last"),
        ("We10 bd4 wd7", "w", "B has lost the town and cannot have moved last"),
        ("Bd1 We10 bd4", "b", "W has no soldier and cannot have moved last"),
        ("Bd1 We10 bd4 wd7", "x", "the side to move"),
        ("Bd1 We10 bd4 wd7", "b 1", "nothing may follow"),
        ("Bd1 We10 wa9 ba2 ba3 ba4 ba5 ba6 ba7 ba8 bb2 bb3 bb4 bb5 bb6 bb7 bb8 bb9 bc2", "b", "16 soldiers"),
    ] {
        let error = game("").parse(&text_of(pieces, side)).unwrap_err().to_string();
        assert!(error.contains(why), "{pieces}: {error}");
    }
    assert_eq!(at("corners=yes", "Ba1 Wj10 bd4 wd7", "b").outcome(), None);
    assert_eq!(at("", "Bd1 bd4 wd7", "w").outcome(), Some(Score::WIN));
    assert_eq!(at("", "We10 bd4 wd7", "b").outcome(), Some(Score::LOSS));
    let start = game("").show(&game("").start());
    assert!(game("").parse(&start.replace(" b", " w")).is_err());
}

#[test]
fn what_is_certain_is_true() {
    let mut rng = Rng::new(7);
    for round in 0..20 {
        let mut pos = game(ALL[round % 3]).start();
        while pos.outcome().is_none() {
            let (mut moves, mover) = (Vec::new(), pos.mover);
            pos.moves(&mut moves);
            let wins = moves.iter().any(|&mv| pos.after(mv).end == Some(Score::win_of(mover)));
            assert_eq!(Facts::bounds(&super::hints::Town, &pos).is_exact(), wins);
            pos.play(moves[rng.below(moves.len() as u32) as usize]);
        }
    }
}
