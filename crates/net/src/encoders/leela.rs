//! The planes of Leela Zero \[Sil17\]: own stones now and before each of the last seven turns, the same
//! for the stones of the opponent, and 1 everywhere in one of two planes that tell who is to move. Boards
//! before the first turn are empty planes. Cells and moves are counted from the lower left corner; the
//! last output is the pass.

use super::{Encoder, MoveIndex};
use crate::NetError;
use proofplay_core::{Game, Move, Player, Position};
use proofplay_games::go::{PASS, Story};

/// How many boards it reads.
const BOARDS: usize = 8;

/// How many symmetries a square has.
pub const SYMMETRIES: usize = 8;

/// The encoder of Go on a square board.
#[derive(Copy, Clone, Debug)]
pub struct LeelaZero {
    side: usize,
    symmetry: usize,
}

impl LeelaZero {
    /// Sees boards through one of eight symmetries; number 0 leaves them as they are. An error if the
    /// game is no Go on a square.
    pub fn new<G: Game>(game: &G, symmetry: usize) -> Result<LeelaZero, NetError> {
        match Story::of(&game.start(), 0) {
            Some(story) if story.columns == story.rows => {
                Ok(LeelaZero { side: story.columns, symmetry: symmetry % SYMMETRIES })
            }
            _ => {
                let name = game.name();
                Err(NetError::new(format!(
                    "the encoder `leela-zero` is for Go on square boards, not for `{name}`"
                )))
            }
        }
    }

    /// The cell that a symmetry makes of a cell: 4 swaps columns and rows, then 2 mirrors left and
    /// right, then 1 mirrors top and bottom.
    pub fn image(&self, cell: usize) -> usize {
        let last = self.side - 1;
        let (mut x, mut y) = (cell % self.side, cell / self.side);
        if self.symmetry & 4 != 0 {
            (x, y) = (y, x);
        }
        if self.symmetry & 2 != 0 {
            x = last - x;
        }
        if self.symmetry & 1 != 0 {
            y = last - y;
        }
        y * self.side + x
    }
}

impl<P: Position> Encoder<P> for LeelaZero {
    fn board(&self) -> [usize; 2] {
        [self.side; 2]
    }

    fn planes(&self) -> usize {
        2 * BOARDS + 2
    }

    fn outputs(&self) -> usize {
        self.side * self.side + 1
    }

    fn encode(&self, pos: &P, planes: &mut [f32], _: &mut [f32]) {
        planes.fill(0.0);
        let Some(story) = Story::of(pos, BOARDS - 1) else { return };
        let cells = self.side * self.side;
        for (number, board) in story.boards.iter().enumerate() {
            for (cell, owner) in board.iter().enumerate() {
                let Some(owner) = *owner else { continue };
                let plane = if owner == story.mover { number } else { BOARDS + number };
                planes[plane * cells + self.image(cell)] = 1.0;
            }
        }
        let of_mover = 2 * BOARDS + usize::from(story.mover == Player::Second);
        planes[of_mover * cells..][..cells].fill(1.0);
    }

    fn index(&self, _: &P, mv: P::Move) -> MoveIndex {
        let code = mv.code();
        let pass = code == u32::from(PASS);
        MoveIndex::one(if pass { self.side * self.side } else { self.image(code as usize) })
    }
}
