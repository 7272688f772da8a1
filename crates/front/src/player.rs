//! Players: who can be asked for a move.

use crate::clock::Clock;
use crate::record::Record;
use proofplay_core::{Player as Side, Rng, TextError};
use proofplay_registry::{DynSearch, SetupError, game};
use proofplay_search::{Ask, Limits, Report, Resources, Run, SearchError, SearchSpec, Verdict};
use std::cell::RefCell;
use std::fmt;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Somebody who plays: a search, a person, another program.
pub trait Player {
    /// What they do when it is their turn. An error ends the game without a result; who cannot go on, such as a program that
    /// has crashed, chooses [`Choice::Fail`] and loses.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, PlayerError>;
}

/// The same player in several places: on both sides of a board, or as somebody's adviser.
impl<P: Player + ?Sized> Player for Rc<RefCell<P>> {
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
        self.borrow_mut().choose(turn)
    }
}

/// What a player sees when it is their turn.
#[derive(Copy, Clone, Debug)]
#[non_exhaustive]
pub struct Turn<'a> {
    /// The game so far, which is not over.
    pub record: &'a Record,
    /// The clock, if there is one; it runs.
    pub clock: Option<&'a Clock>,
    /// Set when the game shall end now.
    pub stop: &'a Arc<AtomicBool>,
}

impl<'a> Turn<'a> {
    /// A turn in a game without a clock.
    pub fn new(record: &'a Record, stop: &'a Arc<AtomicBool>) -> Turn<'a> {
        Turn { record, clock: None, stop }
    }
}

/// What a player does when it is their turn.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Choice {
    /// Makes a move. An illegal one loses the game.
    Move(Answer),
    /// Takes so many moves back, of both sides.
    TakeBack(usize),
    /// Gives the game up.
    Resign,
    /// Leaves: the game has no result.
    Leave,
    /// Cannot go on, for this reason, and loses.
    Fail(String),
}

/// A move and why.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The move.
    pub mv: String,
    /// What is proven for the mover, and kept by the move.
    pub verdict: Verdict,
    /// The mean reward of the simulations through this move, for the mover, if there were any.
    pub mean: Option<f64>,
    /// Simulations made for it.
    pub simulations: u64,
    /// Positions visited, or nodes made for it.
    pub nodes: u64,
}

/// Why a player names no move.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// The search cannot play this game.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A move of the record is none of its game.
    #[error(transparent)]
    Move(#[from] TextError),
    /// The search names none.
    #[error("`{search}` names no move in {position}; give it more to think with")]
    NoMove {
        /// The search.
        search: String,
        /// The position.
        position: String,
    },
    /// There is no such game to think in.
    #[error(transparent)]
    Game(#[from] SetupError),
    /// A person cannot be talked to.
    #[error(transparent)]
    Talk(#[from] io::Error),
}

/// A search that follows a game, move by move, and keeps what it knows.
pub struct Searcher {
    spec: SearchSpec,
    resources: Resources,
    limits: Limits,
    seed: Vec<u64>,
    /// The game it thinks in, if not the one that is played.
    thinks_in: Option<String>,
    /// The game so far as it has followed it, and what it knows.
    follows: Option<(Vec<String>, Box<dyn DynSearch>)>,
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let follows = self.follows.as_ref().map(|(line, _)| line);
        f.debug_struct("Searcher")
            .field("spec", &self.spec)
            .field("limits", &self.limits)
            .field("follows", &follows)
            .finish_non_exhaustive()
    }
}

impl Searcher {
    /// A search that has seen no game yet. Its seed is that of `resources`, and the number of the move.
    pub fn new(spec: SearchSpec, resources: Resources) -> Searcher {
        let (limits, seed) = (Limits::default(), vec![resources.seed]);
        Searcher { spec, resources, limits, seed, thinks_in: None, follows: None }
    }

    /// The same search with limits for each move, beside those of a clock.
    pub fn limited_by(self, limits: Limits) -> Searcher {
        Searcher { limits, ..self }
    }

    /// The same search with random numbers that follow from these and from the number of the move.
    pub fn seeded(self, seed: &[u64]) -> Searcher {
        Searcher { seed: seed.to_vec(), ..self }
    }

    /// The same search, thinking in a game that differs in what it knows, not in its rules.
    pub fn thinking_in(self, game: Option<&str>) -> Searcher {
        Searcher { thinks_in: game.map(str::to_owned), ..self }
    }

    /// Searches the position at the end of the record.
    pub fn think(&mut self, record: &Record, run: &mut Run<String>) -> Result<Report<String>, PlayerError> {
        Ok(self.follow(record)?.run(Ask::Value, run)?)
    }

    /// The limits of this move.
    fn limits(&self, turn: &Turn<'_>) -> Limits {
        let mover = turn.record.now().turn();
        let times = [self.limits.time, turn.clock.map(|clock| clock.allowance(mover))];
        Limits { time: times.into_iter().flatten().min(), ..self.limits }
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

impl Player for Searcher {
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
        let (record, pos) = (turn.record, turn.record.now());
        let mut run = Run::new(self.limits(turn)).stopped_by(turn.stop);
        let seed = [&self.seed[..], &[record.plies.len() as u64]].concat();
        run.seed = Some(Rng::from_parts(&seed).next_u64());
        let report = self.think(record, &mut run)?;
        let no_move = || PlayerError::NoMove { search: self.spec.to_string(), position: pos.text() };
        Answer::of_report(&report, pos.turn()).map(Choice::Move).ok_or_else(no_move)
    }
}

impl Answer {
    /// A move of which nothing else is known.
    pub fn new(mv: impl Into<String>) -> Answer {
        Answer { mv: mv.into(), verdict: Verdict::Unknown, mean: None, simulations: 0, nodes: 0 }
    }

    /// What a search has found for `mover`; `None` if it names no move.
    pub fn of_report(report: &Report<String>, mover: Side) -> Option<Answer> {
        // A win or a draw that the move is not proven to keep is nothing to promise.
        let verdict = match Verdict::of(report.bounds, mover) {
            Verdict::Win | Verdict::Draw if !report.best_is_proven(mover) => Verdict::Unknown,
            verdict => verdict,
        };
        let mv = report.best.clone()?;
        let mean = report.moves.iter().find(|m| m.mv == mv).and_then(|m| m.mean);
        let mean = mean.map(|mean| if mover == Side::First { mean } else { -mean });
        Some(Answer { mv, verdict, mean, simulations: report.simulations, nodes: report.nodes })
    }

    /// What the search says about its own move.
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

    /// What the search says when asked for a hint.
    pub fn advice(&self) -> &'static str {
        match self.verdict {
            Verdict::Win => "it wins for certain",
            Verdict::Draw => "it draws for certain, and nothing does better",
            Verdict::Loss => "every move loses against best play",
            Verdict::Unknown => "a guess, nothing is proven",
        }
    }
}
