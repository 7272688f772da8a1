//! The strategy in a tree that has proven something.

use super::Mcts;
use super::tree::{Fields, Id, ROOT};
use crate::distance::Scoring;
use crate::proof::Goal;
use crate::strategist::{NoMove, Strategist};
use crate::watch::Watch;
use proofplay_core::{Move, Position};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

impl<P: Position> Mcts<P> {
    /// The moves by which the tree proves the goal, as far as it does, within a quarter of the
    /// memory and the limits.
    fn proven_moves(&self, goal: Goal, watch: &mut Watch) -> HashMap<P, P::Move> {
        let most = self.resources.memory / 4 / size_of::<(P, P::Move)>();
        let mut known = HashMap::new();
        let mut open = vec![(ROOT, self.pos.clone())];
        while let Some((id, pos)) = open.pop() {
            if watch.step(1) {
                break;
            }
            let (first, children) = self.tree.children(id);
            if children.is_empty() || pos.outcome().is_some() || known.len() >= most {
                continue;
            }
            let proven = |i: &usize| children[*i].bounds().seen_by(goal.player).pess >= goal.at_least;
            let step = |i: usize| (first + i as Id, pos.after(P::Move::from_code(children[i].code())));
            if pos.turn() != goal.player {
                open.extend((0..children.len()).filter(proven).map(step));
            } else if let Some(i) = (0..children.len()).find(proven)
                && let Entry::Vacant(place) = known.entry(pos.clone())
            {
                place.insert(P::Move::from_code(children[i].code()));
                open.push(step(i));
            }
        }
        known
    }
}

/// Has what the tree has proven, and asks `rest` about positions that are not, or no longer, in the
/// tree.
pub struct ByTree<'a, P: Position> {
    search: &'a Mcts<P>,
    /// The moves for the latest goal.
    known: Option<(Goal, HashMap<P, P::Move>)>,
    rest: Box<dyn Strategist<P> + 'a>,
    watch: Watch,
}

impl<'a, P: Position> ByTree<'a, P> {
    pub fn new(search: &'a Mcts<P>, rest: Box<dyn Strategist<P> + 'a>, watch: Watch) -> Self {
        ByTree { search, known: None, rest, watch }
    }
}

impl<P: Position> Strategist<P> for ByTree<'_, P> {
    /// Of the search that finds what the tree does not know.
    fn name(&self) -> &'static str {
        self.rest.name()
    }

    fn choose(
        &mut self,
        pos: &P,
        goal: Goal,
        scoring: Scoring,
        good: &mut Vec<P::Move>,
    ) -> Result<(), NoMove> {
        if scoring.counts_plies() {
            return self.rest.choose(pos, goal, scoring, good);
        }
        if self.known.as_ref().is_none_or(|known| known.0 != goal) {
            self.known = Some((goal, self.search.proven_moves(goal, &mut self.watch)));
        }
        match self.known.as_ref().and_then(|known| known.1.get(pos)) {
            Some(mv) => {
                good.push(*mv);
                Ok(())
            }
            None => self.rest.choose(pos, goal, scoring, good),
        }
    }
}
