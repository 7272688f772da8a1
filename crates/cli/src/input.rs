//! Lines of standard input.

use proofplay_front::person::Heard;
use std::io::{self, BufRead, Read, stdin};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Lines from standard input, read on a thread of their own so that Ctrl-C does not wait for the next one. The thread is one
/// line ahead at most, so that an input without end takes no memory.
pub struct Input {
    lines: Receiver<io::Result<Heard>>,
}

impl Input {
    /// Begins to read. No line that means anything has more than `longest` bytes.
    pub fn open(longest: usize) -> Input {
        let (sender, lines) = sync_channel(1);
        std::thread::spawn(move || {
            let (mut stdin, mut line) = (stdin().lock(), Vec::new());
            loop {
                let heard = match (&mut stdin).take(longest as u64).read_until(b'\n', &mut line) {
                    Ok(0) => return,
                    Err(error) => Err(error),
                    Ok(_) if line.len() < longest || line.ends_with(b"\n") => {
                        Ok(Heard::Line(String::from_utf8_lossy(&line).trim().to_owned()))
                    }
                    Ok(_) => Ok(Heard::TooLong(longest)),
                };
                let (is_end, is_rest_to_skip) = (heard.is_err(), matches!(heard, Ok(Heard::TooLong(_))));
                if sender.send(heard).is_err() || is_end {
                    return;
                }
                if is_rest_to_skip && stdin.skip_until(b'\n').is_err() {
                    return;
                }
                line.clear();
            }
        });
        Input { lines }
    }

    /// Waits for a line; soon after `stop` is set it waits no longer.
    pub fn next(&self, stop: &AtomicBool) -> io::Result<Heard> {
        loop {
            if stop.load(Relaxed) {
                return Ok(Heard::End);
            }
            match self.lines.recv_timeout(Duration::from_millis(50)) {
                Ok(heard) => return heard,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Heard::End),
            }
        }
    }
}
