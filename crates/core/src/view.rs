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
    /// Cells are drawn with their names, because labels beside the board would not tell them.
    pub named: bool,
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

    /// The same rectangle with other names of its columns, numbered from 0.
    ///
    /// ```
    /// use proofplay_core::View;
    /// let view = View::rectangle(2, 1, |_, _| ('.', None)).with_columns(|c| ["p", "q"][c].to_owned());
    /// assert_eq!(view.draw(|symbol, _| symbol.to_string()), "1  . .\n   p q\n");
    /// assert_eq!(view.cells[1].name, "q1");
    /// ```
    pub fn with_columns(mut self, name: impl Fn(usize) -> String) -> View {
        for (x, label) in &mut self.columns {
            *label = name(*x as usize / 2);
        }
        for cell in &mut self.cells {
            cell.name = format!("{}{}", name(cell.x as usize / 2), cell.y + 1);
        }
        self
    }

    /// The picture as lines of text, top row first; `paint` may colour a piece.
    ///
    /// In a [named](View::named) view an empty cell is its name, and a piece stands before that of its own.
    ///
    /// ```
    /// use proofplay_core::{Player, View};
    /// let at = |c, r| if c == r { ('x', Some(Player::First)) } else { ('.', None) };
    /// let view = View::rectangle(2, 2, at);
    /// let plain = |symbol: char, _| symbol.to_string();
    /// assert_eq!(view.draw(plain), "2  . x\n1  x .\n   a b\n");
    /// let named = View { named: true, columns: vec![], rows: vec![], ..view };
    /// assert_eq!(named.draw(plain), "a2   x:b2\nx:a1 b1\n");
    /// ```
    pub fn draw(&self, paint: impl Fn(char, Option<Player>) -> String) -> String {
        // What is drawn for a cell, and how many characters of it are seen.
        let item = |cell: &Cell| match cell.owner {
            None if self.named && cell.symbol == '.' && !cell.name.is_empty() => {
                (cell.name.clone(), cell.name.len())
            }
            Some(_) if self.named && !cell.name.is_empty() => {
                (format!("{}:{}", paint(cell.symbol, cell.owner), cell.name), 2 + cell.name.len())
            }
            _ => (paint(cell.symbol, cell.owner), 1),
        };
        let labels = self.columns.iter().map(|(_, label)| label.len());
        let widest = self.cells.iter().map(|cell| item(cell).1).chain(labels).max().unwrap_or(1);
        // Rows of hexagons are shifted by half of that, which must be whole.
        let pitch = if self.hexagonal { (widest + 1).next_multiple_of(2) } else { widest + 1 };
        let margin = self.rows.iter().map(|(_, label)| label.len()).max().unwrap_or(0);
        let mut text = String::new();
        let line = |text: &mut String, label: &str, items: &mut Vec<(i16, (String, usize))>| {
            let mut out = format!("{label:>margin$}");
            if margin > 0 {
                out.push_str("  ");
            }
            items.sort_by_key(|item| item.0);
            let mut at = 0;
            for (x, (item, seen)) in items {
                let gap = (*x as usize * pitch / 2).saturating_sub(at);
                out.extend(std::iter::repeat_n(' ', gap));
                out.push_str(item);
                at += gap + *seen;
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
            line(&mut text, label, &mut row.map(|cell| (cell.x, item(cell))).collect());
        }
        if !self.columns.is_empty() {
            let columns = self.columns.iter().map(|(x, label)| (*x, (label.clone(), label.len())));
            line(&mut text, "", &mut columns.collect());
        }
        for note in &self.notes {
            text.push_str(note);
            text.push('\n');
        }
        text
    }
}
