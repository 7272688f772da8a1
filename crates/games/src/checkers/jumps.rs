//! Moves as numbers, the ways to jump, and what a move does.

use super::Board;
use super::squares::DIRECTIONS;
use crate::board::Word;
use proofplay_core::Player;

/// A move: the square it starts from (6 bits), its first direction (2 bits), and for every further
/// jump its turn: straight on, right or left, as digits of a number to base 3, the first turn
/// lowest (24 bits). Where it ends follows from the rules: a jump continues as long as it can.
///
/// Nothing longer is possible: a jumping piece only ever crosses the squares that are an odd number
/// of rows away from its own and not on the rim, each once; at most 16 on 10x10, and 3^15 < 2^24.
/// Turning back would cross a square twice.
pub type Way = u32;

/// What a move does to the board.
pub(super) struct Effect {
    pub from: u64,
    pub to: u64,
    pub captured: u64,
    pub crowned: bool,
}

/// The turns of a jump by their digit: straight on, right, left.
const TURNS: [usize; 3] = [0, 1, 3];

/// A jump on its way.
#[derive(Copy, Clone)]
struct Landed {
    at: u64,
    /// The direction of the last jump.
    d: usize,
    king: bool,
    way: Way,
    /// What the next turn's digit is worth.
    unit: u32,
}

impl Board {
    /// Where the piece on `at` can jump to in direction `d`, and over which enemy; `at` itself may
    /// be anywhere on its way.
    #[inline]
    fn jump(&self, at: u64, d: usize, enemy: u64, empty: u64) -> Option<(u64, u64)> {
        let over = self.squares.step(at, d) & enemy;
        let land = self.squares.step(over, d) & empty;
        (land != 0).then_some((over, land))
    }

    /// Whether a piece may go in direction `d`.
    #[inline]
    fn may_go(&self, king: bool, d: usize) -> bool {
        king || (d == 0 || d == 3) == (self.mover == Player::First)
    }

    /// Whether a piece that has landed on `at` must jump on.
    #[inline]
    fn goes_on(&self, at: u64, king: bool, enemy: u64, empty: u64) -> bool {
        if !king && at & self.squares.crowning[self.mover.index()] != 0 {
            return false;
        }
        DIRECTIONS.into_iter().any(|d| self.may_go(king, d) && self.jump(at, d, enemy, empty).is_some())
    }

    /// Appends all ways to jump.
    pub(super) fn list_jumps(&self, jumpers: [u64; 4], out: &mut Vec<Way>) {
        for square in super::any(jumpers).cells() {
            let from = 1 << square;
            let (king, enemy, empty) = (self.kings & from != 0, self.enemy(), self.empty() | from);
            for d in DIRECTIONS {
                if jumpers[d] & from != 0 {
                    let (over, land) = self.jump(from, d, enemy, empty).expect("a jumper can jump");
                    let way = square | (d as u32) << 6;
                    self.extend_jump(
                        Landed { at: land, d, king, way, unit: 1 },
                        enemy ^ over,
                        empty | over,
                        out,
                    );
                }
            }
        }
    }

    /// Appends all ways on from where a piece has landed, or the way there if it ends there.
    fn extend_jump(&self, landed: Landed, enemy: u64, empty: u64, out: &mut Vec<Way>) {
        let Landed { at, d, king, way, unit } = landed;
        let start = out.len();
        if king || at & self.squares.crowning[self.mover.index()] == 0 {
            for (digit, turn) in (0..).zip(TURNS) {
                let d = (d + turn) % 4;
                if !self.may_go(king, d) {
                    continue;
                }
                if let Some((over, at)) = self.jump(at, d, enemy, empty) {
                    let way = way + ((digit * unit) << 8);
                    let landed = Landed { at, d, king, way, unit: 3 * unit };
                    // A captured piece stays until the move is done, but no landing square is where
                    // one can be.
                    self.extend_jump(landed, enemy ^ over, empty | over, out);
                }
            }
        }
        if out.len() == start {
            out.push(way);
        }
    }

    /// What a legal move does; `land` is called with every square it lands on.
    #[inline]
    pub(super) fn effect(&self, mv: Way, mut land: impl FnMut(u64)) -> Effect {
        let from = 1 << (mv & 63);
        let (king, mut d, mut turns) = (self.kings & from != 0, (mv >> 6 & 3) as usize, mv >> 8);
        let mut enemy = self.enemy();
        let mut to = self.squares.step(from, d);
        if to & enemy != 0 {
            let mut empty = self.empty() | from;
            let mut at = from;
            loop {
                let over = self.squares.step(at, d);
                at = self.squares.step(over, d);
                (enemy, empty) = (enemy & !over, empty | over);
                land(at);
                if !self.goes_on(at, king, enemy, empty) {
                    break;
                }
                d = (d + TURNS[(turns % 3) as usize]) % 4;
                turns /= 3;
            }
            to = at;
        } else {
            land(to);
        }
        let crowned = !king && to & self.squares.crowning[self.mover.index()] != 0;
        Effect { from, to, captured: self.enemy() & !enemy, crowned }
    }
}
