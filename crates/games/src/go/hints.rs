//! Hints for Go: who is nearer to which cells, and the kinds of moves.

use super::{Board, PASS, Stone, playout};
use crate::board::{Adjacent, Word};
use proofplay_core::{Hints, Player, Position, Rng, Score};

/// Playouts in which no player fills their own eye.
const EYES: &str = "eyes";

/// The hints of Go.
#[derive(Copy, Clone, Debug)]
pub struct Influence;

/// How often strong players choose a move of a kind, against a move of no kind: the strengths that
/// Coulom learnt from games \[Cou07\], rounded. Contact and eyes are ours and untuned.
mod strength {
    /// Takes a group that had an own group in atari.
    pub const RESCUE: f32 = 30.0;
    /// Takes any other group.
    pub const CAPTURE: f32 = 3.4;
    /// Gives an own group in atari a second liberty.
    pub const EXTENSION: f32 = 11.0;
    /// Leaves an enemy group one liberty.
    pub const ATARI: f32 = 1.7;
    /// Leaves the own group one liberty.
    pub const SELF_ATARI: f32 = 0.06;
    /// Touches stones of both players, where cuts and turns are: what the patterns of MoGo look for
    /// \[GWMT06\].
    pub const CONTACT: f32 = 2.0;
    /// Fills an own eye, or passes while there are other moves.
    pub const NEVER: f32 = 0.001;
}

impl Influence {
    /// The cells that each player is nearer to, counted in steps over empty cells. A group in atari
    /// whose enemy is to move is the enemy's.
    fn areas<W: Word>(pos: &Board<W>) -> [W; 2] {
        let (grid, empty, mover) = (&*pos.rules.grid, pos.empty(), pos.mover.index());
        let (safe, _) = grid.groups(pos.other(), empty);
        let mut areas = pos.stones;
        areas[mover] = areas[mover] | (pos.other() & !safe);
        areas[1 - mover] = safe;
        let mut free = empty;
        loop {
            let [first, second] = areas.map(|area| grid.neighbours(area) & free);
            if (first | second).is_empty() {
                return areas;
            }
            areas = [areas[0] | (first & !second), areas[1] | (second & !first)];
            free = free & !(first | second);
        }
    }

    /// How strong a move to a cell is.
    fn strength<W: Word>(pos: &Board<W>, cell: u32) -> f32 {
        let (grid, stone, empty) = (&*pos.rules.grid, W::bit(cell), pos.empty());
        let (own, other, near) = (pos.own(), pos.other(), grid.neighbours(stone));
        if (near & !own).is_empty() {
            return strength::NEVER;
        }
        let captured = grid.captured(stone, other, empty & !stone);
        let group = grid.flood(stone, own | stone);
        let liberties = grid.neighbours(group) & ((empty & !stone) | captured);
        let cramped = liberties.is_empty() || liberties.without_lowest().is_empty();
        // Own groups in atari: those beside the captured stones are saved by the capture, those
        // joined by the extension.
        let in_atari = |groups: W| groups & !grid.groups(own, empty).0;
        if !captured.is_empty() {
            let saves = !in_atari(own & grid.neighbours(captured)).is_empty();
            return if saves { strength::RESCUE } else { strength::CAPTURE };
        }
        if cramped {
            return strength::SELF_ATARI;
        }
        let mut strength = 1.0;
        if !in_atari(near & own).is_empty() {
            strength *= strength::EXTENSION;
        }
        let (safe, _) = grid.groups(other, empty & !stone);
        if !(near & other & !safe).is_empty() {
            strength *= strength::ATARI;
        }
        let around = grid.around(stone);
        if !(around & own).is_empty() && !(around & other).is_empty() {
            strength *= strength::CONTACT;
        }
        strength
    }
}

impl<W: Word> Hints<Board<W>> for Influence {
    /// The score, as a fraction of the board, if each player got the cells nearest to their stones.
    /// For a finished game the true score; for a race that of the race.
    fn value(&self, pos: &Board<W>) -> f32 {
        let (over, race) = (pos.outcome(), pos.rules.targets.is_some());
        let halves = match over {
            Some(score) if race => return f32::from(score.0),
            Some(_) => pos.halves(),
            None if race => return 0.0,
            None => {
                let [first, second] = Influence::areas(pos).map(|area| area.count() as i16);
                2 * (first - second) - pos.rules.komi
            }
        };
        let cells = pos.rules.grid.cols * pos.rules.grid.rows;
        (f32::from(halves) / (2 * cells) as f32).clamp(-1.0, 1.0)
    }

    fn weights(&self, pos: &Board<W>, moves: &[Stone], out: &mut [f32]) {
        for (&mv, weight) in moves.iter().zip(out) {
            *weight = if mv == PASS { strength::NEVER } else { Influence::strength(pos, mv.into()) };
        }
    }

    fn policies(&self) -> &'static [&'static str] {
        &[EYES]
    }

    fn usual_policy(&self) -> Option<&'static str> {
        Some(EYES)
    }

    /// `eyes`: no player fills an own eye, commits suicide, or passes while there is another move;
    /// all other legal moves are equally likely. In a race all legal moves and the pass are.
    fn playout(
        &self,
        _: &'static str,
        pos: &mut Board<W>,
        rng: &mut Rng,
        buf: &mut Vec<Stone>,
        trace: Option<&mut dyn FnMut(Player, Stone)>,
    ) -> Score {
        match trace {
            _ if pos.rules.targets.is_some() => match trace {
                Some(trace) => pos.playout(rng, buf, &mut |player, mv| trace(player, mv)),
                None => pos.playout(rng, buf, &mut |_, _| ()),
            },
            Some(trace) => playout::playout(pos, rng, &mut |player, mv| trace(player, mv)),
            None => playout::playout(pos, rng, &mut |_, _| ()),
        }
    }

    /// By how much the winner has won, as a fraction of the board, inside (0, 1). A race is only
    /// won or lost.
    fn quality(&self, end: &Board<W>) -> f32 {
        if end.rules.targets.is_some() {
            return 0.5;
        }
        let cells = end.rules.grid.cols * end.rules.grid.rows;
        let part = f32::from(end.halves().abs()) / (2 * cells) as f32;
        0.01 + 0.98 * part.min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Go, Setup};
    use super::*;
    use proofplay_core::Game;

    fn game(parameters: &str) -> Go<u64> {
        Go::new(Setup::parse(parameters).unwrap())
    }

    /// On 6x1: B b1, W d1: a1 is B's, e1 and f1 are W's, c1 is nobody's. W in atari on 3x3 with B
    /// to move is B's.
    #[test]
    fn worked_values() {
        let value = |parameters: &str, text: &str| {
            let game = game(parameters);
            game.hints().value(&game.parse(text).unwrap())
        };
        assert_eq!(value("3x3", ".../.../... b"), 0.0);
        assert_eq!(value("6x1", ".b.w.. w"), -1.0 / 6.0);
        assert_eq!(value("6x1,komi=-2", ".b.w.. w"), 1.0 / 6.0);
        assert_eq!(value("3x3", "wb./.b./... b"), 1.0);
        assert_eq!(value("3x3", ".b./b../... w 2"), 1.0);
    }

    /// By hand on 5x5.
    #[test]
    fn kinds_of_moves() {
        let strength = |text: &str, mv: &str| {
            let game = game("5x5");
            let pos = game.parse(text).unwrap();
            Influence::strength(&pos, game.parse_move(&pos, mv).unwrap().into())
        };
        assert_eq!(strength(".wb../.b.../...../...../..... b", "a5"), strength::CAPTURE);
        // W b5 stands between a5 and c5; B's a5 is in atari, and taking b5 from b4 saves it.
        assert_eq!(strength("bwb../...../...../...../..... b", "b4"), strength::RESCUE);
        // B a5 in atari runs to b5.
        assert_eq!(
            strength("b..../w..../...../...../..... b", "b5"),
            strength::EXTENSION * strength::CONTACT
        );
        assert_eq!(strength(".w.../...../...../...../..... b", "a5"), strength::SELF_ATARI);
        // W c3 has three liberties, two of them taken: the third stone is atari.
        assert_eq!(strength("...../..b../.bw../...../..... b", "d3"), strength::ATARI * strength::CONTACT);
        assert_eq!(strength(".b.../b..../...../...../..... b", "a5"), strength::NEVER);
        assert_eq!(strength("...../...../...../...../..... b", "c3"), 1.0);
    }
}
