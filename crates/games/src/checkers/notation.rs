//! Where play starts, and how positions and moves are written.

use super::by_pieces::ByPieces;
use super::hints::Material;
use super::squares::Squares;
use super::{Board, Checkers, MOST_KING_MOVES, Setup, Way};
use crate::board::text::{self, bad_position};
use crate::board::{Grid, ReversibleMoves, Word};
use proofplay_core::{Game, Hints, Numbering, Player, TextError, View};
use std::sync::Arc;

/// The letters of men and kings, by player.
const LETTERS: [[char; 2]; 2] = [['w', 'W'], ['b', 'B']];

impl Checkers {
    /// The game with these parameters.
    ///
    /// # Panics
    /// If the size is out of range.
    pub fn new(setup: Setup) -> Checkers {
        Checkers { setup, squares: Squares::new(setup.size) }
    }

    /// The pieces each player begins with.
    fn men(&self) -> [u64; 2] {
        let Setup { size, rows, .. } = self.setup;
        let of_rows = |keep: &dyn Fn(u32) -> bool| {
            let squares = self.squares.board.cells().filter(|&square| keep(self.squares.row(square)));
            squares.fold(0, |set, square| set | 1 << square)
        };
        [of_rows(&|row| row < rows), of_rows(&|row| row >= size - rows)]
    }

    /// What is on a cell, and whose it is; `None` on cells that are not playing squares.
    fn at(&self, pos: &Board, cell: u32) -> Option<(char, Option<Player>)> {
        let square = self.squares.square(cell % self.setup.size, cell / self.setup.size)?;
        let owner = Player::BOTH.into_iter().find(|player| pos.pieces[player.index()].has(square));
        let letter = |player: Player| LETTERS[player.index()][usize::from(pos.kings.has(square))];
        Some((owner.map_or('.', letter), owner))
    }

    /// Why a position cannot arise in play, if it cannot.
    fn refusal(&self, pos: &Board) -> Option<String> {
        for (player, most) in Player::BOTH.into_iter().zip(self.men()) {
            let (pieces, [man, king]) = (pos.pieces[player.index()], LETTERS[player.index()]);
            let (count, most) = (pieces.count(), most.count());
            if count > most {
                return Some(format!(
                    "{count} `{man}` and `{king}`, but {} begins with {most}",
                    self.side(player)
                ));
            }
            if pieces & !pos.kings & self.squares.crowning[player.index()] != 0 {
                return Some(format!("a `{man}` on the last row would be a king"));
            }
        }
        let other = !pos.mover;
        if pos.pieces[other.index()] == 0 {
            return Some(format!("{} has no piece and cannot have moved last", self.side(other)));
        }
        // King moves alternate, the last one was the opponent's.
        for (player, at_least) in [(other, 1), (pos.mover, 2)] {
            if pos.king_moves >= at_least && pos.pieces[player.index()] & pos.kings == 0 {
                let side = self.side(player);
                return Some(format!(
                    "{side} has no king, but the last {} plies are king moves",
                    pos.king_moves
                ));
            }
        }
        None
    }
}

impl Game for Checkers {
    type Pos = Board;

    fn name(&self) -> String {
        let Setup { size, rows, limited } = self.setup;
        let rows = if rows == Setup::usual_rows(size) { String::new() } else { format!(",rows={rows}") };
        format!("checkers:{size}x{size}{rows}{}", if limited { "" } else { ",draw=none" })
    }

    fn start(&self) -> Board {
        Board {
            pieces: self.men(),
            kings: 0,
            squares: self.squares,
            mover: Player::First,
            limited: self.setup.limited,
            king_moves: 0,
            repeated: false,
            history: ReversibleMoves::default(),
        }
    }

    fn parse(&self, text: &str) -> Result<Board, TextError> {
        let size = self.setup.size as usize;
        let fields = if self.setup.limited { 2 } else { 1 };
        let read = text::position(text, &vec![size; size], ".wbWB", ["w", "b"])?.at_most(fields, text)?;
        let cells = LETTERS.map(|letters| letters.map(|letter| read.cells::<u128>(letter)));
        let sets = cells.map(|kinds| kinds.map(|cells| self.squares.of_cells(cells)));
        let found: u32 = cells.iter().flatten().map(|cells| cells.count()).sum();
        if sets.iter().flatten().map(|set| set.count()).sum::<u32>() != found {
            return Err(bad_position(text, "a piece is on a square of the other colour than a1"));
        }
        let mut pos = Board {
            pieces: sets.map(|[men, kings]| men | kings),
            kings: sets[0][1] | sets[1][1],
            mover: if read.fields[0] == "w" { Player::First } else { Player::Second },
            ..self.start()
        };
        if let Some(count) = read.fields.get(1) {
            let read = text::number(count, u32::from(MOST_KING_MOVES)).map(|count| count as u8);
            let expected = || {
                let most = MOST_KING_MOVES;
                bad_position(
                    text,
                    format!("king moves without capture are counted from 0 to {most}, not `{count}`"),
                )
            };
            pos.king_moves = read.ok_or_else(expected)?;
        }
        match self.refusal(&pos) {
            None => Ok(pos),
            Some(why) => Err(bad_position(text, why)),
        }
    }

    fn show(&self, pos: &Board) -> String {
        let ranks = text::ranks(&self.squares.grid, |cell| self.at(pos, cell).map_or('.', |found| found.0));
        let side = LETTERS[pos.mover.index()][0].to_string();
        let count = if pos.king_moves > 0 { format!(" {}", pos.king_moves) } else { String::new() };
        text::show(ranks, &(side + &count))
    }

    fn show_move(&self, pos: &Board, mv: Way) -> String {
        let name = |square: u64| self.squares.grid.name(self.squares.cell(square.lowest()));
        let mut squares = vec![name(1 << (mv & 63))];
        let effect = pos.effect(mv, |square| squares.push(name(square)));
        squares.join(if effect.captured == 0 { "-" } else { "x" })
    }

    fn side(&self, player: Player) -> &'static str {
        ["W", "B"][player.index()]
    }

    /// Cells that are not playing squares are blank.
    fn view(&self, pos: &Board) -> View {
        let Grid { cols, rows, .. } = *self.squares.grid;
        let mut view = View::rectangle(cols as usize, rows as usize, |c, r| {
            self.at(pos, self.squares.grid.cell(c as u32, r as u32)).unwrap_or((' ', None))
        });
        if pos.king_moves > 0 {
            view.notes.push(format!("{} king moves without capture", pos.king_moves));
        }
        view
    }

    fn numbering(&self, set: &str) -> Result<Arc<dyn Numbering<Board>>, TextError> {
        let most = ByPieces::MOST;
        let pieces = set.strip_prefix("pieces=").and_then(|pieces| text::number(pieces, most));
        let set_of = pieces.filter(|&pieces| pieces >= 2).map(|pieces| ByPieces::new(self, pieces));
        match set_of.filter(ByPieces::fits) {
            Some(set) => Ok(Arc::new(set)),
            None => Err(TextError::new(
                "set",
                set,
                format!("expected `pieces=N`, up to N pieces, N from 2 to {most}, on large boards to 5"),
            )),
        }
    }

    fn hints(&self) -> Arc<dyn Hints<Board>> {
        Arc::new(Material { most: self.men()[0].count().max(self.men()[1].count()) })
    }
}
