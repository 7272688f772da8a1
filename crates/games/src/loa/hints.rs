//! Hints for Lines of Action: an evaluation, move categories, and how convincing a win is.

use super::categories::{CATEGORIES, Classifier, name_of};
use super::evaluate::value;
use super::features::PerFeature;
use super::{Board, Step, Transitions};
use crate::board::Word;
use proofplay_core::{Hints, Position};

/// An evaluation function and a table of move categories.
///
/// The player of \[WBS08\] section 3.1: playouts drawn by the categories, a draw after 200 moves,
/// over when the evaluation, asked every 3 plies, passes 1000 points of MIA; progressive bias with
/// W = 100 and T = 50. What 1000 of its points are on our scale is not known; ending playouts at a
/// value of 0.5 plays far better than at 0.9. That is
/// `mcts-solver:w=100,t=50,leaf=weighted,moves=200,check=3,stop=0.5`.
#[derive(Debug)]
pub struct LoaHints {
    weights: PerFeature,
    transitions: Transitions,
}

impl LoaHints {
    /// With the weights of an evaluation, such as
    /// [`Evaluator::weights`](super::Evaluator::weights), and the shipped table of move categories.
    pub fn new(weights: PerFeature) -> Self {
        LoaHints { weights, transitions: Transitions::shipped().clone() }
    }

    /// The same with another table of move categories.
    pub fn with_transitions(self, transitions: Transitions) -> Self {
        LoaHints { transitions, ..self }
    }

    fn probabilities<W: Word>(&self, pos: &Board<W>, moves: &[Step], out: &mut [f32]) {
        let classifier = Classifier::new(pos);
        for (out, &mv) in out.iter_mut().zip(moves) {
            *out = self.transitions.probability(classifier.category(mv));
        }
    }
}

impl<W: Word> Hints<Board<W>> for LoaHints {
    fn value(&self, pos: &Board<W>) -> f32 {
        value(pos, &self.weights)
    }

    /// The transition probabilities of the moves' categories: P_c in formula 1 of \[WBS08\], also
    /// "used to select the moves pseudo-randomly during the play-out".
    fn weights(&self, pos: &Board<W>, moves: &[Step], out: &mut [f32]) {
        self.probabilities(pos, moves, out);
    }

    fn categories(&self, pos: &Board<W>, moves: &[Step], out: &mut [u32]) {
        let classifier = Classifier::new(pos);
        for (out, &mv) in out.iter_mut().zip(moves) {
            *out = classifier.category(mv) as u32;
        }
    }

    fn category_name(&self, category: u32) -> Option<String> {
        ((category as usize) < CATEGORIES).then(|| name_of(category as usize))
    }

    /// The qualitative bonus was not tried on Lines of Action \[PTLW14\]. Ours: how far the loser
    /// was from connecting, that is the part of the loser's pieces outside of the largest group,
    /// moved into (0, 1).
    fn quality(&self, end: &Board<W>) -> f32 {
        let Some(winner) = end.outcome().and_then(|score| score.winner()) else { return 0.5 };
        let loser = end.pieces(!winner);
        let (mut rest, mut largest) = (loser, 0);
        while !rest.is_empty() {
            let mut group = W::bit(rest.lowest());
            loop {
                let next = group | (end.lines.grid.around(group) & rest);
                if next == group {
                    break;
                }
                group = next;
            }
            largest = largest.max(group.count());
            rest = rest & !group;
        }
        let apart = (loser.count() - largest) as f32 / loser.count() as f32;
        0.05 + 0.9 * apart
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loa::{Loa, Setup};
    use proofplay_core::Game;

    /// B has connected; W has three pieces together and one apart, or four apart.
    #[test]
    fn quality_by_hand() {
        let game = Loa::<u64>::new(Setup { size: 6, ..Setup::default() });
        let quality = |text| game.hints().quality(&game.parse(text).unwrap());
        let near = quality("w..w../..bb../..bb../....../ww..../w..... w");
        let far = quality("w....w/..bb../..bb../....../w...../.....w w");
        assert!((near - (0.05 + 0.9 * 2.0 / 5.0)).abs() < 1e-6, "{near}");
        assert!((far - (0.05 + 0.9 * 3.0 / 4.0)).abs() < 1e-6, "{far}");
        assert_eq!(quality("w....w/..b.../....../....b./w...../.....w w"), 0.5);
    }

    #[test]
    fn weights_come_from_the_table() {
        let game = Loa::<u64>::new(Setup::default());
        let (pos, mut moves) = (game.start(), Vec::new());
        pos.moves(&mut moves);
        let mut categories = vec![0; moves.len()];
        game.hints().categories(&pos, &moves, &mut categories);
        // Captures half of the time, all else always.
        let name = |category| Hints::<Board<u64>>::category_name(&LoaHints::new([0.0; 9]), category);
        let line = |name: String| format!("{name} {} 2\n", if name.starts_with("capture") { 1 } else { 2 });
        let table: String = (0..).map_while(name).map(line).collect();
        let learned = LoaHints::new([0.0; 9]).with_transitions(Transitions::parse(&table).unwrap());
        for weigh in [Hints::priors, Hints::weights] {
            let mut out = vec![0.0; moves.len()];
            weigh(&learned, &pos, &moves, &mut out);
            for (i, &mv) in moves.iter().enumerate() {
                let text = game.show_move(&pos, mv);
                assert_eq!(out[i], if text.contains('x') { 0.5 } else { 1.0 }, "{text}");
                let category = name(categories[i]).unwrap();
                assert_eq!(category.starts_with("capture"), text.contains('x'), "{text}: {category}");
            }
        }
    }
}
