//! Alpha-beta as a player: depth after depth, with an evaluation function where it stops.
//!
//! Iterative deepening (Slate & Atkin 1977 \[SA77\]) of a principal variation search \[MC82\]:
//! every iteration orders the moves of the next by what it left in the table. A limit may end it
//! anywhere; the move is the best one of the last iteration, finished or not, since each begins
//! with the best move of the one before.
//!
//! Ends of games and guesses share one scale, see `value.rs`; what is certain is backed up beside
//! it (`Found`), so that a guess is never taken for a proof. Where positions can repeat, the table
//! may mix paths with different histories. That is good enough to play, but nothing is certain
//! until `confirm.rs` has walked it again without a table.

mod confirm;
mod node;
mod table_entry;
#[cfg(test)]
mod tests;
mod value;

use super::ordering::Ordering;
use super::settings::{Flat, NO_DEPTH};
use crate::report::{Halt, Report, promising_order};
use crate::search::{NodeView, Saved, Search, Tree, children_by, walk};
use crate::strategist::{Strategist, from_scratch};
use crate::table::Growing;
use crate::{Ask, Limits, Resources, Run};
use node::{Iteration, Over, Race};
use proofplay_core::{Bounds, Extras, Position};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use table_entry::{Kind, Searched};
use value::{Found, Scale, Worth};

/// How deep to search.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Config {
    /// Plies of the last iteration; without, the limits end the search.
    pub depth: Option<u8>,
}

impl Config {
    /// The largest depth.
    pub const DEEPEST: u8 = u8::MAX;
}

impl std::fmt::Display for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let deepen = self.depth.is_none();
        let flat = Flat { depth: (self.depth, NO_DEPTH), deepen, ..Flat::default() };
        f.write_str(&flat.to_string())
    }
}

/// A search that deepens; its table lasts from run to run.
pub struct Deepener<P: Position> {
    pos: P,
    config: Config,
    extras: Extras<P>,
    scale: Scale,
    table: Growing<Searched>,
    /// Entries made since the table last grew.
    puts: u64,
}

impl<P: Position> fmt::Debug for Deepener<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Deepener { pos, config, .. } = self;
        f.debug_struct("Deepener").field("pos", pos).field("config", config).finish_non_exhaustive()
    }
}

impl<P: Position> Deepener<P> {
    /// A search of `pos` and the positions after it.
    pub fn new(pos: &P, config: Config, extras: Extras<P>, resources: Resources) -> Deepener<P> {
        let (scale, table) = (Scale::new(pos.range()), Growing::new(resources.memory));
        Deepener { pos: pos.clone(), config, extras, scale, table, puts: 0 }
    }
}

impl<P: Position> Search<P> for Deepener<P> {
    fn name(&self) -> &'static str {
        "alphabeta as a player"
    }

    fn position(&self) -> &P {
        &self.pos
    }

    /// With [`Ask::AllMoves`] every move gets its exact worth; else only those that were the best
    /// of the last iteration, for a while at least.
    fn think(&mut self, ask: Ask, run: &mut Run<P::Move>) -> Report<P::Move> {
        let mut iteration = Iteration {
            root: &self.pos,
            hints: &*self.extras.hints,
            scale: self.scale,
            table: &mut self.table,
            watch: run.watch(),
            most_nodes: run.limits.nodes,
            ordering: Ordering::new(&self.pos),
            moves: Vec::new(),
            order: Vec::new(),
            puts: self.puts,
            report: Report::by_rules(&self.pos, &*self.extras.hints),
            observer: &mut *run.observer,
        };
        if self.pos.outcome().is_none() {
            iteration.deepen(&self.pos, self.config.depth.unwrap_or(Config::DEEPEST), ask);
        }
        self.puts = iteration.puts;
        let elapsed = iteration.watch.elapsed();
        Report { elapsed, ..iteration.report }
    }

    /// Its table has guesses to some depth, scaled to the scores that the first position allowed: it
    /// begins again.
    fn set_position(&mut self, pos: &P) {
        (self.pos, self.scale) = (pos.clone(), Scale::new(pos.range()));
        (self.table, self.puts) = (self.table.emptied(), 0);
    }

    fn play(&mut self, mv: P::Move) {
        self.pos.play(mv);
    }

    /// It starts again for every move: there is nothing to continue.
    fn saved(&mut self) -> Option<&mut dyn Saved> {
        None
    }

    fn strategist<'a>(
        &'a mut self,
        memory: &mut usize,
        limits: Limits,
        stop: &Arc<AtomicBool>,
    ) -> Box<dyn Strategist<P> + 'a> {
        *memory /= 2;
        from_scratch(&self.pos, &self.extras, *memory, limits, stop)
    }
}

impl<P: Position> Tree<P::Move> for Deepener<P> {
    fn children(&self, path: &[P::Move]) -> Vec<NodeView<P::Move>> {
        Shown { root: &self.pos, scale: self.scale, table: &self.table }.children(path)
    }
}

/// What the table says about moves. It is not certain: the table may mix histories.
struct Shown<'a, P> {
    root: &'a P,
    scale: Scale,
    table: &'a Growing<Searched>,
}

impl<P: Position> Tree<P::Move> for Shown<'_, P> {
    fn children(&self, path: &[P::Move]) -> Vec<NodeView<P::Move>> {
        let Some(pos) = walk(self.root, path) else { return Vec::new() };
        children_by(&pos, &mut |_, child, view| {
            let known = self.table.get(child.key()).filter(|_| child.outcome().is_none());
            view.mean = known.map(|known| self.scale.mean(known.found.worth));
            known.is_some()
        })
    }
}

impl<P: Position> Iteration<'_, P> {
    /// Searches to one ply, two, and so on up to `depth`.
    fn deepen(&mut self, pos: &P, depth: u8, ask: Ask) {
        let moves: Vec<P::Move> = self.report.moves.iter().map(|m| m.mv).collect();
        let order = promising_order(pos, self.hints, &moves).into_iter();
        self.report.moves = order.map(|i| self.report.moves[i].clone()).collect();
        self.take_best(pos);
        for depth in 1..=depth {
            let Ok(found) = self.iterate(pos, depth, ask) else { break };
            self.report.depth = depth;
            let known = if ask.all_moves() {
                self.report.moves.iter().all(|m| m.bounds.is_exact())
            } else {
                found.at_least && found.at_most || found.worth.is_decisive()
            };
            if found.worth.is_decisive() && pos.repeats() {
                self.confirm(pos, found.worth);
            }
            if known {
                break;
            }
        }
        // A limit may have left moves of unfinished positions.
        self.moves.clear();
        self.order.clear();
        self.report.rank(pos.turn(), pos.range());
        self.report.end(ask, Halt::Limit);
        self.report.memory = self.table.bytes();
    }

    /// Searches all moves to `depth` plies. The best so far moves to the front, where the next
    /// iteration begins.
    fn iterate(&mut self, pos: &P, depth: u8, ask: Ask) -> Result<Found, Over> {
        let (mover, key) = (pos.turn(), pos.key());
        let mut race = Race::new(mover, Worth::LOWEST, Worth::HIGHEST);
        for i in 0..self.report.moves.len() {
            self.grow();
            let (mv, before) = (self.report.moves[i].mv, self.report.nodes);
            let (child, child_key) = (pos.after(mv), pos.key_after(key, mv));
            let mut last = None;
            let better = race.enter(|low, high| {
                let (low, high) = if ask.all_moves() { (Worth::LOWEST, Worth::HIGHEST) } else { (low, high) };
                let found = self.value(&child, child_key, depth - 1, low, high, 1)?;
                Ok(*last.insert(found))
            })?;
            let found: Found = last.expect("it was asked for");
            let m = &mut self.report.moves[i];
            m.visits = self.report.nodes - before;
            // Behind the best one only a bound is known, unless all moves were asked for.
            m.mean = (better || ask.all_moves()).then(|| self.scale.mean(found.worth));
            m.bounds = m.bounds.tighten(found.bounds(self.scale, m.bounds));
            if better {
                self.report.moves[..=i].rotate_right(1);
                self.take_best(pos);
            }
            let bounds = Bounds::minimax(mover, self.report.moves.iter().map(|m| m.bounds));
            self.report.bounds = self.report.bounds.tighten(bounds);
        }
        Ok(race.found())
    }

    /// Plays the first of the moves.
    fn take_best(&mut self, pos: &P) {
        let line = self.line(pos, self.report.moves[0].mv);
        let best = &mut self.report.moves[0];
        (self.report.best, self.report.pv) = (Some(best.mv), line.clone());
        best.pv = line;
    }

    /// What the table expects after a move.
    fn line(&self, pos: &P, mv: P::Move) -> Vec<P::Move> {
        let (mut pos, mut line, mut moves) = (pos.after(mv), vec![mv], Vec::new());
        let mut depth = None;
        while pos.outcome().is_none() {
            let Some(known) = self.table.get(pos.key()) else { break };
            // Deeper entries come from other paths, and could form a cycle.
            if known.kind != Kind::Exact || depth.is_some_and(|depth| known.depth >= depth) {
                break;
            }
            depth = Some(known.depth);
            moves.clear();
            pos.moves(&mut moves);
            let Some(&mv) = moves.get(usize::from(known.best)) else { break };
            line.push(mv);
            pos.play(mv);
        }
        line
    }

    /// Gives the table more room if it is half full and the budget allows it.
    fn grow(&mut self) {
        if self.puts >= self.table.room() {
            *self.table = self.table.grown();
            self.puts = 0;
        }
    }
}
