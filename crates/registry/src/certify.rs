//! Certificates without types: what a search has proven becomes a file, and a file is checked.

use crate::{SetupError, game};
use proofplay_certificate::{
    Certificate, Checked, Claim, Ends, Fault, FormatError, Origin, VerifyError, Walked, WriteError, Written,
};
use proofplay_core::{Bounds, Game, Position};
use proofplay_search::proof::Goal;
use proofplay_search::{Limits, NoMove, Search};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Why there is no certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CertifyError {
    /// Whatever is known follows from the rules.
    #[error("nothing is proven yet")]
    Nothing,
    /// A limit was reached, or somebody stopped it.
    #[error("the budget ran out before the certificate was complete")]
    Limit,
    /// Too little memory to remember more than so many positions.
    #[error("the certificate has more than the {0} positions that fit into its half of the memory")]
    Memory(u64),
    /// Too little memory for the search.
    #[error("the search for the moves of the certificate needs more memory than it may use")]
    SearchMemory,
    /// Whatever else went wrong.
    #[error("{0}")]
    Other(String),
}

/// Why a file was not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CheckError {
    /// It is no certificate, or not a whole one.
    #[error("certificate refused: {0}")]
    Format(FormatError),
    /// There is no such game.
    #[error("certificate refused: {0}")]
    Setup(SetupError),
    /// It does not prove what it claims, or checking did not end.
    #[error(transparent)]
    Verify(#[from] VerifyError),
}

/// Checks the certificate in a file with the rules of its game and nothing else. Returns what the file says, too.
///
/// Positions are remembered in about `memory` bytes; `watch` hears of the progress and may stop it with `false`.
pub fn verify<'a>(
    file: &'a [u8],
    memory: usize,
    watch: &mut dyn FnMut(&Walked) -> bool,
) -> Result<(Certificate<'a>, Checked), CheckError> {
    let certificate = Certificate::parse(file).map_err(CheckError::Format)?;
    let game = game(&certificate.game).map_err(CheckError::Setup)?;
    let checked = game.verify(&certificate, memory, watch)?;
    Ok((certificate, checked))
}

/// The certificate that is wanted of a search.
#[derive(Clone, Debug)]
pub struct Certify {
    /// What leads to the position.
    pub origin: Origin,
    /// What the search has proven of its value.
    pub bounds: Bounds,
    /// Where lines of play end.
    pub ends: Ends,
    /// Bytes beside those that the search has.
    pub memory: usize,
    /// What the search for moves may take.
    pub limits: Limits,
    /// Set it to stop.
    pub stop: Arc<AtomicBool>,
}

/// A certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certified {
    /// The file.
    pub written: Written,
    /// The search that has found the moves which the proving search does not remember.
    pub moves_by: &'static str,
}

/// Writes a certificate with the moves of a search.
pub(crate) fn certify<G: Game>(
    game: &G,
    search: &mut dyn Search<G::Pos>,
    wanted: &Certify,
    watch: &mut dyn FnMut(&Walked) -> bool,
) -> Result<Certified, CertifyError> {
    let Certify { origin, bounds, ends, mut memory, limits, stop } = wanted.clone();
    if bounds.encloses(game.start().range()) {
        return Err(CertifyError::Nothing);
    }
    let mut strategist = search.strategist(&mut memory, limits, &stop);
    let moves_by = strategist.name();
    let choose = |pos: &G::Pos, claim: Claim, good: &mut Vec<<G::Pos as Position>::Move>| {
        let goal = Goal { player: claim.owner, at_least: claim.score.seen_by(claim.owner) };
        strategist.choose(pos, goal, good)
    };
    let written = proofplay_certificate::write(game, &origin, bounds, ends, memory, choose, watch);
    let written = written.map_err(|error| match error {
        WriteError::Walk { fault: Fault::Stopped | Fault::Choice(NoMove::Limit), .. } => CertifyError::Limit,
        WriteError::Walk { fault: Fault::Memory(positions), .. } => CertifyError::Memory(positions),
        WriteError::Walk { fault: Fault::Choice(NoMove::Memory), .. } => CertifyError::SearchMemory,
        other => CertifyError::Other(other.to_string()),
    })?;
    Ok(Certified { written, moves_by })
}
