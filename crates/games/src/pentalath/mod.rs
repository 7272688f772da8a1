//! Pentalath (Cameron Browne, 2007): five in a row, with captures as in Go.
//!
//! ```text
//! a    w b .       W (First) and B in turn put a stone on an empty cell of a hexagon. Then enemy
//! b   . w b .      groups without a liberty (an empty cell beside them) are removed; then the mover's
//! c  . . w b .     group must have one, or the move is illegal. K or more own stones in a row win.
//! d   . b w .      No pass; if the mover cannot move, it is a draw. Here W completes five with e3.
//! e    . . .       moves: row letter from the top and number from the left, a1; swap
//! ```
//!
//! Rules as in Pepels et al. \[PTLW14\]. With `swap=yes` the second player may answer the first
//! stone with `swap`: it becomes a stone of B, and W moves again. Sides of 2 to 6 cells.
//!
//! *Repetition.* Captures can bring a position back: its third occurrence with the same player to
//! move is a draw. A position carries the keys of the positions before it, up to 256, and two
//! positions are equal only if these are equal too. [`Position::key`] leaves them out: it
//! identifies what must not occur three times, and no proof may rest on it. A position text has no
//! history. An image under a symmetry has none either, since keys cannot be mirrored.

mod hexagon;
pub mod hints;
mod notation;
mod playout;

use crate::board::text::{self, bad_parameters};
use crate::board::{Adjacent, History, Interned, Packing, Word};
use hexagon::STONES;
pub use hexagon::{Hexagon, LARGEST};
use proofplay_core::{Family, GameVisitor, Key, Player, Position, Rng, Score, TextError, zobrist};

/// The parameters: the side of the hexagon, how many in a row win, and whether there is a swap.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Cells a side, 2 to [`LARGEST`].
    pub size: u32,
    /// How many in a row win.
    pub k: u32,
    /// The second player may take over the first stone.
    pub swap: bool,
}

impl Setup {
    /// The usual board.
    pub const STANDARD: Setup = Setup { size: 5, k: 5, swap: false };

    /// Reads `N`, then `,k=K` and `,swap=yes` if wanted; nothing at all means side 5.
    pub fn parse(parameters: &str) -> Result<Setup, TextError> {
        let mut setup = Setup::STANDARD;
        if parameters.is_empty() {
            return Ok(setup);
        }
        let wrong = |expected: String| bad_parameters(parameters, expected);
        let mut parts = parameters.split(',');
        let size = parts.next().and_then(|size| text::number(size, LARGEST)).filter(|&size| size >= 2);
        setup.size =
            size.ok_or_else(|| wrong(format!("the cells a side are a number from 2 to {LARGEST}")))?;
        let mut named = Vec::new();
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            match (name, value, text::number(value, text::MAX_CELLS)) {
                _ if named.contains(&name) => return Err(wrong(format!("`{name}` is given twice"))),
                ("k", _, Some(k)) if k > 0 => setup.k = k,
                ("swap", "yes", _) => setup.swap = true,
                ("swap", "no", _) => setup.swap = false,
                _ => {
                    return Err(wrong(format!(
                        "after the side `k=K` and `swap=yes` may follow, not `{part}`"
                    )));
                }
            }
            named.push(name);
        }
        Ok(setup)
    }

    /// How many bits a board needs.
    pub fn bits(self) -> u32 {
        4 * self.size * (self.size - 1) + 1
    }
}

impl Family for Setup {
    const NAME: &str = "pentalath";
    const PARAMETERS: &str = "N[,k=K][,swap=yes], default 5,k=5";
    const EXAMPLE: &str = "5";
    const RULES: &str = "K in a row win on a hexagon of side N; groups without liberty are captured as in Go";
    const FULL_RULES: &str = include_str!("../rules/pentalath.md");
    const LINE: &str = "e5 d4 c3";
    const SMALL: &[&str] = &["2,k=3", "2,k=3,swap=yes"];
    const VARIED: &[&str] = &["2", "2,k=4", "6,k=4,swap=yes"];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        let setup = Setup::parse(parameters)?;
        Ok(if setup.bits() <= 64 {
            visitor.visit(Pentalath::<u64>::new(setup))
        } else {
            visitor.visit(Pentalath::<u128>::new(setup))
        })
    }
}

/// The game on a board that fits into `W`.
#[derive(Clone, Debug)]
pub struct Pentalath<W: Word> {
    setup: Setup,
    hexagon: Interned<Hexagon<W>>,
}

/// How many positions a game remembers: more than games last.
const MEMORY: usize = 256;

/// A position with its history: 2 kilobytes. Every group has a liberty.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board<W: Word> {
    /// The stones of First and of Second.
    stones: [W; 2],
    hexagon: Interned<Hexagon<W>>,
    mover: Player,
    /// There is a swap, and at most one stone was played.
    swap: bool,
    /// Who has won, or a draw by repetition. A player without a move draws, too, but that is not
    /// stored.
    end: Option<Score>,
    /// Some position has occurred twice.
    repeated: bool,
    /// Follows from the stones and the mover: what the rule of repetition sees.
    key: Key,
    /// All positions up to this one.
    history: History<MEMORY>,
}

/// The bit of the cell to play on, or [`SWAP`].
pub type Stone = u8;

/// Taking over the first stone.
pub const SWAP: Stone = 127;

static SECOND_MOVES: Key = zobrist::<1>(39)[0];
static SWAP_LEFT: Key = zobrist::<1>(40)[0];

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
        self.hexagon.board & !self.all()
    }

    /// Who has a stone on the cell.
    fn owner(&self, cell: u32) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.stones[player.index()].has(cell))
    }

    /// All stones.
    #[inline]
    fn all(&self) -> W {
        self.stones[0] | self.stones[1]
    }

    /// Whether the mover may take over the first stone.
    #[inline]
    fn may_swap(&self) -> bool {
        self.swap && !self.all().is_empty()
    }

    /// The enemy stones that a stone on an empty cell captures.
    #[inline]
    fn captured(&self, cell: u32) -> W {
        let stone = W::bit(cell);
        self.hexagon.captured(stone, self.other(), self.empty() & !stone)
    }

    /// Whether the mover may put a stone on an empty cell.
    fn is_legal(&self, cell: u32) -> bool {
        let stone = W::bit(cell);
        self.hexagon.stifled(stone, self.own(), self.empty() & !stone).is_empty()
            || !self.captured(cell).is_empty()
    }

    /// The cells that the mover may put a stone on.
    fn legal(&self) -> W {
        self.hexagon.breathing(self.own(), self.other(), self.empty())
    }

    /// Whether the mover has a legal cell, trying cheap tests first.
    #[inline]
    fn can_move(&self) -> bool {
        let empty = self.empty();
        !(empty & self.hexagon.neighbours(empty)).is_empty() || !self.legal().is_empty()
    }

    /// The key after a stone of the mover on a cell that captures this.
    #[inline]
    fn key_with(&self, key: Key, cell: u32, captured: W) -> Key {
        let [own, other] = [&STONES[self.mover.index()], &STONES[(!self.mover).index()]];
        let taken = captured.cells().fold(0, |key, stone| key ^ other[stone as usize]);
        key ^ own[cell as usize] ^ taken ^ SECOND_MOVES
    }

    /// Puts a stone of the mover on a cell, takes what it captures and ends the turn.
    #[inline]
    fn put(&mut self, cell: u32, captured: W, won: bool) {
        self.swap &= self.all().is_empty();
        self.key = self.key_with(self.key, cell, captured);
        self.stones[self.mover.index()] = self.own() | W::bit(cell);
        self.stones[(!self.mover).index()] = self.other() & !captured;
        let before = self.history.add(self.key as u64, !captured.is_empty());
        self.repeated |= before > 0;
        if won {
            self.end = Some(Score::win_of(self.mover));
        } else if before >= 2 {
            self.end = Some(Score::DRAW);
        }
        self.mover = !self.mover;
    }

    /// Makes the first stone one of the second player.
    fn swap(&mut self) {
        self.key = self.key_of_swap(self.key);
        self.stones.swap(0, 1);
        self.swap = false;
        self.mover = !self.mover;
        self.history.add(self.key as u64, true);
    }

    fn key_of_swap(&self, key: Key) -> Key {
        let stone = self.other().lowest() as usize;
        key ^ STONES[0][stone] ^ STONES[1][stone] ^ SECOND_MOVES
    }

    /// The position as if it were given as text.
    fn without_history(self) -> Self {
        let mut history = History::new();
        history.add(self.key as u64, false);
        Board { history, ..self }
    }

    fn packing(&self) -> Packing {
        Packing { rest: 2, cells: W::BITS - self.hexagon.board.reversed().lowest() }
    }

    /// The key from scratch.
    fn rebuilt_key(&self) -> Key {
        let keys = |player: usize| {
            self.stones[player].cells().fold(0, |key, cell| key ^ STONES[player][cell as usize])
        };
        let stones = keys(0) ^ keys(1);
        if self.mover == Player::Second { stones ^ SECOND_MOVES } else { stones }
    }
}

impl<W: Word> Position for Board<W> {
    type Move = Stone;

    #[inline]
    fn turn(&self) -> Player {
        self.mover
    }

    #[inline]
    fn outcome(&self) -> Option<Score> {
        match self.end {
            None if !self.can_move() => Some(Score::DRAW),
            end => end,
        }
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Stone>) {
        out.extend(self.legal().cells().map(|cell| cell as Stone));
        if self.may_swap() {
            out.push(SWAP);
        }
    }

    #[inline]
    fn play(&mut self, mv: Stone) {
        if mv == SWAP {
            debug_assert!(self.may_swap(), "nothing to swap");
            return self.swap();
        }
        let cell = u32::from(mv);
        debug_assert!(self.empty().has(cell) && self.is_legal(cell), "cell {mv} is not legal");
        let won = self.hexagon.has_row(self.own() | W::bit(cell));
        self.put(cell, self.captured(cell), won);
    }

    /// The key of the stones, the mover and the right to swap, without the history.
    #[inline]
    fn key(&self) -> Key {
        if self.swap { self.key ^ SWAP_LEFT } else { self.key }
    }

    #[inline]
    fn key_after(&self, key: Key, mv: Stone) -> Key {
        // A player who may swap does it now or never.
        let key = if self.may_swap() { key ^ SWAP_LEFT } else { key };
        match mv {
            SWAP => self.key_of_swap(key),
            _ => self.key_with(key, u32::from(mv), self.captured(u32::from(mv))),
        }
    }

    /// The mover, whether there is a swap, the stones, and which are of Second. Up to side 4 all positions have a number.
    fn packed(&self) -> Option<u128> {
        let [first, second] = self.stones.map(|stones| stones.cells().fold(0, |set, cell| set | 1 << cell));
        let packing = self.packing();
        let rest = self.mover.index() as u32 | u32::from(self.swap) << 1;
        let fits = packing.rest + packing.cells + self.hexagon.board.count() <= u128::BITS;
        if fits { packing.pack(rest, first | second, [second]) } else { None }
    }

    fn unpacked(&self, number: u128) -> Self {
        let (rest, occupied, [second]) = self.packing().unpack(number);
        let stones = [occupied ^ second, second]
            .map(|set: u128| set.cells().fold(W::EMPTY, |set, cell| set | W::bit(cell)));
        let mover = Player::BOTH[(rest & 1) as usize];
        let mut pos = Board { stones, mover, swap: rest & 2 != 0, end: None, repeated: false, ..*self };
        pos.key = pos.rebuilt_key();
        pos.without_history()
    }

    fn has_repeated(&self) -> bool {
        self.repeated
    }

    #[inline]
    fn slots(&self) -> usize {
        usize::from(SWAP) + 1
    }

    #[inline]
    fn slot(&self, mv: Stone) -> usize {
        usize::from(mv)
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Stone>) -> usize {
        self.legal().count() as usize + usize::from(self.may_swap())
    }

    /// Draws among the empty cells until one is legal.
    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<Stone>) -> Stone {
        let mut cells = self.empty();
        let swap = u32::from(self.may_swap());
        loop {
            let n = rng.below(cells.count() + swap);
            if n == cells.count() {
                return SWAP;
            }
            let cell = cells.nth(n);
            if self.is_legal(cell) {
                return cell as Stone;
            }
            cells = cells & !W::bit(cell);
        }
    }

    fn playout(
        &mut self,
        rng: &mut Rng,
        buf: &mut Vec<Stone>,
        trace: &mut impl FnMut(Player, Stone),
    ) -> Score {
        // While there may be a swap, move by move.
        while self.swap && self.outcome().is_none() {
            let mv = self.random_move(rng, buf);
            trace(self.mover, mv);
            self.play(mv);
        }
        match self.outcome() {
            Some(score) => score,
            None => playout::playout(self, rng, trace),
        }
    }

    /// All of the hexagon while no position has occurred twice: until then the history does not
    /// change the value, since a forced win passes through no position twice, so images need no
    /// history.
    #[inline]
    fn symmetries(&self) -> usize {
        if self.repeated { 1 } else { self.hexagon.symmetries() }
    }

    /// Images other than the position itself have no history.
    fn transformed(&self, symmetry: usize) -> Self {
        if symmetry == 0 {
            return *self;
        }
        let stones = self.stones.map(|stones| self.hexagon.image(symmetry, stones));
        let mut image = Board { stones, ..*self };
        image.key = image.rebuilt_key();
        image.without_history()
    }

    /// Without a history, so that all images have the same canonical form.
    fn canonical(&self) -> Self {
        if self.repeated {
            return *self;
        }
        let images = (0..self.symmetries()).map(|symmetry| self.transformed(symmetry));
        images.min_by_key(|image| image.key()).unwrap_or(*self).without_history()
    }
}

#[cfg(test)]
mod tests;
