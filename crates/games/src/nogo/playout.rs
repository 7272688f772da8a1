//! Random games of NoGo at full speed, on tables that live for one playout.
//!
//! *Choosing.* What is illegal for a player stays illegal, and what is occupied stays occupied. So
//! each player has an urn of cells and draws without putting back until a cell is legal: no cell
//! drawn before can be played any more, all legal cells are still in the urn, and they are equally
//! likely to come next.
//!
//! *Legality.* Every group counts its pairs (stone, empty neighbour). A cell is filled by taking
//! one pair from the group of each neighbour; the groups that are then at 0 have no liberty left,
//! whichever cells they touched before. An empty cell is stored as a separate group whose pairs are
//! its empty neighbours: what a stone there adds. A board of C columns and R rows has 2CR - C - R
//! pairs of neighbours, for 128 cells at most 233: a byte is enough.
//!
//! Measured on 9x9: taking the opponent's cells out of the urn is a fourth faster than drawing and
//! skipping them, and a third faster than choosing among the bits of a set.

use super::{Board, Cell};
use crate::board::text::MAX_CELLS;
use crate::board::{Grid, Word};
use proofplay_core::{Player, Rng, Score};

/// Neither player's stone: the [`Groups::owner`] of empty cells and of cells off the board.
const NOBODY: u8 = 2;

/// Groups of stones. Tables have 256 entries so that any byte is an index, including the one for
/// "off the board".
struct Groups {
    /// The group of each cell, named by one of its cells.
    group: [u8; 256],
    /// Pairs (stone, empty neighbour) of each group, at the cell that names it.
    pairs: [u8; 256],
    /// The index of the player whose stone it is, or [`NOBODY`].
    owner: [u8; 256],
}

/// The neighbours of a cell, in four directions.
struct Around {
    group: [u8; 4],
    own: [bool; 4],
    enemy: [bool; 4],
}

impl Groups {
    /// The groups of a position.
    #[inline]
    fn new<W: Word>(pos: &Board<W>) -> Groups {
        let mut groups = Groups {
            group: std::array::from_fn(|cell| cell as u8),
            pairs: *pos.grid.degrees(),
            owner: [NOBODY; 256],
        };
        for (stones, player) in [(pos.own, pos.mover), (pos.other, !pos.mover)] {
            for cell in stones.cells() {
                let (cell, player) = (cell as u8, player.index() as u8);
                let around = groups.around(&pos.grid, cell, player);
                groups.fill(&around);
                groups.join(cell, &around, player);
            }
        }
        groups
    }

    /// What `player` finds around a cell.
    #[inline]
    fn around<W: Word>(&self, grid: &Grid<W>, cell: u8, player: u8) -> Around {
        let beside = grid.beside(cell).map(usize::from);
        let owner = beside.map(|next| self.owner[next]);
        Around {
            group: beside.map(|next| self.group[next]),
            own: owner.map(|owner| owner == player),
            enemy: owner.map(|owner| owner == 1 - player),
        }
    }

    /// Takes the cell between these groups from the empty ones.
    #[inline]
    fn fill(&mut self, around: &Around) {
        for group in around.group.map(usize::from) {
            // Wraps off the board, where the count is not used.
            self.pairs[group] = self.pairs[group].wrapping_sub(1);
        }
    }

    /// Takes back [`Groups::fill`].
    #[inline]
    fn clear(&mut self, around: &Around) {
        for group in around.group.map(usize::from) {
            self.pairs[group] = self.pairs[group].wrapping_add(1);
        }
    }

    /// Whether a stone of the player who looked around may stand on `cell`, which is filled but has
    /// no owner yet.
    #[inline]
    fn is_legal(&self, cell: u8, around: &Around) -> bool {
        let mut breath = self.pairs[usize::from(cell)];
        let mut captures = false;
        // No branches: which neighbour is whose cannot be predicted.
        for i in 0..4 {
            let pairs = self.pairs[usize::from(around.group[i])];
            breath |= if around.own[i] { pairs } else { 0 };
            captures |= around.enemy[i] & (pairs == 0);
        }
        (breath != 0) & !captures
    }

    /// Gives the filled `cell` to `player` and joins it with the own groups around it.
    #[inline]
    fn join(&mut self, cell: u8, around: &Around, player: u8) {
        let mut name = cell;
        let mut pairs = self.pairs[usize::from(cell)];
        for i in 0..4 {
            let theirs = &mut self.pairs[usize::from(around.group[i])];
            let own = around.own[i];
            // Emptied, so that a group that is met twice counts once.
            pairs += if own { *theirs } else { 0 };
            *theirs = if own { 0 } else { *theirs };
            name = if own { around.group[i] } else { name };
        }
        self.pairs[usize::from(name)] = pairs;
        self.owner[usize::from(cell)] = player;
        let [a, b, c, d] = std::array::from_fn(|i| if around.own[i] { around.group[i] } else { name });
        if (a != name) | (b != name) | (c != name) | (d != name) {
            // The whole table at once: a handful of vector instructions.
            for entry in &mut self.group[..MAX_CELLS as usize] {
                let joins = (*entry == a) | (*entry == b) | (*entry == c) | (*entry == d);
                *entry = if joins { name } else { *entry };
            }
        }
        // Last: the vector loads above would have to wait for this byte.
        self.group[usize::from(cell)] = name;
    }
}

/// The cells that a player may still draw.
#[derive(Copy, Clone)]
struct Urn {
    /// The cells, in no order; the first `len` count.
    cells: [u8; 256],
    /// Where each cell is in `cells`; [`Urn::GONE`] when it was taken out.
    place: [u8; 256],
    len: u8,
}

impl Urn {
    /// The place of a cell that is not in the urn, larger than any `len`.
    const GONE: u8 = u8::MAX;

    /// The empty cells of a board with this many cells.
    #[inline]
    fn new(groups: &Groups, cells: u32) -> Urn {
        let mut urn = Urn { cells: [0; 256], place: [Urn::GONE; 256], len: 0 };
        for cell in 0..cells as u8 {
            // An occupied cell is overwritten by the next one, and its place is not used.
            urn.cells[usize::from(urn.len)] = cell;
            urn.place[usize::from(cell)] = urn.len;
            urn.len += u8::from(groups.owner[usize::from(cell)] == NOBODY);
        }
        urn
    }

    /// Takes out a random cell.
    #[inline]
    fn draw(&mut self, rng: &mut Rng) -> Option<u8> {
        if self.len == 0 {
            return None;
        }
        let cell = self.cells[usize::from(rng.below(u32::from(self.len)) as u8)];
        self.take(cell);
        Some(cell)
    }

    /// Takes out `cell` if it is in the urn.
    #[inline]
    fn take(&mut self, cell: u8) {
        let place = self.place[usize::from(cell)];
        if place < self.len {
            self.len -= 1;
            let last = self.cells[usize::from(self.len)];
            self.cells[usize::from(place)] = last;
            self.place[usize::from(last)] = place;
            self.place[usize::from(cell)] = Urn::GONE;
        }
    }
}

/// Plays uniformly random legal moves to the end of the game.
#[inline]
pub(super) fn playout<W: Word>(
    pos: &mut Board<W>,
    rng: &mut Rng,
    trace: &mut impl FnMut(Player, Cell),
) -> Score {
    let grid = pos.grid;
    let mut groups = Groups::new(pos);
    let mut urns = [Urn::new(&groups, grid.cols * grid.rows); 2];
    // A copy of the generator stays in registers.
    let mut own = rng.clone();
    while let Some(cell) = urns[pos.mover.index()].draw(&mut own) {
        let player = pos.mover.index();
        let around = groups.around(&grid, cell, player as u8);
        groups.fill(&around);
        if groups.is_legal(cell, &around) {
            groups.join(cell, &around, player as u8);
            urns[1 - player].take(cell);
            trace(pos.mover, cell);
            pos.put(cell);
        } else {
            groups.clear(&around);
        }
    }
    *rng = own;
    Score::win_of(!pos.mover)
}
