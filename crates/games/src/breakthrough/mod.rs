//! Breakthrough (Dan Troyka, 2000): run a pawn through to the far row.
//!
//! ```text
//! 4  b . b      W (First) starts on the N bottom rows and moves up, B on the N top rows and moves down.
//! 3  . . b      A pawn steps one cell straight or diagonally forward to an empty cell, or captures one
//! 2  . w .      cell diagonally forward; capturing is optional. The first player with a pawn on the
//! 1  w . w      far row wins, and so does one who takes the last enemy pawn.
//!    a b c      moves: b2-b3, a capture: b2xc3
//! ```
//!
//! Pawns only move forward: positions do not repeat, and there is no draw. With two columns or more
//! the foremost pawn of a player always has a move, since no own pawn is in front of it; boards of
//! one column are refused. Largest board: 128 cells. Pawns fill `rows=N` rows, by default 2.

pub mod hints;
mod playout;

use crate::board::text::{self, bad_parameters, bad_position};
use crate::board::{Grid, Interned, Word};
use hints::Advance;
use proofplay_core::{
    Family, Game, GameVisitor, Hints, Key, Player, Position, Rng, Score, TextError, View, zobrist,
};
use std::sync::Arc;

/// The parameters: the size of the board and how many rows of pawns each player has.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Columns, at least 2.
    pub cols: u32,
    /// Rows, at least twice [`Setup::full`].
    pub rows: u32,
    /// Rows of pawns at the start, for each player.
    pub full: u32,
}

impl Setup {
    /// The usual board.
    pub const STANDARD: Setup = Setup { cols: 8, rows: 8, full: 2 };

    /// Reads `CxR` or `CxR,rows=N`; nothing at all means 8x8.
    pub fn parse(parameters: &str) -> Result<Setup, TextError> {
        if parameters.is_empty() {
            return Ok(Setup::STANDARD);
        }
        let (size, full) = match parameters.split_once(',') {
            None => (parameters, "2"),
            Some((size, option)) => {
                let full = option.strip_prefix("rows=");
                let wrong = || bad_parameters(parameters, "after the size only `rows=N` may follow");
                (size, full.ok_or_else(wrong)?)
            }
        };
        let (cols, rows) = text::size(size)?;
        match text::number(full, text::MAX_CELLS) {
            _ if cols < 2 => {
                Err(bad_parameters(parameters, "at least 2 columns, so that there is always a move"))
            }
            Some(full) if full > 0 && 2 * full <= rows => Ok(Setup { cols, rows, full }),
            _ => {
                let most = rows / 2;
                let range =
                    format!("the rows of pawns, `rows=N`, are 1 to {most} on {rows} rows, not {full}");
                Err(bad_parameters(parameters, range))
            }
        }
    }

    /// The pawns of each player at the start.
    pub fn pawns(self) -> u32 {
        self.cols * self.full
    }
}

impl Family for Setup {
    const NAME: &str = "breakthrough";
    const PARAMETERS: &str = "CxR[,rows=N], default 8x8,rows=2";
    const EXAMPLE: &str = "6x6";
    const RULES: &str =
        "pawns step forward and capture diagonally; a pawn on the far row or the last capture wins";
    const FULL_RULES: &str = include_str!("../rules/breakthrough.md");
    const LINE: &str = "b2-b3 b5-b4 c2-c3";
    const SMALL: &[&str] = &["3x4,rows=1", "3x5,rows=1"];
    const STANDARD: &[&str] = &["8x8"];
    const VARIED: &[&str] =
        &["2x2,rows=1", "64x2,rows=1", "2x3,rows=1", "8x9,rows=4", "9x9,rows=3", "2x64,rows=32"];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        let setup = Setup::parse(parameters)?;
        Ok(if setup.cols * setup.rows <= 64 {
            visitor.visit(Breakthrough::<u64>::new(setup))
        } else {
            visitor.visit(Breakthrough::<u128>::new(setup))
        })
    }
}

/// The game on a board that fits into `W`.
#[derive(Clone, Debug)]
pub struct Breakthrough<W: Word> {
    setup: Setup,
    grid: Interned<Grid<W>>,
}

/// A position: 32 bytes for `u64`. Only the opponent of the mover can have won.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board<W: Word> {
    /// The pawns of First and of Second.
    pawns: [W; 2],
    grid: Interned<Grid<W>>,
    mover: Player,
}

/// A step of a pawn: the cell it leaves plus 128 times where it goes: 0 to the left, 1 straight, 2
/// to the right, as seen on the picture.
pub type Step = u16;

/// Steps by direction: what a [`Step`] is divided by.
const CELLS: u16 = text::MAX_CELLS as u16;

impl<W: Word> Board<W> {
    #[inline]
    fn own(&self) -> W {
        self.pawns[self.mover.index()]
    }

    #[inline]
    fn other(&self) -> W {
        self.pawns[(!self.mover).index()]
    }

    /// The row that a player runs to.
    #[inline]
    fn goal(&self, player: Player) -> W {
        match player {
            Player::First => self.grid.top(),
            Player::Second => self.grid.bottom(),
        }
    }

    /// The pawns of the mover that may step to the left, straight and to the right.
    #[inline]
    fn steppers(&self) -> [W; 3] {
        let (grid, own) = (&*self.grid, self.own());
        // From the goal of a step back to where it starts.
        let sideways = grid.board & !own;
        let ahead = sideways & !self.other();
        let origins = match self.mover {
            Player::First => [grid.down_right(sideways), grid.down(ahead), grid.down_left(sideways)],
            Player::Second => [grid.up_right(sideways), grid.up(ahead), grid.up_left(sideways)],
        };
        origins.map(|origin| origin & own)
    }

    /// The cell that a step of the mover leaves and the one it reaches.
    #[inline]
    fn ends(&self, step: Step) -> [u32; 2] {
        let (from, side) = (u32::from(step % CELLS), u32::from(step / CELLS));
        let ahead = match self.mover {
            Player::First => from + self.grid.cols,
            Player::Second => from - self.grid.cols,
        };
        [from, ahead + side - 1]
    }

    /// Who has a pawn on the cell.
    fn owner(&self, cell: u32) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.pawns[player.index()].has(cell))
    }

    /// Moves a pawn of the mover and ends the turn.
    #[inline]
    fn step(&mut self, [from, to]: [u32; 2]) {
        let own = self.own() ^ W::bit(from) ^ W::bit(to);
        let other = self.other() & !W::bit(to);
        self.pawns[self.mover.index()] = own;
        self.pawns[(!self.mover).index()] = other;
        self.mover = !self.mover;
    }

    /// A uniformly random step of the mover.
    #[inline]
    fn random_step(&self, rng: &mut Rng) -> Step {
        let steppers = self.steppers();
        let [left, ahead, right] = steppers.map(W::count);
        let n = rng.below(left + ahead + right);
        // Without branches, since nothing predicts the direction.
        let side = usize::from(n >= left) + usize::from(n >= left + ahead);
        let before = [0, left, left + ahead][side];
        steppers[side].nth(n - before) as Step + side as Step * CELLS
    }
}

/// Pawns by player and cell.
static PAWNS: [[Key; text::MAX_CELLS as usize]; 2] = [zobrist(31), zobrist(32)];
static SECOND_MOVES: Key = zobrist::<1>(33)[0];

impl<W: Word> Position for Board<W> {
    type Move = Step;
    fn repeats(&self) -> bool {
        false
    }

    #[inline]
    fn turn(&self) -> Player {
        self.mover
    }

    #[inline]
    fn outcome(&self) -> Option<Score> {
        let through = self.other() & self.goal(!self.mover);
        (!through.is_empty() || self.own().is_empty()).then(|| Score::win_of(!self.mover))
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Step>) {
        for (steppers, side) in self.steppers().into_iter().zip(0..) {
            out.extend(steppers.cells().map(|cell| cell as Step + side * CELLS));
        }
    }

    #[inline]
    fn play(&mut self, mv: Step) {
        debug_assert!(
            self.steppers()[usize::from(mv / CELLS)].has(u32::from(mv % CELLS)),
            "{mv} is not legal"
        );
        self.step(self.ends(mv));
    }

    fn key(&self) -> Key {
        let keys = |player: Player| {
            let cells = self.pawns[player.index()].cells();
            cells.fold(0, |key, cell| key ^ PAWNS[player.index()][cell as usize])
        };
        let pawns = keys(Player::First) ^ keys(Player::Second);
        if self.mover == Player::Second { pawns ^ SECOND_MOVES } else { pawns }
    }

    #[inline]
    fn key_after(&self, key: Key, mv: Step) -> Key {
        let [from, to] = self.ends(mv);
        let [own, other] = [&PAWNS[self.mover.index()], &PAWNS[(!self.mover).index()]];
        let captured = if self.other().has(to) { other[to as usize] } else { 0 };
        key ^ own[from as usize] ^ own[to as usize] ^ captured ^ SECOND_MOVES
    }

    #[inline]
    fn slots(&self) -> usize {
        3 * usize::from(CELLS)
    }

    #[inline]
    fn slot(&self, mv: Step) -> usize {
        usize::from(mv)
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Step>) -> usize {
        self.steppers().map(|steppers| steppers.count() as usize).iter().sum()
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<Step>) -> Step {
        self.random_step(rng)
    }

    #[inline]
    fn playout(&mut self, rng: &mut Rng, _: &mut Vec<Step>, trace: &mut impl FnMut(Player, Step)) -> Score {
        match self.outcome() {
            Some(score) => score,
            None => playout::playout(self, rng, trace),
        }
    }

    /// Left and right are alike.
    #[inline]
    fn symmetries(&self) -> usize {
        2
    }

    #[inline]
    fn transformed(&self, symmetry: usize) -> Self {
        Board { pawns: self.pawns.map(|pawns| self.grid.image(symmetry, pawns)), ..*self }
    }
}

impl<W: Word> Breakthrough<W> {
    /// The game with these parameters.
    pub fn new(setup: Setup) -> Self {
        Breakthrough { setup, grid: Grid::new(setup.cols, setup.rows) }
    }

    /// The first rows of a player, as many as there are pawns at the start.
    fn home(&self, player: Player) -> W {
        let grid = &*self.grid;
        let (row, next): (W, &dyn Fn(W) -> W) = match player {
            Player::First => (grid.bottom(), &|set| grid.up(set)),
            Player::Second => (grid.top(), &|set| grid.down(set)),
        };
        (1..self.setup.full).fold(row, |rows, _| rows | next(rows))
    }

    /// How many steps the pawns of a player have made in all, if none was captured.
    fn steps(&self, pos: &Board<W>, player: Player) -> i64 {
        let rows = |set: W| -> i64 { set.cells().map(|cell| i64::from(cell / self.setup.cols)).sum() };
        (rows(pos.pawns[player.index()]) - rows(self.home(player))).abs()
    }

    /// Why a position cannot arise in play, if it cannot.
    fn flaw(&self, pos: &Board<W>) -> Option<String> {
        let most = self.setup.pawns();
        let [first, second] = pos.pawns.map(W::count);
        if first.max(second) > most {
            return Some(format!("at most {most} pawns a side, not {first} w and {second} b"));
        }
        if pos.other().is_empty() {
            return Some(format!("{} has no pawn and cannot have moved", self.side(!pos.mover)));
        }
        if !(pos.own() & pos.goal(pos.mover)).is_empty() {
            return Some(format!("{} has won and cannot be to move", self.side(pos.mover)));
        }
        if (pos.other() & pos.goal(!pos.mover)).count() > 1 {
            return Some(format!("{} had won before the last step", self.side(!pos.mover)));
        }
        let lead = self.steps(pos, Player::First) - self.steps(pos, Player::Second);
        if first == most && second == most && lead != pos.mover.index() as i64 {
            let rule =
                "with all pawns on the board, W has made as many steps as B when w is to move, else one more";
            return Some(rule.into());
        }
        None
    }
}

/// The letters of the players in position texts.
const LETTERS: [char; 2] = ['w', 'b'];

impl<W: Word> Game for Breakthrough<W> {
    type Pos = Board<W>;

    fn name(&self) -> String {
        let Setup { cols, rows, full } = self.setup;
        let option = if full == 2 { String::new() } else { format!(",rows={full}") };
        format!("breakthrough:{cols}x{rows}{option}")
    }

    fn start(&self) -> Board<W> {
        Board { pawns: Player::BOTH.map(|player| self.home(player)), grid: self.grid, mover: Player::First }
    }

    fn parse(&self, text: &str) -> Result<Board<W>, TextError> {
        let read = text::rectangle(text, &self.grid, ".wb", ["w", "b"])?;
        let mover = if read.fields[0] == "w" { Player::First } else { Player::Second };
        let pos = Board { pawns: LETTERS.map(|letter| read.cells(letter)), grid: self.grid, mover };
        self.flaw(&pos).map_or(Ok(pos), |flaw| Err(bad_position(text, flaw)))
    }

    fn show(&self, pos: &Board<W>) -> String {
        let letter = |cell| pos.owner(cell).map_or('.', |player| LETTERS[player.index()]);
        text::show(text::ranks(&self.grid, letter), &LETTERS[pos.mover.index()].to_string())
    }

    fn show_move(&self, pos: &Board<W>, mv: Step) -> String {
        let [from, to] = pos.ends(mv);
        let sign = if pos.other().has(to) { 'x' } else { '-' };
        format!("{}{sign}{}", self.grid.name(from), self.grid.name(to))
    }

    fn side(&self, player: Player) -> &'static str {
        ["W", "B"][player.index()]
    }

    fn view(&self, pos: &Board<W>) -> View {
        let Setup { cols, rows, .. } = self.setup;
        View::rectangle(cols as usize, rows as usize, |c, r| {
            let owner = pos.owner(self.grid.cell(c as u32, r as u32));
            (owner.map_or('.', |player| LETTERS[player.index()]), owner)
        })
    }

    fn hints(&self) -> Arc<dyn Hints<Board<W>>> {
        Arc::new(Advance { pawns: self.setup.pawns() })
    }
}

#[cfg(test)]
mod tests;
