//! The computer's side of a game: a search under a time limit, and what it may say about its move.

use crate::progress::Progress;
use anyhow::Result;
use proofplay_core::{Player, Rng};
use proofplay_registry::DynPosition;
use proofplay_search::{Limits, Report, SearchSpec, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The search to use when nobody asks for another.
pub const DEFAULT_ALGORITHM: &str = "alphabeta";

/// The help of `--algorithm`.
pub fn algorithms() -> String {
    format!("The search as NAME or NAME:KEY=VALUE,…; the names are {}", SearchSpec::NAMES.join(", "))
}

/// A player that searches.
pub struct Engine {
    /// How it searches.
    pub spec: SearchSpec,
    /// How long it may think about a move.
    pub time: Duration,
    /// Bytes for tables and trees.
    pub memory: usize,
    /// Where its random games come from.
    pub rng: Rng,
    /// Ends its thinking.
    pub stop: Arc<AtomicBool>,
}

/// A move and why.
pub struct Answer {
    /// The move.
    pub mv: String,
    /// What is proven, for the mover.
    pub verdict: Verdict,
    /// How random games after this move ended on average for the mover, from -1 to +1, if that chose it.
    pub mean: Option<f64>,
}

impl Engine {
    /// Chooses a move; the game must not be over.
    pub fn answer(&mut self, pos: &dyn DynPosition) -> Result<Answer> {
        let progress = Progress::start();
        progress.say("thinking".to_owned());
        let deadline = Instant::now() + self.time;
        let limits = Limits {
            // A search that proves nothing leaves half of the time to random games.
            time: Some(self.time / 2),
            memory: self.memory,
            stop: Arc::clone(&self.stop),
            ..Limits::default()
        };
        let report = pos.search(&self.spec, &limits, false, &mut |_| ())?;
        let verdict = Verdict::of(report.bounds, pos.turn());
        match &report.best {
            Some(best) if verdict != Verdict::Unknown || report.playouts > 0 => {
                Ok(Answer { mv: best.clone(), verdict, mean: None })
            }
            _ => self.by_playouts(pos, &report, deadline),
        }
    }

    /// The move after which random games end best for the mover, among those not proven lost.
    fn by_playouts(
        &mut self,
        pos: &dyn DynPosition,
        report: &Report<String>,
        deadline: Instant,
    ) -> Result<Answer> {
        const BATCH: u64 = 16;
        let mover = pos.turn();
        let lost = |mv: &String| {
            report.moves.iter().any(|m| m.mv == *mv && Verdict::of(m.bounds, mover) == Verdict::Loss)
        };
        let mut arms = Vec::new();
        for mv in pos.legal().into_iter().filter(|mv| !lost(mv)) {
            let mut next = pos.boxed();
            next.play(&mv)?;
            arms.push((mv, next, 0));
        }
        let mut rounds = 0;
        while rounds == 0 || (Instant::now() < deadline && !self.stop.load(Relaxed)) {
            for (_, next, sum) in &mut arms {
                *sum += next.playouts(BATCH, &mut self.rng).0;
            }
            rounds += 1;
        }
        let own = |sum: i64| if mover == Player::First { sum } else { -sum };
        // A position whose moves are not all proven lost has an arm.
        let (mv, _, sum) = arms
            .into_iter()
            .max_by_key(|(_, _, sum)| own(*sum))
            .expect("a value that is unknown leaves a move that is not lost");
        let (range, games) = (pos.range(), (BATCH * rounds) as f64);
        let widest = f64::from(range.opti.0.max(-range.pess.0).max(1));
        Ok(Answer { mv, verdict: Verdict::Unknown, mean: Some(own(sum) as f64 / games / widest) })
    }
}

impl Answer {
    /// What the engine says about its own move.
    pub fn remark(&self) -> String {
        match (self.verdict, self.mean) {
            (Verdict::Win, _) => "I can prove a win".to_owned(),
            (Verdict::Draw, _) => "I can prove a draw".to_owned(),
            (Verdict::Loss, _) => "I am lost if you play well".to_owned(),
            (Verdict::Unknown, Some(mean)) => {
                format!("nothing proven; in random games it scores {mean:+.2} for me")
            }
            (Verdict::Unknown, None) => "nothing proven".to_owned(),
        }
    }

    /// What the engine says when asked for a hint.
    pub fn advice(&self) -> &'static str {
        match self.verdict {
            Verdict::Win => "it wins for certain",
            Verdict::Draw => "it draws for certain, and nothing does better",
            Verdict::Loss => "every move loses against best play",
            Verdict::Unknown => "a guess, nothing is proven",
        }
    }
}
