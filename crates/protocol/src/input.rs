//! Lines that somebody sends, read on a thread of their own, so that a search can be interrupted by
//! the next line.

use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Who sends more than this without being answered waits.
const MOST_WAITING: usize = 1 << 10;

/// Lines from somewhere.
#[derive(Debug)]
pub struct Input {
    lines: Receiver<Line>,
    /// How many lines were taken.
    taken: u64,
    flags: Flags,
}

/// What both threads see.
#[derive(Clone, Default, Debug)]
struct Flags {
    /// How many lines, the end included, have arrived.
    arrived: Arc<AtomicU64>,
    waiting: Arc<AtomicBool>,
    /// How many of these, from the first on, were interrupted.
    ended: Arc<AtomicU64>,
    interrupted: Arc<AtomicBool>,
    leaves: Arc<AtomicBool>,
}

// First the count, then the flag, see `Input::next_line`.
impl Flags {
    fn arrive(&self) {
        self.arrived.fetch_add(1, SeqCst);
        self.waiting.store(true, SeqCst);
    }

    fn interrupt(&self) {
        self.ended.store(self.arrived.load(SeqCst), SeqCst);
        self.interrupted.store(true, SeqCst);
    }
}

/// How a line is heeded, apart from its turn. What is interrupted is done for the lines before it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Manner {
    /// It waits for its turn.
    Waits,
    /// It interrupts, and has no turn.
    Interrupts,
    /// It interrupts, and waits for its turn.
    InterruptsAndWaits,
    /// It waits for its turn, and is the last: no more is read.
    Ends,
}

/// A line without its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// What it says. Bytes that are no UTF-8 are replaced.
    Text(String),
    /// It has more than this many bytes.
    TooLong(usize),
}

/// No line came in time.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct NotYet;

impl Input {
    /// Begins to read. Longer lines than `longest` bytes mean nothing. What interrupts sets
    /// [`Input::interrupted`] for all lines before it. `manner` is asked about each line, and with `None`
    /// about the end.
    pub fn open(
        from: impl Read + Send + 'static,
        longest: usize,
        manner: impl Fn(Option<&str>) -> Manner + Send + 'static,
    ) -> Input {
        let (sender, lines) = sync_channel(MOST_WAITING);
        let input = Input { lines, taken: 0, flags: Flags::default() };
        let flags = input.flags.clone();
        std::thread::spawn(move || {
            let mut from = BufReader::new(from);
            while let Some(line) = read_line(&mut from, longest) {
                let manner = match &line {
                    Line::Text(text) => manner(Some(text)),
                    Line::TooLong(_) => Manner::Waits,
                };
                if matches!(manner, Manner::Interrupts | Manner::InterruptsAndWaits) {
                    flags.interrupt();
                }
                if manner == Manner::Interrupts {
                    continue;
                }
                flags.leaves.fetch_or(manner == Manner::Ends, SeqCst);
                flags.arrive();
                if sender.send(line).is_err() || manner == Manner::Ends {
                    return;
                }
            }
            if manner(None) == Manner::Interrupts {
                flags.interrupt();
            }
            flags.arrive();
        });
        input
    }

    /// Waits for the next line; `None` at the end.
    pub fn next_line(&mut self) -> Option<Line> {
        let line = self.lines.recv().ok();
        self.take(line)
    }

    /// Waits so long for the next line, `None` at the end; `Err` if none came.
    pub fn next_within(&mut self, wait: Duration) -> Result<Option<Line>, NotYet> {
        match self.lines.recv_timeout(wait) {
            Ok(line) => Ok(self.take(Some(line))),
            Err(RecvTimeoutError::Timeout) => Err(NotYet),
            Err(RecvTimeoutError::Disconnected) => Ok(self.take(None)),
        }
    }

    /// Takes a line, or sees that there are no more.
    fn take(&mut self, line: Option<Line>) -> Option<Line> {
        self.taken += u64::from(line.is_some());
        let Flags { arrived, waiting, ended, interrupted, .. } = &self.flags;
        // What happens now sets a flag after its count: one of both is seen.
        for (flag, count, least) in [(waiting, arrived, self.taken + 1), (interrupted, ended, self.taken)] {
            flag.store(false, SeqCst);
            if count.load(SeqCst) >= least {
                flag.store(true, SeqCst);
            }
        }
        line
    }

    /// Set while another line waits, or when no more lines come.
    pub fn waiting(&self) -> &Arc<AtomicBool> {
        &self.flags.waiting
    }

    /// Set once the line has arrived that is the last one.
    pub fn leaves(&self) -> &Arc<AtomicBool> {
        &self.flags.leaves
    }

    /// Set when somebody has interrupted what is done for the last line.
    pub fn interrupted(&self) -> &Arc<AtomicBool> {
        &self.flags.interrupted
    }
}

/// The next line; `None` at the end and after an error.
pub(crate) fn read_line(from: &mut impl BufRead, longest: usize) -> Option<Line> {
    let mut bytes = Vec::new();
    let most = longest as u64 + 1;
    if from.by_ref().take(most).read_until(b'\n', &mut bytes).ok()? == 0 {
        return None;
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() > longest {
        from.skip_until(b'\n').ok()?;
        return Some(Line::TooLong(longest));
    }
    Some(Line::Text(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write, pipe};

    fn text(line: &str) -> Option<Line> {
        Some(Line::Text(line.to_owned()))
    }

    #[test]
    fn lines() {
        let bytes = b"one\r\n\n1234567\n12345678\n123456789\n\xff\nrest".to_vec();
        let mut input = Input::open(Cursor::new(bytes), 8, |_| Manner::Waits);
        for line in ["one\r", "", "1234567", "12345678"] {
            assert_eq!(input.next_line(), text(line));
        }
        assert_eq!(input.next_line(), Some(Line::TooLong(8)));
        assert_eq!(
            [input.next_line(), input.next_line(), input.next_line()],
            [text("\u{fffd}"), text("rest"), None]
        );
        assert_eq!(input.next_line(), None);
    }

    /// The flag says that something waits: never too late, and never for a line that was taken.
    #[test]
    fn waiting_lines_are_announced() {
        let (from, mut to) = pipe().unwrap();
        let mut input = Input::open(from, 100, |line| match line {
            Some("stop") => Manner::Interrupts,
            _ => Manner::Waits,
        });
        let is_soon = |flag: &AtomicBool| {
            while !flag.load(SeqCst) {
                std::thread::yield_now();
            }
        };
        for _ in 0..1000 {
            to.write_all(b"one\n").unwrap();
            assert_eq!(input.next_line(), text("one"));
            assert!(!input.waiting().load(SeqCst));
        }
        to.write_all(b"one\ntwo\n").unwrap();
        assert_eq!(input.next_line(), text("one"));
        is_soon(input.waiting());
        assert_eq!(input.next_line(), text("two"));
        to.write_all(b"stop\n").unwrap();
        is_soon(input.interrupted());
        assert!(!input.waiting().load(SeqCst));
        // It may come before the line that it ends is taken, and ends no later one.
        to.write_all(b"three\nstop\nfour\n").unwrap();
        is_soon(input.waiting());
        while input.flags.ended.load(SeqCst) < 1003 {
            std::thread::yield_now();
        }
        assert_eq!(input.next_line(), text("three"));
        assert!(input.interrupted().load(SeqCst));
        assert_eq!(input.next_line(), text("four"));
        assert!(!input.interrupted().load(SeqCst));
        drop(to);
        is_soon(input.waiting());
        assert_eq!(input.next_line(), None);
        assert!(input.waiting().load(SeqCst), "nothing waits for the end in vain");
    }

    /// What interrupts ends what was sent before it, also at the end, and nothing that comes later.
    #[test]
    fn manners() {
        let open = |lines: &str| {
            Input::open(Cursor::new(lines.to_owned()), 100, |line| match line {
                Some("halt") => Manner::InterruptsAndWaits,
                Some("last") => Manner::Ends,
                Some(_) => Manner::Waits,
                None => Manner::Interrupts,
            })
        };
        let all = |lines: &str| {
            let mut input = open(lines);
            // All is read.
            while !input.waiting().load(SeqCst) || input.flags.arrived.load(SeqCst) < 3 {
                std::thread::yield_now();
            }
            let next = || {
                let line = input.next_line()?;
                let Line::Text(text) = line else { panic!("{line:?}") };
                Some((text, input.interrupted().load(SeqCst)))
            };
            std::iter::from_fn(next).collect::<Vec<_>>()
        };
        let told = |lines: &[(&str, bool)]| -> Vec<_> {
            lines.iter().map(|(line, interrupted)| (line.to_string(), *interrupted)).collect()
        };
        assert_eq!(all("one\nhalt\nlast\ntwo\n"), told(&[("one", true), ("halt", false), ("last", false)]));
        assert_eq!(all("one\ntwo\n"), told(&[("one", true), ("two", true)]));
    }
}
