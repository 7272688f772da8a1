//! Brute force: the truth that every search is tested against. No tables, no cuts, no ordering.

use crate::{Player, Position, Score, guard};
use std::collections::HashMap;

/// The exact value of `pos` in the view of `First`, by looking at every line of play. It ends if
/// every line of play does, also where positions can repeat.
///
/// # Panics
/// If a score lies outside [`Position::range`]; if [`Position::repeats`] is false but a line of
/// play is longer than [`guard::MOST_PLIES`].
pub fn minimax<P: Position>(pos: &P) -> Score {
    brute_force(pos, &mut |_| true).expect("nobody stopped the search").score
}

/// What a position is worth, and how soon that shows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The value, in the view of `First`.
    pub score: Score,
    /// The plies to the end of the game if the winner hurries and the loser holds out; of a draw, of some line of best play.
    pub plies: u32,
}

impl Ending {
    /// How much `mover` likes it: points first, then an early win or a late loss.
    fn rank(self, mover: Player) -> (Score, i64) {
        let plies = i64::from(self.plies);
        let hurry = match self.score.winner() {
            Some(winner) if winner == mover => -plies,
            Some(_) => plies,
            None => 0,
        };
        (self.score.seen_by(mover), hurry)
    }
}

/// A position on the way from the root, whose moves lie on the stack of moves from `start` on.
struct Ply<P> {
    pos: P,
    start: usize,
    next: usize,
    best: Option<Ending>,
}

/// [`minimax`] that counts plies too, reports every position to `visit` and gives up (`None`) when that says `false`.
///
/// Games may be long: the way down is a list, not a recursion.
///
/// # Panics
/// As [`minimax`] does.
pub fn brute_force<P: Position>(pos: &P, visit: &mut impl FnMut(&P) -> bool) -> Option<Ending> {
    let (mut plies, mut moves): (Vec<Ply<P>>, _) = (Vec::new(), Vec::new());
    let mut pos = pos.clone();
    loop {
        if !visit(&pos) {
            return None;
        }
        let mut value = guard::ended(&pos).map(|score| Ending { score, plies: 0 });
        if value.is_none() {
            if !pos.repeats() {
                guard::check_ply(plies.len());
            }
            let start = moves.len();
            pos.moves(&mut moves);
            plies.push(Ply { pos, start, next: start, best: None });
        }
        pos = loop {
            let Some(ply) = plies.last_mut() else { return value };
            if let Some(Ending { score, plies }) = value {
                let (mover, new) = (ply.pos.turn(), Ending { score, plies: plies + 1 });
                if ply.best.is_none_or(|best| new.rank(mover) > best.rank(mover)) {
                    ply.best = Some(new);
                }
            }
            if let Some(&mv) = moves.get(ply.next) {
                ply.next += 1;
                break ply.pos.after(mv);
            }
            value = ply.best;
            moves.truncate(ply.start);
            plies.pop();
        };
    }
}

/// The better one for `mover`.
fn better(mover: Player, best: Option<Score>, new: Score) -> Score {
    best.map_or(new, |best| match mover {
        Player::First => best.max(new),
        Player::Second => best.min(new),
    })
}

/// [`minimax`] that remembers whole positions (no keys, so no collisions): reaches somewhat larger
/// boards.
#[derive(Debug, Default)]
pub struct Memo<P> {
    known: HashMap<P, Score>,
}

impl<P: Position> Memo<P> {
    /// Knows nothing yet.
    pub fn new() -> Self {
        Memo { known: HashMap::new() }
    }

    /// The exact value of `pos` in the view of `First`.
    ///
    /// # Panics
    /// As [`minimax`] does, and if positions can repeat: they are remembered without their history.
    pub fn value(&mut self, pos: &P) -> Score {
        assert!(!pos.repeats(), "brute force needs a game whose positions cannot repeat");
        self.value_at(pos, 0)
    }

    fn value_at(&mut self, pos: &P, ply: usize) -> Score {
        if let Some(score) = guard::ended(pos) {
            return score;
        }
        if let Some(&score) = self.known.get(pos) {
            return score;
        }
        guard::check_ply(ply);
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let values = moves.iter().map(|&mv| self.value_at(&pos.after(mv), ply + 1));
        let score = values.fold(None, |best, v| Some(better(pos.turn(), best, v)));
        let score = score.expect("a position that is not over has at least one move");
        self.known.insert(pos.clone(), score);
        score
    }
}
