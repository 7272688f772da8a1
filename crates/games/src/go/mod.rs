//! Go, by area, with positional superko.
//!
//! ```text
//! 4  . b w .       B (First) and W in turn put a stone on an empty cell, or pass. Enemy groups without
//! 3  b . b w       a liberty (an empty cell beside them) are removed; then the mover's group must have
//! 2  . b w .       one, or the move is illegal (with suicide=yes it is removed, too). No stone may
//! 1  . . . .       repeat an earlier board, whoever was to move. Two passes in a row end the game. The
//!    a b c d       area of a player is their stones and the empty regions that touch no enemy stone;
//!                  the score is B's area less W's less komi.
//! ```
//!
//! Rules after Tromp & Taylor, with suicide as an option. Here W takes a stone with b3, and B may
//! not take back at c3 with the next move. Moves: `b2`, `pass`; as in all programs for Go there is no
//! column `i`, so that `j5` is in the ninth one. Boards of 1 to 19 by 1 to 19 cells.
//!
//! *Scores* are points. With a komi such as 7.5 a half point counts as a whole one for the player
//! who has it: B or W wins by at least 1, and there is no draw.
//!
//! *Positions* as text have the passes after the side to move, `… w 1`, if there are any, and no
//! history besides themselves. A position carries the keys of all boards before it (`past.rs`);
//! they are part of its identity and of its key. [`Position::repeats`] is true, so searches that
//! store values by position refuse the game.
//!
//! *Races.* `go:seki=A,B` is the race of the game `seki` on a real board: taking the other's string
//! in the middle wins, two passes are a draw, and no player fills an own eye of one cell.

mod benson;
pub mod hints;
mod notation;
mod past;
mod playout;
mod setup;
mod story;

use crate::board::{Adjacent, Grid, Interned, Word, intern};
use past::Past;
use proofplay_core::{Bounds, Key, Player, Position, Rng, Score, zobrist};
pub use setup::{LONGEST, Setup};
pub use story::Story;

/// The game on a board that fits into `W`.
#[derive(Clone, Debug)]
pub struct Go<W: Word> {
    setup: Setup,
    rules: Interned<Rules<W>>,
}

/// What belongs to the parameters of a game.
#[derive(Debug)]
pub struct Rules<W: Word> {
    grid: Interned<Grid<W>>,
    /// In half points.
    komi: i16,
    suicide: bool,
    /// In a race: a cell of each player's string.
    targets: Option<[u16; 2]>,
    lists: playout::Lists,
}

impl<W: Word> Rules<W> {
    fn new(setup: Setup) -> Interned<Rules<W>> {
        let Setup { cols, rows, komi, suicide, .. } = setup;
        let [first, second] = setup.race.unwrap_or_default();
        let race = u32::from(setup.race.is_some());
        // Interned first: one table cannot be made while another one is.
        let grid = Grid::new(cols, rows);
        intern(&[cols, rows, komi as u32, suicide.into(), race, first, second], || {
            let lists = playout::Lists::new(cols as usize, rows as usize);
            Rules { grid, komi, suicide, targets: setup.targets(), lists }
        })
    }
}

/// A position with its history: some 400 bytes, for the largest boards 500. Every group has a
/// liberty.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board<W: Word> {
    /// The stones of First and of Second.
    stones: [W; 2],
    rules: Interned<Rules<W>>,
    mover: Player,
    /// Passes in a row.
    passes: u8,
    /// The key of the stones, which must not repeat.
    key: Key,
    /// All boards up to this one.
    past: Past,
}

/// The number of the cell to play on, or [`PASS`].
pub type Stone = u16;

/// Putting no stone.
pub const PASS: Stone = 511;

/// Stones by player and cell.
static STONES: [[Key; (LONGEST * LONGEST) as usize]; 2] = [zobrist(51), zobrist(52)];
static SECOND_MOVES: Key = zobrist::<1>(53)[0];
static PASSES: [Key; 3] = [0, zobrist::<1>(54)[0], zobrist::<1>(55)[0]];

/// The key of stones of one player.
#[inline]
fn key_of<W: Word>(player: Player, stones: W) -> Key {
    stones.cells().fold(0, |key, cell| key ^ STONES[player.index()][cell as usize])
}

impl<W: Word> Board<W> {
    #[inline]
    fn own(&self) -> W {
        self.stones[self.mover.index()]
    }

    #[inline]
    fn other(&self) -> W {
        self.stones[(!self.mover).index()]
    }

    #[inline]
    fn empty(&self) -> W {
        self.rules.grid.board & !(self.stones[0] | self.stones[1])
    }

    /// Who has a stone on the cell.
    fn owner(&self, cell: u32) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.stones[player.index()].has(cell))
    }

    /// What a stone of the mover on an empty cell takes off the board: enemy stones, or else its
    /// own group, including the new stone, if that has no liberty.
    #[inline]
    fn removed(&self, cell: u32) -> [W; 2] {
        let (grid, stone) = (&*self.rules.grid, W::bit(cell));
        let empty = self.empty() & !stone;
        let captured = grid.captured(stone, self.other(), empty);
        let lost = if captured.is_empty() { grid.stifled(stone, self.own(), empty) } else { W::EMPTY };
        [lost, captured]
    }

    /// The key of the board after a stone of the mover on a cell that takes these off.
    #[inline]
    fn key_with(&self, cell: u32, [lost, captured]: [W; 2]) -> Key {
        let stone = STONES[self.mover.index()][cell as usize];
        self.key ^ stone ^ key_of(self.mover, lost) ^ key_of(!self.mover, captured)
    }

    /// Empty cells that the mover may not fill in a race: those with only stones of the mover
    /// beside them.
    fn eyes(&self) -> W {
        let empty = self.empty();
        empty & !self.rules.grid.neighbours(empty | self.other())
    }

    /// Whether the mover may put a stone on an empty cell.
    #[inline]
    fn is_legal(&self, cell: u32) -> bool {
        let removed = self.removed(cell);
        (self.rules.suicide || removed[0].is_empty())
            && !self.past.contains(self.key_with(cell, removed))
            && !(self.rules.targets.is_some() && self.eyes().has(cell))
    }

    /// The cells that the mover may put a stone on.
    fn legal(&self) -> W {
        let (grid, empty) = (&*self.rules.grid, self.empty());
        let breathing = grid.breathing(self.own(), self.other(), empty);
        let captures = grid.groups(self.other(), empty).1;
        let stones = &STONES[self.mover.index()];
        let mut legal = breathing;
        // Where nothing is taken off, the key is the one with the stone.
        for cell in (breathing & !captures).cells() {
            if self.past.contains(self.key ^ stones[cell as usize]) {
                legal = legal & !W::bit(cell);
            }
        }
        let suicides = if self.rules.suicide { empty & !breathing } else { W::EMPTY };
        for cell in ((breathing & captures) | suicides).cells() {
            let repeats = self.past.contains(self.key_with(cell, self.removed(cell)));
            legal = if repeats { legal & !W::bit(cell) } else { legal | W::bit(cell) };
        }
        if self.rules.targets.is_some() { legal & !self.eyes() } else { legal }
    }

    /// Who has which cells: stones and empty regions that touch no stone of the other.
    fn areas(&self) -> [W; 2] {
        let empty = self.empty();
        let [first, second] = self.stones.map(|stones| self.rules.grid.flood(stones, stones | empty));
        [first & !second, second & !first]
    }

    /// The score by area, less komi, in half points.
    fn halves(&self) -> i16 {
        let [first, second] = self.areas().map(|area| area.count() as i16);
        2 * (first - second) - self.rules.komi
    }

    /// Who has lost the string that races.
    fn race_lost(&self) -> Option<Player> {
        let targets = self.rules.targets?;
        Player::BOTH.into_iter().find(|player| {
            let player = player.index();
            !self.stones[player].has(targets[player].into())
        })
    }

    /// Ends the turn by a pass.
    fn pass(&mut self) {
        self.passes += 1;
        self.mover = !self.mover;
    }

    /// This position with only this board in its past.
    fn without_history(mut self) -> Self {
        self.key = key_of(Player::First, self.stones[0]) ^ key_of(Player::Second, self.stones[1]);
        self.past = Past::of(self.key);
        self
    }

    /// Whether the past is known from the board alone: nothing, or the empty board before a first
    /// stone.
    fn is_fresh(&self) -> bool {
        let count = self.past.count();
        count == 1 || (count == 2 && (self.stones[0] | self.stones[1]).count() == 1 && self.past.contains(0))
    }
}

/// Half points as a score: a half point is a whole one for the player who has it.
#[inline]
fn rounded(halves: i16) -> Score {
    Score((halves + halves.signum() * (halves % 2).abs()) / 2)
}

impl<W: Word> Position for Board<W> {
    type Move = Stone;

    #[inline]
    fn turn(&self) -> Player {
        self.mover
    }

    #[inline]
    fn outcome(&self) -> Option<Score> {
        match self.race_lost() {
            Some(loser) => Some(Score::win_of(!loser)),
            None if self.passes < 2 => None,
            None if self.rules.targets.is_some() => Some(Score::DRAW),
            None => Some(rounded(self.halves())),
        }
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Stone>) {
        out.extend(self.legal().cells().map(|cell| cell as Stone));
        out.push(PASS);
    }

    #[inline]
    fn play(&mut self, mv: Stone) {
        if mv == PASS {
            return self.pass();
        }
        let (cell, player) = (u32::from(mv), self.mover.index());
        debug_assert!(self.empty().has(cell) && self.is_legal(cell), "cell {mv} is not legal");
        let removed @ [lost, captured] = self.removed(cell);
        self.key = self.key_with(cell, removed);
        self.stones[player] = (self.stones[player] | W::bit(cell)) & !lost;
        self.stones[1 - player] = self.stones[1 - player] & !captured;
        self.past.add(self.key);
        self.passes = 0;
        self.mover = !self.mover;
    }

    /// Stones, mover, passes and the boards that must not repeat.
    #[inline]
    fn key(&self) -> Key {
        let turn = if self.mover == Player::Second { SECOND_MOVES } else { 0 };
        self.key ^ turn ^ PASSES[usize::from(self.passes)] ^ self.past.sum()
    }

    #[inline]
    fn range(&self) -> Bounds {
        if self.rules.targets.is_some() {
            return Bounds::WDL;
        }
        let cells = 2 * (self.rules.grid.cols * self.rules.grid.rows) as i16;
        Bounds::new(rounded(-cells - self.rules.komi), rounded(cells - self.rules.komi))
    }

    #[inline]
    fn slots(&self) -> usize {
        (self.rules.grid.cols * self.rules.grid.rows) as usize + 1
    }

    /// The cell; the last slot is the pass.
    #[inline]
    fn slot(&self, mv: Stone) -> usize {
        usize::from(mv).min(self.slots() - 1)
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Stone>) -> usize {
        self.legal().count() as usize + 1
    }

    /// Draws among the empty cells and the pass until the choice is legal.
    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<Stone>) -> Stone {
        let mut cells = self.empty();
        loop {
            let n = rng.below(cells.count() + 1);
            if n == cells.count() {
                return PASS;
            }
            let cell = cells.nth(n);
            if self.is_legal(cell) {
                return cell as Stone;
            }
            cells = cells & !W::bit(cell);
        }
    }

    /// All of the rectangle while the past is known from the board; later images would need images
    /// of earlier boards, of which only keys are left.
    #[inline]
    fn symmetries(&self) -> usize {
        if self.is_fresh() && self.rules.targets.is_none() { self.rules.grid.symmetries() } else { 1 }
    }

    fn transformed(&self, symmetry: usize) -> Self {
        if symmetry == 0 {
            return self.clone();
        }
        let stones = self.stones.map(|stones| self.rules.grid.image(symmetry, stones));
        let mut image = Board { stones, ..self.clone() }.without_history();
        if self.past.count() == 2 {
            image.past = Past::of(0);
            image.past.add(image.key);
        }
        image
    }
}

#[cfg(test)]
mod tests;
