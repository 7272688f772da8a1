//! Checks of the numbers of positions, for tests.

use proofplay_core::{Numbering, Place, Position, Rng, Score};

/// What the moves of a position lead to: ends in the mover's view, and numbers; sorted.
fn successors<P: Position>(set: &dyn Numbering<P>, pos: &P) -> Vec<Result<Score, Place>> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let lead = |mv| {
        let child = pos.after(mv);
        match child.outcome() {
            Some(score) => Ok(score.seen_by(pos.turn())),
            None => {
                assert_eq!(child.turn(), !pos.turn(), "{pos:?}: the players alternate");
                Err(set.find(&child).unwrap_or_else(|| panic!("{pos:?}: a move leads out of the set")))
            }
        }
    };
    let mut successors: Vec<_> = moves.into_iter().map(lead).collect();
    successors.sort_by_key(|successor| (successor.ok(), successor.err()));
    successors
}

/// A position, with whatever history but no counted moves, and the one with its number have the same future.
pub fn check_alike<P: Position>(set: &dyn Numbering<P>, pos: &P, place: Place) {
    let alike = set.position(place).unwrap_or_else(|| panic!("{pos:?}: {place:?} stands for nothing"));
    assert_eq!(alike.outcome(), None, "{pos:?}: {alike:?} is over");
    assert_eq!(set.find(&alike), Some(place), "{pos:?}");
    if pos.has_repeated() || set.room(pos).is_some_and(|room| room <= 1) {
        return;
    }
    assert_eq!(successors(set, pos), successors(set, &alike), "{pos:?} and {alike:?}");
}

/// Random numbers of each part stand for positions that have them, or for others that are alike; moves never lead to later parts.
pub fn check<P: Position>(set: &dyn Numbering<P>, rounds: u32, rng: &mut Rng) {
    for (part, size) in (0..).zip(set.parts()) {
        assert_eq!(
            set.position(Place { part, index: size as u32 }),
            None,
            "part {part} is larger than it says"
        );
        for _ in 0..rounds.div_ceil(set.parts().len() as u32) {
            let place = Place { part, index: rng.below(size as u32) };
            let Some(pos) = set.position(place).filter(|pos| pos.outcome().is_none()) else { continue };
            let own = set.find(&pos).unwrap();
            assert_eq!(own.part, part, "{pos:?}");
            if own != place {
                check_alike(set, &pos, own);
            }
            for successor in successors(set, &pos) {
                assert!(successor.err().is_none_or(|to| to.part <= part), "{pos:?} leads to {successor:?}");
            }
        }
    }
    assert_eq!(set.position(Place { part: set.parts().len() as u32, index: 0 }), None);
}
