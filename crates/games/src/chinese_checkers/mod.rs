//! Chinese Checkers for two: across the star, in steps and hops.
//!
//! ```text
//!          1            A star with arms of side N; here N = 2, 37 cells, three pieces each. Cells are
//!         1 1           numbered 0, 1, 2 … row by row from the top. Player 1 starts in the top arm,
//!    . . . . . . .      player 2 in the bottom arm; each goes to the opposite one. A turn moves one
//!     . . . . . .       piece: a step to an empty neighbour, or a chain of hops, each over one adjacent
//!      . . . . .        piece of any colour to the empty cell directly behind it; it may stop after any
//!     . . . . . .       hop. A piece that starts its turn in its target arm may not leave it, not even
//!    . . . . . . .      during the chain.
//!         2 2           moves: 1-9, from and to, whatever the chain; a return to the start is no move;
//!          2            pass, if there is no other move
//! ```
//!
//! A player wins whose target arm is full after their own move, with at least one own piece in it:
//! leaving a piece at home does not stop the opponent. The third occurrence of a position with the
//! same player to move is a draw; see [`ReversibleMoves`] for what is remembered. All cells may be
//! used. N = 3 is the game of Pepels et al. \[PTLW14\] section 6.1, N = 4 the usual board of 121
//! cells; arms of side 1 to 4.

mod all_placements;
mod classes;
mod hints;
mod notation;
mod playout;
mod singles;
mod star;
#[cfg(test)]
mod tests;

/// Moves name cells by number.
pub use crate::board::{PASS, Step};
pub use star::StarWord;

use crate::board::text::{self, bad_parameters};
use crate::board::{Interned, Packing, ReversibleMoves, U256, Word, ends, is_legal, list_or_pass, step};
use proofplay_core::{Family, GameVisitor, Key, Player, Position, Rng, Score, TextError, zobrist};
use star::Star;

/// The parameters.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The side of an arm.
    pub side: u32,
}

impl Setup {
    /// Reads `N`; nothing is 3.
    pub fn parse(parameters: &str) -> Result<Setup, TextError> {
        let side = if parameters.is_empty() { Some(3) } else { text::number(parameters, star::LONGEST) };
        match side.filter(|&side| side > 0 && !parameters.starts_with('0')) {
            Some(side) => Ok(Setup { side }),
            None => {
                let expected = format!("the side of an arm is 1 to {}", star::LONGEST);
                Err(bad_parameters(parameters, expected))
            }
        }
    }
}

impl Family for Setup {
    const NAME: &str = "chinese-checkers";
    const PARAMETERS: &str = "N, default 3";
    const EXAMPLE: &str = "2";
    const RULES: &str =
        "pieces step and hop across a star with arms of side N; who fills the opposite arm wins";
    const FULL_RULES: &str = include_str!("../rules/chinese-checkers.md");
    const STANDARD: &[&str] = &["3"];
    const VARIED: &[&str] = &["1", "4"];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        let setup = Setup::parse(parameters)?;
        Ok(match setup.side {
            0..=2 => visitor.visit(ChineseCheckers::<u64>::new(setup)),
            3 => visitor.visit(ChineseCheckers::<u128>::new(setup)),
            _ => visitor.visit(ChineseCheckers::<U256>::new(setup)),
        })
    }
}

/// The game on a star that fits into `W`.
#[derive(Clone, Debug)]
pub struct ChineseCheckers<W: StarWord> {
    star: Interned<Star<W>>,
}

/// How many reversible moves a position remembers.
const REMEMBERED: usize = 128;

/// A position: 304 bytes for `u128`, most of them history.
///
/// [`Position::key`] is that of pieces and mover alone, though the value may depend on the history.
/// Therefore [`Position::repeats`] is true, and searches with tables refuse the game. Equality and
/// hash include the history.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board<W: StarWord> {
    pieces: [W; 2],
    star: Interned<Star<W>>,
    mover: Player,
    /// Set by the move that ends the game.
    end: Option<Score>,
    /// The moves since a piece has reached its target arm, which it never leaves; cells by their
    /// numbers.
    history: ReversibleMoves<REMEMBERED>,
}

impl<W: StarWord> Board<W> {
    #[inline]
    fn occupied(&self) -> W {
        self.pieces[0] | self.pieces[1]
    }

    #[inline]
    fn empty(&self) -> W {
        self.star.board & !self.occupied()
    }

    /// Where each piece of the mover can go, as bits.
    #[inline]
    fn choices(&self) -> impl Iterator<Item = (u32, W)> {
        let (own, target) = (self.pieces[self.mover.index()], self.star.targets[self.mover.index()]);
        let (occupied, empty) = (self.occupied(), self.empty());
        own.cells().map(move |bit| {
            let allowed = if target.has(bit) { empty & target } else { empty };
            (bit, self.star.destinations(bit, occupied, allowed))
        })
    }

    /// The moves of the mover, without the pass.
    #[inline]
    fn steps(&self) -> impl Iterator<Item = Step> {
        let number = |bit| self.star.number(bit);
        self.choices()
            .flat_map(move |(from, goals)| goals.cells().map(move |to| step(number(from), number(to))))
    }

    /// On the largest star there are too many cells and pieces for a number.
    fn packing(&self) -> Packing {
        Packing { rest: 1, cells: self.star.cells() }
    }

    /// Whether this player has won, if they made the last move.
    #[inline]
    fn fills_target(&self, player: Player) -> bool {
        let target = self.star.targets[player.index()];
        (target & !self.occupied()).is_empty() && !(target & self.pieces[player.index()]).is_empty()
    }
}

/// Pieces by player and cell.
static PIECES: [[Key; text::MAX_CELLS as usize]; 2] = [zobrist(70), zobrist(71)];
static SECOND_MOVES: Key = zobrist::<1>(72)[0];

impl<W: StarWord> Position for Board<W> {
    type Move = Step;

    #[inline]
    fn turn(&self) -> Player {
        self.mover
    }

    #[inline]
    fn outcome(&self) -> Option<Score> {
        self.end
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Step>) {
        list_or_pass(self.steps(), out);
    }

    #[inline]
    fn play(&mut self, mv: Step) {
        debug_assert!(self.end.is_none(), "the game is over");
        debug_assert!(is_legal(self.steps(), mv));
        let ((from, to), mover) = (ends(mv), self.mover);
        self.mover = !mover;
        let (leaves, enters) = (W::bit(self.star.bit(from)), W::bit(self.star.bit(to)));
        let target = self.star.targets[mover.index()];
        self.pieces[mover.index()] = self.pieces[mover.index()] ^ leaves ^ enters;
        // Also without such a move: the opponent may have filled the target.
        if self.fills_target(mover) {
            self.end = Some(Score::win_of(mover));
        }
        if mv != PASS && target & (leaves | enters) == enters {
            self.history.clear();
            return;
        }
        self.history.push(from as u8, to as u8);
        if self.end.is_none() && self.history.recurrences::<u128>() >= 2 {
            self.end = Some(Score::DRAW);
        }
    }

    fn key(&self) -> Key {
        let turn = if self.mover == Player::Second { SECOND_MOVES } else { 0 };
        self.pieces.iter().zip(&PIECES).fold(turn, |key, (pieces, keys)| {
            pieces.cells().fold(key, |key, bit| key ^ keys[self.star.number(bit) as usize])
        })
    }

    #[inline]
    fn key_after(&self, key: Key, mv: Step) -> Key {
        if mv == PASS {
            return key ^ SECOND_MOVES;
        }
        let ((from, to), own) = (ends(mv), &PIECES[self.mover.index()]);
        key ^ own[from as usize] ^ own[to as usize] ^ SECOND_MOVES
    }

    /// The mover, the pieces by numbers of cells, and which are of Second.
    fn packed(&self) -> Option<u128> {
        let numbers = |pieces: W| self.star.numbers(pieces).fold(0, |set, number| set | 1 << number);
        let [first, second] = self.pieces.map(numbers);
        self.packing().pack(self.mover.index() as u32, first | second, [second])
    }

    fn unpacked(&self, number: u128) -> Self {
        let (mover, occupied, [second]) = self.packing().unpack(number);
        let bits = |set: u128| set.cells().fold(W::EMPTY, |set, number| set | W::bit(self.star.bit(number)));
        Board {
            pieces: [occupied ^ second, second].map(bits),
            mover: Player::BOTH[mover as usize],
            end: None,
            history: ReversibleMoves::default(),
            ..*self
        }
    }

    fn has_repeated(&self) -> bool {
        self.history.has_repeated()
    }

    /// From and to.
    #[inline]
    fn slots(&self) -> usize {
        (self.star.cells() * self.star.cells()) as usize
    }

    #[inline]
    fn slot(&self, mv: Step) -> usize {
        let (from, to) = ends(mv);
        (from * self.star.cells() + to) as usize
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Step>) -> usize {
        self.choices().map(|(_, goals)| goals.count() as usize).sum::<usize>().max(1)
    }

    #[inline]
    fn playout(&mut self, rng: &mut Rng, _: &mut Vec<Step>, trace: &mut impl FnMut(Player, Step)) -> Score {
        playout::playout(self, rng, trace)
    }

    /// Left and right are alike.
    #[inline]
    fn symmetries(&self) -> usize {
        2
    }

    fn transformed(&self, symmetry: usize) -> Self {
        if symmetry == 0 {
            return self.clone();
        }
        Board {
            pieces: self.pieces.map(|pieces| self.star.image(pieces)),
            history: self.history.transformed(|cell| self.star.mirrored(cell)),
            ..*self
        }
    }
}
