//! Lines of Action (Claude Soucie): bring all own pieces together.
//!
//! ```text
//! 4  . b b .      B is First, on the top and bottom row; W on the left and right column; corners are
//! 3  w . . w      empty. A piece moves along a row, column or diagonal exactly as many cells as there
//! 2  w . . w      are pieces of both colours on the whole line, including itself. It may jump over own
//! 1  . b b .      pieces, not over enemies, and may land on an enemy, which is captured, not on an own
//!    a b c d      piece. A player without a move passes. Moves: b1-d3, b1xd3 (capture), pass
//! ```
//!
//! After a move, a player whose pieces form one group along sides and corners wins, even if the
//! opponent made the move; both at once is a draw. A single piece is a group. Rules as in Sackson,
//! "A Gamut of Games", 1969, and Winands, Björnsson & Saito \[WBS08\] section 2, whose simultaneous
//! connection is a draw too. The third occurrence of a position with the same player to move is a
//! draw; see [`ReversibleMoves`] for what is remembered. Boards from 3x3 to 11x11.
//!
//! `eval=2000`, `2002` or `2006` chooses an [`Evaluator`] for searches that ask for one; it changes
//! no rule. The search that the paper describes: [`LoaHints`].

mod categories;
mod evaluate;
mod features;
mod hints;
mod lines;
mod playout;
mod transitions;

pub use evaluate::{Evaluator, points};
pub use features::{Feature, PerFeature};
pub use hints::LoaHints;
pub use transitions::Transitions;

use crate::board::text::{self, bad_parameters, bad_position};
use crate::board::{Grid, Interned, Packing, ReversibleMoves, Word, ends, is_legal, list_or_pass, step};
pub use crate::board::{PASS, Step};
use lines::Lines;
use proofplay_core::{
    Family, Game, GameVisitor, Hints, Key, Player, Position, Rng, Score, TextError, View, zobrist,
};
use std::sync::Arc;

/// The parameters.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Columns, and rows.
    pub size: u32,
    /// The evaluation for searches; it changes no rule.
    pub evaluator: Evaluator,
}

impl Default for Setup {
    fn default() -> Self {
        Setup { size: 8, evaluator: Evaluator::default() }
    }
}

impl Setup {
    /// Reads `NxN[,eval=2000|2002|2006]`; nothing is `8x8,eval=2006`.
    pub fn parse(parameters: &str) -> Result<Setup, TextError> {
        if parameters.is_empty() {
            return Ok(Setup::default());
        }
        let (size, option) = parameters.split_once(',').unzip();
        let (cols, rows) = text::size(size.unwrap_or(parameters))?;
        if cols != rows || !(3..=11).contains(&cols) {
            return Err(bad_parameters(parameters, "the board is a square from 3x3 to 11x11"));
        }
        let evaluator = match option {
            None => Evaluator::default(),
            Some(option) => option
                .strip_prefix("eval=")
                .and_then(Evaluator::of_year)
                .ok_or_else(|| bad_parameters(parameters, "the only option is eval=2000, 2002 or 2006"))?,
        };
        Ok(Setup { size: cols, evaluator })
    }
}

impl Family for Setup {
    const NAME: &str = "loa";
    const PARAMETERS: &str = "NxN[,eval=2000|2002|2006], default 8x8,eval=2006";
    const EXAMPLE: &str = "8x8";
    const RULES: &str =
        "a piece moves as far as there are pieces on its line; all own pieces in one group win";
    const FULL_RULES: &str = include_str!("../rules/loa.md");
    const VARIED: &[&str] = &["3x3", "5x5,eval=2002", "9x9,eval=2000", "11x11"];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        let setup = Setup::parse(parameters)?;
        Ok(if setup.size <= 8 {
            visitor.visit(Loa::<u64>::new(setup))
        } else {
            visitor.visit(Loa::<u128>::new(setup))
        })
    }
}

/// The game on a board that fits into `W`.
#[derive(Clone, Debug)]
pub struct Loa<W: Word> {
    lines: Interned<Lines<W>>,
    evaluator: Evaluator,
}

/// How many reversible moves a position remembers.
const REMEMBERED: usize = 128;

/// A position: 288 bytes for `u64`, most of them history.
///
/// [`Position::key`] is that of pieces and mover alone, though the value may depend on the history.
/// Therefore [`Position::repeats`] is true, and searches with tables refuse the game. Equality and
/// hash include the history.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board<W: Word> {
    /// The pieces of each player; both have at least one.
    pieces: [W; 2],
    lines: Interned<Lines<W>>,
    mover: Player,
    /// Set by the move that ends the game.
    outcome: Option<Score>,
    history: ReversibleMoves<REMEMBERED>,
}

impl<W: Word> Board<W> {
    /// The pieces of a player.
    #[inline]
    fn pieces(&self, player: Player) -> W {
        self.pieces[player.index()]
    }

    /// The moves of the mover, without the pass.
    #[inline]
    fn steps(&self) -> impl Iterator<Item = Step> {
        let (own, enemy) = (self.pieces(self.mover), self.pieces(!self.mover));
        let counts = self.lines.counts(own | enemy);
        self.lines.all_targets(own, enemy, counts).map(|(from, to)| step(from, to))
    }

    /// A uniformly random one of the listed moves.
    #[cold]
    fn listed_move(&self, rng: &mut Rng, buf: &mut Vec<Step>) -> Step {
        let start = buf.len();
        self.moves(buf);
        let mv = buf[start + rng.below((buf.len() - start) as u32) as usize];
        buf.truncate(start);
        mv
    }

    fn packing(&self) -> Packing {
        Packing { rest: 1, cells: self.lines.grid.board.count() }
    }

    /// The outcome by connection alone.
    fn connection(&self) -> Option<Score> {
        match self.pieces.map(|pieces| self.lines.grid.is_connected(pieces)) {
            [true, true] => Some(Score::DRAW),
            [true, false] => Some(Score::WIN),
            [false, true] => Some(Score::LOSS),
            [false, false] => None,
        }
    }
}

/// Pieces by player and cell.
static PIECES: [[Key; text::MAX_CELLS as usize]; 2] = [zobrist(20), zobrist(21)];
static SECOND_MOVES: Key = zobrist::<1>(22)[0];

impl<W: Word> Position for Board<W> {
    type Move = Step;

    #[inline]
    fn turn(&self) -> Player {
        self.mover
    }

    #[inline]
    fn outcome(&self) -> Option<Score> {
        self.outcome
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Step>) {
        list_or_pass(self.steps(), out);
    }

    #[inline]
    fn play(&mut self, mv: Step) {
        debug_assert!(self.outcome.is_none(), "the game is over");
        debug_assert!(is_legal(self.steps(), mv));
        let ((from, to), mover) = (ends(mv), self.mover);
        self.mover = !mover;
        let enemy = self.pieces[self.mover.index()];
        if mv != PASS {
            let own = &mut self.pieces[mover.index()];
            *own = *own ^ W::bit(from) ^ W::bit(to);
            if enemy.has(to) {
                self.pieces[self.mover.index()] = enemy ^ W::bit(to);
                self.history.clear();
                self.outcome = self.connection();
                return;
            }
            // Without a capture the opponent stays as scattered as before.
            if self.lines.grid.is_connected(*own) {
                self.outcome = Some(Score::win_of(mover));
            }
        }
        self.history.push(from as u8, to as u8);
        if self.outcome.is_none() && self.history.recurrences::<W>() >= 2 {
            self.outcome = Some(Score::DRAW);
        }
    }

    fn key(&self) -> Key {
        let keys = |player: Player| {
            let cells = self.pieces(player).cells();
            cells.fold(0, |key, cell| key ^ PIECES[player.index()][cell as usize])
        };
        let turn = if self.mover == Player::Second { SECOND_MOVES } else { 0 };
        keys(Player::First) ^ keys(Player::Second) ^ turn
    }

    #[inline]
    fn key_after(&self, key: Key, mv: Step) -> Key {
        if mv == PASS {
            return key ^ SECOND_MOVES;
        }
        let (from, to) = ends(mv);
        let own = &PIECES[self.mover.index()];
        let captured =
            if self.pieces(!self.mover).has(to) { PIECES[(!self.mover).index()][to as usize] } else { 0 };
        key ^ own[from as usize] ^ own[to as usize] ^ captured ^ SECOND_MOVES
    }

    /// The mover, the pieces, and which are of Second.
    fn packed(&self) -> Option<u128> {
        let [first, second] = self.pieces.map(|pieces| pieces.cells().fold(0, |set, cell| set | 1 << cell));
        self.packing().pack(self.mover.index() as u32, first | second, [second])
    }

    fn unpacked(&self, number: u128) -> Self {
        let (mover, occupied, [second]) = self.packing().unpack(number);
        Board {
            pieces: [occupied ^ second, second]
                .map(|set: u128| set.cells().fold(W::EMPTY, |set, cell| set | W::bit(cell))),
            mover: Player::BOTH[mover as usize],
            outcome: None,
            history: ReversibleMoves::default(),
            ..*self
        }
    }

    fn has_repeated(&self) -> bool {
        self.history.has_repeated()
    }

    /// From and to, as far as the board goes.
    #[inline]
    fn slots(&self) -> usize {
        let cells = self.lines.grid.board.count() as usize;
        cells * cells
    }

    #[inline]
    fn slot(&self, mv: Step) -> usize {
        let (from, to) = ends(mv);
        from as usize * self.lines.grid.board.count() as usize + to as usize
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Step>) -> usize {
        self.steps().count().max(1)
    }

    /// Draws a piece and a direction until that is a move: every move is one piece in one direction.
    #[inline]
    fn random_move(&self, rng: &mut Rng, buf: &mut Vec<Step>) -> Step {
        let (own, enemy) = (self.pieces(self.mover), self.pieces(!self.mover));
        let choices = 8 * own.count();
        for _ in 0..playout::TRIES {
            let choice = rng.below(choices);
            let from = own.nth(choice / 8);
            if let Some(to) = self.lines.target(own, enemy, from, choice as usize % 8) {
                return step(from, to);
            }
        }
        self.listed_move(rng, buf)
    }

    #[inline]
    fn playout(&mut self, rng: &mut Rng, buf: &mut Vec<Step>, trace: &mut impl FnMut(Player, Step)) -> Score {
        playout::playout(self, rng, buf, trace)
    }

    /// Both colours move alike: every symmetry of the square keeps the rules.
    #[inline]
    fn symmetries(&self) -> usize {
        self.lines.grid.symmetries()
    }

    fn transformed(&self, symmetry: usize) -> Self {
        let grid = &self.lines.grid;
        Board {
            pieces: self.pieces.map(|pieces| grid.image(symmetry, pieces)),
            history: self.history.transformed(|cell| grid.image_of(symmetry, cell)),
            ..*self
        }
    }
}

/// The letters of the players' pieces.
const LETTERS: [char; 2] = ['b', 'w'];

impl<W: Word> Loa<W> {
    /// The game with these parameters.
    ///
    /// # Panics
    /// If the board does not fit into `W`.
    pub fn new(setup: Setup) -> Self {
        Loa { lines: Lines::new(setup.size), evaluator: setup.evaluator }
    }

    fn size(&self) -> u32 {
        self.lines.grid.cols
    }

    /// What is on a cell, and whose it is.
    fn at(&self, pos: &Board<W>, cell: u32) -> (char, Option<Player>) {
        let owner = Player::BOTH.into_iter().find(|&player| pos.pieces(player).has(cell));
        (owner.map_or('.', |player| LETTERS[player.index()]), owner)
    }
}

impl<W: Word> Game for Loa<W> {
    type Pos = Board<W>;

    fn name(&self) -> String {
        let size = self.size();
        match self.evaluator {
            evaluator if evaluator == Evaluator::default() => format!("loa:{size}x{size}"),
            evaluator => format!("loa:{size}x{size},eval={}", evaluator.year()),
        }
    }

    fn start(&self) -> Board<W> {
        let last = self.size() - 1;
        let side = |on_side: &dyn Fn(u32, u32) -> bool| {
            let cells = self.lines.grid.board.cells();
            let cells = cells.filter(|cell| on_side(cell % (last + 1), cell / (last + 1)));
            cells.fold(W::EMPTY, |set, cell| set | W::bit(cell))
        };
        let at_end = |i: u32| i == 0 || i == last;
        Board {
            pieces: [side(&|c, r| at_end(r) && !at_end(c)), side(&|c, r| at_end(c) && !at_end(r))],
            lines: self.lines,
            mover: Player::First,
            outcome: None,
            history: ReversibleMoves::default(),
        }
    }

    fn parse(&self, text: &str) -> Result<Board<W>, TextError> {
        let read = text::rectangle(text, &self.lines.grid, ".bw", ["b", "w"])?;
        let mut pos = Board { pieces: LETTERS.map(|letter| read.cells(letter)), ..self.start() };
        let most = 2 * (self.size() - 2);
        for (pieces, letter) in pos.pieces.into_iter().zip(LETTERS) {
            let count = pieces.count();
            if !(1..=most).contains(&count) {
                let range =
                    format!("each side has 1 to {most} pieces here, but there are {count} `{letter}`");
                return Err(bad_position(text, range));
            }
        }
        if read.fields[0] == "w" {
            pos.mover = Player::Second;
        }
        pos.outcome = pos.connection();
        Ok(pos)
    }

    fn show(&self, pos: &Board<W>) -> String {
        let side = LETTERS[pos.mover.index()].to_string();
        text::show(text::ranks(&self.lines.grid, |cell| self.at(pos, cell).0), &side)
    }

    fn show_move(&self, pos: &Board<W>, mv: Step) -> String {
        if mv == PASS {
            return "pass".to_owned();
        }
        let (from, to) = ends(mv);
        let sign = if pos.pieces(!pos.mover).has(to) { 'x' } else { '-' };
        format!("{}{sign}{}", self.lines.grid.name(from), self.lines.grid.name(to))
    }

    fn side(&self, player: Player) -> &'static str {
        ["B", "W"][player.index()]
    }

    fn view(&self, pos: &Board<W>) -> View {
        let Grid { cols, rows, .. } = *self.lines.grid;
        View::rectangle(cols as usize, rows as usize, |c, r| {
            self.at(pos, self.lines.grid.cell(c as u32, r as u32))
        })
    }

    fn hints(&self) -> Arc<dyn Hints<Board<W>>> {
        Arc::new(LoaHints::new(self.evaluator.weights()))
    }
}

#[cfg(test)]
mod tests;
