//! Random games of Chinese Checkers, each legal move equally likely.
//!
//! A piece and a direction are drawn until that is a step or a hop. In a third of all positions some piece can hop twice or
//! more: the further goals of such chains are counted first, and each is one more thing to draw.

use super::classes::{Classes, Goals, Hops, MOST};
use super::star::{Star, offset};
use super::{Board, PASS, StarWord, Step, ends, step};
use crate::board::Seen;
use proofplay_core::{Player, Position, Rng, Score};

/// After so many draws that are no move the moves are listed.
const TRIES: u32 = 60;
/// Two steps beyond the ends of the star are still cells of [`Tables`].
const MARGIN: usize = 32;

const EMPTY: u8 = 0;
const TAKEN: u8 = 1;
const OFF: u8 = 2;

/// The position of a playout in pieces that are cheap to look at and to change.
struct Tables<W: StarWord> {
    /// What is on each bit of the star, [`MARGIN`] later.
    cells: [u8; 512],
    /// From a cell to its neighbours.
    offsets: [i32; 6],
    /// By bit: 1 in the target arm of First, 2 in that of Second.
    arms: [u8; 256],
    /// The bits of each player's pieces, in no order.
    pieces: [[u8; MOST]; 2],
    /// Where each piece is in its list.
    place: [u8; 256],
    board: Classes<W>,
    targets: [Classes<W>; 2],
    occupied: Classes<W>,
    own: [Classes<W>; 2],
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
            cells: [OFF; 512],
            offsets: std::array::from_fn(offset::<W>),
            arms: [0; 256],
            pieces: [[0; MOST]; 2],
            place: [0; 256],
            board: Classes::new(star, star.board),
            targets: star.targets.map(|target| Classes::new(star, target)),
            occupied: Classes::new(star, occupied),
            own: pos.pieces.map(|pieces| Classes::new(star, pieces)),
            all: pos.pieces[0].count(),
            filled: star.targets.map(|target| count(target & occupied)),
            arrived: [0, 1].map(|player| count(star.targets[player] & pos.pieces[player])),
        };
        for bit in star.board.cells() {
            tables.cells[bit as usize + MARGIN] = if occupied.has(bit) { TAKEN } else { EMPTY };
            let [first, second] = star.targets.map(|target| u8::from(target.has(bit)));
            tables.arms[bit as usize] = first | second << 1;
        }
        for (list, pieces) in tables.pieces.iter_mut().zip(pos.pieces) {
            for (i, bit) in pieces.cells().enumerate() {
                list[i % MOST] = bit as u8;
                tables.place[bit as usize] = i as u8;
            }
        }
        tables
    }

    /// What is on the bit so much further on.
    #[inline]
    fn cell(&self, bit: u32, by: i32) -> u8 {
        self.cells[(bit as usize + MARGIN).wrapping_add_signed(by as isize) % 512]
    }

    /// Whether a piece of `mover` may go from one bit to the other.
    #[inline]
    fn may_leave(&self, mover: Player, from: u32, to: u32) -> bool {
        let (from, to) = (self.arms[from as usize & 255], self.arms[to as usize & 255]);
        (from & !to) & (1 << mover.index()) == 0
    }

    /// A uniformly random move as bits, unless none is found. Not inlined: it is large.
    #[inline(never)]
    fn draw(&self, mover: Player, goals: &mut [Goals<W>; MOST], rng: &mut Rng) -> Option<(u32, u32)> {
        let (own, hops) = (self.own[mover.index()], Hops::new(self.board, self.occupied));
        let classes = hops.going_on(own);
        let count =
            if classes == 0 { 0 } else { hops.collect(classes, own, self.targets[mover.index()], goals) };
        let directions = 6 * self.all;
        for _ in 0..TRIES {
            let choice = rng.below(directions + count);
            if choice >= directions {
                return Some(Goals::nth(goals, choice - directions));
            }
            let from = u32::from(self.pieces[mover.index()][choice as usize / 6 % MOST]);
            let by = self.offsets[choice as usize % 6];
            // A step, or over a piece. One branch for all: none of it can be foreseen.
            let hops = u32::from(self.cell(from, by) == TAKEN);
            let by = by.wrapping_shl(hops);
            let to = from.wrapping_add_signed(by);
            if (self.cell(from, by) == EMPTY) & self.may_leave(mover, from, to) {
                return Some((from, to));
            }
        }
        None
    }

    /// Moves a piece and says whether it has entered its target arm.
    #[inline]
    fn play(&mut self, star: &Star<W>, mover: Player, from: u32, to: u32) -> bool {
        let place = self.place[from as usize & 255];
        self.pieces[mover.index()][usize::from(place) % MOST] = to as u8;
        self.place[to as usize & 255] = place;
        self.cells[from as usize + MARGIN] = EMPTY;
        self.cells[to as usize + MARGIN] = TAKEN;
        for bit in [from, to] {
            self.occupied.flip(star, bit);
            self.own[mover.index()].flip(star, bit);
        }
        let (left, entered) = (self.arms[from as usize & 255], self.arms[to as usize & 255]);
        for player in [0, 1] {
            self.filled[player] += (entered >> player) & 1;
            self.filled[player] -= (left >> player) & 1;
        }
        let enters = (entered & !left) >> mover.index() & 1;
        self.arrived[mover.index()] += enters;
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
    buf: &mut Vec<Step>,
    trace: &mut impl FnMut(Player, Step),
) -> Score {
    let (mut tables, mut seen) = (Tables::new(pos), Seen::new(&pos.history, pos.mover));
    let (star, mut goals) = (pos.star, [Goals::NONE; MOST]);
    while pos.end.is_none() {
        let mover = pos.mover;
        let mv = match tables.draw(mover, &mut goals, rng) {
            Some((from, to)) => step(star.number(from), star.number(to)),
            None => {
                tables.write(pos);
                pos.random_move(rng, buf)
            }
        };
        trace(mover, mv);
        let (from, to) = ends(mv);
        if mv != PASS && tables.play(&star, mover, star.bit(from), star.bit(to)) {
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
