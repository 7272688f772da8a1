//! Steps and single hops, drawn by trying.
//!
//! A piece and a direction are a try. It is a move if the neighbour is empty, or taken with an
//! empty cell behind it.

use super::star::{DIRECTIONS, Star, StarWord, moved};

/// No cell of any star, always taken.
pub(super) const NOWHERE: u8 = 255;

/// By number of a cell and by direction: the neighbour and the cell behind it, where a piece may go
/// there.
type Goals = [[[u8; 2]; 8]; 256];

/// More tries are seldom needed.
const FEW: usize = 16;

/// More than all pairs of a piece and a goal of its class.
const CHAINS: usize = 512;

/// What does not change.
pub(super) struct Singles {
    /// By player: pieces in their target arm stay there.
    goals: [Goals; 2],
    /// [`chance`] by the number of chains and of tries.
    chances: [[u64; FEW]; CHAINS],
}

/// The cells by number, 1 if taken.
pub(super) struct Taken([u8; 256]);

impl Singles {
    pub const fn none() -> Singles {
        Singles { goals: [[[[NOWHERE; 2]; 8]; 256]; 2], chances: [[0; FEW]; CHAINS] }
    }

    pub fn new<W: StarWord>(star: &Star<W>) -> Singles {
        let mut singles = Singles::none();
        for (target, goals) in star.targets.into_iter().zip(&mut singles.goals) {
            for bit in star.board.cells() {
                let allowed = if target.has(bit) { target } else { star.board };
                for d in DIRECTIONS {
                    let near = moved(W::bit(bit), d, 1) & star.board;
                    let number = |set: W| set.cells().next().map_or(NOWHERE, |bit| star.number(bit) as u8);
                    let goal = [near, moved(near, d, 1)].map(|set| number(set & allowed));
                    goals[star.number(bit) as usize][d] = goal;
                }
            }
        }
        for (chains, chances) in (0..).zip(&mut singles.chances) {
            (0..).zip(chances).for_each(|(tries, entry)| *entry = chance::<W>(chains, tries));
        }
        singles
    }

    /// Whether, by 64 random bits, one of `chains` chains is drawn before the last of `tries`
    /// tries.
    #[inline(always)]
    pub fn is_chain<W: StarWord>(&self, lot: u64, chains: u32, tries: usize) -> bool {
        let chance = if tries < FEW {
            self.chances[chains as usize % CHAINS][tries]
        } else {
            chance::<W>(chains, tries)
        };
        lot >> 1 < chance
    }

    /// Where a piece of a player gets in a direction, and 0 if that is a move, 1 if not.
    #[inline(always)]
    pub fn attempt(&self, taken: &Taken, player: usize, from: u8, d: usize) -> (u8, u8) {
        let [near, behind] = self.goals[player & 1][usize::from(from)][d & 7];
        let (near_taken, behind_taken) = (taken.0[usize::from(near)], taken.0[usize::from(behind)]);
        let by_hop = near_taken.wrapping_neg();
        (near & !by_hop | behind & by_hop, near_taken & behind_taken)
    }
}

/// The chance that one of `chains` chains is drawn before the last of `tries` tries, in parts of
/// 2^63. A chain is as likely as a piece and a direction.
#[cold]
fn chance<W: StarWord>(chains: u32, tries: usize) -> u64 {
    let all = 6 * W::PIECES as u32;
    let no_chain = (u128::from(all) << 63) / u128::from(all + chains);
    let none = (0..tries).fold(1 << 63, |none, _| (none * no_chain) >> 63);
    (1 << 63) - none as u64
}

impl Taken {
    /// With these cells taken, given by number.
    pub fn new(cells: impl Iterator<Item = u32>) -> Taken {
        let mut taken = Taken([0; 256]);
        taken.0[usize::from(NOWHERE)] = 1;
        cells.for_each(|cell| taken.0[cell as usize] = 1);
        taken
    }

    /// A piece moves.
    #[inline]
    pub fn play(&mut self, from: u8, to: u8) {
        self.0[usize::from(from)] = 0;
        self.0[usize::from(to)] = 1;
    }
}
