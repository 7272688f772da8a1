//! A progress line on standard error for work that takes longer than a second; never seen unless that is a terminal.

use crate::output::error_columns;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use proofplay_front::text::fitted;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

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
        let (sender, receiver) = channel();
        let shown = bar.clone();
        let thread = std::thread::spawn(move || {
            // Dropping the sender wakes this thread early.
            if receiver.recv_timeout(Self::DELAY) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
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

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.waiting.take() {
            drop(sender);
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}
