//! Reading parameters and position texts, with errors that say what was expected.

use super::{Grid, Word};
use proofplay_core::TextError;

/// The most cells that a board may have.
pub const MAX_CELLS: u32 = 128;

/// An error about the parameters of a game.
pub fn bad_parameters(text: &str, expected: impl Into<String>) -> TextError {
    TextError::new("parameters", text, expected)
}

/// An error about a position.
pub fn bad_position(text: &str, expected: impl Into<String>) -> TextError {
    TextError::new("position", text, expected)
}

/// A number written in plain digits, not larger than `most`.
pub fn number(text: &str, most: u32) -> Option<u32> {
    let plain = !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    let number = if plain { text.parse().ok()? } else { return None };
    (number <= most).then_some(number)
}

/// Reads `COLUMNSxROWS`; both at least 1, at most [`MAX_CELLS`] cells.
pub fn size(text: &str) -> Result<(u32, u32), TextError> {
    let wrong = || {
        let form = format!("the size is COLUMNSxROWS, both at least 1, at most {MAX_CELLS} cells, e.g. 5x6");
        bad_parameters(text, form)
    };
    let (cols, rows) = text.split_once('x').ok_or_else(wrong)?;
    let (cols, rows) = number(cols, MAX_CELLS).zip(number(rows, MAX_CELLS)).ok_or_else(wrong)?;
    if cols == 0 || rows == 0 || cols * rows > MAX_CELLS { Err(wrong()) } else { Ok((cols, rows)) }
}

/// Reads `COLUMNSxROWS`; both from 1 to `longest`.
pub fn sides(text: &str, longest: u32) -> Result<(u32, u32), TextError> {
    let side = |side| number(side, longest).filter(|&side| side > 0);
    let sides = text.split_once('x').and_then(|(cols, rows)| side(cols).zip(side(rows)));
    sides.ok_or_else(|| {
        bad_parameters(text, format!("the size is COLUMNSxROWS, both from 1 to {longest}, e.g. 9x9"))
    })
}

/// A position text split into ranks and the fields after them.
#[derive(Debug)]
pub struct PositionText<'a> {
    /// Ranks from top to bottom, one character a cell.
    pub ranks: Vec<Vec<char>>,
    /// Side to move and what else there is.
    pub fields: Vec<&'a str>,
}

/// Splits a position text: `widths` of the ranks from top to bottom, the letters a cell may have,
/// and the letters of the two sides to move.
pub fn position<'a>(
    text: &'a str,
    widths: &[usize],
    letters: &str,
    sides: [&str; 2],
) -> Result<PositionText<'a>, TextError> {
    let mut fields = text.split_whitespace();
    let board = fields.next().ok_or_else(|| bad_position(text, "is empty"))?;
    let ranks: Vec<Vec<char>> = board.split('/').map(|rank| rank.chars().collect()).collect();
    if ranks.len() != widths.len() {
        let counts = format!("{} ranks separated by `/` expected, {} found", widths.len(), ranks.len());
        return Err(bad_position(text, counts));
    }
    for (i, (rank, &width)) in ranks.iter().zip(widths).enumerate() {
        if rank.len() != width {
            let n = rank.len();
            return Err(bad_position(
                text,
                format!("rank {} from the top has {n} cells, not {width}", i + 1),
            ));
        }
        if let Some(odd) = rank.iter().find(|&&c| !letters.contains(c)) {
            return Err(bad_position(text, format!("a cell is one of `{letters}`, not `{odd}`")));
        }
    }
    let fields: Vec<&str> = fields.collect();
    if !fields.first().is_some_and(|side| sides.contains(side)) {
        let [a, b] = sides;
        return Err(bad_position(text, format!("the side to move, `{a}` or `{b}`, must follow the board")));
    }
    Ok(PositionText { ranks, fields })
}

/// [`position`] for a rectangle, with nothing after the side to move.
pub fn rectangle<'a, W: Word>(
    text: &'a str,
    grid: &Grid<W>,
    letters: &str,
    sides: [&str; 2],
) -> Result<PositionText<'a>, TextError> {
    position(text, &vec![grid.cols as usize; grid.rows as usize], letters, sides)?.at_most(1, text)
}

impl PositionText<'_> {
    /// The cells of a rectangle that have this letter.
    pub fn cells<W: Word>(&self, letter: char) -> W {
        let from_below = self.ranks.iter().rev().flatten().zip(0..);
        from_below.filter(|(l, _)| **l == letter).fold(W::EMPTY, |set, (_, cell)| set | W::bit(cell))
    }

    /// Refuses fields after the side to move beyond the first `most`.
    pub fn at_most(self, most: usize, text: &str) -> Result<Self, TextError> {
        match self.fields.get(most) {
            None => Ok(self),
            Some(extra) => Err(bad_position(text, format!("nothing may follow here, but `{extra}` does"))),
        }
    }
}

/// The ranks of a rectangle from top to bottom; `letter` gives what is on a cell.
pub fn ranks<W: Word>(grid: &Grid<W>, letter: impl Fn(u32) -> char) -> impl Iterator<Item = String> {
    (0..grid.rows).rev().map(move |r| (0..grid.cols).map(|c| letter(grid.cell(c, r))).collect())
}

/// Joins ranks, given from top to bottom, and the side to move.
pub fn show(ranks: impl IntoIterator<Item = String>, side: &str) -> String {
    format!("{} {side}", ranks.into_iter().collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("7x6"), Ok((7, 6)));
        assert_eq!(size("128x1"), Ok((128, 1)));
        for bad in
            ["", "x", "7", "7x", "x6", "0x5", "5x0", "999x999", "-3x3", "+3x3", "3 x3", "12x11", "7x6x5"]
        {
            assert!(size(bad).is_err(), "{bad}");
        }
        assert!(size("99999999999999999999x1").is_err());
    }

    #[test]
    fn positions() {
        let read = |text| {
            position(text, &[2, 3], ".xo", ["x", "o"]).map(|p| (p.ranks.concat().len(), p.fields.len()))
        };
        assert_eq!(read("x./..o o"), Ok((5, 1)));
        for bad in ["", "x. o", "x./..o", "x./..o z", "x./..oo o", "x./..? o", "x./..é o"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
