//! What a search that ends early stores: the finished moves on the path to where it was.
//!
//! A table forgets. Results near the root, found long ago, may be lost when the search continues;
//! it would find them again, and with a pause for every checkpoint perhaps never end. So each
//! position on the path stores what its finished moves have proven, and the search is back where it
//! was at once.

use super::node::Search;
use crate::table::Entry;
use proofplay_core::{Bounds, Position, Score};

impl<P: Position> Search<'_, P> {
    /// `done` are moves of `pos` after each of which the mover has at most `alpha`, in the mover's
    /// view. If one of them gives exactly that, its number is `best`.
    #[cold]
    pub(super) fn keep_done(&mut self, pos: &P, done: Vec<P::Move>, alpha: Score, best: Option<u16>) {
        let mover = pos.turn();
        let at_most = Bounds { pess: Score(-i16::MAX), opti: alpha }.seen_by(mover);
        for mv in done {
            let child = pos.after(mv);
            if child.outcome().is_none() {
                self.keep_one(&child, at_most, 0);
            }
        }
        if let Some(number) = best {
            self.keep_one(pos, Bounds { pess: alpha, opti: Score(i16::MAX) }.seen_by(mover), number);
        }
    }

    fn keep_one(&mut self, pos: &P, proven: Bounds, best: u16) {
        let key = self.kept_as(pos, pos.key());
        let known = self.table.get(key);
        let certain = known.map_or(pos.range(), |entry| pos.range().tighten(entry.bounds));
        let bounds = certain.tighten(proven);
        if bounds != certain {
            self.table.put(key, Entry { bounds, best: known.map_or(best, |entry| entry.best) });
        }
    }
}
