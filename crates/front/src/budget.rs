//! What the whole program may use, and what of that a search has.
//!
//! | who | memory of the program, unless said otherwise | shared by |
//! |---|---|---|
//! | a search alone | 1 GiB | the search, and its certificate |
//! | the checker of a certificate | 1 GiB | the file and the positions |
//! | an opponent | 256 MiB | the search |
//! | matches, tournaments, tuning | 256 MiB for each player | two players of each game at the same time |
//! | a session of another program | 1 GiB | the search that analyses, and the one that solves |
//! | learning | 64 MiB for each search | a search of each game at the same time |
//!
//! A player's memory changes its games once it is full. So it does not depend on how many games are
//! played at the same time, unless somebody says what the whole program may use.

use proofplay_search::checkpoint::{Checkpoint, Head, Spent};
use proofplay_search::{Limits, Report, Resources, SearchSpec};
use std::time::Duration;

/// The memory of the program around one search or check.
pub const ALONE: u64 = 1 << 30;
/// The memory of the program around somebody's opponent.
pub const OPPONENT: u64 = 256 << 20;
/// The memory of each player of a match.
pub const PLAYER: usize = 256 << 20;
/// The memory of each search of a course.
pub const LEARNER: usize = 64 << 20;
/// What the program takes for itself, measured: the rest of its memory is for tables and trees.
const PROGRAM: usize = 8 << 20;
/// No search has less.
const LEAST: usize = 256;

/// Why a search cannot have what it is given.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BudgetError {
    /// More memory than there is.
    #[error("the system does not give {0} bytes of memory; ask for less with --memory")]
    TooMuch(u64),
    /// Less memory than can be shared.
    #[error("{memory} bytes of memory are too little for {searches} searches at the same time")]
    TooLittle {
        /// For the whole program.
        memory: u64,
        /// How many share it.
        searches: usize,
    },
    /// A limit that the search does not count.
    #[error("--playouts {limit}: {search} makes no playouts; limit it with --nodes or a time")]
    NoSimulations {
        /// The limit.
        limit: u64,
        /// The search.
        search: String,
    },
}

/// What each of this many searches has, which are alive at the same time, if the whole program may
/// use `memory` bytes. More than the system would give is refused: later it would end the program
/// without an explanation.
pub fn share(memory: u64, searches: usize) -> Result<usize, BudgetError> {
    let whole = available(memory)?;
    match beside_program(whole) / searches.max(1) {
        ..LEAST => Err(BudgetError::TooLittle { memory, searches }),
        share => Ok(share),
    }
}

/// The same, or if nothing is said what each search has otherwise.
pub fn share_or(memory: Option<u64>, searches: usize, usual: usize) -> Result<usize, BudgetError> {
    memory.map_or_else(|| available(usual as u64), |memory| share(memory, searches))
}

/// What of a search's memory is for the search itself and what for the certificate of its proof.
pub fn with_certificate(memory: usize) -> (usize, usize) {
    (memory / 2, memory - memory / 2)
}

/// What is left of the memory of the whole program for its work.
fn beside_program(memory: usize) -> usize {
    memory - PROGRAM.min(memory / 2)
}

/// Refuses more memory than the system would give.
fn available(bytes: u64) -> Result<usize, BudgetError> {
    let size = usize::try_from(bytes).unwrap_or(usize::MAX);
    // Reserving touches nothing; it only asks. The compiler must not know that nothing comes of it.
    let mut probe = Vec::<u8>::new();
    let given = probe.try_reserve_exact(size);
    std::hint::black_box(&probe);
    given.map(|()| size).map_err(|_| BudgetError::TooMuch(bytes))
}

/// What a search has left of its limits, given the report of this run alone.
pub fn left_of(limits: Limits, report: &Report<String>) -> Limits {
    Limits {
        time: limits.time.map(|time| time.saturating_sub(report.elapsed)),
        nodes: limits.nodes.map(|nodes| nodes.saturating_sub(report.nodes)),
        ..limits
    }
}

/// Adds what the earlier runs of a search have spent, as its checkpoint says.
pub fn add_up(checkpoint: Option<&Checkpoint>, report: &mut Report<String>) {
    if let Some(checkpoint) = checkpoint {
        let Spent { nodes, expansions, playouts, elapsed, .. } = checkpoint.total(report);
        (report.nodes, report.expansions) = (nodes, expansions);
        (report.simulations, report.elapsed) = (playouts, elapsed);
    }
}

/// What a user allows one search; whatever is `None` is unlimited or as usual.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// Positions visited, or nodes made.
    pub nodes: Option<u64>,
    /// Simulations of a Monte-Carlo search.
    pub simulations: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
    /// Memory of the whole program.
    pub memory: Option<u64>,
    /// Threads.
    pub threads: Option<usize>,
}

impl Budget {
    /// Refuses a limit that the search does not count; `search` is its name.
    pub fn check(&self, search: &str, spec: &SearchSpec) -> Result<(), BudgetError> {
        match self.simulations {
            Some(limit) if !spec.counts_simulations() => {
                Err(BudgetError::NoSimulations { limit, search: search.to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// What a question may take.
    pub fn limits(&self) -> Limits {
        Limits { nodes: self.nodes, simulations: self.simulations, time: self.time, clock: None }
    }

    /// The same; where nothing would end the search, this time does.
    pub fn limits_or(&self, spec: &SearchSpec, time: Duration) -> Limits {
        let is_limited = self.time.is_some() || self.nodes.is_some() || self.simulations.is_some();
        let time = if is_limited || spec.limits_itself() { self.time } else { Some(time) };
        Limits { time, ..self.limits() }
    }

    /// What a search with this seed may use.
    pub fn resources(&self, seed: u64) -> Result<Resources, BudgetError> {
        let memory = share(self.memory.unwrap_or(ALONE), 1)?;
        Ok(Resources { memory, threads: self.threads.unwrap_or(1), seed })
    }

    /// The resources of a search that continues with the memory and the threads of an earlier one,
    /// where nothing else is said.
    pub fn resources_of_earlier(&self, head: &Head) -> Result<Resources, BudgetError> {
        let memory = match self.memory {
            None => available(head.memory)?,
            Some(memory) => share(memory, 1)?,
        };
        Ok(Resources { memory, threads: self.threads.unwrap_or(head.threads as usize), seed: head.seed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1 << 20;

    #[test]
    fn memory_is_that_of_the_program() {
        assert_eq!(share(1 << 30, 1), Ok(1016 * MIB));
        assert_eq!(share(1 << 30, 4), Ok(254 * MIB));
        // A small program has half of it for its work.
        assert_eq!(share(8 << 10, 1), Ok(4 << 10));
        assert_eq!(share(8 << 10, 16), Ok(256));
        assert_eq!(share(8 << 10, 17), Err(BudgetError::TooLittle { memory: 8 << 10, searches: 17 }));
        assert_eq!(share(1 << 62, 1), Err(BudgetError::TooMuch(1 << 62)));
        assert_eq!(share_or(None, 100, PLAYER), Ok(PLAYER));
        assert_eq!(share_or(Some(68 << 20), 2, PLAYER), Ok(30 * MIB));
        let (search, certificate) = with_certificate(1001);
        assert_eq!(search + certificate, 1001);
    }

    #[test]
    fn what_a_search_may_use() {
        let budget = Budget { memory: Some(16 << 20), threads: Some(3), ..Budget::default() };
        assert_eq!(budget.resources(5), Ok(Resources { memory: 8 * MIB, threads: 3, seed: 5 }));
        let head = Head {
            line: proofplay_core::Line::start("tictactoe"),
            position: String::new(),
            algorithm: String::new(),
            all_moves: false,
            seed: 9,
            memory: 1 << 16,
            threads: 2,
            spent: Default::default(),
        };
        // An earlier search says what the search had, not what the program had.
        let earlier = Resources { memory: 1 << 16, threads: 2, seed: 9 };
        assert_eq!(Budget::default().resources_of_earlier(&head), Ok(earlier));
        assert_eq!(budget.resources_of_earlier(&head).unwrap().memory, 8 * MIB);
    }

    #[test]
    fn what_is_left() {
        let limits = Limits { nodes: Some(10), time: Some(Duration::from_secs(1)), ..Limits::default() };
        let mut report = Report::new(proofplay_core::Bounds::exact(proofplay_core::Score(0)));
        (report.nodes, report.elapsed) = (4, Duration::from_secs(2));
        let left = left_of(limits, &report);
        assert_eq!((left.nodes, left.time, left.simulations), (Some(6), Some(Duration::ZERO), None));
        let before = report.clone();
        add_up(None, &mut report);
        assert_eq!(report, before);
    }

    #[test]
    fn what_a_question_may_take() {
        let (five, budget) = (Duration::from_secs(5), Budget::default());
        let spec = |text: &str| text.parse::<SearchSpec>().unwrap();
        assert_eq!(budget.limits_or(&spec("mcts"), five).time, Some(five));
        assert_eq!(budget.limits_or(&spec("mcts:playouts=10"), five).time, None);
        let nodes = Budget { nodes: Some(7), ..budget };
        assert_eq!((nodes.limits_or(&spec("mcts"), five).time, nodes.limits().nodes), (None, Some(7)));
        let playouts = Budget { simulations: Some(7), ..budget };
        assert!(playouts.check("mcts", &spec("mcts")).is_ok());
        let error = playouts.check("auto", &spec("alphabeta")).unwrap_err().to_string();
        assert!(error.contains("7: auto makes no playouts"), "{error}");
    }
}
