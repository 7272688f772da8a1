//! Tic-tac-toe: the [`crate::mnk`] game on 3x3 cells with three in a row, of a size known at compile time.

use crate::board::text::bad_parameters;
use crate::in_a_row::Fixed;
use crate::mnk::Mnk;
use proofplay_core::{Family, GameVisitor, TextError};

/// The game; it has no parameters.
#[derive(Copy, Clone, Debug)]
pub struct TicTacToe;

impl TicTacToe {
    /// The game.
    pub fn game() -> Mnk<Fixed<3, 3, 3>> {
        Mnk::new(Fixed)
    }
}

impl Family for TicTacToe {
    const NAME: &str = "tictactoe";
    const PARAMETERS: &str = "";
    const EXAMPLE: &str = "";
    const RULES: &str = "X and O take turns on a 3x3 board; three in a row win";
    const FULL_RULES: &str = include_str!("rules/tictactoe.md");
    const LINE: &str = "b2 a1";
    const SMALL: &[&str] = &[""];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        if parameters.is_empty() {
            Ok(visitor.visit(TicTacToe::game()))
        } else {
            Err(bad_parameters(parameters, "tictactoe has none; other boards are `mnk:CxRkK`"))
        }
    }
}
