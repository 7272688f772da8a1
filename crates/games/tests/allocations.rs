//! After the first game, play allocates nothing: move lists, moves, copies, keys, symmetries and
//! random games. And positions are small enough to be copied at every node.

use allocation_counter::measure;
use proofplay_core::{Game, Hints, NoHints, Position, Rng};
use proofplay_games::connect4::Connect4;
use proofplay_games::domineering::{self, Domineering};
use proofplay_games::in_a_row::{AnyShape, Fixed};
use proofplay_games::mnk::Mnk;
use proofplay_games::nogo::{self, NoGo};
use proofplay_games::seki::{self, Seki};
use proofplay_games::y::{self, Y};
use std::hint::black_box;

/// Everything that a search calls on positions of a few random games. The same seed gives the same
/// games.
fn play<P: Position>(start: &P, hints: &dyn Hints<P>, buf: &mut Vec<P::Move>) {
    let mut rng = Rng::new(1);
    for _ in 0..5 {
        let (mut pos, mut key) = (start.clone(), start.key());
        while pos.outcome().is_none() {
            pos.moves(buf);
            black_box((pos.count_moves(buf), pos.range(), pos.turn(), pos.slots()));
            black_box((pos.canonical_key(key), pos.canonical(), pos.clone()));
            buf.clear();
            let mv = pos.random_move(&mut rng, buf);
            black_box((pos.slot(mv), pos.after(mv)));
            key = pos.key_after(key, mv);
            pos.play(mv);
        }
        for _ in 0..20 {
            black_box(hints.usual_playout(&mut start.clone(), &mut rng, buf, &mut |_, mv| {
                black_box(mv);
            }));
        }
    }
}

fn check<G: Game>(game: G) {
    let (name, start, mut buf) = (game.name(), game.start(), Vec::new());
    let hints = game.hints();
    play(&start, &*hints, &mut buf);
    let allocations = measure(|| play(&start, &*hints, &mut buf)).count_total;
    assert_eq!(allocations, 0, "{name}: allocations in play");

    let (cells, bytes) = (game.view(&start).cells.len(), size_of::<G::Pos>());
    println!("{name}: {cells} cells, {bytes} bytes");
    assert!(bytes <= if cells <= 64 { 64 } else { 128 }, "{name}: {bytes} bytes for {cells} cells");
}

#[test]
fn rows_of_stones() {
    check(Mnk::new(Fixed::<3, 3, 3>));
    check(Connect4::new(Fixed::<7, 6, 4>));
    for (cols, rows, k) in [(4, 4, 4), (8, 8, 5), (9, 9, 5), (16, 8, 5), (128, 1, 3), (1, 128, 4)] {
        match AnyShape::new(cols, rows, k) {
            AnyShape::Small(shape) => (check(Mnk::new(shape)), check(Connect4::new(shape))),
            AnyShape::Medium(shape) => (check(Mnk::new(shape)), check(Connect4::new(shape))),
            AnyShape::Large(shape) => (check(Mnk::new(shape)), check(Connect4::new(shape))),
        };
    }
}

#[test]
fn domineering() {
    let setup = |text| domineering::Setup::parse(text).unwrap();
    check(Domineering::<u64>::new(setup("6x6")));
    check(Domineering::<u64>::new(setup("8x8")));
    check(Domineering::<u128>::new(setup("16x8,first=H")));
}

#[test]
fn nogo() {
    let setup = |text| nogo::Setup::parse(text).unwrap();
    check(NoGo::<u64>::new(setup("4x4")));
    check(NoGo::<u64>::new(setup("8x8")));
    check(NoGo::<u128>::new(setup("16x8")));
}

/// 15 is the longest side: 120 cells.
#[test]
fn y() {
    check(Y::<u64>::new(y::Setup { size: 5 }));
    check(Y::<u64>::new(y::Setup { size: 10 }));
    check(Y::<u128>::new(y::Setup { size: 15 }));
}

#[test]
fn seki() {
    check(Seki::new(seki::Setup::parse("3,4").unwrap()));
    check(Seki::new(seki::Setup::parse("20,20,20").unwrap()));
}

/// The counter counts: a test that cannot fail shows nothing.
#[test]
fn an_allocation_is_seen() {
    assert_eq!(measure(|| drop(black_box(Box::new(1)))).count_total, 1);
    let mut moves = Vec::new();
    assert_ne!(
        measure(|| play(&Seki::new(seki::Setup::parse("3,4").unwrap()).start(), &NoHints, &mut moves))
            .count_total,
        0
    );
}
