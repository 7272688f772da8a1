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

    /// How many moves more than the other side a player of this direction makes for certain when all are counted; `first`
    /// if it is his turn.
    #[inline]
    fn lead(&self, free: W, first: bool) -> i32 {
        let (behind, before) = (self.across_ahead(free), self.across_back(free));
        // Cells with nothing free beside them across: the other side cannot cover them.
        let safe = self.packed(free & !behind & !before);
        // Two cells side by side across with nothing free on their outer sides, by the first of the two; two such pairs
        // in a row are a square, in which one domino makes the other safe.
        let pairs = free & !behind & before & !self.across_back(before);
        let squares = self.packed(pairs);
        let half = squares | self.ahead(squares);
        let squares_cells = half | self.across_ahead(half);
        // The rest. Where no cells of other dominoes lie beside, a move of the other side destroys one, else two.
        let rest = self.packed(free & !(safe | self.ahead(safe) | squares_cells));
        let cells = rest | self.ahead(rest);
        let touched = cells & (self.across_back(cells) | self.across_ahead(cells));
        let apart = (rest & !touched & !self.back(touched)).count();
        // No domino of the other side is partly in a square: it makes at most so many moves elsewhere.
        let other = Axis { grid: self.grid, horizontal: !self.horizontal };
        let theirs = other.packed(free & !squares_cells).count();
        SHARES.of(squares.count(), rest.count() - apart, apart, first) + safe.count() as i32 - theirs as i32
    }
}

/// Who has won whatever happens, if that can be seen: a player who is to move wins if he makes more moves than the other
/// side, and one who is not if he makes as many: the other side runs out of moves first.
#[inline]
pub(super) fn winner<W: Word>(pos: &Board<W>) -> Option<Player> {
    let free = pos.grid.board & !pos.covered;
    let axis = |horizontal| Axis { grid: &*pos.grid, horizontal };
    if axis(pos.horizontal()).lead(free, true) > 0 {
        Some(pos.turn())
    } else if axis(!pos.horizontal()).lead(free, false) >= 0 {
        Some(!pos.turn())
    } else {
        None
    }
}

/// The leads after a move, and how many dominoes each side could place then.
#[inline]
pub(super) fn promise<W: Word>(pos: &Board<W>, mv: super::Domino) -> u8 {
    let [a, b] = pos.ends(mv).map(W::bit);
    let free = pos.grid.board & !pos.covered & !(a | b);
    let axis = |horizontal| Axis { grid: &*pos.grid, horizontal };
    let lead = axis(pos.horizontal()).lead(free, false) - axis(!pos.horizontal()).lead(free, true);
    let count = |axis: Axis<W>| (free & axis.back(free)).count() as i32;
    let mobility = count(axis(pos.horizontal())) - count(axis(!pos.horizontal()));
    (128 + (lead + mobility).clamp(-64, 63) * 2) as u8
}

/// How many moves more than the other side a player gets for certain out of places that both can use.
///
/// There are squares (whoever moves there first gets two moves), dominoes that the other side may destroy two at a time,
/// and dominoes that it can only destroy one at a time. It may also move elsewhere. Solved once for all numbers up to
/// [`MOST`] squares and dominoes; more dominoes count as that many, which is less, and of more squares nothing is known.
struct Shares(Vec<[i8; 2]>);

const MOST: usize = 24;

static SHARES: LazyLock<Shares> = LazyLock::new(|| {
    let mut shares = Shares(vec![[0; 2]; (MOST + 1).pow(3)]);
    for squares in 0..=MOST {
        for pairs in 0..=MOST {
            for singles in 0..=MOST {
                let at = |s: usize, p: usize, n: usize| shares.0[Shares::index(s, p, n)];
                // When the player is to move, then when the other side is.
                let (mut first, mut second) = (i8::MIN, i8::MAX);
                if squares > 0 {
                    first = first.max(2 + at(squares - 1, pairs, singles)[0]);
                    second = second.min(at(squares - 1, pairs, singles)[1] - 2);
                }
                if pairs > 0 {
                    first = first.max(1 + at(squares, pairs - 1, singles)[0]);
                    second = second.min(at(squares, pairs.saturating_sub(2), singles)[1]);
                }
                if singles > 0 {
                    first = first.max(1 + at(squares, pairs, singles - 1)[0]);
                    second = second.min(at(squares, pairs, singles - 1)[1]);
                }
                if first == i8::MIN {
                    first = 0;
                }
                // Moving elsewhere destroys nothing.
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
    fn of(&self, squares: u32, pairs: u32, singles: u32, first: bool) -> i32 {
        let [s, p, n] = [squares, pairs, singles].map(|number| number as usize);
        if s > MOST {
            return i32::MIN / 2;
        }
        i32::from(self.0[Shares::index(s, p.min(MOST), n.min(MOST))][usize::from(first)])
    }
}
