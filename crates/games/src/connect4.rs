//! Connect Four (Milton Bradley): stones fall into columns; four in a row win.
//!
//! ```text
//! 3  . . . . . . .      X is First. A move is the number of a column from the left: `4 4 3`.
//! 2  . . . O . . .      K or more stones in a row, also diagonally, win; a full board is a draw.
//! 1  . . X X . . .
//!    1 2 3 4 5 6 7
//! ```
//!
//! Stones stay: positions do not repeat. Largest board: 128 cells. See [`crate::in_a_row`] for the
//! position.

use crate::in_a_row::{self, AnyShape, Board, Fixed, Rows, Shape, Stone, Threats};
use proofplay_core::{Facts, Family, Game, GameVisitor, Hints, Player, TextError, View};
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
    /// The usual board.
    pub const STANDARD: Setup = Setup { cols: 7, rows: 6, k: 4 };

    /// Reads `CxR` or `CxRkK`; nothing at all means 7x6.
    pub fn parse(parameters: &str) -> Result<Setup, TextError> {
        if parameters.is_empty() {
            return Ok(Setup::STANDARD);
        }
        let (size, k) = parameters.split_once('k').unwrap_or((parameters, "4"));
        let [cols, rows, k] = in_a_row::measures(parameters, size, k)?;
        Ok(Setup { cols, rows, k })
    }
}

impl Family for Setup {
    const NAME: &str = "connect4";
    const PARAMETERS: &str = "CxR[kK], default 7x6k4";
    const EXAMPLE: &str = "7x6";
    const RULES: &str = "stones fall to the lowest free cell of a column; K or more in a row win";
    const FULL_RULES: &str = include_str!("rules/connect4.md");
    const LINE: &str = "4 4 3";
    const SMALL: &[&str] = &["1x4", "3x3k3", "4x3k3", "3x5", "4x4"];
    const VARIED: &[&str] = &["1x1k1", "8x8k5", "9x7k5", "16x8k5", "128x1k3", "1x128"];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        let setup @ Setup { cols, rows, k } = Setup::parse(parameters)?;
        if setup == Setup::STANDARD {
            return Ok(visitor.visit(Connect4::new(Fixed::<7, 6, 4>)));
        }
        Ok(match AnyShape::new(cols, rows, k) {
            AnyShape::Small(shape) => visitor.visit(Connect4::new(shape)),
            AnyShape::Medium(shape) => visitor.visit(Connect4::new(shape)),
            AnyShape::Large(shape) => visitor.visit(Connect4::new(shape)),
        })
    }
}

/// The game on a board of some shape.
#[derive(Clone, Debug)]
pub struct Connect4<S: Shape> {
    shape: S,
}

impl<S: Shape> Connect4<S> {
    /// The game on this board.
    pub fn new(shape: S) -> Self {
        Connect4 { shape }
    }
}

impl<S: Shape> Game for Connect4<S> {
    type Pos = Board<S, true>;

    fn name(&self) -> String {
        let (cols, rows, k) = (self.shape.cols(), self.shape.rows(), self.shape.k());
        if k == 4 { format!("connect4:{cols}x{rows}") } else { format!("connect4:{cols}x{rows}k{k}") }
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
        (pos.place(mv).0 + 1).to_string()
    }

    fn has_fixed_texts(&self) -> bool {
        true
    }

    fn side(&self, player: Player) -> &'static str {
        ["X", "O"][player.index()]
    }

    fn facts(&self) -> Option<Arc<dyn Facts<Board<S, true>>>> {
        Some(Arc::new(Threats))
    }

    fn hints(&self) -> Arc<dyn Hints<Board<S, true>>> {
        Arc::new(Rows)
    }

    fn view(&self, pos: &Self::Pos) -> View {
        let mut view = pos.view();
        for (c, (_, label)) in view.columns.iter_mut().enumerate() {
            *label = (c + 1).to_string();
        }
        view
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::in_a_row::{Any, AnyShape, Fixed};
    use proofplay_core::{Bounds, Position, Score, conformance, minimax};
    use std::collections::HashMap;

    fn check<S: Shape>(shape: S) {
        conformance::check(&Connect4::new(shape), 4, 1);
    }

    #[test]
    fn forced_moves_are_forced() {
        for (cols, rows, k) in [(4, 4, 4), (5, 4, 4), (7, 6, 4), (5, 5, 3), (6, 6, 5), (3, 3, 1), (4, 4, 2)] {
            conformance::check_facts(&Connect4::new(Any::<u64>::new(cols, rows, k)), 4, 500, 1);
        }
        conformance::check_facts(&Connect4::new(Fixed::<7, 6, 4>), 4, 500, 2);
        conformance::check_facts(&Connect4::new(Any::<u128>::new(6, 5, 4)), 4, 300, 1);
    }

    /// In all positions of boards with an even number of rows, whatever led there.
    #[test]
    fn following_up_is_sound() {
        type Values = HashMap<proofplay_core::Key, Score>;
        struct Seen {
            values: Values,
            losses: u32,
            draws: u32,
        }
        fn value<S: Shape>(pos: &Board<S, true>, seen: &mut Seen) -> Score {
            if let Some(score) = pos.outcome() {
                return score;
            }
            if let Some(&value) = seen.values.get(&pos.key()) {
                return value;
            }
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            let after: Vec<Score> = moves.iter().map(|&mv| value(&pos.after(mv), seen)).collect();
            let first = pos.turn() == Player::First;
            let truth = if first { after.iter().max() } else { after.iter().min() };
            let truth = *truth.expect("the game is not over");
            let bounds = pos.follow_up(Bounds::WDL);
            assert!(bounds.pess <= truth && truth <= bounds.opti, "{} {truth:?} {bounds:?}", pos.show());
            seen.losses += u32::from(bounds == Bounds::exact(Score::LOSS));
            seen.draws += u32::from(bounds.opti == Score::DRAW);
            seen.values.insert(pos.key(), truth);
            truth
        }
        let mut losses = 0;
        for (cols, rows, k) in [(4, 4, 4), (4, 4, 3), (3, 4, 3), (5, 2, 3), (6, 2, 3), (7, 2, 3), (2, 8, 4)] {
            let mut seen = Seen { values: HashMap::new(), losses: 0, draws: 0 };
            value(&Connect4::new(Any::<u64>::new(cols, rows, k)).start(), &mut seen);
            assert!(seen.draws > 0, "{cols}x{rows}k{k} shows nothing");
            losses += seen.losses;
        }
        assert!(losses > 0);
    }

    /// One set stands for both players' stones in a key: all positions of a board have different
    /// keys.
    #[test]
    fn positions_have_different_keys() {
        let start = Connect4::new(Any::<u64>::new(4, 4, 4)).start();
        let (mut seen, mut open) = (HashMap::new(), vec![start]);
        while let Some(pos) = open.pop() {
            let before = seen.insert(pos.key(), pos);
            assert!(before.is_none_or(|other| other == pos), "{pos:?} and {before:?}");
            let mut moves = Vec::new();
            if before.is_none() && pos.outcome().is_none() {
                pos.moves(&mut moves);
            }
            open.extend(moves.into_iter().map(|mv: Stone| pos.after(mv)));
        }
        // As many as John Tromp has counted.
        assert_eq!(seen.len(), 161_029);
    }

    #[test]
    fn conforms() {
        check(Fixed::<7, 6, 4>);
        for (cols, rows, k) in [
            (1, 1, 1),
            (1, 1, 4),
            (7, 1, 4),
            (1, 7, 4),
            (4, 4, 3),
            (7, 6, 4),
            (9, 7, 4),
            (8, 8, 5),
            (16, 8, 4),
            (1, 128, 99),
            (128, 1, 5),
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
        let game = Connect4::new(Fixed::<7, 6, 4>);
        let full_columns = "...x..o/..xo..x/..ox..o/..xo..x/..ox.xo/..xo.ox o";
        for pos in [game.start(), game.parse(full_columns).unwrap()] {
            conformance::check_uniform(&pos, 20_000, 1);
        }
        conformance::check_uniform(&Connect4::new(Any::<u128>::new(9, 8, 4)).start(), 20_000, 2);
    }

    /// The same game whatever carries it.
    #[test]
    fn fixed_and_any_agree() {
        let (fixed, any) = (Connect4::new(Fixed::<7, 6, 4>), Connect4::new(Any::<u128>::new(7, 6, 4)));
        let mut rng = proofplay_core::Rng::new(5);
        for _ in 0..200 {
            let (mut a, mut b) = (fixed.start(), any.start());
            while a.outcome().is_none() {
                let mv = a.random_move(&mut rng, &mut Vec::new());
                a.play(mv);
                b.play(mv);
                assert_eq!((a.outcome(), a.show()), (b.outcome(), b.show()));
            }
        }
    }

    /// By hand: with two in a row to win, First's second stone wins; one column of four is full
    /// without a row of four.
    #[test]
    fn small_values() {
        assert_eq!(minimax(&Connect4::new(Any::<u64>::new(3, 2, 2)).start()), Score::WIN);
        assert_eq!(minimax(&Connect4::new(Any::<u64>::new(1, 4, 4)).start()), Score::DRAW);
        assert_eq!(minimax(&Connect4::new(Any::<u64>::new(3, 3, 9)).start()), Score::DRAW);
    }

    #[test]
    fn refuses_what_cannot_be() {
        for bad in ["7", "7x6k", "7x6k0", "7x6k4k4", "7x6k999", "x", "7x6,k=4"] {
            assert!(Setup::parse(bad).is_err(), "{bad}");
        }
        let game = Connect4::new(Any::<u64>::new(4, 3, 3));
        for bad in [
            "x.../..../.... o",
            "..../..../x... x",
            "..../ooo./xxx. x",
            "..../..../.... o",
            "..../xxx./ooox x",
        ] {
            assert!(game.parse(bad).is_err(), "{bad}");
        }
    }
}
