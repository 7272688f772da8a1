//! What a search has found, at its end or so far.

use crate::Ask;
use crate::mcts::scaled;
use proofplay_core::{Bounds, Hints, Player, Position, Score, guard};
use std::cmp::Reverse;
use std::time::Duration;

/// What is known about a position. Moves are `M`: typed inside a search, text outside.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Report<M> {
    /// What is certain about the value, in the view of `First`.
    pub bounds: Bounds,
    /// In how many plies the game ends if the winner hurries and the loser holds out, where that was asked and is proven; never
    /// of a draw.
    pub plies: Option<u32>,
    /// The move to play; `None` when the game is over. It may be a guess, even where the value is
    /// known: see [`Report::best_is_proven`].
    pub best: Option<M>,
    /// The best line of play known.
    pub pv: Vec<M>,
    /// The moves of the position, if the search has searched them one by one.
    pub moves: Vec<MoveReport<M>>,
    /// Positions visited, or nodes made.
    pub nodes: u64,
    /// Positions whose moves a best-first proof search or `retrograde` has listed; 0 for other searches.
    pub expansions: u64,
    /// The nodes that a proof search on two levels has made on its first level; `nodes` for one on
    /// a single level, 0 for others.
    pub main_nodes: u64,
    /// Simulations of a Monte-Carlo search.
    pub simulations: u64,
    /// Plies of the last finished iteration of a search that deepens; 0 for other searches.
    pub depth: u8,
    /// Bytes of tables and trees.
    pub memory: usize,
    /// Why the search has ended; [`Halt::Limit`] while it runs.
    pub halt: Halt,
    /// Time used.
    pub elapsed: Duration,
}

/// What is known about one move.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MoveReport<M> {
    /// The move.
    pub mv: M,
    /// What is certain about the value after it, in the view of `First`.
    pub bounds: Bounds,
    /// As [`Report::plies`], this move counted.
    pub plies: Option<u32>,
    /// Simulations through it, or nodes below it in the last iteration of a search that deepens.
    pub visits: u64,
    /// The mean reward of these, moved into the bounds, in the view of `First`; `None` without any.
    /// Of a search that deepens, what the move is worth to its depth; `None` if the search has only
    /// shown that another move is at least as good.
    pub mean: Option<f64>,
    /// The mean is of wins, draws and losses, 1, 0 and -1, whatever the points: what networks say.
    pub counts_wins: bool,
    /// In games of points, the share of simulations through it that `First` has won; a draw counts
    /// half. `None` without any, and in other games, where the mean says as much.
    pub wins: Option<f64>,
    /// The best line of play known, from this move on.
    pub pv: Vec<M>,
}

/// Why a search has ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Halt {
    /// The answer is proven.
    Solved,
    /// A limit was reached, or the stop flag was set.
    Limit,
    /// Its memory is full, and it can prove nothing more without more of it.
    Memory,
    /// Nothing is left to find: its rule of proof cannot express more, as a solver of wins and
    /// losses cannot prove a draw.
    Exhausted,
}

impl Halt {
    /// `solved`, `limit`, `memory` or `exhausted`.
    pub fn word(self) -> &'static str {
        match self {
            Halt::Solved => "solved",
            Halt::Limit => "limit",
            Halt::Memory => "memory",
            Halt::Exhausted => "exhausted",
        }
    }
}

/// A word for a value in one player's view.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Certainly better than a draw.
    Win,
    /// Certainly a draw.
    Draw,
    /// Certainly worse than a draw.
    Loss,
    /// Not yet certain.
    Unknown,
}

impl Verdict {
    /// What `bounds` (in the view of `First`) mean for `player`.
    pub fn of(bounds: Bounds, player: Player) -> Verdict {
        let own = bounds.seen_by(player);
        match (own.pess.0, own.opti.0) {
            (1.., _) => Verdict::Win,
            (_, ..=-1) => Verdict::Loss,
            (0, 0) => Verdict::Draw,
            _ => Verdict::Unknown,
        }
    }

    /// `win`, `draw`, `loss` or `unknown`.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Win => "win",
            Verdict::Draw => "draw",
            Verdict::Loss => "loss",
            Verdict::Unknown => "unknown",
        }
    }
}

impl<M> MoveReport<M> {
    /// Moves what is estimated into what is certain. `range` has the scores that the searched
    /// position allows.
    pub(crate) fn settle(&mut self, range: Bounds) {
        let Bounds { pess, opti } = self.bounds;
        let of_wins = |score: Score| f64::from(score.0.signum());
        let [low, high] = [range.pess, range.opti].map(|score| f64::from(score.0));
        let reward = |score: Score| match self.counts_wins {
            true => of_wins(score),
            false if low == high => 0.0,
            false => (2.0 * f64::from(score.0) - low - high) / (high - low),
        };
        self.mean = self.mean.map(|mean| mean.clamp(reward(pess), reward(opti)));
        let chance = |score| (of_wins(score) + 1.0) / 2.0;
        self.wins = self.wins.map(|wins| wins.clamp(chance(pess), chance(opti)));
    }
}

impl<M> Report<M> {
    /// A report with nothing but `bounds`.
    pub fn new(bounds: Bounds) -> Report<M> {
        Report {
            bounds,
            plies: None,
            best: None,
            pv: Vec::new(),
            moves: Vec::new(),
            nodes: 0,
            expansions: 0,
            main_nodes: 0,
            simulations: 0,
            depth: 0,
            memory: 0,
            halt: Halt::Limit,
            elapsed: Duration::ZERO,
        }
    }

    /// What the rules alone show about a position and its moves: a move that ends the game has its
    /// score. The move to play is the safest one so far; of several, the most promising one.
    pub(crate) fn by_rules<P: Position<Move = M>>(pos: &P, hints: &dyn Hints<P>) -> Report<M>
    where
        M: Copy,
    {
        let mut report = Report::new(pos.range());
        if let Some(score) = guard::ended(pos) {
            (report.bounds, report.halt) = (Bounds::exact(score), Halt::Solved);
            return report;
        }
        let (mover, mut moves) = (pos.turn(), Vec::new());
        pos.moves(&mut moves);
        let by_rules = |&mv: &M| {
            let child = pos.after(mv);
            let bounds = guard::ended(&child).map_or_else(|| child.range(), Bounds::exact);
            MoveReport {
                mv,
                bounds,
                plies: None,
                visits: 0,
                mean: None,
                counts_wins: false,
                wins: None,
                pv: vec![mv],
            }
        };
        report.moves = moves.iter().map(by_rules).collect();
        report.bounds = report.bounds.tighten(Bounds::minimax(mover, report.moves.iter().map(|m| m.bounds)));
        let safety = |i: &usize| report.moves[*i].bounds.seen_by(mover).pess;
        let best = promising_order(pos, hints, &moves).into_iter().rev().max_by_key(safety);
        report.best = best.map(|i| moves[i]);
        report.pv.extend(report.best);
        report
    }

    /// What is certain after the move to play, in the view of `First`.
    pub(crate) fn after_best(&self) -> Option<Bounds>
    where
        M: PartialEq,
    {
        let best = self.best.as_ref()?;
        self.moves.iter().find(|m| m.mv == *best).map(|m| m.bounds)
    }

    /// Whether the value of the position is known and the move to play is proven to preserve it,
    /// for `mover`, whose turn it is. A search whose budget ends between the two proofs has the
    /// value and only a guess at the move.
    pub fn best_is_proven(&self, mover: Player) -> bool
    where
        M: PartialEq,
    {
        let certain = |bounds: Bounds| bounds.seen_by(mover).pess;
        self.bounds.is_exact()
            && self.after_best().is_some_and(|after| certain(after) >= certain(self.bounds))
    }

    /// Replaces a move to play that cannot have the value (or, while the value is open, one that is
    /// settled) by the most promising move that may be better. If only one move can have the value,
    /// it gets that value.
    pub(crate) fn prefer_open<P: Position<Move = M>>(&mut self, pos: &P, hints: &dyn Hints<P>)
    where
        M: Copy + PartialEq,
    {
        let mover = pos.turn();
        let own = |m: &MoveReport<M>| m.bounds.seen_by(mover);
        let Some(at) = self.moves.iter().position(|m| Some(m.mv) == self.best) else { return };
        let best = own(&self.moves[at]);
        let enough = self.bounds.value().map(|value| value.seen_by(mover));
        let may_be_best = |m: &MoveReport<M>| match enough {
            Some(enough) => own(m).opti >= enough,
            None => own(m).pess >= best.pess && own(m).opti > best.opti,
        };
        let lacking = enough.map_or(best.is_exact(), |enough| best.opti < enough);
        if lacking {
            let moves: Vec<M> = self.moves.iter().map(|m| m.mv).collect();
            let open = promising_order(pos, hints, &moves).into_iter().find(|&i| may_be_best(&self.moves[i]));
            if let Some(open) = open {
                (self.best, self.pv) = (Some(moves[open]), self.moves[open].pv.clone());
            }
        }
        if let Some(value) = self.bounds.value() {
            let mut left =
                self.moves.iter_mut().filter(|m| m.bounds.seen_by(mover).opti >= value.seen_by(mover));
            if let (Some(only), None) = (left.next(), left.next()) {
                only.bounds = only.bounds.tighten(Bounds::exact(value));
            }
        }
    }

    /// Of the moves that are proven to preserve the value, prefers one that wins at once to the
    /// present move, and the present move to one that loses at once.
    pub(crate) fn prefer_ends<P: Position<Move = M>>(&mut self, pos: &P)
    where
        M: Copy + PartialEq,
    {
        let Some(value) = self.bounds.value() else { return };
        let (mover, best) = (pos.turn(), self.best);
        let rank = |m: &&MoveReport<M>| {
            let end = pos.after(m.mv).outcome().map_or(0, |score| score.seen_by(mover).0);
            (end, Some(m.mv) == best)
        };
        let keeps = |m: &&MoveReport<M>| m.bounds.seen_by(mover).pess >= value.seen_by(mover);
        if let Some(m) = self.moves.iter().rev().filter(keeps).max_by_key(rank)
            && Some(m.mv) != best
        {
            (self.best, self.pv) = (Some(m.mv), m.pv.clone());
        }
    }

    /// Of the moves that are proven to have the value of the position, plays the one that wins soonest or loses latest, if the
    /// plies of all of them were counted.
    pub(crate) fn prefer_soonest(&mut self, mover: Player)
    where
        M: Copy,
    {
        let Some(value) = self.bounds.value() else { return };
        let hurries = value.winner() == Some(mover);
        let best = self.moves.iter().filter(|m| m.bounds.value() == Some(value));
        let counted = best.map(|m| m.plies.map(|plies| (plies, m.mv))).collect::<Option<Vec<_>>>();
        let rank = |(plies, _): &&(u32, M)| if hurries { -i64::from(*plies) } else { i64::from(*plies) };
        if let Some(&(plies, mv)) = counted.iter().flatten().rev().max_by_key(rank) {
            (self.plies, self.best) = (Some(plies), Some(mv));
        }
    }

    /// Sorts the moves for `mover`: the move to play, then proven wins, then the others by their
    /// value, a proven draw as a draw, then those of which no value is known, and proven losses
    /// last. `range` has all scores of the game.
    pub fn rank(&mut self, mover: Player, range: Bounds)
    where
        M: PartialEq,
    {
        let sign = if mover == Player::First { 1.0 } else { -1.0 };
        let rank = |m: &MoveReport<M>| {
            let own = m.bounds.seen_by(mover);
            let (class, value) = match Verdict::of(m.bounds, mover) {
                _ if Some(&m.mv) == self.best.as_ref() => (5, 0.0),
                Verdict::Win => (4, f64::from(own.pess.0)),
                Verdict::Draw => (3, sign * f64::from(scaled(0, range))),
                Verdict::Loss => (1, f64::from(own.opti.0)),
                Verdict::Unknown => m.mean.map_or((2, f64::from(own.opti.0)), |mean| (3, sign * mean)),
            };
            (class, value)
        };
        let better = |a: &(i32, f64), b: &(i32, f64)| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1));
        let mut ranked: Vec<_> = std::mem::take(&mut self.moves).into_iter().map(|m| (rank(&m), m)).collect();
        ranked.sort_by(|(a, _), (b, _)| better(a, b));
        self.moves = ranked.into_iter().map(|(_, m)| m).collect();
    }

    /// Records why the search has ended: it is solved, or else this reason.
    pub(crate) fn end(&mut self, ask: Ask, unsolved: Halt) {
        self.halt = if self.is_solved(ask) { Halt::Solved } else { unsolved };
    }

    /// Whether the answer is known: the value, or that of every move.
    pub fn is_solved(&self, ask: Ask) -> bool {
        let counted = |bounds: Bounds, plies: Option<u32>| {
            let won = bounds.value().is_some_and(|value| value.winner().is_some());
            !ask.distances() || !won || plies.is_some()
        };
        self.bounds.is_exact()
            && counted(self.bounds, self.plies)
            && (!ask.all_moves()
                || self.moves.iter().all(|m| m.bounds.is_exact() && counted(m.bounds, m.plies)))
    }

    /// The same report with other moves, e.g. as text. `line` translates a whole line of play from
    /// the root.
    pub fn translate<N>(self, line: impl Fn(&[M]) -> Vec<N>) -> Report<N>
    where
        M: Copy,
    {
        let one = |mv: M| line(&[mv]).pop().expect("a line is as long as its translation");
        Report {
            bounds: self.bounds,
            plies: self.plies,
            best: self.best.map(one),
            pv: line(&self.pv),
            moves: self
                .moves
                .iter()
                .map(|m| MoveReport {
                    mv: one(m.mv),
                    bounds: m.bounds,
                    plies: m.plies,
                    visits: m.visits,
                    mean: m.mean,
                    counts_wins: m.counts_wins,
                    wins: m.wins,
                    pv: line(&m.pv),
                })
                .collect(),
            nodes: self.nodes,
            expansions: self.expansions,
            main_nodes: self.main_nodes,
            simulations: self.simulations,
            depth: self.depth,
            memory: self.memory,
            halt: self.halt,
            elapsed: self.elapsed,
        }
    }
}

/// The moves of a position as numbers in `moves`, the most promising first: winning ends of the
/// game come before everything else, losing ones after it.
pub(crate) fn promising_order<P: Position>(pos: &P, hints: &dyn Hints<P>, moves: &[P::Move]) -> Vec<usize> {
    let (mover, mut promise) = (pos.turn(), vec![0; moves.len()]);
    hints.order(pos, moves, &mut promise);
    let mut ends = vec![0; moves.len()];
    for (end, &mv) in ends.iter_mut().zip(moves) {
        *end = pos.after(mv).outcome().map_or(0, |score| score.seen_by(mover).0);
    }
    by_ends_and_promise(&ends, &promise)
}

/// Numbers of moves, best first: ends of the game by their score, then by hints, then in order.
fn by_ends_and_promise(ends: &[i16], promise: &[u8]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by_key(|&i| Reverse((ends[i], promise[i])));
    order
}

/// The moves of a position, the most promising first.
pub(crate) fn promising<P: Position>(pos: &P, hints: &dyn Hints<P>) -> Vec<P::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    promising_order(pos, hints, &moves).into_iter().map(|i| moves[i]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mean and a share of wins that contradict what is proven are not told.
    #[test]
    fn estimates_lie_within_the_bounds() {
        let range = Bounds::new(Score(-10), Score(10));
        let settled = |(pess, opti): (i16, i16), counts_wins, mean, wins| {
            let bounds = Bounds::new(Score(pess), Score(opti));
            let (mean, wins) = (Some(mean), Some(wins));
            let mut m =
                MoveReport { mv: (), bounds, plies: None, visits: 3, mean, counts_wins, wins, pv: vec![] };
            m.settle(range);
            (m.mean.unwrap(), m.wins.unwrap())
        };
        assert_eq!(settled((-10, 10), false, 0.25, 0.75), (0.25, 0.75));
        assert_eq!(settled((-10, 0), false, 0.25, 0.75), (0.0, 0.5));
        assert_eq!(settled((5, 10), false, 0.25, 0.75), (0.5, 1.0));
        assert_eq!(settled((5, 5), true, 0.25, 0.75), (1.0, 1.0));
        assert_eq!(settled((-10, -1), true, 0.25, 0.0), (-1.0, 0.0));
    }
}
