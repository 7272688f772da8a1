//! A cell of a table as a line of text: what was done, and what was found.
//!
//! Lines are in git (`results/TABLE.jsonl`), so they have what a verdict needs and no more: the number
//! of each run, the games won and lost, the share of positions. The trials themselves stay in a store.
//! If the trials of a measurement are lost, only its figure is known: such a line is a
//! [`Found::Summary`].

use super::experiment::{Experiment, Outcomes};
use super::figure::{Figure, RIGHT, Reading};
use super::{Planned, Scale, Share};
use crate::race::Positions;
use crate::stats::{Interval, Tally, mean, wilson};
use crate::{Played, PlayedGame, Solved, Trials, plan};
use proofplay_core::Player;
use proofplay_front::clock::TimeControl;
use serde::{Deserialize, Serialize, Serializer};

/// A cell as a line of text.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The name of its row.
    pub row: String,
    /// The name of its column.
    pub column: String,
    /// Its limits: `quick` or `paper`. It may have any number of trials.
    #[serde(with = "plan::text")]
    pub scale: Scale,
    /// What was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Conditions>,
    /// The number of trials: seeds, games or positions.
    pub trials: u64,
    /// What was found.
    pub found: Found,
    /// Before each move of the first trial, the chance of who wins, in percent, as the search saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chances: Option<Vec<u8>>,
    /// The version of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The signature of its behaviour in this experiment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Anything else a reader should know, such as trials of several seeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What was done for a cell. An exact figure needs none.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// The game with its parameters.
    pub game: String,
    /// The searches: one that solves, two that play, several that race.
    pub searches: Vec<String>,
    /// Where trials begin, if not at the start: a position, moves, or openings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The limit of simulations of a search, or of a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulations: Option<u64>,
    /// The limit of nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The limit of seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The first seed, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// What the trials of a cell have found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Found {
    /// An exact value, the same in all trials.
    Exact(#[serde(serialize_with = "number")] f64),
    /// A number for each trial, in their order.
    Runs {
        /// The numbers.
        #[serde(serialize_with = "wholes")]
        numbers: Vec<f64>,
        /// Set if some trials were stopped before their end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stopped: Option<Stopped>,
    },
    /// Games between two players.
    Games(Tally),
    /// Some of the games between two players.
    Part(Tally),
    /// In how many trials something was true.
    Share(u64),
    /// The figure alone: the trials were not stored.
    Summary(Summary),
}

/// Trials that were stopped before their end.
#[derive(Copy, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stopped {
    /// How many.
    pub trials: u64,
    /// At which number.
    #[serde(serialize_with = "number")]
    pub at: f64,
}

/// A figure without its trials.
#[derive(Copy, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// The mean, or the lower end of what it may be if some trials were stopped.
    #[serde(serialize_with = "number")]
    pub mean: f64,
    /// The ends of its 95 % interval.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "ends")]
    pub interval: Option<(f64, f64)>,
    /// Some trials were stopped at this number.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "some_number")]
    pub stopped_at: Option<f64>,
}

impl Record {
    /// The figure of a table. Scores and shares are in percent.
    pub fn figure(&self) -> Figure {
        let trials = self.trials as usize;
        match &self.found {
            Found::Exact(figure) => Figure::exact(*figure, trials),
            Found::Runs { numbers, stopped } => {
                let stopped_at = stopped.map(|stopped| stopped.at);
                Figure { stopped_at, ..Figure::of(mean(numbers), trials) }
            }
            Found::Games(tally) | Found::Part(tally) => {
                Figure::of(percent(tally.score()), tally.games() as usize)
            }
            Found::Share(count) => Figure::of(percent(wilson(*count as f64, self.trials)), trials),
            Found::Summary(Summary { mean, interval, stopped_at }) => {
                Figure { mean: *mean, interval: *interval, stopped_at: *stopped_at, trials }
            }
        }
    }

    /// Whether only its figure is known.
    pub fn is_summary(&self) -> bool {
        matches!(self.found, Found::Summary(_))
    }

    /// Whether it takes the place of another record of the same cell, by the rule of
    /// [`PRECEDENCE`](super::archive::PRECEDENCE).
    pub fn supersedes(&self, other: &Record) -> bool {
        self.covers(other.scale, other.trials) && (other.is_summary() || !self.is_summary())
    }

    /// Whether its limits are at least those of a scale, and its trials at least this many.
    fn covers(&self, scale: Scale, trials: u64) -> bool {
        let is_full = |scale: Scale| scale != Scale::Quick;
        is_full(self.scale) >= is_full(scale) && self.trials >= trials
    }

    /// Whether it answers what is planned at a scale: the same search of the same game, with limits
    /// at least as large and trials at least as many.
    pub fn answers(&self, planned: &Planned, scale: Scale) -> bool {
        let what = |conditions: Option<Conditions>| conditions.map(|c| (c.game, c.searches, c.start));
        self.covers(scale, u64::from(planned.trials))
            && what(self.conditions.clone()) == what(Conditions::of(&planned.experiment))
    }

    /// A contradiction in it.
    pub fn flaw(&self) -> Option<String> {
        let counted = match &self.found {
            Found::Runs { numbers, .. } => numbers.len() as u64,
            Found::Games(tally) => tally.games(),
            Found::Share(count) => self.trials.max(*count),
            Found::Part(tally) => self.trials.max(tally.games()),
            Found::Exact(_) | Found::Summary(_) => self.trials,
        };
        if self.trials == 0 {
            return Some("`trials` is 0: expected at least 1".to_owned());
        }
        if counted != self.trials {
            return Some(format!("`trials` is {}, but {counted} were found", self.trials));
        }
        let (Found::Games(tally) | Found::Part(tally)) = &self.found else { return self.summary_flaw() };
        let observed = 2 * tally.pairs.iter().sum::<u64>() + tally.lone.iter().sum::<u64>();
        let games = tally.games();
        (observed != games).then(|| format!("{games} games, but {observed} in pairs and alone"))
    }

    fn summary_flaw(&self) -> Option<String> {
        let Found::Summary(Summary { mean, interval: Some((low, high)), .. }) = self.found else {
            return None;
        };
        (!(low <= mean && mean <= high)).then(|| format!("the mean {mean} is not between {low} and {high}"))
    }
}

impl Conditions {
    /// Those of an experiment.
    pub fn of(experiment: &Experiment) -> Option<Conditions> {
        let text = |text: String| Some(text).filter(|text| !text.is_empty());
        match experiment {
            Experiment::Solve(solve) => Some(Conditions {
                game: solve.line.game.clone(),
                searches: vec![solve.spec.to_string()],
                start: solve.line.from.clone().or(text(solve.line.moves.join(" "))),
                simulations: solve.playouts,
                nodes: solve.nodes,
                seconds: solve.time.map(|time| time.as_secs_f64()),
                seed: Some(solve.seed),
            }),
            Experiment::Match(contest) => Some(Conditions {
                game: contest.game.clone(),
                searches: vec![contest.a.to_string(), contest.b.to_string()],
                start: Some(contest.openings.to_string()),
                simulations: contest.pace.playouts,
                nodes: contest.pace.nodes,
                seconds: contest.pace.time.and_then(TimeControl::per_move).map(|time| time.as_secs_f64()),
                seed: Some(contest.seed),
            }),
            Experiment::Race(race) => {
                let (start, seed) = match &race.positions {
                    Positions::Random { plies, seed } => (format!("random:{plies}"), *seed),
                    Positions::Listed(texts) => (format!("{} positions", texts.len()), 1),
                };
                Some(Conditions {
                    game: race.game.clone(),
                    searches: race.contestants.iter().map(|one| one.spec.to_string()).collect(),
                    start: Some(start),
                    simulations: race.contestants.iter().filter_map(|one| one.playouts).max(),
                    nodes: None,
                    seconds: race.time.map(|time| time.as_secs_f64()),
                    seed: Some(seed),
                })
            }
            Experiment::Course(course) => Some(Conditions {
                game: course.line.game.clone(),
                searches: vec![course.spec.to_string()],
                start: course.line.from.clone().or(text(course.line.moves.join(" "))),
                simulations: Some(course.playouts),
                nodes: None,
                seconds: None,
                seed: Some(course.seed),
            }),
            Experiment::Known(_) | Experiment::Missing(_) => None,
        }
    }

    /// Its limits for a person: `2 000 simulations`.
    pub fn limits(&self) -> String {
        let unit = super::Unit::Nodes;
        let counts = [(self.simulations, "simulations"), (self.nodes, "nodes")];
        let counts =
            counts.iter().filter_map(|(n, what)| Some(format!("{} {what}", unit.show((*n)? as f64))));
        let seconds = self.seconds.map(|seconds| format!("{seconds} s"));
        counts.chain(seconds).collect::<Vec<_>>().join(", ")
    }
}

impl Found {
    /// Reads what a cell needs from the outcomes of its experiment; `None` if there are none yet.
    pub fn read(reading: &Reading, experiment: &Experiment, outcomes: &Outcomes) -> Option<Found> {
        if outcomes.is_empty() {
            return None;
        }
        match (outcomes, reading) {
            (Outcomes::Known(figure), _) => Some(Found::Exact(*figure)),
            (Outcomes::Solved(trials), _) => Found::of_solved(reading, experiment, trials),
            (Outcomes::Games(games), Reading::Score) => {
                let points = games.iter().map(|(number, game, _)| (*number, game.half_points));
                Some(Found::Games(Tally::of(points)))
            }
            (Outcomes::Games(games), Reading::Part(part)) => {
                let those = games.iter().filter(|(_, game, _)| part.holds(game));
                let tally = Tally::of(those.map(|(number, game, _)| (*number, game.half_points)));
                (tally.games() > 0).then_some(Found::Part(tally))
            }
            (Outcomes::Games(games), Reading::Proven) => {
                let proven = games.iter().filter(|(_, game, _)| game.a.proven_after.is_some());
                Some(Found::Share(proven.count() as u64))
            }
            (Outcomes::Games(games), Reading::Certain) => {
                let share = |game: &PlayedGame| {
                    let after = game.a.proven_after.unwrap_or(game.plies);
                    // Tenths: more digits are noise.
                    (1000.0 * f64::from(after) / f64::from(game.plies.max(1))).round() / 10.0
                };
                let numbers = games.iter().map(|(_, game, _)| share(game)).collect();
                Some(Found::Runs { numbers, stopped: None })
            }
            (Outcomes::Courses(trials), Reading::Right(winner)) => Some(Found::of_courses(*winner, trials)),
            (Outcomes::Raced(trials), Reading::Share(share)) => {
                let holds = |share: &Share| {
                    trials.iter().filter(|(number, runs, _)| share.holds(*number, runs)).count()
                };
                Some(Found::Share(holds(share) as u64))
            }
            _ => None,
        }
    }

    /// Searches that were never right count with all their moves.
    fn of_courses(winner: Player, trials: &Trials<Played>) -> Found {
        let after = |played: &Played| played.right_after(winner, RIGHT);
        let number = |played: &Played| after(played).unwrap_or(played.steps.len()) as f64;
        let numbers: Vec<f64> = trials.iter().map(|(_, played, _)| number(played)).collect();
        let never = trials.iter().filter(|(_, played, _)| after(played).is_none()).count() as u64;
        let stopped = (never > 0).then(|| Stopped { trials: never, at: mean(&numbers).mean });
        Found::Runs { numbers, stopped }
    }

    /// The chances of the winner that the first trial of a course shows.
    pub fn chances(reading: &Reading, outcomes: &Outcomes) -> Option<Vec<u8>> {
        let (Outcomes::Courses(trials), Reading::Right(winner)) = (outcomes, reading) else { return None };
        let (_, played, _) = trials.first()?;
        let of_winner = |first: f64| if *winner == Player::First { first } else { 1.0 - first };
        Some(played.steps.iter().map(|step| (100.0 * of_winner(step.first)).round() as u8).collect())
    }

    fn of_solved(reading: &Reading, experiment: &Experiment, trials: &Trials<Solved>) -> Option<Found> {
        let Experiment::Solve(solve) = experiment else { return None };
        if *reading == Reading::Value {
            let (_, one, _) = &trials[0];
            let agree = trials.iter().all(|(_, solved, _)| solved.is_exact() && solved.pess == one.pess);
            return agree.then(|| Found::Exact(f64::from(one.pess)));
        }
        let visits =
            |solved: &Solved, mv: &str| solved.moves.iter().find(|m| m.0 == mv).map_or(0.0, |m| m.1 as f64);
        let number = |solved: &Solved, seconds: f64| match reading {
            Reading::Playouts => solved.playouts as f64,
            Reading::Nodes => solved.nodes as f64,
            Reading::MainNodes => solved.main_nodes as f64,
            Reading::Visits(mv) => visits(solved, mv),
            // Milliseconds: more digits are noise.
            _ => (seconds * 1000.0).round() / 1000.0,
        };
        let numbers: Vec<f64> = trials.iter().map(|(_, solved, seconds)| number(solved, *seconds)).collect();
        let unsolved = trials.iter().filter(|(_, solved, _)| !solved.is_exact()).count() as u64;
        // The visits of a move are a figure even if nothing was proven.
        let stopped = (unsolved > 0 && !matches!(reading, Reading::Visits(_))).then(|| {
            let limit = match reading {
                Reading::Playouts => solve.playouts,
                Reading::Nodes => solve.nodes,
                _ => None,
            };
            Stopped { trials: unsolved, at: limit.map_or(mean(&numbers).mean, |limit| limit as f64) }
        });
        Some(Found::Runs { numbers, stopped })
    }
}

fn percent(of: Interval) -> Interval {
    Interval { mean: 100.0 * of.mean, low: 100.0 * of.low, high: 100.0 * of.high }
}

/// Whole numbers without a decimal point.
fn number<S: Serializer>(x: &f64, to: S) -> Result<S::Ok, S::Error> {
    Number(*x).serialize(to)
}

fn some_number<S: Serializer>(x: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    x.map(Number).serialize(to)
}

fn wholes<S: Serializer>(all: &[f64], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(all.iter().copied().map(Number))
}

fn ends<S: Serializer>(ends: &Option<(f64, f64)>, to: S) -> Result<S::Ok, S::Error> {
    ends.map(|(low, high)| (Number(low), Number(high))).serialize(to)
}

struct Number(f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            x if x.fract() == 0.0 && x.abs() < 2f64.powi(53) => to.serialize_i64(x as i64),
            x => to.serialize_f64(x),
        }
    }
}
