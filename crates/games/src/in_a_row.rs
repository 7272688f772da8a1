//! Rows of stones: the positions of tic-tac-toe, m,n,k-games and Connect Four.
//!
//! Cell (c, r) is bit `c * (rows + 1) + r`: columns side by side with a guard cell on top of each, so that a shifted
//! set never wraps into a neighbouring column. `K` or more own stones in a row, orthogonal or diagonal, win; a full
//! board without a row is a draw. With gravity a stone falls to the lowest empty cell of its column.

use crate::board::text::{self, bad_position};
use crate::board::{Interned, U256, Urn, Word, intern, rows_of};
use proofplay_core::{Bounds, Key, Player, Position, Rng, Score, TextError, View};
use std::fmt::Debug;
use std::hash::Hash;

/// The measures of a board: `Any` size known at run time, or `Fixed` at compile time for speed.
pub trait Shape: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// Holds all cells and guards.
    type Word: Word;
    /// Columns.
    fn cols(self) -> u32;
    /// Rows.
    fn rows(self) -> u32;
    /// How many in a row win.
    fn k(self) -> u32;
    /// All cells.
    fn board(self) -> Self::Word;
    /// The lowest cell of every column.
    fn bottom(self) -> Self::Word;

    /// From a cell to its neighbour on the right.
    #[inline]
    fn stride(self) -> u32 {
        self.rows() + 1
    }
    /// The bit of cell (c, r).
    #[inline]
    fn cell(self, c: u32, r: u32) -> u32 {
        c * self.stride() + r
    }
}

/// A size known at run time.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Any<W: Word>(Interned<Measures<W>>);

#[derive(Debug)]
struct Measures<W> {
    cols: u32,
    rows: u32,
    k: u32,
    board: W,
    bottom: W,
}

impl<W: Word> Any<W> {
    /// The shape of a board of `cols` times `rows` cells where `k` in a row win.
    ///
    /// # Panics
    /// If the board with its guards does not fit into the word.
    pub fn new(cols: u32, rows: u32, k: u32) -> Any<W> {
        assert!(cols * (rows + 1) <= W::BITS, "{cols}x{rows} cells do not fit");
        Any(intern(&[cols, rows, k], || {
            let column = |c| (0..rows).fold(W::EMPTY, |set, r| set | W::bit(c * (rows + 1) + r));
            Measures {
                cols,
                rows,
                k,
                board: (0..cols).fold(W::EMPTY, |set, c| set | column(c)),
                bottom: (0..cols).fold(W::EMPTY, |set, c| set | W::bit(c * (rows + 1))),
            }
        }))
    }
}

impl<W: Word> Shape for Any<W> {
    type Word = W;
    #[inline]
    fn cols(self) -> u32 {
        self.0.cols
    }
    #[inline]
    fn rows(self) -> u32 {
        self.0.rows
    }
    #[inline]
    fn k(self) -> u32 {
        self.0.k
    }
    #[inline]
    fn board(self) -> W {
        self.0.board
    }
    #[inline]
    fn bottom(self) -> W {
        self.0.bottom
    }
}

/// A size known at compile time; the board with its guards fits into 64 bits.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fixed<const COLS: u32, const ROWS: u32, const K: u32>;

impl<const COLS: u32, const ROWS: u32, const K: u32> Fixed<COLS, ROWS, K> {
    const BOTTOM: u64 = {
        assert!(COLS * (ROWS + 1) <= 64);
        let (mut set, mut c) = (0, 0);
        while c < COLS {
            set |= 1 << (c * (ROWS + 1));
            c += 1;
        }
        set
    };
}

impl<const COLS: u32, const ROWS: u32, const K: u32> Shape for Fixed<COLS, ROWS, K> {
    type Word = u64;
    #[inline]
    fn cols(self) -> u32 {
        COLS
    }
    #[inline]
    fn rows(self) -> u32 {
        ROWS
    }
    #[inline]
    fn k(self) -> u32 {
        K
    }
    #[inline]
    fn board(self) -> u64 {
        Self::BOTTOM * ((1 << ROWS) - 1)
    }
    #[inline]
    fn bottom(self) -> u64 {
        Self::BOTTOM
    }
}

/// The shape for boards that fit into 64, 128 or 256 bits.
pub enum AnyShape {
    /// At most 64 bits.
    Small(Any<u64>),
    /// At most 128 bits.
    Medium(Any<u128>),
    /// At most 256 bits.
    Large(Any<U256>),
}

impl AnyShape {
    /// The smallest shape that fits.
    pub fn new(cols: u32, rows: u32, k: u32) -> AnyShape {
        match cols * (rows + 1) {
            ..=64 => AnyShape::Small(Any::new(cols, rows, k)),
            65..=128 => AnyShape::Medium(Any::new(cols, rows, k)),
            _ => AnyShape::Large(Any::new(cols, rows, k)),
        }
    }
}

/// A position: the stones of the player to move and all stones; 16 bytes for a fixed shape.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board<S: Shape, const GRAVITY: bool> {
    own: S::Word,
    all: S::Word,
    shape: S,
}

/// The cell that gets a stone, as a bit number.
pub type Stone = u8;

/// Whether `k` stones of the set stand in a row.
#[inline]
fn has_row<S: Shape>(shape: S, stones: S::Word) -> bool {
    let (cols, rows, k, stride) = (shape.cols(), shape.rows(), shape.k(), shape.stride());
    let row = |step: u32| rows_of(stones, step, k);
    let mut found = S::Word::EMPTY;
    if k <= rows {
        found = found | row(1);
    }
    if k <= cols {
        found = found | row(stride);
    }
    if k <= rows.min(cols) {
        found = found | row(stride - 1) | row(stride + 1);
    }
    !found.is_empty()
}

/// The cells, free or not, where one stone more would stand in a row with `k - 1` of the set.
#[inline]
fn completing<S: Shape>(shape: S, stones: S::Word) -> S::Word {
    let (cols, rows, k, stride) = (shape.cols(), shape.rows(), shape.k(), shape.stride());
    let lines = [
        (1, k <= rows),
        (stride, k <= cols),
        (stride - 1, k <= rows.min(cols)),
        (stride + 1, k <= rows.min(cols)),
    ];
    let mut found = S::Word::EMPTY;
    for (step, fits) in lines {
        if fits {
            found = found | completing_on(stones, step, k);
        }
    }
    found
}

/// [`completing`] on lines of one direction.
#[inline]
fn completing_on<W: Word>(stones: W, step: u32, k: u32) -> W {
    // `below[i]`: the i cells before are all stones; so for those behind. Four is the usual number: no list for it.
    if k == 4 {
        let (a, b) = (stones << step, stones >> step);
        let (aa, bb) = (a & a << step, b & b >> step);
        return aa & aa << step | aa & b | a & bb | bb & bb >> step;
    }
    let mut found = W::EMPTY;
    for hole in 0..k {
        let mut cells = !W::EMPTY;
        for i in 0..k {
            if i < hole {
                cells = cells & stones << (step * (hole - i));
            } else if i > hole {
                cells = cells & stones >> (step * (i - hole));
            }
        }
        found = found | cells;
    }
    found
}

/// Whether a set has at least two cells.
#[inline]
fn more_than_one<W: Word>(set: W) -> bool {
    !set.is_empty() && !set.without_lowest().is_empty()
}

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

    /// Bounds on the value, and cells that suffice: see [`Position::admissible`].
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
        (range.seen_by(mover), good)
    }

    /// With gravity one set tells all: the stones of the mover, and in each column the cell above its stones.
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

    /// A random open cell: a column is drawn again while it is full, which is faster than counting the open ones.
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
    const ACYCLIC: bool = true;

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
        // Without gravity an open cell stays open until somebody plays there.
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

    /// A row that can be completed now is; one of the other side is blocked, two cannot be; and a stone is not put below a
    /// cell where the other side would complete a row (Allis, "A knowledge-based approach of Connect-Four", 1988 \[All88\]).
    /// Who can complete no row even with all free cells does not win.
    #[inline]
    fn admissible(&self, out: &mut Vec<Stone>) -> Bounds {
        let (bounds, good) = self.known();
        if !bounds.is_exact() {
            out.extend(good.cells().map(|cell| cell as Stone));
        }
        bounds
    }

    #[inline]
    fn certain(&self) -> Bounds {
        self.known().0
    }

    /// Rows that are one stone short, then the middle of the board.
    #[inline]
    fn promise(&self, mv: Stone) -> u8 {
        let stones = self.own | S::Word::bit(u32::from(mv));
        let short = (completing(self.shape, stones) & self.shape.board() & !self.all).count();
        let (c, _) = self.place(mv);
        let middle = c.min(self.shape.cols() - 1 - c);
        (short.min(15) * 16 + middle.min(15)) as u8
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
