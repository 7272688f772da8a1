//! Brute force: the truth that every search is tested against. No tables, no cuts, no ordering.

use crate::{Player, Position, Score, guard};
use std::collections::HashMap;

/// The exact value of `pos` in the view of `First`, by looking at every line of play.
///
/// # Panics
/// If positions can repeat, since the search might not end; if a line of play is longer than [`guard::MOST_PLIES`]; if a
/// score lies outside [`Position::range`].
pub fn minimax<P: Position>(pos: &P) -> Score {
    brute_force(pos, &mut |_| true).expect("nobody stopped the search")
}

/// [`minimax`] that reports every position to `visit` and gives up (`None`) when that says `false`.
///
/// # Panics
/// As [`minimax`] does.
pub fn brute_force<P: Position>(pos: &P, visit: &mut impl FnMut(&P) -> bool) -> Option<Score> {
    assert!(P::ACYCLIC, "brute force needs a game whose positions cannot repeat");
    value(pos, 0, &mut Vec::new(), visit)
}

fn value<P: Position>(
    pos: &P,
    ply: usize,
    buf: &mut Vec<P::Move>,
    visit: &mut impl FnMut(&P) -> bool,
) -> Option<Score> {
    if !visit(pos) {
        return None;
    }
    if let Some(score) = guard::ended(pos) {
        return Some(score);
    }
    guard::check_ply(ply);
    let start = buf.len();
    pos.moves(buf);
    let mut best = None;
    for i in start..buf.len() {
        best = Some(better(pos.turn(), best, value(&pos.after(buf[i]), ply + 1, buf, visit)?));
    }
    buf.truncate(start);
    best
}

/// The better one of what `mover` had and what is new.
fn better(mover: Player, best: Option<Score>, new: Score) -> Score {
    best.map_or(new, |best| match mover {
        Player::First => best.max(new),
        Player::Second => best.min(new),
    })
}

/// [`minimax`] that remembers whole positions (no keys, so no collisions): reaches somewhat larger boards.
#[derive(Default)]
pub struct Memo<P> {
    known: HashMap<P, Score>,
}

impl<P: Position> Memo<P> {
    /// Knows nothing yet.
    pub fn new() -> Self {
        assert!(P::ACYCLIC, "brute force needs a game whose positions cannot repeat");
        Memo { known: HashMap::new() }
    }

    /// The exact value of `pos` in the view of `First`.
    ///
    /// # Panics
    /// As [`minimax`] does.
    pub fn value(&mut self, pos: &P) -> Score {
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
