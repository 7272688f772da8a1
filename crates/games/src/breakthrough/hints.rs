//! Hints for Breakthrough: pawns and how far they have advanced.

use super::{Board, Step};
use crate::board::Word;
use proofplay_core::{Hints, Player, Position};

/// The hints of Breakthrough.
#[derive(Copy, Clone, Debug)]
pub struct Advance {
    /// The pawns of each player at the start.
    pub pawns: u32,
}

/// What a pawn is worth on the row before the far one, more than the 1 of a pawn at home. Untuned.
const RUNNER: f32 = 3.0;
/// A lead that is worth half a win. Untuned.
const HALF: f32 = 6.0;
/// How much likelier than a step at home a capture is, before the row counts. Untuned.
const CAPTURE: f32 = 4.0;
/// How much likelier than a step at home one to the far row is: a playout should not miss it.
/// Untuned.
const WIN: f32 = 1000.0;

impl Advance {
    /// How far a cell is on the way of a player: 0 at home, 1 on the far row.
    fn way<W: Word>(pos: &Board<W>, player: Player, cell: u32) -> f32 {
        let (row, last) = (cell / pos.grid.cols, pos.grid.rows - 1);
        let row = if player == Player::First { row } else { last - row };
        row as f32 / last as f32
    }

    /// What the pawns of a player are worth: material, and advancement that counts with the square
    /// of the way.
    fn worth<W: Word>(pos: &Board<W>, player: Player) -> f32 {
        let pawns = pos.pawns[player.index()].cells();
        pawns.map(|cell| 1.0 + RUNNER * Advance::way(pos, player, cell).powi(2)).sum()
    }

    /// A step to the far row, else a capture, the more the further on; else a step, twice as likely
    /// near the far row.
    fn rate<W: Word>(pos: &Board<W>, mv: Step) -> f32 {
        let [_, to] = pos.ends(mv);
        let way = Advance::way(pos, pos.mover, to);
        match (way >= 1.0, pos.other().has(to)) {
            (true, _) => WIN,
            // Near the own home row the enemy pawn is about to run through.
            (false, true) => CAPTURE * (1.0 + (2.0 * way - 1.0).abs()),
            (false, false) => 1.0 + way,
        }
    }
}

impl<W: Word> Hints<Board<W>> for Advance {
    /// Pawns and their advancement, as evaluations of Breakthrough have them since Lorentz & Horey,
    /// "Programming Breakthrough", CG 2013; the numbers are ours. A pawn of the mover before the
    /// far row wins with the next step: it can step sideways onto an empty cell or an enemy.
    fn value(&self, pos: &Board<W>) -> f32 {
        if let Some(score) = pos.outcome() {
            return f32::from(score.0);
        }
        let before = match pos.mover {
            Player::First => pos.grid.down(pos.grid.top()),
            Player::Second => pos.grid.up(pos.grid.bottom()),
        };
        if !(pos.own() & before).is_empty() {
            return if pos.mover == Player::First { 1.0 } else { -1.0 };
        }
        let lead = Advance::worth(pos, Player::First) - Advance::worth(pos, Player::Second);
        lead / (lead.abs() + HALF)
    }

    fn weights(&self, pos: &Board<W>, moves: &[Step], out: &mut [f32]) {
        for (&mv, weight) in moves.iter().zip(out) {
            *weight = Advance::rate(pos, mv);
        }
    }

    /// The piece difference between winner and loser (Pepels et al. \[PTLW14\], section 6.1): from
    /// all pawns lost but one to none lost and all taken.
    fn quality(&self, end: &Board<W>) -> f32 {
        let difference = end.other().count() as f32 - end.own().count() as f32;
        let most = self.pawns as f32;
        (difference + most + 1.0) / (2.0 * most + 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Breakthrough, Setup};
    use super::*;
    use proofplay_core::Game;

    fn game() -> Breakthrough<u64> {
        Breakthrough::new(Setup { cols: 3, rows: 4, full: 1 })
    }

    /// By hand, three pawns a side: W runs through with two pawns against one, or loses all but one
    /// first.
    #[test]
    fn quality_is_the_piece_difference() {
        let quality = |text| game().hints().quality(&game().parse(text).unwrap());
        assert_eq!(quality("w../.../..b/.w. b"), (1.0 + 4.0) / 8.0);
        assert_eq!(quality("w../b.b/b../... b"), (-2.0 + 4.0) / 8.0);
        assert_eq!(quality(".../.w./.../w.w b"), (3.0 + 4.0) / 8.0);
        // B wins with three pawns against one.
        assert_eq!(quality("b.b/.../w../.b. w"), (2.0 + 4.0) / 8.0);
    }

    /// By hand: the start is even; W a third of the way with one pawn, 3 (1/3)^2 = 1/3, lead 1/3:
    /// 1/19; a pawn before the far row wins for the mover and only for the mover.
    #[test]
    fn worked_values() {
        let value = |text| game().hints().value(&game().parse(text).unwrap());
        assert_eq!(value("bbb/.../.../www w"), 0.0);
        assert!((value("bbb/.../w../.ww b") - 1.0 / 19.0).abs() < 1e-6);
        assert_eq!(value("b../.w./.../w.. w"), 1.0);
        assert!((0.0..1.0).contains(&value("b../.w./.../w.. b")));
        assert_eq!(value("b../.../.b./w.. b"), -1.0);
        assert_eq!(value("w../.../..b/.w. b"), 1.0);
    }

    #[test]
    fn weights_prefer_wins_then_captures() {
        let (game, mut moves) = (game(), Vec::new());
        let pos = game.parse("..b/w../.b./w.. w").unwrap();
        pos.moves(&mut moves);
        let mut weights = vec![1.0; moves.len()];
        game.hints().weights(&pos, &moves, &mut weights);
        let weight = |text: &str| {
            let mv = game.parse_move(&pos, text).unwrap();
            weights[moves.iter().position(|&other| other == mv).unwrap()]
        };
        assert_eq!(weight("a3-b4"), WIN);
        assert!(weight("a1xb2") > weight("a1-a2"));
    }
}
