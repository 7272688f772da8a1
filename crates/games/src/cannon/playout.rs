//! Random games of Cannon: the moves are counted in groups, then one is drawn, so that each is
//! equally likely.

use super::{Board, Step};
use crate::board::{Seen, Word, ends, step};
use proofplay_core::{Player, Rng, Score};

/// At least as many groups as there are: 5 captures, 8 slides, 16 shots, 3 steps and 3 retreats.
const MOST: usize = 64;

/// The moves of a position as sets of points that are left by the same number of bits.
pub(super) struct Groups {
    sets: [u128; MOST],
    by: [i8; MOST],
    counts: [u8; MOST],
    /// The first `len` count.
    len: usize,
}

impl Default for Groups {
    #[inline]
    fn default() -> Self {
        Groups { sets: [0; MOST], by: [0; MOST], counts: [0; MOST], len: 0 }
    }
}

/// After this many draws that `mate` forbids there may be no move, and the moves are listed.
const TRIES: u32 = 20;

impl Groups {
    /// Collects all moves, including those that `mate` forbids. Not inlined: it is large.
    #[inline(never)]
    pub fn collect(&mut self, pos: &Board) {
        let mut len = 0;
        let mut add = |set: u128, by: i32| {
            if set != 0 {
                self.sets[len % MOST] = set;
                self.by[len % MOST] = by as i8;
                self.counts[len % MOST] = set.count() as u8;
                len += 1;
            }
        };
        if pos.pieces.towns[pos.mover.index()] == 0 {
            add(pos.sites(), 0);
        } else {
            pos.pieces.moves(pos.mover, pos.setup.overshoot, &mut add);
        }
        self.len = len;
    }

    /// How many moves there are.
    #[inline]
    pub fn count(&self) -> u32 {
        self.counts[..self.len % MOST].iter().map(|&count| u32::from(count)).sum()
    }

    /// All moves, group by group.
    #[inline]
    pub fn into_moves(self) -> impl Iterator<Item = Step> {
        (0..self.len).flat_map(move |i| self.sets[i].cells().map(move |from| moved(from, self.by[i])))
    }

    /// Move number `n` of those collected.
    #[inline]
    fn nth(&self, mut n: u32) -> Step {
        for (i, &count) in self.counts.iter().enumerate().take(self.len) {
            if n < u32::from(count) {
                let from = self.sets[i].nth(n);
                return moved(from, self.by[i]);
            }
            n -= u32::from(count);
        }
        unreachable!("there are more moves")
    }

    /// A uniformly random move, if there is one.
    #[inline]
    pub fn draw(&mut self, pos: &Board, rng: &mut Rng, buf: &mut Vec<Step>) -> Option<Step> {
        self.collect(pos);
        let count = self.count();
        if count == 0 {
            return None;
        }
        for _ in 0..TRIES {
            let mv = self.nth(rng.below(count));
            if pos.is_allowed(mv) {
                return Some(mv);
            }
        }
        let start = buf.len();
        buf.extend(pos.each_move());
        let count = buf.len() - start;
        let mv = (count > 0).then(|| buf[start + rng.below(count as u32) as usize]);
        buf.truncate(start);
        mv
    }
}

/// The move of a group that leaves `from`.
#[inline]
fn moved(from: u32, by: i8) -> Step {
    step(from, from.wrapping_add_signed(i32::from(by)))
}

/// Plays uniformly random legal moves to the end of the game.
#[inline]
pub(super) fn playout(
    pos: &mut Board,
    rng: &mut Rng,
    buf: &mut Vec<Step>,
    trace: &mut impl FnMut(Player, Step),
) -> Score {
    let (mut groups, mut seen) = (Groups::default(), Seen::new(&pos.history, pos.mover));
    loop {
        if let Some(score) = pos.end {
            return score;
        }
        let mover = pos.mover;
        let Some(mv) = groups.draw(pos, rng, buf) else { return Score::win_of(!mover) };
        trace(mover, mv);
        let (from, to) = ends(mv);
        pos.apply(mv, || seen.may_be_third(mover, from as u8, to as u8));
    }
}
