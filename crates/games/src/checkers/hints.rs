//! Hints for Checkers: material, advancement, and how convincing a win is.

use super::Board;
use crate::board::Word;
use proofplay_core::{Hints, Player, Position};

/// Counts pieces.
pub struct Material {
    /// The most pieces a player can have.
    pub(super) most: u32,
}

/// A king in men. Samuel, "Some studies in machine learning using the game of checkers", 1959: the
/// ratio of 3 to 2.
const KING: f32 = 1.5;
/// A row that a man has advanced, in men. Untuned.
const ROW: f32 = 0.04;
/// Men ahead that are worth a value of a half. Untuned.
const HALF_WON: f32 = 2.0;

impl Hints<Board> for Material {
    /// The outcome once the game is over, else p / (2 + |p|) for p men ahead, counting kings and
    /// advancement.
    fn value(&self, pos: &Board) -> f32 {
        if let Some(score) = pos.outcome() {
            return f32::from(score.0);
        }
        let last = pos.squares.grid.rows - 1;
        let worth = |player: Player| {
            let pieces = pos.pieces[player.index()];
            let advance = |square| match player {
                Player::First => pos.squares.row(square),
                Player::Second => last - pos.squares.row(square),
            };
            let men = pieces & !pos.kings;
            let rows: u32 = men.cells().map(advance).sum();
            men.count() as f32 + KING * (pieces & pos.kings).count() as f32 + ROW * rows as f32
        };
        let ahead = worth(Player::First) - worth(Player::Second);
        ahead / (HALF_WON + ahead.abs())
    }

    /// "The total number of pieces in play for the winning player" \[PTLW14\] section 6.1, divided
    /// by one more than there can be.
    fn quality(&self, end: &Board) -> f32 {
        match end.outcome().and_then(|score| score.winner()) {
            Some(winner) => end.pieces[winner.index()].count() as f32 / (self.most + 1) as f32,
            None => 0.5,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checkers::{Checkers, Setup};
    use proofplay_core::Game;

    #[test]
    fn by_hand() {
        let game = Checkers::new(Setup::parse("").unwrap());
        let knowledge = game.hints();
        assert_eq!(knowledge.value(&game.start()), 0.0);
        let at = |text| game.parse(text).unwrap();
        // W: a king and a man on row 3; B: a man that has come down to row 6. 1.5 + 1 + 2 rows
        // against 1 + 2 rows.
        let pos = at("......../......../.b....../......../......../W...w.../......../........ w");
        assert!((knowledge.value(&pos) - 1.5 / 3.5).abs() < 1e-6);
        // Three pieces of twelve, and B has none.
        let won = at("......../......../......../......../......../W...w.../......../..w..... b");
        assert_eq!((knowledge.value(&won), knowledge.quality(&won)), (1.0, 3.0 / 13.0));
    }
}
