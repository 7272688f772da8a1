//! Exact values by a series of questions: the part that all provers share.
//!
//! A [`Prover`] answers one question at a time: is the value of a position below, inside or above a
//! window? The [`Solver`] chooses the questions, about the root or about its moves one by one,
//! stores what the answers prove, pauses for checkpoints, and names the best move and the line of
//! play at the end. After a limit it can continue.

mod shortest;

use crate::checkpoint::{Checkpoint, Flaw, In, Out, load_progress, save_progress};
use crate::distance::Scoring;
use crate::proof::Goal;
use crate::report::{Halt, Report, promising, promising_order};
use crate::search::{NodeView, Saved, Search, Tree};
use crate::strategist::{NoMove, Strategist};
use crate::watch::Watch;
use crate::{Ask, Limits, Observer, Run};
use proofplay_core::{Bounds, Hints, Player, Position, Score, guard};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Answers questions about values, and remembers from question to question.
pub trait Prover<P: Position>: Send {
    /// Its name in messages.
    fn name(&self) -> &'static str;

    /// The root is searched move by move, not as a whole.
    fn by_moves(&self) -> bool {
        false
    }

    /// It holds a tree of the position of the last question, which shows lines of play and can
    /// continue after a pause.
    fn holds_tree(&self) -> bool {
        false
    }

    /// Starts counting again; the limits of this watch hold for all following questions together.
    /// When the checkpoint is due, an answer ends early with [`Halt::Limit`]; the same question
    /// then continues it.
    fn begin(&mut self, watch: Watch, checkpoint: Option<&Arc<Checkpoint>>);

    /// The following questions are about positions below this one.
    fn set_root(&mut self, root: &P);

    /// The next window to ask about, where `known` is certain and values inside `window` matter.
    fn next_window(&self, window: Bounds, _known: Bounds) -> Bounds {
        window
    }

    /// Answers where the value of `pos` lies, as far as the window is concerned. `known` is certain
    /// before.
    fn answer(
        &mut self,
        pos: &P,
        window: Bounds,
        known: Bounds,
        teller: &mut Teller<P::Move>,
    ) -> Answer<P::Move>;

    /// Appends moves that are known to reach the goal without a search; returns whether there are
    /// any.
    fn known_moves(&mut self, _pos: &P, _goal: Goal, _good: &mut Vec<P::Move>) -> bool {
        false
    }

    /// Records what was spent.
    fn note(&self, report: &mut Report<P::Move>);

    /// What is known about the moves of the position that `path` leads to from the root.
    fn children(&self, path: &[P::Move]) -> Vec<NodeView<P::Move>>;

    /// The position whose tree it holds.
    fn stands_at(&self) -> Option<&P> {
        None
    }

    /// Writes what it remembers.
    fn save(&mut self, out: &mut Out) -> io::Result<()>;

    /// Reads it back; it stands at `pos` if it holds a tree, and all values lie in `range`.
    fn load(&mut self, from: &mut In, pos: &P, range: Bounds) -> Result<(), Flaw>;

    /// Whether it can score ends of the game otherwise than by the rules.
    fn counts_plies(&self) -> bool {
        false
    }

    /// From now on ends of the game are scored like this.
    fn score_by(&mut self, _scoring: Scoring) {}

    /// The following questions are about a strategy for this goal.
    fn set_goal(&mut self, _goal: Goal) {}

    /// What a best-first search has done, for its tests.
    #[cfg(test)]
    fn stats(&self) -> crate::proof::Stats {
        crate::proof::Stats::default()
    }
}

/// The answer to a question.
pub struct Answer<M> {
    /// What is certain now.
    pub bounds: Bounds,
    /// What is certain about moves of the position, in their order, if they were searched.
    pub moves: Vec<(M, Bounds)>,
    /// A line of play that shows it; every move of it is certainly best.
    pub line: Vec<M>,
    /// Why there is no whole answer.
    pub halt: Option<Halt>,
}

impl<M> Answer<M> {
    /// A whole answer that shows no moves.
    pub fn whole(bounds: Bounds) -> Answer<M> {
        Answer { bounds, moves: Vec::new(), line: Vec::new(), halt: None }
    }

    /// The answer that needs no search: the game is over, or nothing inside the window is open.
    pub fn at_once<P: Position>(
        pos: &P,
        window: Bounds,
        known: Bounds,
        scoring: Scoring,
    ) -> Option<Answer<M>> {
        let end = guard::ended(pos).map(|score| Bounds::exact(scoring.end(score, 0)));
        end.or(settles(known, window).then_some(known)).map(Answer::whole)
    }

    /// No whole answer, for this reason.
    pub fn none(known: Bounds, halt: Halt) -> Answer<M> {
        Answer { halt: Some(halt), ..Answer::whole(known) }
    }
}

/// Calls the observer of a run with the progress of the solver.
pub struct Teller<'a, M> {
    report: &'a mut Report<M>,
    observer: &'a mut Observer<'a, M>,
}

impl<M> Teller<'_, M> {
    /// Reports what was spent; the observer can read `tree`.
    pub fn tell(&mut self, nodes: u64, memory: usize, elapsed: Duration, tree: &dyn Tree<M>) {
        (self.report.nodes, self.report.memory, self.report.elapsed) = (nodes, memory, elapsed);
        (self.observer)(self.report, tree);
    }

    /// The report, for a prover that has more to add.
    pub fn report(&mut self) -> &mut Report<M> {
        self.report
    }
}

/// A solver at work on a position. It calls its prover a few times a question, so one solver serves
/// them all: compiling one for each prover and game took a fifth of the whole build.
pub struct Solver<P: Position> {
    root: P,
    prover: Box<dyn Prover<P>>,
    hints: Arc<dyn Hints<P>>,
    /// What is known about the root and its moves.
    report: Report<P::Move>,
    /// How ends of the game are scored at the root.
    scoring: Scoring,
}

/// What a question is about: the root, or a move of it by its number in the report.
type About = Option<usize>;

impl<P: Position> Solver<P> {
    /// A solver with a new prover.
    pub fn new(root: &P, hints: Arc<dyn Hints<P>>, prover: Box<dyn Prover<P>>) -> Solver<P> {
        let report = Report::by_rules(root, &*hints);
        Solver { root: root.clone(), prover, hints, report, scoring: Scoring::Rules }
    }

    /// What the prover has done.
    #[cfg(test)]
    pub fn stats(&self) -> crate::proof::Stats {
        self.prover.stats()
    }

    fn known(&self, about: About) -> Bounds {
        about.map_or(self.report.bounds, |i| self.report.moves[i].bounds)
    }

    /// Asks until no value inside the window is open.
    fn narrow(&mut self, about: About, window: Bounds, run: &mut Run<P::Move>) -> Result<(), Halt> {
        let pos = about.map_or_else(|| self.root.clone(), |i| self.root.after(self.report.moves[i].mv));
        while !settles(self.known(about), window) {
            let answer = self.ask(&pos, about, window, run);
            let halt = answer.halt;
            match about {
                None => self.note_root(answer),
                Some(i) => self.note_move(i, answer),
            }
            if let Some(halt) = halt {
                return Err(halt);
            }
        }
        Ok(())
    }

    /// Asks one question, with pauses for checkpoints.
    fn ask(&mut self, pos: &P, about: About, window: Bounds, run: &mut Run<P::Move>) -> Answer<P::Move> {
        let known = self.known(about);
        let window = self.prover.next_window(window, known);
        loop {
            let Run { observer, checkpoint, .. } = run;
            let mut teller = Teller { report: &mut self.report, observer: &mut **observer };
            let answer = self.prover.answer(pos, window, known, &mut teller);
            let Some(checkpoint) = checkpoint.clone().filter(|checkpoint| checkpoint.is_due()) else {
                return answer;
            };
            if answer.halt.is_none() {
                return answer;
            }
            let mut report = self.report.clone();
            self.prover.note(&mut report);
            checkpoint.save(&report, &mut |out| self.save(out));
        }
    }

    /// Stores an answer about the root.
    fn note_root(&mut self, answer: Answer<P::Move>) {
        let (mover, report) = (self.root.turn(), &mut self.report);
        let certain = |bounds: Bounds| bounds.seen_by(mover).pess;
        // Both lists are in the order of the moves.
        let mut moves = report.moves.iter_mut();
        for (mv, bounds) in answer.moves {
            let known = moves.find(|m| m.mv == mv).expect("a root move is a move of the position");
            known.bounds = known.bounds.tighten(bounds);
        }
        // A proof shows the move; where nothing was proven, the search's own choice stays.
        let (before, raised) = (certain(report.bounds), certain(answer.bounds) > certain(report.bounds));
        if !answer.line.is_empty() && (raised || before == certain(self.root.range())) {
            (report.best, report.pv) = (answer.line.first().copied(), answer.line);
        }
        let by_moves = Bounds::minimax(mover, report.moves.iter().map(|m| m.bounds));
        report.bounds = answer.bounds.tighten(by_moves);
        // The move to play is one that secures what is certain.
        let best = report.after_best().map(certain);
        let safest = report.moves.iter().rev().max_by_key(|m| certain(m.bounds));
        if let Some(safest) = safest.filter(|safest| best < Some(certain(safest.bounds))) {
            (report.best, report.pv) = (Some(safest.mv), safest.pv.clone());
        }
    }

    /// Stores an answer about a move of the root.
    fn note_move(&mut self, i: usize, answer: Answer<P::Move>) {
        let known = &mut self.report.moves[i];
        known.bounds = known.bounds.tighten(answer.bounds);
        if answer.halt.is_none() && !answer.line.is_empty() {
            known.pv.truncate(1);
            known.pv.extend(answer.line);
        }
    }

    /// Searches the moves of the root one by one, so that each finished one counts even if time
    /// runs out.
    fn move_by_move(&mut self, ask: Ask, run: &mut Run<P::Move>) -> Result<(), Halt> {
        let (mover, range) = (self.root.turn(), self.root.range());
        let moves: Vec<P::Move> = self.report.moves.iter().map(|m| m.mv).collect();
        let mut order = promising_order(&self.root, &*self.hints, &moves);
        // The position of the prover comes first: it continues there.
        let at = order
            .iter()
            .position(|&i| self.prover.stands_at().is_some_and(|at| *at == self.root.after(moves[i])));
        if let Some(at) = at {
            order[..=at].rotate_right(1);
        }
        let best_of = |a: Option<Bounds>, b: Bounds| Some(Bounds::minimax(mover, a.into_iter().chain([b])));
        // What the moves from each place of the order on allow together, and what those before it
        // do.
        let mut rest = Vec::new();
        for &i in order.iter().rev() {
            rest.extend(best_of(rest.last().copied(), self.report.moves[i].bounds));
        }
        let certain = |bounds: Bounds| bounds.seen_by(mover).pess;
        let (mut before, mut safest) = (None, self.report.after_best().map(certain));
        let mut halt = None;
        for &i in &order {
            let behind = rest.pop().expect("one for each move");
            self.report.bounds = best_of(before, behind).map_or(range, |bounds| range.tighten(bounds));
            if self.report.bounds.is_exact() && !ask.all_moves() {
                return Ok(());
            }
            // Unless the question is about all moves, a move only matters if it can be better than
            // the best one so far.
            let window = if ask.all_moves() { range } else { self.report.bounds };
            let ended = self.narrow(Some(i), window, run).err();
            let known = self.report.moves[i].bounds;
            if Some(certain(known)) > safest {
                (self.report.best, safest) = (Some(moves[i]), Some(certain(known)));
            }
            before = best_of(before, known);
            halt = ended.or(halt);
            // Another move may need less memory than this one.
            if ended.is_some_and(|ended| ended != Halt::Memory) {
                break;
            }
        }
        let by_moves = Bounds::minimax(mover, self.report.moves.iter().map(|m| m.bounds));
        self.report.bounds = range.tighten(by_moves);
        halt.map_or(Ok(()), Err)
    }

    /// Whether `owner` can make sure of `score` or better (for `First` at least, for `Second` at most) at a position `ply` plies
    /// after the root; why not if that is open.
    fn holds(&mut self, pos: &P, ply: usize, owner: Player, score: Score) -> Result<bool, Halt> {
        let scoring = self.scoring.at(ply);
        self.prover.score_by(scoring);
        if let Some(end) = guard::ended(pos) {
            return Ok(scoring.end(end, 0).seen_by(owner) >= score.seen_by(owner));
        }
        let window = match owner {
            Player::First => Bounds { pess: Score(score.0 - 1), opti: score },
            Player::Second => Bounds { pess: score, opti: Score(score.0 + 1) },
        };
        let mut teller = Teller { report: &mut Report::new(pos.range()), observer: &mut |_, _| () };
        let answer = self.prover.answer(pos, window, scoring.bounds(pos.range(), 0), &mut teller);
        match answer.halt {
            Some(halt) => Err(halt),
            None => Ok(answer.bounds.seen_by(owner).pess >= score.seen_by(owner)),
        }
    }

    /// A move after which its player still has `score`, the most promising first; `None` if there
    /// is none.
    fn preserving(&mut self, pos: &P, ply: usize, score: Score) -> Result<Option<P::Move>, Halt> {
        for mv in promising(pos, &*self.hints) {
            if self.holds(&pos.after(mv), ply + 1, pos.turn(), score)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// A line of best play from a position of known value, `ply` plies after the root, as far as the limits allow.
    fn line(&mut self, pos: &P, ply: usize, value: Score) -> Vec<P::Move> {
        let (mut pos, mut line) = (pos.clone(), Vec::new());
        while pos.outcome().is_none() && line.len() < 2 * guard::MOST_PLIES {
            let Ok(Some(mv)) = self.preserving(&pos, ply + line.len(), value) else { break };
            line.push(mv);
            pos.play(mv);
        }
        line
    }

    /// Names a move that is proven to preserve the value of the root, the most promising one,
    /// unless a limit is reached first.
    fn name_move(&mut self, value: Score) {
        let (mover, enough) = (self.root.turn(), value.seen_by(self.root.turn()));
        let moves: Vec<P::Move> = self.report.moves.iter().map(|m| m.mv).collect();
        for i in promising_order(&self.root, &*self.hints, &moves) {
            let Bounds { pess, opti } = self.report.moves[i].bounds.seen_by(mover);
            if opti < enough {
                continue;
            }
            let keeps = pess >= enough || {
                let child = self.root.after(moves[i]);
                let Ok(holds) = self.holds(&child, 1, mover, value) else { return };
                holds
            };
            if keeps {
                // No move is worth more than the position.
                self.report.moves[i].bounds = Bounds::exact(value);
                self.report.best = Some(moves[i]);
                return;
            }
            self.report.moves[i].bounds = Bounds::new(pess, Score(enough.0 - 1)).seen_by(mover);
        }
    }

    /// Names the best move and its line, as far as they are proven.
    fn name_best(&mut self) {
        let (root, mover) = (self.root.clone(), self.root.turn());
        if self.prover.holds_tree() {
            self.report.prefer_open(&root, &*self.hints);
            self.report.prefer_ends(&root);
        } else {
            if let Some(value) = self.report.bounds.value() {
                self.name_move(value);
            }
            self.report.prefer_open(&root, &*self.hints);
            self.report.pv = self.report.best.into_iter().collect();
            if let (Some(best), true) = (self.report.best, self.report.best_is_proven(mover)) {
                let line = self.line(&root.after(best), 1, self.report.bounds.pess);
                self.report.pv.extend(line);
            }
        }
        if let Some(best) = self.report.moves.iter_mut().find(|m| Some(m.mv) == self.report.best) {
            best.pv.clone_from(&self.report.pv);
        }
    }
}

impl<P: Position> Search<P> for Solver<P> {
    fn name(&self) -> &'static str {
        self.prover.name()
    }

    fn position(&self) -> &P {
        &self.root
    }

    fn counts_plies(&self) -> bool {
        self.prover.counts_plies()
    }

    fn think(&mut self, ask: Ask, run: &mut Run<P::Move>) -> Report<P::Move> {
        if let Some(score) = self.root.outcome() {
            self.report.plies = score.winner().filter(|_| ask.distances()).map(|_| 0);
            return self.report.clone();
        }
        self.score_by(Scoring::Rules);
        self.prover.begin(run.watch(), run.checkpoint.as_ref());
        let halt = if ask.all_moves() || self.prover.by_moves() {
            self.move_by_move(ask, run).err()
        } else {
            self.narrow(None, self.report.bounds, run).err()
        };
        if ask.all_moves() && self.prover.holds_tree() {
            let best = self.report.moves.iter().find(|m| Some(m.mv) == self.report.best);
            self.report.pv = best.map(|m| m.pv.clone()).unwrap_or_default();
        }
        // The questions that follow are short: no pauses.
        run.checkpoint.iter().for_each(|checkpoint| checkpoint.finish());
        self.name_best();
        let halt = halt.or_else(|| self.count_plies(ask, run).err());
        self.report.end(ask, halt.unwrap_or(Halt::Limit));
        if !self.report.best_is_proven(self.root.turn()) && self.report.halt == Halt::Solved {
            self.report.halt = Halt::Limit;
        }
        self.prover.note(&mut self.report);
        self.report.clone()
    }

    fn set_position(&mut self, pos: &P) {
        self.root = pos.clone();
        self.report = Report::by_rules(&self.root, &*self.hints);
        self.prover.set_root(&self.root);
    }

    fn saved(&mut self) -> Option<&mut dyn Saved> {
        Some(self)
    }

    fn strategist<'a>(
        &'a mut self,
        _memory: &mut usize,
        limits: Limits,
        stop: &Arc<AtomicBool>,
    ) -> Box<dyn Strategist<P> + 'a> {
        self.prover.begin(Watch::new(limits, stop), None);
        Box::new(self)
    }
}

impl<P: Position> Tree<P::Move> for Solver<P> {
    fn children(&self, path: &[P::Move]) -> Vec<NodeView<P::Move>> {
        self.prover.children(path)
    }
}

/// In a checkpoint, the number of a move of the root stands for the root itself.
const ABOUT_ROOT: u32 = u32::MAX;

impl<P: Position> Saved for Solver<P> {
    fn save(&mut self, out: &mut Out) -> io::Result<()> {
        save_progress(&self.root, &self.report, out)?;
        if let Some(at) = self.prover.stands_at() {
            let moves = &mut self.report.moves.iter();
            let number = moves.position(|m| self.root.after(m.mv) == *at);
            out.u32(number.map_or(ABOUT_ROOT, |number| number as u32))?;
        } else if self.prover.holds_tree() {
            out.u32(ABOUT_ROOT)?;
        }
        self.prover.save(out)
    }

    fn load(&mut self, from: &mut In) -> Result<(), Flaw> {
        load_progress(&self.root, &mut self.report, from)?;
        let mut at = self.root.clone();
        if self.prover.holds_tree() {
            let number = from.u32()?;
            if number != ABOUT_ROOT {
                let known = self.report.moves.get(number as usize);
                let known = known.ok_or(Flaw::Nonsense("it is about a move that is not there"))?;
                at.play(known.mv);
            }
            if at.outcome().is_some() {
                return Err(Flaw::Nonsense("it is about a game that is over"));
            }
        }
        self.prover.load(from, &at, self.root.range())
    }
}

impl<P: Position> Solver<P> {
    /// The strategy of a solver that is used for nothing else.
    pub fn into_strategist(mut self, limits: Limits, stop: &Arc<AtomicBool>) -> Box<dyn Strategist<P>> {
        self.prover.begin(Watch::new(limits, stop), None);
        Box::new(self)
    }
}

/// A strategy by the questions of a solver.
impl<P: Position> Strategist<P> for Solver<P> {
    fn name(&self) -> &'static str {
        self.prover.name()
    }

    fn choose(
        &mut self,
        pos: &P,
        goal: Goal,
        scoring: Scoring,
        good: &mut Vec<P::Move>,
    ) -> Result<(), NoMove> {
        debug_assert_eq!(pos.turn(), goal.player);
        if scoring.counts_plies() && !self.prover.counts_plies() {
            return Err(NoMove::NoPlies);
        }
        self.score_by(scoring);
        self.prover.set_goal(goal);
        if self.prover.known_moves(pos, goal, good) {
            return Ok(());
        }
        let (score, ply) = (goal.at_least.seen_by(goal.player), scoring.ply());
        match self.holds(pos, ply, goal.player, score)? {
            false => Err(NoMove::Unproven),
            // The prover remembers the move of its answer, unless that was overwritten.
            true if self.prover.known_moves(pos, goal, good) => Ok(()),
            true => {
                good.push(self.preserving(pos, ply, score)?.ok_or(NoMove::Unproven)?);
                Ok(())
            }
        }
    }
}

impl From<Halt> for NoMove {
    fn from(halt: Halt) -> NoMove {
        if halt == Halt::Memory { NoMove::Memory } else { NoMove::Limit }
    }
}

/// Whether nothing inside the window is left to be found.
pub fn settles(bounds: Bounds, window: Bounds) -> bool {
    bounds.is_exact() || bounds.pess >= window.opti || bounds.opti <= window.pess
}

/// What a search with this window has proven when it returned `value`.
pub fn proven_by(value: Score, window: Bounds) -> Bounds {
    const LOWEST: Score = Score(-i16::MAX);
    const HIGHEST: Score = Score(i16::MAX);
    Bounds {
        pess: if value > window.pess { value } else { LOWEST },
        opti: if value < window.opti { value } else { HIGHEST },
    }
}
