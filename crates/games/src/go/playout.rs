//! Random games of Go at full speed, on tables that live for one playout.
//!
//! *Distribution.* The mover draws empty cells until one is not an own eye, not suicide, and does
//! not repeat a board; a pass is made only when no cell is left. So all other moves are equally
//! likely. An eye is an empty cell with only own stones beside it and at most one enemy diagonally,
//! none at the edge.
//!
//! *Groups* as in the playout of NoGo: every group counts its pairs (stone, empty neighbour), an
//! empty cell is a separate group whose pairs are its empty neighbours. The stones of a group are a
//! ring, so that it can be taken off. Every group knows the key of its stones: what a capture does
//! to the key of the board is known before it is made.
//!
//! *Superko* is exact. A filter of 4096 bits answers nearly all queries; then the list of this
//! playout's boards is searched. When the list is full it is moved to the past of the position.

use super::past::{Past, stamp};
use super::{Board, PASS, STONES, Stone};
use crate::board::Word;
use proofplay_core::{Key, Player, Rng, Score};

/// The neighbour beyond the edge: the last number of any table.
const OFF: u16 = 511;

/// The neighbours of the cells.
pub struct Lists {
    /// Left, right, below, above.
    near: [[u16; 4]; 512],
    diagonal: [[u16; 4]; 512],
}

impl std::fmt::Debug for Lists {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Lists")
    }
}

impl Lists {
    pub(super) fn new(cols: usize, rows: usize) -> Lists {
        let mut lists = Lists { near: [[OFF; 4]; 512], diagonal: [[OFF; 4]; 512] };
        for cell in 0..cols * rows {
            let (column, row) = (cell % cols, cell / cols);
            // Places from 1, so that 0 is off the board as well.
            let at = |dc: usize, dr: usize| {
                let (column, row) = (column + dc, row + dr);
                let inside = (1..=cols).contains(&column) && (1..=rows).contains(&row);
                if inside { ((row - 1) * cols + column - 1) as u16 } else { OFF }
            };
            lists.near[cell] = [at(0, 1), at(2, 1), at(1, 0), at(1, 2)];
            lists.diagonal[cell] = [at(0, 0), at(2, 0), at(0, 2), at(2, 2)];
        }
        lists
    }
}

/// Neither player's stone.
const EMPTY: u8 = 2;
/// No cell.
const EDGE: u8 = 3;

/// `N` is a power of two above the number of cells, so that any number is an index after a mask;
/// `M` boards fit into the list.
struct Table<const N: usize, const M: usize> {
    lists: &'static Lists,
    /// The index of the player whose stone it is, or [`EMPTY`], or [`EDGE`].
    owner: [u8; N],
    /// The group of each cell, named by one of its cells.
    group: [u16; N],
    /// Pairs (stone, empty neighbour) of each group, at the cell that names it.
    pairs: [u16; N],
    /// The next stone of the same group, in a ring.
    next: [u16; N],
    /// The key of a group's stones.
    keys: [Key; N],
    /// The empty cells, in any order, and where each of them is.
    urn: [u16; N],
    place: [u16; N],
    len: usize,
    /// The key of the board.
    key: Key,
    /// The boards of this playout, all of them in the filter, the newest in the list, and the sum
    /// of their stamps and of earlier ones.
    filter: [u64; 64],
    list: [Key; M],
    listed: usize,
    sum: Key,
}

/// A cell as an index that needs no check.
macro_rules! at {
    ($cell:expr) => {
        usize::from($cell) % N
    };
}

impl<const N: usize, const M: usize> Table<N, M> {
    fn new<W: Word>(pos: &Board<W>, lists: &'static Lists) -> Self {
        let mut table = Table {
            lists,
            owner: [EDGE; N],
            group: std::array::from_fn(|cell| cell as u16),
            pairs: [0; N],
            next: std::array::from_fn(|cell| cell as u16),
            keys: [0; N],
            urn: [0; N],
            place: [0; N],
            len: 0,
            key: pos.key,
            filter: [0; 64],
            list: [0; M],
            listed: 0,
            sum: pos.past.sum(),
        };
        for cell in pos.rules.grid.board.cells() {
            table.put_into_urn(cell as u16);
            table.owner[at!(cell as u16)] = EMPTY;
            let inside = lists.near[cell as usize].iter().filter(|&&near| near != OFF);
            table.pairs[at!(cell as u16)] = inside.count() as u16;
        }
        for player in 0..2 {
            for cell in pos.stones[player].cells() {
                table.fill(cell as u16);
                table.join(cell as u16, player as u8);
            }
        }
        table
    }

    #[inline]
    fn near(&self, cell: u16) -> [u16; 4] {
        self.lists.near[usize::from(cell) % 512]
    }

    #[inline]
    fn put_into_urn(&mut self, cell: u16) {
        self.urn[self.len % N] = cell;
        self.place[at!(cell)] = self.len as u16;
        self.len += 1;
    }

    /// Exchanges the cells at two places of the urn.
    #[inline]
    fn exchange(&mut self, a: usize, b: usize) {
        let (cell, other) = (self.urn[a % N], self.urn[b % N]);
        (self.urn[a % N], self.urn[b % N]) = (other, cell);
        (self.place[at!(other)], self.place[at!(cell)]) = (a as u16, b as u16);
    }

    /// Takes a cell from the empty neighbours of the groups around it.
    #[inline]
    fn fill(&mut self, cell: u16) {
        for near in self.near(cell) {
            let group = self.group[at!(near)];
            // Wraps off the board, where the count is not used.
            self.pairs[at!(group)] = self.pairs[at!(group)].wrapping_sub(1);
        }
    }

    /// Takes back [`Table::fill`].
    #[inline]
    fn clear(&mut self, cell: u16) {
        for near in self.near(cell) {
            let group = self.group[at!(near)];
            self.pairs[at!(group)] = self.pairs[at!(group)].wrapping_add(1);
        }
    }

    /// Whether an empty cell without empty neighbours is an eye of the player.
    #[inline]
    fn is_eye(&self, cell: u16, player: u8) -> bool {
        if self.near(cell).iter().any(|&near| self.owner[at!(near)] == 1 - player) {
            return false;
        }
        let diagonal = self.lists.diagonal[usize::from(cell) % 512].map(|near| self.owner[at!(near)]);
        let enemies = diagonal.iter().filter(|&&owner| owner == 1 - player).count();
        enemies + usize::from(diagonal.contains(&EDGE)) < 2
    }

    #[inline]
    fn bit(key: Key) -> (usize, u64) {
        (key as usize % 64, 1 << (key as u64 >> 58))
    }

    /// Whether a board occurred in this playout or before.
    #[inline]
    fn was_there(&self, key: Key, past: &Past) -> bool {
        let (word, bit) = Self::bit(key);
        (self.filter[word] & bit != 0 && self.list[..self.listed].contains(&key)) || past.contains(key)
    }

    /// Remembers the board as it is now.
    #[inline]
    fn remember(&mut self, past: &mut Past) {
        if self.listed == M {
            self.list.iter().for_each(|&key| past.add(key));
            self.listed = 0;
        }
        let (word, bit) = Self::bit(self.key);
        self.filter[word] |= bit;
        self.list[self.listed] = self.key;
        self.listed += 1;
        self.sum = self.sum.wrapping_add(stamp(self.key));
    }

    /// Puts a stone on an empty cell unless that is an eye, suicide, or repeats a board; returns
    /// whether it did.
    #[inline]
    fn try_stone(&mut self, cell: u16, player: u8, past: &mut Past) -> bool {
        let open = self.pairs[at!(cell)] != 0;
        if !open && self.is_eye(cell, player) {
            return false;
        }
        self.fill(cell);
        let (mut breath, mut captures) = (u16::from(open), false);
        let mut key = self.key ^ STONES[usize::from(player)][usize::from(cell)];
        let mut taken = [OFF; 4];
        for (i, near) in self.near(cell).into_iter().enumerate() {
            let (owner, group) = (self.owner[at!(near)], self.group[at!(near)]);
            let pairs = self.pairs[at!(group)];
            breath |= if owner == player { pairs } else { 0 };
            if owner == 1 - player && pairs == 0 && !taken.contains(&group) {
                taken[i] = group;
                key ^= self.keys[at!(group)];
                captures = true;
            }
        }
        if (breath == 0 && !captures) || self.was_there(key, past) {
            self.clear(cell);
            return false;
        }
        self.join(cell, player);
        if captures {
            taken.into_iter().filter(|&group| group != OFF).for_each(|group| self.remove(group));
        }
        self.key = key;
        self.remember(past);
        true
    }

    /// Gives the filled `cell` to `player` and joins it with the own groups around it.
    #[inline]
    fn join(&mut self, cell: u16, player: u8) {
        self.exchange(usize::from(self.place[at!(cell)]), self.len - 1);
        self.len -= 1;
        self.owner[at!(cell)] = player;
        self.keys[at!(cell)] = STONES[usize::from(player)][usize::from(cell)];
        let mut name = cell;
        for near in self.near(cell) {
            let group = self.group[at!(near)];
            if self.owner[at!(near)] != player || group == name {
                continue;
            }
            self.pairs[at!(group)] += self.pairs[at!(name)];
            self.keys[at!(group)] ^= self.keys[at!(name)];
            if name == cell {
                self.group[at!(cell)] = group;
            } else {
                // The whole table at once: a handful of vector instructions.
                self.group.iter_mut().for_each(|entry| *entry = if *entry == name { group } else { *entry });
            }
            // One stone of each: exchanging what follows makes one ring of two.
            self.next.swap(at!(cell), at!(near));
            name = group;
        }
    }

    /// Takes a group without liberty off the board.
    fn remove(&mut self, group: u16) {
        let mut cell = group;
        loop {
            self.owner[at!(cell)] = EMPTY;
            self.group[at!(cell)] = cell;
            self.pairs[at!(cell)] = 0;
            self.put_into_urn(cell);
            cell = self.next[at!(cell)];
            if cell == group {
                break;
            }
        }
        // Now every neighbour, stone or empty, has one more empty cell beside it.
        loop {
            self.clear(cell);
            let next = self.next[at!(cell)];
            self.next[at!(cell)] = cell;
            cell = next;
            if cell == group {
                return;
            }
        }
    }
}

/// Plays to the end of a game that is not over and not a race.
pub(super) fn playout<W: Word>(
    pos: &mut Board<W>,
    rng: &mut Rng,
    trace: &mut impl FnMut(Player, Stone),
) -> Score {
    // Number N - 1 is off the board.
    if pos.rules.grid.cols * pos.rules.grid.rows < 128 {
        run::<W, 128, 256>(pos, rng, trace)
    } else {
        run::<W, 512, 1024>(pos, rng, trace)
    }
}

fn run<W: Word, const N: usize, const M: usize>(
    pos: &mut Board<W>,
    rng: &mut Rng,
    trace: &mut impl FnMut(Player, Stone),
) -> Score {
    let mut table = Table::<N, M>::new(pos, &pos.rules.get().lists);
    while pos.passes < 2 {
        let player = pos.mover.index() as u8;
        // Refused cells are moved behind those that are left.
        let mut left = table.len;
        let mv = loop {
            if left == 0 {
                break PASS;
            }
            let place = rng.below(left as u32) as usize;
            let cell = table.urn[place % N];
            if table.try_stone(cell, player, &mut pos.past) {
                break cell;
            }
            left -= 1;
            table.exchange(place, left);
        };
        trace(pos.mover, mv);
        pos.passes = if mv == PASS { pos.passes + 1 } else { 0 };
        pos.mover = !pos.mover;
    }
    pos.stones = [W::EMPTY; 2];
    for cell in pos.rules.grid.board.cells() {
        if let owner @ (0 | 1) = table.owner[at!(cell as u16)] {
            let stones = &mut pos.stones[usize::from(owner)];
            *stones = *stones | W::bit(cell);
        }
    }
    pos.key = table.key;
    pos.past.close(table.sum);
    super::rounded(pos.halves())
}
