//! The checks that every game must pass. Call [`check`] in a test of your own game.

use crate::{Game, Player, Position, Rng, perft};
use std::collections::HashSet;

/// Plays `games` random games from the start and checks the promises of [`Position`] and [`Game`] in every position.
///
/// # Panics
/// With a description of the first broken promise.
pub fn check<G: Game>(game: &G, games: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    for _ in 0..games {
        check_line(game, game.start(), &mut rng);
    }
}

/// Checks every position of one random game from `pos` to its end.
pub fn check_line<G: Game>(game: &G, mut pos: G::Pos, rng: &mut Rng) {
    let mut seen = HashSet::new();
    loop {
        check_position(game, &pos, rng);
        let fresh = seen.insert(pos.clone());
        assert!(fresh || !G::Pos::ACYCLIC, "{}: repeats although acyclic", game.show(&pos));
        if pos.outcome().is_some() || seen.len() > 10_000 {
            return;
        }
        let mv = pos.random_move(rng, &mut Vec::new());
        check_step(game, &pos, mv);
        pos.play(mv);
    }
}

fn check_position<G: Game>(game: &G, pos: &G::Pos, rng: &mut Rng) {
    let text = game.show(pos);
    let reread = game.parse(&text).unwrap_or_else(|e| panic!("{text}: does not read back: {e}"));
    if G::Pos::ACYCLIC {
        assert_eq!(reread, *pos, "{text}: reads back as another position");
        assert_eq!(reread.key(), pos.key(), "{text}: the key depends on the way here");
    }
    assert_eq!(reread.outcome(), pos.outcome(), "{text}: reads back with another outcome");
    assert!(!game.view(pos).cells.is_empty(), "{text}: has no picture");
    check_symmetry(pos, &text);
    if let Some(score) = pos.outcome() {
        assert!(pos.range().contains(score), "{text}: outcome {score} outside the range {}", pos.range());
        return;
    }
    let marker = pos.random_move(rng, &mut Vec::new());
    let (mut moves, mut again) = (vec![marker], Vec::new());
    pos.moves(&mut moves);
    pos.moves(&mut again);
    assert_eq!(moves[0], marker, "{text}: moves() must append");
    assert_eq!(moves[1..], again, "{text}: the order of moves changes");
    assert!(!again.is_empty(), "{text}: not over, but no move");
    assert!(again.contains(&marker), "{text}: random_move gave {marker:?}, which is not legal");
    assert_eq!(pos.count_moves(&mut moves), again.len(), "{text}: count_moves is wrong");
    let unique: HashSet<_> = again.iter().collect();
    assert_eq!(unique.len(), again.len(), "{text}: a move is listed twice");
    let mut texts = HashSet::new();
    for &mv in &again {
        let name = game.show_move(pos, mv);
        assert_eq!(game.parse_move(pos, &name), Ok(mv), "{text}: move {name} does not read back");
        assert!(texts.insert(name.clone()), "{text}: two moves are written {name}");
        assert!(pos.slots() == 0 || pos.slot(mv) < pos.slots(), "{text}: {name} has no slot");
    }
    check_playout(pos, rng, &text);
}

fn check_symmetry<P: Position>(pos: &P, text: &str) {
    assert_eq!(pos.transformed(0), *pos, "{text}: symmetry 0 is not the identity");
    let canonical = pos.canonical();
    for symmetry in 0..pos.symmetries() {
        let image = pos.transformed(symmetry);
        assert_eq!(image.canonical(), canonical, "{text}: symmetry {symmetry}: another canonical form");
        assert_eq!(image.outcome(), pos.outcome(), "{text}: symmetry {symmetry}: another outcome");
        if pos.outcome().is_none() {
            assert_eq!(image.turn(), pos.turn(), "{text}: symmetry {symmetry}: another mover");
            assert_eq!(perft(&image, 2), perft(pos, 2), "{text}: symmetry {symmetry}: other moves");
        }
    }
}

fn check_playout<P: Position>(pos: &P, rng: &mut Rng, text: &str) {
    let (mut end, mut line, mut buf) = (pos.clone(), Vec::new(), Vec::new());
    let score = end.playout(rng, &mut buf, &mut |mover: Player, mv| line.push((mover, mv)));
    assert!(buf.is_empty(), "{text}: playout leaves moves in the buffer");
    let mut replayed = pos.clone();
    for (mover, mv) in line {
        assert_eq!(replayed.outcome(), None, "{text}: playout goes on after the end");
        assert_eq!(replayed.turn(), mover, "{text}: playout names the wrong mover");
        replayed.moves(&mut buf);
        assert!(buf.contains(&mv), "{text}: playout plays {mv:?}, which is not legal");
        buf.clear();
        replayed.play(mv);
    }
    assert_eq!(replayed, end, "{text}: playout ends elsewhere than its moves lead");
    assert_eq!(end.outcome(), Some(score), "{text}: playout returns the wrong score");
}

fn check_step<G: Game>(game: &G, pos: &G::Pos, mv: <G::Pos as Position>::Move) {
    let (text, next) = (game.show(pos), pos.after(mv));
    assert_eq!(pos.key_after(pos.key(), mv), next.key(), "{text}: key_after differs from the rebuilt key");
    assert_ne!(next.key(), pos.key(), "{text}: a move does not change the key");
    assert!(pos.range().encloses(next.range()), "{text}: the range grows by a move");
}
