//! What is certain and what is guessed about dominoes.

use super::{Board, Domino, count, safety};
use crate::board::Word;
use proofplay_core::{Bounds, Facts, Hints, Player, Position, Score};

/// Facts by safe dominoes.
#[derive(Copy, Clone, Debug)]
pub struct SafeDominoes;

impl<W: Word> Facts<Board<W>> for SafeDominoes {
    /// Decided as soon as one side has more moves for certain than the other can ever make, now or
    /// after the mover's move.
    #[inline]
    fn bounds(&self, pos: &Board<W>) -> Bounds {
        safety::winner(pos).map_or(pos.range(), |winner| Bounds::exact(Score::win_of(winner)))
    }

    /// Leaves out moves that another one dominates.
    #[inline]
    fn enough(&self, pos: &Board<W>, out: &mut Vec<Domino>) -> Bounds {
        let bounds = self.bounds(pos);
        if !bounds.is_exact() {
            let moves = pos.dominoes() & !safety::dominated(pos);
            out.extend(moves.cells().map(|cell| cell as Domino));
        }
        bounds
    }

    fn counts(&self) -> bool {
        true
    }

    /// Decided when one side has more dominoes that are safe, or open and placed before they are
    /// destroyed, than the other can place.
    #[inline]
    fn counted(&self, pos: &Board<W>, player: Player) -> Option<Score> {
        count::wins(pos, player).then(|| Score::win_of(player))
    }
}

/// How many dominoes of the other side a domino makes impossible, less those of the own side.
#[derive(Copy, Clone, Debug)]
pub struct Blocking;

impl<W: Word> Hints<Board<W>> for Blocking {
    fn order(&self, pos: &Board<W>, moves: &[Domino], out: &mut [u8]) -> bool {
        moves.iter().zip(out).for_each(|(&mv, order)| *order = safety::promise(pos, mv));
        true
    }
}
