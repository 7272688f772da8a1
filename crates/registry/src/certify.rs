//! Certificates without types: what a search has proven becomes a file, and a file is checked.

use crate::{SetupError, game};
use proofplay_certificate::{
    Certificate, Checked, Claim, Ends, Fault, FormatError, Origin, VerifyError, Walked, WriteError, Written,
};
use proofplay_core::{Bounds, Game, Position};
use proofplay_search::proof::Goal;
use proofplay_search::{NoMove, Strategist};

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

/// Writes a certificate of `bounds` with the moves of a strategist.
pub(crate) fn certify<G: Game>(
    game: &G,
    origin: &Origin,
    bounds: Bounds,
    ends: Ends,
    strategist: &mut dyn Strategist<G::Pos>,
    memory: usize,
    watch: &mut dyn FnMut(&Walked) -> bool,
) -> Result<Written, CertifyError> {
    if bounds.encloses(game.start().range()) {
        return Err(CertifyError::Nothing);
    }
    let choose = |pos: &G::Pos, claim: Claim, good: &mut Vec<<G::Pos as Position>::Move>| {
        let goal = Goal { player: claim.owner, at_least: claim.score.seen_by(claim.owner) };
        strategist.choose(pos, goal, good)
    };
    proofplay_certificate::write(game, origin, bounds, ends, memory, choose, watch).map_err(|error| {
        match error {
            WriteError::Walk { fault: Fault::Stopped | Fault::Choice(NoMove::Limit), .. } => {
                CertifyError::Limit
            }
            WriteError::Walk { fault: Fault::Memory(positions), .. } => CertifyError::Memory(positions),
            WriteError::Walk { fault: Fault::Choice(NoMove::Memory), .. } => CertifyError::SearchMemory,
            other => CertifyError::Other(other.to_string()),
        }
    })
}
