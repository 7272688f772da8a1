//! The Go Text Protocol, version 2 (Farnebäck 2002): proofplay as an engine for front ends.
//!
//! Every game is played by it: black is the player who begins, and moves are written as [`vertex`]
//! says. [`serve`] answers lines until `quit` or their end; nothing that is sent ends it otherwise. A
//! command is a row of `COMMANDS` in `commands.rs`.
//!
//! In Go a colour may move out of turn, and after two passes; then no earlier board is forbidden any
//! more. Dead stones are those that were taken: what is on the board at the end is alive, as the rules
//! of Tromp and Taylor say.

mod analysis;
pub mod client;
mod commands;
pub mod foreign;
mod go;
mod gogui;
pub mod line;
#[cfg(test)]
mod tests;
mod time;
mod told_time;
pub mod vertex;

use crate::input::{Input, Line, Manner};
pub use go::score_without;
use line::{Command, reply};
use proofplay_core::{Player, Rng};
use proofplay_front::auto;
use proofplay_front::budget::{ALONE, Budget, BudgetError, share};
use proofplay_front::clock::Clock;
use proofplay_front::player::{Answer, PlayerError, Searcher};
use proofplay_front::record::Record;
use proofplay_registry::{DynPosition, SetupError, game};
use proofplay_search::{Limits, Observer, Report, Resources, Run, SpecError};
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// No line that means anything has more bytes: GoGui sends whole games in one.
const LONGEST_LINE: usize = 1 << 20;

/// How the computer plays.
#[derive(Clone, Debug)]
pub struct Options {
    /// The search, as somebody has written it, or `auto`.
    pub engine: String,
    /// What it may use, for a move where that is said, besides what a clock gives.
    pub budget: Budget,
    /// The time for a move if nothing else ends it.
    pub usual_time: Duration,
    /// Where its random numbers start.
    pub seed: u64,
    /// It thinks while the opponent does.
    pub ponders: bool,
    /// Of each move's time this is kept for the way to the clock, at most half of it.
    pub lag: Duration,
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] SetupError),
    /// There is no such search.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It cannot have what it is given.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// It cannot play this game.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// An engine with its game.
#[derive(Debug)]
pub struct Engine {
    options: Options,
    record: Record,
    /// Games that moves out of turn have ended, which `undo` brings back.
    earlier: Vec<Record>,
    computer: Searcher,
    /// Who estimates every move, where the computer plays by a search that does not.
    analyst: Option<Searcher>,
    clock: Option<Clock>,
    began: Instant,
}

/// Whom a command answers.
struct Talk<'a> {
    id: Option<u32>,
    out: &'a mut dyn Write,
    /// A reply of several lines has begun.
    has_begun: bool,
    /// Set when another command waits.
    waiting: &'a Arc<AtomicBool>,
    /// Set when the answer is wanted at once.
    interrupted: &'a Arc<AtomicBool>,
}

impl Talk<'_> {
    /// Begins a reply that goes on line by line.
    fn begin(&mut self) -> io::Result<()> {
        self.has_begun = true;
        let id = self.id.map_or(String::new(), |id| id.to_string());
        self.say(&format!("={id}"))
    }

    /// A line of such a reply.
    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    /// The end of the reply.
    fn end(&mut self, answer: &Result<String, String>) -> io::Result<()> {
        if self.has_begun {
            let line = answer.as_ref().unwrap_or_else(|error| error);
            return self.say(&if line.is_empty() { String::new() } else { format!("{line}\n") });
        }
        self.out.write_all(reply(self.id, answer).as_bytes())?;
        self.out.flush()
    }
}

/// Answers commands until `quit` or the end of the input.
pub fn serve(engine: &mut Engine, from: impl Read + Send + 'static, to: &mut dyn Write) -> io::Result<()> {
    // GoGui sends this while a command is at work.
    let mut input = Input::open(from, LONGEST_LINE, |line| match line.map(str::trim) {
        Some("# interrupt") => Manner::Interrupts,
        _ => Manner::Waits,
    });
    while let Some(line) = input.next_line() {
        let mut talk = Talk {
            id: None,
            out: &mut *to,
            has_begun: false,
            waiting: input.waiting(),
            interrupted: input.interrupted(),
        };
        let command = match line {
            Line::TooLong(most) => {
                talk.end(&Err(format!("a line has at most {most} bytes")))?;
                continue;
            }
            Line::Text(text) => Command::read(&text),
        };
        let Some(Command { id, name, arguments }) = command else { continue };
        talk.id = id;
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let answer = commands::run(engine, &name, &arguments, &mut talk);
        talk.end(&answer)?;
        if name == "quit" {
            break;
        }
        if name.contains("genmove") && name != "reg_genmove" {
            engine.ponder(input.waiting());
        }
    }
    Ok(())
}

impl Engine {
    /// An engine at the start of a game.
    pub fn new(name: &str, options: Options) -> Result<Engine, EngineError> {
        let start = game(name)?.start();
        let (computer, analyst) = searchers(&options, &*start)?;
        let record = Record::new(start);
        let (earlier, began) = (Vec::new(), Instant::now());
        let mut engine = Engine { options, record, earlier, computer, analyst, clock: None, began };
        engine.computer.check(&engine.record)?;
        Ok(engine)
    }

    /// Continues with another game; if the computer cannot, nothing changes.
    fn set_record(&mut self, record: Record) -> Result<(), String> {
        if record.start().game() != self.record.start().game() {
            let (mut computer, analyst) =
                searchers(&self.options, record.start()).map_err(|error| error.to_string())?;
            computer.check(&record).map_err(|error| error.to_string())?;
            (self.computer, self.analyst) = (computer, analyst);
        }
        self.earlier.clear();
        self.record = record;
        Ok(())
    }

    /// The game with the other player to move, if the one who is to move is not this one. Only Go
    /// allows it.
    fn turned_to(&self, player: Player, goes_on: bool) -> Result<Option<Record>, String> {
        let now = self.record.now();
        let is_over = now.outcome().is_some();
        if now.turn() == player && !(is_over && goes_on) {
            return Ok(None);
        }
        if !vertex::is_go(now) {
            let turn = vertex::COLOURS[now.turn().index()];
            return Err(if is_over { "the game is over".to_owned() } else { format!("it is {turn}'s turn") });
        }
        Ok(Some(Record::new(go::with_turn(now, player)?)))
    }

    /// Gives the turn to a player, see [`Engine::turned_to`].
    fn turn_to(&mut self, player: Player, goes_on: bool) -> Result<(), String> {
        if let Some(record) = self.turned_to(player, goes_on)? {
            self.earlier.push(std::mem::replace(&mut self.record, record));
        }
        Ok(())
    }

    fn play(&mut self, player: Player, text: &str) -> Result<(), String> {
        let turned = self.turned_to(player, true)?;
        let record = turned.as_ref().unwrap_or(&self.record);
        let mv = vertex::read(record, text).map_err(|error| format!("illegal move: {error}"))?;
        if let Some(record) = turned {
            self.earlier.push(std::mem::replace(&mut self.record, record));
        }
        self.record.play(&mv).map_err(|error| format!("illegal move: {error}"))
    }

    /// Takes a move back; `false` if there is none.
    fn undo(&mut self) -> bool {
        match self.earlier.pop_if(|_| self.record.plies.len() <= 1) {
            Some(record) => self.record = record,
            None => return self.record.undo(),
        }
        true
    }

    /// What the way to the clock may take of the next move's time: however little that is, half of it is
    /// for thinking.
    fn way(&self, player: Player) -> Duration {
        let given = self.clock.as_ref().map_or(Duration::ZERO, |clock| clock.allowance(player));
        self.options.lag.min(given / 2)
    }

    /// What the next move of this player may take.
    fn limits(&self, player: Player) -> Limits {
        let (budget, spec) = (&self.options.budget, self.computer.spec());
        let Some(clock) = &self.clock else { return budget.limits_or(spec, self.options.usual_time) };
        let given = clock.allowance(player) - self.way(player);
        Limits { time: Some(budget.time.map_or(given, |own| own.min(given))), ..budget.limits() }
    }

    /// What the computer finds for a player, who then has less time. The game stays as it is.
    fn think(
        &mut self,
        player: Player,
        stop: &Arc<AtomicBool>,
        observer: Box<Observer<'_, String>>,
    ) -> Result<Report<String>, String> {
        let turned = self.turned_to(player, false)?;
        let record = turned.as_ref().unwrap_or(&self.record);
        let mut run = Run::new(self.limits(player)).stopped_by(stop);
        run.observer = observer;
        let seed = [self.options.seed, record.plies.len() as u64, self.earlier.len() as u64];
        run.seed = Some(Rng::from_parts(&seed).next_u64());
        let (began, way) = (self.began, self.way(player));
        if let Some(clock) = &mut self.clock {
            clock.start(player, began.elapsed());
        }
        let report = self.computer.think(record, &mut run).map_err(|error| error.to_string());
        self.press(began.elapsed(), way);
        report
    }

    /// The clock is stopped after a move. Nobody may tell what the way to it takes: what was kept for that
    /// is gone.
    fn press(&mut self, now: Duration, way: Duration) {
        if let Some(clock) = &mut self.clock {
            clock.press(now + way);
        }
    }

    /// The move of a player, in the notation of the game; `None` if the game is over, which in Go is a
    /// pass.
    fn choose(
        &mut self,
        player: Player,
        talk: &Talk<'_>,
        observer: Box<Observer<'_, String>>,
    ) -> Result<Option<Answer>, String> {
        let now = self.record.now();
        if now.outcome().is_some() {
            return if vertex::is_go(now) { Ok(None) } else { Err("the game is over".to_owned()) };
        }
        let report = self.think(player, talk.interrupted, observer)?;
        let turned = self.turned_to(player, false)?;
        let pos = turned.as_ref().unwrap_or(&self.record).now();
        // A search that had no time at all may name no move.
        Ok(Answer::of_report(&report, pos).or_else(|| pos.legal().first().map(Answer::new)))
    }

    /// Thinks about the position until a line waits.
    fn ponder(&mut self, waiting: &Arc<AtomicBool>) {
        if self.options.ponders && self.record.now().outcome().is_none() && !waiting.load(SeqCst) {
            let mut run = Run::new(Limits::default()).stopped_by(waiting);
            // What it finds is in its memory; an error comes again when it is asked for a move.
            let _ = self.computer.think(&self.record, &mut run);
        }
    }
}

/// The computer that plays, and the one that estimates if the first does not.
fn searchers(options: &Options, pos: &dyn DynPosition) -> Result<(Searcher, Option<Searcher>), EngineError> {
    let budget = &options.budget;
    let spec = auto::player(&options.engine, pos, budget)?;
    budget.check(&options.engine, &spec)?;
    let estimates = spec.counts_simulations();
    let memory = share(budget.memory.unwrap_or(ALONE), if estimates { 1 } else { 2 })?;
    let resources = Resources { memory, ..budget.resources(options.seed)? };
    let analyst = match estimates {
        true => None,
        false => Some(Searcher::new(auto::ESTIMATOR.parse()?, resources)),
    };
    Ok((Searcher::new(spec, resources), analyst))
}
