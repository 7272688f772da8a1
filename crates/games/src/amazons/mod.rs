//! Amazons (Walter Zamkauskas, 1988): queens that shoot the board away.
//!
//! ```text
//! 4  . b b .      W (First) and B have four amazons each. A move takes an amazon any distance along
//! 3  b . . b      a row, column or diagonal of empty cells; then it shoots an arrow from there in the
//! 2  w . x w      same way. The arrow's cell is blocked for good; the cell that the amazon left is
//! 1  . w w .      empty for both. A player who cannot move loses; there is no draw.
//!    a b c d      moves: from-to/arrow, a2-b3/c3
//! ```
//!
//! Every move blocks a cell: positions do not repeat, and the number of arrows gives whose turn it
//! is. Smallest board 4x4, largest 128 cells. Start: on 10x10 a4 d1 g1 j4 against a7 d10 g10 j7, on
//! 8x8 c1 f1 a3 h3 against c8 f8 a6 h6, on others b1, the second-to-last cell of row 1, and both
//! ends of row 2, mirrored for B at the top.
//!
//! A playout is uniform over whole moves; the policy `staged` draws the move of the amazon first.

mod choice;
pub mod hints;
mod lines;

use crate::board::text::{self, bad_parameters, bad_position};
use crate::board::{Interned, Word};
use choice::Table;
use hints::Territory;
use lines::Tables;
use proofplay_core::{
    Family, Game, GameVisitor, Hints, Key, Move, Player, Position, Rng, Score, TextError, View, zobrist,
};
use std::sync::Arc;

/// The parameters: the size of the board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Columns, at least 4.
    pub cols: u32,
    /// Rows, at least 4.
    pub rows: u32,
}

impl Setup {
    /// The usual board.
    pub const STANDARD: Setup = Setup { cols: 10, rows: 10 };

    /// Reads `CxR`; nothing at all means 10x10.
    pub fn parse(parameters: &str) -> Result<Setup, TextError> {
        if parameters.is_empty() {
            return Ok(Setup::STANDARD);
        }
        let (cols, rows) = text::size(parameters)?;
        if cols.min(rows) < 4 {
            return Err(bad_parameters(parameters, "at least 4 columns and 4 rows, for four amazons a side"));
        }
        Ok(Setup { cols, rows })
    }

    /// Column and row, from 0, of W's amazons at the start; B's are mirrored.
    fn amazons(self) -> [(u32, u32); 4] {
        match self {
            Setup { cols: 10, rows: 10 } => [(0, 3), (3, 0), (6, 0), (9, 3)],
            Setup { cols: 8, rows: 8 } => [(2, 0), (5, 0), (0, 2), (7, 2)],
            Setup { cols, .. } => [(1, 0), (cols - 2, 0), (0, 1), (cols - 1, 1)],
        }
    }
}

impl Family for Setup {
    const NAME: &str = "amazons";
    const PARAMETERS: &str = "CxR, default 10x10";
    const EXAMPLE: &str = "6x6";
    const RULES: &str = "queens move and shoot an arrow that blocks a cell for good; who cannot move loses";
    const FULL_RULES: &str = include_str!("../rules/amazons.md");
    const LINE: &str = "a2-a4/c4";
    const SMALL: &[&str] = &["4x4"];
    const STANDARD: &[&str] = &["10x10"];
    const VARIED: &[&str] = &["8x8", "4x32", "32x4"];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        let setup = Setup::parse(parameters)?;
        Ok(if setup.cols * setup.rows <= 64 {
            visitor.visit(Amazons::<u64>::new(setup))
        } else {
            visitor.visit(Amazons::<u128>::new(setup))
        })
    }
}

/// The game on a board that fits into `W`.
#[derive(Clone, Debug)]
pub struct Amazons<W: Word> {
    setup: Setup,
    tables: Interned<Tables<W>>,
}

/// A position: 40 bytes for `u64`, 64 for `u128`. Each player has four amazons.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board<W: Word> {
    /// The amazons of First and of Second.
    amazons: [W; 2],
    arrows: W,
    tables: Interned<Tables<W>>,
    /// Follows from the number of arrows.
    mover: Player,
}

/// A whole move: the cells that the amazon leaves, that it reaches and of the arrow, in 7 bits each.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Shot(u32);

impl Shot {
    #[inline]
    fn new(from: u8, to: u8, arrow: u8) -> Shot {
        Shot(u32::from(from) | u32::from(to) << 7 | u32::from(arrow) << 14)
    }

    /// The cells that the amazon leaves, that it reaches, and of the arrow.
    #[inline]
    pub fn cells(self) -> [u8; 3] {
        [self.0 & 127, self.0 >> 7 & 127, self.0 >> 14 & 127].map(|cell| cell as u8)
    }
}

impl Move for Shot {
    #[inline]
    fn code(self) -> u32 {
        self.0
    }
    #[inline]
    fn from_code(code: u32) -> Shot {
        Shot(code)
    }
}

impl<W: Word> Board<W> {
    #[inline]
    fn occupied(&self) -> W {
        self.amazons[0] | self.amazons[1] | self.arrows
    }

    #[inline]
    fn empty(&self) -> W {
        self.tables.grid.board & !self.occupied()
    }

    /// Who has an amazon on the cell.
    fn owner(&self, cell: u32) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.amazons[player.index()].has(cell))
    }

    /// Whether a queen can go from a cell to another over empty cells; `left` counts as empty too.
    fn clear(&self, from: u32, to: u32, left: W) -> bool {
        let grid = &*self.tables.grid;
        let between = |a: u32, b: u32| (i64::from(b) - i64::from(a)).signum();
        let ((c, r), (to_c, to_r)) = ((from % grid.cols, from / grid.cols), (to % grid.cols, to / grid.cols));
        let (dc, dr) = (between(c, to_c), between(r, to_r));
        let far = c.abs_diff(to_c).max(r.abs_diff(to_r));
        let straight = dc == 0 || dr == 0 || c.abs_diff(to_c) == r.abs_diff(to_r);
        let step = dc + dr * i64::from(grid.cols);
        straight
            && far > 0
            && (1..=far).all(|n| (self.empty() | left).has((i64::from(from) + i64::from(n) * step) as u32))
    }

    /// Whether the mover may play this.
    fn is_legal(&self, shot: Shot) -> bool {
        let [from, to, arrow] = shot.cells().map(u32::from);
        self.amazons[self.mover.index()].has(from)
            && self.clear(from, to, W::EMPTY)
            && self.clear(to, arrow, W::bit(from))
    }

    /// Plays a whole move and ends the turn.
    #[inline]
    fn shoot(&mut self, shot: Shot) {
        let [from, to, arrow] = shot.cells().map(|cell| W::bit(u32::from(cell)));
        let own = &mut self.amazons[self.mover.index()];
        *own = *own ^ from ^ to;
        self.arrows = self.arrows | arrow;
        self.mover = !self.mover;
    }
}

static AMAZONS: [[Key; text::MAX_CELLS as usize]; 2] = [zobrist(34), zobrist(35)];
static ARROWS: [Key; text::MAX_CELLS as usize] = zobrist(36);

/// Slots for boards whose pairs of cells are more than this.
const MOST_SLOTS: usize = 4096;

impl<W: Word> Position for Board<W> {
    type Move = Shot;
    fn repeats(&self) -> bool {
        false
    }

    #[inline]
    fn turn(&self) -> Player {
        self.mover
    }

    #[inline]
    fn outcome(&self) -> Option<Score> {
        let near = self.tables.grid.around(self.amazons[self.mover.index()]);
        (near & self.empty()).is_empty().then(|| Score::win_of(!self.mover))
    }

    fn moves(&self, out: &mut Vec<Shot>) {
        Table::new(self).list(self.mover, out);
    }

    #[inline]
    fn play(&mut self, mv: Shot) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal");
        self.shoot(mv);
    }

    fn key(&self) -> Key {
        let keys = |set: W, keys: &[Key]| set.cells().fold(0, |key, cell| key ^ keys[cell as usize]);
        let [first, second] = self.amazons;
        keys(first, &AMAZONS[0]) ^ keys(second, &AMAZONS[1]) ^ keys(self.arrows, &ARROWS)
    }

    #[inline]
    fn key_after(&self, key: Key, mv: Shot) -> Key {
        let ([from, to, arrow], own) = (mv.cells().map(usize::from), &AMAZONS[self.mover.index()]);
        key ^ own[from] ^ own[to] ^ ARROWS[arrow]
    }

    /// One for each pair of the cell that the amazon reaches and the cell of the arrow; where there
    /// are more than 4096 pairs, they share slots.
    #[inline]
    fn slots(&self) -> usize {
        let cells = (self.tables.grid.cols * self.tables.grid.rows) as usize;
        (cells * cells).min(MOST_SLOTS)
    }

    #[inline]
    fn slot(&self, mv: Shot) -> usize {
        let [_, to, arrow] = mv.cells().map(usize::from);
        let cells = (self.tables.grid.cols * self.tables.grid.rows) as usize;
        if cells * cells <= MOST_SLOTS {
            to * cells + arrow
        } else {
            // Multiplicative hashing of the 14 bits to the upper 12 (Knuth, TAOCP 3, section 6.4).
            ((to << 7 | arrow) as u32).wrapping_mul(0x9e37_79b1) as usize >> 20
        }
    }

    fn count_moves(&self, _: &mut Vec<Shot>) -> usize {
        Table::new(self).count(self.mover) as usize
    }

    fn random_move(&self, rng: &mut Rng, _: &mut Vec<Shot>) -> Shot {
        Table::new(self).draw(self.mover, rng)
    }

    fn playout(&mut self, rng: &mut Rng, _: &mut Vec<Shot>, trace: &mut impl FnMut(Player, Shot)) -> Score {
        choice::playout::<W, false>(self, rng, trace)
    }

    #[inline]
    fn symmetries(&self) -> usize {
        self.tables.grid.symmetries()
    }

    #[inline]
    fn transformed(&self, symmetry: usize) -> Self {
        let image = |set| self.tables.grid.image(symmetry, set);
        Board { amazons: self.amazons.map(image), arrows: image(self.arrows), ..*self }
    }
}

impl<W: Word> Amazons<W> {
    /// The game with these parameters.
    ///
    /// # Panics
    /// If the board is smaller than 4x4 or does not fit into `W`.
    pub fn new(setup: Setup) -> Self {
        assert!(setup.cols.min(setup.rows) >= 4, "{setup:?} is too small");
        Amazons { setup, tables: Tables::new(setup.cols, setup.rows) }
    }

    /// What is on a cell, and whose it is.
    fn at(&self, pos: &Board<W>, cell: u32) -> (char, Option<Player>) {
        match pos.owner(cell) {
            None if pos.arrows.has(cell) => ('x', None),
            None => ('.', None),
            Some(player) => (LETTERS[player.index()], Some(player)),
        }
    }
}

/// The letters of the players in position texts.
const LETTERS: [char; 2] = ['w', 'b'];

impl<W: Word> Game for Amazons<W> {
    type Pos = Board<W>;

    fn name(&self) -> String {
        format!("amazons:{}x{}", self.setup.cols, self.setup.rows)
    }

    fn start(&self) -> Board<W> {
        let (grid, last) = (&self.tables.grid, self.setup.rows - 1);
        let amazons = Player::BOTH.map(|player| {
            let row = |r| if player == Player::First { r } else { last - r };
            let cells = self.setup.amazons().map(|(c, r)| W::bit(grid.cell(c, row(r))));
            cells.into_iter().fold(W::EMPTY, |set, cell| set | cell)
        });
        Board { amazons, arrows: W::EMPTY, tables: self.tables, mover: Player::First }
    }

    fn parse(&self, text: &str) -> Result<Board<W>, TextError> {
        let read = text::rectangle(text, &self.tables.grid, ".wbx", ["w", "b"])?;
        let (amazons, arrows) = (LETTERS.map(|letter| read.cells::<W>(letter)), read.cells::<W>('x'));
        let [first, second] = amazons.map(W::count);
        if (first, second) != (4, 4) {
            return Err(bad_position(text, format!("four `w` and four `b`, not {first} and {second}")));
        }
        let mover = Player::BOTH[(arrows.count() % 2) as usize];
        if read.fields[0].starts_with(LETTERS[mover.index()]) {
            Ok(Board { amazons, arrows, tables: self.tables, mover })
        } else {
            let rule = "every move shoots an arrow: w moves after an even number of `x`, b after an odd one";
            Err(bad_position(text, rule))
        }
    }

    fn show(&self, pos: &Board<W>) -> String {
        let ranks = text::ranks(&self.tables.grid, |cell| self.at(pos, cell).0);
        text::show(ranks, &LETTERS[pos.mover.index()].to_string())
    }

    fn show_move(&self, _: &Board<W>, mv: Shot) -> String {
        let [from, to, arrow] = mv.cells().map(|cell| self.tables.grid.name(u32::from(cell)));
        format!("{from}-{to}/{arrow}")
    }

    fn has_fixed_texts(&self) -> bool {
        true
    }

    /// Reads a move without listing all the others.
    fn parse_move(&self, pos: &Board<W>, text: &str) -> Result<Shot, TextError> {
        let wrong = |why: &str| TextError::new("move", text, why);
        let cell = |name: &str| {
            let wrong = || wrong(&format!("`{name}` is no cell; a move is from-to/arrow, e.g. a2-a3/b3"));
            self.tables.grid.find(name).map(|cell| cell as u8).ok_or_else(wrong)
        };
        let (from, rest) = text.split_once('-').ok_or_else(|| wrong("a move is from-to/arrow"))?;
        let (to, arrow) = rest.split_once('/').ok_or_else(|| wrong("a move is from-to/arrow"))?;
        let shot = Shot::new(cell(from)?, cell(to)?, cell(arrow)?);
        let [from, to, arrow] = shot.cells().map(u32::from);
        match () {
            () if pos.outcome().is_some() => Err(wrong("the game is over, no move is legal")),
            () if pos.owner(from) != Some(pos.mover) => Err(wrong("no amazon of the mover stands there")),
            () if !pos.clear(from, to, W::EMPTY) => Err(wrong("the amazon cannot go there")),
            () if !pos.clear(to, arrow, W::bit(from)) => Err(wrong("the arrow cannot go there")),
            () => Ok(shot),
        }
    }

    fn side(&self, player: Player) -> &'static str {
        ["W", "B"][player.index()]
    }

    fn view(&self, pos: &Board<W>) -> View {
        let Setup { cols, rows } = self.setup;
        View::rectangle(cols as usize, rows as usize, |c, r| {
            self.at(pos, self.tables.grid.cell(c as u32, r as u32))
        })
    }

    fn hints(&self) -> Arc<dyn Hints<Board<W>>> {
        Arc::new(Territory)
    }
}

#[cfg(test)]
mod tests;
