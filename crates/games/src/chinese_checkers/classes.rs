//! Chains of hops, class by class.
//!
//! A hop goes two cells on and keeps the parity of the row and of the place in it. So the cells fall into four classes of a
//! quarter of the star each, and a chain stays within its class: there a hop is a step between neighbours, and the cells
//! that it goes over lie in the other three classes. With row r = 2 r' + a and place q = 2 q' + b, class 2 a + b has this
//! cell at bit `STRIDE * r' + q' + LOW`, in a word half as long as that of the star.

use super::star::{Star, StarWord};
use crate::board::Word;

/// A set of cells, class by class.
#[derive(Copy, Clone)]
pub(super) struct Classes<W: StarWord>([W::Half; 4]);

/// By direction axis: the cells that a hop from each cell goes over, moved to where the cell is.
type Middles<H> = [H; 3];

impl<W: StarWord> Classes<W> {
    /// The classes of a set.
    pub fn new(star: &Star<W>, set: W) -> Self {
        let mut classes = Classes([W::Half::EMPTY; 4]);
        set.cells().for_each(|bit| classes.flip(star, bit));
        classes
    }

    /// Puts a cell in or takes it out.
    #[inline]
    pub fn flip(&mut self, star: &Star<W>, bit: u32) {
        let (class, half) = star.classes[bit as usize & 255];
        let word = &mut self.0[usize::from(class) & 3];
        *word = *word ^ W::Half::bit(u32::from(half));
    }

    #[inline]
    fn without(self, other: Self) -> Self {
        Classes(std::array::from_fn(|class| self.0[class] & !other.0[class]))
    }

    /// What hops in a class go over.
    #[inline(always)]
    fn middles(self, class: usize) -> Middles<W::Half> {
        let (a, b) = (class as u32 / 2, class as u32 % 2);
        [
            self.0[class ^ 1] >> b,
            self.0[class ^ 2] >> (a * W::STRIDE),
            self.0[class ^ 3] >> (a * W::STRIDE + b),
        ]
    }
}

/// Where one hop leads from the cells of a set.
#[inline(always)]
fn hop<W: StarWord>(set: W::Half, [right, down, across]: Middles<W::Half>, empty: W::Half) -> W::Half {
    let (s, t) = (W::STRIDE, W::STRIDE + 1);
    let forth = (set & right) << 1 | (set & down) << s | (set & across) << t;
    let back = (set >> 1 & right) | (set >> s & down) | (set >> t & across);
    (forth | back) & empty
}

/// The hops of a position.
pub(super) struct Hops<W: StarWord> {
    empty: Classes<W>,
    occupied: Classes<W>,
}

impl<W: StarWord> Hops<W> {
    #[inline]
    pub fn new(board: Classes<W>, occupied: Classes<W>) -> Self {
        Hops { empty: board.without(occupied), occupied }
    }

    /// The classes in which one of these pieces may be able to hop twice, as bits; the others are certain.
    #[inline]
    pub fn going_on(&self, own: Classes<W>) -> u32 {
        let mut found = 0;
        for class in 0..4 {
            let (middles, empty) = (self.occupied.middles(class), self.empty.0[class]);
            let second = hop::<W>(hop::<W>(own.0[class], middles, empty), middles, empty);
            found |= u32::from(!second.is_empty()) << class;
        }
        found
    }

    /// Appends the goals of chains of two or more hops that no single hop reaches, for pieces of these classes. Those on
    /// `target` cells stay there. Returns how many goals there are.
    #[inline(never)]
    pub fn collect(
        &self,
        classes: u32,
        own: Classes<W>,
        target: Classes<W>,
        out: &mut [Goals<W>; MOST],
    ) -> u32 {
        let (mut len, mut sum) = (0, 0);
        for class in (0..4).filter(|class| classes >> class & 1 != 0) {
            let middles = self.occupied.middles(class);
            for half in own.0[class].cells() {
                let start = W::Half::bit(half);
                let at_home = !(start & target.0[class]).is_empty();
                let empty = if at_home { self.empty.0[class] & target.0[class] } else { self.empty.0[class] };
                let first = hop::<W>(start, middles, empty);
                let (mut reached, mut last) = (first, first);
                while !last.is_empty() {
                    last = hop::<W>(last, middles, empty & !reached);
                    reached = reached | last;
                }
                let goals = reached & !first;
                if !goals.is_empty() {
                    let count = goals.count();
                    out[len % MOST] = Goals { class, from: half, goals, count };
                    (len, sum) = (len + 1, sum + count);
                }
            }
        }
        sum
    }
}

/// More than the pieces of a player.
pub(super) const MOST: usize = 16;

/// Where the piece on bit `from` of a class can go by more than one hop.
#[derive(Copy, Clone)]
pub(super) struct Goals<W: StarWord> {
    class: usize,
    from: u32,
    goals: W::Half,
    count: u32,
}

impl<W: StarWord> Goals<W> {
    pub const NONE: Self = Goals { class: 0, from: 0, goals: W::Half::EMPTY, count: 0 };

    /// Goal number `n` of a list with more than `n` goals: the bits it is reached from and where it is.
    #[inline]
    pub fn nth(list: &[Self; MOST], mut n: u32) -> (u32, u32) {
        for piece in list {
            if n < piece.count {
                return (piece.bit(piece.from), piece.bit(piece.goals.nth(n)));
            }
            n -= piece.count;
        }
        unreachable!("there are more goals")
    }

    /// The bit of the star that a bit of the class is.
    #[inline]
    fn bit(&self, half: u32) -> u32 {
        2 * half + W::STRIDE * (self.class as u32 / 2) + self.class as u32 % 2 - 2 * W::LOW
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
        let (mut lists, board) = ([Goals::NONE; MOST], Classes::new(&star, star.board));
        let mut found = 0;
        for _ in 0..500 {
            let count = rng.below(star.cells());
            let occupied = (0..=count).fold(W::EMPTY, |set, _| set | W::bit(star.board.random_cell(rng)));
            let (start, empty) = (occupied.random_cell(rng), star.board & !occupied);
            let target = if rng.below(4) == 0 { star.targets[0] } else { W::EMPTY };
            let allowed = if target.has(start) { empty & target } else { empty };
            let near = DIRECTIONS.iter().fold(W::EMPTY, |near, &d| {
                let next = moved(W::bit(start), d, 1);
                near | next | moved(next & occupied, d, 1)
            });
            let expected = star.destinations(start, occupied, allowed) & !near;
            let [own, target] = [W::bit(start), target].map(|set| Classes::new(&star, set));
            let hops = Hops::new(board, Classes::new(&star, occupied));
            let classes = hops.going_on(own);
            let goals = hops.collect(classes, own, target, &mut lists);
            assert_eq!(goals, expected.count());
            for (n, goal) in (0..goals).zip(expected.cells()) {
                assert_eq!(Goals::nth(&lists, n), (start, goal));
            }
            found += goals;
        }
        assert!(found > 0 || side == 1, "side {side}: nothing was found");
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
