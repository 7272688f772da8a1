//! Complete rows, and rows that one more stone completes.

use super::Shape;
use crate::board::{Word, rows_of};

/// Whether `k` stones of the set stand in a row.
#[inline]
pub(super) fn has_row<S: Shape>(shape: S, stones: S::Word) -> bool {
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
pub(super) fn completing<S: Shape>(shape: S, stones: S::Word) -> S::Word {
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
    // `below[i]`: the i cells before are all stones; likewise for those after. Four is the usual
    // number: no list for it.
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
pub(super) fn more_than_one<W: Word>(set: W) -> bool {
    !set.is_empty() && !set.without_lowest().is_empty()
}
