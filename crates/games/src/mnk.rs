//! m,n,k-games, tic-tac-toe among them: stones on any empty cell; K in a row win.
//!
//! ```text
//! 3  . . .      X is First. A move is a cell: `b2`.
//! 2  . X .      K or more stones in a row, also diagonally, win; a full board is a draw.
//! 1  O . .
//!    a b c
//! ```
//!
//! Stones stay: positions do not repeat. Largest board: 128 cells. See [`crate::in_a_row`] for the
//! position.

use crate::board::text::bad_parameters;
use crate::in_a_row::{self, AnyShape, Board, Rows, Shape, Stone, Threats};
use proofplay_core::{Facts, Family, Game, GameVisitor, Hints, Player, TextError, View, cell_name};
use std::sync::Arc;

/// The parameters: the size of the board and how many in a row win.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Columns.
    pub cols: u32,
    /// Rows.
    pub rows: u32,
    /// How many in a row win.
    pub k: u32,
}

impl Setup {
    /// Reads `CxRkK`.
    pub fn parse(parameters: &str) -> Result<Setup, TextError> {
        let (size, k) = parameters
            .split_once('k')
            .ok_or_else(|| bad_parameters(parameters, "the parameters are COLUMNSxROWSkK, e.g. 3x3k3"))?;
        let [cols, rows, k] = in_a_row::measures(parameters, size, k)?;
        Ok(Setup { cols, rows, k })
    }
}

impl Family for Setup {
    const NAME: &str = "mnk";
    const PARAMETERS: &str = "CxRkK";
    const EXAMPLE: &str = "4x4k4";
    const RULES: &str = "X and O take turns on C columns and R rows; K or more in a row win";
    const FULL_RULES: &str = include_str!("rules/mnk.md");
    const LINE: &str = "b3 b2 c2";
    const SMALL: &[&str] = &["2x2k2", "4x2k3", "4x3k3", "4x4k2"];
    const STANDARD: &[&str] = &["9x9k5"];
    const VARIED: &[&str] = &["1x1k1", "8x8k5", "16x8k5", "128x1k3", "1x128k4", "12x10k6"];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        let Setup { cols, rows, k } = Setup::parse(parameters)?;
        Ok(match AnyShape::new(cols, rows, k) {
            AnyShape::Small(shape) => visitor.visit(Mnk::new(shape)),
            AnyShape::Medium(shape) => visitor.visit(Mnk::new(shape)),
            AnyShape::Large(shape) => visitor.visit(Mnk::new(shape)),
        })
    }
}

/// The game on a board of some shape.
#[derive(Clone, Debug)]
pub struct Mnk<S: Shape> {
    shape: S,
}

impl<S: Shape> Mnk<S> {
    /// The game on this board.
    pub fn new(shape: S) -> Self {
        Mnk { shape }
    }
}

impl<S: Shape> Game for Mnk<S> {
    type Pos = Board<S, false>;

    fn name(&self) -> String {
        match (self.shape.cols(), self.shape.rows(), self.shape.k()) {
            (3, 3, 3) => "tictactoe".to_owned(),
            (cols, rows, k) => format!("mnk:{cols}x{rows}k{k}"),
        }
    }

    fn start(&self) -> Self::Pos {
        Board::empty(self.shape)
    }

    fn parse(&self, text: &str) -> Result<Self::Pos, TextError> {
        Board::parse(self.shape, text)
    }

    fn show(&self, pos: &Self::Pos) -> String {
        pos.show()
    }

    fn show_move(&self, pos: &Self::Pos, mv: Stone) -> String {
        let (c, r) = pos.place(mv);
        cell_name(c as usize, r as usize)
    }

    fn has_fixed_texts(&self) -> bool {
        true
    }

    fn side(&self, player: Player) -> &'static str {
        ["X", "O"][player.index()]
    }

    fn facts(&self) -> Option<Arc<dyn Facts<Board<S, false>>>> {
        Some(Arc::new(Threats))
    }

    fn hints(&self) -> Arc<dyn Hints<Board<S, false>>> {
        Arc::new(Rows)
    }

    fn view(&self, pos: &Self::Pos) -> View {
        pos.view()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::U256;
    use crate::in_a_row::{Any, AnyShape, Fixed};
    use proofplay_core::{Position, Score, conformance, minimax, perft};

    fn check<S: Shape>(shape: S) {
        conformance::check(&Mnk::new(shape), 3, 1);
    }

    #[test]
    fn forced_moves_are_forced() {
        for (m, n, k) in [(3, 3, 3), (4, 4, 3), (5, 5, 4), (4, 5, 5), (2, 3, 1), (7, 7, 5)] {
            conformance::check_facts(&Mnk::new(Any::<u64>::new(m, n, k)), 9, 500, 1);
        }
    }

    #[test]
    fn conforms() {
        for (cols, rows, k) in [
            (1, 1, 1),
            (3, 3, 3),
            (4, 3, 3),
            (1, 9, 3),
            (9, 1, 2),
            (5, 5, 4),
            (9, 9, 5),
            (10, 12, 6),
            (128, 1, 3),
            (1, 128, 128),
        ] {
            match AnyShape::new(cols, rows, k) {
                AnyShape::Small(shape) => check(shape),
                AnyShape::Medium(shape) => check(shape),
                AnyShape::Large(shape) => check(shape),
            }
        }
    }

    #[test]
    fn playouts_are_uniform() {
        let game = Mnk::new(Fixed::<3, 3, 3>);
        for text in [".../.../... x", "xo./.x./..o x", "xo./.../x.. o"] {
            conformance::check_uniform(&game.parse(text).unwrap(), 20_000, 1);
        }
        conformance::check_uniform(&Mnk::new(Any::<u64>::new(5, 4, 3)).start(), 20_000, 2);
        conformance::check_uniform(&Mnk::new(Any::<u128>::new(9, 9, 5)).start(), 20_000, 3);
        conformance::check_uniform(&Mnk::new(Any::<U256>::new(16, 15, 6)).start(), 5_000, 4);
    }

    #[test]
    fn tictactoe_is_a_draw_of_255168_games() {
        let start = Mnk::new(Any::<u64>::new(3, 3, 3)).start();
        assert_eq!(minimax(&start), Score::DRAW);
        // Every game ends: count the finished ones by length as moves that lead nowhere further.
        let ends: u64 = (1..=9).map(|d| perft(&start, d) - continued(&start, d)).sum();
        assert_eq!(ends, 255_168);
    }

    /// Move sequences of length `depth` after which the game is not over.
    fn continued<P: Position>(pos: &P, depth: u32) -> u64 {
        if pos.outcome().is_some() {
            return 0;
        }
        if depth == 0 {
            return 1;
        }
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        moves.iter().map(|&mv| continued(&pos.after(mv), depth - 1)).sum()
    }

    #[test]
    fn refuses_what_cannot_be() {
        for bad in ["", "3x3", "3x3k", "3x3k0", "3x3k-1", "0x5k3", "999x999k3", "12x11k5"] {
            assert!(Setup::parse(bad).is_err(), "{bad}");
        }
        let game = Mnk::new(Any::<u64>::new(3, 3, 3));
        for bad in ["xxx/ooo/... x", "xx./.../... x", ".../.../... o", "ooo/xx./x.. x x"] {
            assert!(game.parse(bad).is_err(), "{bad}");
        }
        assert!(game.parse("xxx/oo./... o").is_ok(), "a finished game reads");
    }
}
