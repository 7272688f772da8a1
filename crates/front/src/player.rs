//! Players: who can be asked for a move.

use crate::record::Record;
use proofplay_core::{Player, Rng, TextError};
use proofplay_registry::{DynSearch, SetupError, game};
use proofplay_search::{Ask, Limits, Report, Resources, Run, SearchError, SearchSpec, Verdict};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Why a player names no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerError {
    /// The search cannot play this game.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A move of the record is none of its game.
    #[error(transparent)]
    Move(#[from] TextError),
    /// The search names none.
    #[error("the search names no move")]
    NoMove,
    /// There is no such game to think in.
    #[error(transparent)]
    Game(#[from] SetupError),
}

/// A search that follows a game, move by move, and keeps what it knows.
#[derive(Debug)]
pub struct Follower {
    spec: SearchSpec,
    resources: Resources,
    /// The game it thinks in, if not the one that is played.
    thinks_in: Option<String>,
    /// The game so far as it has followed it, and what it knows.
    follows: Option<(Vec<String>, Box<dyn DynSearch>)>,
}

impl Follower {
    /// A search that has seen no game yet.
    pub fn new(spec: SearchSpec, resources: Resources) -> Follower {
        Follower { spec, resources, thinks_in: None, follows: None }
    }

    /// The same search, thinking in a game that differs in what it knows, not in its rules.
    pub fn thinking_in(self, game: Option<&str>) -> Follower {
        Follower { thinks_in: game.map(str::to_owned), ..self }
    }

    /// Searches the position at the end of the record.
    pub fn think(&mut self, record: &Record, run: &mut Run<String>) -> Result<Report<String>, PlayerError> {
        Ok(self.follow(record)?.run(Ask::Value, run)?)
    }

    /// What it knows at the end of the record: the same as before if only moves were added, else anew.
    fn follow(&mut self, record: &Record) -> Result<&mut Box<dyn DynSearch>, PlayerError> {
        let line: Vec<String> = record.plies.iter().map(|ply| ply.mv.clone()).collect();
        let (seen, mut search) = match self.follows.take() {
            Some((seen, search)) if line.starts_with(&seen) => (seen, search),
            _ => (line.clone(), self.start(record, &line)?),
        };
        for mv in &line[seen.len()..] {
            search.play(mv)?;
        }
        Ok(&mut self.follows.insert((line, search)).1)
    }

    /// A search of the position at the end of the record.
    fn start(&self, record: &Record, line: &[String]) -> Result<Box<dyn DynSearch>, PlayerError> {
        let Some(name) = &self.thinks_in else {
            return Ok(record.now().start_search(&self.spec, self.resources)?);
        };
        let mut pos = game(name)?.parse(&record.start().text())?;
        line.iter().try_for_each(|mv| pos.play(mv))?;
        Ok(pos.start_search(&self.spec, self.resources)?)
    }
}

/// A player that searches, with a time for each move.
#[derive(Debug)]
pub struct Engine {
    search: Follower,
    time: Duration,
    /// Where the seeds of its searches come from.
    rng: Rng,
    /// Ends its thinking.
    stop: Arc<AtomicBool>,
}

/// A move and why.
#[derive(Debug)]
pub struct Answer {
    /// The move.
    pub mv: String,
    /// What is proven for the mover, and kept by the move.
    pub verdict: Verdict,
    /// The mean reward of the simulations through this move, for the mover, if there were any.
    pub mean: Option<f64>,
}

impl Engine {
    /// A player that has seen no game yet.
    pub fn new(spec: SearchSpec, time: Duration, memory: usize, rng: Rng, stop: Arc<AtomicBool>) -> Engine {
        let resources = Resources { memory, ..Resources::default() };
        Engine { search: Follower::new(spec, resources), time, rng, stop }
    }

    /// Chooses a move after the game so far, which must not be over.
    pub fn answer(&mut self, record: &Record) -> Result<Answer, PlayerError> {
        let limits = Limits { time: Some(self.time), ..Limits::default() };
        let mut run = Run::new(limits).stopped_by(&self.stop);
        run.seed = Some(self.rng.next_u64());
        let mover = record.now().turn();
        let report = self.search.think(record, &mut run)?;
        // A win or a draw that the move is not proven to keep is nothing to promise.
        let verdict = match Verdict::of(report.bounds, mover) {
            Verdict::Win | Verdict::Draw if !report.best_is_proven(mover) => Verdict::Unknown,
            verdict => verdict,
        };
        let mv = report.best.ok_or(PlayerError::NoMove)?;
        let mean = report.moves.iter().find(|m| m.mv == mv).and_then(|m| m.mean);
        let mean = mean.map(|mean| if mover == Player::First { mean } else { -mean });
        Ok(Answer { mv, verdict, mean })
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
                format!("nothing proven; I expect {mean:+.2}")
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
