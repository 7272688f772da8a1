//! Three evaluation functions, in the spirit of three generations of the program MIA.
//!
//! - [`Evaluator::Mia2000`]: how far the pieces are from their centre of mass. Winands, "Analysis and implementation of
//!   Lines of Action", master's thesis, Maastricht 2000.
//! - [`Evaluator::Mia2002`]: a few more features with weights. Winands et al., "Temporal difference learning and the Neural
//!   MoveMap heuristic in the game of Lines of Action", GAME-ON 2002; Winands, Uiterwijk & van den Herik, "The quad
//!   heuristic in Lines of Action", ICGA Journal 24(1), 2001.
//! - [`Evaluator::Mia2006`]: all nine features of Winands, van den Herik & Uiterwijk, "An evaluation function for Lines of
//!   Action", Advances in Computer Games 10, 2003, which MIA 2006 kept (Winands & van den Herik, "MIA: a world champion LOA
//!   program", GPW 2006).
//!
//! The features are named in these papers; their weights are not printed, and the exact form of some features is our
//! reading. All weights here were set by hand. Searching two plies from the start after four random moves, 400 games a
//! pair with colours swapped, Mia2002 scored 66 % against Mia2000, and Mia2006 68 % against Mia2002 and 78 % against
//! Mia2000. In these games whoever had 1000 points of Mia2006 ahead won nine times in ten.

use super::Board;
use super::lines::Lines;
use crate::board::Word;
use crate::board::text::MAX_CELLS;
use proofplay_core::{Player, Position};

/// An evaluation function.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Evaluator {
    /// Distance to the centre of mass.
    Mia2000,
    /// Also centralisation, quads, mobility and the side to move.
    Mia2002,
    /// Also the place of the centre of mass, walls, connectedness and uniformity.
    #[default]
    Mia2006,
}

/// What one player has, feature by feature: larger is better.
#[derive(Copy, Clone, PartialEq, Debug)]
struct Features {
    /// 1 when the pieces are as near to their centre of mass as so many can be; falls with the average surplus distance.
    concentration: f32,
    /// The average worth of the cells the pieces stand on.
    centralisation: f32,
    /// The ring of the centre of mass, counted from the rim.
    centre_position: f32,
    /// 2x2 squares with three or four own pieces, all at most two steps from the centre of mass: such formations are hard
    /// to break up by a single capture.
    quads: f32,
    /// Moves: a capture counts twice, a move to the rim half.
    mobility: f32,
    /// Enemy pieces on the rim that have no move away from it.
    walls: f32,
    /// The average number of own neighbours of a piece.
    connectedness: f32,
    /// The part of the board outside of the smallest rectangle around the pieces.
    uniformity: f32,
}

/// What a feature is worth in points.
struct Weights {
    features: Features,
    to_move: f32,
}

/// Points that are worth a value of a half; see [`Evaluator::value`].
const HALF_WON: f32 = 1000.0;

/// Of cells by ring: corner, rim, and inwards. Untuned.
const CELL_WORTH: [f32; 5] = [-80.0, -20.0, 10.0, 25.0, 50.0];

const NOTHING: Features = Features {
    concentration: 0.0,
    centralisation: 0.0,
    centre_position: 0.0,
    quads: 0.0,
    mobility: 0.0,
    walls: 0.0,
    connectedness: 0.0,
    uniformity: 0.0,
};

impl Evaluator {
    /// All, the weakest first.
    pub const ALL: [Evaluator; 3] = [Evaluator::Mia2000, Evaluator::Mia2002, Evaluator::Mia2006];

    /// What it is called in parameters: the year of its model.
    pub fn year(self) -> &'static str {
        match self {
            Evaluator::Mia2000 => "2000",
            Evaluator::Mia2002 => "2002",
            Evaluator::Mia2006 => "2006",
        }
    }

    /// The one of a year.
    pub fn of_year(year: &str) -> Option<Evaluator> {
        Evaluator::ALL.into_iter().find(|evaluator| evaluator.year() == year)
    }

    /// Set by hand.
    const fn weights(self) -> Weights {
        match self {
            Evaluator::Mia2000 => {
                Weights { features: Features { concentration: 2500.0, ..NOTHING }, to_move: 0.0 }
            }
            Evaluator::Mia2002 => Weights {
                features: Features {
                    concentration: 2000.0,
                    centralisation: 4.0,
                    quads: 40.0,
                    mobility: 6.0,
                    ..NOTHING
                },
                to_move: 20.0,
            },
            Evaluator::Mia2006 => Weights {
                features: Features {
                    concentration: 2000.0,
                    centralisation: 2.0,
                    centre_position: 10.0,
                    quads: 40.0,
                    mobility: 25.0,
                    walls: 25.0,
                    connectedness: 100.0,
                    uniformity: 100.0,
                },
                to_move: 20.0,
            },
        }
    }

    /// The worth of a position that is not over in points, in the view of `First`.
    pub fn points<W: Word>(self, pos: &Board<W>) -> f32 {
        let weights = self.weights();
        let worth = |player| self.features(pos, player).dot(&weights.features);
        let to_move = if pos.turn() == Player::First { weights.to_move } else { -weights.to_move };
        worth(Player::First) - worth(Player::Second) + to_move
    }

    /// The worth of a position in [-1, 1], in the view of `First`: the outcome once the game is over, else
    /// p / (1000 + |p|) for p points. So 1000 points are a value of 0.5.
    pub fn value<W: Word>(self, pos: &Board<W>) -> f32 {
        match pos.outcome() {
            Some(score) => f32::from(score.0),
            None => {
                let points = self.points(pos);
                points / (HALF_WON + points.abs())
            }
        }
    }

    /// The features of a player, as far as this function asks for them.
    fn features<W: Word>(self, pos: &Board<W>, player: Player) -> Features {
        let (lines, own, enemy) = (&*pos.lines, pos.pieces(player), pos.pieces(!player));
        let centre = lines.centre_of_mass(own);
        let mut features = Features { concentration: lines.concentration(own, centre), ..NOTHING };
        if self != Evaluator::Mia2000 {
            features.centralisation = lines.centralisation(own);
            features.quads = lines.quads(own, centre);
            features.mobility = lines.mobility(own, enemy);
        }
        if self == Evaluator::Mia2006 {
            features.centre_position = f32::from(lines.ring(centre));
            features.walls = lines.walled(enemy, own) as f32;
            features.connectedness = lines.connectedness(own);
            features.uniformity = lines.uniformity(own);
        }
        features
    }
}

impl Features {
    fn dot(&self, weights: &Features) -> f32 {
        self.concentration * weights.concentration
            + self.centralisation * weights.centralisation
            + self.centre_position * weights.centre_position
            + self.quads * weights.quads
            + self.mobility * weights.mobility
            + self.walls * weights.walls
            + self.connectedness * weights.connectedness
            + self.uniformity * weights.uniformity
    }
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

    /// The least sum of distances is that of a full block: one piece at 0, eight at 1, sixteen at 2, …
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
        let worth = |cell| CELL_WORTH[usize::from(self.ring(cell)).min(CELL_WORTH.len() - 1)];
        own.cells().map(worth).sum::<f32>() / own.count() as f32
    }

    fn quads(&self, own: W, centre: u32) -> f32 {
        let (right, above) = (self.grid.left(own), self.grid.down(own));
        let beyond = self.grid.left(above);
        // A bit stands for the square of which it is the lower left cell.
        let full = (own & right & (above | beyond)) | (above & beyond & (own | right));
        (full & self.squares_near[centre as usize % MAX_CELLS as usize]).count() as f32
    }

    fn mobility(&self, own: W, enemy: W) -> f32 {
        let worth = |(_, to): (u32, u32)| {
            let worth = if enemy.has(to) { 2.0 } else { 1.0 };
            if self.ring(to) <= 1 { worth / 2.0 } else { worth }
        };
        self.all_targets(own, enemy).map(worth).sum()
    }

    /// How many pieces of `own` stand on the rim and have no move away from it.
    fn walled(&self, own: W, enemy: W) -> u32 {
        let kept = |&from: &u32| {
            let inside = |to: u32| self.ring(to) > 1;
            self.ring(from) <= 1 && !(0..8).any(|d| self.target(own, enemy, from, d).is_some_and(inside))
        };
        own.cells().filter(kept).count() as u32
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

    /// Exchanging the colours and the side to move turns the sign; symmetries change nothing.
    #[test]
    fn fair_to_both() {
        let pos = at("..b...../.b.w..../..bw.w../...bw.../..b...w./..w...../......b./........ w");
        let exchanged = at("..w...../.w.b..../..wb.b../...wb.../..w...b./..b...../......w./........ b");
        for evaluator in Evaluator::ALL {
            let points = evaluator.points(&pos);
            assert!((points + evaluator.points(&exchanged)).abs() < 1e-3);
            assert!((evaluator.value(&pos) + evaluator.value(&exchanged)).abs() < 1e-6);
            // The centre of mass is rounded up, so mirrors may differ; transposing does not.
            assert!((points - evaluator.points(&pos.transformed(4))).abs() < 1e-3);
        }
    }

    /// B nearly together against scattered W.
    #[test]
    fn prefers_the_nearer_win() {
        let pos = at("w......w/......../...bb.../..bbb.../...b..../.....b../......../w..w...w b");
        for evaluator in Evaluator::ALL {
            assert!(evaluator.points(&pos) > 1000.0, "{evaluator:?} {}", evaluator.points(&pos));
            assert!(evaluator.value(&pos) > 0.5);
        }
        // A finished game has its score.
        let over = at("......../......../...bb.../...b..../......../......../......../w......w w");
        assert_eq!(Evaluator::ALL.map(|evaluator| evaluator.value(&over)), [1.0; 3]);
    }

    /// B: a block of three on d4, e4, d5 and one piece on h4; the centre of mass is e4 (d+e+d+h)/4 = 5, (4+4+5+4)/4 = 4 1/4.
    #[test]
    fn features_by_hand() {
        let pos = at("......../......../......../...b..../...bb..b/......../w......./.w.....w b");
        let own = Evaluator::Mia2006.features(&pos, Player::First);
        // Distances 1, 0, 1, 3 against 0, 1, 1, 1.
        assert_eq!(own.concentration, 1.0 / (1.0 + 2.0 / 4.0));
        assert_eq!(own.centralisation, (50.0 + 50.0 + 50.0 - 20.0) / 4.0);
        assert_eq!(own.centre_position, 4.0);
        assert_eq!(own.quads, 1.0);
        assert_eq!(own.connectedness, 6.0 / 4.0);
        assert_eq!(own.uniformity, 1.0 - 10.0 / 64.0);
        assert_eq!(own.walls, 0.0);
    }

    /// W on a1 cannot leave the rim: two pieces on every line, an enemy next to it on the diagonal, and c1 stays there.
    #[test]
    fn walls_by_hand() {
        let pos = at("......../......../......../......../......../......../.b....b./w....... b");
        let lines = &pos.lines;
        assert_eq!(lines.walled(pos.pieces(Player::Second), pos.pieces(Player::First)), 1);
        assert_eq!(lines.walled(pos.pieces(Player::First), pos.pieces(Player::Second)), 0);
    }
}
