//! What a search has found, at its end or so far.

use proofplay_core::{Bounds, Player};
use std::time::Duration;

/// What is known about a position. Moves are `M`: typed inside a search, text outside.
#[derive(Clone, PartialEq, Debug)]
pub struct Report<M> {
    /// What is certain about the value, in the view of `First`.
    pub bounds: Bounds,
    /// The move to play; `None` when the game is over.
    pub best: Option<M>,
    /// The best line of play known.
    pub pv: Vec<M>,
    /// The moves of the position as far as the search looked at them one by one.
    pub moves: Vec<MoveReport<M>>,
    /// Positions visited, or nodes made.
    pub nodes: u64,
    /// Positions whose moves a best-first proof search has listed; 0 for other searches.
    pub expansions: u64,
    /// The nodes that a proof search on two levels has made on its first level; `nodes` for one on a single level, 0 for others.
    pub main_nodes: u64,
    /// Simulations of a Monte-Carlo search.
    pub playouts: u64,
    /// Plies of the last finished iteration of a search that deepens; 0 for other searches.
    pub depth: u8,
    /// Bytes of tables and trees.
    pub memory: usize,
    /// A Monte-Carlo search has ended because its memory is full.
    pub memory_full: bool,
    /// Time used.
    pub elapsed: Duration,
}

/// What is known about one move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReport<M> {
    /// The move.
    pub mv: M,
    /// What is certain about the value after it, in the view of `First`.
    pub bounds: Bounds,
    /// Simulations through it, or nodes below it in the last iteration of a search that deepens.
    pub visits: u64,
    /// The mean reward of these, in the view of `First`; 0 without any. Of a search that deepens the worth to its depth, but
    /// for moves that are not the best only a bound that says so.
    pub mean: f64,
    /// The best line of play known, from this move on.
    pub pv: Vec<M>,
}

/// A word for a value in somebody's view.
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

impl<M> Report<M> {
    /// A report that knows nothing but `bounds`.
    pub fn new(bounds: Bounds) -> Report<M> {
        Report {
            bounds,
            best: None,
            pv: Vec::new(),
            moves: Vec::new(),
            nodes: 0,
            expansions: 0,
            main_nodes: 0,
            playouts: 0,
            depth: 0,
            memory: 0,
            memory_full: false,
            elapsed: Duration::ZERO,
        }
    }

    /// Whether the value is known, and with `all_moves` that of every move.
    pub fn is_solved(&self, all_moves: bool) -> bool {
        self.bounds.is_exact() && (!all_moves || self.moves.iter().all(|m| m.bounds.is_exact()))
    }

    /// The same report with other moves, e.g. as text. `line` translates a whole line of play from the root.
    pub fn translate<N>(self, line: impl Fn(&[M]) -> Vec<N>) -> Report<N>
    where
        M: Copy,
    {
        let one = |mv: M| line(&[mv]).pop().expect("a line is as long as its translation");
        Report {
            bounds: self.bounds,
            best: self.best.map(one),
            pv: line(&self.pv),
            moves: self
                .moves
                .iter()
                .map(|m| MoveReport {
                    mv: one(m.mv),
                    bounds: m.bounds,
                    visits: m.visits,
                    mean: m.mean,
                    pv: line(&m.pv),
                })
                .collect(),
            nodes: self.nodes,
            expansions: self.expansions,
            main_nodes: self.main_nodes,
            playouts: self.playouts,
            depth: self.depth,
            memory: self.memory,
            memory_full: self.memory_full,
            elapsed: self.elapsed,
        }
    }
}
