//! Brute force as a search with limits: `minimax` on the command line.

use crate::checkpoint::Flaw;
use crate::limits::Watch;
use crate::report::{Halt, Report, promising_order};
use crate::{Limits, Observer, SearchError};
use proofplay_core::minimax::brute_force;
use proofplay_core::{Bounds, Position};

/// Finds the exact value of `pos` by looking at every line of play; knows the value of every move afterwards.
///
/// # Panics
/// If the game breaks a promise: see [`crate::SearchSpec::run`].
pub fn solve<P: Position>(
    pos: &P,
    limits: &Limits,
    observer: &mut Observer<P::Move>,
) -> Result<Report<P::Move>, SearchError> {
    if limits.checkpoint.is_some() {
        return Err(Flaw::Nothing("minimax").into());
    }
    let (mut watch, mut report) = (Watch::new(limits), Report::by_rules(pos));
    if pos.outcome().is_some() {
        return Ok(report);
    }
    let mover = pos.turn();
    let certain = |bounds: Bounds| bounds.seen_by(mover).pess;
    let mut safest = report.after_best().map(certain);
    let moves: Vec<P::Move> = report.moves.iter().map(|m| m.mv).collect();
    for i in promising_order(pos, &moves) {
        let value = brute_force(&pos.after(moves[i]), &mut |_| {
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
        if Some(value.seen_by(mover)) > safest {
            (report.best, safest) = (Some(moves[i]), Some(value.seen_by(mover)));
        }
        let own = report.bounds.seen_by(mover);
        report.bounds = Bounds::new(own.pess.max(value.seen_by(mover)), own.opti).seen_by(mover);
    }
    report.bounds = pos.range().tighten(Bounds::minimax(mover, report.moves.iter().map(|m| m.bounds)));
    report.pv = report.best.into_iter().collect();
    report.end(true, Halt::Limit);
    report.elapsed = watch.elapsed();
    Ok(report)
}
