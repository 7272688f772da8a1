//! The checks that every game must pass. Call [`check_position`] in a test of your own game, or
//! [`check`] if it has names and pictures too, [`check_uniform`] when it has its own `random_move`
//! or `playout`, [`check_facts`] when it has facts.

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

/// Checks the promises of [`Position`] from `start` on; needs no [`Game`].
///
/// It visits all moves of the positions near `start` and along some lines to their ends, then all
/// moves along `games` random games and near a random position of each. Every position is compared
/// with all others. It checks that
///
/// - scores lie inside [`Position::range`], and the range never grows by a move;
/// - [`Position::moves`] appends at least one move, none twice, always in the same order, and that
///   `count_moves`, `random_move`, `after`, `slot` and the codes of moves agree with it, and codes
///   stay the same;
/// - equal positions have equal keys, and positions that are not equal and not over have keys that
///   differ in bits that tables compare, and `key_after` is the key after the move. Where positions
///   can repeat, a key may leave out the history: there, positions with equal keys must have the
///   same mover and the same moves;
/// - symmetries keep the value of ends, the mover and the number of moves, and agree on one
///   canonical form;
/// - playouts make legal moves to the end of the game and return its score;
/// - no position repeats if [`Position::repeats`] is false, and no line of play is too long for
///   searches ([`crate::guard::MOST_PLIES`]).
///
/// It visits some ten thousand moves: all of a small game, but only a part of a large one, so call
/// it also with positions late in a game. A key without the mover is found if the same board occurs
/// with either player to move, as in games where a player may pass, move twice, or reach the same
/// place in more or fewer moves. Where the board shows whose turn it is (stones that are never
/// removed), the key need not, and nothing is reported. A repetition is found if one closes among
/// the visited moves: pieces that move back and forth are found, a long cycle among many other
/// moves may not be. Not checked: whether the rules are the ones you mean, and whether random moves
/// are uniform ([`check_uniform`]).
///
/// # Panics
/// With a description of the first broken promise, and the method to repair.
pub fn check_position<P: Position>(start: &P, games: usize, seed: u64) {
    positions::check(start, games, &mut Rng::new(seed), &mut |_| ());
}

/// [`check_position`] from the start of a game, and in every position of the random games the
/// promises of [`Game`], its facts and its hints. Whether facts are true is checked by
/// [`check_facts`].
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

/// The texts of moves, where they depend on nothing but the move and its player.
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
