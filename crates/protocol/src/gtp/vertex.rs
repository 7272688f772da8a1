//! Moves as the protocol writes them.
//!
//! A move that puts one stone on one cell is a vertex, in every game: a letter without `I` and a row
//! from the bottom, `J5`; `AA` comes after `Z`. So a click on a board is a move, and column 4 of Connect Four is `D1` first
//! and `D2` then. Other moves are written as proofplay writes them, `a4-a6/d6`; so may vertices be when
//! they are read, where no vertex means something else.

use proofplay_core::{Player, TextError};
use proofplay_front::record::Record;
use proofplay_registry::DynPosition;

/// The colour of the player who begins, and of the other one.
pub const COLOURS: [&str; 2] = ["black", "white"];

/// Reads a colour.
pub fn colour(text: &str) -> Result<Player, String> {
    match text.to_lowercase().as_str() {
        "b" | "black" => Ok(Player::First),
        "w" | "white" => Ok(Player::Second),
        _ => Err(format!("colour `{text}`: expected b, black, w or white")),
    }
}

/// Whether it is Go, where our letters are those of the protocol.
pub fn is_go(pos: &dyn DynPosition) -> bool {
    pos.game().split([':', '#']).next() == Some("go")
}

/// The letters of columns: those of the protocol, which has no `I`.
const LETTERS: &[u8] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// Column and row of a cell, from 0, if its name has this form: `a1`, or `aa1` after `z1`.
pub fn place(pos: &dyn DynPosition, cell: &str) -> Option<(usize, usize)> {
    let digits = cell.find(|c: char| c.is_ascii_digit())?;
    let (letters, row) = cell.split_at(digits);
    let number = |letter: u8| letter.is_ascii_lowercase().then(|| usize::from(letter - b'a'));
    let column = match *letters.as_bytes() {
        [letter] => number(letter)? - usize::from(is_go(pos) && letter > b'i'),
        [first, second] => 26 * (number(first)? + 1) + number(second)?,
        _ => return None,
    };
    Some((column, row.parse::<usize>().ok()?.checked_sub(1)?))
}

/// The name of the cell in this column and row, from 0; after `Z` comes `AA`.
pub fn vertex_at((column, row): (usize, usize)) -> Option<String> {
    let letter = |number: usize| LETTERS.get(number).map(|letter| char::from(*letter));
    let first = match column / LETTERS.len() {
        0 => String::new(),
        number => letter(number - 1)?.to_string(),
    };
    Some(format!("{first}{}{}", letter(column % LETTERS.len())?, row + 1))
}

/// Whether the cells are those of a board with columns and rows.
fn has_board(pos: &dyn DynPosition) -> bool {
    is_go(pos) || pos.view().cells.iter().any(|cell| cell.name == "a1")
}

/// The cell on which a move puts its one stone.
fn cell_of(pos: &dyn DynPosition, mv: &str) -> Option<String> {
    if place(pos, mv).is_some() {
        return Some(mv.to_owned());
    }
    let (before, mut after) = (pos.view(), pos.boxed());
    after.play(mv).ok()?;
    let after = after.view();
    let changed: Vec<_> = before.cells.iter().zip(&after.cells).filter(|(old, new)| old != new).collect();
    match changed[..] {
        [(old, new)] if old.owner.is_none() && new.owner == Some(pos.turn()) => Some(new.name.clone()),
        _ => None,
    }
}

/// The vertex of a legal move that puts one stone.
fn vertex_of(pos: &dyn DynPosition, mv: &str) -> Option<String> {
    vertex_at(place(pos, &cell_of(pos, mv)?)?)
}

/// A legal move as the protocol writes it.
pub fn write(pos: &dyn DynPosition, mv: &str) -> String {
    has_board(pos).then(|| vertex_of(pos, mv)).flatten().unwrap_or_else(|| mv.to_owned())
}

/// The move that was written, in any case, as the game writes it.
pub fn read(record: &Record, text: &str) -> Result<String, TextError> {
    let pos = record.now();
    if !is_go(pos) && place(pos, &text.to_lowercase()).is_some() && has_board(pos) {
        let is_meant = |mv: &String| vertex_of(pos, mv).is_some_and(|own| own.eq_ignore_ascii_case(text));
        if let Some(mv) = pos.legal().into_iter().find(is_meant) {
            return Ok(mv);
        }
        // The same text is the cell of another column where the letters are ours.
        let is_none = text.starts_with(['i', 'I']);
        let why = if is_none { "not legal here, where there is no column I" } else { "not legal here" };
        return Err(TextError::new("move", text, why));
    }
    pos.boxed().enter(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_registry::{GAMES, game};

    fn record(name: &str, moves: &str) -> Record {
        let mut record = Record::new(game(name).unwrap().start());
        moves.split_whitespace().for_each(|mv| record.play(mv).unwrap());
        record
    }

    #[test]
    fn one_stone_is_a_vertex() {
        let written = |name: &str, moves: &str, mv: &str| write(record(name, moves).now(), mv);
        assert_eq!(written("go:9x9", "", "j5"), "J5");
        assert_eq!(written("go:9x9", "", "pass"), "pass");
        assert_eq!(written("mnk:9x9k5", "", "i5"), "J5");
        assert_eq!(written("connect4", "4 4", "4"), "D3");
        assert_eq!(["z1", "aa1", "dx1"].map(|mv| written("mnk:128x1k3", "", mv)), ["AA1", "AB1", "EC1"]);
        assert_eq!(written("seki:2,2", "", "o1"), "o1");
        assert_eq!(written("amazons", "", "a4-a6/d6"), "a4-a6/d6");
        let read = |name: &str, moves: &str, text: &str| read(&record(name, moves), text);
        assert_eq!(read("mnk:9x9k5", "", "j5").unwrap(), "i5");
        assert!(read("mnk:9x9k5", "", "i5").unwrap_err().to_string().contains("no column I"));
        assert_eq!(read("go:9x9", "", "J5").unwrap(), "j5");
        assert_eq!(read("connect4", "4", "d2").unwrap(), "4");
        assert_eq!(read("connect4", "4", "4").unwrap(), "4");
        assert!(read("connect4", "4", "d1").is_err());
        assert_eq!(read("amazons", "", "A4-A6/D6").unwrap(), "a4-a6/d6");
        assert!(read("go:9x9", "", "é").is_err() && read("mnk:9x9k5", "", "é5").is_err());
    }

    /// Every legal move is read back as it was, at the start of every game and after some moves.
    #[test]
    fn moves_are_read_back() {
        for entry in GAMES.iter() {
            for board in entry.boards() {
                let mut record = record(board, "");
                for turn in 0..6 {
                    let legal = record.now().legal();
                    for mv in legal.iter().step_by(1 + legal.len() / 40) {
                        let text = write(record.now(), mv);
                        assert_eq!(&read(&record, &text).unwrap(), mv, "{text} in {board}");
                        assert!(!text.contains(' '), "{text} in {board}");
                    }
                    let Some(mv) = legal.get(turn * 7 % legal.len().max(1)) else { break };
                    record.play(mv).unwrap();
                }
            }
        }
    }
}
