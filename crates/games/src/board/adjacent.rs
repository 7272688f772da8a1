//! Groups of stones and their liberties, on any board that has neighbours.

use super::{Grid, Word};

/// A board as a net of cells: what games with groups and liberties need of it.
pub trait Adjacent<W: Word> {
    /// The neighbours of a set, which may overlap it.
    fn neighbours(&self, set: W) -> W;

    /// The cells that have at least two neighbours in the set.
    fn twice(&self, set: W) -> W;

    /// All cells that a chain of neighbours inside `within` joins to `seed`, which lies in `within`.
    #[inline]
    fn flood(&self, seed: W, within: W) -> W {
        let mut set = seed;
        loop {
            let next = set | (self.neighbours(set) & within);
            if next == set {
                return set;
            }
            set = next;
        }
    }

    /// The group of `seed` among `stones` of its colour, if none of the cells `empty` is beside it;
    /// else nothing.
    #[inline]
    fn stifled(&self, seed: W, stones: W, empty: W) -> W {
        let mut group = seed;
        loop {
            let near = self.neighbours(group);
            if !(near & empty).is_empty() {
                return W::EMPTY;
            }
            let next = group | (near & stones);
            if next == group {
                return group;
            }
            group = next;
        }
    }

    /// The enemy stones `other` that a stone on a cell takes: those of groups beside it without a
    /// liberty among `empty`, which no longer contains the filled cell.
    #[inline]
    fn captured(&self, stone: W, other: W, empty: W) -> W {
        let mut near = self.neighbours(stone) & other;
        let mut captured = W::EMPTY;
        while !near.is_empty() {
            let seed = W::bit(near.lowest());
            let group = self.stifled(seed, other, empty);
            captured = captured | group;
            near = near & !seed & !group;
        }
        captured
    }

    /// The cells of `empty` on which a stone of `own` has a liberty, perhaps after a capture.
    #[inline]
    fn breathing(&self, own: W, other: W, empty: W) -> W {
        let open = empty & self.neighbours(empty);
        let closed = empty & !open;
        if closed.is_empty() {
            return open;
        }
        let (_, captures) = self.groups(other, empty);
        let (safe, _) = self.groups(own, empty);
        open | (closed & (captures | self.neighbours(safe)))
    }

    /// The `stones` of one colour in groups with at least two liberties among the cells `empty`,
    /// and the last liberties of its other groups.
    #[inline]
    fn groups(&self, stones: W, empty: W) -> (W, W) {
        // Most groups have a stone with two empty cells beside it: all of these are found at once.
        let mut safe = self.flood(stones & self.twice(empty), stones);
        let mut rest = stones & !safe;
        let mut last = W::EMPTY;
        while !rest.is_empty() {
            let group = self.flood(W::bit(rest.lowest()), rest);
            let liberties = self.neighbours(group) & empty;
            if liberties.is_empty() || liberties.without_lowest().is_empty() {
                last = last | liberties;
            } else {
                safe = safe | group;
            }
            rest = rest & !group;
        }
        (safe, last)
    }
}

impl<W: Word> Adjacent<W> for Grid<W> {
    #[inline]
    fn neighbours(&self, set: W) -> W {
        Grid::neighbours(self, set)
    }

    #[inline]
    fn twice(&self, set: W) -> W {
        let (left, right, down, up) = (self.left(set), self.right(set), self.down(set), self.up(set));
        (left & right) | (down & up) | ((left | right) & (down | up))
    }
}

/// The stones from which `k` of the set follow one another at the distance `step`, themselves
/// included.
///
/// The board has guard cells so that such a chain is a straight line of neighbours; `k` is at most
/// the longest line.
#[inline]
pub fn rows_of<W: Word>(stones: W, step: u32, k: u32) -> W {
    // `line` holds the cells from which `length` stones follow; the length doubles until it is k.
    let (mut line, mut length) = (stones, 1);
    while length < k {
        let more = length.min(k - length);
        line = line & line >> (more * step);
        length += more;
    }
    line
}
