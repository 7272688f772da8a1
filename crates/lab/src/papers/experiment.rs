//! An experiment of a table, whatever kind of study it is.

use crate::race::{Race, Raced};
use crate::store::Experiment as Stored;
use crate::{Course, LabError, Match, Played, PlayedGame, Solve, Solved, Store, Study, Trials, run};
use proofplay_net::{FOLDER, full_name};
use proofplay_registry::{game, reach};
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What is done for a cell.
#[derive(Clone, Debug)]
pub enum Experiment {
    /// A position is solved with many seeds.
    Solve(Box<Solve>),
    /// A match.
    Match(Box<Match>),
    /// Searches race on many positions.
    Race(Race),
    /// A search plays a position to its end.
    Course(Box<Course>),
    /// Nothing: the figure is computed exactly.
    Known(f64),
    /// It cannot be done, and why.
    Missing(String),
}

/// The outcomes of an experiment.
#[derive(Clone, Debug)]
pub enum Outcomes {
    /// Of solving.
    Solved(Trials<Solved>),
    /// Of a match.
    Games(Trials<PlayedGame>),
    /// Of a race: what each search did, by position.
    Raced(Trials<Vec<Raced>>),
    /// Of positions that were played to their end.
    Courses(Trials<Played>),
    /// The exact figure.
    Known(f64),
    /// Nothing, and why.
    Missing(String),
}

impl Outcomes {
    /// The number of trials that are finished.
    pub fn len(&self) -> usize {
        match self {
            Outcomes::Solved(trials) => trials.len(),
            Outcomes::Games(trials) => trials.len(),
            Outcomes::Raced(trials) => trials.len(),
            Outcomes::Courses(trials) => trials.len(),
            Outcomes::Known(_) => 1,
            Outcomes::Missing(_) => 0,
        }
    }

    /// Whether nothing is known yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Runs `$body` with `$study` bound to the study, of whichever kind, and `$wrap` to the constructor of
/// its outcomes.
macro_rules! with_study {
    ($experiment:expr, |$study:ident, $wrap:ident| $body:expr) => {
        match $experiment {
            Experiment::Known(figure) => Ok(Outcomes::Known(*figure)),
            Experiment::Missing(why) => Ok(Outcomes::Missing(why.clone())),
            Experiment::Solve($study) => {
                let $study: &Solve = $study;
                let $wrap = Outcomes::Solved;
                $body
            }
            Experiment::Match($study) => {
                let $study: &Match = $study;
                let $wrap = Outcomes::Games;
                $body
            }
            Experiment::Race($study) => {
                let $wrap = Outcomes::Raced;
                $body
            }
            Experiment::Course($study) => {
                let $study: &Course = $study;
                let $wrap = Outcomes::Courses;
                $body
            }
        }
    };
}

impl Experiment {
    /// The experiment itself, or what is missing to do it, such as a game.
    pub fn checked(self) -> Experiment {
        let wrong = match &self {
            Experiment::Solve(solve) => solve.start().err(),
            Experiment::Match(contest) => contest.check().err(),
            Experiment::Race(race) => game(&race.game).err().map(LabError::from),
            Experiment::Course(course) => reach(&course.line).err().map(LabError::from),
            Experiment::Known(_) | Experiment::Missing(_) => None,
        };
        wrong.map_or(self, |error| Experiment::Missing(error.to_string()))
    }

    /// Which network it needs that is not there, or is another one.
    fn lacks(&self) -> Option<String> {
        let specs = match self {
            Experiment::Match(contest) => [contest.a.spec(), contest.b.spec()],
            Experiment::Course(course) => [Some(&course.spec), None],
            _ => [None, None],
        };
        let error = specs.into_iter().flatten().find_map(|spec| full_name(spec.network()?).err())?;
        Some(format!("{error}; the environment variable {FOLDER} names the folder with the networks"))
    }

    /// Does what the store lacks of `count` trials; without a network that it needs, nothing. `watch` is called with the number of finished
    /// trials.
    pub fn run(
        &self,
        count: u32,
        threads: usize,
        store: &Store,
        stop: &Arc<AtomicBool>,
        watch: &mut dyn FnMut(usize),
    ) -> Result<Outcomes, LabError> {
        if let Some(why) = self.lacks() {
            return Ok(Outcomes::Missing(why));
        }
        with_study!(self, |study, wrap| {
            let mut tell = |trials: &Trials<_>| {
                watch(trials.len());
                false
            };
            Ok(wrap(run(study, count, threads, store, stop, &mut tell)?))
        })
    }

    /// What a store has of `count` trials by any version of the program; the newest if there are
    /// several.
    pub fn stored(
        &self,
        count: u32,
        store: &Store,
        all: &[Stored],
    ) -> Result<(Outcomes, Option<Stored>), LabError> {
        let mut stored = None;
        let outcomes = with_study!(self, |study, wrap| {
            let (trials, found) = find(study, count, store, all)?;
            stored = found;
            Ok::<_, LabError>(wrap(trials))
        });
        Ok((outcomes?, stored))
    }
}

fn find<S: Study>(
    study: &S,
    count: u32,
    store: &Store,
    all: &[Stored],
) -> Result<(Trials<S::Outcome>, Option<Stored>), LabError>
where
    S::Outcome: DeserializeOwned,
{
    let plan = study.plan();
    let same = |stored: &&Stored| stored.kind == S::KIND && stored.trials > 0 && stored.plan == plan;
    let Some(stored) = all.iter().rev().find(same) else { return Ok((Vec::new(), None)) };
    let mut trials = store.trials(stored.id)?;
    trials.retain(|trial: &(u32, _, f64)| trial.0 < count);
    Ok((trials, Some(stored.clone())))
}
