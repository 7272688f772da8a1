//! Checkers: English draughts, on boards of any size.
//!
//! ```text
//! 6    b   b   b     w is First and moves up. Men step one square diagonally forward, kings in all
//! 5  b   b   b       diagonals. A piece jumps over an adjacent enemy to the empty square behind it and
//! 4    .   .   .     captures it; men only forward. A player who can capture must, but may choose how;
//! 3  .   .   .       a jump continues as long as it can, each enemy is jumped once. A man on the last
//! 2    w   w   w     row becomes a king, and its turn ends. A player without pieces or moves loses.
//! 1  w   w   w
//!    a b c d e f     moves: a3-b4; a3xc5xe7 with all landing squares: other ways are other moves
//! ```
//!
//! Rules of the World Checkers and Draughts Federation, except that White begins and a1 is a
//! playing square. `draw=25`: a draw after 25 plies in a row that are king moves without capture,
//! or with one king against one king; `draw=none`: neither. In both, the third occurrence of a
//! position with the same player to move is a draw; a win made by the move comes before all draws.
//! Boards from 4x4 to 10x10; `rows` of men each, at least one row stays empty.
//!
//! A position text has the count of king moves after the side to move, unless it is 0 or there is
//! no such rule.

mod by_pieces;
mod hints;
mod jumps;
mod notation;
mod squares;
#[cfg(test)]
mod tests;

pub use jumps::Way;

use crate::board::text::{self, bad_parameters};
use crate::board::{Interned, Packing, ReversibleMoves, Word};
use jumps::Effect;
use proofplay_core::{Family, GameVisitor, Key, Player, Position, Rng, Score, TextError, zobrist};
use squares::Squares;

/// The parameters.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Columns, and rows.
    pub size: u32,
    /// Rows of men of each player.
    pub rows: u32,
    /// A draw after 25 king moves, and with one king each.
    pub limited: bool,
}

/// King moves in a row that make a draw under `draw=25`.
const MOST_KING_MOVES: u8 = 25;

impl Setup {
    /// Three rows, or as many as leave two empty rows on smaller boards.
    fn usual_rows(size: u32) -> u32 {
        ((size - 2) / 2).min(3)
    }

    /// Reads `NxN[,rows=R][,draw=25|none]`; nothing is `8x8`.
    pub fn parse(parameters: &str) -> Result<Setup, TextError> {
        let mut options = parameters.split(',');
        let size = options.next().filter(|size| !size.is_empty()).unwrap_or("8x8");
        let (cols, rows) = text::size(size)?;
        if cols != rows || !Squares::SIZES.contains(&cols) {
            return Err(bad_parameters(parameters, "the board is a square from 4x4 to 10x10"));
        }
        let mut setup = Setup { size: cols, rows: Setup::usual_rows(cols), limited: true };
        for option in options {
            match option.split_once('=') {
                Some(("draw", "25")) => setup.limited = true,
                Some(("draw", "none")) => setup.limited = false,
                Some(("rows", rows)) => {
                    let most = (cols - 1) / 2;
                    let rows = text::number(rows, most).filter(|&rows| rows > 0);
                    let expected =
                        || bad_parameters(parameters, format!("rows is 1 to {most} on this board"));
                    setup.rows = rows.ok_or_else(expected)?;
                }
                _ => {
                    let expected = "after the size only `rows=R`, `draw=25` or `draw=none` may follow";
                    return Err(bad_parameters(parameters, expected));
                }
            }
        }
        Ok(setup)
    }
}

impl Family for Setup {
    const NAME: &str = "checkers";
    const PARAMETERS: &str = "NxN[,rows=R][,draw=25|none], default 8x8,rows=3,draw=25";
    const EXAMPLE: &str = "8x8";
    const RULES: &str =
        "English draughts: men move and capture diagonally forward, kings both ways; who cannot move loses";
    const FULL_RULES: &str = include_str!("../rules/checkers.md");
    const LINE: &str = "a3-b4";
    const VARIED: &[&str] = &["4x4", "5x5,rows=2", "10x10,draw=none"];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        Ok(visitor.visit(Checkers::new(Setup::parse(parameters)?)))
    }
}

/// The game.
#[derive(Clone, Debug)]
pub struct Checkers {
    setup: Setup,
    squares: Interned<Squares>,
}

/// How many reversible moves a position remembers. Under `draw=25` there are never more than 25.
const REMEMBERED: usize = 128;

/// A position: 296 bytes, most of them history.
///
/// [`Position::key`] is that of pieces, mover and counted king moves alone, though the value may
/// depend on the history. Therefore [`Position::repeats`] is true, and searches with tables refuse
/// the game. Equality and hash include the history.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    /// The squares of each player's pieces.
    pieces: [u64; 2],
    /// Those that are kings, of both players.
    kings: u64,
    squares: Interned<Squares>,
    mover: Player,
    /// The rule `draw=25` applies.
    limited: bool,
    /// King moves in a row without capture; 0 unless `limited`.
    king_moves: u8,
    /// This position occurs for the third time.
    repeated: bool,
    /// The non-capturing king moves since the last other move.
    history: ReversibleMoves<REMEMBERED>,
}

impl Board {
    #[inline]
    fn own(&self) -> u64 {
        self.pieces[self.mover.index()]
    }

    #[inline]
    fn enemy(&self) -> u64 {
        self.pieces[1 - self.mover.index()]
    }

    #[inline]
    fn empty(&self) -> u64 {
        self.squares.board & !(self.pieces[0] | self.pieces[1])
    }

    /// Those pieces of the mover that may go in direction `d`.
    #[inline]
    fn headed(&self, d: usize) -> u64 {
        let up = d == 0 || d == 3;
        if up == (self.mover == Player::First) { self.own() } else { self.own() & self.kings }
    }

    /// By direction, the pieces that can step.
    #[inline]
    fn steppers(&self) -> [u64; 4] {
        let empty = self.empty();
        let steppers = |d: usize| self.headed(d) & self.squares.step(empty, d ^ 2);
        // Written out, so that every shift is known.
        [steppers(0), steppers(1), steppers(2), steppers(3)]
    }

    /// By direction, the pieces that can jump.
    #[inline]
    fn jumpers(&self) -> [u64; 4] {
        let (empty, enemy) = (self.empty(), self.enemy());
        let jumpers = |d: usize| {
            let back = d ^ 2;
            self.headed(d) & self.squares.step(enemy & self.squares.step(empty, back), back)
        };
        [jumpers(0), jumpers(1), jumpers(2), jumpers(3)]
    }

    /// Plays a legal move and gives the turn to the opponent.
    #[inline]
    fn apply(&mut self, mv: Way) {
        let Effect { from, to, captured, crowned } = self.effect(mv, |_| ());
        let king = self.kings & from != 0;
        self.pieces[self.mover.index()] ^= from ^ to;
        self.mover = !self.mover;
        if king {
            self.kings ^= from ^ to;
        }
        if crowned {
            self.kings |= to;
        }
        if king && captured == 0 {
            self.history.push(from.lowest() as u8, to.lowest() as u8);
            self.king_moves += u8::from(self.limited);
            self.repeated = self.history.recurrences::<u64>() >= 2;
        } else {
            self.pieces[self.mover.index()] &= !captured;
            self.kings &= !captured;
            self.history.clear();
            (self.king_moves, self.repeated) = (0, false);
        }
    }

    fn packing(&self) -> Packing {
        Packing {
            rest: if self.limited { 6 } else { 1 },
            cells: u64::BITS - self.squares.board.leading_zeros(),
        }
    }

    /// A uniformly random move, if there is one.
    #[inline]
    fn random_choice(&self, rng: &mut Rng, buf: &mut Vec<Way>) -> Option<Way> {
        let jumpers = self.jumpers();
        if any(jumpers) == 0 {
            let steppers = self.steppers();
            let count = total(steppers);
            return (count > 0).then(|| nth_step(steppers, rng.below(count)));
        }
        let start = buf.len();
        self.list_jumps(jumpers, buf);
        let mv = buf[start + rng.below((buf.len() - start) as u32) as usize];
        buf.truncate(start);
        Some(mv)
    }

    /// Whether the game is a draw unless the mover cannot move.
    #[inline]
    fn is_drawn(&self) -> bool {
        let [first, second] = self.pieces;
        let lone_kings =
            || first.is_power_of_two() && second.is_power_of_two() && (first | second) & !self.kings == 0;
        self.repeated || (self.limited && (self.king_moves >= MOST_KING_MOVES || lone_kings()))
    }
}

/// The pieces that are in one of four sets.
#[inline]
fn any([a, b, c, d]: [u64; 4]) -> u64 {
    a | b | c | d
}

/// How many pieces there are in four sets.
#[inline]
fn total([a, b, c, d]: [u64; 4]) -> u32 {
    a.count() + b.count() + c.count() + d.count()
}

/// Step number `n` of those that `steppers` can make.
#[inline]
fn nth_step(steppers: [u64; 4], mut n: u32) -> Way {
    for (d, set) in (0..).zip(steppers) {
        let count = set.count();
        if n < count {
            return set.nth(n) | d << 6;
        }
        n -= count;
    }
    unreachable!("there are more steps")
}

/// Men and kings, by player and square.
static PIECES: [[[Key; 64]; 2]; 2] = [[zobrist(30), zobrist(31)], [zobrist(32), zobrist(33)]];
static SECOND_MOVES: Key = zobrist::<1>(34)[0];
/// By counted king moves; none is 0.
static KING_MOVES: [Key; MOST_KING_MOVES as usize] = zobrist(35);

fn king_moves_key(king_moves: u8) -> Key {
    if king_moves == 0 { 0 } else { KING_MOVES[usize::from(king_moves) - 1] }
}

impl Position for Board {
    type Move = Way;

    #[inline]
    fn turn(&self) -> Player {
        self.mover
    }

    #[inline]
    fn outcome(&self) -> Option<Score> {
        if any(self.steppers()) | any(self.jumpers()) == 0 {
            return Some(Score::win_of(!self.mover));
        }
        self.is_drawn().then_some(Score::DRAW)
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Way>) {
        let jumpers = self.jumpers();
        if any(jumpers) != 0 {
            self.list_jumps(jumpers, out);
            return;
        }
        for (d, set) in (0..).zip(self.steppers()) {
            out.extend(set.cells().map(|square| square | d << 6));
        }
    }

    #[inline]
    fn play(&mut self, mv: Way) {
        debug_assert!({
            let mut moves = Vec::new();
            self.moves(&mut moves);
            moves.contains(&mv)
        });
        self.apply(mv);
    }

    fn key(&self) -> Key {
        let keys = |player: Player| {
            let key =
                |square: u32| PIECES[player.index()][usize::from(self.kings.has(square))][square as usize];
            self.pieces[player.index()].cells().fold(0, |sum, square| sum ^ key(square))
        };
        let turn = if self.mover == Player::Second { SECOND_MOVES } else { 0 };
        keys(Player::First) ^ keys(Player::Second) ^ turn ^ king_moves_key(self.king_moves)
    }

    fn key_after(&self, key: Key, mv: Way) -> Key {
        let Effect { from, to, captured, crowned } = self.effect(mv, |_| ());
        let (own, enemy) = (&PIECES[self.mover.index()], &PIECES[1 - self.mover.index()]);
        let king = self.kings & from != 0;
        let moved = own[usize::from(king)][from.lowest() as usize]
            ^ own[usize::from(king || crowned)][to.lowest() as usize];
        let kings = captured & self.kings;
        let gone = captured
            .cells()
            .fold(0, |sum, square| sum ^ enemy[usize::from(kings.has(square))][square as usize]);
        let counted = if king && captured == 0 && self.limited { self.king_moves + 1 } else { 0 };
        let counters = king_moves_key(self.king_moves) ^ king_moves_key(counted);
        key ^ moved ^ gone ^ counters ^ SECOND_MOVES
    }

    /// The mover, the counted king moves, the pieces, and by piece whether it is of Second and whether it is a king.
    fn packed(&self) -> Option<u128> {
        let [first, second] = self.pieces.map(u128::from);
        let rest = self.mover.index() as u32 | u32::from(self.king_moves) << 1;
        self.packing().pack(rest, first | second, [second, u128::from(self.kings)])
    }

    fn unpacked(&self, number: u128) -> Self {
        let (rest, occupied, [second, kings]) = self.packing().unpack(number);
        Board {
            pieces: [(occupied ^ second) as u64, second as u64],
            kings: kings as u64,
            mover: Player::BOTH[(rest & 1) as usize],
            king_moves: (rest >> 1) as u8,
            repeated: false,
            history: ReversibleMoves::default(),
            ..*self
        }
    }

    fn has_repeated(&self) -> bool {
        self.history.has_repeated()
    }

    /// Where a move starts and its first direction; steps and jumps share slots.
    #[inline]
    fn slots(&self) -> usize {
        64 * 4
    }

    #[inline]
    fn slot(&self, mv: Way) -> usize {
        (mv & 255) as usize
    }

    #[inline]
    fn count_moves(&self, buf: &mut Vec<Way>) -> usize {
        let jumpers = self.jumpers();
        if any(jumpers) == 0 {
            return total(self.steppers()) as usize;
        }
        let start = buf.len();
        self.list_jumps(jumpers, buf);
        let count = buf.len() - start;
        buf.truncate(start);
        count
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, buf: &mut Vec<Way>) -> Way {
        self.random_choice(rng, buf).expect("a game that is not over has a move")
    }

    /// Choosing a move also shows whether there is one.
    #[inline]
    fn playout(&mut self, rng: &mut Rng, buf: &mut Vec<Way>, trace: &mut impl FnMut(Player, Way)) -> Score {
        loop {
            let Some(mv) = self.random_choice(rng, buf) else { return Score::win_of(!self.mover) };
            if self.is_drawn() {
                return Score::DRAW;
            }
            trace(self.mover, mv);
            self.apply(mv);
        }
    }

    /// Up and down are different. Left and right are not, but on boards of even size the mirror
    /// takes playing squares to the others.
    #[inline]
    fn symmetries(&self) -> usize {
        if self.squares.grid.cols.is_multiple_of(2) { 1 } else { 2 }
    }

    fn transformed(&self, symmetry: usize) -> Self {
        if symmetry == 0 {
            return self.clone();
        }
        let squares = &self.squares;
        let image = |set: u64| set.cells().fold(0, |image, square| image | 1 << squares.mirrored(square));
        Board {
            pieces: self.pieces.map(image),
            kings: image(self.kings),
            history: self.history.transformed(|square| squares.mirrored(square)),
            ..*self
        }
    }
}
