//! Moves that nobody can take away: who has more of them than the other side has moves has won.
//!
//! After Breuker, Uiterwijk & van den Herik, "Solving 8x8 Domineering", 2000 \[BUH00\] and the program Obsequi of Bullock,
//! "Domineering: solving large combinatorial search spaces", 2002 \[Bul02\]: moves in cells that the other side cannot
//! cover are *safe*; in an *alcove* (his protective area), two dominoes side by side with nothing free beyond one of them,
//! the other one makes it safe. Here the places that both sides can use are shared out by small exact games (see
//! [`Shares`]) instead of a formula, and what the other side can do at most is counted twice: by dominoes that fit
//! ([`Axis::lead_by_dominoes`]) and by cells that are left for it ([`Axis::lead_by_cells`]).

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

    /// As many dominoes in `cells` as fit without overlapping, by their first cells.
    #[inline]
    fn packed(&self, cells: W) -> W {
        let (mut starts, mut packed) = (self.starts(cells), W::EMPTY);
        while !starts.is_empty() {
            // The first of every run of starts; then those it overlaps are gone.
            let first = starts & !self.ahead(starts);
            packed = packed | first;
            starts = starts & !self.cells(first);
        }
        packed
    }

    /// Dominoes in cells with nothing free beside them across: the other side cannot cover them.
    #[inline]
    fn safe(&self, free: W) -> W {
        self.packed(free & !self.across_ahead(free) & !self.across_back(free))
    }

    /// Of some dominoes, the number of those beside which no cell of `all` lies: a move of the other side destroys no other
    /// domino together with one of these.
    #[inline]
    fn apart(&self, dominoes: W, all: W) -> u32 {
        let touched = self.across_back(all) | self.across_ahead(all);
        (dominoes & !touched & !self.back(touched)).count()
    }

    /// How many moves more than the other side a player of this direction makes for certain when all are counted; `first`
    /// if it is his turn.
    #[inline]
    fn lead(&self, free: W, first: bool) -> i32 {
        let safe = self.safe(free);
        let open = free & !self.cells(safe);
        let shared = self.lead_by_dominoes(free, open, first).max(self.lead_by_cells(free, open, first));
        safe.count() as i32 + shared
    }

    /// The lead without the safe moves, when the other side makes as many moves as fit.
    #[inline]
    fn lead_by_dominoes(&self, free: W, open: W, first: bool) -> i32 {
        let (behind, before) = (self.across_ahead(free), self.across_back(free));
        // Two cells side by side across with nothing free on their outer sides, by the first of the two; two such pairs
        // in a row are a square, in which one domino makes the other safe.
        let pairs = free & !behind & before & !self.across_back(before);
        let squares = self.packed(pairs);
        let half = self.cells(squares);
        let squares_cells = half | self.across_ahead(half);
        let rest = self.packed(open & !squares_cells);
        let apart = self.apart(rest, self.cells(rest));
        // No domino of the other side is partly in a square: it makes at most so many moves elsewhere.
        let theirs = self.other().packed(free & !squares_cells).count();
        SQUARES.of(squares.count(), rest.count() - apart, apart, first) - theirs as i32
    }

    /// The lead without the safe moves, when the other side makes a move for every two cells that it can use and that our
    /// dominoes leave to it.
    #[inline]
    fn lead_by_cells(&self, free: W, open: W, first: bool) -> i32 {
        let (behind, before) = (self.across_ahead(free), self.across_back(free));
        // Cells of which only one side across is free; two in a row and the cells on that side are an alcove.
        let inner = self.cells(self.packed(free & !behind & before));
        let alcoves = inner | self.across_ahead(inner);
        let inner = free & behind & !before & !alcoves & !self.across_ahead(alcoves);
        let inner = self.cells(self.packed(inner));
        let alcoves = alcoves | inner | self.across_back(inner);
        let rest = self.packed(open & !alcoves);
        let apart = self.apart(rest, self.cells(rest) | alcoves);
        let other = self.other();
        let usable = other.cells(other.starts(free));
        // A domino of which the other side could use only one cell takes away half a move less.
        let halves = (rest & !(usable & self.back(usable))).count();
        ALCOVES.of(alcoves.count() / 4, rest.count() - apart, apart, first)
            - ((usable.count() + halves) / 2) as i32
    }

    /// What a move promises, given what is free after it: moves that could be made, moves that fit, safe moves, each less the
    /// other side's. Moves that win for certain come first.
    #[inline]
    fn promise(&self, free: W) -> u8 {
        fn worth<W: Word, D: Direction>(axis: &Axis<W, D>, free: W) -> i32 {
            (axis.starts(free).count() + axis.packed(free).count() + axis.safe(free).count()) as i32
        }
        let worth = worth(self, free) - worth(&self.other(), free);
        let wins = self.lead(free, false) >= 0;
        (if wins { 224 + worth.clamp(-31, 31) } else { 96 + worth.clamp(-96, 96) }) as u8
    }

    /// Whether the mover, whose direction this is, wins for certain, or loses.
    #[inline]
    fn mover_wins(&self, free: W) -> Option<bool> {
        if self.lead(free, true) > 0 {
            Some(true)
        } else {
            (self.other().lead(free, false) >= 0).then_some(false)
        }
    }
}

/// Who has won whatever happens, if that can be seen: a player who is to move wins if he makes more moves than the other
/// side, and one who is not if he makes as many: the other side runs out of moves first.
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
