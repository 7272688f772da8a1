//! Checkpoints: the state of a search as a file, from which it continues after any end.
//!
//! A search takes part by two functions, one that writes its state ([`Out`]) and one that reads it
//! back ([`In`]). This module owns the rest: when a checkpoint is due, the file and its head, the
//! checksum, the errors. The format is in `docs/CHECKPOINTS.md`.
//!
//! What is read back is checked for shape: it never makes a search panic or hang. Its *claims*, for
//! example that a position is lost, are trusted, as a search trusts its own table; a claim that turns
//! out to contradict the rules ends the search with an error.

mod atomic_file;
mod codec;
mod head;
mod progress;

pub use atomic_file::{probe, write_whole};
pub use codec::{In, Out};
pub use head::{Head, Spent};
pub(crate) use progress::{load_progress, load_root, save_progress, save_root};

use crate::{Report, Resources};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Why a file is not accepted as a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// It does not begin as a checkpoint does.
    #[error("not a checkpoint: its first line must be `{MAGIC} {FORMAT}`", MAGIC = head::MAGIC, FORMAT = head::FORMAT)]
    Foreign,
    /// Another version of the format.
    #[error("a checkpoint of format `{0}`; this program reads format 1")]
    Format(String),
    /// Another version of the program, whose keys and codes may be others.
    #[error("written by version `{0}` of this program, this is version {this}", this = env!("CARGO_PKG_VERSION"))]
    Program(String),
    /// Cut short, or changed.
    #[error("damaged or cut short: the checksum is wrong")]
    Damaged,
    /// A line of the head that cannot be read.
    #[error("the line `{0}:` is missing or wrong")]
    Line(&'static str),
    /// Whole, but not what this search of this position could have written.
    #[error("it makes no sense: {0}")]
    Nonsense(&'static str),
    /// The search needs more memory than the budget allows.
    #[error("it needs {0} bytes of memory, more than the search may use")]
    Memory(usize),
    /// More threads than any search has.
    #[error("it asks for {0} threads; a search has 1 to {most}", most = Resources::MOST_THREADS)]
    Threads(u32),
    /// The stop flag was set.
    #[error("stopped while it was read")]
    Stopped,
    /// The search has no state to write.
    #[error("{0} keeps nothing that could be written into a checkpoint")]
    Nothing(&'static str),
}

impl Flaw {
    fn unreadable(error: io::Error) -> Flaw {
        Flaw::Unreadable(error.to_string())
    }
}

/// A checkpoint that was written.
#[derive(Copy, Clone, Debug)]
#[non_exhaustive]
pub struct Written {
    /// The size of the file.
    pub bytes: u64,
    /// When it was complete.
    pub at: Instant,
}

/// Where and how often a search writes its state, and the state that it continues from.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    every: Duration,
    head: Head,
    started: Instant,
    /// Another clock than the one on the wall.
    clock: Option<fn() -> Duration>,
    /// When the next one is due, in milliseconds after `started`.
    next: AtomicU64,
    /// The state of an earlier run, until the search takes it.
    kept: Mutex<Option<In>>,
    last: Mutex<(Option<Written>, Option<String>)>,
}

/// Whatever a lock guards here is consistent, even if a thread panicked while it held the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The beginning of an arbitrary text.
fn short(text: &str) -> String {
    text.chars().take(20).collect()
}

impl Checkpoint {
    /// Writing takes at most this part of the time.
    const SHARE: u32 = 20;

    /// For a new search. It writes into `path` about every `every`, less often if writing takes
    /// long.
    pub fn new(path: &Path, every: Duration, head: Head) -> Result<Checkpoint, Flaw> {
        if head.to_text(head.spent).is_none() {
            return Err(Flaw::Nonsense("the game or the position needs more than one line"));
        }
        atomic_file::remove_leftovers(path);
        let next = AtomicU64::new(every.as_millis() as u64);
        let (kept, last) = (Mutex::default(), Mutex::default());
        let (started, clock) = (Instant::now(), None);
        Ok(Checkpoint { path: path.to_owned(), every, head, started, clock, next, kept, last })
    }

    /// For a search that continues from `file` and writes into `path`. Reading ends with
    /// [`Flaw::Stopped`] when `stop` is set.
    pub fn resume(
        file: &Path,
        path: &Path,
        every: Duration,
        stop: &Arc<AtomicBool>,
    ) -> Result<Checkpoint, Flaw> {
        let (head, kept) = open(file, stop)?;
        let checkpoint = Checkpoint::new(path, every, head)?;
        *lock(&checkpoint.kept) = Some(kept);
        Ok(checkpoint)
    }

    /// The same by another clock, which begins at 0: when the next one is due does not depend on the machine.
    pub fn by_clock(self, clock: fn() -> Duration) -> Checkpoint {
        Checkpoint { clock: Some(clock), ..self }
    }

    /// Time since the start.
    fn now(&self) -> Duration {
        self.clock.map_or_else(|| self.started.elapsed(), |clock| clock())
    }

    /// Where it writes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is searched, and what it had spent when this run began.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Whether it is time to write. Searches may call it about once a millisecond.
    pub fn is_due(&self) -> bool {
        self.now().as_millis() as u64 >= self.next.load(Relaxed)
    }

    /// No further checkpoint is due: the search has its answer, or has ended.
    pub fn finish(&self) {
        self.next.store(u64::MAX, Relaxed);
    }

    /// Takes the state of an earlier run.
    pub fn take(&self) -> Option<In> {
        lock(&self.kept).take()
    }

    /// Writes the state of a search. If that fails the search continues; [`Checkpoint::last`] has
    /// the error.
    pub fn save<M>(&self, report: &Report<M>, write: &mut dyn FnMut(&mut Out) -> io::Result<()>) {
        self.write(self.total(report), write);
    }

    fn write(&self, spent: Spent, write: &mut dyn FnMut(&mut Out) -> io::Result<()>) {
        let began = self.now();
        let head = self.head.to_text(spent).unwrap_or_default();
        let mut bytes = 0;
        let result = write_whole(&self.path, &mut |file| {
            let mut out = Out::new(file.try_clone()?);
            out.text(&head)?;
            write(&mut out)?;
            bytes = out.end()?;
            Ok(())
        });
        let mut last = lock(&self.last);
        match result {
            Ok(()) => *last = (Some(Written { bytes, at: Instant::now() }), None),
            Err(error) => last.1 = Some(error.to_string()),
        }
        let now = self.now();
        let pause = self.every.max((now - began) * (Self::SHARE - 1));
        self.next.store((now + pause).as_millis() as u64, Relaxed);
    }

    /// The last checkpoint that was written, and why no later one could be.
    pub fn last(&self) -> (Option<Written>, Option<String>) {
        lock(&self.last).clone()
    }

    /// What was spent by this run and those before.
    pub fn total<M>(&self, report: &Report<M>) -> Spent {
        let before = self.head.spent;
        Spent {
            nodes: before.nodes.saturating_add(report.nodes),
            expansions: before.expansions.saturating_add(report.expansions),
            playouts: before.playouts.saturating_add(report.simulations),
            elapsed: before.elapsed.saturating_add(report.elapsed),
        }
    }
}

/// The head of a file and what follows it, after checking the checksum.
fn open(path: &Path, stop: &Arc<AtomicBool>) -> Result<(Head, In), Flaw> {
    /// The largest first line and head.
    const MOST: [u64; 2] = [1 << 8, 1 << 24];
    const CHECKSUM: u64 = 4;
    let there = fs::metadata(path).map_err(Flaw::unreadable)?;
    if !there.is_file() {
        // The file is read twice, and opening a pipe may block for ever.
        return Err(Flaw::Unreadable("not a file that can be read twice".to_owned()));
    }
    let mut file = File::open(path).map_err(Flaw::unreadable)?;
    let (mut lines, mut head) = (BufReader::new(&file), String::new());
    lines.by_ref().take(MOST[0]).read_line(&mut head).map_err(|_| Flaw::Foreign)?;
    Head::expect_ours(&head)?;
    let mut lines = lines.take(MOST[1]);
    for _ in 1..head::LINES {
        if lines.read_line(&mut head).map_err(|_| Flaw::Damaged)? == 0 {
            return Err(Flaw::Damaged);
        }
    }
    let data =
        there.len().checked_sub(CHECKSUM).filter(|&data| data >= head.len() as u64).ok_or(Flaw::Damaged)?;
    file.rewind().map_err(Flaw::unreadable)?;
    let sum = codec::checksum(&mut file, data, stop)?;
    let mut said = [0; CHECKSUM as usize];
    file.read_exact(&mut said).map_err(|_| Flaw::Damaged)?;
    if sum != u32::from_le_bytes(said) {
        return Err(Flaw::Damaged);
    }
    let start = head.len() as u64;
    let head = Head::parse(&head)?;
    file.seek(io::SeekFrom::Start(start)).map_err(Flaw::unreadable)?;
    Ok((head, In::new(file, data - start, stop)))
}

#[cfg(test)]
mod tests;
