//! Y (Craige Schensted and Charles Titus): connect the three sides of a triangle.
//!
//! ```text
//! 3    b        B (First) and W in turn put a stone on an empty cell. A chain of own
//! 2   . b       stones that touches all three sides wins; a corner belongs to two sides. Here B has won:
//! 1  w w b      all of a3 b2 c1 lie on the right side, a3 also on the left one and c1 on the bottom.
//!    a b c      moves: a2
//! ```
//!
//! Rules as in Saffidine & Cazenave \[SC13\], without a swap rule. A full board has exactly one
//! winner, so there is no draw, and stones stay, so positions do not repeat. Largest board: 15
//! cells a side, 120 cells.
//!
//! A position text has the row of one cell first: the board above is `b/.b/wwb w`. The stones give
//! whose turn it is; a text with another side to move is refused, and so is one where play had to
//! end before the last stone.

mod playout;
pub mod reduction;
mod triangle;

use crate::board::text::{self, bad_parameters, bad_position};
use crate::board::{Interned, Word};
use proofplay_core::{
    Cell, Family, Game, GameVisitor, Hints, Key, Player, Position, Rng, Score, TextError, View, cell_name,
    column_name, zobrist,
};
use reduction::Reduction;
use std::sync::Arc;
pub use triangle::LARGEST;
use triangle::Triangle;

/// The parameters: how many cells a side has.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Cells a side, 1 to [`LARGEST`].
    pub size: u32,
}

impl Setup {
    /// Reads `N`.
    pub fn parse(parameters: &str) -> Result<Setup, TextError> {
        match text::number(parameters, LARGEST) {
            None | Some(0) => {
                Err(bad_parameters(parameters, format!("the cells a side are a number from 1 to {LARGEST}")))
            }
            Some(size) => Ok(Setup { size }),
        }
    }

    /// How many cells the board has: 64 bits hold a size of 10, 128 bits all sizes.
    pub fn cells(self) -> u32 {
        self.size * (self.size + 1) / 2
    }
}

impl Family for Setup {
    const NAME: &str = "y";
    const PARAMETERS: &str = "N";
    const EXAMPLE: &str = "5";
    const RULES: &str = "a chain of own stones that touches all three sides of the triangle wins";
    const FULL_RULES: &str = include_str!("../rules/y.md");
    const LINE: &str = "b2 c2 b3";
    const SMALL: &[&str] = &["1", "2", "3", "4"];
    const STANDARD: &[&str] = &["6", "11"];
    const VARIED: &[&str] = &["10", "15"];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        let setup = Setup::parse(parameters)?;
        Ok(if setup.cells() <= 64 {
            visitor.visit(Y::<u64>::new(setup))
        } else {
            visitor.visit(Y::<u128>::new(setup))
        })
    }
}

/// The game on a board that fits into `W`.
#[derive(Clone, Debug)]
pub struct Y<W: Word> {
    triangle: Interned<Triangle<W>>,
}

/// A position: 32 bytes for `u64`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board<W: Word> {
    /// The stones of First and of Second.
    stones: [W; 2],
    triangle: Interned<Triangle<W>>,
    /// Follows from the number of stones.
    mover: Player,
    /// Who has connected the three sides; never the mover.
    winner: Option<Player>,
}

impl<W: Word> Board<W> {
    #[inline]
    fn stones(&self, player: Player) -> W {
        self.stones[player.index()]
    }

    #[inline]
    fn empty(&self) -> W {
        let [first, second] = self.stones;
        self.triangle.board & !(first | second)
    }

    /// Who has a stone on the cell.
    fn owner(&self, cell: u32) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.stones(player).has(cell))
    }
}

static STONES: [[Key; text::MAX_CELLS as usize]; 2] = [zobrist(11), zobrist(12)];

impl<W: Word> Position for Board<W> {
    /// The number of a cell: along the rows from the bottom, each from the left.
    type Move = u8;
    fn repeats(&self) -> bool {
        false
    }

    #[inline]
    fn turn(&self) -> Player {
        self.mover
    }

    #[inline]
    fn outcome(&self) -> Option<Score> {
        self.winner.map(Score::win_of)
    }

    #[inline]
    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(self.empty().cells().map(|cell| cell as u8));
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        let cell = u32::from(mv);
        debug_assert!(self.winner.is_none() && self.empty().has(cell), "cell {cell} is not legal");
        let own = self.stones(self.mover) | W::bit(cell);
        self.stones[self.mover.index()] = own;
        if self.triangle.connects(own, cell) {
            self.winner = Some(self.mover);
        }
        self.mover = !self.mover;
    }

    /// The stones alone: mover and winner follow from them.
    fn key(&self) -> Key {
        let keys = |player: Player| {
            let cells = self.stones(player).cells();
            cells.fold(0, |key, cell| key ^ STONES[player.index()][cell as usize])
        };
        keys(Player::First) ^ keys(Player::Second)
    }

    #[inline]
    fn key_after(&self, key: Key, mv: u8) -> Key {
        key ^ STONES[self.mover.index()][usize::from(mv)]
    }

    #[inline]
    fn slots(&self) -> usize {
        self.triangle.cells()
    }

    #[inline]
    fn slot(&self, mv: u8) -> usize {
        usize::from(mv)
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<u8>) -> usize {
        self.empty().count() as usize
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<u8>) -> u8 {
        self.empty().random_cell(rng) as u8
    }

    #[inline]
    fn playout(&mut self, rng: &mut Rng, _: &mut Vec<u8>, trace: &mut impl FnMut(Player, u8)) -> Score {
        match self.outcome() {
            Some(score) => score,
            None => self.fill(rng, trace),
        }
    }

    /// The rotations and reflections of the triangle.
    #[inline]
    fn symmetries(&self) -> usize {
        6
    }

    #[inline]
    fn transformed(&self, symmetry: usize) -> Self {
        Board { stones: self.stones.map(|stones| self.triangle.image(symmetry, stones)), ..*self }
    }
}

impl<W: Word> Y<W> {
    /// The game with these parameters.
    ///
    /// # Panics
    /// If the size is out of range or the board does not fit into `W`.
    pub fn new(setup: Setup) -> Self {
        Y { triangle: Triangle::new(setup.size) }
    }

    /// Cell numbers row by row from the top, as a position text has them.
    fn ranks(&self) -> impl Iterator<Item = std::ops::Range<u32>> {
        let cells = self.triangle.cells() as u32;
        (1..=self.triangle.size).scan(cells, |end, width| {
            let rank = *end - width..*end;
            *end = rank.start;
            Some(rank)
        })
    }
}

impl<W: Word> Game for Y<W> {
    type Pos = Board<W>;

    fn name(&self) -> String {
        format!("y:{}", self.triangle.size)
    }

    fn start(&self) -> Board<W> {
        Board { stones: [W::EMPTY; 2], triangle: self.triangle, mover: Player::First, winner: None }
    }

    fn parse(&self, text: &str) -> Result<Board<W>, TextError> {
        let widths: Vec<_> = (1..=self.triangle.size as usize).collect();
        let read = text::position(text, &widths, "bw.", ["b", "w"])?.at_most(1, text)?;
        let mut pos = self.start();
        for (&letter, cell) in read.ranks.iter().flatten().zip(self.ranks().flatten()) {
            if let Some(player) = "bw".find(letter) {
                pos.stones[player] = pos.stones[player] | W::bit(cell);
            }
        }
        pos.mover = if read.fields[0] == "b" { Player::First } else { Player::Second };
        let [first, second] = pos.stones.map(W::count);
        if first != second + pos.mover.index() as u32 {
            let counts = format!("{first} b and {second} w: B moves at equal numbers, W when B has one more");
            return Err(bad_position(text, counts));
        }
        pos.winner = Player::BOTH.into_iter().find(|&player| self.triangle.won(pos.stones(player)));
        let Some(winner) = pos.winner else { return Ok(pos) };
        if winner == pos.mover {
            return Err(bad_position(text, format!("{} has won and cannot be to move", self.side(winner))));
        }
        let stones = pos.stones(winner);
        if stones.cells().all(|last| self.triangle.won(stones ^ W::bit(last))) {
            return Err(bad_position(text, format!("{} had won before the last stone", self.side(winner))));
        }
        Ok(pos)
    }

    fn show(&self, pos: &Board<W>) -> String {
        let letter = |cell| pos.owner(cell).map_or('.', |player| ['b', 'w'][player.index()]);
        text::show(self.ranks().map(|rank| rank.map(letter).collect()), ["b", "w"][pos.mover.index()])
    }

    fn show_move(&self, _: &Board<W>, mv: u8) -> String {
        let (c, r) = self.triangle.places[usize::from(mv)];
        cell_name(c.into(), r.into())
    }

    fn has_fixed_texts(&self) -> bool {
        true
    }

    fn side(&self, player: Player) -> &'static str {
        ["B", "W"][player.index()]
    }

    fn view(&self, pos: &Board<W>) -> View {
        let cell = |(i, &(c, r)): (usize, &(u8, u8))| {
            let owner = pos.owner(i as u32);
            Cell {
                name: cell_name(c.into(), r.into()),
                x: 2 * i16::from(c) + i16::from(r),
                y: r.into(),
                symbol: owner.map_or('.', |player| ['b', 'w'][player.index()]),
                owner,
            }
        };
        let size = self.triangle.size as usize;
        View {
            cells: self.triangle.places.iter().enumerate().map(cell).collect(),
            columns: (0..size).map(|c| (2 * c as i16, column_name(c))).collect(),
            rows: (0..size).map(|r| (r as i16, (r + 1).to_string())).collect(),
            hexagonal: true,
            ..View::default()
        }
    }

    fn hints(&self) -> Arc<dyn Hints<Board<W>>> {
        Arc::new(Reduction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::{conformance, minimax, perft};

    pub(super) fn game<W: Word>(size: u32) -> Y<W> {
        Y::new(Setup { size })
    }

    #[test]
    fn conforms() {
        for size in 1..=10 {
            conformance::check(&game::<u64>(size), 5, 1);
        }
        for size in [1, 3, 6, 11, 15] {
            conformance::check(&game::<u128>(size), 2, 1);
        }
    }

    #[test]
    fn playouts_are_uniform() {
        for (size, text) in [(1, ". b"), (3, "./../... b"), (4, "w/.w/b../b... b"), (4, "w/.w/b../b.b. w")] {
            conformance::check_uniform(&game::<u64>(size).parse(text).unwrap(), 20_000, 1);
        }
        conformance::check_uniform(&game::<u64>(6).start(), 20_000, 2);
        conformance::check_uniform(&game::<u128>(11).start(), 20_000, 3);
    }

    /// Who begins wins: an extra stone never hurts and there is no draw.
    #[test]
    fn small_values() {
        for size in 1..=3 {
            assert_eq!(minimax(&game::<u64>(size).start()), Score::WIN);
        }
        let mut memo = minimax::Memo::new();
        assert_eq!(memo.value(&game::<u64>(4).start()), Score::WIN);
        // The corner a1 loses on side 3: W on b2 has a2 or a3 to the left side and b1 or c1 to the
        // bottom.
        let corner = game::<u64>(3).parse("./../b.. w").unwrap();
        assert_eq!(minimax(&corner), Score::LOSS);
    }

    /// No game on side 3 ends before the fifth move; of side 2 all end with the third.
    #[test]
    fn counts_by_hand() {
        let counts = |size, depths: u32| {
            (1..=depths).map(|d| perft(&game::<u64>(size).start(), d)).collect::<Vec<_>>()
        };
        assert_eq!(counts(1, 2), [1, 0]);
        assert_eq!(counts(2, 4), [3, 6, 6, 0]);
        assert_eq!(counts(3, 5), [6, 30, 120, 360, 720]);
    }

    /// Side 3 by hand: a side, a bend that takes two sides with the corner a1, and three stones
    /// that are no chain.
    #[test]
    fn chains_touch_three_sides() {
        let game = game::<u64>(3);
        let won = |text| game.parse(text).unwrap().outcome();
        assert_eq!(won("b/.b/wwb w"), Some(Score::WIN));
        assert_eq!(won("w/w./bbb w"), Some(Score::WIN));
        assert_eq!(won("w/bb/b.w w"), Some(Score::WIN));
        assert_eq!(won("w/b./bbw w"), None);
        assert_eq!(won("b/w./bwb w"), None);
        assert_eq!(won("b/ww/bbw b"), Some(Score::LOSS));
        assert_eq!(won("b/ww/bwb b"), Some(Score::LOSS));
    }

    #[test]
    fn refuses_what_cannot_be() {
        for bad in ["", "0", "16", "3x3", "-1", "3,", "99999999999"] {
            assert!(Setup::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(Setup::parse("15").map(Setup::cells), Ok(120));
        let game = game::<u64>(3);
        for bad in [
            "./../... w",   // nothing played, W to move
            "b/../... b",   // one stone, B to move
            "w/../... w",   // W began
            ".../../. b",   // upside down
            "./../... b 1", // nothing may follow
            "./../..x b",
        ] {
            assert!(game.parse(bad).is_err(), "{bad}");
        }
    }

    /// B has won and is to move; B has won whichever stone came last.
    #[test]
    fn refuses_play_after_the_end() {
        let refusal = |size, text| game::<u64>(size).parse(text).unwrap_err().to_string();
        let to_move = refusal(4, "w/w./ww./bbbb b");
        assert!(to_move.contains("B has won and cannot be to move"), "{to_move}");
        let late = refusal(6, "w/ww/www/wwww/bbbbb/bbbbbb w");
        assert!(late.contains("B had won before the last stone"), "{late}");
    }

    #[test]
    fn pictures() {
        let game = game::<u64>(3);
        let view = game.view(&game.parse("b/.b/wwb w").unwrap());
        assert!(view.hexagonal);
        assert_eq!(view.draw(|symbol, _| symbol.to_string()), "3    b\n2   . b\n1  w w b\n   a b c\n");
    }
}
