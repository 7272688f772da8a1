//! Who has won the simulations through each move of the root, in games of points: their mean reward
//! does not tell.

use proofplay_core::{Player, Position};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counts by the number of a move of the root; empty where there are no points.
#[derive(Debug, Default)]
pub(super) struct Wins(Vec<[AtomicU64; 2]>);

impl Wins {
    /// Nothing yet, for the moves of a position.
    pub fn of<P: Position>(pos: &P) -> Wins {
        let has_points = pos.range().pess.0 < -1 || pos.range().opti.0 > 1;
        let moves = if has_points && pos.outcome().is_none() { pos.count_moves(&mut Vec::new()) } else { 0 };
        Wins((0..moves).map(|_| Default::default()).collect())
    }

    /// Whether anything is counted.
    #[inline]
    pub fn counts(&self) -> bool {
        !self.0.is_empty()
    }

    /// A simulation through a move has ended.
    pub fn add(&self, number: usize, winner: Option<Player>) {
        if let Some([halves, count]) = self.0.get(number) {
            halves.fetch_add(winner.map_or(1, |winner| if winner == Player::First { 2 } else { 0 }), Relaxed);
            count.fetch_add(1, Relaxed);
        }
    }

    /// The share of simulations through a move that `First` has won.
    pub fn share(&self, number: usize) -> Option<f64> {
        let [halves, count] = self.0.get(number)?;
        let count = count.load(Relaxed);
        (count > 0).then(|| halves.load(Relaxed) as f64 / (2 * count) as f64)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Ask, Limits, Resources, Run, SearchSpec};
    use proofplay_core::Game;
    use proofplay_games::written::Written;

    fn shares(tree: &str, spec: &str, threads: usize) -> Vec<Option<f64>> {
        let game = Written::parse_tree(tree).unwrap();
        let spec: SearchSpec = spec.parse().unwrap();
        let resources = Resources { threads, ..Resources::default() };
        let mut search = spec.start(&game.start(), game.extras(), resources).unwrap();
        let limits = Limits { simulations: Some(2_000), ..Limits::default() };
        let mut moves = search.run(Ask::Value, &mut Run::new(limits)).unwrap().moves;
        moves.sort_by_key(|m| m.mv);
        moves.iter().map(|m| m.wins).collect()
    }

    /// Every simulation through a move ends alike, whoever chooses below it.
    #[test]
    fn wins_are_not_points() {
        let tree = "((5 (7 9)) (= =) ((-3 -2) -9) 1)";
        for (spec, threads) in [("mcts:proof=none", 1), ("mcts:proof=none", 2), ("mcts:proof=none,c=2", 1)] {
            let shares = shares(tree, spec, threads);
            assert_eq!(shares, [Some(1.0), Some(0.5), Some(0.0), Some(1.0)], "{spec} {threads}");
        }
    }

    #[test]
    fn without_points_nothing_is_counted() {
        assert_eq!(shares("((+ -) =)", "mcts:proof=none", 1), [None, None]);
    }
}
