//! After the first game, play allocates nothing: move lists, moves, copies, keys, symmetries and
//! random games. And positions are small enough to be copied at every node.

use allocation_counter::measure;
use proofplay_core::{Family, FamilyVisitor, Game, GameVisitor, Hints, NoHints, Position, Rng};
use proofplay_games::each_family;
use proofplay_games::seki::{self, Seki};
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
            let (mut pos, mut trace) = (start.clone(), |_, mv| {
                black_box(mv);
            });
            black_box(match hints.usual_policy() {
                Some(policy) => hints.playout(policy, &mut pos, &mut rng, buf, Some(&mut trace)),
                None => pos.playout(&mut rng, buf, &mut trace),
            });
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

/// Every board that a family names. Two kinds of game are left out: those whose positions can repeat carry their history, and a
/// tree that is given as text lives on the heap.
struct Boards(usize);

impl FamilyVisitor for Boards {
    fn visit<F: Family>(&mut self) {
        let more = [F::SMALL, F::STANDARD, F::VARIED].into_iter().flatten();
        for board in std::iter::once(&F::EXAMPLE).chain(more).filter(|_| F::NAME != "written") {
            self.0 += usize::from(F::build(board, Check).unwrap());
        }
    }
}

struct Check;

impl GameVisitor for Check {
    type Out = bool;

    fn visit<G: Game>(self, game: G) -> bool {
        let kept = !game.start().repeats();
        if kept {
            check(game);
        }
        kept
    }
}

#[test]
fn every_game_without_history() {
    let mut boards = Boards(0);
    each_family(&mut boards);
    assert!(boards.0 > 40, "{} boards", boards.0);
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
