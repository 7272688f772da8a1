//! Certificates as files.

use crate::job::certify;
use crate::json::CertificateFile;
use proofplay_registry::{Certified, Certify, CertifyError, DynSearch};
use proofplay_search::checkpoint::write_whole;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Writes the certificate of what a search has proven, and says what has failed, if something has.
/// When a limit comes first there is no file, rather than half of one, and nothing has failed. `watch`
/// is called now and then with the number of positions so far.
pub fn write(
    path: &Path,
    search: &mut dyn DynSearch,
    wanted: &Certify,
    watch: impl FnMut(u64),
) -> (CertificateFile, Option<String>) {
    let started = Instant::now();
    let (mut outcome, mut failed) = (CertificateFile::default(), None);
    match certify(search, wanted, watch) {
        Ok(Certified { written, moves_by, .. }) => {
            outcome.moves_by = Some(moves_by);
            (outcome.positions, outcome.bytes) = (written.walked.positions, written.bytes.len());
            match write_whole(path, &mut |mut file| file.write_all(&written.bytes)) {
                Ok(()) => outcome.file = Some(path.display().to_string()),
                Err(error) => {
                    outcome.why_not = Some(format!("cannot write `{}`: {error}", path.display()));
                    failed = outcome.why_not.clone();
                }
            }
        }
        Err(error) => {
            if let CertifyError::Other(why) = &error {
                failed = Some(format!("no certificate: {why}"));
            }
            let stopped = error == CertifyError::Limit && wanted.stop.load(Relaxed);
            outcome.why_not = Some(if stopped { "stopped".to_owned() } else { error.to_string() });
        }
    }
    outcome.elapsed_s = started.elapsed().as_secs_f64();
    (outcome, failed)
}
