//! Steps and single hops, counted and drawn without trying.
//!
//! Each cell has a pattern that says what is around it. Two cells change with a move, and with them the patterns of the
//! cells up to two steps away; then the pattern of each piece says in which directions it can go.

use super::star::{DIRECTIONS, Star, StarWord, offset};
use crate::board::Word;

/// By direction `d`: bit `d` for an empty neighbour, `d + 8` for a taken one, `d + 16` for an empty cell behind it.
type Pattern = u32;

const TAKEN: u32 = 8;
const BEHIND: u32 = 16;

/// Two steps beyond the ends of the star still have patterns.
const MARGIN: usize = 32;
const AROUND: usize = 2 * MARGIN + 1;
/// No cell of any star: where pieces are that do not exist.
pub(super) const NOWHERE: u8 = 255;

/// What does not change.
pub(super) struct Singles {
    /// Those of the empty star.
    patterns: Patterns,
    /// By player and bit: the directions in which a piece there may step, and [`TAKEN`] later those to hop in.
    may: [[u16; 256]; 2],
    /// From a cell to its neighbours.
    offsets: [i32; 8],
}

/// The patterns by bit, [`MARGIN`] later.
#[derive(Clone)]
pub(super) struct Patterns([Pattern; 512]);

impl Singles {
    pub const fn none() -> Singles {
        Singles { patterns: Patterns([0; 512]), may: [[0; 256]; 2], offsets: [0; 8] }
    }

    pub fn new<W: StarWord>(star: &Star<W>) -> Singles {
        let mut singles = Singles::none();
        DIRECTIONS.iter().for_each(|&d| singles.offsets[d] = offset::<W>(d));
        for bit in star.board.cells() {
            for d in DIRECTIONS {
                let goals = [1, 2].map(|n| bit.wrapping_add_signed(n * offset::<W>(d)));
                let on = |set: W, goal: u32| goal < W::BITS && set.has(goal);
                let pattern = &mut singles.patterns.0[bit as usize + MARGIN];
                *pattern |= u32::from(on(star.board, goals[0])) << d;
                *pattern |= u32::from(on(star.board, goals[1])) << (d as u32 + BEHIND);
                for (target, may) in star.targets.into_iter().zip(&mut singles.may) {
                    let stays = goals.map(|goal| u16::from(!target.has(bit) || on(target, goal)));
                    may[bit as usize] |= stays[0] << d | stays[1] << (d as u32 + TAKEN);
                }
            }
        }
        singles
    }

    /// The patterns with these cells taken.
    pub fn patterns<W: StarWord>(&self, occupied: W) -> Patterns {
        let mut patterns = self.patterns.clone();
        occupied.cells().for_each(|bit| patterns.flip::<W>(bit));
        patterns
    }

    /// The steps and single hops of a player's pieces: bit `8 * i + d` if piece `i` can go in direction `d`.
    #[inline]
    pub fn moves<W: StarWord>(&self, patterns: &Patterns, player: usize, pieces: &[u8]) -> W::Singles {
        let may = &self.may[player & 1];
        pieces.iter().take(W::PIECES).zip(0..).fold(W::Singles::EMPTY, |moves, (&bit, i)| {
            let pattern = patterns.0[usize::from(bit) + MARGIN];
            let hops = pattern & pattern >> (BEHIND - TAKEN) & 0x3f << TAKEN;
            let can = (pattern & 0x3f | hops) & u32::from(may[usize::from(bit)]);
            moves | W::Singles::from((can | can >> TAKEN) as u8) << (8 * i)
        })
    }

    /// Where a piece gets by such a move.
    #[inline]
    pub fn goal(&self, patterns: &Patterns, from: u8, d: u32) -> u32 {
        let hops = patterns.0[usize::from(from) + MARGIN] >> TAKEN >> d & 1;
        u32::from(from).wrapping_add_signed(self.offsets[d as usize & 7] << hops)
    }
}

impl Patterns {
    /// A cell becomes taken, or empty.
    #[inline]
    pub fn flip<W: StarWord>(&mut self, bit: u32) {
        let around = &mut self.0[bit as usize & 255..][..AROUND];
        for d in DIRECTIONS {
            let by = offset::<W>(d) as isize;
            around[MARGIN.wrapping_add_signed(-by)] ^= (1 | 1 << TAKEN) << d;
            around[MARGIN.wrapping_add_signed(-2 * by)] ^= 1 << BEHIND << d;
        }
    }
}
