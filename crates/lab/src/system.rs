//! What differs between operating systems.

use std::time::Duration;

/// How much of a processor this thread has used so far.
#[cfg(unix)]
pub fn used() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time on the wall, where nothing better is at hand.
#[cfg(not(unix))]
pub fn used() -> Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}

/// Whether this process has certainly ended. A store belongs to one machine, as SQLite's locks do.
#[cfg(unix)]
pub fn is_gone(process: i32) -> bool {
    let process = rustix::process::Pid::from_raw(process);
    process.is_some_and(|process| rustix::process::test_kill_process(process) == Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
pub fn is_gone(_process: i32) -> bool {
    false
}
