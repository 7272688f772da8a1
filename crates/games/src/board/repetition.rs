//! Repetition in games whose pieces move: how often the position on the board has occurred before.
//!
//! Only moves that can be taken back matter: once a piece is captured, no earlier position comes
//! back. So a position has the moves since the last irreversible one, two bytes each, and walks
//! them backwards: an earlier position equals the present one when the cells that each player has
//! left and entered since then cancel. That is exact (no keys), small to copy, and symmetries of
//! the board apply to it.
//!
//! The memory is bounded: after `N` reversible moves in a row the oldest is forgotten, and with it
//! the position before it. A repetition that spans more than `N` moves is then noticed later, or
//! never if the cycle itself is longer. Values of positions without history stay true: a repetition
//! that is noticed is a draw by the rules, and a win that can be forced can be forced without
//! repetition, so missing some draws does not change who wins.

use super::Word;
use proofplay_core::splitmix64;
use std::hash::{Hash, Hasher};

/// The moves since the last irreversible one, at most `N`. The players alternate; a pass is a move.
///
/// Two histories are equal when the same positions occurred equally often, in any order: then their
/// futures are the same. They are compared relative to the position on the board, which must itself
/// be equal.
#[derive(Copy, Clone, Debug)]
pub struct ReversibleMoves<const N: usize> {
    /// Moves (from, to) in a ring; the latest `len` before `next` count.
    steps: [[u8; 2]; N],
    next: u8,
    len: u8,
}

impl<const N: usize> Default for ReversibleMoves<N> {
    fn default() -> Self {
        ReversibleMoves { steps: [[0; 2]; N], next: 0, len: 0 }
    }
}

impl<const N: usize> ReversibleMoves<N> {
    /// The number of moves fits into a byte.
    const FITS: () = assert!(N < 256);

    /// The move that came `back` moves before the latest one.
    #[inline]
    fn step(&self, back: usize) -> [u8; 2] {
        self.steps[(usize::from(self.next) + N - 1 - back) % N]
    }

    /// The moves remembered, the latest first.
    #[inline]
    pub(super) fn latest_first(&self) -> impl Iterator<Item = [u8; 2]> {
        (0..usize::from(self.len)).map(|back| self.step(back))
    }

    /// Forgets everything: the position on the board is new.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Remembers a reversible move of one piece; for a pass both cells are the same.
    #[inline]
    pub fn push(&mut self, from: u8, to: u8) {
        const { Self::FITS };
        let next = usize::from(self.next);
        self.steps[next % N] = [from, to];
        self.next = ((next + 1) % N) as u8;
        self.len += u8::from(usize::from(self.len) < N);
    }

    /// How often the position on the board has occurred before with the same player to move, up to 2.
    /// All cells are below `W::BITS`.
    #[inline]
    pub fn recurrences<W: Word>(&self) -> u32 {
        let (mut theirs, mut ours, mut count) = (W::EMPTY, W::EMPTY, 0);
        for back in (1..usize::from(self.len)).step_by(2) {
            theirs = moved(theirs, self.step(back - 1));
            ours = moved(ours, self.step(back));
            if (theirs | ours).is_empty() {
                count += 1;
                if count == 2 {
                    break;
                }
            }
        }
        count
    }

    /// Whether a position other than the present one has occurred twice.
    pub fn has_repeated(&self) -> bool {
        let now = (true, [0; 2]);
        let mut others: Vec<_> = self.earlier().filter(|&earlier| earlier != now).collect();
        others.sort_unstable();
        others.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// The history of the same game seen through a symmetry that takes each cell to its `image`.
    pub fn transformed(&self, image: impl Fn(u32) -> u32) -> Self {
        let mut result = *self;
        for back in 0..usize::from(self.len) {
            let step = &mut result.steps[(usize::from(self.next) + N - 1 - back) % N];
            *step = step.map(|cell| image(u32::from(cell)) as u8);
        }
        result
    }

    /// Every position remembered: who was to move there (the present mover or not), and how each
    /// player's cells differed from now.
    fn earlier(&self) -> impl Iterator<Item = (bool, [u128; 2])> {
        let mut cells = [0; 2];
        self.latest_first().enumerate().map(move |(i, step)| {
            cells[i % 2] = moved(cells[i % 2], step);
            (i % 2 == 1, cells)
        })
    }
}

/// The set after a piece has moved back (or forth): both cells change.
#[inline]
fn moved<W: Word>(set: W, [from, to]: [u8; 2]) -> W {
    set ^ W::bit(u32::from(from)) ^ W::bit(u32::from(to))
}

impl<const N: usize> PartialEq for ReversibleMoves<N> {
    fn eq(&self, other: &Self) -> bool {
        if self.len != other.len {
            return false;
        }
        let sorted = |history: &Self| {
            let mut positions: Vec<_> = history.earlier().collect();
            positions.sort_unstable();
            positions
        };
        self.latest_first().eq(other.latest_first()) || sorted(self) == sorted(other)
    }
}
impl<const N: usize> Eq for ReversibleMoves<N> {}

impl<const N: usize> Hash for ReversibleMoves<N> {
    /// A sum over the positions: their order does not matter.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mixed = |(same, cells): (bool, [u128; 2])| {
            let words = cells.into_iter().flat_map(|set| [set as u64, (set >> 64) as u64]);
            words.fold(u64::from(same), |mut sum, word| {
                sum ^= word;
                splitmix64(&mut sum)
            })
        };
        self.earlier().map(mixed).fold(0, u64::wrapping_add).hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::Rng;
    use std::hash::BuildHasher;

    fn played<const N: usize>(steps: &[[u8; 2]]) -> ReversibleMoves<N> {
        let mut history = ReversibleMoves::default();
        for &[from, to] in steps {
            history.push(from, to);
        }
        history
    }

    /// Two pieces each walk at random; the history agrees with a list of all positions.
    #[test]
    fn agrees_with_a_list_of_positions() {
        let mut rng = Rng::new(1);
        for round in 0..300 {
            let mut sides = [[0, 1], [126, 127]].map(|pieces: [u8; 2]| pieces);
            let key = |sides: &[[u8; 2]; 2], mover: usize| {
                let set = |pieces: [u8; 2]| u128::bit(pieces[0].into()) | u128::bit(pieces[1].into());
                (sides.map(set), mover)
            };
            let mut list = vec![key(&sides, 0)];
            let mut history = ReversibleMoves::<64>::default();
            for ply in 0..60 {
                let mover = ply % 2;
                if round % 3 == 0 && rng.below(4) == 0 {
                    history.push(5, 5);
                } else {
                    let piece = rng.below(2) as usize;
                    let base = 126 * mover as u8;
                    // Three cells for two pieces: much repeats.
                    let to = (0..3).map(|i| if mover == 0 { i } else { base + 1 - i });
                    let free: Vec<u8> = to.filter(|cell| !sides[mover].contains(cell)).collect();
                    history.push(sides[mover][piece], free[0]);
                    sides[mover][piece] = free[0];
                }
                let now = key(&sides, 1 - mover);
                let before = list.iter().filter(|&&earlier| earlier == now).count() as u32;
                assert_eq!(history.recurrences::<u128>(), before.min(2));
                list.push(now);
            }
        }
    }

    /// The same moves in another order may pass through other positions; the same round trips in
    /// another order are the same ones.
    #[test]
    fn equal_when_the_same_positions_occurred() {
        let hash = std::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default();
        let a = played::<16>(&[[0, 1], [8, 9], [1, 0], [9, 8], [0, 1], [8, 9], [1, 0], [9, 8]]);
        let b = a;
        assert_eq!(a, b);
        assert_ne!(a, played(&[[0, 1], [8, 9], [1, 0], [9, 8]]));
        assert_ne!(
            played::<16>(&[[0, 1], [8, 9], [2, 3], [10, 11]]),
            played(&[[2, 3], [8, 9], [0, 1], [10, 11]])
        );
        // Two round trips in either order: the same positions, other moves.
        let trip =
            |x: u8, y: u8| [[x, x + 1], [8, 9], [x + 1, x], [9, 8], [y, y + 1], [8, 9], [y + 1, y], [9, 8]];
        let (there, back) = (played::<16>(&trip(0, 2)), played::<16>(&trip(2, 0)));
        assert_eq!(there, back);
        assert_eq!(hash.hash_one(there), hash.hash_one(back));
    }

    #[test]
    fn forgets_the_oldest() {
        let round = [[0, 1], [8, 9], [1, 0], [9, 8]];
        assert_eq!(played::<16>(&[round, round].concat()).recurrences::<u64>(), 2);
        assert_eq!(played::<4>(&[round, round].concat()).recurrences::<u64>(), 1);
        assert_eq!(played::<3>(&[round, round].concat()).recurrences::<u64>(), 0);
        let mut history = played::<16>(&round);
        history.clear();
        assert_eq!(history.recurrences::<u64>(), 0);
    }

    #[test]
    fn repeated_positions_are_noticed() {
        let round = [[0, 1], [8, 9], [1, 0], [9, 8]];
        let steps = |count: usize| played::<16>(&[round, round].concat()[..count]);
        // Back at the start: it occurs now for the second time, no other position does.
        assert!((0..=4).all(|count| !steps(count).has_repeated()));
        // One move further two positions have occurred twice: the start and the present one.
        assert!((5..=8).all(|count| steps(count).has_repeated()));
        // The same cells with the other player to move are another position.
        assert!(!played::<16>(&[[0, 1], [8, 9], [1, 0], [9, 10], [5, 5], [10, 9]]).has_repeated());
    }

    #[test]
    fn symmetries_apply() {
        let history = played::<8>(&[[0, 1], [8, 9], [1, 0], [9, 8]]);
        let image = history.transformed(|cell| 63 - cell);
        assert_eq!(image, played(&[[63, 62], [55, 54], [62, 63], [54, 55]]));
        assert_eq!(image.recurrences::<u64>(), 1);
    }
}
