//! Who wins by the count that `docs/CERTIFICATES.md` defines, so that verifiers can repeat it.
//!
//! It proves less than [`safety`](super::safety), which searches use, and shares no code with it.
//!
//! Free cells whose neighbours across a player's direction are all covered belong to that player
//! for ever: the dominoes that fit there are *safe*. Those that fit into the other free cells are
//! *open*: a move of the other side covers two cells, so it destroys one of them, or two that
//! touch. The other side never places more dominoes than fit now, nor more than half as many as
//! cells are left to it.

use super::Board;
use crate::board::{Grid, Word};
use proofplay_core::{Player, Position};

/// The lines in which a player places dominoes: rows or columns.
struct Lines<'a, W: Word> {
    grid: &'a Grid<W>,
    horizontal: bool,
}

impl<W: Word> Lines<'_, W> {
    /// The set one cell further along its lines.
    fn ahead(&self, set: W) -> W {
        if self.horizontal { self.grid.right(set) } else { self.grid.up(set) }
    }

    /// The set one cell further back.
    fn back(&self, set: W) -> W {
        if self.horizontal { self.grid.left(set) } else { self.grid.down(set) }
    }

    /// As many dominoes as fit into `cells`, every run filled from its first cell on; of each
    /// domino the second cell.
    fn fitting(&self, cells: W) -> W {
        let (mut rest, mut dominoes) = (cells, W::EMPTY);
        while !rest.is_empty() {
            let first = rest & !self.ahead(rest);
            let second = self.ahead(first) & rest;
            dominoes = dominoes | second;
            rest = rest & !(first | second);
        }
        dominoes
    }
}

/// Whether `player` wins by the count.
pub(super) fn wins<W: Word>(pos: &Board<W>, player: Player) -> bool {
    let (free, to_move) = (pos.grid.board & !pos.covered, pos.turn() == player);
    let horizontal = pos.horizontal() == to_move;
    let [ours, theirs] = [horizontal, !horizontal].map(|horizontal| Lines { grid: &pos.grid, horizontal });
    let safe = ours.fitting(free & !theirs.ahead(free) & !theirs.back(free));
    let open = ours.fitting(free & !safe & !ours.back(safe));
    // Touching dominoes lie in neighbouring lines: in every other line there is one of each two
    // that touch.
    let cells = open | ours.back(open);
    let beside = theirs.ahead(cells) | theirs.back(cells);
    let touching = open & (beside | ours.ahead(beside));
    let even = touching & if horizontal { pos.grid.even_rows } else { pos.grid.even_cols };
    let pairs = even.count().min((touching & !even).count());
    let doubles = if to_move { pairs / 2 } else { pairs.div_ceil(2) };
    let turns = open.count() - doubles;
    let placed = if to_move { turns.div_ceil(2) } else { turns / 2 };
    // Of the cells that the other side can use a domino takes two, or one where it has only one of
    // them.
    let usable = free & (theirs.ahead(free) | theirs.back(free));
    let halves = (open & !(usable & ours.ahead(usable))).count();
    let left = usable.count() + halves.min(placed);
    debug_assert!(left >= 2 * placed, "every open domino has a usable cell");
    let left = left.saturating_sub(2 * placed) / 2;
    let (ours, theirs) = (safe.count() + placed, theirs.fitting(free).count().min(left));
    if to_move { ours > theirs } else { ours >= theirs }
}
