//! Requests and answers as JSON, a line each: proofplay for programs of any language.
//!
//! A [`Request`] has an `id`, which its answers repeat. Each is answered by one line
//! with `"final": true`; before that a search may send reports with `"final": false`. Answers are the
//! types of [`front::json`](proofplay_front::json), as `--json` prints them. docs/JSON.md explains all
//! of it.
//!
//! [`serve`] answers until `quit` or the end of the lines. `stop` ends all searches that were asked for
//! before it, and so does the end of the lines: then nobody waits for answers any more.

mod searches;
mod session;

pub use proofplay_front::request;
pub use session::{Options, Session};

use crate::input::{Input, Line, Manner};
use proofplay_front::json::BadLine;
use proofplay_front::request::{Request, Task};
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// No line may have more bytes.
const LONGEST_LINE: usize = 1 << 20;

/// A line of an answer.
#[derive(Serialize)]
struct Told<'a> {
    id: &'a Value,
    #[serde(rename = "final")]
    is_final: bool,
    #[serde(flatten)]
    answer: Value,
}

/// Whom a request answers.
struct Talk<'a> {
    id: Value,
    out: &'a mut dyn Write,
    /// Set when the answer is wanted at once.
    stop: Arc<AtomicBool>,
    /// Set when somebody waits for the end: a search without limits is in vain then.
    leaves: Arc<AtomicBool>,
    /// Why a report could not be written.
    failed: Option<io::Error>,
}

impl Talk<'_> {
    fn say(&mut self, is_final: bool, answer: Value) -> io::Result<()> {
        let line = serde_json::to_string(&Told { id: &self.id, is_final, answer })?;
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    /// What is known so far.
    fn report(&mut self, answer: &impl Serialize) {
        if let Err(error) = self.say(false, json(answer)) {
            self.failed = Some(error);
            // Nobody listens: what goes on now is in vain.
            self.stop.store(true, SeqCst);
        }
    }

    /// The last line.
    fn end(mut self, answer: Result<Value, String>) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)?;
        self.say(true, answer.unwrap_or_else(|error| json(&BadLine { error })))
    }
}

/// Reports at intervals.
struct Reports<'a, 'b> {
    talk: &'a mut Talk<'b>,
    every: Option<Duration>,
    last: Instant,
}

impl<'a, 'b> Reports<'a, 'b> {
    fn new(talk: &'a mut Talk<'b>, every: Option<Duration>) -> Reports<'a, 'b> {
        Reports { talk, every, last: Instant::now() }
    }

    /// Says what is known so far if that is due.
    fn see<T: Serialize>(&mut self, known: impl FnOnce() -> T) {
        if self.every.is_some_and(|every| self.last.elapsed() >= every) && self.talk.failed.is_none() {
            self.last = Instant::now();
            self.talk.report(&known());
        }
    }
}

/// An answer as a value.
fn json(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).expect("answers have fields with names")
}

/// How a line is heeded.
fn manner(line: Option<&str>) -> Manner {
    match line.map(|line| Request::read(line).task) {
        None => Manner::Interrupts,
        Some(Ok(Task::Stop {})) => Manner::InterruptsAndWaits,
        Some(Ok(Task::Quit {})) => Manner::Ends,
        Some(_) => Manner::Waits,
    }
}

/// Answers requests until `quit` or the end of the input.
pub fn serve(session: &mut Session, from: impl Read + Send + 'static, to: &mut dyn Write) -> io::Result<()> {
    let mut input = Input::open(from, LONGEST_LINE, manner);
    while let Some(line) = input.next_line() {
        let request = match line {
            Line::Text(text) if text.trim().is_empty() => continue,
            Line::Text(text) => Request::read(&text),
            Line::TooLong(most) => {
                Request { id: Value::Null, task: Err(format!("a line has at most {most} bytes")) }
            }
        };
        let (stop, leaves) = (Arc::clone(input.interrupted()), Arc::clone(input.leaves()));
        let mut talk = Talk { id: request.id, out: &mut *to, stop, leaves, failed: None };
        let is_end = request.task == Ok(Task::Quit {});
        let answer = request.task.and_then(|task| session.answer(&task, &mut talk));
        talk.end(answer)?;
        if is_end {
            break;
        }
    }
    Ok(())
}
