//! Rows of stones: the positions of tic-tac-toe, m,n,k-games and Connect Four.
//!
//! Cell (c, r) is bit `c * (rows + 1) + r`: columns side by side with a guard cell on top of each,
//! so that a shifted set never wraps into a neighbouring column. `K` or more own stones in a row,
//! orthogonal or diagonal, win; a full board without a row is a draw. With gravity a stone falls to
//! the lowest empty cell of its column.

mod extras;
mod rows;
mod shape;

pub use extras::{Rows, Threats};
pub(crate) use shape::measures;
pub use shape::{Any, AnyShape, Fixed, Shape};

use crate::board::text::{self, bad_position};
use crate::board::{Urn, Word};
use proofplay_core::{Bounds, Key, Player, Position, Rng, Score, TextError, View};
use rows::{completing, has_row, more_than_one};

/// A position: the stones of the player to move and all stones; 16 bytes for a fixed shape.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board<S: Shape, const GRAVITY: bool> {
    own: S::Word,
    all: S::Word,
    shape: S,
}

/// The cell that gets a stone, as a bit number.
pub type Stone = u8;

impl<S: Shape, const GRAVITY: bool> Board<S, GRAVITY> {
    /// The empty board.
    pub fn empty(shape: S) -> Self {
        Board { own: S::Word::EMPTY, all: S::Word::EMPTY, shape }
    }

    /// The cells that may get a stone.
    #[inline]
    fn open(&self) -> S::Word {
        let free = self.shape.board() & !self.all;
        if GRAVITY { free & (self.all << 1 | self.shape.bottom()) } else { free }
    }

    /// The stones of `First` and of `Second`.
    fn stones(&self) -> [S::Word; 2] {
        let other = self.own ^ self.all;
        match self.turn() {
            Player::First => [self.own, other],
            Player::Second => [other, self.own],
        }
    }

    /// Bounds on the value, and a set of cells that contains a best move.
    ///
    /// A row that can be completed wins; two that the other side can complete lose, one must be
    /// stopped. In Connect Four moves below a cell where the other side would complete a row are
    /// left out (Allis, "A knowledge-based approach of Connect-Four", 1988 \[All88\]). A player who
    /// can complete no row even with all free cells does not win. In Connect Four with an even number
    /// of rows Second can follow up, see [`Board::follow_up`].
    #[inline]
    fn known(&self) -> (Bounds, S::Word) {
        let (shape, mover, open) = (self.shape, self.turn(), self.open());
        let (free, other) = (shape.board() & !self.all, self.own ^ self.all);
        if !(completing(shape, self.own) & open).is_empty() {
            return (Bounds::exact(Score::win_of(mover)), open);
        }
        let threats = completing(shape, other) & free;
        let now = threats & open;
        let mut good = if now.is_empty() { open } else { now };
        if GRAVITY {
            good = good & !(threats >> 1);
        }
        if good.is_empty() || more_than_one(now) {
            return (Bounds::exact(Score::win_of(!mover)), open);
        }
        let range = Bounds::new(
            if has_row(shape, other | free) { Score(-1) } else { Score::DRAW },
            if has_row(shape, self.own | free) { Score(1) } else { Score::DRAW },
        );
        let bounds = range.seen_by(mover);
        if !(GRAVITY && shape.rows().is_multiple_of(2) && bounds.opti > Score::DRAW) {
            return (bounds, good);
        }
        (self.follow_up(bounds), good)
    }

    /// What Second gets by following up, where the number of rows is even.
    ///
    /// Second answers a stone of First with one on top of it. Columns that hold an odd number of
    /// stones break the pairs: when First plays the lowest free cell of one, Second plays that of
    /// another; when Second is to move, too, there is one more of them, and Second plays there
    /// first. So First gets no other free cells than those of odd rows, counted from 1, and the
    /// lowest ones of columns with an odd number of stones; Second gets the rest, unless the game
    /// ends before. If First's stones and cells hold no row, First does not win. If then Second's
    /// stones and cells hold one, Second wins: nothing else ends the game before the board is full.
    ///
    /// After each of these moves the same follows from the same cells, so the moves that realise
    /// the bound are those after which it holds.
    #[inline]
    pub(crate) fn follow_up(&self, bounds: Bounds) -> Bounds {
        let (shape, [first, second]) = (self.shape, self.stones());
        let free = shape.board() & !self.all;
        let odd = shape.odd_rows();
        let reach = free & (odd | self.open());
        if has_row(shape, first | reach) {
            bounds
        } else if has_row(shape, second | (free & !reach)) {
            Bounds::exact(Score::LOSS)
        } else {
            Bounds::new(bounds.pess, Score::DRAW)
        }
    }

    /// With gravity one set identifies a position: the stones of the mover, and in each column the
    /// cell above its stones.
    #[inline]
    fn code(&self) -> S::Word {
        (self.own | self.shape.bottom() | self.all << 1) & !(self.all ^ self.own)
    }

    /// The columns in the opposite order.
    #[inline]
    fn mirrored(&self, set: S::Word) -> S::Word {
        let stride = self.shape.stride();
        let column = !(!S::Word::EMPTY << (stride - 1) << 1);
        let (mut rest, mut image) = (set, set & column);
        for _ in 1..self.shape.cols() {
            rest = rest >> stride;
            image = image << stride | (rest & column);
        }
        image
    }

    /// A random open cell: a column is drawn again while it is full, which is faster than counting
    /// the open ones.
    #[inline]
    fn random_open(&self, open: S::Word, rng: &mut Rng) -> S::Word {
        if !GRAVITY {
            return S::Word::bit(open.random_cell(rng));
        }
        let stride = self.shape.stride();
        let column = self.shape.board() & !(!S::Word::EMPTY << (stride - 1));
        loop {
            let cell = open & column << (rng.below(self.shape.cols()) * stride);
            if !cell.is_empty() {
                return cell;
            }
        }
    }

    /// Reads a position; `x` and `o` are First and Second.
    pub fn parse(shape: S, text: &str) -> Result<Self, TextError> {
        let (cols, rows) = (shape.cols(), shape.rows());
        let widths = vec![cols as usize; rows as usize];
        let read = text::position(text, &widths, ".xo", ["x", "o"])?.at_most(1, text)?;
        let mut stones = [S::Word::EMPTY; 2];
        for (rank, r) in read.ranks.iter().zip((0..rows).rev()) {
            for (c, letter) in rank.iter().enumerate().filter(|(_, letter)| **letter != '.') {
                let set = &mut stones[usize::from(*letter == 'o')];
                *set = *set | S::Word::bit(shape.cell(c as u32, r));
            }
        }
        let [x, o] = stones.map(Word::count);
        let first = read.fields[0] == "x";
        if x != o + u32::from(!first) {
            let side = if first { "as many x as o" } else { "one more x than o" };
            return Err(bad_position(
                text,
                format!("{} to move needs {side}, not {x} and {o}", read.fields[0]),
            ));
        }
        let pos: Self = Board { own: stones[usize::from(!first)], all: stones[0] | stones[1], shape };
        if has_row(shape, pos.own) {
            return Err(bad_position(text, "the side to move has a row already: the game ended earlier"));
        }
        if GRAVITY && !(pos.all & !(pos.all << 1 | shape.bottom())).is_empty() {
            return Err(bad_position(text, "a stone hangs in the air: the cell below it is empty"));
        }
        Ok(pos)
    }

    /// Writes a position so that [`Board::parse`] reads it back.
    pub fn show(&self) -> String {
        let (cols, rows) = (self.shape.cols(), self.shape.rows());
        let ranks = (0..rows).rev().map(|r| (0..cols).map(|c| self.letter(c, r)).collect());
        text::show(ranks, if self.turn() == Player::First { "x" } else { "o" })
    }

    /// What stands on cell (c, r).
    fn letter(&self, c: u32, r: u32) -> char {
        let cell = self.shape.cell(c, r);
        match self.stones().map(|set| set.has(cell)) {
            [true, _] => 'x',
            [_, true] => 'o',
            _ => '.',
        }
    }

    /// The board as a picture.
    pub fn view(&self) -> View {
        View::rectangle(self.shape.cols() as usize, self.shape.rows() as usize, |c, r| {
            match self.letter(c as u32, r as u32) {
                'x' => ('X', Some(Player::First)),
                'o' => ('O', Some(Player::Second)),
                empty => (empty, None),
            }
        })
    }

    /// The column and the row of a move, from 0.
    pub fn place(&self, mv: Stone) -> (u32, u32) {
        let stride = self.shape.stride();
        (u32::from(mv) / stride, u32::from(mv) % stride)
    }
}

impl<S: Shape, const GRAVITY: bool> Position for Board<S, GRAVITY> {
    type Move = Stone;
    fn repeats(&self) -> bool {
        false
    }

    #[inline]
    fn turn(&self) -> Player {
        if self.all.count().is_multiple_of(2) { Player::First } else { Player::Second }
    }

    #[inline]
    fn outcome(&self) -> Option<Score> {
        if has_row(self.shape, self.own ^ self.all) {
            Some(Score::win_of(!self.turn()))
        } else if self.all == self.shape.board() {
            Some(Score::DRAW)
        } else {
            None
        }
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Stone>) {
        out.extend(self.open().cells().map(|cell| cell as Stone));
    }

    #[inline]
    fn play(&mut self, mv: Stone) {
        debug_assert!(self.open().has(u32::from(mv)), "cell {mv} is not open");
        self.own = self.own ^ self.all;
        self.all = self.all | S::Word::bit(u32::from(mv));
    }

    #[inline]
    fn key(&self) -> Key {
        if GRAVITY { self.code().key(0) } else { self.own.key_of_two(self.all) }
    }

    #[inline]
    fn canonical_key(&self, key: Key) -> Key {
        if GRAVITY {
            return key.min(self.mirrored(self.code()).key(0));
        }
        (1..self.symmetries()).map(|symmetry| self.transformed(symmetry).key()).fold(key, Key::min)
    }

    #[inline]
    fn slots(&self) -> usize {
        (self.shape.cols() * self.shape.stride()) as usize
    }

    #[inline]
    fn slot(&self, mv: Stone) -> usize {
        usize::from(mv)
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Stone>) -> usize {
        self.open().count() as usize
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<Stone>) -> Stone {
        self.random_open(self.open(), rng).lowest() as Stone
    }

    #[inline]
    fn playout(&mut self, rng: &mut Rng, _: &mut Vec<Stone>, trace: &mut impl FnMut(Player, Stone)) -> Score {
        if let Some(score) = self.outcome() {
            return score;
        }
        let mut mover = self.turn();
        // Without gravity an open cell stays open until it is played.
        let mut urn = Urn::new(if GRAVITY { S::Word::EMPTY } else { self.open() });
        loop {
            let stone = if GRAVITY {
                let open = self.open();
                if open.is_empty() {
                    return Score::DRAW;
                }
                self.random_open(open, rng)
            } else {
                match urn.draw(rng) {
                    Some(cell) => S::Word::bit(cell.into()),
                    None => return Score::DRAW,
                }
            };
            trace(mover, stone.lowest() as Stone);
            let stones = self.own | stone;
            self.own = self.own ^ self.all;
            self.all = self.all | stone;
            if has_row(self.shape, stones) {
                return Score::win_of(mover);
            }
            mover = !mover;
        }
    }

    /// Left and right are alike; without gravity top and bottom too, and the diagonals of a square.
    #[inline]
    fn symmetries(&self) -> usize {
        match (GRAVITY, self.shape.cols() == self.shape.rows()) {
            (true, _) => 2,
            (false, false) => 4,
            (false, true) => 8,
        }
    }

    #[inline]
    fn transformed(&self, symmetry: usize) -> Self {
        if symmetry == 1 {
            let [own, all] = [self.own, self.all].map(|set| self.mirrored(set));
            return Board { own, all, shape: self.shape };
        }
        let (cols, rows) = (self.shape.cols(), self.shape.rows());
        let image = |cell: u32| {
            let (c, r) = self.place(cell as Stone);
            let c = if symmetry & 1 != 0 { cols - 1 - c } else { c };
            let r = if symmetry & 2 != 0 { rows - 1 - r } else { r };
            if symmetry & 4 != 0 { self.shape.cell(r, c) } else { self.shape.cell(c, r) }
        };
        let images = |set: S::Word| {
            set.cells().fold(S::Word::EMPTY, |images, cell| images | S::Word::bit(image(cell)))
        };
        Board { own: images(self.own), all: images(self.all), shape: self.shape }
    }
}
