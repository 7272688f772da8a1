//! Writes what a search has proven into a file.

use crate::files::Unwritten;
use crate::output::seconds;
use crate::progress::Progress;
use clap::ValueEnum;
use indicatif::{HumanBytes, HumanCount};
use proofplay_certificate::Ends;
use proofplay_front::certificate;
use proofplay_front::json::CertificateFile;
use proofplay_front::text::counted;
use proofplay_registry::{Certify, DynSearch};
use std::path::Path;
use std::time::Duration;

/// Where the lines of play of a certificate end.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum Ending {
    /// Where the game does
    Rules,
    /// Already where a count decides that docs/CERTIFICATES.md spells out (Domineering): a far
    /// smaller file
    Counted,
}

impl From<Ending> for Ends {
    fn from(ending: Ending) -> Ends {
        match ending {
            Ending::Rules => Ends::Rules,
            Ending::Counted => Ends::Counted,
        }
    }
}

/// What came of a certificate, for a person.
pub fn text(outcome: &CertificateFile) -> String {
    let Some(file) = &outcome.file else {
        return format!("no certificate: {}\n", outcome.why_not.as_deref().unwrap_or_default());
    };
    let positions = counted(HumanCount(outcome.positions), "position");
    let size = HumanBytes(outcome.bytes as u64);
    let time = seconds(Duration::from_secs_f64(outcome.elapsed_s));
    let moves_by = outcome.moves_by.unwrap_or_default();
    format!("certificate: {file}, {positions}, {size}, {time}, moves by {moves_by}\n")
}

/// Writes the certificate of what a search has proven. When a limit comes first there is no file,
/// rather than half of one. What else goes wrong is also noted in `unwritten`.
pub fn write(
    path: &Path,
    search: &mut dyn DynSearch,
    wanted: &Certify,
    unwritten: &mut Unwritten,
) -> CertificateFile {
    let (outcome, failed) = {
        let progress = Progress::start();
        certificate::write(path, search, wanted, |positions| {
            progress.say(format!("certificate: {}", counted(HumanCount(positions), "position")));
        })
    };
    failed.into_iter().for_each(|why| unwritten.add(why));
    outcome
}
