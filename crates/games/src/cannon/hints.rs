//! Hints for Cannon: soldiers, cannons and rows, and how convincing a win is.

use super::notation::MOST;
use super::pieces::{SIZE, place};
use super::{Board, Step, ends};
use crate::board::Word;
use proofplay_core::{Bounds, Facts, Hints, Player, Position, Score};

/// Counts soldiers, cannons and rows.
#[derive(Copy, Clone, Debug)]
pub struct Soldiers;

// Weights fitted to 500 games of two plies of search by hand-set weights (a cannon 0.2, half won
// with 3, the others 0). Against those weights they scored +0.260 ± 0.093 (95 %, from -1 to 1) in
// 400 games from other openings: cargo run --release -p proofplay-games --example fit -- cannon 500
// 200

/// A cannon in soldiers.
const CANNON: f32 = 0.30;
/// A row forward of a soldier, in soldiers.
const ROW: f32 = 0.09;
/// The turn to move in soldiers.
const TURN: f32 = 0.14;
/// Soldiers ahead that are worth a value of a half.
const HALF_WON: f32 = 5.6;
/// How much likelier than other moves a playout captures a soldier. Untuned.
const CAPTURE: f32 = 5.0;
/// How much likelier than other moves a playout takes the town: it should not miss it. Untuned.
const TOWN: f32 = 1000.0;

/// A player who can take the town wins at once.
#[derive(Copy, Clone, Debug)]
pub struct Town;

impl Facts<Board> for Town {
    fn bounds(&self, pos: &Board) -> Bounds {
        if pos.pieces.can_take_town(pos.mover, pos.setup.overshoot) {
            return Bounds::exact(Score::win_of(pos.mover));
        }
        pos.range()
    }
}

impl Hints<Board> for Soldiers {
    /// The outcome once the game is over, and that of the next move if it takes the town; else p /
    /// (5.6 + |p|) for p soldiers ahead; cannons, rows forward and the turn count parts of a
    /// soldier.
    fn value(&self, pos: &Board) -> f32 {
        if let Some(score) = pos.outcome().or_else(|| Town.bounds(pos).value()) {
            return f32::from(score.0);
        }
        let worth = |player: Player| {
            let soldiers = pos.pieces.soldiers[player.index()];
            let forward = |at| match player {
                Player::First => place(at).1,
                Player::Second => SIZE - 1 - place(at).1,
            };
            let rows: u32 = soldiers.cells().map(forward).sum();
            let turn = if pos.mover == player { TURN } else { 0.0 };
            soldiers.count() as f32
                + CANNON * pos.pieces.count_cannons(player) as f32
                + ROW * rows as f32
                + turn
        };
        let ahead = worth(Player::First) - worth(Player::Second);
        ahead / (HALF_WON + ahead.abs())
    }

    /// The town, then soldiers, then all else.
    fn order(&self, pos: &Board, moves: &[Step], out: &mut [u8]) -> bool {
        let enemy = (!pos.mover).index();
        for (&mv, order) in moves.iter().zip(out) {
            let to = ends(mv).1;
            let soldiers = u8::from(pos.pieces.soldiers[enemy].has(to));
            *order = 2 * u8::from(pos.pieces.towns[enemy].has(to)) + soldiers;
        }
        true
    }

    fn weights(&self, pos: &Board, moves: &[Step], out: &mut [f32]) {
        let enemy = (!pos.mover).index();
        for (&mv, weight) in moves.iter().zip(out) {
            let to = ends(mv).1;
            if pos.pieces.soldiers[enemy].has(to) {
                *weight = CAPTURE;
            } else if pos.pieces.towns[enemy].has(to) {
                *weight = TOWN;
            }
        }
    }

    /// "The total piece difference between the winning and losing player" \[PTLW14\] section 6.1:
    /// the soldiers, from all but one lost to all taken.
    fn quality(&self, end: &Board) -> f32 {
        let Some(winner) = end.outcome().and_then(|score| score.winner()) else { return 0.5 };
        let count = |player: Player| end.pieces.soldiers[player.index()].count() as f32;
        let most = MOST as f32;
        (count(winner) - count(!winner) + most + 1.0) / (2.0 * most + 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cannon::{Cannon, Setup};
    use proofplay_core::Game;

    fn at(text: &str) -> Board {
        Cannon::new(Setup::default()).parse(text).unwrap()
    }

    #[test]
    fn by_hand() {
        let knowledge = Soldiers;
        let start = Cannon::new(Setup::default()).start();
        // Nothing but the turn.
        assert!((knowledge.value(&start) - TURN / (HALF_WON + TURN)).abs() < 1e-5);
        // Five soldiers of B with one cannon, 8 rows forward; two of W, 5 rows forward; B is to
        // move.
        let pos = at(
            ".W......../........../.w......../....w...../........../........../........../..bbb...../b.......b./.B........ b",
        );
        let ahead = 3.0 + CANNON + 3.0 * ROW + TURN;
        assert!((knowledge.value(&pos) - ahead / (HALF_WON + ahead)).abs() < 1e-6);
        // W is to move and takes the town.
        let pos = at(
            ".W......../........../.w......../........../........../........../........../..bbb...../.w......b./.B........ w",
        );
        assert_eq!(knowledge.value(&pos), -1.0);
        let won = at(
            ".b......../........../.w......../....w...../........../........../........../..bbb...../b........./.B........ w",
        );
        assert_eq!((knowledge.value(&won), knowledge.quality(&won)), (1.0, (5.0 - 2.0 + 16.0) / 32.0));
    }

    /// W has a soldier next to a soldier of B and one next to the town.
    #[test]
    fn playouts_like_captures() {
        let pos = at(
            ".W......../........../..w......./...b....../........../........../........../........../.w......../.B........ w",
        );
        let (game, mut moves) = (Cannon::new(Setup::default()), Vec::new());
        pos.moves(&mut moves);
        let mut weights = vec![1.0; moves.len()];
        Soldiers.weights(&pos, &moves, &mut weights);
        for (&mv, weight) in moves.iter().zip(weights) {
            let expected = match game.show_move(&pos, mv).as_str() {
                "c8xd7" => CAPTURE,
                "b2xb1" => TOWN,
                _ => 1.0,
            };
            assert_eq!(weight, expected, "{}", game.show_move(&pos, mv));
        }
    }
}
