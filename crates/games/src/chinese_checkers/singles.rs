//! Steps and single hops, counted and drawn without trying.
//!
//! Each cell has a pattern that says what is around it. Two cells change with a move, and with them the patterns of the
//! cells up to two steps away; then the pattern of each piece says in which directions it can go.

use super::star::{DIRECTIONS, Star, StarWord, offset};
use crate::board::Word;

/// By direction `d`, bit `d` of byte [`NEXT`]: the neighbour is empty; of byte [`BEHIND`]: the cell behind it is empty. The
/// other bytes keep these apart: a processor that reads a byte soon after two were written at once has to wait.
type Pattern = [u8; 4];

const NEXT: usize = 0;
const BEHIND: usize = 2;

/// Two steps beyond the ends of the star still have patterns.
const MARGIN: usize = 32;
const AROUND: usize = 2 * MARGIN + 1;
/// No cell of any star: where pieces are that do not exist.
const NOWHERE: u8 = 255;

/// What does not change.
pub(super) struct Singles {
    /// Those of the empty star.
    patterns: Patterns,
    /// By player and bit: the directions in which a piece there may step and hop.
    may: [[[u8; 2]; 256]; 2],
    /// From a cell to its neighbours.
    offsets: [i32; 8],
}

/// More than the pieces of a player.
pub(super) const MOST: usize = 16;

/// The pieces of a player, in no order: where each is, and the directions in which it may step and hop from there.
pub(super) struct Pieces {
    pub bits: [u8; MOST],
    steps: [u8; MOST],
    hops: [u8; MOST],
}

/// The patterns by bit, [`MARGIN`] later.
#[derive(Clone)]
pub(super) struct Patterns([Pattern; 512]);

impl Singles {
    pub const fn none() -> Singles {
        Singles { patterns: Patterns([[0; 4]; 512]), may: [[[0; 2]; 256]; 2], offsets: [0; 8] }
    }

    pub fn new<W: StarWord>(star: &Star<W>) -> Singles {
        let mut singles = Singles::none();
        DIRECTIONS.iter().for_each(|&d| singles.offsets[d] = offset::<W>(d));
        for bit in star.board.cells() {
            for d in DIRECTIONS {
                let goals = [1, 2].map(|n| bit.wrapping_add_signed(n * offset::<W>(d)));
                let on = |set: W, goal: u32| goal < W::BITS && set.has(goal);
                let exist = goals.map(|goal| u8::from(on(star.board, goal)) << d);
                let pattern = &mut singles.patterns.0[bit as usize + MARGIN];
                pattern[NEXT] |= exist[0];
                pattern[BEHIND] |= exist[1];
                for (target, may) in star.targets.into_iter().zip(&mut singles.may) {
                    let stays = goals.map(|goal| !target.has(bit) || on(target, goal));
                    let [step, hop] = &mut may[bit as usize];
                    *step |= if stays[0] { exist[0] } else { 0 };
                    *hop |= if stays[1] { exist[0] & exist[1] } else { 0 };
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

    /// The pieces of a player.
    pub fn pieces<W: StarWord>(&self, player: usize, set: W) -> Pieces {
        let mut pieces = Pieces { bits: [NOWHERE; MOST], steps: [0; MOST], hops: [0; MOST] };
        (0..MOST).zip(set.cells()).for_each(|(i, bit)| self.put(&mut pieces, player, i, bit));
        pieces
    }

    /// Puts piece `i` on a cell.
    #[inline]
    pub fn put(&self, pieces: &mut Pieces, player: usize, i: usize, bit: u32) {
        let [step, hop] = self.may[player & 1][bit as usize & 255];
        pieces.bits[i % MOST] = bit as u8;
        pieces.steps[i % MOST] = step;
        pieces.hops[i % MOST] = hop;
    }

    /// The steps and single hops of some pieces: bit `8 * i + d` if piece `i` can go in direction `d`. And which of
    /// them are steps.
    #[inline]
    pub fn moves<W: StarWord>(&self, patterns: &Patterns, pieces: &Pieces) -> (W::Singles, W::Singles) {
        let none = W::Singles::EMPTY;
        let bits = pieces.bits.iter().take(W::PIECES);
        let (next, behind) = bits.zip(0..).fold((none, none), |(next, behind), (&bit, i)| {
            let pattern = &patterns.0[usize::from(bit) + MARGIN];
            let [here, there] = [NEXT, BEHIND].map(|byte| W::Singles::from(pattern[byte]) << (8 * i));
            (next | here, behind | there)
        });
        (next & W::singles(&pieces.steps) | !next & behind & W::singles(&pieces.hops), next)
    }

    /// Where a piece gets by such a move.
    #[inline]
    pub fn goal(&self, from: u8, d: u32, steps: bool) -> u32 {
        u32::from(from).wrapping_add_signed(self.offsets[d as usize & 7] << u32::from(!steps))
    }
}

impl Patterns {
    /// A cell becomes taken, or empty.
    #[inline]
    pub fn flip<W: StarWord>(&mut self, bit: u32) {
        let around = &mut self.0[bit as usize & 255..][..AROUND];
        for d in DIRECTIONS {
            let by = offset::<W>(d) as isize;
            around[MARGIN.wrapping_add_signed(-by)][NEXT] ^= 1 << d;
            around[MARGIN.wrapping_add_signed(-2 * by)][BEHIND] ^= 1 << d;
        }
    }
}
