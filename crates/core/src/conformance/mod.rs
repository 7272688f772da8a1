//! The checks that every game must pass. Call [`check_position`] in a test of your own game, or [`check`] if it has names and
//! pictures too, [`check_uniform`] when it has its own `random_move` or `playout`, [`check_facts`] when it has facts.

mod extras;
mod positions;
#[cfg(test)]
mod tests;
mod uniform;

pub use extras::{check_extras, check_facts};
pub use uniform::{check_uniform, check_uniform_moves};

use crate::{Game, Player, Position, Rng, Score};
use positions::Met;
use std::collections::{HashMap, HashSet};

/// Checks the promises of [`Position`], without any [`Game`], from `start` on.
///
/// First it looks at all moves of the positions near `start` and along some lines to their ends, then at all moves along
/// `games` random games, and near a random position of each. Every position met is compared with all others, so that it finds
/// out whether
///
/// - scores lie inside [`Position::range`], and the range never grows by a move;
/// - [`Position::moves`] appends, in the same order each time, no move twice, and at least one; whether `count_moves`,
///   `random_move`, `after`, `slot` and the codes of moves fit to it, and whether codes stay the same;
/// - equal positions have equal keys, and positions that are not equal and not over have keys that differ, in bits that tables
///   compare; whether `key_after` is the key after the move. Where positions can repeat, a key need not know the past:
///   there, positions with equal keys must have the same mover and the same moves;
/// - symmetries keep the value of ends, the mover and the number of moves, and agree on one canonical form;
/// - playouts make legal moves to the end of the game and return its score;
/// - a position comes again although [`Position::repeats`] is false, or a line of play is too long for searches
///   ([`crate::guard::MOST_PLIES`]).
///
/// It looks at some ten thousand moves, which is the whole of a small game, but of a large one only a part: start it also
/// from positions late in a game. A key without the mover is found if the same board is met with either player to move, as in
/// games where a player may pass, move twice, or come to the same place in more or fewer moves. Where the board says whose turn
/// it is, as stones that are never taken away do, the key need not, and nothing is reported. A repetition is found if one
/// closes among the moves looked at: pieces that go forth and back are, a circle of many moves among many others may not be.
/// Whether the rules are those you mean, and whether random moves are uniform ([`check_uniform`]), is not checked.
///
/// # Panics
/// With a description of the first broken promise, and the method to repair.
pub fn check_position<P: Position>(start: &P, games: usize, seed: u64) {
    positions::check(start, games, &mut Rng::new(seed), &mut |_| ());
}

/// [`check_position`] from the start of a game, and in every position of the random games the promises of [`Game`], its facts and
/// its hints; whether facts are true is for [`check_facts`].
///
/// # Panics
/// With a description of the first broken promise.
pub fn check<G: Game>(game: &G, games: usize, seed: u64) {
    let (mut texts, extras, mut rng) = (HashMap::new(), game.extras(), Rng::new(!seed));
    positions::check(&game.start(), games, &mut Rng::new(seed), &mut |pos| {
        check_texts(game, pos, &mut texts);
        check_extras(&extras, pos, &mut rng);
    });
}

/// [`check`] of the positions of one random game from `pos` to its end.
///
/// # Panics
/// As [`check`] does.
pub fn check_line<G: Game>(game: &G, pos: G::Pos, rng: &mut Rng) {
    let (mut met, mut texts) = (Met::new(), HashMap::new());
    let start = met.meet(pos);
    met.play(start, rng, &mut |pos| check_texts(game, pos, &mut texts));
    met.check_acyclic();
}

/// The texts of moves that depend on nothing else.
type Texts<P> = HashMap<(Player, <P as Position>::Move), String>;

/// Checks that a position and its moves read back, and that it has a picture.
fn check_texts<G: Game>(game: &G, pos: &G::Pos, texts: &mut Texts<G::Pos>) {
    let text = game.show(pos);
    let reread = game.parse(&text).unwrap_or_else(|e| panic!("{text}: does not read back: {e}"));
    if !pos.repeats() {
        assert_eq!(reread, *pos, "{text}: reads back as another position");
        assert_eq!(reread.key(), pos.key(), "{text}: the key depends on the way here");
    }
    // A draw by repetition comes from the history, which a text does not have.
    if !pos.repeats() || pos.outcome() != Some(Score::DRAW) {
        assert_eq!(reread.outcome(), pos.outcome(), "{text}: reads back with another outcome");
    }
    assert!(!game.view(pos).cells.is_empty(), "{text}: has no picture");
    if pos.outcome().is_some() {
        return;
    }
    let (mut moves, mut names) = (Vec::new(), HashSet::new());
    pos.moves(&mut moves);
    for mv in moves {
        let name = game.show_move(pos, mv);
        assert_eq!(game.parse_move(pos, &name), Ok(mv), "{text}: move {name} does not read back");
        if game.has_fixed_texts() {
            let before = texts.entry((pos.turn(), mv)).or_insert_with(|| name.clone());
            assert_eq!(*before, name, "{text}: the text of a move has changed");
        }
        assert!(names.insert(name.clone()), "{text}: two moves are written {name}");
    }
}
