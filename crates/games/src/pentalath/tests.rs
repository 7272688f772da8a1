use super::*;
use proofplay_core::{Game, conformance, perft};

fn game<W: Word>(parameters: &str) -> Pentalath<W> {
    Pentalath::new(Setup::parse(parameters).unwrap())
}

/// The position after a line of play.
fn play<W: Word>(game: &Pentalath<W>, mut pos: Board<W>, line: &str) -> Board<W> {
    for mv in line.split_whitespace() {
        pos.play(game.parse_move(&pos, mv).unwrap());
    }
    pos
}

#[test]
fn conforms() {
    for parameters in ["2", "2,k=1", "2,k=3", "2,swap=yes", "3", "3,k=4,swap=yes", "4", "4,k=3"] {
        conformance::check(&game::<u64>(parameters), 20, 1);
    }
    for parameters in ["2", "3,k=99", "4", "5", "5,swap=yes", "6", "6,k=7"] {
        conformance::check(&game::<u128>(parameters), 3, 1);
    }
}

#[test]
fn random_moves_and_playouts_are_uniform() {
    for parameters in ["2", "2,k=3", "3", "3,k=4,swap=yes", "4"] {
        conformance::check_uniform(&game::<u64>(parameters).start(), 20_000, 1);
    }
    conformance::check_uniform(&game::<u128>("5").start(), 20_000, 2);
    let swap = game::<u64>("3,swap=yes");
    conformance::check_uniform(&swap.parse(".../..../..w../..../... b").unwrap(), 20_000, 3);
    // Captures, suicides and groups to set up.
    let three = game::<u64>("3");
    conformance::check_uniform(&three.parse(".wb/wbb./w.wb./bww./.w. b").unwrap(), 20_000, 4);
    conformance::check_uniform(&three.parse(".wb/wbb./w.wb./bww./.w. w").unwrap(), 20_000, 5);
}

/// All positions of random games: keys as if rebuilt, `legal` cell by cell.
#[test]
fn keys_and_legal_cells() {
    let mut rng = Rng::new(1);
    for parameters in ["2", "3", "4", "6,k=11"] {
        let game = game::<u128>(parameters);
        for _ in 0..30 {
            let mut pos = game.start();
            while pos.outcome().is_none() {
                let legal = pos.empty().cells().filter(|&cell| pos.is_legal(cell));
                assert_eq!(
                    pos.legal(),
                    legal.fold(0, |set, cell| set | u128::bit(cell)),
                    "{}",
                    game.show(&pos)
                );
                pos.play(pos.random_move(&mut rng, &mut Vec::new()));
                assert_eq!(pos.key(), pos.rebuilt_key());
            }
        }
    }
}

/// The corner a1 of side 3 has the neighbours a2, b1 and b2.
#[test]
fn captures_and_suicide() {
    let game = game::<u64>("3");
    // W takes the corner stone with b2.
    let pos = game.parse("bw./w.../...b./..../.b. w").unwrap();
    assert_eq!(game.show(&play(&game, pos, "b2")), ".w./ww../...b./..../.b. b");
    // B may not play into the corner that W has surrounded, W may.
    let pos = game.parse(".w./ww../...b./..../bb. b").unwrap();
    assert!(game.parse_move(&pos, "a1").is_err());
    let pos = game.parse(".w./ww../...b./..../bbb w").unwrap();
    assert!(game.parse_move(&pos, "a1").is_ok());
    // Without a liberty, but W's two stones on a2 and a3 lose their last: they are taken first.
    let pos = game.parse(".ww/wwbb/bbb.b/..../... b").unwrap();
    assert_eq!(game.show(&play(&game, pos, "a1")), "b../..bb/bbb.b/..../... w");
}

/// Rows in all three directions win; so does a row longer than K; the row of the mover wins, not
/// that of the opponent.
#[test]
fn rows_win() {
    let game = game::<u64>("3,k=3");
    for (text, mv, score) in [
        ("ww./..../.bb../..../... w", "a3", Some(Score::WIN)),
        ("w../.w../...../..../.bb w", "c3", Some(Score::WIN)),
        ("..w/..w./...../..../bb. w", "c3", Some(Score::WIN)),
        (".../..../ww.ww/b.bb/b.. w", "c3", Some(Score::WIN)),
        ("ww./..../.bb../..../..w b", "c4", Some(Score::LOSS)),
        ("ww./..../.bb../..../... w", "b2", None),
    ] {
        assert_eq!(play(&game, game.parse(text).unwrap(), mv).outcome(), score, "{text} {mv}");
    }
}

/// A line found by search on side 2: after twelve moves the same stone is alone on the board again,
/// B to move.
const CYCLE: &str = "a2 b1 b2 c1 c2 a1 b3 b1 c1 a1 b1 a1";

#[test]
fn third_repetition_draws() {
    let game = game::<u64>("2");
    let first = play(&game, game.start(), "a1");
    let second = play(&game, first, CYCLE);
    assert_eq!((second.key(), second.outcome()), (first.key(), None));
    assert_ne!(second, first, "with another history it is another position");
    let third = play(&game, second, CYCLE);
    assert_eq!((third.key(), third.outcome()), (first.key(), Some(Score::DRAW)));
    assert!(game.view(&third).notes[0].contains("third time"));
    // The history matters now that a position has occurred twice, and images have none.
    assert_eq!([first, second, third].map(|pos| pos.symmetries()), [12, 1, 1]);
    // As a text the position has no history.
    let fresh = game.parse(&game.show(&third)).unwrap();
    assert_eq!((fresh.outcome(), fresh.key()), (None, first.key()));
    assert_eq!(play(&game, fresh, CYCLE).outcome(), None);
    // A playout sees the history too: all moves from the second-to-last position of the third
    // round.
    let (line, mut rng) = (CYCLE.rsplit_once(' ').unwrap().0, Rng::new(1));
    let before = play(&game, second, line);
    let mut drawn_at_once = 0;
    for _ in 0..200 {
        let (mut pos, mut length) = (before, 0);
        pos.playout(&mut rng, &mut Vec::new(), &mut |_, _| length += 1);
        drawn_at_once += usize::from(length == 1);
    }
    let mut moves = Vec::new();
    before.moves(&mut moves);
    let ends = moves.iter().filter(|&&mv| before.after(mv).outcome().is_some()).count();
    assert!(ends > 0 && drawn_at_once > 200 * ends / moves.len() / 2, "{drawn_at_once} of 200, {ends} moves");
}

#[test]
fn swap_takes_over_the_first_stone() {
    let game = game::<u64>("2,swap=yes");
    let start = game.start();
    assert!(game.parse_move(&start, "swap").is_err());
    let first = play(&game, start, "a1");
    assert_eq!((first.count_moves(&mut Vec::new()), perft(&start, 2)), (7, 49));
    let swapped = play(&game, first, "swap");
    assert_eq!(game.show(&swapped), "b./.../.. w");
    assert!(game.parse_move(&swapped, "swap").is_err());
    assert!(game.parse_move(&play(&game, first, "a2"), "swap").is_err());
    // As a text it is still swapped, and W cannot take it back.
    let text = game.show(&swapped);
    assert_eq!(game.parse(&text).map(|pos| pos.may_swap()), Ok(false), "{text}");
    // The stone alone again is not the first stone, and its text says so.
    let late = play(&game, first, CYCLE);
    assert!(game.parse_move(&late, "swap").is_err());
    assert_eq!(game.show(&late), "w./.../.. b no-swap");
    // So it has another key, though the stones and the mover are the same.
    assert_eq!((late.stones, late.mover), (first.stones, first.mover));
    assert_ne!(late.key(), first.key());
    let reread = game.parse(&game.show(&late)).unwrap();
    assert_eq!((reread.count_moves(&mut Vec::new()), game.show(&reread)), (6, game.show(&late)));
}

/// Side 2 with K = 3: the board can be full of eyes, and a player who cannot move draws.
#[test]
fn no_move_is_a_draw() {
    let game = game::<u64>("2");
    let pos = game.parse("w./ww./.w b").unwrap();
    assert_eq!(pos.outcome(), None);
    let pos = game.parse("w./www/.w b").unwrap();
    assert_eq!(pos.outcome(), Some(Score::DRAW));
}

#[test]
fn refuses_what_cannot_be() {
    for bad in ["1", "7", "5x5", "5,k=0", "5,k", "5,swap", "5,swap=maybe", "5,k=4,k=4", "5,", "5,rows=2"] {
        assert!(Setup::parse(bad).is_err(), "{bad}");
    }
    assert_eq!(Setup::parse(""), Ok(Setup::STANDARD));
    assert_eq!(game::<u64>("3,swap=yes,k=4").name(), "pentalath:3,k=4,swap=yes");
    let game = game::<u64>("3,k=3");
    for (bad, why) in [
        (".../..../...../..../... b", "W has no stone"),
        ("w../..../...../..../... w", "B has no stone"),
        ("bw./ww../b..../..../... w", "liberty"),
        ("www/..../bb..b/..../... w", "W has won and cannot be to move"),
        ("www/..../www../b.bb/bb. b", "W had won before the last stone"),
        ("w../..../...../..../... b no-swap 1", "nothing may follow"),
        ("w../..../...../..../... b yes", "only `no-swap` may follow"),
        ("w../.../...../..../... b", "rank 2 from the top has 3 cells, not 4"),
    ] {
        let error = game.parse(bad).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(why), "{bad}: {error}");
    }
}

#[test]
fn pictures() {
    let game = game::<u64>("2");
    let view = game.view(&game.parse("wb/.../.w b").unwrap());
    assert!(view.hexagonal);
    let drawn = view.draw(|symbol, _| symbol.to_string());
    assert_eq!(drawn, "   w:a1  b:a2\nb1    b2    b3\n   c1    w:c2\n");
}
