//! Ctrl-C (SIGINT), SIGTERM and SIGHUP: the first one asks the work to stop, the second one ends
//! the program at once.

use anyhow::{Result, anyhow};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, LazyLock};

/// The user wants to stop before an answer is known.
#[derive(Debug)]
pub struct Stopped {
    /// What the program was doing.
    pub doing: String,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stopped while {}", self.doing)
    }
}

impl std::error::Error for Stopped {}

static STOP: LazyLock<Result<Arc<AtomicBool>, ctrlc::Error>> = LazyLock::new(|| {
    /// What a shell reports of a program that SIGINT has ended.
    const KILLED: i32 = 130;
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, SeqCst) {
            crate::progress::clear();
            proofplay_protocol::end_all();
            std::process::exit(KILLED);
        }
    })?;
    Ok(stop)
});

/// A flag that is set when the user wants to stop, the same one for the whole program. From the
/// first call on, a signal sets it instead of ending the program.
pub fn stop_flag() -> Result<Arc<AtomicBool>> {
    STOP.as_ref().cloned().map_err(|error| anyhow!("cannot listen for Ctrl-C: {error}"))
}

/// Fails if the user wants to stop, for work that is short except for very long inputs. Unless
/// [`stop_flag`] was called before, a signal ends the program anyway.
pub fn go_on(doing: &str) -> Result<()> {
    match LazyLock::get(&STOP) {
        Some(Ok(stop)) if stop.load(SeqCst) => Err(Stopped { doing: doing.to_owned() }.into()),
        _ => Ok(()),
    }
}
