//! Certificates of the proofs that end games: written, checked by the rules alone, and kept only then.

use crate::Match;
use crate::seat::Seat;
use proofplay_core::{Bounds, Line, Player as Side, Score};
use proofplay_front::record::Record;
use proofplay_registry::{Certify, verify};
use proofplay_search::Limits;
use proofplay_search::checkpoint::write_whole;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// What the search for the moves of a certificate may take.
const TIME: Duration = Duration::from_secs(60);

/// What came of a certificate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// The file.
    File(String),
    /// Why there is none.
    WhyNot(String),
}

impl Match {
    /// Keeps the certificate of a proof of this score by the player to move, if that is wanted.
    pub(crate) fn certify(
        &self,
        prover: Seat,
        record: &Record,
        score: Score,
        number: u32,
        stop: &Arc<AtomicBool>,
    ) -> Option<Kept> {
        let folder = self.terms.certificates.as_ref()?;
        let Seat::Search(mut prover) = prover else { return None };
        let is_a = number.is_multiple_of(2) == (record.now().turn() == Side::First);
        let memory = if is_a { self.pace.memory } else { self.b_pace().memory };
        let moves = record.plies.iter().map(|ply| ply.mv.clone()).collect();
        let wanted = Certify {
            memory,
            limits: Limits { time: Some(TIME), ..Limits::default() },
            stop: Arc::clone(stop),
            ..Certify::new(Line { moves, ..Line::start(&self.game) }, Bounds::exact(score))
        };
        let why_not = |why: String| Some(Kept::WhyNot(why));
        let bytes = match prover.player.certify(&wanted)? {
            Ok(certified) => certified.written.bytes,
            Err(error) => return why_not(error.to_string()),
        };
        match verify(&bytes, memory, &mut |_| !stop.load(SeqCst)) {
            Err(error) => return why_not(error.to_string()),
            Ok((_, checked)) if checked.bounds != wanted.bounds => {
                return why_not(format!("it proves {}, not {}", checked.bounds, wanted.bounds));
            }
            Ok(_) => {}
        }
        let file = folder.join(format!("{number}.proof"));
        let written = write_whole(&file, &mut |mut to| to.write_all(&bytes));
        let file = file.display().to_string();
        Some(match written {
            Ok(()) => Kept::File(file),
            Err(error) => Kept::WhyNot(format!("`{file}`: {error}")),
        })
    }
}
