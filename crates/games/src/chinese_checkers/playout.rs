//! Random games of Chinese Checkers, each legal move equally likely.
//!
//! All moves are counted, then one is drawn: steps and single hops by `singles.rs`, and by `classes.rs` the further goals of
//! chains, which there are in a third of all positions.

use super::classes::{Goals, Hops, may_chain_within};
use super::singles::{MOST, Patterns, Pieces};
use super::star::Star;
use super::{Board, PASS, StarWord, Step, step};
use crate::board::{Seen, Word};
use proofplay_core::{Player, Rng, Score};

/// The position of a playout in pieces that are cheap to look at and to change.
struct Tables<W: StarWord> {
    patterns: Patterns,
    hops: Hops<W>,
    goals: Goals<W>,
    pieces: [Pieces; 2],
    /// By bit: [`arm`] of the player whose target arm the cell is in.
    arms: [u32; 256],
    /// Pieces of a player.
    all: u32,
    /// The occupied cells of the target arms in multiples of [`arm`], and those with own pieces.
    filled: u32,
    arrived: [u32; 2],
}

/// The bits that count for a player.
const COUNT: u32 = 16;

/// One cell of a player's target arm.
#[inline]
fn arm(player: usize) -> u32 {
    1 << (COUNT * player as u32)
}

impl<W: StarWord> Tables<W> {
    fn new(pos: &Board<W>) -> Self {
        let star = &*pos.star;
        let occupied = pos.occupied();
        let mut tables = Tables {
            patterns: star.singles.patterns(occupied),
            hops: star.classes.hops(pos.pieces),
            goals: Goals::none(),
            pieces: [0, 1].map(|player| star.singles.pieces(player, pos.pieces[player])),
            arms: [0; 256],
            all: pos.pieces[0].count(),
            filled: 0,
            arrived: [0, 1].map(|player| (star.targets[player] & pos.pieces[player]).count()),
        };
        for (player, target) in star.targets.into_iter().enumerate() {
            target.cells().for_each(|bit| tables.arms[bit as usize] = arm(player));
            tables.filled += arm(player) * (target & occupied).count();
        }
        tables
    }

    /// How many cells of a player's target arm are occupied.
    #[inline]
    fn filled(&self, player: usize) -> u32 {
        self.filled >> (COUNT * player as u32) & ((1 << COUNT) - 1)
    }

    /// A uniformly random move, unless there is none: which piece, and the bit it goes to.
    #[inline]
    fn draw(&mut self, star: &Star<W>, mover: usize, rng: &mut Rng) -> Option<(usize, u32)> {
        let pieces = &self.pieces[mover];
        let (singles, steps) = star.singles.moves::<W>(&self.patterns, pieces);
        let filled = self.filled(mover);
        let within = self.arrived[mover] > 0 && may_chain_within(filled, self.all - filled);
        let chains = self.hops.chains(&star.classes, mover, within, &mut self.goals);
        let count = singles.count();
        if count + chains == 0 {
            return None;
        }
        let choice = rng.below(count + chains);
        if choice >= count {
            let (from, to) = self.goals.nth(&star.classes, choice - count);
            let piece = pieces.bits.iter().position(|&bit| bit == from).expect("own pieces move");
            return Some((piece, to));
        }
        let single = singles.nth(choice);
        let piece = single as usize / 8 % MOST;
        Some((piece, star.singles.goal(pieces.bits[piece], single % 8, steps.has(single))))
    }

    /// Moves a piece. Returns the bit it came from, and whether it has entered its target arm.
    #[inline]
    fn play(&mut self, star: &Star<W>, mover: usize, piece: usize, to: u32) -> (u32, bool) {
        let from = u32::from(self.pieces[mover].bits[piece % MOST]);
        star.singles.put(&mut self.pieces[mover], mover, piece, to);
        self.patterns.flip::<W>(from);
        self.patterns.flip::<W>(to);
        self.hops.play(&star.classes, mover, from, to);
        let (left, entered) = (self.arms[from as usize & 255], self.arms[to as usize & 255]);
        self.filled = self.filled + entered - left;
        (from, entered == arm(mover) && left != entered)
    }

    /// Whether a player who has just moved has won.
    #[inline]
    fn has_won(&self, player: Player) -> bool {
        self.filled(player.index()) == self.all && self.arrived[player.index()] > 0
    }

    /// Puts the pieces of a position where they are here.
    fn write(&self, pos: &mut Board<W>) {
        for (pieces, list) in pos.pieces.iter_mut().zip(&self.pieces) {
            let bits = list.bits.iter().take(self.all as usize);
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
            Some((piece, reaches)) => {
                let (leaves, in_arm) = tables.play(star, mover.index(), piece, reaches);
                (from, to, enters) = (star.number(leaves), star.number(reaches), in_arm);
                trace(mover, step(from, to));
            }
            None => trace(mover, PASS),
        }
        if enters {
            tables.arrived[mover.index()] += 1;
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
