//! Hints for Chinese Checkers: how far the pieces are, and how convincing a win is.

use super::{Board, PASS, StarWord, Step, ends};
use proofplay_core::{Hints, Player, Position};

/// Counts rows, with more weight for the last piece, and cells off the middle.
#[derive(Copy, Clone, Debug)]
pub struct Distance;

// Weights fitted on the star of side 3 to 1000 games of two plies of search by hand-set weights
// (half won with 3 rows, the turn half a row, the others 0). Against those weights they scored
// +0.893 ± 0.035 (95 %, from -1 to 1) in 600 games from other openings: cargo run --release -p
// proofplay-games --example fit -- chinese-checkers 1000 300

/// How much more a row of the piece furthest behind counts, in rows of any piece.
const LAST: f32 = 1.6;
/// A cell of any piece off the middle, in rows lost: chains and the arm are in the middle.
const OFF: f32 = 2.9;
/// The turn to move in rows.
const TURN: f32 = 0.7;
/// Rows ahead that are worth a value of a half, for every row of an arm.
const HALF_WON: f32 = 6.0;
/// How much likelier a playout makes a move for each row forward, and less likely for each
/// backward. Untuned.
const ROW: f32 = 2.0;

impl Distance {
    /// The progress of a player's pieces, in rows forward.
    fn done<W: StarWord>(pos: &Board<W>, player: Player) -> f32 {
        let (mut rows, mut last, mut off) = (0, i16::MAX, 0);
        for bit in pos.pieces[player.index()].cells() {
            let (row, column) = pos.star.places[pos.star.number(bit) as usize];
            let forward = if player == Player::First { row } else { 4 * pos.star.side as i16 - row };
            (rows, last, off) = (rows + forward, last.min(forward), off + column.abs());
        }
        // Columns are doubled.
        let turn = if pos.turn() == player { TURN } else { 0.0 };
        f32::from(rows) + LAST * f32::from(last) - OFF / 2.0 * f32::from(off) + turn
    }
}

impl<W: StarWord> Hints<Board<W>> for Distance {
    /// The outcome once the game is over, else p / (6 N + |p|) for p rows that First's pieces have
    /// gone further than Second's, with more for the last piece and the turn, and less for pieces
    /// off the middle.
    fn value(&self, pos: &Board<W>) -> f32 {
        if let Some(score) = pos.outcome() {
            return f32::from(score.0);
        }
        let ahead = Distance::done(pos, Player::First) - Distance::done(pos, Player::Second);
        ahead / (HALF_WON * pos.star.side as f32 + ahead.abs())
    }

    /// Twice as likely for every row forward, half as likely for every row backward: random moves
    /// alone take more than a thousand turns to arrive.
    fn weights(&self, pos: &Board<W>, moves: &[Step], out: &mut [f32]) {
        let row = |cell: u32| pos.star.places[cell as usize].0;
        for (&mv, weight) in moves.iter().zip(out) {
            if mv != PASS {
                let (from, to) = ends(mv);
                let down = row(to) - row(from);
                let forward = if pos.turn() == Player::First { down } else { -down };
                *weight = (0..forward.abs()).fold(1.0, |w, _| if forward > 0 { w * ROW } else { w / ROW });
            }
        }
    }

    /// "The inverse number of the losing player's pieces that reached the home-base" \[PTLW14\]
    /// section 6.1: 2 / (2 + k) for k pieces that have arrived, less a little to stay below 1.
    fn quality(&self, end: &Board<W>) -> f32 {
        let Some(winner) = end.outcome().and_then(|score| score.winner()) else { return 0.5 };
        let loser = (!winner).index();
        let arrived = (end.pieces[loser] & end.star.targets[loser]).count();
        2.0 / (arrived as f32 + 2.0) - 0.01
    }
}

#[cfg(test)]
mod tests {
    use super::{HALF_WON, LAST, OFF, TURN};
    use crate::chinese_checkers::{ChineseCheckers, Setup};
    use proofplay_core::Game;

    fn game() -> ChineseCheckers<u64> {
        ChineseCheckers::new(Setup { side: 2 })
    }

    #[test]
    fn by_hand() {
        let (game, knowledge) = (game(), game().hints());
        let of = |ahead: f32| ahead / (2.0 * HALF_WON + ahead);
        // Nothing but the turn.
        assert!((knowledge.value(&game.start()) - of(TURN)).abs() < 1e-6);
        // Player 1 is on rows 3, 7 and 8, player 2 has gone 8, 7 and 2 rows. Off the middle are 1/2 +
        // 1/2 of player 1, 1/2 + 1 of player 2. Player 1 is to move.
        let pos = game.parse("2/2./......./..1.../...../....../....2../.1/1 1").unwrap();
        assert!((knowledge.value(&pos) - of(1.0 + LAST + 0.5 * OFF + TURN)).abs() < 1e-6);
        let won = game.parse("2/2./......./....../...../....../....2../11/1 2").unwrap();
        assert_eq!(knowledge.value(&won), 1.0);
        // Two of the loser's pieces have arrived.
        assert_eq!(knowledge.quality(&won), 2.0 / 4.0 - 0.01);
    }

    /// From row 3, up is backward for player 1.
    #[test]
    fn playouts_go_forward() {
        let game = game();
        let pos = game.parse("2/2./......./..1.../...../....../....2../.1/1 1").unwrap();
        let moves = ["12-5", "12-11", "12-17"].map(|text| game.parse_move(&pos, text).unwrap());
        let mut weights = [1.0; 3];
        game.hints().weights(&pos, &moves, &mut weights);
        assert_eq!(weights, [0.5, 1.0, 2.0]);
    }
}
