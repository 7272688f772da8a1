//! The picture of a game: its board, with brackets round the pieces that the last move has put there,
//! and the last move as text.

use crate::record::Record;
use proofplay_core::{Cell, Player, View};

/// The board after the last move; `paint` may colour a piece.
pub fn picture(record: &Record, paint: impl Fn(char, Option<Player>) -> String) -> String {
    let view = record.now().view();
    let Some(last) = record.plies.last() else { return view.draw(paint) };
    let marked = placed(&record.after(record.plies.len() - 1).view(), &view, last.to_move);
    let board = draw(view, &marked, paint);
    format!("{board}last move: {} by {}\n", last.mv, record.start().side(last.to_move))
}

/// The cells, as numbers, on which the mover has put something: a piece of theirs that was not there,
/// or something that belongs to nobody.
fn placed(before: &View, after: &View, mover: Player) -> Vec<usize> {
    if before.cells.len() != after.cells.len() {
        return Vec::new();
    }
    let is_placed = |old: &Cell, new: &Cell| match (old.owner, new.owner) {
        (None, None) => old.symbol != new.symbol,
        (old, new) => new == Some(mover) && old != new,
    };
    let cells = before.cells.iter().zip(&after.cells).enumerate();
    cells.filter(|(_, (old, new))| is_placed(old, new)).map(|(i, _)| i).collect()
}

/// The picture of a view with brackets in the blanks round marked cells. Neighbours have one pair of
/// brackets.
fn draw(mut view: View, marked: &[usize], paint: impl Fn(char, Option<Player>) -> String) -> String {
    // Labels of rows leave a blank before the first column.
    if view.rows.is_empty() {
        return view.draw(paint);
    }
    // Characters that no game has stand for the marked cells.
    const FIRST: u32 = 0xe000;
    let marks: Vec<char> = (FIRST..0xf8ff).zip(marked).filter_map(|(mark, _)| char::from_u32(mark)).collect();
    let mut painted = Vec::new();
    for (&mark, &cell) in marks.iter().zip(marked) {
        let cell = &mut view.cells[cell];
        painted.push(paint(cell.symbol, cell.owner));
        cell.symbol = mark;
    }
    let number = |c: Option<&char>| c.and_then(|c| marks.iter().position(|mark| mark == c));
    let plain = view.draw(|symbol, owner| match number(Some(&symbol)) {
        Some(_) => symbol.to_string(),
        None => paint(symbol, owner),
    });
    let mut text = String::new();
    for line in plain.lines() {
        let chars: Vec<char> = line.chars().collect();
        for (i, c) in chars.iter().enumerate() {
            let left = number(i.checked_sub(1).and_then(|i| chars.get(i))).is_some();
            let right = number(chars.get(i + 1)).is_some();
            match (number(Some(c)), c) {
                (Some(number), _) => text += &painted[number],
                (None, ' ') if left && !right => text.push(']'),
                (None, ' ') if right && !left => text.push('['),
                (None, &c) => text.push(c),
            }
        }
        if number(chars.last()).is_some() {
            text.push(']');
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_registry::{GAMES, game};

    fn shown(name: &str, moves: &str) -> String {
        let mut record = Record::new(game(name).unwrap().start());
        moves.split_whitespace().for_each(|mv| record.play(mv).unwrap());
        picture(&record, |symbol, _| symbol.to_string())
    }

    #[test]
    fn last_moves_are_marked() {
        assert_eq!(shown("tictactoe", ""), "3  . . .\n2  . . .\n1  . . .\n   a b c\n");
        let corner = "3  . .[X]\n2  . . .\n1  . . .\n   a b c\nlast move: c3 by X\n";
        assert_eq!(shown("tictactoe", "c3"), corner);
        let middle = "3  . . X\n2  .[O].\n1  . . .\n   a b c\nlast move: b2 by O\n";
        assert_eq!(shown("tictactoe", "c3 b2"), middle);
        assert!(shown("connect4:4x4", "1 1").contains("\n2 [O]. . .\n1  X . . .\n"));
        // Captured stones are no pieces of the mover.
        assert!(shown("go:3x3", "b1 a1 a2").contains("\n2 [b]. .\n1  . b .\n"));
        let passed = shown("go:3x3", "b1 pass");
        assert!(!passed.contains('[') && passed.ends_with("\nlast move: pass by W\n"), "{passed}");
        let arrow = shown("amazons:4x4", "b1-b2/c2");
        assert!(arrow.contains("\n2  w[w x]w\n1  . . w .\n"), "{arrow}");
        let down = shown("domineering:3x3", "a1-a2");
        assert!(down.contains("2 [#]. .\n1 [#]. .\n"), "{down}");
        let across = shown("domineering:3x3", "a1-a2 b1-c1");
        assert!(across.contains("\n1  #[# #]\n"), "{across}");
        assert!(shown("breakthrough:4x4,rows=1", "a1-b2").contains("2  .[w]. .\n1  . w w w\n"));
    }

    /// Without its brackets a picture is what the game draws.
    #[test]
    fn pictures_of_all_games() {
        for entry in GAMES.iter() {
            let mut record = Record::new(game(entry.example()).unwrap().start());
            for _ in 0..6 {
                let Some(mv) = record.now().legal().pop() else { break };
                record.play(&mv).unwrap();
                let text = picture(&record, |symbol, _| symbol.to_string());
                let board = record.now().view().draw(|symbol, _| symbol.to_string());
                let (start, last) = text.split_at(text.find("last move: ").unwrap());
                let bare = |line: &str| line.replace(['[', ']'], " ").trim_end().to_owned();
                assert!(start.lines().map(bare).eq(board.lines().map(bare)), "{start}{board}");
                assert!(last.contains(&mv), "{last}");
                let painted = picture(&record, |symbol, _| format!("\x1b[1m{symbol}\x1b[0m"));
                let painted = painted.replace("\x1b[1m", "").replace("\x1b[0m", "");
                assert!(painted.lines().map(str::trim_end).eq(text.lines()), "{painted}{text}");
            }
        }
    }
}
