//! What a store has: the lines of `results`. Games of a match are
//! [`GameRecord`](super::GameRecord)s.

use crate::{
    Experiment, Forfeits, LabError, Match, PlayedGame, Race, Raced, Solve, Solved, Store, Study, Trials,
    standing, stats,
};
use proofplay_core::Score;
use proofplay_front::points::Points;
use serde::Serialize;

/// An experiment in a list.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct ExperimentJson {
    /// Its number in the store.
    pub experiment: i64,
    /// `match`, `solve` or `race`.
    pub kind: String,
    /// The game with its parameters.
    pub game: String,
    /// The players or the search, with what was asked and their limits.
    pub what: String,
    /// How many trials are finished.
    pub trials: u64,
    /// A's points per game, or the mean number of simulations or nodes.
    pub result: Option<f64>,
    /// The lower end of its 95 % interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// What the result counts.
    pub unit: &'static str,
    /// The time of all trials.
    pub seconds: f64,
    /// The version of the program that began it.
    pub version: String,
    /// The signature of its behaviour.
    pub signature: String,
    /// When it was begun.
    pub begun: String,
    /// Of solves: `first`, `second` or `draw`, where it is proven.
    pub winner: Option<&'static str>,
    /// Of matches: games that A has lost by something else than the rules, such as time.
    pub a_forfeits: Option<u64>,
    /// The same of B.
    pub b_forfeits: Option<u64>,
    /// These games by what it was, for a person.
    #[serde(skip)]
    pub forfeits: [Forfeits; 2],
}

impl ExperimentJson {
    /// What a list says about an experiment of a store.
    pub fn new(store: &Store, experiment: Experiment) -> Result<ExperimentJson, LabError> {
        let Experiment { id, kind, plan, version, signature, begun, trials, seconds } = experiment;
        let text = |key: &str| plan[key].as_str().unwrap_or_default();
        let mut row = ExperimentJson {
            experiment: id,
            game: crate::plain_name(text("game")).to_owned(),
            what: String::new(),
            trials,
            result: None,
            low: None,
            high: None,
            unit: "",
            seconds,
            version,
            signature,
            begun,
            winner: None,
            a_forfeits: None,
            b_forfeits: None,
            forfeits: [Forfeits::default(); 2],
            kind,
        };
        let listed = |plan: &serde_json::Value, keys: &[&str]| -> String {
            let known = keys.iter().filter_map(|key| {
                let value = plan.get(key).filter(|value| !value.is_null())?;
                Some(format!(" {key}={value}"))
            });
            known.collect()
        };
        let own = ["playouts", "nodes", "time_s"];
        let mut limits = listed(&plan, &own);
        if let Some(pace) = plan.get("b_pace") {
            limits += &format!(" B:{}", listed(pace, &own));
        }
        limits += &listed(&plan, &["time_margin_s", "resign", "ended_by_proof"]);
        match &*row.kind {
            Match::KIND => {
                let games: Trials<PlayedGame> = store.trials(id)?;
                let standing = standing(&games, None);
                row.show(standing.tally.score(), "score");
                row.what = format!("{} - {}{limits}", text("a"), text("b"));
                row.forfeits = standing.forfeits;
                [row.a_forfeits, row.b_forfeits] = row.forfeits.map(|forfeits| Some(forfeits.total()));
            }
            Solve::KIND => {
                let solves: Trials<Solved> = store.trials(id)?;
                let samples = solves.iter().any(|(_, solved, _)| solved.playouts > 0);
                let count = |solved: &Solved| if samples { solved.playouts } else { solved.nodes };
                let counts: Vec<f64> = solves.iter().map(|(_, solved, _)| count(solved) as f64).collect();
                row.show(stats::mean(&counts), if samples { "playouts" } else { "nodes" });
                let asked = ["all_moves", "shortest"].into_iter().filter(|key| plan[*key] == true);
                let asked: String = asked.map(|key| format!(" {}", key.replace('_', "-"))).collect();
                let place = [("position", "from"), ("moves", "after")].map(|(key, word)| match text(key) {
                    "" => String::new(),
                    place => format!(" {word} {place}"),
                });
                row.what = format!("{}{asked}{limits}{}", text("algorithm"), place.concat());
                row.winner = solves.iter().find_map(|(_, solved, _)| solved.winner());
            }
            Race::KIND => {
                let searches = plan["contestants"].as_array().map_or(&[][..], Vec::as_slice);
                let searches = searches.iter().map(|one| one[0].as_str().unwrap_or_default());
                row.what = searches.collect::<Vec<_>>().join(" - ") + &limits;
            }
            _ => {}
        }
        if trials == 0 {
            (row.result, row.low, row.high) = (None, None, None);
        }
        Ok(row)
    }

    fn show(&mut self, of: stats::Interval, unit: &'static str) {
        let finite = |x: f64| x.is_finite().then_some(x);
        (self.result, self.low, self.high) = (finite(of.mean), finite(of.low), finite(of.high));
        self.unit = unit;
    }
}

/// A solve.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct SolveJson {
    /// Its number.
    pub number: u32,
    /// Whether the value is known.
    pub solved: bool,
    /// The value is at least this for the player who began.
    pub pess: Points,
    /// The value is at most this.
    pub opti: Points,
    /// Simulations.
    pub playouts: u64,
    /// Nodes.
    pub nodes: u64,
    /// Expansions of a best-first search.
    pub expansions: u64,
    /// Its time.
    pub seconds: f64,
    /// In how many plies the game ends, if that was asked and is proven.
    pub plies: Option<u32>,
}

impl SolveJson {
    /// A trial in the game of this name.
    pub fn new(game: &str, number: u32, solved: &Solved, seconds: f64) -> SolveJson {
        let &Solved { pess, opti, playouts, nodes, expansions, plies, .. } = solved;
        let solved = solved.is_exact();
        let [pess, opti] = [pess, opti].map(|score| Points::of(game, Score(score)));
        SolveJson { number, solved, pess, opti, playouts, nodes, expansions, seconds, plies }
    }
}

/// What one search of a race did on a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct RunJson {
    /// The number of the position.
    pub number: u32,
    /// The search.
    pub search: String,
    /// The value is at least this for the player to move.
    pub pess: i16,
    /// The value is at most this.
    pub opti: i16,
    /// Simulations or expansions.
    pub iterations: u64,
    /// Time of the processor.
    pub seconds: f64,
    /// The move it would play.
    pub best: String,
}

impl RunJson {
    /// The searches of a race on all its positions.
    pub fn all(race: &Race, trials: &Trials<Vec<Raced>>) -> Vec<RunJson> {
        let of = |(number, runs, _): &(u32, Vec<Raced>, f64)| {
            let number = *number;
            let both = race.contestants.iter().zip(runs);
            let one = both.map(|(contestant, run)| RunJson {
                number,
                search: contestant.spec.to_string(),
                pess: run.pess,
                opti: run.opti,
                iterations: run.iterations,
                seconds: run.seconds,
                best: run.best.clone(),
            });
            one.collect::<Vec<_>>()
        };
        trials.iter().flat_map(of).collect()
    }
}
