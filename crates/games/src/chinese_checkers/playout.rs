//! Random games of Chinese Checkers, each legal move equally likely.
//!
//! Steps and single hops are counted by `singles.rs`. The further goals of chains, one move of thirty, are listed by
//! `classes.rs` only where a draw falls on one of as many as there could be at most, a quarter of all draws.

use super::classes::{Goals, Hops, may_chain_within, most_chains};
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
        let (singles, steps) = star.singles.moves::<W>(&self.patterns, &self.pieces[mover]);
        let hops = singles & !steps;
        // Six directions, down to the first bit.
        let some = hops | hops >> 3;
        let hoppers = W::ones((some | some >> 1 | some >> 2) & W::singles(&[1; 16]));
        // Without a branch: it would go either way.
        let may_chain = u32::from(self.hops.may_chain(mover)).wrapping_neg();
        let most = (most_chains(W::PIECES as u32) * hoppers) & may_chain;
        let count = singles.count();
        let total = count + most;
        if total == 0 {
            return None;
        }
        let mut choice = rng.below(total);
        if choice >= count {
            match self.chain_or_single(star, mover, choice, count, rng) {
                Ok(chain) => return Some(chain),
                Err(single) => choice = single,
            }
        }
        let single = singles.nth(choice);
        let piece = single as usize / 8 % MOST;
        let from = self.pieces[mover].bits[piece];
        Some((piece, star.singles.goal(from, single % 8, steps.has(single))))
    }

    /// A choice fell behind the `count` single moves. It stands if there are so many chains; else all moves are drawn from
    /// again. So every move is equally likely, and most draws never ask for chains.
    #[inline(never)]
    fn chain_or_single(
        &mut self,
        star: &Star<W>,
        mover: usize,
        mut choice: u32,
        count: u32,
        rng: &mut Rng,
    ) -> Result<(usize, u32), u32> {
        let filled = self.filled(mover);
        let within = self.arrived[mover] > 0 && may_chain_within(filled, self.all - filled);
        let chains = self.hops.chains(&star.classes, mover, within, &mut self.goals);
        if choice >= count + chains {
            choice = rng.below(count + chains);
            if choice < count {
                return Err(choice);
            }
        }
        let (from, to) = self.goals.nth(&star.classes, choice - count);
        let piece = self.pieces[mover].bits.iter().position(|&bit| bit == from).expect("own pieces move");
        Ok((piece, to))
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
