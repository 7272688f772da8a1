//! Stones that live unconditionally: facts about Go.
//!
//! Benson, "Life in the game of Go", Information Sciences 10, 1976 \[Ben76\].
//!
//! A *region* of a player is a connected set of cells without stones of that player. It is *vital*
//! to a group if each of its empty cells is a liberty of that group. Drop all groups of a player
//! that have fewer than two vital regions, then all regions that touch a dropped group, and so on.
//! The groups that are left cannot be taken even if their owner passes for ever.
//!
//! The owner has these stones at the end, and every vital region of one cell, which no enemy can
//! enter. More is not claimed: in larger regions enemy stones may stay until they are taken, and
//! superko may forbid that. The owner may still give the stones away, so this bounds the value of a
//! position, not the scores that can follow.
//!
//! Suicide would let the opponent empty a region again, so with that option nothing is claimed.

use super::{Board, rounded};
use crate::board::{Grid, Word};
use proofplay_core::{Bounds, Facts, Position};

/// The most groups or regions that are looked at; where there are more nothing is claimed.
const MOST: usize = 64;

/// A set of groups or regions as bits.
type Set = u64;

/// What stones that live unconditionally guarantee.
#[derive(Copy, Clone, Debug)]
pub struct UnconditionalLife;

impl<W: Word> Facts<Board<W>> for UnconditionalLife {
    fn bounds(&self, pos: &Board<W>) -> Bounds {
        certain(pos)
    }
}

/// Bounds of the value that need no search.
pub(super) fn certain<W: Word>(pos: &Board<W>) -> Bounds {
    let range = pos.range();
    if pos.rules.suicide || pos.rules.targets.is_some() {
        return range;
    }
    let grid = &*pos.rules.grid;
    let [first, second] = pos.stones.map(|stones| safe(grid, stones, pos.empty()).count() as i16);
    let cells = (grid.cols * grid.rows) as i16;
    // In the worst case the rest is the opponent's.
    let (pess, opti) = (2 * first - cells, cells - 2 * second);
    Bounds::new(rounded(2 * pess - pos.rules.komi), rounded(2 * opti - pos.rules.komi))
}

/// The connected parts of a set, if there are not too many.
fn parts<W: Word>(grid: &Grid<W>, set: W) -> Option<([W; MOST], usize)> {
    let (mut parts, mut len, mut rest) = ([W::EMPTY; MOST], 0, set);
    while !rest.is_empty() {
        let part = grid.flood(W::bit(rest.lowest()), rest);
        *parts.get_mut(len)? = part;
        len += 1;
        rest = rest & !part;
    }
    Some((parts, len))
}

/// The cells that the owner of `stones` certainly keeps: groups that live unconditionally and their
/// eyes of one cell.
pub(super) fn safe<W: Word>(grid: &Grid<W>, stones: W, empty: W) -> W {
    // Two eyes need two empty cells.
    if stones.is_empty() || empty.without_lowest().is_empty() {
        return W::EMPTY;
    }
    let Some((regions, of_regions)) = parts(grid, grid.board & !stones) else { return W::EMPTY };
    if of_regions < 2 {
        return W::EMPTY;
    }
    let Some((groups, of_groups)) = parts(grid, stones) else { return W::EMPTY };
    let (mut vital, mut touches): ([Set; MOST], [Set; MOST]) = ([0; MOST], [0; MOST]);
    for (group, &set) in groups[..of_groups].iter().enumerate() {
        let near = grid.neighbours(set);
        for (region, &cells) in regions[..of_regions].iter().enumerate() {
            touches[group] |= Set::from(!(cells & near).is_empty()) << region;
            vital[group] |= Set::from((cells & empty & !near).is_empty()) << region;
        }
    }
    let (mut healthy, mut alive) = (Set::MAX >> (64 - of_regions), Set::MAX >> (64 - of_groups));
    loop {
        let dropped = alive.cells().filter(|&group| (vital[group as usize] & healthy).count_ones() < 2);
        let dropped = dropped.fold(0, |set, group| set | Set::bit(group));
        if dropped == 0 {
            break;
        }
        alive &= !dropped;
        healthy = dropped.cells().fold(healthy, |healthy, group| healthy & !touches[group as usize]);
    }
    let living = alive.cells().fold(W::EMPTY, |set, group| set | groups[group as usize]);
    let eyes = healthy.cells().map(|region| regions[region as usize]);
    eyes.filter(|&eye| eye.without_lowest().is_empty() && (grid.neighbours(eye) & !living).is_empty())
        .fold(living, |set, eye| set | eye)
}

#[cfg(test)]
mod tests {
    use super::super::{Go, Setup};
    use super::*;
    use proofplay_core::Game;

    fn claims(size: &str, text: &str) -> (i16, i16) {
        let game = Go::<u64>::new(Setup::parse(size).unwrap());
        let bounds = certain(&game.parse(text).unwrap());
        (bounds.pess.0, bounds.opti.0)
    }

    #[test]
    fn worked_examples() {
        // Two eyes of one cell in a corner, five stones: seven cells of 25.
        assert_eq!(claims("5x5", "...../...../...../bbb../.b.b. w"), (-25, 25));
        assert_eq!(claims("5x5", "...../...../...../bbbb./.b.b. w"), (14 + 2 - 25, 25));
        // The same for W, and komi.
        assert_eq!(claims("5x5,komi=2", "...../...../...../wwww./.w.w. w"), (-27, 25 - 16 - 2));
        // One eye of two cells is not enough, two are, but only their stones are claimed: an enemy
        // may stay inside.
        assert_eq!(claims("5x5", "...../...../...../bbb../..b.. w"), (-25, 25));
        assert_eq!(claims("7x5", "......./......./......./bbbbbb./..b..b. w"), (16 - 35, 35));
        // One eye.
        assert_eq!(claims("5x5", "...../...../bb.../.b.../.b.bb b"), (-25, 25));
        // An enemy stone inside does not matter if every empty cell is a liberty.
        assert_eq!(claims("7x5", "......./......./......./bbbbbb./w.b..b. w"), (16 - 35, 35));
        // Two groups that live by two eyes between them.
        assert_eq!(claims("3x3", "bb./b.b/.bb b"), (9, 9));
        assert_eq!(claims("3x1", "b.b b"), (-3, 3));
        assert_eq!(claims("3x1", ".b. b"), (3, 3));
        // With suicide nothing is claimed.
        assert_eq!(claims("3x1,suicide=yes", ".b. b"), (-3, 3));
    }
}
