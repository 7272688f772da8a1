//! Random games of Chinese Checkers, each legal move equally likely.
//!
//! All moves are counted, then one is drawn: steps and single hops by `singles.rs`, and by `classes.rs` the further goals of
//! chains, which there are in a third of all positions.

use super::classes::{Goals, Hops, may_chain_within};
use super::singles::{NOWHERE, Patterns};
use super::star::Star;
use super::{Board, PASS, StarWord, Step, step};
use crate::board::{Seen, Word};
use proofplay_core::{Player, Rng, Score};

/// More than the pieces of a player.
const MOST: usize = 16;

/// The position of a playout in pieces that are cheap to look at and to change.
struct Tables<W: StarWord> {
    patterns: Patterns,
    hops: Hops<W>,
    goals: Goals<W>,
    /// The bits of each player's pieces, in no order.
    pieces: [[u8; MOST]; 2],
    /// By bit: 1 in the target arm of First, 2 in that of Second.
    arms: [u8; 256],
    /// Pieces of a player.
    all: u32,
    /// Occupied cells of each player's target arm, and those of them with own pieces.
    filled: [u8; 2],
    arrived: [u8; 2],
}

impl<W: StarWord> Tables<W> {
    fn new(pos: &Board<W>) -> Self {
        let star = &*pos.star;
        let occupied = pos.occupied();
        let count = |set: W| set.count() as u8;
        let mut tables = Tables {
            patterns: star.singles.patterns(occupied),
            hops: star.classes.hops(pos.pieces),
            goals: Goals::none(),
            pieces: [[NOWHERE; MOST]; 2],
            arms: [0; 256],
            all: pos.pieces[0].count(),
            filled: star.targets.map(|target| count(target & occupied)),
            arrived: [0, 1].map(|player| count(star.targets[player] & pos.pieces[player])),
        };
        for (player, target) in star.targets.into_iter().enumerate() {
            target.cells().for_each(|bit| tables.arms[bit as usize] |= 1 << player);
        }
        for (list, pieces) in tables.pieces.iter_mut().zip(pos.pieces) {
            list.iter_mut().zip(pieces.cells()).for_each(|(place, bit)| *place = bit as u8);
        }
        tables
    }

    /// A uniformly random move as bits, unless there is none.
    #[inline]
    fn draw(&mut self, star: &Star<W>, mover: usize, rng: &mut Rng) -> Option<(u32, u32)> {
        let pieces = &self.pieces[mover];
        let singles = star.singles.moves::<W>(&self.patterns, mover, pieces);
        let filled = u32::from(self.filled[mover]);
        let within = self.arrived[mover] > 0 && may_chain_within(filled, self.all - filled);
        let chains = self.hops.chains(&star.classes, mover, within, &mut self.goals);
        let count = singles.count();
        if count + chains == 0 {
            return None;
        }
        let choice = rng.below(count + chains);
        if choice >= count {
            return Some(self.goals.nth(&star.classes, choice - count));
        }
        let single = singles.nth(choice);
        let from = pieces[single as usize / 8 % MOST];
        Some((u32::from(from), star.singles.goal(&self.patterns, from, single % 8)))
    }

    /// Moves a piece and says whether it has entered its target arm.
    #[inline]
    fn play(&mut self, star: &Star<W>, mover: usize, from: u32, to: u32) -> bool {
        for bit in &mut self.pieces[mover] {
            *bit = if u32::from(*bit) == from { to as u8 } else { *bit };
        }
        self.patterns.flip::<W>(from);
        self.patterns.flip::<W>(to);
        self.hops.play(&star.classes, mover, from, to);
        let (left, entered) = (self.arms[from as usize & 255], self.arms[to as usize & 255]);
        for player in [0, 1] {
            self.filled[player] += (entered >> player) & 1;
            self.filled[player] -= (left >> player) & 1;
        }
        let enters = (entered & !left) >> mover & 1;
        self.arrived[mover] += enters;
        enters != 0
    }

    /// Whether a player who has just moved has won.
    #[inline]
    fn has_won(&self, player: Player) -> bool {
        u32::from(self.filled[player.index()]) == self.all && self.arrived[player.index()] > 0
    }

    /// Puts the pieces of a position where they are here.
    fn write(&self, pos: &mut Board<W>) {
        for (pieces, list) in pos.pieces.iter_mut().zip(&self.pieces) {
            let bits = list.iter().take(self.all as usize);
            *pieces = bits.fold(W::EMPTY, |set, &bit| set | W::bit(u32::from(bit)));
        }
    }
}

/// Plays uniformly random legal moves to the end of the game.
#[inline]
pub(super) fn playout<W: StarWord>(
    pos: &mut Board<W>,
    rng: &mut Rng,
    trace: &mut impl FnMut(Player, Step),
) -> Score {
    let (mut tables, mut seen) = (Tables::new(pos), Seen::new(&pos.history, pos.mover));
    let star = pos.star.get();
    while pos.end.is_none() {
        let mover = pos.mover;
        let (mut from, mut to, mut enters) = (0, 0, false);
        match tables.draw(star, mover.index(), rng) {
            Some((leaves, reaches)) => {
                enters = tables.play(star, mover.index(), leaves, reaches);
                (from, to) = (star.number(leaves), star.number(reaches));
                trace(mover, step(from, to));
            }
            None => trace(mover, PASS),
        }
        if enters {
            pos.history.clear();
        } else {
            pos.history.push(from as u8, to as u8);
            if seen.may_be_third(mover, from as u8, to as u8) && pos.history.recurrences::<u128>() >= 2 {
                pos.end = Some(Score::DRAW);
            }
        }
        if tables.has_won(mover) {
            pos.end = Some(Score::win_of(mover));
        }
        pos.mover = !mover;
    }
    tables.write(pos);
    pos.end.expect("the game is over")
}
