//! Searches, and checks of what they have proven.

use crate::error::{CertificateError, Failure, error};
use crate::evaluator::guide;
use crate::game::{Game, Known, json};
use crate::position::Position;
use crate::work::{Answer, Work};
use proofplay_certificate::{Certificate, Ends, VerifyError};
use proofplay_core::Line;
use proofplay_front::answer::value_word;
use proofplay_front::auto;
use proofplay_front::budget::{Budget, BudgetError, share_or};
use proofplay_front::job;
use proofplay_front::json::{Analyzed, Here, MoveValue, Solved, Verified, pair};
use proofplay_front::points::Points;
use proofplay_registry::{AnySearch, Certify, DynPosition, game};
use proofplay_search::mcts::Leaf;
use proofplay_search::{Ask, Limits, Report, Resources, Run, SearchSpec};
use pyo3::prelude::*;
use serde_json::json;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The memory of a search, if nothing else is said.
const MEMORY: usize = 1 << 30;

/// A search while nobody runs it, and what it has found.
#[derive(Default)]
struct Kept {
    search: Option<AnySearch>,
    latest: Option<Report<String>>,
}

/// A search at work: asked any number of times, moved along a game.
#[pyclass(frozen, module = "proofplay._proofplay")]
pub struct Search {
    known: Arc<Known>,
    name: String,
    resources: Resources,
    counts_simulations: bool,
    limits_itself: bool,
    line: Mutex<Line>,
    kept: Arc<Mutex<Kept>>,
    failures: Vec<Arc<Failure>>,
}

/// A lock whose holder cannot have left anything half done.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// So many bytes, if the system gives them.
fn memory_of(memory: Option<usize>) -> PyResult<usize> {
    let asked = memory.unwrap_or(MEMORY);
    if asked < 4096 {
        return Err(error(format!("memory={asked}: expected at least 4096 bytes")));
    }
    share_or(None, 1, asked).map_err(|why| match why {
        BudgetError::TooMuch(bytes) => {
            error(format!("memory={bytes}: the system does not give so many bytes; ask for less"))
        }
        why => error(why),
    })
}

fn seconds(time: Option<f64>) -> PyResult<Option<Duration>> {
    let wrong = |_| error(format!("time={}: expected seconds, at least 0", time.unwrap_or_default()));
    time.map(Duration::try_from_secs_f64).transpose().map_err(wrong)
}

impl Search {
    /// Takes the search for some work.
    fn take(&self) -> PyResult<AnySearch> {
        let search = lock(&self.kept).search.take();
        search.ok_or_else(|| error("the search is running, or it has failed: make a new one"))
    }

    /// What a report says of the position of the search; a live one has not ended.
    fn tell(
        (name, seed, ask): (&str, u64, Option<Ask>),
        pos: &dyn DynPosition,
        report: &Report<String>,
        is_live: bool,
    ) -> PyResult<String> {
        let Some(ask) = ask else {
            let mut report = report.clone();
            report.rank(pos.turn(), pos.range());
            let mut analyzed = Analyzed::new(pos, name, report);
            analyzed.found.ended = analyzed.found.ended.filter(|_| !is_live);
            return json(&analyzed);
        };
        let mut solved = Solved::new(pos, name, seed, report);
        solved.moves = ask.all_moves().then(|| MoveValue::all(pos, report));
        solved.found.ended = solved.found.ended.filter(|_| !is_live);
        json(&solved)
    }
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (position, search, solve, simulations=None, memory=None, threads=1, seed=0, function=None, encoder=None))]
    #[expect(clippy::too_many_arguments, reason = "named arguments in Python")]
    fn new(
        py: Python<'_>,
        position: &Bound<'_, Position>,
        search: &str,
        solve: bool,
        simulations: Option<u64>,
        memory: Option<usize>,
        threads: usize,
        seed: u64,
        function: Option<Py<PyAny>>,
        encoder: Option<&str>,
    ) -> PyResult<Search> {
        let position = position.get();
        let (pos, known) = (&position.pos, Arc::clone(&position.known));
        let (spec, name) = if solve {
            let name = auto::algorithm(search, &**pos).to_owned();
            (name.parse::<SearchSpec>().map_err(error)?, name)
        } else {
            let budget = Budget { simulations, ..Budget::default() };
            let spec = auto::player(search, &**pos, &budget).map_err(error)?;
            let name = if search == auto::AUTO { spec.to_string() } else { search.to_owned() };
            (spec, name)
        };
        let resources = Resources { memory: memory_of(memory)?, threads, seed };
        let mut failures: Vec<_> = known.failure().into_iter().cloned().collect();
        let guide = match function {
            None => None,
            Some(function) => {
                if !matches!(&spec, SearchSpec::Mcts(config) if matches!(config.leaf, Leaf::Evaluate { net: None, .. }))
                {
                    return Err(error(format!(
                        "`{name}` asks no evaluator: expected a search with leaf=evaluate, such as \
                         mcts:leaf=evaluate,select=puct,batch=64"
                    )));
                }
                let failure = Arc::default();
                let guide = guide(&known, function, encoder, &failure)?;
                failures.push(failure);
                Some(guide)
            }
        };
        let start = || {
            known.call(|_| match &guide {
                None => pos.start_search(&spec, resources),
                Some(guide) => pos.start_guided(&spec, resources, guide),
            })
        };
        let made = py.detach(start)?.map_err(error)?;
        let kept = Arc::new(Mutex::new(Kept { search: Some(made), latest: None }));
        let (counts_simulations, limits_itself) = (spec.counts_simulations(), spec.limits_itself());
        let line = Mutex::new(position.line());
        Ok(Search { known, name, resources, counts_simulations, limits_itself, line, kept, failures })
    }

    /// The search with its settings.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Whether it makes simulations that can be counted.
    #[getter]
    fn counts_simulations(&self) -> bool {
        self.counts_simulations
    }

    /// Whether it ends without any other limit.
    #[getter]
    fn limits_itself(&self) -> bool {
        self.limits_itself
    }

    /// Begins to search. `ask` is "value", "moves", "distance" or "distances" of a solve, or "thoughts".
    #[pyo3(signature = (ask, nodes=None, simulations=None, time=None, every=None))]
    fn start(
        &self,
        ask: &str,
        nodes: Option<u64>,
        simulations: Option<u64>,
        time: Option<f64>,
        every: Option<f64>,
    ) -> PyResult<Work> {
        let asked = match ask {
            "value" => Some(Ask::Value),
            "moves" => Some(Ask::AllMoves),
            "distance" => Some(Ask::Distance),
            "distances" => Some(Ask::AllDistances),
            "thoughts" => None,
            other => {
                return Err(error(format!(
                    "ask={other:?}: expected value, moves, distance, distances or thoughts"
                )));
            }
        };
        if simulations.is_some() && !self.counts_simulations {
            return Err(error(format!("simulations: {} makes none; limit it with nodes or time", self.name)));
        }
        let limits = Limits { nodes, simulations, time: seconds(time)?, clock: None };
        let every = seconds(every)?;
        let mut search = self.take()?;
        let (kept, name, seed) = (Arc::clone(&self.kept), self.name.clone(), self.resources.seed);
        Work::begin(self.failures.clone(), move |desk| {
            let pos = search.position();
            let mut told = Instant::now();
            let report = {
                let (pos, name) = (&pos, &name);
                let mut run = Run::new(limits).stopped_by(&desk.stop);
                if let Some(every) = every {
                    run = run.observed(move |report, _| {
                        if told.elapsed() >= every {
                            told = Instant::now();
                            // Who does not listen any more needs no report.
                            let _ = Search::tell((name, seed, asked), &**pos, report, true)
                                .map(|text| desk.reports.send(text));
                        }
                    });
                }
                search.run(asked.unwrap_or(Ask::Value), &mut run)
            };
            let answer = report.map_err(error).and_then(|report| {
                let text = Search::tell((&name, seed, asked), &*pos, &report, false)?;
                lock(&kept).latest = Some(report);
                Ok(Answer::Text(text))
            });
            lock(&kept).search = Some(search);
            answer
        })
    }

    /// Moves on to a position of the same game. What is known of it is kept, if it follows from the present one.
    fn set_position(&self, position: &Bound<'_, Position>) -> PyResult<()> {
        let to = position.get();
        if to.pos.game_id() != self.known.game.id() {
            return Err(error(format!(
                "a search of {} cannot go to {}",
                self.known.game.name(),
                to.pos.game()
            )));
        }
        let (mut search, next, line) = (self.take()?, to.line(), lock(&self.line).clone());
        let follows = next.from == line.from && next.moves.starts_with(&line.moves);
        let moved = self.known.call(|_| {
            if follows {
                next.moves[line.moves.len()..].iter().try_for_each(|mv| search.play(mv)).map_err(error)
            } else {
                search.go_to(next.from.as_deref(), &next.moves).map_err(error)
            }
        });
        moved??;
        *lock(&self.line) = next;
        let mut kept = lock(&self.kept);
        (kept.search, kept.latest) = (Some(search), None);
        Ok(())
    }

    /// What is known about the moves after a line of play, as JSON.
    fn children(&self, path: Vec<String>) -> PyResult<String> {
        let search = self.take()?;
        let children = self.known.call(|_| search.children(&path));
        lock(&self.kept).search = Some(search);
        let children = children?.into_iter().map(|child| {
            let bounds = [child.bounds.pess.0, child.bounds.opti.0];
            json!({ "move": child.mv, "bounds": bounds, "visits": child.visits, "mean": child.mean })
        });
        json(&children.collect::<Vec<_>>())
    }

    /// Begins to write the certificate of what the latest run has proven.
    #[pyo3(signature = (counted=false, memory=None, time=None))]
    fn certificate(&self, counted: bool, memory: Option<usize>, time: Option<f64>) -> PyResult<Work> {
        let report = lock(&self.kept)
            .latest
            .clone()
            .ok_or_else(|| error("nothing is proven yet: run the search first"))?;
        let mut wanted = Certify::new(lock(&self.line).clone(), report.bounds);
        wanted.plies = report.plies;
        wanted.ends = if counted { Ends::Counted } else { Ends::Rules };
        wanted.memory = memory_of(memory.or(Some(MEMORY / 2)))?;
        wanted.limits.time = seconds(time)?;
        let (mut search, kept) = (self.take()?, Arc::clone(&self.kept));
        Work::begin(self.failures.clone(), move |desk| {
            wanted.stop = Arc::clone(&desk.stop);
            let certified = job::certify(&mut *search, &wanted, |_| ());
            lock(&kept).search = Some(search);
            drop(desk.reports);
            Ok(Answer::Bytes(certified.map_err(error)?.written.bytes))
        })
    }
}

/// Begins to check a certificate by the rules of its game alone.
#[pyfunction]
#[pyo3(signature = (file, game=None, memory=None))]
pub fn check_certificate(
    file: Vec<u8>,
    game: Option<&Bound<'_, Game>>,
    memory: Option<usize>,
) -> PyResult<Work> {
    let known = game.map(|game| Arc::clone(&game.get().known));
    let memory = memory_of(memory)?;
    let failures = known.iter().filter_map(|known| known.failure().cloned()).collect();
    Work::begin(failures, move |desk| {
        let started = Instant::now();
        let refused = |why: String| CertificateError::new_err(why);
        let certificate =
            Certificate::parse(&file).map_err(|why| refused(format!("certificate refused: {why}")))?;
        let rules = match known {
            Some(known) => known.game.boxed(),
            None => {
                let id = &certificate.line.game;
                proofplay_registry::GAMES.recorded(id).map_err(|why| {
                    refused(format!(
                        "certificate refused: {why}; for a game of your own give its class: game=MyGame"
                    ))
                })?
            }
        };
        let checked = rules.verify(&certificate, memory, &mut |_| !desk.stop.load(SeqCst)).map_err(
            |why| match why {
                VerifyError::Refused(_) => refused(why.to_string()),
                other => error(other),
            },
        )?;
        let mut pos = match &certificate.line.from {
            None => rules.start(),
            Some(text) => rules.parse(text).map_err(error)?,
        };
        certificate.line.moves.iter().try_for_each(|mv| pos.play(mv)).map_err(error)?;
        let (name, bounds) = (pos.game(), checked.bounds);
        let verified = Verified {
            valid: true,
            here: Here::new(&*pos),
            value: value_word(&*pos, bounds),
            score: bounds.value().map(|score| Points::of(&name, score)),
            bounds: pair(&name, bounds),
            positions: checked.walked.positions,
            ends: checked.walked.ends,
            counted_ends: checked.walked.counted,
            late_ends: checked.walked.late,
            plies: checked.within,
            longest_line: checked.longest,
            bytes: file.len(),
            elapsed_s: started.elapsed().as_secs_f64(),
        };
        Ok(Answer::Text(json(&verified)?))
    })
}

/// Refuses a text that is no search.
#[pyfunction]
pub fn check_search(search: &str) -> PyResult<()> {
    search.parse::<SearchSpec>().map(|_| ()).map_err(error)
}

/// Whether a game of ours has this name.
#[pyfunction]
pub fn is_game(name: &str) -> bool {
    game(name).is_ok()
}
