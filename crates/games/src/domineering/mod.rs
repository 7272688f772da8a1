//! Domineering (Göran Andersson): the players cover two free neighbouring cells with a domino in
//! turn.
//!
//! ```text
//! 3  . # .      V covers two cells of a column, H two cells of a row.
//! 2  . # .      V is First, unless `first=H`. A player without a legal move loses; there is no draw.
//! 1  # # .
//!    a b c      moves: a2-a3 (V), a1-b1 (H)
//! ```
//!
//! Rules as in Saffidine & Cazenave \[SC13\]. Covered cells never become free: positions do not
//! repeat. Largest board: 128 cells. A position text may have any even number of covered cells and
//! either side to move, so that regions can be studied separately.

mod count;
mod extras;
mod safety;
mod shares;

use crate::board::text::{self, bad_parameters, bad_position};
use crate::board::{Grid, Interned, Word};
use extras::{Blocking, SafeDominoes};
use proofplay_core::{
    Facts, Family, Game, GameVisitor, Hints, Key, Player, Position, Rng, Score, TextError, View, zobrist,
};
use std::sync::Arc;

/// The parameters: the size of the board and who begins.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Columns.
    pub cols: u32,
    /// Rows.
    pub rows: u32,
    /// H begins.
    pub first_horizontal: bool,
}

impl Setup {
    /// Reads `CxR` or `CxR,first=H`.
    pub fn parse(parameters: &str) -> Result<Setup, TextError> {
        let (size, first) = match parameters.split_once(',') {
            None => (parameters, "first=V"),
            Some((size, option)) => (size, option),
        };
        let (cols, rows) = text::size(size)?;
        match first {
            "first=V" => Ok(Setup { cols, rows, first_horizontal: false }),
            "first=H" => Ok(Setup { cols, rows, first_horizontal: true }),
            _ => Err(bad_parameters(parameters, "after the size only `first=V` or `first=H` may follow")),
        }
    }
}

impl Family for Setup {
    const NAME: &str = "domineering";
    const PARAMETERS: &str = "CxR[,first=V|H]";
    const EXAMPLE: &str = "6x6";
    const RULES: &str = "V places vertical dominoes, H horizontal ones; who cannot move loses";
    const FULL_RULES: &str = include_str!("../rules/domineering.md");
    const LINE: &str = "a1-a2 b1-c1";
    const SMALL: &[&str] = &["1x1", "2x3", "3x3", "4x3", "3x4,first=H", "4x4", "5x4"];
    const STANDARD: &[&str] = &["8x8"];
    const VARIED: &[&str] = &["9x8,first=H", "16x8,first=V", "128x1", "1x128"];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        let setup = Setup::parse(parameters)?;
        Ok(if setup.cols * setup.rows <= 64 {
            visitor.visit(Domineering::<u64>::new(setup))
        } else {
            visitor.visit(Domineering::<u128>::new(setup))
        })
    }
}

/// The game on a board that fits into `W`.
#[derive(Clone, Debug)]
pub struct Domineering<W: Word> {
    setup: Setup,
    grid: Interned<Grid<W>>,
}

/// A position: 24 bytes for `u64`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board<W: Word> {
    covered: W,
    grid: Interned<Grid<W>>,
    mover: Player,
    first_horizontal: bool,
}

/// The lower or left cell of the domino; its direction follows from who moves.
pub type Domino = u8;

impl<W: Word> Board<W> {
    #[inline]
    fn horizontal(&self) -> bool {
        (self.mover == Player::First) == self.first_horizontal
    }

    /// The lower or left cells of all legal dominoes of the mover.
    #[inline]
    fn dominoes(&self) -> W {
        let free = self.grid.board & !self.covered;
        free & if self.horizontal() { self.grid.left(free) } else { self.grid.down(free) }
    }

    /// The two cells of a domino.
    #[inline]
    fn ends(&self, mv: Domino) -> [u32; 2] {
        let cell = u32::from(mv);
        [cell, cell + if self.horizontal() { 1 } else { self.grid.cols }]
    }
}

static SECOND_MOVES: Key = zobrist::<1>(2)[0];

impl<W: Word> Position for Board<W> {
    type Move = Domino;
    fn repeats(&self) -> bool {
        false
    }

    #[inline]
    fn turn(&self) -> Player {
        self.mover
    }

    #[inline]
    fn outcome(&self) -> Option<Score> {
        self.dominoes().is_empty().then(|| Score::win_of(!self.mover))
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Domino>) {
        out.extend(self.dominoes().cells().map(|cell| cell as Domino));
    }

    #[inline]
    fn play(&mut self, mv: Domino) {
        debug_assert!(self.dominoes().has(u32::from(mv)), "domino {mv} is not legal");
        let [a, b] = self.ends(mv);
        self.covered = self.covered | W::bit(a) | W::bit(b);
        self.mover = !self.mover;
    }

    #[inline]
    fn key(&self) -> Key {
        self.covered.key(if self.mover == Player::Second { SECOND_MOVES } else { 0 })
    }

    #[inline]
    fn slots(&self) -> usize {
        (self.grid.cols * self.grid.rows) as usize
    }

    #[inline]
    fn slot(&self, mv: Domino) -> usize {
        usize::from(mv)
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Domino>) -> usize {
        self.dominoes().count() as usize
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<Domino>) -> Domino {
        self.dominoes().random_cell(rng) as Domino
    }

    /// The mirrors of the board. Transposing would exchange the players' directions.
    #[inline]
    fn symmetries(&self) -> usize {
        4
    }

    #[inline]
    fn transformed(&self, symmetry: usize) -> Self {
        Board { covered: self.grid.image(symmetry, self.covered), ..*self }
    }
}

impl<W: Word> Domineering<W> {
    /// The game with these parameters.
    pub fn new(setup: Setup) -> Self {
        Domineering { setup, grid: Grid::new(setup.cols, setup.rows) }
    }
}

impl<W: Word> Game for Domineering<W> {
    type Pos = Board<W>;

    fn name(&self) -> String {
        let Setup { cols, rows, first_horizontal } = self.setup;
        format!("domineering:{cols}x{rows}{}", if first_horizontal { ",first=H" } else { "" })
    }

    fn start(&self) -> Board<W> {
        let first_horizontal = self.setup.first_horizontal;
        Board { covered: W::EMPTY, grid: self.grid, mover: Player::First, first_horizontal }
    }

    fn parse(&self, text: &str) -> Result<Board<W>, TextError> {
        let read = text::rectangle(text, &self.grid, ".#", ["v", "h"])?;
        let mut pos = Board { covered: read.cells('#'), ..self.start() };
        if pos.covered.count() % 2 == 1 {
            return Err(bad_position(text, "dominoes cover an even number of cells"));
        }
        if (read.fields[0] == "h") != pos.horizontal() {
            pos.mover = Player::Second;
        }
        Ok(pos)
    }

    fn show(&self, pos: &Board<W>) -> String {
        let ranks = text::ranks(&self.grid, |cell| if pos.covered.has(cell) { '#' } else { '.' });
        text::show(ranks, if pos.horizontal() { "h" } else { "v" })
    }

    fn show_move(&self, pos: &Board<W>, mv: Domino) -> String {
        let [a, b] = pos.ends(mv).map(|cell| self.grid.name(cell));
        format!("{a}-{b}")
    }

    fn has_fixed_texts(&self) -> bool {
        true
    }

    fn side(&self, player: Player) -> &'static str {
        if (player == Player::First) == self.setup.first_horizontal { "H" } else { "V" }
    }

    fn facts(&self) -> Option<Arc<dyn Facts<Board<W>>>> {
        Some(Arc::new(SafeDominoes))
    }

    fn hints(&self) -> Arc<dyn Hints<Board<W>>> {
        Arc::new(Blocking)
    }

    fn view(&self, pos: &Board<W>) -> View {
        let Setup { cols, rows, .. } = self.setup;
        View::rectangle(cols as usize, rows as usize, |c, r| {
            let covered = pos.covered.has(self.grid.cell(c as u32, r as u32));
            (if covered { '#' } else { '.' }, None)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::minimax::Memo;
    use proofplay_core::{conformance, minimax};

    fn game<W: Word>(parameters: &str) -> Domineering<W> {
        Domineering::new(Setup::parse(parameters).unwrap())
    }

    #[test]
    fn safe_moves_decide() {
        for size in ["4x4", "6x5", "5x6", "8x3", "3x8", "2x12", "8x8", "7x7,first=H"] {
            conformance::check_facts(&game::<u64>(size), 9, 800, 1);
        }
        for size in ["10x10", "12x9,first=H"] {
            conformance::check_facts(&game::<u128>(size), 9, 600, 1);
        }
    }

    /// Play leaves few kinds of holes; here any cells may be covered.
    #[test]
    fn claims_hold_in_any_region() {
        fn check<W: Word>(size: &str, count: u32) {
            let (game, mut rng) = (game::<W>(size), Rng::new(7));
            let (mut decided, mut counted, mut left_out) = (0, 0, 0);
            let mut memo = Memo::new();
            for _ in 0..count {
                let (mut covered, free) = (W::EMPTY, 8 + rng.below(15));
                while (game.grid.board & !covered).count() > free {
                    covered = covered | W::bit(rng.below(game.setup.cols * game.setup.rows));
                }
                for mover in [Player::First, Player::Second] {
                    let pos = Board { covered, mover, ..game.start() };
                    if pos.outcome().is_none() && SafeDominoes.bounds(&pos).is_exact() {
                        assert_eq!(
                            SafeDominoes.bounds(&pos),
                            proofplay_core::Bounds::exact(memo.value(&pos)),
                            "{}",
                            game.show(&pos)
                        );
                        decided += 1;
                    }
                    let mut moves = Vec::new();
                    let open = pos.outcome().is_none() && !SafeDominoes.enough(&pos, &mut moves).is_exact();
                    if open && moves.len() < pos.dominoes().count() as usize {
                        let best = moves.iter().map(|&mv| memo.value(&pos.after(mv)).seen_by(mover)).max();
                        assert_eq!(best, Some(memo.value(&pos).seen_by(mover)), "{}", game.show(&pos));
                        left_out += 1;
                    }
                    for player in [Player::First, Player::Second] {
                        if let (None, Some(score)) = (pos.outcome(), SafeDominoes.counted(&pos, player)) {
                            assert_eq!(score, Score::win_of(player));
                            assert_eq!(memo.value(&pos), score, "{}", game.show(&pos));
                            counted += 1;
                        }
                    }
                }
            }
            assert!(decided > count / 2, "{size}: only {decided} decided");
            assert!(counted > count / 20, "{size}: only {counted} counted");
            assert!(left_out > count / 20, "{size}: moves were left out only {left_out} times");
        }
        for size in ["4x4", "5x5", "6x4", "4x6", "3x8", "9x2", "7x5,first=H", "8x8"] {
            check::<u64>(size, 600);
        }
        check::<u128>("12x3", 600);
        check::<u128>("6x4,first=H", 600);
    }

    /// By hand: how many dominoes are safe or open, and how many the other side can place.
    #[test]
    fn counts_by_hand() {
        let game = game::<u64>("5x4");
        let counted = |text: &str| {
            let pos = game.parse(text).unwrap();
            [Player::First, Player::Second].map(|player| SafeDominoes.counted(&pos, player).is_some())
        };
        let (first, second, nobody) = ([true, false], [false, true], [false, false]);
        // V has two safe dominoes, H one: enough for V, whoever is to move.
        assert_eq!(counted(".##../.####/.####/.#### v"), first);
        assert_eq!(counted(".##../.####/.####/.#### h"), first);
        // One each: the player who is not to move wins.
        assert_eq!(counted("###../#####/.####/.#### v"), second);
        assert_eq!(counted("###../#####/.####/.#### h"), first);
        // A square: V places one of two open dominoes that touch, and H is left with two of four
        // cells.
        assert_eq!(counted("..###/..###/#####/##### v"), nobody);
        // Beside a safe domino that is enough if V is to move.
        assert_eq!(counted("..#.#/..#.#/#####/##### v"), first);
        assert_eq!(counted("..#.#/..#.#/#####/##### h"), nobody);
        assert_eq!(counted("..#.#/..#.#/###.#/###.# h"), first);
    }

    #[test]
    fn conforms() {
        for size in ["1x1", "1x2", "2x1", "3x2", "5x5", "8x8", "8x8,first=H", "2x7"] {
            conformance::check(&game::<u64>(size), 5, 1);
        }
        for size in ["5x5", "16x8", "10x12", "128x1", "1x128", "9x9,first=H"] {
            conformance::check(&game::<u128>(size), 2, 1);
        }
    }

    #[test]
    fn playouts_are_uniform() {
        conformance::check_uniform(&game::<u64>("8x8").start(), 20_000, 1);
        conformance::check_uniform(&game::<u128>("10x9,first=H").start(), 20_000, 2);
        conformance::check_uniform(&game::<u64>("4x3").parse("##.#/..../.#.. h").unwrap(), 20_000, 3);
    }

    /// Values of the first player by hand: the first player wins 2x2, and V loses a row.
    #[test]
    fn small_values() {
        assert_eq!(minimax(&game::<u64>("2x2").start()), Score::WIN);
        assert_eq!(minimax(&game::<u64>("2x2,first=H").start()), Score::WIN);
        assert_eq!(minimax(&game::<u64>("5x1").start()), Score::LOSS);
        assert_eq!(minimax(&game::<u64>("5x1,first=H").start()), Score::WIN);
    }

    #[test]
    fn refuses_what_cannot_be() {
        for bad in ["", "5", "5x5,first=X", "5x5,", "0x5", "999x999"] {
            assert!(Setup::parse(bad).is_err(), "{bad}");
        }
        let game = game::<u64>("3x2");
        for bad in ["#../... v", "##./... x", "##/... v", "##./... v 3"] {
            assert!(game.parse(bad).is_err(), "{bad}");
        }
    }
}
