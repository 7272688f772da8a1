//! Makes a certificate from what a search has proven. Only this crate uses both searches and
//! certificates.
#![forbid(unsafe_code)]

use proofplay_certificate::{Claim, Ends, Fault, Statement, Walked, WriteError, Written};
use proofplay_core::{Bounds, Game, Line, Position};
use proofplay_search::distance::{Distance, Scoring};
use proofplay_search::proof::Goal;
use proofplay_search::retrograde::Retrograde;
use proofplay_search::{Ask, Limits, NoMove, Resources, Run, Search, Strategist};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Why there is no certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The bounds follow from the rules alone: there is nothing to prove.
    #[error("nothing is proven yet")]
    Nothing,
    /// A limit was reached, or the stop flag was set.
    #[error("the budget ran out before the certificate was complete")]
    Limit,
    /// Memory for positions was full after this many.
    #[error("the certificate has more than the {0} positions that fit into its half of the memory")]
    Memory(u64),
    /// Too little memory for the search.
    #[error("the search for the moves of the certificate needs more memory than it may use")]
    SearchMemory,
    /// Any other error.
    #[error("{0}")]
    Other(String),
}

/// The certificate to write.
#[derive(Clone, Debug)]
pub struct Certify {
    /// The line of play to the position.
    pub line: Line,
    /// What the search has proven of its value.
    pub bounds: Bounds,
    /// The plies after which the game is over, if the search has counted them and the certificate
    /// is to say so.
    pub plies: Option<u32>,
    /// Where lines of play end.
    pub ends: Ends,
    /// Bytes, besides those of the search.
    pub memory: usize,
    /// Limits of the search for moves.
    pub limits: Limits,
    /// Set it to stop.
    pub stop: Arc<AtomicBool>,
}

/// A certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Certified {
    /// The file.
    pub written: Written,
    /// The search that has found the moves which the proving search does not remember.
    pub moves_by: &'static str,
}

impl Certify {
    /// A certificate that the value at the end of a line lies within `bounds`, with 512 MiB of
    /// memory and no other limit.
    pub fn new(line: Line, bounds: Bounds) -> Certify {
        let (limits, stop) = (Limits::default(), Arc::default());
        Certify { line, bounds, plies: None, ends: Ends::Rules, memory: 1 << 29, limits, stop }
    }
}

/// Positions that are solved for the moves of a certificate by ranks, at most.
const MOST_SOLVED: u64 = 4_000_000;

/// Writes a certificate with the moves of a search, which must be about the position that
/// `wanted.line` leads to.
///
/// Where histories can be left aside, the certificate does so if all that can follow the position can be solved backwards: that
/// gives strategies which come nearer to a win with every move.
pub fn certify<G: Game>(
    game: &G,
    search: &mut dyn Search<G::Pos>,
    wanted: &Certify,
    watch: &mut dyn FnMut(&Walked) -> bool,
) -> Result<Certified, CertifyError> {
    let Certify { line, bounds, plies, ends, mut memory, limits, stop } = wanted.clone();
    if bounds.encloses(game.start().range()) {
        return Err(CertifyError::Nothing);
    }
    let within = plies.map(|plies| plies.try_into().expect("plies of a game that was counted"));
    let statement = Statement::new(line, bounds).after(within).ending(ends);
    let (start, root) = (game.start(), search.position().clone());
    let ranks = statement.admits_ranks(&start, &root);
    let mut solved = ranks.then(|| solved(game, search, &root, wanted)).flatten();
    let ranks = ranks && (solved.is_some() || search.name() == "retrograde");
    if solved.is_some() {
        memory /= 2;
    }
    let mut strategist: Box<dyn Strategist<G::Pos> + '_> = match &mut solved {
        Some(solved) => solved.strategist(&mut memory, limits, &stop),
        None => search.strategist(&mut memory, limits, &stop),
    };
    let moves_by = strategist.name();
    let distance = bounds.value().and_then(Distance::of).zip(plies);
    let choose = |pos: &G::Pos, ply: usize, claim: Claim, good: &mut Vec<<G::Pos as Position>::Move>| {
        let (score, scoring) = match distance {
            None => (claim.score, Scoring::Rules),
            Some((distance, plies)) => (distance.score(plies), Scoring::Plies { distance, ply }),
        };
        let goal = Goal { player: claim.owner, at_least: score.seen_by(claim.owner) };
        strategist.choose(pos, goal, scoring, good)
    };
    let statement = if ranks { statement.by_ranks() } else { statement };
    let statement = statement.with_memory(memory);
    let written = proofplay_certificate::write(game, &statement, choose, watch);
    let written = written.map_err(|error| match error {
        WriteError::Walk { fault: Fault::Stopped | Fault::Choice(NoMove::Limit), .. } => CertifyError::Limit,
        WriteError::Walk { fault: Fault::Memory(positions), .. } => CertifyError::Memory(positions),
        WriteError::Walk { fault: Fault::Choice(NoMove::Memory), .. } => CertifyError::SearchMemory,
        other => CertifyError::Other(other.to_string()),
    })?;
    Ok(Certified { written, moves_by })
}

/// All that can follow `root`, solved, unless it is too much or the search has solved it in that way.
fn solved<G: Game>(
    game: &G,
    search: &dyn Search<G::Pos>,
    root: &G::Pos,
    wanted: &Certify,
) -> Option<Retrograde<G::Pos>> {
    if search.name() == "retrograde" {
        return None;
    }
    let resources = Resources { memory: wanted.memory / 2, ..Resources::default() };
    let most = wanted.limits.nodes.map_or(MOST_SOLVED, |nodes| nodes.min(MOST_SOLVED));
    let limits = Limits { nodes: Some(most), ..wanted.limits };
    let mut retrograde = Retrograde::new(root, game.extras(), resources).ok()?;
    let mut run = Run::new(limits).stopped_by(&wanted.stop);
    retrograde.run(Ask::Value, &mut run).ok()?;
    let is_solved = root.outcome().is_some() || retrograde.solved().is_some();
    is_solved.then_some(retrograde)
}
