//! One call of a search: what is asked, how long it may take, who may end it and who watches.

use crate::checkpoint::Checkpoint;
use crate::watch::Watch;
use crate::{Limits, Report, Tree};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a search is asked about its position.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Ask {
    /// The value, and a move that keeps it.
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
    /// Whether every move is asked about.
    pub fn all_moves(self) -> bool {
        matches!(self, Ask::AllMoves | Ask::AllDistances)
    }

    /// Whether plies are counted.
    pub fn distances(self) -> bool {
        matches!(self, Ask::Distance | Ask::AllDistances)
    }
}

/// Hears of the progress of a search, about ten times a second, and may look at its tree meanwhile.
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
    /// What this call may take.
    pub limits: Limits,
    /// The seed of this call; without it the call draws the next numbers of the search's own seed.
    pub seed: Option<u64>,
    /// Set it from anywhere to end the search soon and cleanly.
    pub stop: Arc<AtomicBool>,
    /// Where the search writes what it knows, and what it goes on from.
    pub checkpoint: Option<Arc<Checkpoint>>,
    /// Hears of progress.
    pub observer: Box<Observer<'a, M>>,
}

impl<'a, M> Run<'a, M> {
    /// A call with these limits that nobody watches.
    pub fn new(limits: Limits) -> Run<'a, M> {
        Run { limits, seed: None, stop: Arc::default(), checkpoint: None, observer: Box::new(|_, _| ()) }
    }

    /// The same call, ended by this flag.
    pub fn stopped_by(self, stop: &Arc<AtomicBool>) -> Run<'a, M> {
        Run { stop: Arc::clone(stop), ..self }
    }

    /// The same call, watched by somebody.
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
