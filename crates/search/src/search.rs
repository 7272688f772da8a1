//! The trait of all searches.

use crate::checkpoint::{Flaw, In, Out};
use crate::{Ask, Halt, Report, Run, SearchError, Strategist};
use proofplay_core::guard::with_claims;
use proofplay_core::{Bounds, Position};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A search at work: started from a [`SearchSpec`](crate::SearchSpec), run any number of times,
/// moved along a game or to another position, saved and loaded; it names its strategy and shows its tree.
///
/// ```
/// use proofplay_core::{Game, Score};
/// use proofplay_games::{in_a_row::Any, mnk::Mnk};
/// use proofplay_search::{Ask, Resources, Run, Search, SearchSpec};
/// let start = Mnk::new(Any::<u64>::new(3, 3, 3)).start();
/// let spec: SearchSpec = "score-bounded".parse()?;
/// let mut search = spec.start_bare(&start, Resources::default())?;
/// let report = search.run(Ask::Value, &mut Run::default())?;
/// assert_eq!(report.bounds.value(), Some(Score::DRAW)); // tic-tac-toe
/// search.play(report.best.unwrap());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Search<P: Position>: Tree<P::Move> + Send {
    /// Its name in messages.
    fn name(&self) -> &'static str;

    /// The position that it searches.
    fn position(&self) -> &P;

    /// Whether it answers [`Ask::Distance`] and [`Ask::AllDistances`].
    fn counts_plies(&self) -> bool {
        false
    }

    /// Searches until the answer is known or a limit is reached. Call [`Search::run`], which also
    /// reads the checkpoint of the run and writes the last one.
    ///
    /// # Panics
    /// As [`Search::run`] does.
    fn think(&mut self, ask: Ask, run: &mut Run<P::Move>) -> Report<P::Move>;

    /// The next run searches this position, which may be any one of the same game. What is proven
    /// about positions whatever was played before them is kept, as in the tables of solvers; trees
    /// and estimates begin again, so that no estimate depends on positions that were searched earlier.
    fn set_position(&mut self, pos: &P);

    /// Plays a legal move: the next run searches the position after it. What is known about that
    /// position is kept.
    fn play(&mut self, mv: P::Move) {
        let next = self.position().after(mv);
        self.set_position(&next);
    }

    /// Its state for checkpoints; `None` if it cannot be saved. A run with a checkpoint is then
    /// refused.
    fn saved(&mut self) -> Option<&mut dyn Saved>;

    /// A strategy that reaches what the search has proven, made from what it remembers. What it
    /// reserves besides the memory of the search is subtracted from `memory`. It ends soon after
    /// `stop` is set.
    fn strategist<'a>(
        &'a mut self,
        memory: &mut usize,
        limits: crate::Limits,
        stop: &Arc<AtomicBool>,
    ) -> Box<dyn Strategist<P> + 'a>;

    /// Searches until the answer is known or a limit is reached; continues from the checkpoint of
    /// the run if that has a saved state.
    ///
    /// # Panics
    /// If the game breaks a promise of [`Position`] and the search notices: an outcome lies outside
    /// [`Position::range`], what is certain contradicts itself ([`Bounds::tighten`]), or a search
    /// that recurses goes deeper than [`proofplay_core::guard::MOST_PLIES`], as in a game that
    /// repeats positions although [`Position::repeats`] is false.
    /// [`proofplay_core::conformance::check_position`] finds such flaws without a search.
    fn run(&mut self, ask: Ask, run: &mut Run<P::Move>) -> Result<Report<P::Move>, SearchError> {
        if ask.distances() && !self.counts_plies() {
            return Err(SearchError::NoDistances(self.name()));
        }
        let Some(checkpoint) = run.checkpoint.clone() else { return Ok(self.think(ask, run)) };
        let name = self.name();
        let saved = self.saved().ok_or(Flaw::Nothing(name))?;
        let report = if let Some(mut kept) = checkpoint.take() {
            saved.load(&mut kept)?;
            kept.end()?;
            let stop = Arc::clone(&run.stop);
            with_claims(&stop, || self.think(ask, run))
                .map_err(|_| Flaw::Nonsense("what is certain contradicts the rules"))?
        } else {
            self.think(ask, run)
        };
        if !matches!(report.halt, Halt::Solved | Halt::Exhausted)
            && let Some(saved) = self.saved()
        {
            checkpoint.save(&report, &mut |out| saved.save(out));
        }
        checkpoint.finish();
        Ok(report)
    }
}

/// What a search writes into a checkpoint and reads back.
pub trait Saved {
    /// Writes all it needs to continue, between two steps of its work.
    fn save(&mut self, out: &mut Out) -> io::Result<()>;

    /// Reads it back in a new search of the same position.
    fn load(&mut self, from: &mut In) -> Result<(), Flaw>;
}

/// The part of a search that observers can see.
pub trait Tree<M> {
    /// What is known about the moves after a line of play from the root, in the order of the moves;
    /// empty if nothing is known.
    fn children(&self, path: &[M]) -> Vec<NodeView<M>>;
}

/// A child in the tree of a search.
#[derive(Copy, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct NodeView<M> {
    /// The move that leads to it.
    pub mv: M,
    /// What is certain about its value, in the view of `First`.
    pub bounds: Bounds,
    /// Simulations through it.
    pub visits: u64,
    /// The mean reward of these, in the view of `First`; of a search that deepens, its worth.
    pub mean: Option<f64>,
    /// The numbers of a proof search.
    pub numbers: Option<ProofNumbers>,
}

/// The numbers of a node of a proof search, for the goal that it searches now.
#[derive(Copy, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ProofNumbers {
    /// Proof number and disproof number; `None` is infinite.
    Pn {
        /// Leaves that have yet to be proven.
        proof: Option<u64>,
        /// Leaves that have yet to be disproven.
        disproof: Option<u64>,
    },
    /// Product propagation: the chance of being proven.
    Pp(f64),
}

impl<M> NodeView<M> {
    /// A child of which only this is known.
    pub fn new(mv: M, bounds: Bounds) -> NodeView<M> {
        NodeView { mv, bounds, visits: 0, mean: None, numbers: None }
    }

    /// The same with another move, e.g. as text.
    pub fn with_move<N>(&self, mv: N) -> NodeView<N> {
        let NodeView { bounds, visits, mean, numbers, .. } = *self;
        NodeView { mv, bounds, visits, mean, numbers }
    }
}

/// Fills in what is known about the position after a move. Returns whether anything is.
type Look<'a, P, M = <P as Position>::Move> = dyn FnMut(M, &P, &mut NodeView<M>) -> bool + 'a;

/// The moves of `pos` with what `look` finds about the positions after them; empty if it finds
/// nothing.
pub(crate) fn children_by<P: Position>(pos: &P, look: &mut Look<P>) -> Vec<NodeView<P::Move>> {
    let mut moves = Vec::new();
    if pos.outcome().is_none() {
        pos.moves(&mut moves);
    }
    let mut anything = false;
    let view = |mv: P::Move| {
        let child = pos.after(mv);
        let mut view = NodeView::new(mv, child.outcome().map_or_else(|| child.range(), Bounds::exact));
        anything |= look(mv, &child, &mut view);
        view
    };
    let views: Vec<_> = moves.into_iter().map(view).collect();
    if anything { views } else { Vec::new() }
}

/// The position at the end of a line of play; `None` if a move of it is not legal.
pub(crate) fn walk<P: Position>(root: &P, path: &[P::Move]) -> Option<P> {
    let (mut pos, mut moves) = (root.clone(), Vec::new());
    for &mv in path {
        moves.clear();
        if pos.outcome().is_none() {
            pos.moves(&mut moves);
        }
        if !moves.contains(&mv) {
            return None;
        }
        pos.play(mv);
    }
    Some(pos)
}
