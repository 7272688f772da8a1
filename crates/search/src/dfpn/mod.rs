//! Depth-first proof search with a table of fixed size: `dfpn` and `dfpp`.
//!
//! The best-first searches of [`crate::proof`] keep a tree; these have a table and descend again
//! from the root, staying below a child until its numbers pass the point where the best-first
//! search would go elsewhere ([`Threshold`]). What the table has lost is searched again, so any
//! amount of memory is enough.
//!
//! Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002 \[Nag02\].
//!
//! A table keyed by positions is sound if positions never repeat. Where they do and the third
//! occurrence is a draw, positions are searched without their histories, and results that lean on a
//! repetition are kept with their path (`path.rs`). Where the history decides more, as in Go, these
//! searches refuse.
//!
//! Threads share the table; a thread skips children that another thread is working on if there are
//! others. A node is solved only by the rules or by solved children, so threads change the time,
//! never the value.

mod node;
mod path;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod threshold;

pub use threshold::Threshold;

use crate::abdada::Busy;
use crate::checkpoint::{Checkpoint, Flaw, In, Out};
use crate::distance::Scoring;
use crate::proof::{Goal, Init, Judge, PnDn, Pp, Status, init_row};
use crate::report::{Halt, Report};
use crate::search::{NodeView, Tree, children_by, walk};
use crate::settings::{Setting, Values, named, row};
use crate::solver::{Answer, Prover, Solver, Teller, settles};
use crate::watch::Watch;
use crate::{Resources, Search, SearchError};
use node::{Tables, Worker};
use proofplay_core::threads::{Job, together};
use proofplay_core::{Bounds, Extras, Facts, Player, Position, Score, guard};
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use table::Numbers;

/// A depth-first proof search as plain data.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Product propagation instead of proof numbers.
    pub products: bool,
    /// What a leaf is worth.
    pub init: Init,
    /// Positions that are images of each other share an entry of the table.
    pub symmetry: bool,
    /// The facts of the game are used.
    pub facts: bool,
}

impl Config {
    /// The names of these searches.
    pub const NAMES: [&str; 2] = ["dfpn", "dfpp"];

    /// The search of this name.
    pub fn named(name: &str) -> Option<Config> {
        let products = Config::NAMES.iter().position(|&n| n == name)? == 1;
        Some(Config { products, init: Init::Mobility, symmetry: true, facts: true })
    }

    /// The name of this search, settings aside.
    pub fn name(&self) -> &'static str {
        Config::NAMES[usize::from(self.products)]
    }
}

/// The table of its settings.
pub(crate) const SETTINGS: &[Setting<Config>] = &[
    init_row!("what a leaf is worth before it is expanded: by its moves, all alike, by the evaluation"),
    row!("symmetry", symmetry, Values::Switch, "images of a position share an entry of the table"),
    row!("facts", facts, Values::Switch, "use what the game knows for certain, and only moves that suffice"),
];

impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base = Config::named(self.name()).expect("both searches have a name");
        f.write_str(&named(self.name(), SETTINGS, self, &base))
    }
}

/// A search of `pos` and the positions after it, unless positions of the game repeat and their
/// histories decide more than draws.
pub fn start<P: Position>(
    pos: &P,
    config: Config,
    extras: Extras<P>,
    resources: Resources,
) -> Result<Box<dyn Search<P>>, SearchError> {
    if pos.repeats() && pos.outcome().is_none() && pos.packed().is_none() {
        return Err(SearchError::Cyclic(config.name()));
    }
    let hints = Arc::clone(&extras.hints);
    let prover: Box<dyn Prover<P>> = if config.products {
        Box::new(DepthFirst::<P, Pp>::new(pos, config, extras, resources))
    } else {
        Box::new(DepthFirst::<P, PnDn>::new(pos, config, extras, resources))
    };
    Ok(Box::new(Solver::new(pos, hints, prover)))
}

/// A table and threads that answer goals, one after the other.
struct DepthFirst<P: Position, I: Threshold> {
    root: P,
    config: Config,
    facts: Option<Arc<dyn Facts<P>>>,
    watch: Watch,
    table: Numbers,
    /// Results that lean on a repetition, each with its path.
    paths: Numbers,
    memory: usize,
    workers: Vec<Worker<P, I>>,
    /// Whose goals are asked, for whatever position: always the same player's, so that answers
    /// share the table.
    player: Player,
}

impl<P: Position, I: Threshold> DepthFirst<P, I> {
    fn new(pos: &P, config: Config, mut extras: Extras<P>, resources: Resources) -> Self {
        extras.facts = extras.facts.filter(|_| config.facts);
        let watch = Watch::idle();
        let worker = |_| Worker::new(config, extras.clone(), watch.clone());
        let workers = (0..resources.threads()).map(worker).collect();
        let (root, player) = (pos.clone(), if pos.outcome().is_none() { pos.turn() } else { Player::First });
        let part = if pos.repeats() { resources.memory / 4 } else { 0 };
        let (memory, paths) = (resources.memory - part, Numbers::new(part));
        let (table, facts) = (Numbers::new(memory), extras.facts);
        DepthFirst { root, config, facts, watch, table, paths, memory, workers, player }
    }

    /// What the answer to a goal proves about the value, in the view of `First`; `None` when a
    /// limit was reached.
    fn prove(&mut self, pos: &P, goal: Goal, range: Bounds, teller: &mut Teller<P::Move>) -> Option<Bounds> {
        let (busy, done) = (Busy::new(), Arc::new(AtomicBool::new(false)));
        let (table, threads) = (&self.table, self.workers.len());
        let tables = Tables { numbers: table, paths: &self.paths };
        let (main, others) = self.workers.split_first_mut().expect("there is at least one thread");
        let shown = Shown::<P, I> { root: &self.root, config: self.config, goal, table, info: PhantomData };
        let run = |worker: &mut Worker<P, I>, look: &mut dyn FnMut(u64, &Watch)| {
            let (status, judge) =
                worker.prove(pos, goal, tables, (threads > 1).then_some(&busy), &done, look);
            done.store(true, Relaxed);
            (status, judge)
        };
        let mut answers = vec![None; threads];
        let (first, rest) = answers.split_first_mut().expect("one for each thread");
        let mut jobs: Vec<Job> = Vec::new();
        for (worker, answer) in others.iter_mut().zip(rest) {
            jobs.push(Box::new(|| *answer = Some(run(worker, &mut |_, _| ()))));
        }
        together(jobs, &mut || {
            *first = Some(run(main, &mut |nodes, watch| {
                teller.tell(nodes * threads as u64, table.bytes(), watch.elapsed(), &shown);
            }));
        });
        let answers: Vec<(Option<Status>, Judge)> = answers.into_iter().flatten().collect();
        // A proof may rest on entries of other threads, and so on ends of the game that those have
        // seen.
        let mut judge = Judge::new(goal);
        answers.iter().for_each(|(_, seen)| judge.learn(seen));
        self.workers.iter_mut().for_each(|worker| worker.remember(&judge));
        let status = answers.iter().find_map(|(status, _)| *status)?;
        Some(judge.bounds(status, range))
    }
}

impl<P: Position, I: Threshold> Prover<P> for DepthFirst<P, I> {
    fn name(&self) -> &'static str {
        self.config.name()
    }

    fn begin(&mut self, watch: Watch, checkpoint: Option<&Arc<Checkpoint>>) {
        let watch = watch.with_pauses(checkpoint);
        let threads = self.workers.len() as u64;
        let nodes = watch.limits().nodes.map(|nodes| nodes.div_ceil(threads));
        self.workers.iter_mut().for_each(|worker| worker.begin(nodes, watch.clone()));
        self.watch = watch;
    }

    fn set_root(&mut self, root: &P) {
        self.root = root.clone();
    }

    fn counts_plies(&self) -> bool {
        !self.root.repeats()
    }

    fn score_by(&mut self, scoring: Scoring) {
        let before = self.workers[0].scoring;
        if before.at(0) != scoring.at(0) {
            self.table = Numbers::new(self.memory);
            self.workers.iter_mut().for_each(|worker| worker.resume(&[]));
        }
        self.workers.iter_mut().for_each(|worker| worker.scoring = scoring);
    }

    fn next_window(&self, window: Bounds, known: Bounds) -> Bounds {
        // Only values inside the window matter.
        let open = Bounds::new(known.pess.max(window.pess), known.opti.min(window.opti));
        Goal::next(self.player, open).window()
    }

    fn answer(
        &mut self,
        pos: &P,
        window: Bounds,
        known: Bounds,
        teller: &mut Teller<P::Move>,
    ) -> Answer<P::Move> {
        if let Some(answer) = Answer::at_once(pos, window, known, self.workers[0].scoring) {
            return answer;
        }
        let goal = Goal::of_window(self.player, window);
        if pos.repeats() && pos.has_repeated() {
            // The proof is about the position without its history, which may make a win a draw.
            let Some(bounds) = self.prove(pos, goal, pos.range(), teller) else {
                return Answer::none(known, Halt::Limit);
            };
            let (draw, Bounds { pess, opti }) = (Score::DRAW, bounds);
            let bounds = known.tighten(Bounds::new(pess.min(draw), opti.max(draw)));
            let halt = (!settles(bounds, window)).then_some(Halt::Exhausted);
            return Answer { halt, ..Answer::whole(bounds) };
        }
        match self.prove(pos, goal, known, teller) {
            Some(bounds) => Answer::whole(bounds),
            None => Answer::none(known, Halt::Limit),
        }
    }

    fn known_moves(&mut self, pos: &P, goal: Goal, good: &mut Vec<P::Move>) -> bool {
        if self.workers[0].scoring.counts_plies() {
            return false;
        }
        let first = good.len();
        // The table has goals of one player only: the other player reaches a goal where this one
        // misses theirs.
        let asked = Goal::of_window(self.player, goal.window());
        let reached = if goal.player == self.player { Status::Proven } else { Status::Disproven };
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        for mv in moves {
            let child = pos.after(mv);
            let suffices = |bounds: Bounds| bounds.seen_by(goal.player).pess >= goal.at_least;
            let known = match guard::ended(&child) {
                Some(end) => suffices(Bounds::exact(end)),
                None if self.facts.as_ref().is_some_and(|facts| suffices(facts.bounds(&child))) => true,
                // Its history may make a win a draw.
                None if goal.at_least > Score::DRAW && child.repeats() && child.has_repeated() => false,
                None => {
                    let info = self.table.get(node::key(self.config, asked, &child, child.key()));
                    info.is_some_and(|info| I::from_bits(info).status() == reached)
                }
            };
            if known {
                good.push(mv);
            }
        }
        good.len() > first
    }

    fn note(&self, report: &mut Report<P::Move>) {
        report.nodes = self.workers.iter().map(|worker| worker.nodes).sum();
        report.memory = self.table.bytes();
        report.elapsed = self.watch.elapsed();
    }

    fn children(&self, path: &[P::Move]) -> Vec<NodeView<P::Move>> {
        let goal = self.workers[0].judges().last().map(Judge::goal);
        let Some(goal) = goal else { return Vec::new() };
        Shown::<P, I> { root: &self.root, config: self.config, goal, table: &self.table, info: PhantomData }
            .children(path)
    }

    /// Proofs in the table rest on ends of the game: what was seen of these is saved with it.
    fn save(&mut self, out: &mut Out) -> io::Result<()> {
        if self.workers[0].scoring.counts_plies() {
            // Its entries are of no use to a search for values.
            out.u32(0)?;
            return Numbers::new(0).save(out);
        }
        let judges = self.workers[0].judges();
        out.u32(judges.len() as u32)?;
        judges.iter().try_for_each(|judge| judge.save(out))?;
        self.table.save(out)
    }

    fn load(&mut self, from: &mut In, _pos: &P, range: Bounds) -> Result<(), Flaw> {
        let (range, mut judges) = (range.seen_by(self.player), Vec::<Judge>::new());
        for _ in 0..from.u32()? {
            let judge = Judge::load(from, self.player)?;
            let (goal, known) = (judge.goal().at_least, |other: &Judge| other.goal() == judge.goal());
            if goal <= range.pess || goal > range.opti || judges.iter().any(known) {
                return Err(Flaw::Nonsense("a goal is out of range, or there twice"));
            }
            judges.push(judge);
        }
        self.workers.iter_mut().for_each(|worker| worker.resume(&judges));
        self.table.fill(from, &|info| I::from_bits(info).is_valid())
    }
}

/// What observers can see while threads are at work: the numbers for one goal.
struct Shown<'a, P, I> {
    root: &'a P,
    config: Config,
    goal: Goal,
    table: &'a Numbers,
    info: PhantomData<I>,
}

impl<P: Position, I: Threshold> Tree<P::Move> for Shown<'_, P, I> {
    fn children(&self, path: &[P::Move]) -> Vec<NodeView<P::Move>> {
        let Some(pos) = walk(self.root, path) else { return Vec::new() };
        children_by(&pos, &mut |_, child, view| {
            let info = self.table.get(node::key(self.config, self.goal, child, child.key()));
            let Some(info) = info.filter(|_| child.outcome().is_none()) else { return false };
            let info = I::from_bits(info);
            view.numbers = Some(info.shown());
            view.bounds = self.goal.bounds(info.status(), view.bounds);
            true
        })
    }
}
