//! Chains of hops, class by class.
//!
//! A hop goes two cells on and keeps the parity of the row and of the place in it. So the cells fall into four classes of a
//! quarter of the star each, and a chain stays within its class: there a hop is a step between neighbours, and the cells
//! that it goes over lie in the other three classes. With row r = 2 r' + a and place q = 2 q' + b, class 2 a + b has this
//! cell at bit `CLASS_STRIDE * r' + q' + 1`. Nothing keeps the rows apart: it is enough that no two cells share a bit, for
//! only hops within the star are known. All classes together are as much as a vector register holds.

use super::star::{Star, StarWord, offset};
use crate::board::Word;

/// A set of cells, class by class.
type Set<C> = [C; 4];
/// By direction axis: where the cell that a hop goes over is taken. Only hops within the star count.
type Middles<C> = [C; 3];

/// The classes of a star.
pub(super) struct Classes<W: StarWord> {
    /// By bit.
    cells: Box<[Cell<W::Class>; 256]>,
    /// The bits of the star by class and bit there.
    bits: [[u8; 64]; 4],
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
        Classes { cells, bits: [[0; 64]; 4], board: none, targets: [none; 2] }
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
            let cell = &mut classes.cells[bit as usize];
            cell.own[class] = W::Class::bit(half);
            for (axis, middle) in cell.middles.iter_mut().enumerate() {
                let ends = [-1, 1].map(|n| bit.wrapping_add_signed(n * offset::<W>(2 * axis)));
                if ends.iter().all(|&end| end < W::BITS && star.board.has(end)) {
                    let (class, half) = place(ends[0]);
                    middle[class] = W::Class::bit(half);
                }
            }
            assert!(!classes.board[class].has(half), "arms of side {} do not fit", star.side);
            classes.bits[class][half as usize] = bit as u8;
            classes.board = both(classes.board, cell.own);
        }
        classes.targets = star.targets.map(|target| classes.set(target));
        classes
    }

    fn set(&self, cells: W) -> Set<W::Class> {
        let own = cells.cells().map(|bit| self.cells[bit as usize].own);
        own.fold([W::Class::EMPTY; 4], both)
    }

    /// The hops of a position.
    pub fn hops(&self, pieces: [W; 2]) -> Hops<W> {
        let mut hops = Hops {
            own: pieces.map(|pieces| self.set(pieces)),
            empty: self.board,
            middles: [[W::Class::EMPTY; 4]; 3],
        };
        (pieces[0] | pieces[1]).cells().for_each(|bit| hops.flip(&self.cells[bit as usize]));
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
fn common<C: Word>(a: Set<C>, b: Set<C>) -> Set<C> {
    std::array::from_fn(|class| a[class] & b[class])
}

#[inline(always)]
fn without<C: Word>(a: Set<C>, b: Set<C>) -> Set<C> {
    std::array::from_fn(|class| a[class] & !b[class])
}

#[inline(always)]
fn flipped<C: Word>(a: Set<C>, b: Set<C>) -> Set<C> {
    std::array::from_fn(|class| a[class] ^ b[class])
}

/// Whether two hops may lead from one cell of an arm to another with so many cells of it taken and empty: the piece and
/// two to hop over, two cells to land on.
#[inline]
pub(super) fn may_chain_within(taken: u32, empty: u32) -> bool {
    taken >= 3 && empty >= 2
}

/// At least the goals that a piece can have by two or more hops when each player has `all` pieces. Each cell that it
/// reaches takes a piece of its own to hop over, for one cell lies between just two of a class; the first hop takes one too.
pub(super) const fn most_chains(all: u32) -> u32 {
    2 * all - 2
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
    pub fn play(&mut self, classes: &Classes<W>, player: usize, from: u32, to: u32) {
        let [from, to] = [from, to].map(|bit| classes.cells[bit as usize & 255]);
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

    /// Whether a player may have a second hop: a piece hops to a cell that a hop connects with another empty one. No is
    /// certain; yes is not, for the rule of the target arm is left out. Inlined: its half of the work is done beside that
    /// of others.
    #[inline(always)]
    pub fn may_chain(&self, player: usize) -> bool {
        let ([right, down, across], empty) = (self.middles, self.empty);
        let (s, t) = (W::CLASS_STRIDE, W::CLASS_STRIDE + 1);
        let connected = std::array::from_fn(|i| {
            let (right, down, across) = (
                empty[i] & empty[i] >> 1 & right[i],
                empty[i] & empty[i] >> s & down[i],
                empty[i] & empty[i] >> t & across[i],
            );
            right | right << 1 | down | down << s | across | across << t
        });
        !is_empty(self.hop(self.own[player & 1], connected))
    }

    /// Lists the goals of chains of two or more hops that no single hop reaches, and returns how many there are. Pieces in
    /// their target arm stay there; `within` says whether it may have room for such chains.
    ///
    /// A piece has no more of them than [`most_chains`].
    #[inline]
    pub fn chains(&self, classes: &Classes<W>, player: usize, within: bool, list: &mut Goals<W>) -> u32 {
        let (own, target) = (self.own[player & 1], classes.targets[player & 1]);
        (list.len, list.count) = (0, 0);
        self.collect(without(own, target), self.empty, list);
        if within {
            self.collect(common(own, target), common(self.empty, target), list);
        }
        list.count
    }

    #[inline(always)]
    fn collect(&self, pieces: Set<W::Class>, allowed: Set<W::Class>, list: &mut Goals<W>) {
        let first = self.hop(pieces, allowed);
        let second = self.hop(first, allowed);
        if is_empty(second) {
            return;
        }
        self.collect_from(pieces, allowed, first, second, list);
    }

    /// Knows where the first and the second hop can lead.
    #[inline(never)]
    fn collect_from(
        &self,
        pieces: Set<W::Class>,
        allowed: Set<W::Class>,
        first: Set<W::Class>,
        second: Set<W::Class>,
        list: &mut Goals<W>,
    ) {
        // Back again: the pieces that can hop.
        let from = self.hop(first, pieces);
        if is_empty(from.map(Word::without_lowest)) {
            return self.collect_of(from, first, second, allowed, list);
        }
        // Several of a class, which have to be told apart, but few of them can hop twice.
        let mut pieces = self.hop(self.hop(second, first), pieces);
        while !is_empty(pieces) {
            let others = pieces.map(Word::without_lowest);
            let from = without(pieces, others);
            let first = self.hop(from, allowed);
            self.collect_of(from, first, self.hop(first, allowed), allowed, list);
            pieces = others;
        }
    }

    /// For at most one piece of each class.
    #[inline(always)]
    fn collect_of(
        &self,
        from: Set<W::Class>,
        first: Set<W::Class>,
        second: Set<W::Class>,
        allowed: Set<W::Class>,
        list: &mut Goals<W>,
    ) {
        let unreached = without(allowed, first);
        let (mut free, mut last) = (unreached, common(second, unreached));
        while !is_empty(last) {
            free = without(free, last);
            last = self.hop(last, free);
        }
        let goals = without(unreached, free);
        let counts = goals.map(Word::count);
        list.rounds[list.len % MOST] = Round { from, goals, counts };
        list.len += 1;
        list.count += counts.iter().sum::<u32>();
    }
}

/// More than the pieces of a player.
const MOST: usize = 16;

/// What some pieces can reach by more than one hop.
pub(super) struct Goals<W: StarWord> {
    rounds: [Round<W::Class>; MOST],
    len: usize,
    count: u32,
}

/// Where up to one piece of each class can go, and to how many cells.
#[derive(Copy, Clone)]
struct Round<C> {
    from: Set<C>,
    goals: Set<C>,
    counts: [u32; 4],
}

impl<W: StarWord> Goals<W> {
    pub fn none() -> Self {
        let none = [W::Class::EMPTY; 4];
        Goals { rounds: [Round { from: none, goals: none, counts: [0; 4] }; MOST], len: 0, count: 0 }
    }

    /// Goal number `n` of more than `n`: the bits it is reached from and where it is.
    #[inline]
    pub fn nth(&self, classes: &Classes<W>, mut n: u32) -> (u8, u32) {
        for round in &self.rounds {
            for (class, count) in round.counts.into_iter().enumerate() {
                if n < count {
                    let bit = |half: u32| classes.bits[class][half as usize & 63];
                    return (bit(round.from[class].lowest()), u32::from(bit(round.goals[class].nth(n))));
                }
                n -= count;
            }
        }
        unreachable!("there are more goals")
    }
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
        let mut list = Goals::none();
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
            let hops = star.classes.hops([W::bit(start), occupied & !W::bit(start)]);
            let filled = home.count();
            let within = may_chain_within(filled, target.count() - filled);
            assert_eq!(hops.chains(&star.classes, 0, within, &mut list), expected.count());
            assert!(hops.may_chain(0) || expected.is_empty());
            may += u32::from(hops.may_chain(0));
            for (n, goal) in (0..list.count).zip(expected.cells()) {
                assert_eq!(list.nth(&star.classes, n), (start as u8, goal));
            }
            found += list.count;
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
