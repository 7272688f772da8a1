//! What the positions of a game are worth.
//!
//! The game is walked backwards: late positions are quick to prove, and the table of the solver then knows them when earlier
//! ones are searched. What is proven about a position says something about its neighbours: the mover of a position has at
//! least what the next one is worth to them, and no next one is worth more than that. What stays open is estimated.
//!
//! ```text
//! proofs       half of the time, each position a quarter of what is left of that
//! estimates    the rest, shared equally by the positions that are open
//! ```

use super::{Better, FALL, FALL_IN_POINTS, Judged, Review, Worth, cost};
use crate::answer::has_points;
use crate::auto::algorithm;
use crate::budget::{Budget, BudgetError};
use crate::estimate::unscaled;
use crate::record::Record;
use proofplay_core::{Bounds, Player};
use proofplay_registry::{AnyPosition, AnySearch, DynPosition};
use proofplay_search::{Ask, Limits, MoveReport, Report, Run, SearchError, SearchSpec, SpecError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The time for a game if nothing else is said.
pub const USUAL_TIME: Duration = Duration::from_secs(20);

/// What fewer simulations say is noise and no estimate. Untuned.
const LEAST_SIMULATIONS: u64 = 100;

/// How a game is reviewed.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The search that proves, as text; perhaps `auto`.
    pub prover: String,
    /// The search that estimates, as text.
    pub estimator: String,
    /// The time is for the whole game; nodes are for each search, simulations for each estimate. Without a limit it is
    /// [`USUAL_TIME`]. Where only simulations are limited, nothing is proven but what estimates prove.
    pub budget: Budget,
    /// The seed of estimates.
    pub seed: u64,
}

/// Why there is no review.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// There is no such search.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It cannot have what it is given.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// It refuses the game.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// What is known about a position of the game.
struct Seen {
    pos: AnyPosition,
    /// In the view of `First`.
    bounds: Bounds,
    /// In the view of `First`.
    estimate: Option<f64>,
    /// The move to play, and what is certain after it.
    best: Option<(String, Bounds)>,
    /// The best line of play known.
    line: Vec<String>,
}

impl Seen {
    fn new(pos: AnyPosition) -> Seen {
        let bounds = pos.outcome().map_or_else(|| pos.range(), Bounds::exact);
        Seen { pos, bounds, estimate: None, best: None, line: Vec::new() }
    }

    /// Adds what a search has found.
    fn learn(&mut self, report: &Report<String>) {
        self.bounds = self.bounds.tighten(report.bounds);
        if let Some(best) = self.best_of(report) {
            let certain = |bounds: Bounds| bounds.seen_by(self.pos.turn()).pess;
            let is_noise = (1..LEAST_SIMULATIONS).contains(&report.simulations);
            self.estimate = self.average(report).or_else(|| self.points_of(best)).filter(|_| !is_noise);
            if self.best.as_ref().is_none_or(|(_, known)| certain(best.bounds) >= certain(*known)) {
                self.best = Some((best.mv.clone(), best.bounds));
            }
        }
        // A guess does not take the place of a proof.
        if !self.bounds.is_exact() || report.best_is_proven(self.pos.turn()) {
            self.line.clone_from(&report.pv);
        }
    }

    /// What all simulations of a search make of the position. The mean of the best move flatters the
    /// player to move as long as simulations are few: compared with the mean after a move, which
    /// flatters the other, every move would look like a mistake.
    fn average(&self, report: &Report<String>) -> Option<f64> {
        let visited = report.moves.iter().filter(|m| m.visits > 0 && report.simulations > 0);
        let worths = visited.filter_map(|m| Some((self.points_of(m)?, m.visits as f64)));
        let (sum, visits) =
            worths.fold((0.0, 0.0), |(sum, all), (worth, visits)| (sum + worth * visits, all + visits));
        (visits > 0.0).then(|| sum / visits)
    }

    /// What a move is worth, proven or estimated, in the view of `First`.
    fn points_of(&self, m: &MoveReport<String>) -> Option<f64> {
        let proven = m.bounds.value().map(|value| f64::from(value.0));
        proven.or_else(|| m.mean.map(|mean| unscaled(mean, self.pos.range())))
    }

    /// The move to play. A search may choose a small win that is proven where it expects more of the move that it has searched
    /// most: then that one.
    fn best_of<'a>(&self, report: &'a Report<String>) -> Option<&'a MoveReport<String>> {
        let best = report.moves.iter().find(|m| Some(&m.mv) == report.best.as_ref())?;
        if report.bounds.is_exact() {
            return Some(best);
        }
        let searched = report.moves.iter().filter(|m| m.visits > best.visits).max_by_key(|m| m.visits);
        let own = |m: &MoveReport<String>| self.points_of(m).map(|points| sign(self.pos.turn()) * points);
        Some(searched.filter(|m| own(m) > own(best)).unwrap_or(best))
    }

    /// What it is worth to a player.
    fn worth(&self, player: Player) -> Worth {
        let bounds = self.bounds.seen_by(player);
        let (low, high) = (f64::from(bounds.pess.0), f64::from(bounds.opti.0));
        Worth { bounds, estimate: self.estimate.map(|estimate| (sign(player) * estimate).clamp(low, high)) }
    }
}

/// By what points in the view of `First` are multiplied in the view of a player.
fn sign(player: Player) -> f64 {
    if player == Player::First { 1.0 } else { -1.0 }
}

/// A game at work.
struct Walk<'a> {
    record: &'a Record,
    seen: Vec<Seen>,
    stop: &'a Arc<AtomicBool>,
    started: Instant,
}

impl Walk<'_> {
    fn left_of(&self, time: Duration) -> Duration {
        time.saturating_sub(self.started.elapsed())
    }

    /// Searches the position after `i` moves.
    fn search(&mut self, search: &mut AnySearch, i: usize, limits: Limits) -> Result<(), SearchError> {
        let moves: Vec<String> = self.record.plies[..i].iter().map(|ply| ply.mv.clone()).collect();
        let start = self.record.start().text();
        search.go_to(Some(&start), &moves).expect("the moves of a record are legal");
        let report = search.run(Ask::Value, &mut Run::new(limits).stopped_by(self.stop))?;
        self.seen[i].learn(&report);
        if self.stop.load(Relaxed) {
            // What a search guesses that was stopped early is not worth much.
            self.seen[i].estimate = None;
        }
        let made = self.record.plies.get(i).and_then(|ply| report.moves.iter().find(|m| m.mv == ply.mv));
        if let Some(made) = made {
            let next = &mut self.seen[i + 1];
            next.bounds = next.bounds.tighten(made.bounds);
        }
        Ok(())
    }

    /// The mover of a position has at least what the next one of the game is worth to them.
    fn carry_back(&mut self, i: usize) {
        let Some(next) = self.seen.get(i + 1) else { return };
        let (mover, mv) = (self.seen[i].pos.turn(), &self.record.plies[i].mv);
        let (own, after) = (self.seen[i].bounds.seen_by(mover), next.bounds.seen_by(mover));
        if after.pess <= own.pess {
            return;
        }
        let (best, line) = ((mv.clone(), next.bounds), [std::slice::from_ref(mv), &next.line].concat());
        let here = &mut self.seen[i];
        here.bounds = Bounds { pess: after.pess, ..own }.seen_by(mover);
        if here.bounds.is_exact() {
            (here.best, here.line) = (Some(best), line);
        }
    }

    /// No next position is worth more to the mover than the one before.
    fn carry_on(&mut self, i: usize) {
        let (mover, known) = (self.seen[i].pos.turn(), self.seen[i].bounds);
        if let Some(next) = self.seen.get_mut(i + 1) {
            let own = next.bounds.seen_by(mover);
            let opti = own.opti.min(known.seen_by(mover).opti);
            next.bounds = Bounds { opti, ..own }.seen_by(mover);
        }
    }

    /// Lets all positions say what they know about their neighbours.
    fn carry_all(&mut self) {
        (0..self.seen.len()).rev().for_each(|i| self.carry_back(i));
        (0..self.seen.len()).for_each(|i| self.carry_on(i));
    }

    /// Positions whose value is known, perhaps from their neighbours, while no move is proven to preserve it, although one is
    /// wanted: something is lost there, or has just been lost.
    fn unshown(&self) -> Vec<usize> {
        let is_fall = |i: usize| {
            let (mover, next) = (self.seen[i].pos.turn(), self.seen.get(i + 1));
            next.is_some_and(|next| next.worth(mover).bounds.opti < self.seen[i].worth(mover).bounds.pess)
        };
        let is_unshown = |i: &usize| {
            let Seen { pos, bounds, best, .. } = &self.seen[*i];
            let worst = |bounds: Bounds| bounds.seen_by(pos.turn()).pess;
            let is_shown = best.as_ref().is_some_and(|(_, after)| worst(*after) >= worst(*bounds));
            bounds.is_exact() && pos.outcome().is_none() && !is_shown
        };
        let wanted = |i: &usize| is_fall(*i) || *i > 0 && is_fall(*i - 1);
        (0..self.seen.len()).filter(wanted).filter(is_unshown).collect()
    }

    /// The judgement about the move after `i` moves.
    fn judge(&self, i: usize, threshold: f64) -> Judged {
        let (ply, here, next) = (&self.record.plies[i], &self.seen[i], &self.seen[i + 1]);
        let mover = ply.to_move;
        let (before, after) = (here.worth(mover), next.worth(mover));
        let is_preferred = here.best.as_ref().is_some_and(|(best, _)| *best == ply.mv);
        let cost = cost(before, after, is_preferred, threshold);
        // A move that is certainly worth no more than the one that was made is not better.
        let can_be_more =
            |bounds: Bounds| after.points().is_none_or(|made| f64::from(bounds.seen_by(mover).opti.0) > made);
        let other = here.best.as_ref().filter(|best| cost.mistake && !is_preferred && can_be_more(best.1));
        let better = other.map(|(mv, bounds)| {
            let proven = bounds.seen_by(mover).pess > after.bounds.opti;
            Better { mv: mv.clone(), proven }
        });
        Judged {
            ply: ply.ply,
            mover,
            mv: ply.mv.clone(),
            before,
            after,
            basis: cost.basis,
            loss: cost.loss,
            mistake: cost.mistake,
            turning_point: cost.turning_point,
            better,
            refutation: if cost.mistake { next.line.clone() } else { Vec::new() },
        }
    }
}

/// Judges the moves of a game, as well as the plan allows. `watch` is called with the number of searches that are done and an
/// upper bound on their number; soon after `stop` is set it ends with what is known.
pub fn review(
    record: &Record,
    plan: &Plan,
    stop: &Arc<AtomicBool>,
    watch: &mut dyn FnMut(usize, usize),
) -> Result<Review, ReviewError> {
    let mut pos = record.start().boxed();
    let prover: SearchSpec = algorithm(&plan.prover, pos.as_ref()).parse()?;
    let estimator: SearchSpec = algorithm(&plan.estimator, pos.as_ref()).parse()?;
    let Budget { nodes, simulations, time, .. } = plan.budget;
    plan.budget.check(&plan.estimator, &estimator)?;
    let is_limited = nodes.is_some() || simulations.is_some() || time.is_some();
    let time = if is_limited { time } else { Some(USUAL_TIME) };
    let resources = plan.budget.resources(plan.seed)?;
    let mut seen = vec![Seen::new(pos.boxed())];
    for ply in &record.plies {
        pos.play(&ply.mv).expect("the moves of a record are legal");
        seen.push(Seen::new(pos.boxed()));
    }
    let count = seen.len();
    let mut walk = Walk { record, seen, stop, started: Instant::now() };
    // First what can be proven, from the end on. One search after the other has the whole memory.
    if time.is_some() || nodes.is_some() {
        let mut search = record.start().start_search(&prover, resources)?;
        for i in (0..count).rev() {
            walk.carry_back(i);
            let slice = time.map(|time| walk.left_of(time / 2) / 4);
            if !walk.seen[i].bounds.is_exact() && !stop.load(Relaxed) && slice != Some(Duration::ZERO) {
                walk.search(&mut search, i, Limits { nodes, time: slice, ..Limits::default() })?;
                walk.carry_back(i);
            }
            watch(count - i, 2 * count);
        }
        walk.carry_all();
        for i in walk.unshown() {
            let slice = time.map(|time| walk.left_of(time / 2) / 4);
            if !stop.load(Relaxed) && slice != Some(Duration::ZERO) {
                walk.search(&mut search, i, Limits { nodes, time: slice, ..Limits::default() })?;
            }
        }
    }
    let open: Vec<usize> = (0..count).filter(|&i| !walk.seen[i].bounds.is_exact()).collect();
    if !open.is_empty() {
        let mut search = record.start().start_search(&estimator, resources)?;
        for (done, &i) in open.iter().enumerate() {
            let slice = time.map(|time| walk.left_of(time) / (open.len() - done) as u32);
            // Where simulations are limited, nodes are those of proofs.
            let nodes = nodes.filter(|_| simulations.is_none());
            if !stop.load(Relaxed) {
                walk.search(&mut search, i, Limits { nodes, simulations, time: slice, clock: None })?;
            }
            watch(2 * count - open.len() + done + 1, 2 * count);
        }
        walk.carry_all();
    }
    let start: &dyn DynPosition = record.start();
    let has_points = has_points(start);
    let threshold = if has_points { FALL_IN_POINTS } else { FALL };
    Ok(Review {
        game: start.game(),
        sides: Player::BOTH.map(|player| start.side(player).to_owned()),
        has_points,
        moves: (0..record.plies.len()).map(|i| walk.judge(i, threshold)).collect(),
        done: !stop.load(Relaxed),
    })
}
