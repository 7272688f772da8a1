//! Random games of Lines of Action at full speed, on tables that live for one playout.
//!
//! A move is one piece in one direction: draw both until that is legal. So every legal move is
//! equally likely. The pieces are kept as lists to draw from, and the pieces on every line are
//! counted as they move.

use super::lines::Lines;
use super::{Board, PASS, Step, ends, step};
use crate::board::Word;
use proofplay_core::{Player, Position, Rng, Score};

/// After this many illegal draws there may be no move, and the moves are listed.
pub(super) const TRIES: u32 = 100;

/// More than a player can have.
const MOST: usize = 32;

/// The pieces of both players as lists, and how many are on each line. Tables are large enough that
/// no index needs a check.
struct Tables {
    /// The cells of each player's pieces, in no order; the first `len` count.
    cells: [[u8; MOST]; 2],
    len: [u8; 2],
    /// Where each piece is in its list.
    place: [u8; 256],
    /// Pieces on each line, by the numbers of [`Lines::lines`].
    count: [u8; 256],
}

impl Tables {
    #[inline]
    fn new<W: Word>(pos: &Board<W>) -> Tables {
        let mut tables = Tables { cells: [[0; MOST]; 2], len: [0; 2], place: [0; 256], count: [0; 256] };
        for player in Player::BOTH {
            for cell in pos.pieces(player).cells() {
                let len = &mut tables.len[player.index()];
                tables.cells[player.index()][usize::from(*len) % MOST] = cell as u8;
                tables.place[cell as usize] = *len;
                *len += 1;
                tables.enter(&pos.lines, cell as u8);
            }
        }
        tables
    }

    #[inline]
    fn enter<W: Word>(&mut self, lines: &Lines<W>, cell: u8) {
        for line in lines.lines_of(cell) {
            self.count[usize::from(line)] += 1;
        }
    }

    #[inline]
    fn leave<W: Word>(&mut self, lines: &Lines<W>, cell: u8) {
        for line in lines.lines_of(cell) {
            self.count[usize::from(line)] -= 1;
        }
    }

    /// Moves a piece of `mover`; what stands on `to` is captured.
    #[inline]
    fn play<W: Word>(&mut self, lines: &Lines<W>, mover: Player, from: u8, to: u8, captures: bool) {
        self.leave(lines, from);
        if captures {
            let enemy = (!mover).index();
            let (gone, last) = (self.place[usize::from(to)], self.len[enemy] - 1);
            let moved = self.cells[enemy][usize::from(last) % MOST];
            self.cells[enemy][usize::from(gone) % MOST] = moved;
            self.place[usize::from(moved)] = gone;
            self.len[enemy] = last;
        } else {
            self.enter(lines, to);
        }
        let place = self.place[usize::from(from)];
        self.cells[mover.index()][usize::from(place) % MOST] = to;
        self.place[usize::from(to)] = place;
    }

    /// A uniformly random move, unless none is found.
    #[inline]
    fn draw<W: Word>(&self, pos: &Board<W>, rng: &mut Rng) -> Option<Step> {
        let (own, enemy) = (pos.pieces(pos.mover), pos.pieces(!pos.mover));
        let cells = &self.cells[pos.mover.index()];
        let choices = 8 * u32::from(self.len[pos.mover.index()]);
        for _ in 0..TRIES {
            let choice = rng.below(choices) as usize;
            let (from, d) = (cells[choice / 8 % MOST], choice % 8);
            let distance = self.count[usize::from(pos.lines.lines_of(from)[d / 2])];
            let from = u32::from(from);
            if let Some(to) = pos.lines.target_at(own, enemy, from, d, u32::from(distance)) {
                return Some(step(from, to));
            }
        }
        None
    }
}

/// Plays uniformly random legal moves to the end of the game.
#[inline]
pub(super) fn playout<W: Word>(
    pos: &mut Board<W>,
    rng: &mut Rng,
    buf: &mut Vec<Step>,
    trace: &mut impl FnMut(Player, Step),
) -> Score {
    let mut tables = Tables::new(pos);
    loop {
        if let Some(score) = pos.outcome {
            return score;
        }
        let mover = pos.mover;
        let mv = tables.draw(pos, rng).unwrap_or_else(|| pos.listed_move(rng, buf));
        if mv != PASS {
            let (from, to) = ends(mv);
            tables.play(&pos.lines, mover, from as u8, to as u8, pos.pieces(!mover).has(to));
        }
        trace(mover, mv);
        pos.play(mv);
    }
}
