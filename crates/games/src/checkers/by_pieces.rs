//! The numbers of all positions with up to so many pieces.
//!
//! Every position is seen from its mover: with Second to move the board is turned round and the colours are exchanged. Then a
//! *slice* is all positions with the same numbers of own men, own kings, enemy men and enemy kings. A move without capture and
//! crowning leads to the slice with own and enemy exchanged; these two are a part. Captures and crownings lead to parts with fewer
//! pieces, or with as many and fewer men, which come earlier. Within its slice a position has the number
//!
//! ```text
//! ((men * E + enemy men) * K + kings) * L + enemy kings
//! ```
//!
//! where each set is numbered among the subsets of its squares: men among those where men can be, own kings among the squares that
//! are left, enemy kings among the rest. Numbers with a man of both players on a square stand for nothing.

use super::Board;
use super::squares::Squares;
use super::{Checkers, MOST_KING_MOVES, ReversibleMoves};
use crate::board::{CHOOSE, Interned, Word};
use proofplay_core::{Game, Numbering, Place, Player};

/// Own men, own kings, enemy men, enemy kings.
type Counts = [u32; 4];

/// Positions with the same counts.
#[derive(Copy, Clone, Debug)]
struct Slice {
    counts: Counts,
    /// How many subsets of squares there are for each.
    sizes: [u64; 4],
    part: u32,
    /// Its first number in the part.
    first: u64,
}

impl Slice {
    fn size(&self) -> u64 {
        self.sizes.iter().product()
    }
}

/// All positions with up to so many pieces, at least one each.
#[derive(Debug)]
pub(super) struct ByPieces {
    squares: Interned<Squares>,
    /// A position of the game.
    sample: Board,
    /// Part by part.
    slices: Vec<Slice>,
    /// By counts, each below 16: the slice.
    slice_of: Vec<Option<u16>>,
    parts: Vec<u64>,
    /// Where own men and enemy men can be.
    men: [u64; 2],
}

fn code([men, kings, enemy_men, enemy_kings]: Counts) -> usize {
    (men << 12 | kings << 8 | enemy_men << 4 | enemy_kings) as usize
}

impl ByPieces {
    /// The most pieces.
    pub const MOST: u32 = 6;

    pub fn new(game: &Checkers, pieces: u32) -> ByPieces {
        let sample = game.start();
        let squares = sample.squares;
        let men = squares.crowning.map(|crowning| squares.board & !crowning);
        let mut counts: Vec<Counts> = Vec::new();
        for [own, enemy] in (1..pieces).flat_map(|own| (1..=pieces - own).map(move |enemy| [own, enemy])) {
            counts.extend((0..=own).flat_map(|men| (0..=enemy).map(move |e| [men, own - men, e, enemy - e])));
        }
        // Fewer pieces first, then fewer men; slices that moves connect beside each other.
        let turned = |[a, b, c, d]: Counts| [c, d, a, b];
        counts.sort_by_key(|&c| {
            let pair = c.min(turned(c));
            (c.iter().sum::<u32>(), c[0] + c[2], pair, c)
        });
        let (mut slices, mut slice_of, mut parts) = (Vec::<Slice>::new(), vec![None; 1 << 16], Vec::new());
        for counts in counts {
            let [own_men, own_kings, enemy_men, enemy_kings] = counts;
            let left = squares.board.count() - own_men - enemy_men;
            let sizes = [
                CHOOSE.count(men[0].count(), own_men),
                CHOOSE.count(men[1].count(), enemy_men),
                CHOOSE.count(left, own_kings),
                CHOOSE.count(left - own_kings, enemy_kings),
            ];
            if slices.last().is_none_or(|last| last.counts != turned(counts)) {
                parts.push(0);
            }
            let part = parts.len() as u32 - 1;
            let slice = Slice { counts, sizes, part, first: parts[part as usize] };
            parts[part as usize] += slice.size();
            slice_of[code(counts)] = Some(slices.len() as u16);
            slices.push(slice);
        }
        ByPieces { squares, sample, slices, slice_of, parts, men }
    }

    /// The largest set of pieces whose numbers fit.
    pub fn fits(&self) -> bool {
        self.parts.iter().all(|&size| size < u64::from(u32::MAX))
    }

    /// The board turned round.
    fn turned(&self, set: u64) -> u64 {
        set.cells().fold(0, |image, square| image | 1 << self.squares.opposite(square))
    }
}

impl Numbering<Board> for ByPieces {
    fn parts(&self) -> Vec<u64> {
        self.parts.clone()
    }

    fn find(&self, pos: &Board) -> Option<Place> {
        if (pos.pieces[0] | pos.pieces[1]).count() > Self::MOST {
            return None;
        }
        let (mut own, mut enemy, mut kings) = (pos.own(), pos.enemy(), pos.kings);
        if pos.mover == Player::Second {
            (own, enemy, kings) = (self.turned(own), self.turned(enemy), self.turned(kings));
        }
        let sets = [own & !kings, own & kings, enemy & !kings, enemy & kings];
        let slice = &self.slices[usize::from(self.slice_of[code(sets.map(Word::count))]?)];
        let free = self.squares.board & !sets[0] & !sets[2];
        let numbers = [
            CHOOSE.number(sets[0], self.men[0]),
            CHOOSE.number(sets[2], self.men[1]),
            CHOOSE.number(sets[1], free),
            CHOOSE.number(sets[3], free & !sets[1]),
        ];
        let within = numbers.into_iter().zip(slice.sizes).fold(0, |sum, (number, size)| sum * size + number);
        Some(Place { part: slice.part, index: (slice.first + within) as u32 })
    }

    fn position(&self, Place { part, index }: Place) -> Option<Board> {
        let at = self.slices.partition_point(|slice| (slice.part, slice.first) <= (part, index.into()));
        let slice = self.slices[..at].last().filter(|slice| slice.part == part)?;
        let mut within = u64::from(index) - slice.first;
        if within >= slice.size() {
            return None;
        }
        let mut numbers = [0; 4];
        for (number, size) in numbers.iter_mut().zip(slice.sizes).rev() {
            (*number, within) = (within % size, within / size);
        }
        let [own_men, own_kings, enemy_men, enemy_kings] = slice.counts;
        let men = CHOOSE.subset(numbers[0], own_men, self.men[0]);
        let theirs = CHOOSE.subset(numbers[1], enemy_men, self.men[1]);
        if men & theirs != 0 {
            return None;
        }
        let free = self.squares.board & !men & !theirs;
        let kings = CHOOSE.subset(numbers[2], own_kings, free);
        let their_kings = CHOOSE.subset(numbers[3], enemy_kings, free & !kings);
        Some(Board {
            pieces: [men | kings, theirs | their_kings],
            kings: kings | their_kings,
            mover: Player::First,
            king_moves: 0,
            repeated: false,
            history: ReversibleMoves::default(),
            ..self.sample
        })
    }

    fn room(&self, pos: &Board) -> Option<u32> {
        pos.limited.then(|| u32::from(MOST_KING_MOVES - pos.king_moves))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Setup;
    use super::*;
    use crate::board::numbered;
    use proofplay_core::{Position, Rng};

    /// With the positions of one player alone they are as many as published: Schaeffer et al., "Checkers is solved", 2007.
    #[test]
    fn there_are_as_many_as_published() {
        let game = Checkers::new(Setup::parse("8x8,draw=none").unwrap());
        let set = ByPieces::new(&game, 3);
        let count = |(part, size): (u32, u64)| {
            (0..size as u32).filter(|&index| set.position(Place { part, index }).is_some()).count() as u64
        };
        let found: u64 = (0..).zip(set.parts()).map(count).sum();
        let alone = |pieces| -> u64 {
            (0..=pieces).map(|men| CHOOSE.count(28, men) * CHOOSE.count(32 - men, pieces - men)).sum()
        };
        let alone: u64 = (1..=3).map(|pieces| 2 * alone(pieces)).sum();
        assert_eq!(found + alone, 120 + 6_972 + 261_224);
    }

    #[test]
    fn numbers_agree_with_the_rules() {
        let mut rng = Rng::new(1);
        for parameters in ["4x4,draw=none", "5x5", "6x6,draw=none", "8x8"] {
            let game = Checkers::new(Setup::parse(parameters).unwrap());
            let set = ByPieces::new(&game, 4);
            numbered::check(&set, 2_000, &mut rng);
            // In play, with either mover.
            let mut found = 0;
            for _ in 0..100 {
                let mut pos = game.start();
                while pos.outcome().is_none() {
                    if let Some(place) = set.find(&pos) {
                        numbered::check_alike(&set, &pos, place);
                        assert_eq!(set.room(&pos).is_some(), pos.limited);
                        found += 1;
                    }
                    let mv = pos.random_move(&mut rng, &mut Vec::new());
                    pos.play(mv);
                }
            }
            assert!(found > 100, "{parameters}: {found}");
        }
    }
}
