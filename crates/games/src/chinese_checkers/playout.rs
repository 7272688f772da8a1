//! Random games of Chinese Checkers, each legal move equally likely.
//!
//! Steps and single hops are counted by `singles.rs`. The further goals of chains, one move of thirty, are listed by
//! `classes.rs` only where a draw falls on one of as many as there could be at most, a quarter of all draws.

use super::classes::{Hops, may_chain_within, most_chains};
use super::singles::{NOWHERE, Taken};
use super::star::Star;
use super::{Board, PASS, StarWord, Step, step};
use crate::board::Seen;
use proofplay_core::{Player, Rng, Score};
use std::hint::select_unpredictable;

/// More than the pieces of a player.
const MOST: usize = 16;

/// The position of a playout in pieces that are cheap to look at and to change. Cells go by their numbers.
struct Tables<W: StarWord> {
    taken: Taken,
    hops: Hops<W>,
    /// The pieces of each player, in no order.
    pieces: [[u8; MOST]; 2],
    /// By cell: [`arm`] of the player whose target arm it is in.
    arms: [u32; 256],
    /// Pieces of a player.
    all: u32,
    /// The occupied cells of the target arms in multiples of [`arm`], and those with own pieces.
    filled: u32,
    arrived: [u32; 2],
}

/// After so many rounds without a move one looks whether there is any.
const PATIENCE: u32 = 20;

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
            taken: Taken::new(star.numbers(occupied)),
            hops: star.classes.hops(star, pos.pieces),
            pieces: [[NOWHERE; MOST]; 2],
            arms: [0; 256],
            all: pos.pieces[0].count(),
            filled: 0,
            arrived: [0, 1].map(|player| (star.targets[player] & pos.pieces[player]).count()),
        };
        for (list, pieces) in tables.pieces.iter_mut().zip(pos.pieces) {
            list.iter_mut().zip(star.numbers(pieces)).for_each(|(piece, cell)| *piece = cell as u8);
        }
        for (player, target) in star.targets.into_iter().enumerate() {
            star.numbers(target).for_each(|cell| tables.arms[cell as usize] = arm(player));
            tables.filled += arm(player) * (target & occupied).count();
        }
        tables
    }

    /// How many cells of a player's target arm are occupied.
    #[inline]
    fn filled(&self, player: usize) -> u32 {
        self.filled >> (COUNT * player as u32) & ((1 << COUNT) - 1)
    }

    /// A uniformly random move, unless there is none: which piece, and the cell it goes to.
    ///
    /// In each round every move is equally likely: each of the tries of single moves, and each chain of as many as there
    /// may be at most.
    #[inline(always)]
    fn draw<const PLAYER: usize>(&mut self, star: &Star<W>, rng: &mut Rng) -> Option<(usize, u8)> {
        let filled = self.filled(PLAYER);
        let within = (self.arrived[PLAYER] > 0) & may_chain_within(filled, self.all - filled);
        let chainers = self.hops.chainers(&star.classes, PLAYER, within);
        let mut chains = most_chains(W::PIECES as u32) * W::few(chainers);
        for round in 0.. {
            let (slots, lot) = (rng.below_each([6 * W::PIECES as u32; 2]), rng.next_u64());
            let a = self.attempt::<PLAYER>(star, slots[0]);
            let b = self.attempt::<PLAYER>(star, slots[1]);
            if lot < star.singles.lots[chains as usize & 255][usize::from(a.2)] {
                match self.hops.chain(&star.classes, PLAYER, chainers, rng.below(chains)) {
                    Ok((from, to)) => {
                        let piece = self.pieces[PLAYER].iter().position(|&cell| cell == from);
                        return Some((piece.expect("own pieces move"), to));
                    }
                    Err(count) => chains = count,
                }
                continue;
            }
            if a.2 & b.2 == 0 {
                return Some((
                    select_unpredictable(a.2 == 0, a.0, b.0),
                    select_unpredictable(a.2 == 0, a.1, b.1),
                ));
            }
            if round == PATIENCE && !self.has_moves::<PLAYER>(star) {
                break;
            }
        }
        None
    }

    #[inline(always)]
    fn attempt<const PLAYER: usize>(&self, star: &Star<W>, slot: u32) -> (usize, u8, u8) {
        let piece = slot as usize / 6 % MOST;
        let (goal, blocked) = star.singles.attempt(&self.taken, PLAYER, self.pieces[PLAYER][piece], slot % 6);
        (piece, goal, blocked)
    }

    /// Whether any try is a move.
    #[cold]
    fn has_moves<const PLAYER: usize>(&self, star: &Star<W>) -> bool {
        (0..6 * W::PIECES as u32).any(|slot| self.attempt::<PLAYER>(star, slot).2 == 0)
    }

    /// Moves a piece. Returns the cell it came from, and whether it has entered its target arm.
    #[inline(always)]
    fn play<const PLAYER: usize>(&mut self, star: &Star<W>, piece: usize, to: u8) -> (u8, bool) {
        let from = std::mem::replace(&mut self.pieces[PLAYER][piece % MOST], to);
        self.taken.play(from, to);
        self.hops.play(&star.classes, PLAYER, from, to);
        let (left, entered) = (self.arms[usize::from(from)], self.arms[usize::from(to)]);
        self.filled = self.filled + entered - left;
        (from, entered & !left & arm(PLAYER) != 0)
    }

    /// Whether a player who has just moved has won.
    #[inline(always)]
    fn has_won(&self, player: usize) -> bool {
        self.filled(player) == self.all && self.arrived[player] > 0
    }

    /// Puts the pieces of a position where they are here.
    fn write(&self, star: &Star<W>, pos: &mut Board<W>) {
        for (pieces, list) in pos.pieces.iter_mut().zip(&self.pieces) {
            let cells = list.iter().take(self.all as usize);
            *pieces = cells.fold(W::EMPTY, |set, &cell| set | W::bit(star.bit(u32::from(cell))));
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
    let end = loop {
        if pos.mover == Player::First {
            if let Some(end) = turn::<W, 0>(&mut tables, &mut seen, pos, star, rng, trace) {
                break end;
            }
        }
        if let Some(end) = turn::<W, 1>(&mut tables, &mut seen, pos, star, rng, trace) {
            break end;
        }
        pos.mover = Player::First;
    };
    tables.write(star, pos);
    end
}

#[inline(always)]
fn turn<W: StarWord, const PLAYER: usize>(
    tables: &mut Tables<W>,
    seen: &mut Seen,
    pos: &mut Board<W>,
    star: &Star<W>,
    rng: &mut Rng,
    trace: &mut impl FnMut(Player, Step),
) -> Option<Score> {
    let mover = Player::BOTH[PLAYER];
    let (mut from, mut to, mut enters) = (0, 0, false);
    match tables.draw::<PLAYER>(star, rng) {
        Some((piece, reaches)) => {
            let (leaves, in_arm) = tables.play::<PLAYER>(star, piece, reaches);
            (from, to, enters) = (leaves, reaches, in_arm);
            trace(mover, step(u32::from(from), u32::from(to)));
        }
        None => trace(mover, PASS),
    }
    if enters {
        tables.arrived[PLAYER] += 1;
        pos.history.clear();
    } else {
        pos.history.push(from, to);
        if seen.may_be_third(mover, from, to) && pos.history.recurrences::<u128>() >= 2 {
            pos.end = Some(Score::DRAW);
        }
    }
    if tables.has_won(PLAYER) {
        pos.end = Some(Score::win_of(mover));
    }
    pos.mover = !mover;
    pos.end
}
