//! Players: who can be asked for a move.

use crate::answer::value_text;
use crate::clock::Clock;
use crate::estimate::Estimate;
use crate::game::Loss;
use crate::job::certify;
use crate::record::Record;
use proofplay_core::{Rng, Score, TextError};
use proofplay_registry::{Certified, Certify, CertifyError, DynPosition, DynSearch, SetupError, game};
use proofplay_search::{Ask, Limits, Report, Resources, Run, SearchError, SearchSpec, Verdict};
use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Somebody who plays: a search, a person, another program.
pub trait Player {
    /// What they do when it is their turn. An error ends the game without a result; a player who cannot
    /// continue, such as a program that has crashed, chooses [`Choice::Fail`] and loses.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, PlayerError>;
}

/// What a player sees when it is their turn.
#[derive(Copy, Clone, Debug)]
#[non_exhaustive]
pub struct Turn<'a> {
    /// The game so far, which is not over.
    pub record: &'a Record,
    /// The clock of the player to move, if there is one; it runs.
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
    /// Gives the game up.
    Resign,
    /// Cannot continue, or breaks the rules of play, and loses by this.
    Fail(Loss),
}

/// A move and why.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The move.
    pub mv: String,
    /// What is proven for the mover, and preserved by the move.
    pub verdict: Verdict,
    /// The score of the position, where it is proven exactly.
    pub score: Option<Score>,
    /// The plies to the end of the game that go with it, where they are proven.
    pub plies: Option<u32>,
    /// The line of play that begins with the move, as far as it is known.
    pub line: Vec<String>,
    /// What simulations make of this move, for the mover, if there were any.
    pub estimate: Option<Estimate>,
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

/// A search that follows a game, move by move, and remembers what it knows.
pub struct Searcher {
    spec: SearchSpec,
    resources: Resources,
    limits: Limits,
    seed: Vec<u64>,
    counts_plies: bool,
    keeps_proofs: bool,
    /// The game it thinks in, if not the one that is played.
    thinks_in: Option<String>,
    /// The game so far as it has followed it, and what it knows.
    follows: Option<Following>,
}

/// A search at some point of a game.
struct Following {
    /// The game and the position at its start.
    start: (String, String),
    line: Vec<String>,
    search: Box<dyn DynSearch>,
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let follows = self.follows.as_ref().map(|follows| &follows.line);
        f.debug_struct("Searcher")
            .field("spec", &self.spec)
            .field("limits", &self.limits)
            .field("follows", &follows)
            .finish_non_exhaustive()
    }
}

impl Searcher {
    /// A search that has seen no game yet. Its seed is that of `resources` and the number of the move.
    pub fn new(spec: SearchSpec, resources: Resources) -> Searcher {
        let (limits, seed) = (Limits::default(), vec![resources.seed]);
        let (counts_plies, keeps_proofs) = (false, false);
        Searcher { spec, resources, limits, seed, counts_plies, keeps_proofs, thinks_in: None, follows: None }
    }

    /// The same search with limits for each move, besides those of a clock.
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

    /// The same search, which proves also in how many plies the game ends, if it can.
    pub fn counting_plies(self) -> Searcher {
        Searcher { counts_plies: true, ..self }
    }

    /// The same search, which keeps what is proven whatever was played before, also when moves are taken
    /// back and when another record of the same game begins, if it can.
    pub fn keeping_proofs(self) -> Searcher {
        Searcher { keeps_proofs: true, ..self }
    }

    /// How it searches.
    pub fn spec(&self) -> &SearchSpec {
        &self.spec
    }

    /// What it may use.
    pub fn resources(&self) -> Resources {
        self.resources
    }

    /// From now on it has these limits for each move.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Searches the position at the end of the record.
    pub fn think(&mut self, record: &Record, run: &mut Run<String>) -> Result<Report<String>, PlayerError> {
        let counts_plies = self.counts_plies;
        let search = self.follow(record)?;
        if counts_plies {
            match search.run(Ask::Distance, run) {
                Err(SearchError::NoDistances(_)) => {}
                report => return Ok(report?),
            }
        }
        Ok(search.run(Ask::Value, run)?)
    }

    /// What it finds in a turn, within its limits.
    pub fn report(&mut self, turn: &Turn<'_>) -> Result<Report<String>, PlayerError> {
        let mut run = Run::new(self.limits(turn)).stopped_by(turn.stop);
        let seed = [&self.seed[..], &[turn.record.plies.len() as u64]].concat();
        run.seed = Some(Rng::from_parts(&seed).next_u64());
        self.think(turn.record, &mut run)
    }

    /// A certificate of what it has proven of the last position that it has searched; `None` if there is
    /// no such position.
    pub fn certify(&mut self, wanted: &Certify) -> Option<Result<Certified, CertifyError>> {
        Some(certify(&mut *self.follows.as_mut()?.search, wanted, |_| ()))
    }

    /// Refuses a game that it cannot search.
    pub fn check(&mut self, record: &Record) -> Result<(), PlayerError> {
        self.follow(record).map(|_| ())
    }

    /// The limits of this move.
    fn limits(&self, turn: &Turn<'_>) -> Limits {
        let mover = turn.record.now().turn();
        let times = [self.limits.time, turn.clock.map(|clock| clock.allowance(mover))];
        Limits { time: times.into_iter().flatten().min(), ..self.limits }
    }

    /// The search at the end of the record, for questions of any kind. It knows what it knew before if
    /// only moves were added, otherwise nothing or its proofs.
    pub fn follow(&mut self, record: &Record) -> Result<&mut Box<dyn DynSearch>, PlayerError> {
        let start = (record.start().game(), record.start().text());
        let line: Vec<String> = record.plies.iter().map(|ply| ply.mv.clone()).collect();
        let mut following = match self.follows.take() {
            Some(old) if old.start == start && line.starts_with(&old.line) => old,
            Some(mut old) if self.keeps_proofs && old.start.0 == start.0 => {
                old.search.go_to(Some(&start.1), &line)?;
                Following { start, line: line.clone(), ..old }
            }
            other => {
                // Its memory first.
                drop(other);
                Following { search: self.start(record, &line)?, line: line.clone(), start }
            }
        };
        for mv in &line[following.line.len()..] {
            following.search.play(mv)?;
        }
        following.line = line;
        Ok(&mut self.follows.insert(following).search)
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
        let pos = turn.record.now();
        let report = self.report(turn)?;
        let no_move = || PlayerError::NoMove { search: self.spec.to_string(), position: pos.text() };
        let mut answer = Answer::of_report(&report, pos).ok_or_else(no_move)?;
        // What is proven in another game is not proven in this one.
        answer.score = answer.score.filter(|_| self.thinks_in.is_none());
        Ok(Choice::Move(answer))
    }
}

impl Answer {
    /// A move of which nothing else is known.
    pub fn new(mv: impl Into<String>) -> Answer {
        let (verdict, mv) = (Verdict::Unknown, mv.into());
        let line = Vec::new();
        Answer { mv, verdict, score: None, plies: None, line, estimate: None, simulations: 0, nodes: 0 }
    }

    /// What a search has found for the player to move; `None` if it names no move.
    pub fn of_report(report: &Report<String>, pos: &dyn DynPosition) -> Option<Answer> {
        let mover = pos.turn();
        // A win or a draw that the move is not proven to preserve is nothing to promise.
        let verdict = match Verdict::of(report.bounds, mover) {
            verdict @ (Verdict::Win | Verdict::Draw) if !report.best_is_proven(mover) => {
                let after = report.moves.iter().find(|m| Some(&m.mv) == report.best.as_ref());
                // The points may be open where the result is not.
                let is_kept = after.is_some_and(|m| Verdict::of(m.bounds, mover) == verdict);
                if is_kept { verdict } else { Verdict::Unknown }
            }
            verdict => verdict,
        };
        let mv = report.best.clone()?;
        let named = report.moves.iter().find(|m| m.mv == mv);
        Some(Answer {
            mv,
            verdict,
            score: report.bounds.value(),
            plies: report.plies.filter(|_| verdict != Verdict::Unknown),
            line: report.pv.clone(),
            estimate: named.and_then(|m| Estimate::of(m, pos.range(), mover)),
            simulations: report.simulations,
            nodes: report.nodes,
        })
    }

    /// The chance that the mover wins, from 0 to 1, a draw counted half: proven, or as simulations say.
    pub fn chance(&self) -> Option<f64> {
        match self.verdict {
            Verdict::Win => Some(1.0),
            Verdict::Draw => Some(0.5),
            Verdict::Loss => Some(0.0),
            _ => self.estimate.map(|estimate| estimate.wins.unwrap_or((estimate.mean + 1.0) / 2.0)),
        }
    }

    /// What the move is worth for the mover: `win in 5`, `draw`, `not proven, expected +0.12`,
    /// `not proven, expected +3.2 points, 61 %`.
    pub fn value(&self) -> String {
        match (self.verdict, self.estimate) {
            (Verdict::Unknown, Some(estimate)) => format!("not proven, expected {estimate}"),
            (Verdict::Unknown, None) => "not proven".to_owned(),
            (verdict, _) => value_text(verdict.word(), None, self.plies),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;

    fn record(name: &str, moves: &str) -> Record {
        let mut record = Record::new(game(name).unwrap().start());
        moves.split_whitespace().for_each(|mv| record.play(mv).unwrap());
        record
    }

    fn answer(searcher: &mut Searcher, record: &Record) -> Answer {
        match searcher.choose(&Turn::new(record, &Arc::default())).unwrap() {
            Choice::Move(answer) => answer,
            other => panic!("{other:?}"),
        }
    }

    fn searcher(spec: &str) -> Searcher {
        Searcher::new(spec.parse().unwrap(), Resources { memory: 1 << 20, ..Resources::default() })
    }

    /// Another game may have the same moves so far.
    #[test]
    fn a_search_follows_one_game_only() {
        let mut searcher = searcher("alphabeta");
        let legal = |record: &Record, mv: &str| record.now().legal().contains(&mv.to_owned());
        let games = [
            record("tictactoe", ""),
            record("domineering:3x3", ""),
            record("domineering:3x3,first=H", ""),
            Record::new(game("tictactoe").unwrap().parse("xx./oo./... x").unwrap()),
        ];
        for record in &games {
            let answer = answer(&mut searcher, record);
            assert!(legal(record, &answer.mv), "{} in {record:?}", answer.mv);
        }
        assert_eq!(answer(&mut searcher, &games[3]).value(), "win");
    }

    /// What is proven in another game is not proven in the one that is played.
    #[test]
    fn proofs_count_in_their_own_game() {
        let near = record("tictactoe", "a1 b1");
        for (own, score) in [(None, Some(1)), (Some("mnk:3x3k2"), None)] {
            let mut searcher = searcher("alphabeta").thinking_in(own);
            assert_eq!(answer(&mut searcher, &near).score.map(|score| score.0), score, "{own:?}");
        }
    }

    /// Counted by hand: X completes a row at once; O must stop two rows and cannot.
    #[test]
    fn values_have_plies_where_they_are_proven() {
        let value = |spec: &str, moves: &str| {
            answer(&mut searcher(spec).counting_plies(), &record("tictactoe", moves)).value()
        };
        assert_eq!(value("alphabeta", "a1 b1 a2 b2"), "win in 1");
        assert_eq!(value("alphabeta", "a1 b1 a3 a2 c3"), "loss in 2");
        assert_eq!(value("minimax", "a1 b1 a3 a2"), "win in 3");
        assert_eq!(value("alphabeta", ""), "draw");
        assert_eq!(value("score-bounded:playouts=5000", "a1 b1 a2 b2"), "win", "it does not count");
        assert!(value("mcts:playouts=1,proof=none", "").starts_with("not proven"));
        assert_eq!(answer(&mut searcher("alphabeta"), &record("tictactoe", "a1 b1 a2 b2")).value(), "win");
    }
}
