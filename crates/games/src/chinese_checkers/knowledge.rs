//! What Chinese Checkers knows beyond its rules: how far it is, and how convincing a win is.

use super::{Board, PASS, StarWord, Step, ends};
use proofplay_core::{Knowledge, Player, Position};

/// Counts rows.
#[derive(Copy, Clone, Debug)]
pub struct Distance;

/// Rows ahead that are worth a value of a half, for every row of an arm. Untuned.
const HALF_WON: f32 = 3.0;
/// How much likelier a playout makes a move for each row forward, and less likely for each backward. Untuned.
const ROW: f32 = 2.0;

impl Distance {
    /// The rows that a player's pieces have gone forward, all together.
    fn rows<W: StarWord>(pos: &Board<W>, player: Player) -> i32 {
        let row = |bit| i32::from(pos.star.places[pos.star.number(bit) as usize].0);
        let rows: i32 = pos.pieces[player.index()].cells().map(row).sum();
        match player {
            Player::First => rows,
            Player::Second => 4 * (pos.star.side * pos.pieces[1].count()) as i32 - rows,
        }
    }
}

impl<W: StarWord> Knowledge<Board<W>> for Distance {
    /// The outcome once the game is over, else p / (3 N + |p|) for p rows that First's pieces have gone further than
    /// Second's, half a step each for the turn to move.
    fn value(&self, pos: &Board<W>) -> f32 {
        if let Some(score) = pos.outcome() {
            return f32::from(score.0);
        }
        let turn = if pos.turn() == Player::First { 0.5 } else { -0.5 };
        let ahead = (Distance::rows(pos, Player::First) - Distance::rows(pos, Player::Second)) as f32 + turn;
        ahead / (HALF_WON * pos.star.side as f32 + ahead.abs())
    }

    fn priors(&self, pos: &Board<W>, moves: &[Step], out: &mut [f32]) {
        self.weights(pos, moves, out);
    }

    /// Twice as likely for every row forward, half as likely for every row backward: random moves alone take more than a
    /// thousand turns to arrive.
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

    /// "The inverse number of the losing player's pieces that reached the home-base" \[PTLW14\] section 6.1: 2 / (2 + k) for
    /// k pieces that have arrived, less a little to stay below 1.
    fn quality(&self, end: &Board<W>) -> f32 {
        let Some(winner) = end.outcome().and_then(|score| score.winner()) else { return 0.5 };
        let loser = (!winner).index();
        let arrived = (end.pieces[loser] & end.star.targets[loser]).count();
        2.0 / (arrived as f32 + 2.0) - 0.01
    }
}

#[cfg(test)]
mod tests {
    use crate::chinese_checkers::{ChineseCheckers, Setup};
    use proofplay_core::Game;

    fn game() -> ChineseCheckers<u64> {
        ChineseCheckers::new(Setup { side: 2 })
    }

    #[test]
    fn by_hand() {
        let (game, knowledge) = (game(), game().knowledge());
        // Half a row for the move, of six rows for a half.
        assert!((knowledge.value(&game.start()) - 0.5 / 6.5).abs() < 1e-6);
        // Player 1 is on rows 3, 7 and 8, player 2 has gone 8, 7 and 2 rows: one ahead, and to move.
        let pos = game.parse("2/2./......./..1.../...../....../....2../.1/1 1").unwrap();
        assert!((knowledge.value(&pos) - 1.5 / 7.5).abs() < 1e-6);
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
        game.knowledge().weights(&pos, &moves, &mut weights);
        assert_eq!(weights, [0.5, 1.0, 2.0]);
    }
}
