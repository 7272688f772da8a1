//! Brute force as a search with limits: `minimax` on the command line.

use crate::checkpoint::Flaw;
use crate::limits::Watch;
use crate::report::{MoveReport, Report};
use crate::{Limits, Observer, SearchError};
use proofplay_core::minimax::brute_force;
use proofplay_core::{Bounds, Position, guard};

/// Finds the exact value of `pos` by looking at every line of play; knows the value of every move afterwards.
///
/// # Panics
/// If the game breaks a promise: see [`crate::SearchSpec::run`].
pub fn solve<P: Position>(
    pos: &P,
    limits: &Limits,
    observer: &mut Observer<P::Move>,
) -> Result<Report<P::Move>, SearchError> {
    if !P::ACYCLIC {
        return Err(SearchError::Cyclic("minimax"));
    }
    if limits.checkpoint.is_some() {
        return Err(Flaw::Nothing("minimax").into());
    }
    let (mut watch, mut report) = (Watch::new(limits), Report::new(pos.range()));
    if let Some(score) = guard::ended(pos) {
        report.bounds = Bounds::exact(score);
        return Ok(report);
    }
    let (mover, mut moves) = (pos.turn(), Vec::new());
    pos.moves(&mut moves);
    let unknown = |&mv: &P::Move| MoveReport { mv, bounds: pos.range(), visits: 0, mean: 0.0, pv: vec![mv] };
    report.moves = moves.iter().map(unknown).collect();
    report.best = Some(moves[0]);
    for (i, &mv) in moves.iter().enumerate() {
        let value = brute_force(&pos.after(mv), &mut |_| {
            let go_on = !watch.is_over(report.nodes, limits.nodes);
            report.nodes += u64::from(go_on);
            if watch.report_due() {
                report.elapsed = watch.elapsed();
                observer(&report);
                watch.reported();
            }
            go_on
        });
        let Some(value) = value else { break };
        report.moves[i].bounds = Bounds::exact(value);
        report.bounds = pos.range().tighten(Bounds::minimax(mover, report.moves.iter().map(|m| m.bounds)));
        let best = report.moves.iter().max_by_key(|m| m.bounds.seen_by(mover).pess);
        report.best = best.map(|m| m.mv);
    }
    report.pv = report.best.into_iter().collect();
    report.elapsed = watch.elapsed();
    Ok(report)
}
