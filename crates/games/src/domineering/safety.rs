//! Moves that nobody can take away: who has more of them than the other side has moves has won.
//!
//! After Breuker, Uiterwijk & van den Herik, "Solving 8x8 Domineering", 2000 \[BUH00\] and the program Obsequi of Bullock,
//! "Domineering: solving large combinatorial search spaces", 2002 \[Bul02\]: moves in cells that the other side cannot
//! cover are *safe*; pairs of moves side by side of which one makes the other safe are *protective*. Here the other
//! places are shared out by a small exact game (see [`Shares`]) instead of a formula.

use super::Board;
use crate::board::{Grid, Word};
use proofplay_core::{Player, Position};
use std::sync::LazyLock;

/// A direction of dominoes: how a set moves along and across it.
struct Axis<'a, W: Word> {
    grid: &'a Grid<W>,
    horizontal: bool,
}

impl<W: Word> Axis<'_, W> {
    #[inline]
    fn back(&self, set: W) -> W {
        if self.horizontal { self.grid.left(set) } else { self.grid.down(set) }
    }
    #[inline]
    fn ahead(&self, set: W) -> W {
        if self.horizontal { self.grid.right(set) } else { self.grid.up(set) }
    }
    #[inline]
    fn across_back(&self, set: W) -> W {
        if self.horizontal { self.grid.down(set) } else { self.grid.left(set) }
    }
    #[inline]
    fn across_ahead(&self, set: W) -> W {
        if self.horizontal { self.grid.up(set) } else { self.grid.right(set) }
    }

    /// As many dominoes in `cells` as fit without overlapping, by their first cells.
    #[inline]
    fn packed(&self, cells: W) -> W {
        let (mut starts, mut packed) = (cells & self.back(cells), W::EMPTY);
        while !starts.is_empty() {
            // The first of every run of starts; then those it overlaps are gone.
            let first = starts & !self.ahead(starts);
            packed = packed | first;
            starts = starts & !(first | self.ahead(first));
        }
        packed
    }

    /// How many moves a player of this direction has for certain, whatever the other side does; `first` if it is his turn.
    #[inline]
    fn certain(&self, free: W, first: bool) -> u32 {
        let (behind, before) = (self.across_ahead(free), self.across_back(free));
        // Cells with nothing free beside them across: the other side cannot cover them.
        let safe = self.packed(free & !behind & !before);
        // Two cells side by side across with nothing free on their outer sides, by the first of the two; two such pairs
        // in a row are a square, in which one domino makes the other safe.
        let pairs = free & !behind & before & !self.across_back(before & free);
        let squares = self.packed(pairs);
        let pair_cells = squares | self.ahead(squares);
        let taken = safe | self.ahead(safe) | pair_cells | self.across_ahead(pair_cells);
        // The rest. Where no cells of other dominoes lie beside, a move of the other side destroys one, else two.
        let rest = self.packed(free & !taken);
        let cells = rest | self.ahead(rest);
        let touched = cells & (self.across_back(cells) | self.across_ahead(cells));
        let apart = rest & !touched & !self.back(touched);
        let (squares, all, apart) = (squares.count(), rest.count(), apart.count());
        safe.count() + SHARES.of(squares, all - apart, apart, first)
    }
}

/// Who has won whatever happens, if that can be seen.
///
/// With `L` moves for certain against at most `U` of the other side a player who is to move wins if `L > U`, and one who is
/// not if `L >= U`: the other side runs out of moves first.
#[inline]
pub(super) fn winner<W: Word>(pos: &Board<W>) -> Option<Player> {
    let free = pos.grid.board & !pos.covered;
    let own = Axis { grid: &pos.grid, horizontal: pos.horizontal() };
    let other = Axis { grid: &pos.grid, horizontal: !pos.horizontal() };
    let most = |axis: &Axis<W>| axis.packed(free).count();
    if own.certain(free, true) > most(&other) {
        Some(pos.turn())
    } else if other.certain(free, false) >= most(&own) {
        Some(!pos.turn())
    } else {
        None
    }
}

/// How many dominoes of the other side `mv` makes impossible, less those of the own side.
#[inline]
pub(super) fn promise<W: Word>(pos: &Board<W>, mv: super::Domino) -> u8 {
    let free = pos.grid.board & !pos.covered;
    let [a, b] = pos.ends(mv).map(W::bit);
    let lost = |axis: Axis<W>| {
        let touching = a | b | axis.back(a | b);
        (free & axis.back(free) & touching).count()
    };
    let other = lost(Axis { grid: &pos.grid, horizontal: !pos.horizontal() });
    let own = lost(Axis { grid: &pos.grid, horizontal: pos.horizontal() });
    (8 + other - own) as u8
}

/// What a player gets for certain of places that the other side may destroy.
///
/// There are squares (a move there secures two, a move of the other side destroys the square), dominoes that may be
/// destroyed two at a time, and dominoes that can only be destroyed one at a time. The other side may also move elsewhere.
/// Solved once for all numbers up to [`MOST`]; larger numbers count as that, which is less.
struct Shares(Vec<[u8; 2]>);

const MOST: usize = 24;

static SHARES: LazyLock<Shares> = LazyLock::new(|| {
    let mut shares = Shares(vec![[0; 2]; (MOST + 1).pow(3)]);
    for squares in 0..=MOST {
        for pairs in 0..=MOST {
            for singles in 0..=MOST {
                let at = |s: usize, p: usize, n: usize| shares.0[Shares::index(s, p, n)];
                // When the other side is to move, then when the player is.
                let mut second = u8::MAX;
                let mut first = 0;
                if squares > 0 {
                    second = second.min(at(squares - 1, pairs, singles)[1]);
                    first = first.max(2 + at(squares - 1, pairs, singles)[0]);
                }
                if pairs > 0 {
                    second = second.min(at(squares, pairs.saturating_sub(2), singles)[1]);
                    first = first.max(1 + at(squares, pairs - 1, singles)[0]);
                }
                if singles > 0 {
                    second = second.min(at(squares, pairs, singles - 1)[1]);
                    first = first.max(1 + at(squares, pairs, singles - 1)[0]);
                }
                // Moving elsewhere never destroys more than nothing.
                shares.0[Shares::index(squares, pairs, singles)] = [second.min(first), first];
            }
        }
    }
    shares
});

impl Shares {
    #[inline]
    fn index(squares: usize, pairs: usize, singles: usize) -> usize {
        (squares * (MOST + 1) + pairs) * (MOST + 1) + singles
    }

    #[inline]
    fn of(&self, squares: u32, pairs: u32, singles: u32, first: bool) -> u32 {
        let [s, p, n] = [squares, pairs, singles].map(|number| (number as usize).min(MOST));
        u32::from(self.0[Shares::index(s, p, n)][usize::from(first)])
    }
}
