//! A progress line on standard error for work that takes longer than a second; never seen unless
//! that is a terminal.

use crate::output::error_columns;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use proofplay_front::text::fitted;
use std::io::{self, Stderr, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use terminal_size::{Height, Width, terminal_size_of};

/// Shows progress until it is dropped.
pub struct Progress {
    bar: ProgressBar,
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    const DELAY: Duration = Duration::from_secs(1);
    const TICK: Duration = Duration::from_millis(100);

    /// Starts with a spinner, the time and no message.
    pub fn start() -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style("{spinner} {elapsed} {wide_msg}{prefix}"));
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
        let (sender, receiver) = channel();
        let shown = bar.clone();
        let thread = std::thread::spawn(move || {
            // Dropping the sender wakes this thread early.
            if receiver.recv_timeout(Self::DELAY) == Err(RecvTimeoutError::Timeout)
                && let Some(screen) = Screen::of_stderr()
            {
                shown.set_draw_target(ProgressDrawTarget::term_like_with_hz(Box::new(screen), 20));
                shown.enable_steady_tick(Self::TICK);
            }
        });
        Progress { bar, waiting: Some((sender, thread)) }
    }

    /// What there is to say beside the time. The first line is cut where the terminal ends, others
    /// are broken there.
    pub fn say(&self, message: String) {
        let (first, others) = message.split_once('\n').unwrap_or((&message, ""));
        self.bar.set_message(first.to_owned());
        if !others.is_empty() {
            self.bar.set_prefix(format!("\n{}", fitted(others, error_columns())));
        }
    }

    /// `done` of `total` parts are done: shows a bar. May be called from any thread in any order.
    pub fn parts(&self, done: usize, total: usize) {
        if self.bar.length().is_none() {
            self.bar.set_style(style("{spinner} {elapsed} [{bar:20}] {pos}/{len}, {eta} left\n{wide_msg}"));
            self.bar.set_length(total as u64);
            // What was done before does not tell how fast the rest goes.
            self.bar.set_position(done as u64);
            self.bar.reset_eta();
        }
        self.bar.set_position(self.bar.position().max(done as u64));
    }

    /// Does something else with the terminal, out of the way of the progress line.
    pub fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("our own templates are well formed").progress_chars("=> ")
}

/// What a program that ends at once has to clear.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Clears the progress line, if there is one.
pub fn clear() {
    if let Some(bar) = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take() {
        bar.finish_and_clear();
    }
}

/// A terminal. Between two drawings the cursor is at the start of the last line: the `^C` of a user
/// who stops the program stays in that line, and is cleared with it.
#[derive(Debug)]
struct Screen<W> {
    output: Arc<Mutex<W>>,
    size: fn() -> Option<(Width, Height)>,
}

impl Screen<Stderr> {
    /// Standard error, if it is a terminal.
    fn of_stderr() -> Option<Screen<Stderr>> {
        let size = || terminal_size_of(io::stderr());
        size().map(|_| Screen { output: Arc::new(Mutex::new(io::stderr())), size })
    }
}

impl<W: Write + Send + std::fmt::Debug> Screen<W> {
    fn write(&self, text: &str) -> io::Result<()> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes())
    }

    /// Moves the cursor by a number of places; 0 would mean 1 to a terminal.
    fn go(&self, places: usize, direction: char) -> io::Result<()> {
        if places == 0 { Ok(()) } else { self.write(&format!("\x1b[{places}{direction}")) }
    }
}

impl<W: Write + Send + std::fmt::Debug> TermLike for Screen<W> {
    fn width(&self) -> u16 {
        (self.size)().map_or(80, |(Width(columns), _)| columns)
    }

    fn height(&self) -> u16 {
        (self.size)().map_or(24, |(_, Height(rows))| rows)
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.go(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.go(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.go(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.go(n, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write(&format!("{text}\n"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.write(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.write("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        self.write("\r")?;
        self.output.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.waiting.take() {
            drop(sender);
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: usize = 20;

    /// What a terminal shows after these bytes.
    fn screen(text: &str) -> Vec<String> {
        let mut rows = vec![vec![' '; COLUMNS]; 24];
        let (mut row, mut column, mut chars) = (0, 0, text.chars());
        while let Some(c) = chars.next() {
            match c {
                '\r' => column = 0,
                '\n' => (row, column) = (row + 1, 0),
                '\x1b' => {
                    assert_eq!(chars.next(), Some('['));
                    let rest = chars.as_str();
                    let (number, _) = rest.split_at(rest.find(char::is_alphabetic).unwrap());
                    let places: usize = number.parse().unwrap();
                    match chars.nth(number.len()) {
                        Some('A') => row -= places,
                        Some('B') => row += places,
                        Some('K') => rows[row].fill(' '),
                        other => panic!("{other:?}"),
                    }
                }
                c => {
                    // A terminal begins the next row when there is something to write there.
                    if column == COLUMNS {
                        (row, column) = (row + 1, 0);
                    }
                    rows[row][column] = c;
                    column += 1;
                }
            }
        }
        rows.iter().map(|row| row.iter().collect::<String>().trim_end().to_owned()).collect()
    }

    #[test]
    fn nothing_remains_after_ctrl_c() {
        for (message, length) in [("", None), ("a line that is longer than twenty", None), ("short", Some(7))]
        {
            let output = Arc::new(Mutex::new(Vec::new()));
            let size = || Some((Width(COLUMNS as u16), Height(24)));
            let terminal = Screen { output: Arc::clone(&output), size };
            let shown = || screen(&String::from_utf8(output.lock().unwrap().clone()).unwrap()).concat();
            let progress = Progress::start();
            progress.bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(terminal)));
            progress.say(format!("{message}\nand more below"));
            if let Some(length) = length {
                progress.parts(3, length);
            }
            progress.bar.tick();
            assert!(shown().contains("0s"), "{}", shown());
            // The terminal shows it where the cursor is.
            output.lock().unwrap().extend(b"^C");
            assert!(shown().contains("^C"), "{}", shown());
            drop(progress);
            assert_eq!(shown(), "");
        }
    }
}
