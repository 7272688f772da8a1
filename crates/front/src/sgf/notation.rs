//! How games stand in SGF files: the number of each, its points and its moves.
//!
//! - Go (`GM[1]`): a point is column and row from the top left corner as letters, `ac`. A move is a
//!   point; nothing at all, and `tt` up to 19x19, is a pass.
//! - Lines of Action (`GM[9]`): a point is a letter and a number from the bottom left corner, `a5`. A
//!   move is `e1-e3`, or `c2:c5` if it captures, with marks such as `!` behind it; or `pass`; `resign`
//!   and `forfeit` end the game.
//! - Amazons (`GM[18]`): points as in Go; a move is from, to and arrow, `djddgd`.
//!
//! The numbers and forms are those of the pages for these games in \[Hol97\]. Hex (11) has a page too,
//! but `y` is not Hex, and the list of numbers has none for it.
//!
//! Black begins in all three, so B is the player who begins. That one is called W in our Amazons.

use super::bad;
use proofplay_core::TextError;

/// A cell: column and row from the bottom left corner, both from 0.
pub type Cell = (u8, u8);

/// What the value of `B` or `W` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A move: the cells that it names, in order.
    Move(Vec<Cell>),
    /// No stone is moved, and it is the other player's turn.
    Pass,
    /// The game is given up: no move.
    End,
}

/// A game that has a place in SGF.
#[derive(Debug)]
pub struct Kind {
    /// The number after `GM`.
    pub number: &'static str,
    /// Its name in this program.
    pub game: &'static str,
    /// Its name in sentences.
    pub title: &'static str,
    /// The side of the board if a file tells none.
    pub side: usize,
    /// The longest side of a board.
    pub longest: usize,
    /// What the properties that set a position up put on a cell, as position texts have it: first
    /// the stones of the player who begins, then the other's.
    pub stones: &'static [(&'static str, char)],
    /// A cell is a letter and a number, not two letters.
    has_numbers: bool,
    /// What stands before each cell of a move, as this program writes it.
    signs: &'static [&'static str],
}

/// All of them.
pub const KINDS: [Kind; 3] = [
    Kind {
        number: "1",
        game: "go",
        title: "Go",
        side: 19,
        longest: 19,
        stones: &[("AB", 'b'), ("AW", 'w'), ("AE", '.')],
        has_numbers: false,
        signs: &[""],
    },
    Kind {
        number: "9",
        game: "loa",
        title: "Lines of Action",
        side: 8,
        longest: 11,
        stones: &[("AB", 'b'), ("AW", 'w'), ("AE", '.')],
        has_numbers: true,
        signs: &["", "-"],
    },
    Kind {
        number: "18",
        game: "amazons",
        title: "Amazons",
        side: 10,
        longest: 26,
        stones: &[("AB", 'w'), ("AW", 'b'), ("AE", '.'), ("AA", 'x')],
        has_numbers: false,
        signs: &["", "-", "/"],
    },
];

/// How the game of this name, with or without parameters, stands in files.
pub fn kind_of(game: &str) -> Option<&'static Kind> {
    let name = game.split([':', '#']).next().unwrap_or_default();
    KINDS.iter().find(|kind| kind.game.eq_ignore_ascii_case(name))
}

/// Refuses a game that does not come as a game record.
pub fn expect_kind(game: &str) -> Result<&'static Kind, TextError> {
    let expected = "only games of go, loa and amazons come as SGF";
    kind_of(game).ok_or_else(|| TextError::new("game", game, expected))
}

/// A letter of a point, from 0.
fn letter(byte: u8) -> Option<u8> {
    byte.is_ascii_lowercase().then(|| byte - b'a')
}

impl Kind {
    /// The letters of the columns in moves of this program: Go leaves out the `i`.
    fn columns(&self) -> &'static [u8] {
        if self.game == "go" { b"abcdefghjklmnopqrst" } else { b"abcdefghijklmnopqrstuvwxyz" }
    }

    /// The cell that a text begins with, on a board of these columns and rows, and what follows.
    fn cell<'a>(&self, text: &'a str, cols: usize, rows: usize) -> Option<(Cell, &'a str)> {
        let column = letter(*text.as_bytes().first()?)?;
        let (row, length) = if self.has_numbers {
            let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
            (text[1..=digits].parse::<usize>().ok()?.checked_sub(1)?, 1 + digits)
        } else {
            let from_top = letter(*text.as_bytes().get(1)?)?;
            (rows.checked_sub(1 + usize::from(from_top))?, 2)
        };
        (usize::from(column) < cols && row < rows).then(|| ((column, row as u8), &text[length..]))
    }

    /// A point alone.
    pub fn point(&self, text: &str, cols: usize, rows: usize) -> Option<Cell> {
        let text = self.meant(text);
        self.cell(&text, cols, rows).filter(|(_, rest)| rest.is_empty()).map(|(cell, _)| cell)
    }

    /// A point as a file has it.
    pub fn show_point(&self, (column, row): Cell, rows: usize) -> String {
        let letter = |place: usize| (b'a' + place as u8) as char;
        let column = letter(usize::from(column));
        match self.has_numbers {
            true => format!("{column}{}", row + 1),
            false => format!("{column}{}", letter(rows - 1 - usize::from(row))),
        }
    }

    /// Values of Lines of Action may be in any case.
    fn meant(&self, text: &str) -> String {
        if self.has_numbers { text.to_lowercase() } else { text.to_owned() }
    }

    /// The value of `B` or `W`; `None` if it is none.
    pub fn step(&self, text: &str, cols: usize, rows: usize) -> Option<Step> {
        let text = self.meant(text);
        match (self.game, &*text) {
            ("go", "") | ("loa", "pass") => return Some(Step::Pass),
            ("loa", "resign" | "forfeit") => return Some(Step::End),
            _ => {}
        }
        let (mut rest, mut cells) = (&*text, Vec::new());
        for _ in self.signs {
            if self.has_numbers && !cells.is_empty() {
                rest = rest.trim_start().trim_start_matches(['-', ':']).trim_start();
            }
            let Some((cell, more)) = self.cell(rest, cols, rows) else {
                return (self.game == "go" && text == "tt").then_some(Step::Pass);
            };
            cells.push(cell);
            rest = more;
        }
        let is_whole = rest.is_empty() || self.has_numbers && !rest.starts_with(char::is_alphanumeric);
        is_whole.then_some(Step::Move(cells))
    }

    /// The same for a move of this program, with whether it captures, where moves tell that.
    pub fn step_of(&self, mv: &str) -> Result<(Step, bool), TextError> {
        if mv == "pass" {
            return Ok((Step::Pass, false));
        }
        let wrong = || bad(mv, format!("no move of {}", self.title));
        let (mut cells, mut captures) = (Vec::new(), false);
        let mut rest = mv;
        while let Some(first) = rest.bytes().next() {
            if !cells.is_empty() && [b'-', b'/', b'x'].contains(&first) {
                captures |= first == b'x';
                rest = &rest[1..];
            }
            let digits = rest.find(|c: char| c.is_ascii_digit()).ok_or_else(wrong)?;
            let end =
                rest[digits..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |end| digits + end);
            let column = match rest.as_bytes()[..digits] {
                [letter] => self.columns().iter().position(|&column| column == letter),
                _ => None,
            };
            let row = rest[digits..end].parse::<u8>().ok().and_then(|row| row.checked_sub(1));
            cells.push(column.map(|column| column as u8).zip(row).ok_or_else(wrong)?);
            rest = &rest[end..];
        }
        if cells.len() == self.signs.len() { Ok((Step::Move(cells), captures)) } else { Err(wrong()) }
    }

    /// A move as this program writes it; `None` if it is no move.
    pub fn show_move(&self, step: &Step, captures: bool) -> Option<String> {
        let cells = match step {
            Step::Move(cells) => cells,
            Step::Pass => return Some("pass".to_owned()),
            Step::End => return None,
        };
        let name = |&(column, row): &Cell| format!("{}{}", self.columns()[column as usize] as char, row + 1);
        let sign = |sign: &&'static str| if captures && !sign.is_empty() { "x" } else { *sign };
        Some(
            self.signs
                .iter()
                .map(sign)
                .zip(cells)
                .map(|(sign, cell)| format!("{sign}{}", name(cell)))
                .collect(),
        )
    }

    /// The value of `B` or `W` for a move on a board of so many columns and rows.
    pub fn value(&self, mv: &str, cols: usize, rows: usize) -> Result<String, TextError> {
        let (step, captures) = self.step_of(mv)?;
        let cells = match step {
            Step::Move(cells) => cells,
            _ if self.has_numbers => return Ok("pass".to_owned()),
            _ => return Ok(String::new()),
        };
        if cells.iter().any(|&(column, row)| usize::from(column) >= cols || usize::from(row) >= rows) {
            return Err(bad(mv, format!("no move of {}", self.title)));
        }
        let points: Vec<String> = cells.into_iter().map(|cell| self.show_point(cell, rows)).collect();
        let sign = if !self.has_numbers {
            ""
        } else if captures {
            ":"
        } else {
            "-"
        };
        Ok(points.join(sign))
    }
}
