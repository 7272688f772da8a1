//! One call of a search: the question, its limits, its stop flag, its checkpoint and its observer.

use crate::checkpoint::Checkpoint;
use crate::watch::Watch;
use crate::{Limits, Report, Tree};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A question about the position of a search.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Ask {
    /// The value, and a move that preserves it.
    #[default]
    Value,
    /// The value of every move.
    AllMoves,
    /// The value, in how many plies the game ends if the winner hurries and the loser holds out, and a move that keeps both.
    /// [`Search::counts_plies`](crate::Search::counts_plies) says whether a search answers it.
    Distance,
    /// The value of every move and its distance.
    AllDistances,
}

impl Ask {
    /// The same about every move.
    pub fn of_all_moves(self) -> Ask {
        if self.distances() { Ask::AllDistances } else { Ask::AllMoves }
    }

    /// The same with distances.
    pub fn with_distances(self) -> Ask {
        if self.all_moves() { Ask::AllDistances } else { Ask::Distance }
    }

    /// Whether every move is asked about.
    pub fn all_moves(self) -> bool {
        matches!(self, Ask::AllMoves | Ask::AllDistances)
    }

    /// Whether plies are counted.
    pub fn distances(self) -> bool {
        matches!(self, Ask::Distance | Ask::AllDistances)
    }
}

/// Called with the progress of a search about ten times a second; it may read the tree meanwhile.
pub type Observer<'a, M> = dyn FnMut(&Report<M>, &dyn Tree<M>) + 'a;

/// One call of a search.
///
/// ```
/// use proofplay_search::{Limits, Run};
/// use std::time::Duration;
/// let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
/// let run: Run<u8> = Run::new(limits).observed(|report, _tree| println!("{} nodes", report.nodes));
/// ```
pub struct Run<'a, M> {
    /// The limits of this call.
    pub limits: Limits,
    /// The seed of this call; without it the call continues the random numbers of the search.
    pub seed: Option<u64>,
    /// Set it from anywhere to end the search soon and cleanly.
    pub stop: Arc<AtomicBool>,
    /// Where the search writes its state, and what it continues from.
    pub checkpoint: Option<Arc<Checkpoint>>,
    /// Called with the progress.
    pub observer: Box<Observer<'a, M>>,
}

impl<'a, M> Run<'a, M> {
    /// A call with these limits and nothing else.
    pub fn new(limits: Limits) -> Run<'a, M> {
        Run { limits, seed: None, stop: Arc::default(), checkpoint: None, observer: Box::new(|_, _| ()) }
    }

    /// The same call, ended by this flag.
    pub fn stopped_by(self, stop: &Arc<AtomicBool>) -> Run<'a, M> {
        Run { stop: Arc::clone(stop), ..self }
    }

    /// The same call with this observer.
    pub fn observed(self, observer: impl FnMut(&Report<M>, &dyn Tree<M>) + 'a) -> Run<'a, M> {
        Run { observer: Box::new(observer), ..self }
    }

    /// Starts the clock.
    pub(crate) fn watch(&self) -> Watch {
        Watch::new(self.limits, &self.stop)
    }
}

impl<M> Default for Run<'_, M> {
    /// Without limits.
    fn default() -> Self {
        Run::new(Limits::default())
    }
}

impl<M> fmt::Debug for Run<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Run { limits, seed, stop, checkpoint, observer: _ } = self;
        f.debug_struct("Run")
            .field("limits", limits)
            .field("seed", seed)
            .field("stop", stop)
            .field("checkpoint", checkpoint)
            .finish_non_exhaustive()
    }
}
