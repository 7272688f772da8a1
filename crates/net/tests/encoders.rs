//! The default encoder of every game: nothing is lost, moves stay apart, symmetries commute.

use proofplay_core::{Family, FamilyVisitor, Game, GameVisitor, Move, Player, Position, Rng};
use proofplay_games::go::{Go, Setup};
use proofplay_net::encoders::board::BoardEncoder;
use proofplay_net::encoders::gomoku::Gomoku;
use proofplay_net::encoders::katago::{self, KataGo};
use proofplay_net::encoders::leela::LeelaZero;
use proofplay_net::encoders::{encoder, images};
use proofplay_net::{Encoder, MoveIndex};
use std::collections::{HashMap, HashSet};

/// Positions of random games, none of them over.
fn walk<G: Game>(
    game: &G,
    positions: usize,
    seed: u64,
    mut look: impl FnMut(&G::Pos, &[<G::Pos as Position>::Move]),
) {
    let (mut rng, mut moves) = (Rng::new(seed), Vec::new());
    let mut pos = game.start();
    for ply in 0..positions {
        if pos.outcome().is_some() || ply % 250 == 249 {
            pos = game.start();
        }
        if pos.outcome().is_some() {
            return;
        }
        moves.clear();
        pos.moves(&mut moves);
        look(&pos, &moves);
        pos.play(moves[rng.below(moves.len() as u32) as usize]);
    }
}

fn planes<P: Position>(encoder: &dyn Encoder<P>, pos: &P) -> Vec<f32> {
    let [columns, rows] = encoder.board();
    // What was there before does not matter.
    let mut planes = vec![7.0; columns * rows * encoder.planes()];
    encoder.encode(pos, &mut planes, &mut vec![7.0; encoder.globals()]);
    planes
}

/// What is tested of one game; the number of positions that were looked at.
struct Whole;

impl GameVisitor for Whole {
    type Out = usize;

    fn visit<G: Game>(self, game: G) -> usize {
        let name = game.name();
        let encoder = BoardEncoder::new(game.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (mut seen, mut images_seen) = (0, 0);
        walk(&game, 1500, 77, |pos, moves| {
            seen += 1;
            let planes = planes(&encoder, pos);
            assert_eq!(encoder.decode(&planes), game.show(pos), "{name}");
            let indices: HashSet<MoveIndex> = moves.iter().map(|&mv| encoder.index(pos, mv)).collect();
            assert_eq!(indices.len(), moves.len(), "{name}: {}", game.show(pos));
            let outputs = indices.iter().flat_map(MoveIndex::outputs).max();
            assert!(outputs.is_some_and(|output| output < encoder.outputs()), "{name}");
            if seen % 25 == 1 {
                images_seen += check_symmetries(&game, pos, moves);
            }
        });
        assert!(
            images_seen > 0 || seen == 0 || game.start().symmetries() == 1 || game.start().repeats(),
            "{name}"
        );
        seen
    }
}

/// Every move has an image, no two the same one; how many there were.
fn check_symmetries<G: Game>(game: &G, pos: &G::Pos, moves: &[<G::Pos as Position>::Move]) -> usize {
    let mut found = 0;
    for symmetry in 1..pos.symmetries() {
        let image = pos.transformed(symmetry);
        let Some(images) = images(pos, symmetry) else {
            assert!(pos.repeats(), "{} {}", game.name(), game.show(pos));
            continue;
        };
        found += 1;
        let mut others = Vec::new();
        image.moves(&mut others);
        assert_eq!(images.iter().collect::<HashSet<_>>().len(), others.len());
        for (&mv, &place) in moves.iter().zip(&images) {
            let (there, here) = (image.after(others[place]), pos.after(mv).transformed(symmetry));
            assert_eq!((there.key(), game.show(&there)), (here.key(), game.show(&here)));
        }
    }
    found
}

/// Goes through all games, with the parameters of tests.
struct Families {
    seen: HashMap<&'static str, usize>,
}

impl FamilyVisitor for Families {
    fn visit<F: Family>(&mut self) {
        if F::NAME == "written" {
            // A tree is no board.
            let error = F::build(F::EXAMPLE, NoBoard).unwrap();
            assert!(error.ends_with("is not played on a board of fixed shape"), "{error}");
            return;
        }
        for parameters in [F::EXAMPLE].iter().chain(F::SMALL).chain(F::VARIED).chain(F::STANDARD) {
            let seen = F::build(parameters, Whole).unwrap();
            *self.seen.entry(F::NAME).or_default() += seen;
        }
    }
}

struct NoBoard;

impl GameVisitor for NoBoard {
    type Out = String;
    fn visit<G: Game>(self, game: G) -> String {
        BoardEncoder::new(game).map(|_| ()).unwrap_err().to_string()
    }
}

#[test]
fn every_board_game_has_an_encoder() {
    let mut families = Families { seen: HashMap::new() };
    proofplay_games::each_family(&mut families);
    assert_eq!(families.seen.len(), 15);
    assert!(families.seen.values().all(|&seen| seen >= 1500), "{:?}", families.seen);
}

fn go(parameters: &str) -> Go<u128> {
    Go::new(Setup::parse(parameters).unwrap())
}

#[test]
fn encoders_by_name() {
    let game = go("9x9");
    let planes =
        |name| encoder(name, &game).map(|encoder| encoder.planes()).map_err(|error| error.to_string());
    assert_eq!(planes("leela-zero"), Ok(18));
    assert_eq!(planes("katago"), Ok(22));
    assert_eq!(planes("board"), Ok(5));
    assert_eq!(planes("gomoku").unwrap_err(), "the encoder `gomoku` is for `mnk:…`, not for `go:9x9`");
    assert_eq!(
        planes("chess").unwrap_err(),
        "there is no encoder `chess`: board, gomoku, leela-zero and katago are known"
    );
    let error = encoder("leela-zero", &go("9x8")).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, "the encoder `leela-zero` is for Go on square boards, not for `go:9x8`");
    let race = Go::<u64>::new(Setup::race(2, 3));
    assert_eq!(
        KataGo::new(&race).unwrap_err().to_string(),
        "the encoder `katago` is for Go, not for `go:seki=2,3`"
    );
}

/// The planes of a symmetry are those of symmetry 0 with cells moved, and moves move with them.
#[test]
fn leela_zero_sees_through_symmetries() {
    let game = go("9x9");
    let plain = LeelaZero::new(&game, 0).unwrap();
    walk(&game, 60, 5, |pos, moves| {
        let first = planes(&plain, pos);
        let mut all = HashSet::new();
        for symmetry in 0..8 {
            let encoder = LeelaZero::new(&game, symmetry).unwrap();
            let seen = planes(&encoder, pos);
            for (plane, cell) in (0..18).flat_map(|plane| (0..81).map(move |cell| (plane, cell))) {
                assert_eq!(seen[plane * 81 + encoder.image(cell)], first[plane * 81 + cell]);
            }
            for &mv in moves {
                let [here, there] = [&plain, &encoder].map(|encoder| Encoder::<_>::index(encoder, pos, mv));
                let here = here.outputs().next().unwrap();
                let image = if here == 81 { 81 } else { encoder.image(here) };
                assert_eq!(there, MoveIndex::one(image));
            }
            all.insert((0..81).map(|cell| encoder.image(cell)).collect::<Vec<_>>());
        }
        assert_eq!(all.len(), 8);
    });
}

/// Stones, history and mover, by hand.
#[test]
fn planes_of_leela_zero() {
    let game = go("9x9");
    let mut pos = game.start();
    for mv in ["c3", "g7", "pass", "d4"] {
        pos.play(game.parse_move(&pos, mv).unwrap());
    }
    let planes = planes(&LeelaZero::new(&game, 0).unwrap(), &pos);
    let ones =
        |plane: usize| -> Vec<usize> { (0..81).filter(|cell| planes[plane * 81 + cell] == 1.0).collect() };
    let [c3, d4, g7] = [20, 30, 60];
    assert_eq!([0, 1, 2, 3, 4, 5].map(ones), [vec![c3], vec![c3], vec![c3], vec![c3], vec![], vec![]]);
    assert_eq!([8, 9, 10, 11, 12].map(ones), [vec![d4, g7], vec![g7], vec![g7], vec![], vec![]]);
    assert_eq!([ones(16).len(), ones(17).len()], [81, 0]);
    assert_eq!(planes.iter().filter(|&&x| x != 0.0 && x != 1.0).count(), 0);
}

/// Cells of a plane that are 1, as names.
fn names(planes: &[f32], plane: usize, [columns, rows]: [usize; 2]) -> Vec<String> {
    let cells = columns * rows;
    let ones = (0..cells).filter(|cell| planes[plane * cells + cell] == 1.0);
    let mut names: Vec<String> = ones
        .map(|cell| format!("{}{}", b"abcdefghj"[cell % columns] as char, rows - cell / columns))
        .collect();
    names.sort();
    names
}

/// A ladder, an area, a ko and the turns, by hand.
#[test]
fn planes_of_katago() {
    let game = go("9x9,komi=7.5");
    let encoder = KataGo::new(&game).unwrap();
    let board = [9, 9];
    // White's stone e5 has two liberties; Black starts the ladder at e6 or f5... only one of them works.
    let pos = game
        .parse("........./........./........./...b...../...bwb.../...bb..../........./........./......... b");
    let pos = pos.unwrap();
    let planes_of = |pos: &_| planes(&encoder, pos);
    let one = planes_of(&pos);
    assert_eq!(names(&one, 3, board), ["e5"], "one liberty");
    assert_eq!(names(&one, 14, board), ["e5"], "it cannot escape");
    assert_eq!(names(&one, 15, board), ["e5"], "there is no board before");
    assert!(names(&one, 17, board).is_empty());
    let text = "........./........./........./...b...../...bw..../....bb.../........./........./......... b";
    let two = planes_of(&game.parse(text).unwrap());
    assert_eq!(names(&two, 4, board), ["e5"], "two liberties");
    assert_eq!(names(&two, 14, board), ["e5"]);
    assert_eq!(names(&two, 17, board), ["e6", "f5"], "either side drives it to an edge");
    // A white stone where both ladders come by, and White to move.
    let broken = planes_of(&game.parse(&text.replacen("......... b", "......... w", 1)).unwrap());
    assert_eq!((names(&broken, 14, board), names(&broken, 17, board)), (vec!["e5".to_owned()], vec![]));
    let text = text.replacen("/........./...b", "/.....w.../...b", 1);
    let broken = planes_of(&game.parse(&text).unwrap());
    assert!(names(&broken, 14, board).is_empty() && names(&broken, 17, board).is_empty());
    // Two eyes: all of it is Black's, White's stone inside, too.
    let pos = game
        .parse("........./........./........./........./........./......ww./bbbb..w../bw.bb..../.bbb.b... w")
        .unwrap();
    let area = planes_of(&pos);
    assert_eq!(names(&area, 18, board), ["g3", "g4", "h4"], "own stones");
    assert!(names(&area, 19, board).contains(&"a1".to_owned()));
    let mut globals = vec![0.0; katago::GLOBALS];
    encoder.encode(&pos, &mut vec![0.0; 22 * 81], &mut globals);
    assert_eq!(
        (globals[5], globals[6], globals[7], globals[8], globals[14]),
        (7.5 / 20.0, 1.0, 0.5, 0.0, 0.0)
    );
    assert_eq!(globals[18], 0.5, "9x9 can be drawn with komi 7");
    // A ko, then a pass.
    let mut pos = game
        .parse(".bw....../b.bw...../.bw....../........./........./........./........./........./......... w")
        .unwrap();
    pos.play(game.parse_move(&pos, "b8").unwrap());
    let ko = planes_of(&pos);
    assert_eq!((names(&ko, 6, board), names(&ko, 9, board)), (vec!["c8".to_owned()], vec!["b8".to_owned()]));
    for mv in ["g3", "pass"] {
        pos.play(game.parse_move(&pos, mv).unwrap());
    }
    encoder.encode(&pos, &mut vec![0.0; 22 * 81], &mut globals);
    assert_eq!((globals[0], globals[1], globals[14], globals[5]), (1.0, 0.0, 1.0, -7.5 / 20.0));
    let turns = planes_of(&pos);
    assert_eq!(
        (names(&turns, 10, board), names(&turns, 11, board)),
        (vec!["g3".to_owned()], vec!["b8".to_owned()])
    );
}

/// Rows from the top, moves from the bottom.
#[test]
fn planes_of_gomoku() {
    struct Four;
    impl GameVisitor for Four {
        type Out = ();
        fn visit<G: Game>(self, game: G) {
            let encoder = Gomoku::new(game.clone()).unwrap();
            let mut pos = game.start();
            for mv in ["a1", "f6", "b1"] {
                pos.play(game.parse_move(&pos, mv).unwrap());
            }
            assert_eq!(pos.turn(), Player::Second);
            let planes = planes(&encoder, &pos);
            let ones: Vec<usize> = (0..planes.len()).filter(|&cell| planes[cell] == 1.0).collect();
            assert_eq!(ones, [5, 36 + 30, 36 + 31]);
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            let index = |name: &str| encoder.index(&pos, game.parse_move(&pos, name).unwrap());
            assert_eq!([index("c1"), index("a2"), index("f5")], [2, 6, 29].map(MoveIndex::one));
            let all: HashSet<u32> = moves.iter().map(|mv| mv.code()).collect();
            assert_eq!(all.len(), 33);
        }
    }
    proofplay_games::mnk::Setup::build("6x6k4", Four).unwrap();
}
