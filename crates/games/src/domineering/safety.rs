//! Safe moves, which the other side cannot prevent: a player who has more of them than the other
//! side has moves wins.
//!
//! After Breuker, Uiterwijk & van den Herik, "Solving 8x8 Domineering", 2000 \[BUH00\] and the
//! program Obsequi of Bullock, "Domineering: solving large combinatorial search spaces", 2002
//! \[Bul02\]: moves in cells that the other side cannot cover are *safe*; in an *alcove* (Bullock's
//! protective area), two dominoes side by side with nothing free beyond one of them, the other one
//! makes it safe. Here the places that both sides can use are shared out by small exact games (see
//! [`Shares`](super::shares::Shares)) instead of a formula, and what the other side can do at most
//! is counted twice: by dominoes that fit ([`Axis::lead_by_dominoes`]) and by cells that are left
//! for it ([`Axis::lead_by_cells`]).

use super::Board;
use super::shares::{ALCOVES, SQUARES};
use crate::board::{Grid, Word};
use proofplay_core::{Player, Position};
use std::marker::PhantomData;

/// Who places dominoes in which direction.
trait Direction {
    const HORIZONTAL: bool;
    type Other: Direction;
}

struct Vertical;
struct Horizontal;

impl Direction for Vertical {
    const HORIZONTAL: bool = false;
    type Other = Horizontal;
}

impl Direction for Horizontal {
    const HORIZONTAL: bool = true;
    type Other = Vertical;
}

/// A direction of dominoes on a board: how a set moves along and across it.
struct Axis<'a, W: Word, D> {
    grid: &'a Grid<W>,
    direction: PhantomData<D>,
}

impl<'a, W: Word, D: Direction> Axis<'a, W, D> {
    fn new(grid: &'a Grid<W>) -> Self {
        Axis { grid, direction: PhantomData }
    }
    fn other(&self) -> Axis<'a, W, D::Other> {
        Axis::new(self.grid)
    }
    #[inline]
    fn back(&self, set: W) -> W {
        if D::HORIZONTAL { self.grid.left(set) } else { self.grid.down(set) }
    }
    #[inline]
    fn ahead(&self, set: W) -> W {
        if D::HORIZONTAL { self.grid.right(set) } else { self.grid.up(set) }
    }
    #[inline]
    fn across_back(&self, set: W) -> W {
        if D::HORIZONTAL { self.grid.down(set) } else { self.grid.left(set) }
    }
    #[inline]
    fn across_ahead(&self, set: W) -> W {
        if D::HORIZONTAL { self.grid.up(set) } else { self.grid.right(set) }
    }

    /// The cells of dominoes, given their first cells.
    #[inline]
    fn cells(&self, starts: W) -> W {
        starts | self.ahead(starts)
    }

    /// The first cells of all dominoes in `cells`.
    #[inline]
    fn starts(&self, cells: W) -> W {
        cells & self.back(cells)
    }

    /// Of the runs of `cells` the cells of even number, counted from 0 where a run begins.
    #[inline]
    fn even(&self, cells: W) -> W {
        self.every_other(cells & !self.ahead(cells), cells)
    }

    /// Some of `cells`, and every other cell after each of them in its run.
    #[inline]
    fn every_other(&self, mut some: W, cells: W) -> W {
        let before = self.ahead(cells);
        // Cells that have as many cells of their run before them as the next step is wide: no step
        // leaves its run.
        let mut inside = cells & before & self.ahead(before);
        let (stride, length) =
            if D::HORIZONTAL { (1, self.grid.cols) } else { (self.grid.cols, self.grid.rows) };
        let mut step = 2;
        while step < length {
            some = some | (inside & (some << (step * stride)));
            inside = inside & (inside << (step * stride));
            step *= 2;
        }
        some
    }

    /// As many dominoes in `cells` as fit without overlapping, by their first cells.
    #[inline]
    fn packed(&self, cells: W) -> W {
        self.even(cells) & self.back(cells)
    }

    /// Dominoes in cells with nothing free beside them across: the other side cannot cover them.
    #[inline]
    fn safe(&self, free: W) -> W {
        self.packed(free & !self.across_ahead(free) & !self.across_back(free))
    }

    /// At most how many disjoint couples of these dominoes a move of the other side destroys
    /// together, and how many dominoes are then left over. `all` are the cells of everything of
    /// ours.
    ///
    /// Couples lie in neighbouring lines: there are not more than dominoes with a neighbour in
    /// every other line.
    #[inline]
    fn couples(&self, dominoes: W, all: W) -> (u32, u32) {
        let touched = self.across_back(all) | self.across_ahead(all);
        let near = dominoes & (touched | self.back(touched));
        let even = near & if D::HORIZONTAL { self.grid.even_rows } else { self.grid.even_cols };
        let couples = even.count().min((near & !even).count());
        (couples, dominoes.count() - 2 * couples)
    }

    /// How many moves more than the other side a player of this direction certainly makes; `first`
    /// if it is their turn.
    #[inline]
    fn lead(&self, free: W, first: bool) -> i32 {
        let (safe, open) = self.safe_and_open(free);
        safe + self.lead_by_dominoes(free, open, first).max(self.lead_by_cells(free, open, first))
    }

    /// Whether the player, who is not to move, makes as many moves as the other side for certain.
    #[inline]
    fn keeps_up(&self, free: W) -> bool {
        let (safe, open) = self.safe_and_open(free);
        safe + self.lead_by_cells(free, open, false) >= 0
            || safe + self.lead_by_dominoes(free, open, false) >= 0
    }

    /// The number of safe moves, and the free cells that are not theirs.
    #[inline]
    fn safe_and_open(&self, free: W) -> (i32, W) {
        let safe = self.safe(free);
        (safe.count() as i32, free & !self.cells(safe))
    }

    /// The lead without the safe moves, when the other side makes as many moves as fit.
    #[inline]
    fn lead_by_dominoes(&self, free: W, open: W, first: bool) -> i32 {
        let (behind, before) = (self.across_ahead(free), self.across_back(free));
        // Two cells side by side across with nothing free on their outer sides, by the first of the
        // two; two such pairs in a row are a square, in which one domino makes the other safe.
        let pairs = free & !behind & before & !self.across_back(before);
        let squares = self.packed(pairs);
        let half = self.cells(squares);
        let squares_cells = half | self.across_ahead(half);
        let rest = self.packed(open & !squares_cells);
        let (couples, singles) = self.couples(rest, self.cells(rest));
        // No domino of the other side is partly in a square: this is the most it can move
        // elsewhere.
        let theirs = self.other().packed(free & !squares_cells).count();
        SQUARES.of(squares.count(), couples, singles, first) - theirs as i32
    }

    /// The lead without the safe moves, when the other side makes a move for every two cells that
    /// it can use and that our dominoes leave to it.
    #[inline]
    fn lead_by_cells(&self, free: W, open: W, first: bool) -> i32 {
        let (behind, before) = (self.across_ahead(free), self.across_back(free));
        // Cells of which only one side across is free; two in a row and the cells on that side are
        // an alcove.
        let inner = self.cells(self.packed(free & !behind & before));
        let alcoves = inner | self.across_ahead(inner);
        let inner = free & behind & !before & !alcoves & !self.across_ahead(alcoves);
        let inner = self.cells(self.packed(inner));
        let alcoves = alcoves | inner | self.across_back(inner);
        let rest = self.packed(open & !alcoves);
        let (couples, singles) = self.couples(rest, self.cells(rest) | alcoves);
        let other = self.other();
        let usable = other.cells(other.starts(free));
        let wasted = other.wasted(usable, self.cells(rest) | alcoves);
        // A domino of which the other side could use only one cell takes away half a move less.
        let halves = (rest & !(usable & self.back(usable))).count();
        ALCOVES.of(alcoves.count() / 4, couples, singles, first)
            - ((usable.count() + halves - wasted) / 2) as i32
    }

    /// The least number of `cells`, which lie in runs, that no domino covers, whichever of the
    /// cells `taken` are taken away.
    ///
    /// A run of odd length has one cell too many. Counted from 0, a taken cell of odd number leaves
    /// an odd part on either side of it, so the run wastes a cell as long as no cell of even number
    /// is taken.
    #[inline]
    fn wasted(&self, cells: W, taken: W) -> u32 {
        let even = self.even(cells);
        let spoilt = self.every_other(even & taken, cells);
        (even & !self.back(cells) & !spoilt).count()
    }

    /// What a move promises, given what is free after it: moves that could be made, moves that fit,
    /// safe moves, each less the other side's.
    #[inline]
    fn promise(&self, free: W) -> u8 {
        fn worth<W: Word, D: Direction>(axis: &Axis<W, D>, free: W) -> i32 {
            (axis.starts(free).count() + axis.packed(free).count() + axis.safe(free).count()) as i32
        }
        (128 + worth(self, free) - worth(&self.other(), free)).clamp(0, 255) as u8
    }

    /// Dominoes that need not be tried, by their first cells: another one is at least as good.
    ///
    /// Of two dominoes that overlap in one cell, either leaves the other's outer cell free. If one
    /// leaves a cell of no use to the other side, and the other one leaves a cell of no use to us,
    /// the first is at least as good: what it leaves can only help us, and what it takes could only
    /// help the other side.
    #[inline]
    fn dominated(&self, free: W) -> W {
        let starts = self.starts(free);
        let (last, quiet) =
            (free & !self.back(free), free & !self.across_ahead(free) & !self.across_back(free));
        // The dominoes whose first cell is the first of its run, and those whose second is the last.
        let (at_start, at_end) = (starts & !self.ahead(free), self.back(last) & free);
        let by_lower = starts & self.ahead(at_start) & self.back(quiet);
        let by_upper = starts & self.back(at_end) & quiet;
        // In a run of three both may hold: one of the two stays.
        by_lower | (by_upper & !self.back(by_lower))
    }

    /// Whether the mover, whose direction this is, certainly wins (perhaps shown only by a look at
    /// each move) or loses.
    #[inline]
    fn mover_wins(&self, free: W) -> Option<bool> {
        let lead = self.lead(free, true);
        if lead > 0 {
            return Some(true);
        }
        if self.other().keeps_up(free) {
            return Some(false);
        }
        // Looking at every move pays only where little is missing.
        let wins = |start: u32| self.keeps_up(free & !self.cells(W::bit(start)));
        (lead >= -1 && self.starts(free).cells().any(wins)).then_some(true)
    }
}

/// The certain winner, if the count shows one: a player to move wins with more moves than the other
/// side, and a player who is not to move with as many, since the other side runs out of moves
/// first.
#[inline]
pub(super) fn winner<W: Word>(pos: &Board<W>) -> Option<Player> {
    let free = pos.grid.board & !pos.covered;
    let wins = if pos.horizontal() {
        Axis::<W, Horizontal>::new(&pos.grid).mover_wins(free)
    } else {
        Axis::<W, Vertical>::new(&pos.grid).mover_wins(free)
    };
    wins.map(|wins| if wins { pos.turn() } else { !pos.turn() })
}

/// Moves that another one is at least as good as, by the first cells of their dominoes.
#[inline]
pub(super) fn dominated<W: Word>(pos: &Board<W>) -> W {
    let free = pos.grid.board & !pos.covered;
    if pos.horizontal() {
        Axis::<W, Horizontal>::new(&pos.grid).dominated(free)
    } else {
        Axis::<W, Vertical>::new(&pos.grid).dominated(free)
    }
}

/// What a move promises.
#[inline]
pub(super) fn promise<W: Word>(pos: &Board<W>, mv: super::Domino) -> u8 {
    let [a, b] = pos.ends(mv).map(W::bit);
    let free = pos.grid.board & !pos.covered & !(a | b);
    if pos.horizontal() {
        Axis::<W, Horizontal>::new(&pos.grid).promise(free)
    } else {
        Axis::<W, Vertical>::new(&pos.grid).promise(free)
    }
}
