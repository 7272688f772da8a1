//! The numbers of all ways to place the pieces.
//!
//! Every position is seen from player 1 as the mover: with player 2 to move the star is turned round and the players are exchanged.
//! Left and right are alike, too: of both images the one with the smaller number counts. With p pieces each on n cells, a position
//! has the number
//!
//! ```text
//! own * C(n - p, p) + theirs
//! ```
//!
//! where the pieces of each are numbered among the subsets of their cells.

use super::star::{Star, StarWord};
use super::{Board, ReversibleMoves};
use crate::board::{CHOOSE, Interned, Word};
use proofplay_core::{Numbering, Place, Player};

/// All placements on a star of at most 64 cells.
#[derive(Debug)]
pub(super) struct AllPlacements<W: StarWord> {
    star: Interned<Star<W>>,
    sample: Board<W>,
    pieces: u32,
    /// The numbers of all cells, as a set.
    cells: u64,
}

impl<W: StarWord> AllPlacements<W> {
    /// `None` if the numbers do not fit.
    pub fn new(sample: Board<W>) -> Option<Self> {
        let star = sample.star;
        let (cells, pieces) = (star.cells(), star.targets[0].count());
        let cells = (cells < 64).then(|| (1 << cells) - 1)?;
        let set = AllPlacements { star, sample, pieces, cells };
        (set.size() < u64::from(u32::MAX)).then_some(set)
    }

    fn size(&self) -> u64 {
        let n = self.cells.count();
        CHOOSE.count(n, self.pieces) * CHOOSE.count(n - self.pieces, self.pieces)
    }

    fn number(&self, own: u64, theirs: u64) -> u32 {
        let rest = CHOOSE.count(self.cells.count() - self.pieces, self.pieces);
        (CHOOSE.number(own, self.cells) * rest + CHOOSE.number(theirs, self.cells & !own)) as u32
    }

    fn set(&self, pieces: W, image: impl Fn(u32) -> u32) -> u64 {
        self.star.numbers(pieces).fold(0, |set, number| set | 1 << image(number))
    }
}

impl<W: StarWord> Numbering<Board<W>> for AllPlacements<W> {
    fn parts(&self) -> Vec<u64> {
        vec![self.size()]
    }

    fn find(&self, pos: &Board<W>) -> Option<Place> {
        let [own, theirs] = match pos.mover {
            Player::First => pos.pieces,
            Player::Second => [pos.pieces[1], pos.pieces[0]],
        };
        // Cells are numbered row by row, so turned round the numbers count down.
        let last = self.star.cells() - 1;
        let turn = |number| if pos.mover == Player::First { number } else { last - number };
        let plain = self.number(self.set(own, turn), self.set(theirs, turn));
        let mirror = |number| turn(self.star.mirrored(number));
        let mirrored = self.number(self.set(own, mirror), self.set(theirs, mirror));
        Some(Place { part: 0, index: plain.min(mirrored) })
    }

    fn position(&self, Place { part, index }: Place) -> Option<Board<W>> {
        if part != 0 || u64::from(index) >= self.size() {
            return None;
        }
        let rest = CHOOSE.count(self.cells.count() - self.pieces, self.pieces);
        let own = CHOOSE.subset(u64::from(index) / rest, self.pieces, self.cells);
        let theirs = CHOOSE.subset(u64::from(index) % rest, self.pieces, self.cells & !own);
        let bits = |set: u64| set.cells().fold(W::EMPTY, |set, number| set | W::bit(self.star.bit(number)));
        Some(Board {
            pieces: [own, theirs].map(bits),
            mover: Player::First,
            end: None,
            history: ReversibleMoves::default(),
            ..self.sample
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ChineseCheckers, Setup};
    use super::*;
    use crate::board::numbered;
    use proofplay_core::{Game, Position, Rng};

    #[test]
    fn numbers_agree_with_the_rules() {
        let mut rng = Rng::new(1);
        for side in [1, 2] {
            let game = ChineseCheckers::<u64>::new(Setup { side });
            let set = AllPlacements::new(game.start()).unwrap();
            assert_eq!(set.parts(), [[13 * 12, 46_495_680][side as usize - 1]]);
            numbered::check(&set, 2_000, &mut rng);
            for _ in 0..20 {
                let mut pos = game.start();
                while pos.outcome().is_none() {
                    numbered::check_alike(&set, &pos, set.find(&pos).unwrap());
                    let mv = pos.random_move(&mut rng, &mut Vec::new());
                    pos.play(mv);
                }
            }
        }
        assert!(AllPlacements::new(ChineseCheckers::<u128>::new(Setup { side: 3 }).start()).is_none());
    }
}
