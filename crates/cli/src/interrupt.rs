//! Ctrl-C (SIGINT), SIGTERM and SIGHUP: the first one asks the work to stop, the second one ends the program at once.

use anyhow::Context;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// A flag that is set when the user wants to stop. Asked for once, by commands whose work can take long.
pub fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    /// What a shell reports of a program that died of SIGINT.
    const KILLED: i32 = 130;
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, SeqCst) {
            std::process::exit(KILLED);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}
