//! The measures of a board of columns.

use crate::board::text::{self, bad_parameters};
use crate::board::{Interned, U256, Word, intern};
use proofplay_core::TextError;
use std::fmt::Debug;
use std::hash::Hash;

/// Reads the size of a board and its `k`: columns, rows, k. `parameters` is the whole text, for the error.
pub(crate) fn measures(parameters: &str, size: &str, k: &str) -> Result<[u32; 3], TextError> {
    let (cols, rows) = text::size(size)?;
    let number = text::number(k, text::MAX_CELLS).filter(|&k| k > 0).ok_or_else(|| {
        let most = text::MAX_CELLS;
        bad_parameters(parameters, format!("the K of `kK` is a number from 1 to {most}, not `{k}`"))
    })?;
    Ok([cols, rows, number])
}

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
    /// The cells of the first, third, fifth ... row.
    fn odd_rows(self) -> Self::Word;

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
    odd_rows: W,
}

impl<W: Word> Any<W> {
    /// The shape of a board of `cols` times `rows` cells where `k` in a row win.
    ///
    /// # Panics
    /// If the board with its guards does not fit into the word.
    pub fn new(cols: u32, rows: u32, k: u32) -> Any<W> {
        assert!(cols * (rows + 1) <= W::BITS, "{cols}x{rows} cells do not fit");
        Any(intern(&[cols, rows, k], || {
            let cells = |within: fn(u32) -> bool| {
                let places = (0..cols).flat_map(|c| (0..rows).map(move |r| (c, r)));
                let cell = |(c, r): (u32, u32)| W::bit(c * (rows + 1) + r);
                places.filter(|place| within(place.1)).fold(W::EMPTY, |set, place| set | cell(place))
            };
            Measures {
                cols,
                rows,
                k,
                board: cells(|_| true),
                bottom: cells(|r| r == 0),
                odd_rows: cells(|r| r % 2 == 0),
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
    #[inline]
    fn odd_rows(self) -> W {
        self.0.odd_rows
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
    #[inline]
    fn odd_rows(self) -> u64 {
        Self::BOTTOM * (((1 << ROWS) - 1) & 0x5555_5555_5555_5555)
    }
}

/// The shape for boards that fit into 64, 128 or 256 bits.
#[derive(Debug)]
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
