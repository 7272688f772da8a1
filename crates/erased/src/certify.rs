//! Certificates without types: a file is checked by the rules of the game that it names.

use crate::{Games, SetupError};
use proofplay_certificate::{Certificate, Checked, FormatError, VerifyError, Walked};

/// Why a file was not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
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

impl Games {
    /// Checks the certificate in a file with the rules of its game and nothing else. Returns what the
    /// file says, too.
    ///
    /// Positions are remembered in about `memory` bytes; `watch` is called with the progress and may stop it with `false`.
    pub fn verify<'a>(
        &self,
        file: &'a [u8],
        memory: usize,
        watch: &mut dyn FnMut(&Walked) -> bool,
    ) -> Result<(Certificate<'a>, Checked), CheckError> {
        let certificate = Certificate::parse(file).map_err(CheckError::Format)?;
        let game = self.recorded(&certificate.line.game).map_err(CheckError::Setup)?;
        let checked = game.verify(&certificate, memory, watch)?;
        Ok((certificate, checked))
    }
}
