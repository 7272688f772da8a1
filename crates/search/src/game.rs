//! A game between two searches.

use crate::{Ask, Limits, Run, Search, SearchError};
use proofplay_core::{Player, Position, Score};

/// Plays from the position of both searches to the end of the game: `first` moves for `First`, with
/// `limits` for each move. Returns the score, or `None` after `most_plies` moves, and the moves.
///
/// # Panics
/// If the searches are about different positions, and as [`Search::run`] does.
pub fn play_game<P: Position>(
    first: &mut dyn Search<P>,
    second: &mut dyn Search<P>,
    limits: Limits,
    most_plies: usize,
) -> Result<(Option<Score>, Vec<P::Move>), SearchError> {
    let mut pos = first.position().clone();
    assert!(*second.position() == pos, "both searches must be about the same position");
    let mut moves = Vec::new();
    while pos.outcome().is_none() && moves.len() < most_plies {
        let mut run = Run::new(limits);
        let report = match pos.turn() {
            Player::First => first.run(Ask::Value, &mut run)?,
            Player::Second => second.run(Ask::Value, &mut run)?,
        };
        let mv = report.best.expect("a search of a position that is not over names a move");
        pos.play(mv);
        first.play(mv);
        second.play(mv);
        moves.push(mv);
    }
    Ok((pos.outcome(), moves))
}
