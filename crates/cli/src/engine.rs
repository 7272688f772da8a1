//! The computer's side of a game: a search under a time limit, and what it may say about its move.

use crate::progress::Progress;
use crate::record::Record;
use anyhow::{Context, Result};
use proofplay_core::{Player, Rng};
use proofplay_registry::{DynPosition, DynSearch};
use proofplay_search::{Ask, Limits, Resources, Run, SearchKind, SearchSpec, Verdict};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Lets the program choose the search.
pub const AUTO: &str = "auto";
/// What it chooses.
pub const AUTO_MEANING: &str = "what `solve` takes: alphabeta, or pns:facts=on where positions can repeat";

/// The search that is meant: `auto` is alpha-beta, or where positions can repeat, which its table cannot bear, proof numbers on
/// a tree. Both were the fastest of their kind when measured: see "What `auto` takes" in docs/SOLVED.md.
pub fn algorithm<'a>(asked: &'a str, pos: &dyn DynPosition) -> &'a str {
    match asked {
        AUTO if pos.repeats() => "pns:facts=on",
        AUTO => "alphabeta",
        other => other,
    }
}

/// The search that plays against a person: it also guesses well what it cannot prove. Playouts from the first visit on make
/// many more simulations than `score-bounded`, which grows its tree to the end of the game: 86 times as many on `go:9x9`.
pub const DEFAULT_OPPONENT: &str = "mcts";

/// The help of `--algorithm`.
pub fn algorithms() -> String {
    let names: Vec<&str> = SearchKind::all().iter().map(|kind| kind.name).collect();
    let names = names.join(", ");
    format!("The search as NAME or NAME:KEY=VALUE,…; the names are {AUTO}, {names}; see `proofplay searches`")
}

/// A player that searches.
pub struct Engine {
    /// How it searches.
    pub spec: SearchSpec,
    /// How long it may think about a move.
    pub time: Duration,
    /// Bytes for tables and trees.
    pub memory: usize,
    /// Where the seeds of its searches come from.
    pub rng: Rng,
    /// Ends its thinking.
    pub stop: Arc<AtomicBool>,
    /// The game so far as it has followed it, and what it knows.
    follows: Option<(Vec<String>, Box<dyn DynSearch>)>,
}

/// A move and why.
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
        Engine { spec, time, memory, rng, stop, follows: None }
    }

    /// Chooses a move after the game so far, which must not be over.
    pub fn answer(&mut self, record: &Record) -> Result<Answer> {
        let progress = Progress::start();
        progress.say("thinking".to_owned());
        let limits = Limits { time: Some(self.time), ..Limits::default() };
        let mut run = Run::new(limits).stopped_by(&self.stop);
        run.seed = Some(self.rng.next_u64());
        let mover = record.now().turn();
        let report = self.follow(record)?.run(Ask::Value, &mut run)?;
        // A win or a draw that the move is not proven to keep is nothing to promise.
        let verdict = match Verdict::of(report.bounds, mover) {
            Verdict::Win | Verdict::Draw if !report.best_is_proven(mover) => Verdict::Unknown,
            verdict => verdict,
        };
        let mv = report.best.context("the search names no move")?;
        let mean = report.moves.iter().find(|m| m.mv == mv).and_then(|m| m.mean);
        let mean = mean.map(|mean| if mover == Player::First { mean } else { -mean });
        Ok(Answer { mv, verdict, mean })
    }

    /// What it knows at the end of the record: the same as before if only moves were added, else anew.
    fn follow(&mut self, record: &Record) -> Result<&mut Box<dyn DynSearch>> {
        let line: Vec<String> = record.plies.iter().map(|ply| ply.mv.clone()).collect();
        let (seen, mut search) = match self.follows.take() {
            Some((seen, search)) if line.starts_with(&seen) => (seen, search),
            _ => {
                let resources = Resources { memory: self.memory, ..Resources::default() };
                (line.clone(), record.now().start_search(&self.spec, resources)?)
            }
        };
        for mv in &line[seen.len()..] {
            search.play(mv)?;
        }
        Ok(&mut self.follows.insert((line, search)).1)
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
