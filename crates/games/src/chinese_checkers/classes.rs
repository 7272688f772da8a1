//! Chains of hops, class by class.
//!
//! A hop goes two cells further and preserves the parity of the row and of the place in it. So the
//! cells fall into four classes, each a quarter of the star, and a chain stays within its class:
//! there a hop is a step between neighbours, and the cells that it goes over lie in the other three
//! classes. With row r = 2 r' + a and place q = 2 q' + b, class 2 a + b has this cell at bit
//! `CLASS_STRIDE * r' + q' + 1`. No guard bits separate the rows: it is enough that no two cells
//! share a bit, since the tables have only hops within the star. All classes together fit into a
//! vector register.

use super::star::{Star, StarWord, offset};
use crate::board::Word;
use std::hint::select_unpredictable;

/// A set of cells, class by class.
type Set<C> = [C; 4];
/// By direction axis: where the cell that a hop goes over is taken. Only hops within the star count.
type Middles<C> = [C; 3];

/// The classes of a star.
pub(super) struct Classes<W: StarWord> {
    /// By number.
    cells: Box<[Cell<W::Class>; 256]>,
    /// The numbers of the cells by class and bit there.
    numbers: [[u8; 64]; 4],
    board: Set<W::Class>,
    targets: [Set<W::Class>; 2],
}

/// What changes when a cell becomes taken or empty.
#[derive(Copy, Clone)]
struct Cell<C> {
    own: Set<C>,
    middles: [Set<C>; 3],
}

impl<W: StarWord> Classes<W> {
    pub fn none() -> Self {
        let none = [W::Class::EMPTY; 4];
        let cells = Box::new([Cell { own: none, middles: [none; 3] }; 256]);
        Classes { cells, numbers: [[0; 64]; 4], board: none, targets: [none; 2] }
    }

    /// # Panics
    /// If two cells of a class share a bit.
    pub fn new(star: &Star<W>) -> Self {
        let mut classes = Classes::<W>::none();
        let place = |bit: u32| {
            let (row, column) = star.places[star.number(bit) as usize];
            let q = (column + row) / 2;
            let half = W::CLASS_STRIDE as i16 * row.div_euclid(2) + q.div_euclid(2) + 1;
            assert!((0..W::Class::BITS as i16).contains(&half), "arms of side {} do not fit", star.side);
            ((2 * row.rem_euclid(2) + q.rem_euclid(2)) as usize, half as u32)
        };
        for bit in star.board.cells() {
            let (class, half) = place(bit);
            let cell = &mut classes.cells[star.number(bit) as usize];
            cell.own[class] = W::Class::bit(half);
            for (axis, middle) in cell.middles.iter_mut().enumerate() {
                let ends = [-1, 1].map(|n| bit.wrapping_add_signed(n * offset::<W>(2 * axis)));
                if ends.iter().all(|&end| end < W::BITS && star.board.has(end)) {
                    let (class, half) = place(ends[0]);
                    middle[class] = W::Class::bit(half);
                }
            }
            assert!(!classes.board[class].has(half), "arms of side {} do not fit", star.side);
            classes.numbers[class][half as usize] = star.number(bit) as u8;
            classes.board = both(classes.board, cell.own);
        }
        classes.targets = star.targets.map(|target| classes.set(star.numbers(target)));
        classes
    }

    fn set(&self, cells: impl Iterator<Item = u32>) -> Set<W::Class> {
        let own = cells.map(|number| self.cells[number as usize].own);
        own.fold([W::Class::EMPTY; 4], both)
    }

    /// The hops of a position.
    pub fn hops(&self, star: &Star<W>, pieces: [W; 2]) -> Hops<W> {
        let mut hops = Hops {
            own: pieces.map(|pieces| self.set(star.numbers(pieces))),
            empty: self.board,
            middles: [[W::Class::EMPTY; 4]; 3],
        };
        star.numbers(pieces[0] | pieces[1]).for_each(|number| hops.flip(&self.cells[number as usize]));
        hops
    }
}

#[inline(always)]
fn is_empty<C: Word>(set: Set<C>) -> bool {
    set.into_iter().fold(C::EMPTY, |any, class| any | class).is_empty()
}

#[inline(always)]
fn both<C: Word>(a: Set<C>, b: Set<C>) -> Set<C> {
    std::array::from_fn(|class| a[class] | b[class])
}

#[inline(always)]
fn without<C: Word>(a: Set<C>, b: Set<C>) -> Set<C> {
    std::array::from_fn(|class| a[class] & !b[class])
}

#[inline(always)]
fn flipped<C: Word>(a: Set<C>, b: Set<C>) -> Set<C> {
    std::array::from_fn(|class| a[class] ^ b[class])
}

/// Whether two hops may lead from one cell of an arm of `all` cells to another when `taken` are
/// taken: by the piece and two to hop over, with two cells left to land on.
#[inline]
pub(super) fn may_chain_within(taken: u32, all: u32) -> bool {
    // From 3 to all - 2 are taken.
    taken.wrapping_sub(3) < all.saturating_sub(4)
}

/// Where one hop leads from the cells of a set.
#[inline(always)]
fn hop<W: StarWord>(set: W::Class, [right, down, across]: Middles<W::Class>, allowed: W::Class) -> W::Class {
    let (s, t) = (W::CLASS_STRIDE, W::CLASS_STRIDE + 1);
    let forth = (set & right) << 1 | (set & down) << s | (set & across) << t;
    let back = (set >> 1 & right) | (set >> s & down) | (set >> t & across);
    (forth | back) & allowed
}

/// The hops of a position.
pub(super) struct Hops<W: StarWord> {
    own: [Set<W::Class>; 2],
    empty: Set<W::Class>,
    middles: [Set<W::Class>; 3],
}

impl<W: StarWord> Hops<W> {
    /// These cells become taken or empty.
    #[inline(always)]
    fn flip(&mut self, cells: &Cell<W::Class>) {
        self.empty = flipped(self.empty, cells.own);
        for (axis, &middle) in self.middles.iter_mut().zip(&cells.middles) {
            *axis = flipped(*axis, middle);
        }
    }

    /// A piece of a player moves.
    #[inline]
    pub fn play(&mut self, classes: &Classes<W>, player: usize, from: u8, to: u8) {
        let [from, to] = [from, to].map(|number| classes.cells[usize::from(number)]);
        let cells = Cell {
            own: flipped(from.own, to.own),
            middles: std::array::from_fn(|axis| flipped(from.middles[axis], to.middles[axis])),
        };
        self.flip(&cells);
        self.own[player & 1] = flipped(self.own[player & 1], cells.own);
    }

    /// [`hop`] in all classes.
    #[inline(always)]
    fn hop(&self, set: Set<W::Class>, allowed: Set<W::Class>) -> Set<W::Class> {
        let [right, down, across] = self.middles;
        std::array::from_fn(|i| hop::<W>(set[i], [right[i], down[i], across[i]], allowed[i]))
    }

    /// The pieces of a player with a hop to a cell that a hop connects with another empty one, and
    /// at least the number of their chains. Only these may have chains; those in their target arm
    /// count only if it has room for chains (`within`).
    ///
    /// The last hop of a chain connects two empty cells. So a goal is connected, and at least one
    /// connected cell of the class is not a goal, since a single hop leads there.
    #[inline(always)]
    pub fn chainers(&self, classes: &Classes<W>, player: usize, within: bool) -> (Set<W::Class>, u32) {
        let ([right, down, across], empty) = (self.middles, self.empty);
        let (s, t) = (W::CLASS_STRIDE, W::CLASS_STRIDE + 1);
        let connected: Set<W::Class> = std::array::from_fn(|i| {
            let (right, down, across) = (
                empty[i] & empty[i] >> 1 & right[i],
                empty[i] & empty[i] >> s & down[i],
                empty[i] & empty[i] >> t & across[i],
            );
            right | right << 1 | down | down << s | across | across << t
        });
        let target = classes.targets[player & 1];
        let staying = target.map(|class| select_unpredictable(within, W::Class::EMPTY, class));
        let chainers = self.hop(connected, without(self.own[player & 1], staying));
        (chainers, W::pairs(chainers, connected))
    }

    /// Of the goals that these pieces of a player reach by two or more hops and by no single one,
    /// number `choice`: from where and to where. If there are fewer, their number. Pieces in their
    /// target arm stay there.
    #[inline(never)]
    pub fn chain(
        &self,
        classes: &Classes<W>,
        player: usize,
        pieces: Set<W::Class>,
        choice: u32,
    ) -> Result<(u8, u8), u32> {
        let (target, mut pieces, mut before) = (classes.targets[player & 1], pieces, 0);
        loop {
            // One of each class at a time.
            let others = pieces.map(Word::without_lowest);
            let from = without(pieces, others);
            let allowed = std::array::from_fn(|class| {
                let stays = !(from[class] & target[class]).is_empty();
                self.empty[class] & select_unpredictable(stays, target[class], classes.board[class])
            });
            let goals = self.goals(from, allowed);
            let counts = goals.map(Word::count);
            let count = counts.iter().sum::<u32>();
            if choice < before + count {
                return Ok(nth(classes, from, goals, counts, choice - before));
            }
            (pieces, before) = (others, before + count);
            if is_empty(pieces) {
                return Err(before);
            }
        }
    }

    /// Where chains of two or more hops lead and no single hop does, from at most one piece of each
    /// class.
    #[inline(always)]
    fn goals(&self, from: Set<W::Class>, allowed: Set<W::Class>) -> Set<W::Class> {
        let first = self.hop(from, allowed);
        let unreached = without(allowed, first);
        let (mut free, mut last) = (unreached, self.hop(first, unreached));
        // Twice before each test: the length of chains cannot be predicted.
        while !is_empty(last) {
            for _ in 0..2 {
                free = without(free, last);
                last = self.hop(last, free);
            }
        }
        without(unreached, free)
    }
}

/// Goal number `n`, given the number of goals by class: from where and to where.
fn nth<W: StarWord>(
    classes: &Classes<W>,
    from: Set<W::Class>,
    goals: Set<W::Class>,
    counts: [u32; 4],
    mut n: u32,
) -> (u8, u8) {
    let mut class = 0;
    while n >= counts[class] {
        n -= counts[class];
        class += 1;
    }
    let number = |half: u32| classes.numbers[class][half as usize];
    (number(from[class].lowest()), number(goals[class].nth(n)))
}

#[cfg(test)]
mod tests {
    use super::super::star::{DIRECTIONS, moved};
    use super::*;
    use crate::board::U256;
    use proofplay_core::Rng;

    /// A lone piece among random ones: its chains against those of the whole star.
    fn check<W: StarWord>(side: u32, rng: &mut Rng) {
        let star = Star::<W>::new(side);
        let (mut found, mut may) = (0, 0);
        for round in 0..1000 {
            let count = rng.below(star.cells());
            let occupied = (0..=count).fold(W::EMPTY, |set, _| set | W::bit(star.board.random_cell(rng)));
            // Often in its target arm.
            let home = occupied & star.targets[0];
            let among = if round % 2 == 0 && !home.is_empty() { home } else { occupied };
            let (start, empty) = (among.random_cell(rng), star.board & !occupied);
            let target = star.targets[0];
            let allowed = if target.has(start) { empty & target } else { empty };
            let near = DIRECTIONS.iter().fold(W::EMPTY, |near, &d| {
                let next = moved(W::bit(start), d, 1);
                near | next | moved(next & occupied, d, 1)
            });
            let expected = star.destinations(start, occupied, allowed) & !near;
            let hops = star.classes.hops(&star, [W::bit(start), occupied & !W::bit(start)]);
            let within = may_chain_within(home.count(), target.count());
            let (chainers, most) = hops.chainers(&star.classes, 0, within);
            let from = star.number(start) as u8;
            for (n, goal) in (0..).zip(star.numbers(expected)) {
                assert_eq!(hops.chain(&star.classes, 0, chainers, n), Ok((from, goal as u8)));
            }
            let count = expected.count();
            assert_eq!(hops.chain(&star.classes, 0, chainers, count), Err(count));
            assert!(count <= most, "{count} chains of at most {most}");
            (found, may) = (found + count, may + u32::from(most > 0));
        }
        assert!(found > 0 || side == 1, "side {side}: nothing was found");
        assert!(may < 900, "side {side}: {may} of 1000 may have chains");
    }

    #[test]
    fn agree_with_the_star() {
        let mut rng = Rng::new(1);
        check::<u64>(1, &mut rng);
        check::<u64>(2, &mut rng);
        check::<u128>(3, &mut rng);
        check::<U256>(4, &mut rng);
    }
}
