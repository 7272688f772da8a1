//! NoGo (anti-atari Go): stones as in Go, but nothing may be captured.
//!
//! ```text
//! 3  . w .      B is First. A move puts a stone on an empty cell. Stones joined side by side are a
//! 2  b . .      group, its liberties are the empty cells beside it. A move may not take the last liberty
//! 1  . b .      of an enemy group and must leave its own group a liberty. No pass: a player without a
//!    a b c      legal move loses; no draw. Moves: b2 (W); a1 would be suicide
//! ```
//!
//! Rules as in Saffidine & Cazenave \[SC13\], after the BIRS 2011 workshop. Stones never leave the
//! board: positions do not repeat. Largest board: 128 cells.
//!
//! The code relies on two facts:
//! - A move is legal exactly when every group has a liberty afterwards. Taking a stone away leaves
//!   its neighbours a liberty, so all such positions arise, in any order of their moves:
//!   [`Game::parse`] refuses all others.
//! - What is illegal for a player stays so. A forbidden cell is the last liberty of some enemy
//!   group, or has only enemies and own groups without another liberty around it; and a group with
//!   one liberty changes only by a move there.

mod extras;
mod playout;

use crate::board::text::{self, bad_position};
use crate::board::{Adjacent, Grid, Interned, Word};
use extras::{Mobility, Reserves};
use proofplay_core::{
    Facts, Family, Game, GameVisitor, Hints, Key, Player, Position, Rng, Score, TextError, View,
};
use std::sync::Arc;

/// The parameters: the size of the board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Columns.
    pub cols: u32,
    /// Rows.
    pub rows: u32,
}

impl Setup {
    /// Reads `CxR`.
    pub fn parse(parameters: &str) -> Result<Setup, TextError> {
        text::size(parameters).map(|(cols, rows)| Setup { cols, rows })
    }
}

impl Family for Setup {
    const NAME: &str = "nogo";
    const PARAMETERS: &str = "CxR";
    const EXAMPLE: &str = "4x4";
    const RULES: &str = "stones as in Go, but capturing and suicide are illegal; who cannot move loses";
    const FULL_RULES: &str = include_str!("../rules/nogo.md");
    const LINE: &str = "b2 c3 b3";
    const SMALL: &[&str] = &["1x1", "5x1", "9x1", "3x2", "3x3"];
    const STANDARD: &[&str] = &["9x9"];
    const VARIED: &[&str] = &["8x8", "16x8", "128x1", "1x128"];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        let setup = Setup::parse(parameters)?;
        Ok(if setup.cols * setup.rows <= 64 {
            visitor.visit(NoGo::<u64>::new(setup))
        } else {
            visitor.visit(NoGo::<u128>::new(setup))
        })
    }
}

/// The game on a board that fits into `W`.
#[derive(Clone, Debug)]
pub struct NoGo<W: Word> {
    grid: Interned<Grid<W>>,
}

/// A position: 32 bytes for `u64`. Every group has a liberty; `First` has as many stones as
/// `Second`, or one more when `Second` is to move.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board<W: Word> {
    /// Stones of the mover.
    own: W,
    /// Stones of the opponent.
    other: W,
    grid: Interned<Grid<W>>,
    mover: Player,
}

/// The number of the cell to play on.
pub type Cell = u8;

impl<W: Word> Board<W> {
    #[inline]
    fn empty(&self) -> W {
        self.grid.board & !(self.own | self.other)
    }

    /// The legal cells with an empty cell beside them, and those without one that capture nothing:
    /// legal if they join a group with another liberty.
    #[inline]
    fn candidates(&self) -> (W, W) {
        let empty = self.empty();
        let (_, captures) = self.grid.groups(self.other, empty);
        let open = self.grid.neighbours(empty);
        (empty & open & !captures, empty & !open & !captures & self.grid.neighbours(self.own))
    }

    /// Those of the `closed` cells that join a group with another liberty.
    #[inline]
    fn joining(&self, closed: W) -> W {
        if closed.is_empty() {
            return closed;
        }
        closed & self.grid.neighbours(self.grid.groups(self.own, self.empty()).0)
    }

    /// All legal cells of the mover.
    #[inline]
    fn legal(&self) -> W {
        let (open, closed) = self.candidates();
        open | self.joining(closed)
    }

    /// Whether the mover has a legal cell, trying cheap tests first.
    #[inline]
    fn can_move(&self) -> bool {
        let (grid, empty) = (&*self.grid, self.empty());
        if !(empty & grid.neighbours(empty) & !grid.neighbours(self.other)).is_empty() {
            return true;
        }
        let (open, closed) = self.candidates();
        !open.is_empty() || !self.joining(closed).is_empty()
    }

    /// How many moves the owner of `stones` certainly has: in each region of groups that share eyes
    /// they can fill all eyes but one, and the other player cannot play there. (An eye is an empty
    /// cell with own stones all around. Of two eyes of one group one can be filled, which joins the
    /// groups around it to that group: again a region, with one eye less.)
    #[inline]
    fn reserve(&self, stones: W) -> u32 {
        let grid = &*self.grid;
        let mut eyes = self.empty() & !grid.neighbours(grid.board & !stones) & grid.neighbours(stones);
        let mut reserve = 0;
        while !eyes.is_empty() {
            let region = grid.flood(W::bit(eyes.lowest()), stones | eyes);
            reserve += (eyes & region).count() - 1;
            eyes = eyes & !region;
        }
        reserve
    }

    /// Whether the empty cell is legal for the mover.
    fn is_legal(&self, cell: u32) -> bool {
        let stone = W::bit(cell);
        let empty = self.empty() & !stone;
        let near = self.grid.neighbours(stone);
        let breathes = |seed, stones| self.grid.stifled(seed, stones, empty).is_empty();
        breathes(stone, self.own)
            && (near & self.other).cells().all(|enemy| breathes(W::bit(enemy), self.other))
    }

    /// Puts a stone of the mover on a cell and ends the turn.
    #[inline]
    fn put(&mut self, cell: Cell) {
        (self.own, self.other) = (self.other, self.own | W::bit(u32::from(cell)));
        self.mover = !self.mover;
    }
}

impl<W: Word> Position for Board<W> {
    type Move = Cell;
    fn repeats(&self) -> bool {
        false
    }

    #[inline]
    fn turn(&self) -> Player {
        self.mover
    }

    #[inline]
    fn outcome(&self) -> Option<Score> {
        (!self.can_move()).then(|| Score::win_of(!self.mover))
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Cell>) {
        out.extend(self.legal().cells().map(|cell| cell as Cell));
    }

    #[inline]
    fn play(&mut self, mv: Cell) {
        let cell = u32::from(mv);
        debug_assert!(self.empty().has(cell) && self.is_legal(cell), "cell {mv} is not legal");
        self.put(mv);
    }

    #[inline]
    fn key(&self) -> Key {
        self.own.key_of_two(self.other)
    }

    #[inline]
    fn slots(&self) -> usize {
        (self.grid.cols * self.grid.rows) as usize
    }

    #[inline]
    fn slot(&self, mv: Cell) -> usize {
        usize::from(mv)
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Cell>) -> usize {
        self.legal().count() as usize
    }

    /// Draws among the empty cells until one is legal: for most positions that is one test of one
    /// cell.
    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<Cell>) -> Cell {
        let mut cells = self.empty();
        loop {
            let cell = cells.random_cell(rng);
            if self.is_legal(cell) {
                return cell as Cell;
            }
            cells = cells & !W::bit(cell);
        }
    }

    #[inline]
    fn playout(&mut self, rng: &mut Rng, _: &mut Vec<Cell>, trace: &mut impl FnMut(Player, Cell)) -> Score {
        playout::playout(self, rng, trace)
    }

    #[inline]
    fn symmetries(&self) -> usize {
        self.grid.symmetries()
    }

    #[inline]
    fn transformed(&self, symmetry: usize) -> Self {
        let image = |stones| self.grid.image(symmetry, stones);
        Board { own: image(self.own), other: image(self.other), ..*self }
    }
}

impl<W: Word> NoGo<W> {
    /// The game with these parameters.
    pub fn new(setup: Setup) -> Self {
        NoGo { grid: Grid::new(setup.cols, setup.rows) }
    }

    /// What is on a cell, and whose it is.
    fn at(&self, pos: &Board<W>, cell: u32) -> (char, Option<Player>) {
        let owner = match (pos.own.has(cell), pos.other.has(cell)) {
            (false, false) => return ('.', None),
            (own, _) => {
                if own {
                    pos.mover
                } else {
                    !pos.mover
                }
            }
        };
        (LETTERS[owner.index()], Some(owner))
    }
}

/// The letters of the players in position texts.
const LETTERS: [char; 2] = ['b', 'w'];

impl<W: Word> Game for NoGo<W> {
    type Pos = Board<W>;

    fn name(&self) -> String {
        format!("nogo:{}x{}", self.grid.cols, self.grid.rows)
    }

    fn start(&self) -> Board<W> {
        Board { own: W::EMPTY, other: W::EMPTY, grid: self.grid, mover: Player::First }
    }

    fn parse(&self, text: &str) -> Result<Board<W>, TextError> {
        let read = text::rectangle(text, &self.grid, ".bw", ["b", "w"])?;
        let [first, second] = LETTERS.map(|letter| read.cells::<W>(letter));
        let first_moves = read.fields[0] == "b";
        if first.count() != second.count() + u32::from(!first_moves) {
            let rule = "as many `b` as `w` when b is to move, one `b` more when w is";
            return Err(bad_position(text, rule));
        }
        let (own, other, mover) = match first_moves {
            true => (first, second, Player::First),
            false => (second, first, Player::Second),
        };
        let pos = Board { own, other, grid: self.grid, mover };
        let near = self.grid.neighbours(pos.empty());
        if [own, other].iter().any(|&stones| self.grid.flood(stones & near, stones) != stones) {
            return Err(bad_position(text, "every group needs a liberty, an empty cell beside it"));
        }
        Ok(pos)
    }

    fn show(&self, pos: &Board<W>) -> String {
        let side = LETTERS[pos.mover.index()].to_string();
        text::show(text::ranks(&self.grid, |cell| self.at(pos, cell).0), &side)
    }

    fn show_move(&self, _: &Board<W>, mv: Cell) -> String {
        self.grid.name(u32::from(mv))
    }

    fn has_fixed_texts(&self) -> bool {
        true
    }

    fn side(&self, player: Player) -> &'static str {
        ["B", "W"][player.index()]
    }

    fn facts(&self) -> Option<Arc<dyn Facts<Board<W>>>> {
        Some(Arc::new(Reserves))
    }

    fn hints(&self) -> Arc<dyn Hints<Board<W>>> {
        Arc::new(Mobility)
    }

    fn view(&self, pos: &Board<W>) -> View {
        let Grid { cols, rows, .. } = *self.grid;
        View::rectangle(cols as usize, rows as usize, |c, r| self.at(pos, self.grid.cell(c as u32, r as u32)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::{conformance, minimax};
    use std::collections::HashSet;

    fn game<W: Word>(parameters: &str) -> NoGo<W> {
        NoGo::new(Setup::parse(parameters).unwrap())
    }

    #[test]
    fn eyes_are_moves_in_reserve() {
        for size in ["4x4", "5x5", "6x6", "8x8", "9x3", "15x1"] {
            conformance::check_facts(&game::<u64>(size), 9, 1000, 1);
        }
    }

    #[test]
    fn conforms() {
        for size in ["1x1", "1x2", "2x1", "3x3", "5x5", "4x7", "8x8"] {
            conformance::check(&game::<u64>(size), 5, 1);
        }
        for size in ["3x3", "9x9", "11x11", "128x1", "1x128", "16x8"] {
            conformance::check(&game::<u128>(size), 2, 1);
        }
    }

    /// Values by hand. 1x1: no liberty anywhere. 2x1: the reply captures. 3x1: B in the middle
    /// leaves two suicides. 4x1: W answers a1 or b1 with c1 and leaves nothing. 2x2: B takes three
    /// cells of the square whatever W does.
    #[test]
    fn small_values() {
        for (size, value) in [
            ("1x1", Score::LOSS),
            ("2x1", Score::WIN),
            ("3x1", Score::WIN),
            ("4x1", Score::LOSS),
            ("2x2", Score::WIN),
        ] {
            assert_eq!(minimax(&game::<u64>(size).start()), value, "{size}");
        }
    }

    #[test]
    fn refuses_what_cannot_be() {
        for bad in ["", "5", "5x5,", "0x5", "12x11", "3x3,first=W"] {
            assert!(Setup::parse(bad).is_err(), "{bad}");
        }
        let game = game::<u64>("3x3");
        for good in ["b.w/.../... b", ".../.../... b", "bb./w.b/w.. w"] {
            assert!(game.parse(good).is_ok(), "{good}");
        }
        for bad in [
            ".../.../...",
            ".../.../... x",
            ".../... b",
            "B.w/.../... b",
            "b../.../... b", // one stone too many
            "b.w/.../... w", // one too few
            "w../.../... w",
            ".../.../... b 1",
            "bw./w../.b. b", // the corner has no liberty
            "bwb/wbw/bwb w", // nothing has
        ] {
            assert!(game.parse(bad).is_err(), "{bad}");
        }
    }

    /// The rules once more, on a list of letters and in the words of the rules.
    struct Plain {
        cols: i32,
        rows: i32,
        cells: Vec<char>,
    }

    impl Plain {
        fn near(&self, cell: usize) -> Vec<usize> {
            let (c, r) = (cell as i32 % self.cols, cell as i32 / self.cols);
            [(c - 1, r), (c + 1, r), (c, r - 1), (c, r + 1)]
                .into_iter()
                .filter(|&(c, r)| (0..self.cols).contains(&c) && (0..self.rows).contains(&r))
                .map(|(c, r)| (r * self.cols + c) as usize)
                .collect()
        }

        fn has_liberty(&self, cell: usize) -> bool {
            let (mut todo, mut seen) = (vec![cell], HashSet::from([cell]));
            while let Some(stone) = todo.pop() {
                for next in self.near(stone) {
                    if self.cells[next] == '.' {
                        return true;
                    }
                    if self.cells[next] == self.cells[cell] && seen.insert(next) {
                        todo.push(next);
                    }
                }
            }
            false
        }

        fn is_legal(&mut self, cell: usize, side: char) -> bool {
            if self.cells[cell] != '.' {
                return false;
            }
            self.cells[cell] = side;
            let enemies = self.near(cell).into_iter().filter(|&n| !['.', side].contains(&self.cells[n]));
            let captures = enemies.filter(|&n| !self.has_liberty(n)).count() > 0;
            let legal = !captures && self.has_liberty(cell);
            self.cells[cell] = '.';
            legal
        }
    }

    fn against_plain_rules<W: Word>(size: &str, games: usize) {
        let (game, mut rng) = (game::<W>(size), Rng::new(7));
        let (cols, rows) = (game.grid.cols, game.grid.rows);
        for _ in 0..games {
            let mut pos = game.start();
            let mut plain =
                Plain { cols: cols as i32, rows: rows as i32, cells: vec!['.'; (cols * rows) as usize] };
            // What is illegal stays illegal: `playout` relies on it.
            let mut illegal = [W::EMPTY; 2];
            loop {
                let side = LETTERS[pos.mover.index()];
                let moves: Vec<Cell> = (0..plain.cells.len())
                    .filter(|&cell| plain.is_legal(cell, side))
                    .map(|cell| cell as Cell)
                    .collect();
                let text = game.show(&pos);
                let mut listed = Vec::new();
                pos.moves(&mut listed);
                assert_eq!(listed, moves, "{text}");
                assert!(
                    pos.empty().cells().all(|cell| pos.is_legal(cell) == moves.contains(&(cell as Cell)))
                );
                assert_eq!(pos.outcome().is_some(), moves.is_empty(), "{text}");
                assert!(listed.iter().all(|&mv| !illegal[pos.mover.index()].has(u32::from(mv))), "{text}");
                illegal[pos.mover.index()] = pos.empty() & !pos.legal();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[rng.below(moves.len() as u32) as usize];
                plain.cells[usize::from(mv)] = side;
                pos.play(mv);
            }
        }
    }

    #[test]
    fn moves_are_those_of_the_plain_rules() {
        for size in ["1x1", "5x1", "1x6", "2x2", "3x2", "4x4", "5x5", "7x3", "8x8"] {
            against_plain_rules::<u64>(size, 100);
        }
        for size in ["5x5", "9x9", "11x11", "128x1", "16x8"] {
            against_plain_rules::<u128>(size, 20);
        }
    }

    #[test]
    fn random_moves_and_playouts_are_uniform() {
        conformance::check_uniform(&game::<u64>("3x3").start(), 20_000, 1);
        conformance::check_uniform(&game::<u64>("5x4").start(), 20_000, 2);
        conformance::check_uniform(&game::<u128>("9x9").start(), 20_000, 3);
        // W may not play a5 (suicide) nor e2 (capture), and groups of several stones must be set
        // up.
        let five = game::<u64>("5x5");
        conformance::check_uniform(&five.parse(".b.../b..w./.bb../w..w./.wwbb w").unwrap(), 20_000, 4);
    }
}
