//! A game so far with its board, enough to draw it and to play on without knowing the rules: what a page needs.

use super::Here;
use crate::answer::{outcome_sentence, outcome_word};
use crate::points::Points;
use crate::record::{Ply, Record};
use crate::sgf::NotFollowed;
use crate::touched::Touched;
use proofplay_core::{Player, View};
use serde::Serialize;

/// A game so far, and how it looks: `board`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Board {
    /// The position at its end.
    #[serde(flatten)]
    pub here: Here,
    /// The position at its start.
    pub start: String,
    /// The moves that were made.
    pub plies: Vec<PlyMade>,
    /// What the players are called, the one who began first.
    pub sides: [String; 2],
    /// `first`, `second` or `draw`; null while the game goes on.
    pub outcome: Option<String>,
    /// The score in the view of the player who began; null while the game goes on.
    pub score: Option<Points>,
    /// How the game has ended, as a sentence; null while it goes on.
    pub result: Option<String>,
    /// The scores that the position still allows, in the view of the player who began.
    pub range: super::Pair,
    /// The legal moves.
    pub moves: Vec<MoveCells>,
    /// What stands where.
    pub picture: Picture,
    /// What the SGF file of the game has beside this line, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_followed: Option<NotFollowed>,
}

/// A move that was made, with its cells.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlyMade {
    /// The move.
    #[serde(flatten)]
    pub ply: Ply,
    /// The cells that it touched, as numbers in `picture.cells`, in the order of its text.
    pub cells: Vec<usize>,
}

/// A legal move with its cells.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveCells {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The cells that a person clicks for it, as numbers in `picture.cells`; none of a pass.
    pub cells: Vec<usize>,
}

/// What stands where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Picture {
    /// Every cell.
    pub cells: Vec<CellShown>,
    /// Labels under the board: x and text.
    pub columns: Vec<(i16, String)>,
    /// Labels left of the board: y and text.
    pub rows: Vec<(i16, String)>,
    /// Cells are hexagons, rows are shifted by half a cell.
    pub hexagonal: bool,
    /// Cells are known by their names, not by labels beside the board.
    pub named: bool,
    /// Remarks for a person.
    pub notes: Vec<String>,
}

/// A cell of a [`Picture`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CellShown {
    /// Its name in the notation of moves; empty if it has none.
    pub name: String,
    /// Place from the left, in half cells.
    pub x: i16,
    /// Place from the bottom, in cells.
    pub y: i16,
    /// What is on it.
    pub symbol: char,
    /// `first`, `second` or null: whose it is.
    pub owner: Option<String>,
}

impl From<View> for Picture {
    fn from(view: View) -> Picture {
        let View { cells, columns, rows, hexagonal, named, notes } = view;
        let shown = |cell: proofplay_core::Cell| CellShown {
            owner: cell.owner.map(|owner| owner.to_string()),
            name: cell.name,
            x: cell.x,
            y: cell.y,
            symbol: cell.symbol,
        };
        Picture { cells: cells.into_iter().map(shown).collect(), columns, rows, hexagonal, named, notes }
    }
}

impl Board {
    /// The game of a record.
    pub fn new(record: &Record) -> Board {
        let (now, touched) = (record.now(), Touched::new(record.start()));
        let mut before = record.start().boxed();
        let mut made = |ply: &Ply| {
            let cells = touched.cells(&*before, &ply.mv);
            before.play(&ply.mv).expect("it was legal before");
            PlyMade { ply: ply.clone(), cells }
        };
        let cells = |mv: String| MoveCells { cells: touched.cells(now, &mv), mv };
        let outcome = now.outcome();
        Board {
            here: Here::new(now),
            start: record.start().text(),
            plies: record.plies.iter().map(&mut made).collect(),
            sides: Player::BOTH.map(|player| now.side(player).to_owned()),
            outcome: outcome.map(outcome_word),
            score: outcome.map(|score| Points::of(&now.game(), score)),
            result: outcome.map(|score| outcome_sentence(now, score)),
            range: super::pair(&now.game(), now.range()),
            moves: now.legal().into_iter().map(cells).collect(),
            picture: now.view().into(),
            not_followed: record.not_followed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;
    use proofplay_registry::SetupError;

    #[test]
    fn boards_have_all_that_a_page_draws() {
        let read =
            |text: &str| Setup::read(text).unwrap().record(usize::MAX, || Ok::<(), SetupError>(())).unwrap();
        let board = Board::new(&read("game: connect4:4x4\nmoves: 2 2 3"));
        assert_eq!((board.plies[1].cells.as_slice(), board.plies[1].ply.mv.as_str()), (&[5][..], "2"));
        assert_eq!(board.picture.cells[5].owner.as_deref(), Some("second"));
        assert_eq!(board.moves.iter().map(|m| m.cells[0]).collect::<Vec<_>>(), [0, 9, 6, 3]);
        assert_eq!((board.sides, board.result), (["X".to_owned(), "O".to_owned()], None));
        let over = Board::new(&read("game: tictactoe\nmoves: a1 b1 a2 b2 a3"));
        assert_eq!(over.result.as_deref(), Some("the game is over: X has won"));
        assert!(over.moves.is_empty() && over.outcome.as_deref() == Some("first"));
    }
}
