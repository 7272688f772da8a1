//! Two levels: a leaf is searched before it is expanded, and of the second search only its root's
//! children are kept.
//!
//! PN²: Allis 1994, Breuker, "Memory versus Search in Games", 1998 \[Bre98\]; PP²: Saffidine &
//! Cazenave \[SC13\], section 3.2.
//!
//! Paper -> here: the main search -> a [`BestFirst`] with `second`; the sub-search -> that
//! `second`, a tree; "the number of nodes that have been created so far in the main search" ->
//! [`BestFirst::since_start`].
//!
//! Invariant: a second-level search has at most as many nodes as the first level (and at least its
//! root's children), so that n nodes of the first level stand for up to n² / 2 searched nodes, and
//! memory for 2 n nodes is enough.
//!
//! Differs from the paper: nothing. (Breuker lets the second level have only a fraction of the
//! first at the beginning.)

use super::best_first::{BestFirst, Ended, Spending};
use super::graph::{ABOVE, Slot};
use super::info::Info;
use proofplay_core::Position;

impl<P: Position, I: Info> BestFirst<P, I> {
    /// This search as the first level above `second`, which must not merge.
    pub fn above(mut self, second: BestFirst<P, I>) -> Self {
        debug_assert!(!second.graph.merges() && !self.graph.merges());
        self.second = Some(Box::new(second));
        self
    }

    /// Searches `pos` on the second level and writes its children, with the numbers they have got,
    /// into `made`.
    pub(super) fn look_ahead(&mut self, pos: &P, budget: &mut Spending) -> Ended {
        let enough = self.since_start().max(1);
        let Some(second) = &mut self.second else { return Ended::Enough };
        second.start(pos, self.leaves.judge.goal());
        let ended = second.run(enough, budget, &mut |_, _| false);
        let root = second.graph.root().child;
        if ended == Ended::Limit || root == ABOVE {
            // Not even the root's children were made: there is nothing to copy.
            return if ended == Ended::Limit { Ended::Limit } else { Ended::Memory };
        }
        self.leaves.judge.learn(second.judge());
        self.made.clear();
        let children = second.graph.children(root).1;
        self.made.extend(children.iter().map(|&slot| Slot { child: ABOVE, ..slot }));
        Ended::Enough
    }
}
