//! A board as a picture: cells with places and pieces, enough to draw it without knowing the game.

use crate::Player;

/// A board to be drawn, in a terminal or on a page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// Every cell of the board.
    pub cells: Vec<Cell>,
    /// Labels under the board: `x` and text.
    pub columns: Vec<(i16, String)>,
    /// Labels left of the board: `y` and text.
    pub rows: Vec<(i16, String)>,
    /// Cells are hexagons: a row is shifted by half a cell against its neighbours.
    pub hexagonal: bool,
    /// Remarks for a person, one a line.
    pub notes: Vec<String>,
}

/// One cell of a [`View`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The name of the cell in move notation; empty when it has none.
    pub name: String,
    /// Place from the left, in half cells.
    pub x: i16,
    /// Place from the bottom, in cells.
    pub y: i16,
    /// What is on it.
    pub symbol: char,
    /// Whose it is.
    pub owner: Option<Player>,
}

/// The letters of column number `column` from 0: a … z, aa, ab …
///
/// ```
/// use proofplay_core::column_name;
/// assert_eq!([0, 25, 26, 27, 52].map(column_name), ["a", "z", "aa", "ab", "ba"]);
/// ```
pub fn column_name(column: usize) -> String {
    let letter = (b'a' + (column % 26) as u8) as char;
    if column < 26 { letter.into() } else { format!("{}{letter}", column_name(column / 26 - 1)) }
}

/// The name of a cell from its column and row, both from 0: `a1`.
pub fn cell_name(column: usize, row: usize) -> String {
    format!("{}{}", column_name(column), row + 1)
}

impl View {
    /// A rectangle of cells with letters below and numbers on the left; `at(column, row)` is what
    /// is on a cell.
    pub fn rectangle(
        columns: usize,
        rows: usize,
        at: impl Fn(usize, usize) -> (char, Option<Player>),
    ) -> View {
        let mut view = View {
            columns: (0..columns).map(|c| (2 * c as i16, column_name(c))).collect(),
            rows: (0..rows).map(|r| (r as i16, (r + 1).to_string())).collect(),
            ..View::default()
        };
        for row in 0..rows {
            for column in 0..columns {
                let (symbol, owner) = at(column, row);
                view.cells.push(Cell {
                    name: cell_name(column, row),
                    x: 2 * column as i16,
                    y: row as i16,
                    symbol,
                    owner,
                });
            }
        }
        view
    }

    /// The picture as lines of text, top row first; `paint` may colour a piece.
    ///
    /// ```
    /// use proofplay_core::View;
    /// let view = View::rectangle(2, 2, |c, r| (if c == r { 'x' } else { '.' }, None));
    /// assert_eq!(view.draw(|symbol, _| symbol.to_string()), "2  . x\n1  x .\n   a b\n");
    /// ```
    pub fn draw(&self, paint: impl Fn(char, Option<Player>) -> String) -> String {
        let widest = self.columns.iter().map(|(_, label)| label.len()).max().unwrap_or(1).max(1);
        let place = |x: i16| x as usize * (widest + 1) / 2;
        let margin = self.rows.iter().map(|(_, label)| label.len()).max().unwrap_or(0);
        let mut text = String::new();
        let line = |text: &mut String, label: &str, items: &mut Vec<(i16, String)>| {
            let mut out = format!("{label:>margin$}");
            if margin > 0 {
                out.push_str("  ");
            }
            items.sort_by_key(|item| item.0);
            let mut at = 0;
            for (x, symbol) in items {
                let gap = place(*x).saturating_sub(at);
                out.extend(std::iter::repeat_n(' ', gap));
                out.push_str(symbol);
                // A painted symbol is longer than what it shows: one cell.
                at += gap + if symbol.starts_with('\x1b') { 1 } else { symbol.chars().count() };
            }
            text.push_str(out.trim_end());
            text.push('\n');
        };
        let mut ys: Vec<i16> = self.cells.iter().map(|cell| cell.y).collect();
        ys.sort_unstable_by(|a, b| b.cmp(a));
        ys.dedup();
        for y in ys {
            let label = self.rows.iter().find(|row| row.0 == y).map_or("", |row| &row.1);
            let row = self.cells.iter().filter(|cell| cell.y == y);
            line(&mut text, label, &mut row.map(|cell| (cell.x, paint(cell.symbol, cell.owner))).collect());
        }
        if !self.columns.is_empty() {
            line(&mut text, "", &mut self.columns.clone());
        }
        for note in &self.notes {
            text.push_str(note);
            text.push('\n');
        }
        text
    }
}
