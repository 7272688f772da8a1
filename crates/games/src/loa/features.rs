//! What evaluation functions look at: the features of the program MIA.
//!
//! Their names and what they stand for are from Winands, van den Herik & Uiterwijk, "An evaluation
//! function for Lines of Action", Advances in Computer Games 10, 2003 \[WHU03\], and Winands,
//! "Informed Search in Complex Games", 2004 \[Win04\]. How each is put into a number here is our
//! reading.

use super::Board;
use super::lines::Lines;
use crate::board::Word;
use crate::board::text::MAX_CELLS;
use proofplay_core::{Player, Position};

/// How many features there are.
pub(super) const FEATURES: usize = 9;

/// A number for each feature.
pub type PerFeature = [f32; FEATURES];

/// What a feature measures; larger is better for the player.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Feature {
    /// 1 when the pieces are as near to their centre of mass as their number allows; falls with the
    /// average surplus distance.
    Concentration,
    /// The average ring of the pieces: 0 in a corner, 1 on the rim, more further in.
    Centralisation,
    /// The ring of the centre of mass: a player in the middle of the board is hard to separate.
    CentreOfMass,
    /// 2x2 squares with three or four own pieces, all at most two steps from the centre of mass: a
    /// single capture does not break them up.
    Quads,
    /// The average number of moves of a piece: a capture counts twice, a move to the rim half.
    Mobility,
    /// Enemy pieces on the rim that have no move away from it.
    Walls,
    /// The average number of own neighbours of a piece.
    Connectedness,
    /// The part of the board outside of the smallest rectangle around the pieces.
    Uniformity,
    /// 1 for the player to move, 0 for the other.
    ToMove,
}

impl Feature {
    /// All of them, in the order of [`PerFeature`].
    pub const ALL: [Feature; FEATURES] = [
        Feature::Concentration,
        Feature::Centralisation,
        Feature::CentreOfMass,
        Feature::Quads,
        Feature::Mobility,
        Feature::Walls,
        Feature::Connectedness,
        Feature::Uniformity,
        Feature::ToMove,
    ];

    /// What `First` has more than `Second` of each feature that is `wanted`; 0 of the others.
    pub fn lead<W: Word>(pos: &Board<W>, wanted: impl Fn(Feature) -> bool) -> PerFeature {
        let (lines, [first, second]) = (&*pos.lines, pos.pieces);
        let centres = pos.pieces.map(|pieces| lines.centre_of_mass(pieces));
        let moves = if wanted(Feature::Mobility) || wanted(Feature::Walls) {
            let counts = lines.counts(first | second);
            [lines.moves_of(first, second, counts), lines.moves_of(second, first, counts)]
        } else {
            Default::default()
        };
        Feature::ALL.map(|feature| {
            if !wanted(feature) {
                return 0.0;
            }
            let of = |player: Player| feature.of(pos, player, centres[player.index()], &moves);
            of(Player::First) - of(Player::Second)
        })
    }

    /// The feature of a player, given their centre of mass and the moves of both players.
    #[inline]
    fn of<W: Word>(self, pos: &Board<W>, player: Player, centre: u32, moves: &[Moves; 2]) -> f32 {
        let (lines, own) = (&*pos.lines, pos.pieces(player));
        match self {
            Feature::Concentration => lines.concentration(own, centre),
            Feature::Centralisation => lines.centralisation(own),
            Feature::CentreOfMass => f32::from(lines.ring(centre)),
            Feature::Quads => lines.quads(own, centre),
            Feature::Mobility => moves[player.index()].mobility,
            Feature::Walls => moves[(!player).index()].walled,
            Feature::Connectedness => lines.connectedness(own),
            Feature::Uniformity => lines.uniformity(own),
            Feature::ToMove => f32::from(u8::from(pos.turn() == player)),
        }
    }
}

/// What the moves of a player say.
#[derive(Copy, Clone, Default)]
struct Moves {
    mobility: f32,
    /// How many own pieces stand on the rim and have no move away from it.
    walled: f32,
}

/// King's steps from one cell to another.
#[inline]
pub(super) fn king_steps(size: u32, a: u32, b: u32) -> i32 {
    (a % size).abs_diff(b % size).max((a / size).abs_diff(b / size)) as i32
}

impl<W: Word> Lines<W> {
    /// The cell nearest to the mean of the pieces, halves rounded up.
    pub fn centre_of_mass(&self, own: W) -> u32 {
        let size = self.grid.cols;
        let (count, mut c, mut r) = (own.count(), 0, 0);
        for cell in own.cells() {
            c += cell % size;
            r += cell / size;
        }
        let mean = |sum: u32| (2 * sum + count) / (2 * count);
        self.grid.cell(mean(c), mean(r))
    }

    fn ring(&self, cell: u32) -> u8 {
        self.rings[cell as usize % MAX_CELLS as usize]
    }

    /// The least sum of distances is that of a full block: one piece at 0, eight at 1, sixteen at
    /// 2, …
    fn concentration(&self, own: W, centre: u32) -> f32 {
        let sum: i32 = own.cells().map(|cell| king_steps(self.grid.cols, cell, centre)).sum();
        let (mut left, mut least) = (own.count() as i32 - 1, 0);
        for distance in 1.. {
            let here = left.min(8 * distance);
            least += here * distance;
            left -= here;
            if left == 0 {
                break;
            }
        }
        1.0 / (1.0 + (sum - least) as f32 / own.count() as f32)
    }

    fn centralisation(&self, own: W) -> f32 {
        let rings: u32 = own.cells().map(|cell| u32::from(self.ring(cell))).sum();
        rings as f32 / own.count() as f32
    }

    fn quads(&self, own: W, centre: u32) -> f32 {
        let (right, above) = (self.grid.left(own), self.grid.down(own));
        let beyond = self.grid.left(above);
        // A bit stands for the square of which it is the lower left cell.
        let full = (own & right & (above | beyond)) | (above & beyond & (own | right));
        (full & self.squares_near[centre as usize % MAX_CELLS as usize]).count() as f32
    }

    /// `counts` are those of the pieces of both.
    fn moves_of(&self, own: W, enemy: W, counts: [u8; 256]) -> Moves {
        let (mut halves, mut free) = (0, W::EMPTY);
        for (from, to) in self.all_targets(own, enemy, counts) {
            let worth = if enemy.has(to) { 2 } else { 1 };
            if self.ring(to) > 1 {
                halves += 2 * worth;
                free = free | W::bit(from);
            } else {
                halves += worth;
            }
        }
        let walled = (own & !free).cells().filter(|&cell| self.ring(cell) <= 1).count();
        Moves { mobility: halves as f32 / 2.0 / own.count() as f32, walled: walled as f32 }
    }

    fn connectedness(&self, own: W) -> f32 {
        let grid = &self.grid;
        let (right, above) = (grid.left(own), grid.down(own));
        let pairs =
            [right, above, grid.left(above), grid.right(above)].map(|shifted| (own & shifted).count());
        2.0 * pairs.iter().sum::<u32>() as f32 / own.count() as f32
    }

    fn uniformity(&self, own: W) -> f32 {
        let size = self.grid.cols;
        let extent = |place: &dyn Fn(u32) -> u32| {
            let (low, high) =
                own.cells().map(place).fold((size, 0), |(low, high), i| (low.min(i), high.max(i)));
            high + 1 - low
        };
        let area = extent(&|cell| cell % size) * extent(&|cell| cell / size);
        1.0 - area as f32 / (size * size) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loa::{Loa, Setup};
    use proofplay_core::Game;

    fn at(text: &str) -> Board<u64> {
        Loa::<u64>::new(Setup::default()).parse(text).unwrap()
    }

    fn both_moves(pos: &Board<u64>) -> [Moves; 2] {
        let [first, second] = pos.pieces;
        let counts = pos.lines.counts(first | second);
        [pos.lines.moves_of(first, second, counts), pos.lines.moves_of(second, first, counts)]
    }

    /// B: a block of three on d4, e4, d5 and one piece on h4; the centre of mass is e4 (d+e+d+h)/4 =
    /// 5, (4+4+5+4)/4 = 4 1/4.
    #[test]
    fn by_hand() {
        let pos = at("......../......../......../...b..../...bb..b/......../w......./.w.....w b");
        let centre = pos.lines.centre_of_mass(pos.pieces(Player::First));
        let of = |feature: Feature| feature.of(&pos, Player::First, centre, &both_moves(&pos));
        // Distances 1, 0, 1, 3 against 0, 1, 1, 1.
        assert_eq!(of(Feature::Concentration), 1.0 / (1.0 + 2.0 / 4.0));
        assert_eq!(of(Feature::Centralisation), (4 + 4 + 4 + 1) as f32 / 4.0);
        assert_eq!(of(Feature::CentreOfMass), 4.0);
        assert_eq!(of(Feature::Quads), 1.0);
        assert_eq!(of(Feature::Connectedness), 6.0 / 4.0);
        assert_eq!(of(Feature::Uniformity), 1.0 - 10.0 / 64.0);
        assert_eq!((of(Feature::Walls), of(Feature::ToMove)), (0.0, 1.0));
    }

    /// d4 has one other piece on three of its lines: two cells to b2 and f6, to d2 and the capture
    /// on d6, to f2 and the capture on b6; its row is its own: c4, e4. a1 goes two cells along the
    /// diagonal to c3, and one along the rim to b1 and a2.
    #[test]
    fn mobility_by_hand() {
        let pos = at("......../......../.w.w..../......../...b..../......../......../b....... b");
        let d4 = (1.0 + 1.0) + (1.0 + 2.0) + (1.0 + 2.0) + (1.0 + 1.0);
        let a1 = 1.0 + 0.5 + 0.5;
        assert_eq!(both_moves(&pos)[0].mobility, (d4 + a1) / 2.0);
    }

    /// W on a1 cannot leave the rim: two pieces on every line, an enemy next to it on the diagonal,
    /// and c1 stays there.
    #[test]
    fn walls_by_hand() {
        let pos = at("......../......../......../......../......../......../.b....b./w....... b");
        assert_eq!(both_moves(&pos).map(|moves| moves.walled), [0.0, 1.0]);
    }
}
