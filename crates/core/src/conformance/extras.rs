//! What can be checked of facts and hints.

use super::positions::check_playout;
use crate::minimax::Memo;
use crate::{Bounds, Extras, Facts, Game, Hints, Player, Position, Rng};

/// Checks facts and hints at one position, as far as that needs no search: bounds inside the range,
/// moves that are legal and in order, values, weights and qualities inside their ranges, policies
/// that play legal moves.
///
/// # Panics
/// With a description of the first broken promise.
pub fn check_extras<P: Position>(extras: &Extras<P>, pos: &P, rng: &mut Rng) {
    if pos.outcome().is_some() {
        let quality = extras.hints.quality(pos);
        assert!(quality > 0.0 && quality < 1.0, "{pos:?}: `quality()` is {quality}, not in (0, 1)");
        return;
    }
    if let Some(facts) = &extras.facts {
        check_claims(&**facts, pos);
    }
    check_hints(&*extras.hints, pos, rng);
}

/// Checks what facts claim about a position that is not over.
pub fn check_claims<P: Position>(facts: &dyn Facts<P>, pos: &P) {
    let (range, mut legal) = (pos.range(), Vec::new());
    pos.moves(&mut legal);
    let holds = |bounds: Bounds| bounds.pess <= bounds.opti && range.encloses(bounds);
    let bounds = facts.bounds(pos);
    assert!(holds(bounds), "{pos:?}: `Facts::bounds` says {bounds}, `range()` only {range}");
    for player in Player::BOTH {
        let counted = facts.counted(pos, player);
        assert!(
            facts.counts() || counted.is_none(),
            "{pos:?}: `Facts::counted` says something, but `counts()` is false"
        );
        let inside = counted.is_none_or(|score| range.contains(score));
        assert!(inside, "{pos:?}: `Facts::counted` says {counted:?}, `range()` {range}");
    }
    let mut list = vec![legal[0]; 2];
    let bounds = facts.enough(pos, &mut list);
    assert!(holds(bounds), "{pos:?}: `Facts::enough` says {bounds}, `range()` only {range}");
    assert!(list.starts_with(&[legal[0]; 2]), "{pos:?}: `Facts::enough` must append");
    let (mut rest, enough) = (legal.iter(), &list[2..]);
    let in_order = enough.iter().all(|mv| rest.any(|other| other == mv));
    assert!(in_order, "{pos:?}: `Facts::enough` gives {enough:?}, not some of {legal:?} in that order");
    assert!(bounds.is_exact() || !enough.is_empty(), "{pos:?}: `Facts::enough` gives no move and {bounds}");
}

/// Checks what hints say about a position that is not over.
fn check_hints<P: Position>(hints: &dyn Hints<P>, pos: &P, rng: &mut Rng) {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let value = hints.value(pos);
    assert!((-1.0..=1.0).contains(&value), "{pos:?}: `Hints::value` is {value}, not in [-1, 1]");
    let mut out = vec![1.0; moves.len()];
    for priors in [false, true] {
        out.fill(1.0);
        let name = if priors { "priors" } else { "weights" };
        if priors {
            hints.priors(pos, &moves, &mut out)
        } else {
            hints.weights(pos, &moves, &mut out)
        }
        let good = out.iter().all(|&weight| weight > 0.0 && weight.is_finite());
        assert!(good, "{pos:?}: `Hints::{name}` must be positive: {out:?}");
    }
    let (usual, policies) = (hints.usual_policy(), hints.policies());
    assert!(
        usual.is_none_or(|usual| policies.contains(&usual)),
        "{pos:?}: the usual policy is not one of {policies:?}"
    );
    for policy in policies {
        check_playout(pos, policy, |end, buf, trace| {
            let mut end_of = pos.clone();
            // A trace must not change the game.
            let (mut again, mut before) = (rng.clone(), Vec::new());
            let score = hints.playout(policy, end, rng, buf, Some(&mut |who, mv| trace(who, mv)));
            let other = hints.playout(policy, &mut end_of, &mut again, &mut before, None);
            assert!(
                score == other && *end == end_of,
                "{pos:?}: `{policy}` plays otherwise when it is traced"
            );
            score
        });
    }
}

/// Checks against brute force that the facts of a game are true, on `count` random positions that
/// have at most `open` moves left to choose from.
///
/// # Panics
/// With a description of the first claim that is not true, or if no position has a fact.
pub fn check_facts<G: Game>(game: &G, open: usize, count: usize, seed: u64) {
    let facts = game.facts().unwrap_or_else(|| panic!("{}: it has no facts", game.name()));
    let (mut rng, mut memo, mut buf) = (Rng::new(seed), Memo::new(), Vec::new());
    let (mut checked, mut taught) = (0, 0);
    while checked < count {
        let mut pos = game.start();
        while pos.outcome().is_none() && pos.count_moves(&mut buf) > open {
            let mv = pos.random_move(&mut rng, &mut buf);
            pos.play(mv);
        }
        while pos.outcome().is_none() {
            let text = game.show(&pos);
            let (value, mover) = (memo.value(&pos), pos.turn());
            assert!(facts.bounds(&pos).contains(value), "{text}: {value:?} is not in {}", facts.bounds(&pos));
            buf.clear();
            let bounds = facts.enough(&pos, &mut buf);
            assert!(bounds.contains(value), "{text}: {value:?} is not in {bounds}");
            let best = buf.iter().map(|&mv| memo.value(&pos.after(mv)).seen_by(mover)).max();
            if !bounds.is_exact() || best.is_some() {
                assert_eq!(best, Some(value.seen_by(mover)), "{text}: no best move is left");
            }
            let mut legal = Vec::new();
            pos.moves(&mut legal);
            taught += usize::from(bounds.is_exact() || buf.len() < legal.len());
            checked += 1;
            let mv = legal[rng.below(legal.len() as u32) as usize];
            pos.play(mv);
            buf.clear();
        }
        checked += 1;
    }
    assert!(taught > 0, "{}: nothing was known anywhere", game.name());
}
