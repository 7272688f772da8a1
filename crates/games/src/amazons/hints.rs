//! Hints for Amazons: territory by queen distance.

use super::choice::{self, Table};
use super::{Board, Shot};
use crate::board::{Grid, Word};
use proofplay_core::{Hints, Player, Position, Rng, Score};

/// The hints of Amazons.
#[derive(Copy, Clone, Debug)]
pub struct Territory;

/// What a cell is worth that both players reach with equally many moves, for the mover. Lieberum
/// leaves the number open; a fifth is ours, untuned.
const TEMPO: f32 = 0.2;

/// The empty cells that a queen on one of `from` reaches with one move.
fn queens<W: Word>(grid: &Grid<W>, from: W, empty: W) -> W {
    let steps = [
        Grid::left,
        Grid::right,
        Grid::down,
        Grid::up,
        Grid::down_left,
        Grid::down_right,
        Grid::up_left,
        Grid::up_right,
    ];
    let mut reached = W::EMPTY;
    for step in steps {
        let mut front = step(grid, from) & empty;
        while !front.is_empty() {
            reached = reached | front;
            front = step(grid, front) & empty;
        }
    }
    reached
}

impl<W: Word> Hints<Board<W>> for Territory {
    /// Territory by queen distance: t1 of Lieberum, "An evaluation function for the game of
    /// Amazons", Theoretical Computer Science 349 (2005). Every empty cell belongs to the player
    /// who needs fewer queen moves to it; the difference is divided by the number of cells that
    /// either can reach.
    fn value(&self, pos: &Board<W>) -> f32 {
        if let Some(score) = pos.outcome() {
            return f32::from(score.0);
        }
        let (grid, all) = (&*pos.tables.grid, pos.empty());
        // Cells not yet reached by either; a distance at a time.
        let (mut empty, mut reached) = (all, pos.amazons);
        let (mut lead, mut cells, mut tied) = (0, 0, 0);
        loop {
            let [first, second] = reached.map(|from| queens(grid, from, all));
            let [new_first, new_second] = [first & empty, second & empty];
            if (new_first | new_second).is_empty() {
                break;
            }
            let both = new_first & new_second;
            lead += new_first.count() as i32 - new_second.count() as i32;
            tied += both.count();
            cells += (new_first | new_second).count();
            empty = empty & !(new_first | new_second);
            reached = [reached[0] | first, reached[1] | second];
        }
        let tempo = if pos.mover == Player::First { TEMPO } else { -TEMPO };
        (lead as f32 + tempo * tied as f32) / cells as f32
    }

    /// The distribution of the policy `staged`: a whole move weighs one over the number of arrows
    /// that could follow its move of an amazon.
    fn weights(&self, pos: &Board<W>, moves: &[Shot], out: &mut [f32]) {
        let mut table = Table::new(pos);
        for (&mv, weight) in moves.iter().zip(out) {
            *weight = 1.0 / table.arrows_beside(mv) as f32;
        }
    }

    fn policies(&self) -> &'static [&'static str] {
        &["staged"]
    }

    /// `staged`: a uniformly random move of an amazon, then a uniformly random arrow.
    fn playout(
        &self,
        _: &'static str,
        pos: &mut Board<W>,
        rng: &mut Rng,
        _: &mut Vec<Shot>,
        trace: Option<&mut dyn FnMut(Player, Shot)>,
    ) -> Score {
        match trace {
            Some(trace) => choice::playout::<W, true>(pos, rng, &mut |player, mv| trace(player, mv)),
            None => choice::playout::<W, true>(pos, rng, &mut |_, _| ()),
        }
    }

    /// The combined number of moves available for the winner (Pepels et al. \[PTLW14\], section
    /// 6.1): whole moves of all amazons, if it were the winner's turn. The normalizer is the most
    /// that four amazons could have.
    fn quality(&self, end: &Board<W>) -> f32 {
        let moves = Table::new(end).count(!end.mover) as f32;
        let widest = end.tables.widest as f32;
        (moves + 1.0) / (4.0 * widest * widest + 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Amazons, Setup};
    use super::*;
    use proofplay_core::Game;

    fn game() -> Amazons<u64> {
        Amazons::new(Setup { cols: 4, rows: 4 })
    }

    /// By hand: only W reaches the two empty cells; B is shut in; both reach the one empty cell
    /// with one move, B's turn; the same with another cell for W, W's turn.
    #[test]
    fn worked_values() {
        let value = |text| game().hints().value(&game().parse(text).unwrap());
        assert_eq!(value("bbbb/xxxx/xx.w/.www w"), 1.0);
        assert_eq!(value("bbbb/xxxx/xxxw/.www b"), 1.0);
        assert_eq!(value("bbbb/x.xx/xwxx/wwwx b"), -TEMPO);
        assert_eq!(value("bbbb/x.xx/xwx./xwww w"), (1.0 + TEMPO) / 2.0);
        // The start is symmetric: what is not tied has a mirror image.
        let start = game().hints().value(&game().start());
        assert!(start > 0.0 && start <= TEMPO, "{start}");
    }

    /// The winner of this end has one amazon with one cell to go to, and from there only the arrow
    /// back.
    #[test]
    fn quality_counts_moves_of_the_winner() {
        let end = game().parse("bbbb/xxxx/xxxw/.www b").unwrap();
        assert!(end.outcome().is_some());
        assert_eq!(game().hints().quality(&end), 2.0 / (4.0 * 121.0 + 2.0));
    }

    /// Each move of an amazon weighs 1 in all.
    #[test]
    fn weights_are_stages() {
        let (game, mut moves) = (game(), Vec::new());
        let pos = game.start();
        pos.moves(&mut moves);
        let mut weights = vec![1.0; moves.len()];
        game.hints().weights(&pos, &moves, &mut weights);
        let hops: std::collections::HashSet<_> = moves.iter().map(|mv| mv.cells()[..2].to_vec()).collect();
        assert!((weights.iter().sum::<f32>() - hops.len() as f32).abs() < 1e-4);
    }
}
