//! The planes of AlphaZero_Gomoku, whose networks play k in a row.
//!
//! Own stones, stones of the opponent, the last move, and 1 everywhere if the first player is to move;
//! rows from the top of the board to the bottom. Moves are counted from the bottom row. A position does
//! not know the last move, so that this plane is empty, as it is at the start of a game.

use super::{Encoder, MoveIndex};
use crate::NetError;
use proofplay_core::{Game, Player, Position};

/// The encoder of a game of k in a row.
#[derive(Clone, Debug)]
pub struct Gomoku<G> {
    game: G,
    board: [usize; 2],
}

impl<G: Game> Gomoku<G> {
    /// An error if it is another game.
    pub fn new(game: G) -> Result<Gomoku<G>, NetError> {
        let name = game.name();
        if !name.starts_with("mnk:") && name != "tictactoe" {
            return Err(NetError::new(format!("the encoder `gomoku` is for `mnk:…`, not for `{name}`")));
        }
        let view = game.view(&game.start());
        Ok(Gomoku { game, board: [view.columns.len(), view.rows.len()] })
    }
}

impl<G: Game> Encoder<G::Pos> for Gomoku<G> {
    fn board(&self) -> [usize; 2] {
        self.board
    }

    fn planes(&self) -> usize {
        4
    }

    fn outputs(&self) -> usize {
        self.board[0] * self.board[1]
    }

    fn encode(&self, pos: &G::Pos, planes: &mut [f32], _: &mut [f32]) {
        planes.fill(0.0);
        let (cells, mover) = (self.outputs(), pos.turn());
        for cell in &self.game.view(pos).cells {
            let place = (self.board[1] - 1 - cell.y as usize) * self.board[0] + cell.x as usize / 2;
            match cell.owner {
                Some(owner) if owner == mover => planes[place] = 1.0,
                Some(_) => planes[cells + place] = 1.0,
                None => {}
            }
        }
        if mover == Player::First {
            planes[3 * cells..].fill(1.0);
        }
    }

    fn index(&self, pos: &G::Pos, mv: <G::Pos as Position>::Move) -> MoveIndex {
        let name = self.game.show_move(pos, mv);
        let column = name.bytes().next().map_or(0, |letter| usize::from(letter.saturating_sub(b'a')));
        let row = name.get(1..).and_then(|row| row.parse::<usize>().ok()).unwrap_or(1);
        MoveIndex::one((row - 1) * self.board[0] + column)
    }
}
