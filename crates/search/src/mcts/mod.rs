//! Monte-Carlo tree search that proves while it plays: one loop, small policies.
//!
//! A simulation descends by the [`Selection`] formula, gives the leaf children, estimates it by a
//! [`Leaf`] policy, and backs up a [`Reward`] and what became certain ([`Proof`]). With one thread
//! a search is the same bit for bit from its seed. With several, the same loop runs on one shared
//! tree: counters are added atomically, bounds only tighten, and a visit counts as a loss until its
//! result is known (virtual loss), which spreads the threads.

mod checkpoint;
mod config;
mod custom;
mod final_move;
pub(crate) mod leaders;
mod leaf;
#[cfg(test)]
mod memory_tests;
mod proof;
mod reward;
pub(crate) mod select;
mod settings;
pub(crate) mod shortlist;
mod strategist;
#[cfg(test)]
mod tests;
pub(crate) mod tree;
mod wins;
mod worker;

pub use config::{Backup, Config, Growth, Hybrids};
pub use custom::{Custom, FinalRule, Formula, RewardRule, Seen};
pub use final_move::FinalMove;
use leaf::ByHints;
pub use leaf::{Cutoff, Draw, Evaluator, Leaf, Playout, Request, shallow};
pub use proof::{Intervals, Proof};
pub use reward::{Bonus, Reward, Rewards, Simulation};
use select::Parent;
pub(crate) use select::scaled;
pub use select::{Explore, Selection};
pub(crate) use settings::{Flat, SETTINGS};
pub(crate) use tree::{Columns, Tree};

use crate::report::{Halt, MoveReport, Report};
use crate::search::{NodeView, Saved, Search};
use crate::strategist::{Strategist, from_scratch};
use crate::watch::Watch;
use crate::{Ask, Limits, Observer, Resources, Run, SearchError};
use proofplay_core::threads::{Job, together};
use proofplay_core::{Bounds, Extras, Move, Player, Position};
use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock, RwLock};
use strategist::ByTree;
use tree::{Fields, Id, ROOT};
use wins::Wins;
use worker::Worker;

/// A search with its tree, which lasts from move to move.
///
/// ```
/// use proofplay_core::{Extras, Game};
/// use proofplay_games::{in_a_row::Any, mnk::Mnk};
/// use proofplay_search::{Ask, Resources, Run, Search, mcts};
/// let start = Mnk::new(Any::<u64>::new(3, 3, 3)).start();
/// let (config, resources) = (mcts::Config::default(), Resources::default());
/// let mut search = mcts::Mcts::new(start, config, Extras::none(), resources).unwrap();
/// let report = search.run(Ask::Value, &mut Run::default()).unwrap();
/// assert_eq!(report.bounds.value().unwrap().0, 0); // tic-tac-toe is a draw
/// ```
pub struct Mcts<P: Position> {
    pos: P,
    config: Config,
    extras: Extras<P>,
    /// The playout policy of the game, if not uniform.
    policy: Option<&'static str>,
    custom: Custom,
    evaluator: Arc<dyn Evaluator<P>>,
    tree: Tree,
    resources: Resources,
    /// The seed of the latest search.
    seed: u64,
    /// The number of searches so far, so that each draws other random numbers.
    searches: u64,
    /// Nodes made before the latest search.
    before: u64,
    /// Who has won the simulations of the latest run.
    wins: Wins,
}

impl<P: Position> fmt::Debug for Mcts<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mcts { pos, config, resources, .. } = self;
        f.debug_struct("Mcts")
            .field("pos", pos)
            .field("config", config)
            .field("resources", resources)
            .finish_non_exhaustive()
    }
}

impl<P: Position> Mcts<P> {
    /// A search from `pos`, if the game has what the settings need.
    pub fn new(
        pos: P,
        config: Config,
        mut extras: Extras<P>,
        resources: Resources,
    ) -> Result<Self, SearchError> {
        if config.selection.rave > 0.0 && pos.slots() == 0 {
            return Err(SearchError::NotOffered { setting: "rave", what: "moves with a lasting identity" });
        }
        if let Leaf::Evaluate { net: Some(file), .. } = config.leaf
            && extras.hints.network() != Some(file)
        {
            return Err(SearchError::Network(format!("the hints of the game have no network from `{file}`")));
        }
        let custom = Custom::default();
        let tree = Tree::new(resources.memory, config.selection.wants(), pos.range());
        let evaluator = Arc::new(ByHints(Arc::clone(&extras.hints)));
        extras.facts = extras.facts.filter(|_| config.facts);
        let policy = config.leaf.policy(&*extras.hints)?;
        let (seed, searches, before) = (resources.seed, 0, 0);
        let wins = Wins::default();
        Ok(Mcts {
            pos,
            config,
            extras,
            policy,
            custom,
            evaluator,
            tree,
            resources,
            seed,
            searches,
            before,
            wins,
        })
    }

    /// The same search with another evaluator for `leaf=evaluate`, e.g. a network.
    pub fn with_evaluator(self, evaluator: Arc<dyn Evaluator<P>>) -> Self {
        Mcts { evaluator, ..self }
    }

    /// The same search with custom policies; call it before the first run.
    pub fn with_custom(mut self, custom: Custom) -> Self {
        self.custom = custom;
        self.plant();
        self
    }

    /// The columns that its formula reads.
    fn columns(&self) -> Columns {
        match &self.custom.formula {
            Some(formula) => Columns { priors: formula.wants_priors(), amaf: false },
            None => self.config.selection.wants(),
        }
    }

    /// The child that the formula chooses; `None` if all are left out.
    fn pick(&self, first: Id, children: &[tree::Node], parent: Parent) -> Option<usize> {
        let (selection, proof) = (&self.config.selection, self.config.proof);
        match &self.custom.formula {
            Some(formula) => select::pick_by(&**formula, &self.tree, first, children, parent, proof),
            None => selection.pick(&self.tree, first, children, parent, proof),
        }
    }

    /// What the column of priors has for the moves of `pos`: for PUCT probabilities, which sum to
    /// 1, for a bias the weights of the moves (P_c of \[WBS08\]). `priors` come from an evaluator,
    /// or else filled with 1.
    fn fill_priors(&self, pos: &P, moves: &[P::Move], evaluated: bool, priors: &mut [f32]) {
        let hints = &self.extras.hints;
        if self.config.selection.explore != Explore::Puct && self.custom.formula.is_none() {
            priors.fill(1.0);
            return hints.weights(pos, moves, priors);
        }
        if !evaluated {
            hints.priors(pos, moves, priors);
        }
        let sum: f32 = priors.iter().sum();
        if sum > 0.0 && sum.is_finite() {
            priors.iter_mut().for_each(|prior| *prior /= sum);
        } else {
            // What is no probability at all says nothing.
            priors.fill(1.0 / priors.len() as f32);
        }
    }

    /// Plays a legal move and keeps the tree below it.
    fn advance(&mut self, mv: P::Move) {
        let (first, children) = self.tree.children(ROOT);
        let known = children.iter().position(|child| child.code() == mv.code());
        self.pos.play(mv);
        match known {
            Some(i) => {
                self.tree.keep_subtree(first + i as Id);
                self.tree.node(ROOT).set_bounds(self.shown());
            }
            None => self.plant(),
        }
    }

    /// Begins with an empty tree.
    fn plant(&mut self) {
        self.tree = Tree::new(self.resources.memory, self.columns(), self.pos.range());
    }

    /// The bounds that the children of the root show. The node may have tighter ones, from facts or
    /// from children that are gone, but then no move is known that preserves them.
    fn shown(&self) -> Bounds {
        let (range, (_, children)) = (self.pos.range(), self.tree.children(ROOT));
        let shown = match self.pos.outcome() {
            Some(score) => Bounds::exact(score),
            None if children.is_empty() => range,
            None => Bounds::minimax(self.pos.turn(), children.iter().map(Fields::bounds)),
        };
        self.config.proof.coarsen(range.tighten(shown), range)
    }

    /// Searches until everything is solved, a limit is reached or a checkpoint is due; `before`
    /// simulations were run earlier.
    fn part(
        &self,
        watch: Watch,
        ask: Ask,
        most: Option<u64>,
        before: u64,
        observer: &mut Observer<P::Move>,
    ) -> Part<'_, P> {
        let threads = self.resources.threads().max(self.config.threads);
        let run = Part {
            search: self,
            ask,
            most,
            only_proves: most.is_none() && watch.limits().time.is_none(),
            taken: AtomicU64::new(before),
            finished: AtomicBool::new(false),
            why: OnceLock::new(),
            recycled: RwLock::new((0, 0)),
            cramped: AtomicBool::new(!self.config.growth.recycle),
            range: self.pos.range(),
        };
        // Leaves that wait for evaluation together need virtual losses, as threads do.
        let batches = matches!(self.config.leaf, Leaf::Evaluate { batch: 2.., .. });
        if threads == 1 && !batches {
            Worker::new(&run, watch, 0).run::<false>(Some(observer));
        } else {
            let mut jobs: Vec<Job> = Vec::new();
            for number in 1..threads {
                let (run, watch) = (&run, watch.clone());
                jobs.push(Box::new(move || Worker::new(run, watch, number).run::<true>(None)));
            }
            together(jobs, &mut || Worker::new(&run, watch.clone(), 0).run::<true>(Some(&mut *observer)));
        }
        run
    }

    /// Nodes made by the latest search.
    fn made(&self) -> u64 {
        self.tree.made().saturating_sub(self.before)
    }

    /// What is known now. Only the best `lines` moves get a line of play, since thousands would
    /// take long.
    fn report(&self, simulations: u64, watch: &Watch, lines: usize) -> Report<P::Move> {
        /// Nodes that a report visits for the length of wins and losses: a fraction of a second.
        const LENGTHS: u32 = 1 << 22;
        let (first, children) = self.tree.children(ROOT);
        let mut report = if children.is_empty() {
            Report::by_rules(&self.pos, &*self.extras.hints)
        } else {
            Report::new(self.pos.range())
        };
        if self.pos.outcome().is_none() {
            // Before the first simulation the rules alone may show more.
            let by_rules = if children.is_empty() { report.bounds } else { self.pos.range() };
            report.bounds = by_rules.tighten(self.tree.node(ROOT).bounds());
        }
        report.nodes = self.made();
        report.simulations = simulations;
        report.memory = self.tree.bytes();
        report.elapsed = watch.elapsed();
        if children.is_empty() {
            return report;
        }
        let (left, scale) = (Cell::new(LENGTHS), self.scale(&self.pos));
        let counts_wins = self.config.leaf.counts_wins();
        let ranking = {
            let own = self.custom.final_rule.as_deref();
            self.config.final_move.ranking((&self.tree, ROOT), &self.pos, own, scale, &left)
        };
        for (rank, i) in ranking.into_iter().enumerate() {
            let child = &children[i];
            let mv = P::Move::from_code(child.code());
            let chance = mean(child).map(|mean| (mean + 1.0) / 2.0);
            let mut pv = vec![mv];
            if rank < lines {
                self.extend_line(first + i as Id, self.pos.after(mv), &mut pv, &left);
            }
            let mut found = MoveReport {
                mv,
                bounds: child.bounds(),
                plies: None,
                visits: u64::from(child.visits()),
                mean: mean(child),
                counts_wins,
                wins: if counts_wins { chance.filter(|_| self.wins.counts()) } else { self.wins.share(i) },
                pv,
            };
            found.settle(self.pos.range());
            report.moves.push(found);
        }
        report.best = report.moves.first().map(|m| m.mv);
        report.pv = report.moves.first().map(|m| m.pv.clone()).unwrap_or_default();
        report
    }

    /// Makes a reward of a score, in the mover's view.
    fn scale(&self, pos: &P) -> impl Fn(i16) -> f64 {
        let (range, counts_wins) = (self.pos.range().seen_by(pos.turn()), self.config.leaf.counts_wins());
        move |score| if counts_wins { f64::from(score.signum()) } else { f64::from(scaled(score, range)) }
    }

    /// Follows the best children as far as they were visited or proven.
    fn extend_line(&self, mut id: Id, mut pos: P, line: &mut Vec<P::Move>, left: &Cell<u32>) {
        while pos.outcome().is_none() && line.len() < 100 {
            let (first, children) = self.tree.children(id);
            let best = {
                let own = self.custom.final_rule.as_deref();
                self.config.final_move.best((&self.tree, id), &pos, own, self.scale(&pos), left)
            };
            let Some(best) = best else { return };
            if children[best].visits() == 0 && !children[best].bounds().is_exact() {
                return;
            }
            let mv = P::Move::from_code(children[best].code());
            line.push(mv);
            pos.play(mv);
            id = first + best as Id;
        }
    }
}

impl<P: Position> Search<P> for Mcts<P> {
    fn name(&self) -> &'static str {
        "Monte-Carlo tree search"
    }

    fn position(&self) -> &P {
        &self.pos
    }

    /// Searches until the root is solved, or every move of the root, or a limit is reached. Where
    /// neither simulations nor time are limited it also ends when the tree is full and cannot grow
    /// any more: then nothing is left to be proven, and no more nodes can be made.
    fn think(&mut self, ask: Ask, run: &mut Run<P::Move>) -> Report<P::Move> {
        let most = run.limits.simulations.or((self.config.playouts > 0).then_some(self.config.playouts));
        let (watch, mut simulations) = (run.watch().with_pauses(run.checkpoint.as_ref()), 0);
        self.seed = run.seed.unwrap_or(self.resources.seed);
        self.wins = Wins::of(&self.pos);
        // An unexpanded root is counted with its children.
        self.before = Some(self.tree.made()).filter(|&made| made > 1).unwrap_or(0);
        loop {
            self.searches = self.searches.wrapping_add(1);
            let part = self.part(watch.clone(), ask, most, simulations, &mut *run.observer);
            simulations = part.simulations();
            let (solved, why) = (part.is_solved(), part.why.get().copied());
            let mut report = self.report(simulations, &watch, usize::MAX);
            // A node that is done by the rule of proof may still have open bounds.
            report.end(ask, if solved { Halt::Exhausted } else { why.unwrap_or(Halt::Limit) });
            let Some(checkpoint) = run.checkpoint.as_ref().filter(|_| watch.is_pausing() && !solved) else {
                return report;
            };
            checkpoint.save(&report, &mut |out| self.save(out));
        }
    }

    fn set_position(&mut self, pos: &P) {
        (self.pos, self.searches) = (pos.clone(), 0);
        self.plant();
    }

    fn play(&mut self, mv: P::Move) {
        self.advance(mv);
    }

    fn saved(&mut self) -> Option<&mut dyn Saved> {
        Some(self)
    }

    fn strategist<'a>(
        &'a mut self,
        memory: &mut usize,
        limits: Limits,
        stop: &Arc<AtomicBool>,
    ) -> Box<dyn Strategist<P> + 'a> {
        *memory /= 2;
        let rest = from_scratch(&self.pos, &self.extras, *memory, limits, stop);
        Box::new(ByTree::new(self, rest, Watch::new(limits, stop)))
    }
}

impl<P: Position> crate::Tree<P::Move> for Mcts<P> {
    fn children(&self, path: &[P::Move]) -> Vec<NodeView<P::Move>> {
        let mut id = ROOT;
        for mv in path {
            let (first, children) = self.tree.children(id);
            let Some(i) = children.iter().position(|child| child.code() == mv.code()) else {
                return Vec::new();
            };
            id = first + i as Id;
        }
        let view = |child: &tree::Node| NodeView {
            visits: u64::from(child.visits()),
            mean: mean(child),
            ..NodeView::new(P::Move::from_code(child.code()), child.bounds())
        };
        self.tree.children(id).1.iter().map(view).collect()
    }
}

/// The mean reward of a node, if it was visited.
fn mean(node: &tree::Node) -> Option<f64> {
    (node.visits() > 0).then(|| node.sum() / f64::from(node.visits()))
}

/// A part of a search between two pauses, shared by its threads.
struct Part<'a, P: Position> {
    search: &'a Mcts<P>,
    ask: Ask,
    most: Option<u64>,
    /// Neither simulations nor time are limited: more simulations alone are no reason to continue.
    only_proves: bool,
    /// Simulations handed out to threads.
    taken: AtomicU64,
    /// Solved, or a limit was reached.
    finished: AtomicBool,
    /// Why the thread that ended first did so.
    why: OnceLock<Halt>,
    /// How often the tree was recycled, and the nodes made until then. Threads hold it while they
    /// simulate; the one that recycles has it alone.
    recycled: RwLock<(u32, u64)>,
    /// Recycling is off or does not help: what must stay fills the tree.
    cramped: AtomicBool,
    range: Bounds,
}

impl<P: Position> Part<'_, P> {
    /// Takes up to `wanted` simulations; fewer, or none, near the limit.
    fn take(&self, wanted: u64) -> u64 {
        let before = self.taken.fetch_add(wanted, Relaxed);
        self.most.map_or(wanted, |most| most.saturating_sub(before).min(wanted))
    }

    /// Gives back what was taken but not used.
    fn give_back(&self, unused: u64) {
        self.taken.fetch_sub(unused, Relaxed);
    }

    fn is_finished(&self) -> bool {
        self.finished.load(Relaxed)
    }

    fn finish(&self, why: Halt) {
        let _ = self.why.set(why);
        self.finished.store(true, Relaxed);
    }

    /// Whether estimates are useless, since the tree cannot grow and only proofs are wanted.
    fn is_stuck(&self) -> bool {
        self.only_proves && self.cramped.load(Relaxed) && self.search.tree.is_full()
    }

    fn simulations(&self) -> u64 {
        let taken = self.taken.load(Relaxed);
        self.most.map_or(taken, |most| taken.min(most))
    }

    /// Makes room in the tree if it is full, and in the counters of its nodes, unless another
    /// thread has done so since it was recycled `seen` times. The caller must not hold the lock.
    fn recycle(&self, seen: u32, stop: &AtomicBool) {
        /// Visits have 32 bits, and no node has more of them than the root.
        const WORN: u32 = 1 << 31;
        let (tree, proof) = (&self.search.tree, self.search.config.proof);
        let full = tree.is_full() && !self.cramped.load(Relaxed);
        let worn = tree.node(ROOT).visits() >= WORN;
        if !full && !worn {
            return;
        }
        let mut recycled = self.recycled.write().expect("no thread panics while it simulates");
        if recycled.0 != seen {
            return;
        }
        if worn {
            tree.halve();
        }
        if full {
            let grown = tree.made() > recycled.1;
            let room = tree.recycle(|bounds| proof.is_done(bounds), stop);
            self.cramped.store(!grown || !room, Relaxed);
        }
        *recycled = (seen + 1, tree.made());
    }

    /// Whether the question is answered.
    fn is_solved(&self) -> bool {
        let (tree, proof) = (&self.search.tree, self.search.config.proof);
        if !self.ask.all_moves() {
            return proof.is_done(tree.node(ROOT).bounds());
        }
        let (_, children) = tree.children(ROOT);
        !children.is_empty() && children.iter().all(|child| proof.is_done(child.bounds()))
    }
}

/// One step of a descent.
#[derive(Copy, Clone)]
struct Step {
    id: Id,
    /// Who moves there.
    mover: Player,
}
