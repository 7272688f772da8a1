//! Random games of Pentalath at full speed, on tables that live for one playout.
//!
//! *Choosing.* Both players draw from one urn of empty cells, and again if the cell is suicide.
//! After some failures the legal cells are counted instead: perhaps there is none. Either way all
//! legal cells are equally likely.
//!
//! *Groups* as in the playout of NoGo: every group counts its pairs (stone, empty neighbour), an
//! empty cell is a separate group whose pairs are its empty neighbours. The stones of a group are a
//! ring, so that it can be taken off the board. Side 6 has 240 pairs of neighbours: a byte is
//! enough.
//!
//! *Rows.* Each player has a word for each line; the three lines of a cell, side by side with a
//! gap, are tested as one word.

use super::Board;
use super::hexagon::{BITS, Hexagon, LINES};
use crate::board::{Interned, OFF, Word};
use proofplay_core::{Player, Rng, Score};

/// Neither player's stone.
const NOBODY: u8 = 2;

/// After this many suicides in a row the legal cells are counted. Measured: anything from 4 to 16
/// is equally fast.
const PATIENCE: u32 = 8;

struct Table<W: Word> {
    hexagon: Interned<Hexagon<W>>,
    /// The group of each cell, named by one of its cells. 256 entries, here and below: any byte is
    /// an index.
    group: [u8; 256],
    /// Pairs (stone, empty neighbour) of each group, at the cell that names it.
    pairs: [u8; 256],
    /// The index of the player whose stone it is, or [`NOBODY`].
    owner: [u8; 256],
    /// The next stone of the same group, in a ring.
    next: [u8; 256],
    /// The empty cells, in any order, and where each of them is.
    urn: [u8; BITS],
    place: [u8; 256],
    len: u8,
    /// The stones of each player by direction and line.
    lines: [[[u16; LINES + 1]; 3]; 2],
    /// Shifts that make rows of k: their sum is k - 1.
    shifts: [u32; 4],
}

impl<W: Word> Table<W> {
    fn new(pos: &Board<W>) -> Table<W> {
        let hexagon = pos.hexagon;
        let mut table = Table {
            hexagon,
            group: std::array::from_fn(|cell| cell as u8),
            pairs: hexagon.degrees,
            owner: [NOBODY; 256],
            next: std::array::from_fn(|cell| cell as u8),
            urn: [0; BITS],
            place: [0; 256],
            len: 0,
            lines: Default::default(),
            shifts: [0; 4],
        };
        let mut length = 1;
        for shift in &mut table.shifts {
            *shift = length.min(hexagon.k.saturating_sub(length));
            length += *shift;
        }
        for cell in hexagon.board.cells() {
            table.put_into_urn(cell as u8);
        }
        for player in 0..2 {
            for cell in pos.stones[player].cells() {
                table.fill(cell as u8);
                table.join(cell as u8, player as u8);
            }
        }
        table
    }

    #[inline]
    fn put_into_urn(&mut self, cell: u8) {
        self.urn[usize::from(self.len) % BITS] = cell;
        self.place[usize::from(cell)] = self.len;
        self.len += 1;
    }

    #[inline]
    fn take_from_urn(&mut self, cell: u8) {
        self.len -= 1;
        let (place, last) = (self.place[usize::from(cell)], self.urn[usize::from(self.len) % BITS]);
        self.urn[usize::from(place) % BITS] = last;
        self.place[usize::from(last)] = place;
    }

    /// Takes a cell from the empty neighbours of the groups around it.
    #[inline]
    fn fill(&mut self, cell: u8) {
        for near in self.hexagon.beside[usize::from(cell)] {
            let group = usize::from(self.group[usize::from(near)]);
            // Wraps off the board, where the count is not used.
            self.pairs[group] = self.pairs[group].wrapping_sub(1);
        }
    }

    /// Takes back [`Table::fill`].
    #[inline]
    fn clear(&mut self, cell: u8) {
        for near in self.hexagon.beside[usize::from(cell)] {
            let group = usize::from(self.group[usize::from(near)]);
            self.pairs[group] = self.pairs[group].wrapping_add(1);
        }
    }

    /// Whether a stone of `player` on the filled `cell` has a liberty or captures; and whether it
    /// captures.
    #[inline]
    fn judge(&self, cell: u8, player: u8) -> (bool, bool) {
        let (mut breath, mut captures) = (self.pairs[usize::from(cell)], false);
        // No branches: which neighbour is whose cannot be predicted.
        for near in self.hexagon.beside[usize::from(cell)] {
            let (owner, group) = (self.owner[usize::from(near)], self.group[usize::from(near)]);
            let pairs = self.pairs[usize::from(group)];
            breath |= if owner == player { pairs } else { 0 };
            captures |= (owner == 1 - player) & (pairs == 0);
        }
        ((breath != 0) | captures, captures)
    }

    /// Gives the filled `cell` to `player` and joins it with the own groups around it.
    #[inline]
    fn join(&mut self, cell: u8, player: u8) {
        self.take_from_urn(cell);
        self.owner[usize::from(cell)] = player;
        self.mark(cell, player);
        let mut name = cell;
        for near in self.hexagon.beside[usize::from(cell)] {
            let group = self.group[usize::from(near)];
            if self.owner[usize::from(near)] == player && group != name {
                self.pairs[usize::from(group)] += self.pairs[usize::from(name)];
                if name == cell {
                    self.group[usize::from(cell)] = group;
                } else {
                    // The whole table at once: a handful of vector instructions.
                    self.group
                        .iter_mut()
                        .for_each(|entry| *entry = if *entry == name { group } else { *entry });
                }
                // One stone of each: exchanging what follows makes one ring of two.
                self.next.swap(usize::from(cell), usize::from(near));
                name = group;
            }
        }
    }

    /// Sets or clears the stone of `player` in the three lines of a cell.
    #[inline]
    fn mark(&mut self, cell: u8, player: u8) {
        for (direction, (line, place)) in self.hexagon.lines[usize::from(cell) % BITS].into_iter().enumerate()
        {
            self.lines[usize::from(player)][direction][usize::from(line) % (LINES + 1)] ^= 1 << place;
        }
    }

    /// Takes the groups of the opponent around `cell` off the board that have no liberty, and
    /// returns them.
    fn capture(&mut self, cell: u8, player: u8) -> W {
        let mut captured = W::EMPTY;
        for near in self.hexagon.beside[usize::from(cell)] {
            let group = self.group[usize::from(near)];
            if self.owner[usize::from(near)] == 1 - player && self.pairs[usize::from(group)] == 0 {
                captured = captured | self.remove(near, 1 - player);
            }
        }
        captured
    }

    /// Takes a group without liberty off the board.
    fn remove(&mut self, first: u8, player: u8) -> W {
        let (mut stones, mut cell) = (W::EMPTY, first);
        while !stones.has(u32::from(cell)) {
            stones = stones | W::bit(u32::from(cell));
            let next = self.next[usize::from(cell)];
            self.owner[usize::from(cell)] = NOBODY;
            self.group[usize::from(cell)] = cell;
            self.pairs[usize::from(cell)] = 0;
            self.next[usize::from(cell)] = cell;
            self.mark(cell, player);
            self.put_into_urn(cell);
            cell = next;
        }
        // Now every neighbour, stone or empty, has one more empty cell beside it.
        stones.cells().for_each(|cell| self.clear(cell as u8));
        stones
    }

    /// Whether `player` has a row of k through a cell.
    #[inline]
    fn has_row(&self, cell: u8, player: u8) -> bool {
        let lines = &self.lines[usize::from(player)];
        let places = self.hexagon.lines[usize::from(cell) % BITS];
        let mut stones = 0;
        for (direction, (line, _)) in places.into_iter().enumerate() {
            // A line has at most 11 places.
            stones |= u64::from(lines[direction][usize::from(line) % (LINES + 1)]) << (12 * direction);
        }
        let row = self.shifts.iter().fold(stones, |row, &shift| row & row >> shift);
        row != 0 && self.hexagon.k <= LINES as u32
    }
}

/// Plays uniformly random moves to the end of a game that is not over and in which no swap is
/// possible any more.
#[inline]
pub(super) fn playout<W: Word>(
    pos: &mut Board<W>,
    rng: &mut Rng,
    trace: &mut impl FnMut(Player, u8),
) -> Score {
    let mut table = Table::new(pos);
    loop {
        let (mover, player) = (pos.mover, pos.mover.index() as u8);
        let mut failures = 0;
        let (cell, captures) = loop {
            if table.len == 0 || failures == PATIENCE {
                let legal = pos.legal();
                if legal.is_empty() {
                    return Score::DRAW;
                }
                let cell = legal.random_cell(rng) as u8;
                table.fill(cell);
                break (cell, table.judge(cell, player).1);
            }
            let cell = table.urn[rng.below(u32::from(table.len)) as usize % BITS];
            debug_assert!(cell != OFF);
            table.fill(cell);
            let (legal, captures) = table.judge(cell, player);
            if legal {
                break (cell, captures);
            }
            table.clear(cell);
            failures += 1;
        };
        trace(mover, cell);
        table.join(cell, player);
        let captured = if captures { table.capture(cell, player) } else { W::EMPTY };
        pos.put(u32::from(cell), captured, table.has_row(cell, player));
        if let Some(score) = pos.end {
            return score;
        }
    }
}
