//! Confirms a forced end where positions can repeat.
//!
//! The table keeps one entry for positions that differ only in their history, so a win it claims
//! may be a draw on the path at hand: the winning moves may repeat an earlier position. Here the
//! winner's moves are tried on the real positions, which have their history; the table only says
//! which move to try first.

use super::node::{Iteration, Over};
use super::value::Worth;
use proofplay_core::{Bounds, Key, Player, Position, guard};

/// The walk through a forced end.
struct Forced {
    winner: Player,
    /// The walk ends here at the latest.
    most_nodes: u64,
}

impl<P: Position> Iteration<'_, P> {
    /// Tightens the bounds of the report if the winner can force the end that a decisive `worth`
    /// stands for. It may visit as many positions as the search has.
    pub fn confirm(&mut self, pos: &P, worth: Worth) {
        let (score, key) = (self.scale.score(worth), pos.key());
        let Some(winner) = score.winner() else { return };
        let forced = Forced { winner, most_nodes: 2 * self.report.nodes };
        // The winner needs one move; every move of the loser must be answered.
        let moves = if winner == pos.turn() { 1 } else { self.report.moves.len() };
        for i in 0..moves {
            let mv = self.report.moves[i].mv;
            let next = self.forces(&pos.after(mv), pos.key_after(key, mv), &forced, worth.plies() - 1);
            if next != Ok(true) {
                return;
            }
            let bounds = &mut self.report.moves[i].bounds;
            *bounds = bounds.tighten(match winner {
                Player::First => Bounds { pess: score, ..*bounds },
                Player::Second => Bounds { opti: score, ..*bounds },
            });
        }
        let bounds = Bounds::minimax(pos.turn(), self.report.moves.iter().map(|m| m.bounds));
        self.report.bounds = self.report.bounds.tighten(bounds);
    }

    /// Whether the winner reaches the best score within `plies`, against every reply.
    fn forces(&mut self, pos: &P, key: Key, forced: &Forced, plies: usize) -> Result<bool, Over> {
        if self.report.nodes >= forced.most_nodes {
            return Err(Over);
        }
        self.visit()?;
        if let Some(score) = guard::ended(pos) {
            let worth = self.scale.end(score, 0).seen_by(forced.winner);
            return Ok(worth.is_decisive() && worth > Worth(0));
        }
        if plies == 0 {
            return Ok(false);
        }
        let (first, own) = (self.moves.len(), pos.turn() == forced.winner);
        pos.moves(&mut self.moves);
        let last = self.moves.len();
        let tried = self.table.get(key).map_or(0, |known| usize::from(known.best)).min(last - first - 1);
        self.moves.swap(first, first + tried);
        let mut result = !own;
        for i in first..last {
            let mv = self.moves[i];
            if self.forces(&pos.after(mv), pos.key_after(key, mv), forced, plies - 1)? == own {
                result = own;
                break;
            }
        }
        self.moves.truncate(first);
        Ok(result)
    }
}
