//! Best-first search as a prover: one goal after the other, in a tree that continues after a pause.

use super::best_first::{BestFirst, Ended, Spending, Stats};
use super::goal::Goal;
use super::info::{Info, Status};
use super::{Config, Store};
use crate::checkpoint::{Checkpoint, Flaw, In, Out};
use crate::distance::Scoring;
use crate::report::{Halt, Report};
use crate::search::{NodeView, Tree};
use crate::solver::{Answer, Prover, Solver, Teller};
use crate::watch::Watch;
use proofplay_core::{Bounds, Extras, Position, Score};
use std::io;
use std::sync::Arc;

/// A best-first search and what it may spend.
pub struct ByGoals<P: Position, I: Info> {
    root: P,
    config: Config,
    extras: Extras<P>,
    memory: usize,
    search: BestFirst<P, I>,
    /// The search has been started on a position.
    stands: bool,
    budget: Spending,
    /// It pauses when this is due, but only between two rounds of the first level.
    checkpoint: Option<Arc<Checkpoint>>,
    /// What the search had done when these limits began.
    before: Stats,
}

impl<P: Position, I: Info> ByGoals<P, I> {
    /// A solver of `pos`, for goals of its mover.
    pub fn solver(pos: &P, config: Config, extras: Extras<P>, memory: usize) -> Solver<P> {
        let hints = Arc::clone(&extras.hints);
        Solver::new(pos, hints, Box::new(ByGoals::<P, I>::new(pos, config, extras, memory)))
    }

    fn new(pos: &P, config: Config, extras: Extras<P>, memory: usize) -> ByGoals<P, I> {
        let goal = Goal { player: pos.turn(), at_least: Score::WIN };
        let search = search(config, extras.clone(), goal, memory);
        let (root, budget) = (pos.clone(), Spending { watch: Watch::idle(), nodes: 0 });
        ByGoals {
            root,
            config,
            extras,
            memory,
            search,
            stands: false,
            budget,
            checkpoint: None,
            before: Stats::default(),
        }
    }

    /// Starts again, for goals of the other player.
    fn restart(&mut self, goal: Goal) {
        // Never two stores at once.
        self.search = search(self.config, self.extras.clone(), goal, 0);
        self.search = search(self.config, self.extras.clone(), goal, self.memory);
        (self.stands, self.before) = (false, Stats::default());
    }

    /// The line of the search, as far as every move in it is certainly best. All of it if it ends
    /// with the best possible score for the player whom the answer favours; else the first move if
    /// that player makes it.
    fn shown_line(&mut self, pos: &P, status: Status, bounds: Bounds) -> Vec<P::Move> {
        let player = self.search.judge().goal().player;
        let (own, range) = (bounds.seen_by(player), pos.range().seen_by(player));
        let mut line = self.search.line();
        let (best_there_is, winner) = match status {
            Status::Open => (true, player),
            Status::Proven => (own.pess == range.opti, player),
            Status::Disproven => (own.opti == range.pess, !player),
        };
        if !best_there_is {
            line.truncate(usize::from(pos.turn() == winner));
        }
        line
    }
}

/// The search of a configuration, for a goal to begin with.
fn search<P: Position, I: Info>(
    config: Config,
    mut extras: Extras<P>,
    goal: Goal,
    bytes: usize,
) -> BestFirst<P, I> {
    extras.facts = extras.facts.filter(|_| config.facts);
    let store = |graph, bytes| BestFirst::new(goal, config.init, extras.clone(), graph, bytes);
    let tree = |bytes| store(false, bytes);
    match config.store {
        Store::Tree => tree(bytes),
        Store::Graph { symmetry } => store(true, bytes).with_symmetry(symmetry),
        Store::TwoLevel => tree(bytes / 2).above(tree(bytes / 2)),
    }
}

impl<P: Position, I: Info> Prover<P> for ByGoals<P, I> {
    fn name(&self) -> &'static str {
        self.config.name()
    }

    fn holds_tree(&self) -> bool {
        true
    }

    fn begin(&mut self, watch: Watch, checkpoint: Option<&Arc<Checkpoint>>) {
        self.budget = Spending { watch, nodes: 0 };
        self.checkpoint = checkpoint.cloned();
        self.before = self.search.stats();
    }

    fn set_root(&mut self, root: &P) {
        self.root = root.clone();
        self.restart(Goal { player: root.turn(), at_least: Score::WIN });
    }

    fn set_goal(&mut self, goal: Goal) {
        if self.search.judge().goal() != goal {
            self.restart(goal);
        }
    }

    fn next_window(&self, _window: Bounds, known: Bounds) -> Bounds {
        Goal::next(self.search.judge().goal().player, known).window()
    }

    fn answer(
        &mut self,
        pos: &P,
        window: Bounds,
        known: Bounds,
        teller: &mut Teller<P::Move>,
    ) -> Answer<P::Move> {
        if let Some(answer) = Answer::at_once(pos, window, known, Scoring::Rules) {
            return answer;
        }
        let goal = Goal::of_window(self.search.judge().goal().player, window);
        if !(self.stands && self.search.judge().goal() == goal && self.search.root() == pos) {
            self.search.start(pos, goal);
            self.stands = true;
        }
        let ByGoals { root, search, budget, before, checkpoint, .. } = self;
        let ended = search.run(u64::MAX, budget, &mut |search, budget| {
            if !budget.watch.report_due() {
                return false;
            }
            note(teller.report(), budget, &search.stats(), before);
            let (nodes, memory, elapsed) = (budget.nodes, search.stats().bytes, budget.watch.elapsed());
            teller.tell(nodes, memory, elapsed, &Shown { root, search });
            budget.watch.reported();
            checkpoint.as_ref().is_some_and(|checkpoint| checkpoint.is_due())
        });
        let (status, judge) = (self.search.status(), *self.search.judge());
        let bounds = judge.bounds(status, known);
        let moves = self.search.root_moves().into_iter();
        let moves = moves.map(|(mv, status)| (mv, judge.bounds(status, pos.after(mv).range()))).collect();
        let line = self.shown_line(pos, status, bounds);
        let halt = match ended {
            Ended::Solved => None,
            Ended::Memory => Some(Halt::Memory),
            Ended::Limit | Ended::Enough => Some(Halt::Limit),
        };
        Answer { bounds, moves, line, halt }
    }

    fn known_moves(&mut self, pos: &P, goal: Goal, good: &mut Vec<P::Move>) -> bool {
        debug_assert_eq!(self.search.judge().goal(), goal);
        let solved = self.stands && self.search.root() == pos && self.search.status() == Status::Proven;
        let shown = if solved { self.search.line().first().copied() } else { None };
        let known = shown.or_else(|| self.search.proven_move(pos));
        good.extend(known);
        known.is_some()
    }

    fn note(&self, report: &mut Report<P::Move>) {
        note(report, &self.budget, &self.search.stats(), &self.before);
    }

    fn children(&self, path: &[P::Move]) -> Vec<NodeView<P::Move>> {
        if !self.stands {
            return Vec::new();
        }
        Shown { root: &self.root, search: &self.search }.children(path)
    }

    fn stands_at(&self) -> Option<&P> {
        self.stands.then(|| self.search.root())
    }

    fn save(&mut self, out: &mut Out) -> io::Result<()> {
        if !self.stands {
            // A search that has not begun has made no nodes.
            self.search.start(&self.root, Goal::next(self.root.turn(), self.root.range()));
            self.stands = true;
        }
        self.search.tidy();
        self.search.save(out)
    }

    fn load(&mut self, from: &mut In, pos: &P, _range: Bounds) -> Result<(), Flaw> {
        self.stands = true;
        self.search.load(pos, from)
    }

    #[cfg(test)]
    fn stats(&self) -> Stats {
        self.search.stats()
    }
}

/// Records what was spent.
fn note<M>(report: &mut Report<M>, budget: &Spending, stats: &Stats, before: &Stats) {
    report.nodes = budget.nodes;
    report.expansions = stats.expansions - before.expansions;
    report.main_nodes = stats.nodes - before.nodes;
    report.memory = stats.bytes;
    report.elapsed = budget.watch.elapsed();
}

/// What observers can see between two rounds.
struct Shown<'a, P: Position, I: Info> {
    root: &'a P,
    search: &'a BestFirst<P, I>,
}

impl<P: Position, I: Info> Tree<P::Move> for Shown<'_, P, I> {
    fn children(&self, path: &[P::Move]) -> Vec<NodeView<P::Move>> {
        let at = self.search.root();
        match path {
            path if self.root == at => self.search.children(path),
            [first, rest @ ..] if self.root.outcome().is_none() && self.root.after(*first) == *at => {
                self.search.children(rest)
            }
            _ => Vec::new(),
        }
    }
}
