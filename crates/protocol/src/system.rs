//! What differs between operating systems: how a program with everything that it has started is ended.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard};

#[cfg(unix)]
fn lead_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn lead_group(_: &mut Command) {}

/// Whether a program has ended. It stays known to the system until [`end`].
#[cfg(unix)]
pub fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // An error means that nobody is there to wait for.
    waitid(WaitId::Pid(rustix::process::Pid::from_child(child)), options)
        .map_or(true, |status| status.is_some())
}

#[cfg(not(unix))]
pub fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// The programs that were started and have not been ended.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().expect("no thread panics here")
}

/// Starts a program as the first of a group of processes. Ctrl-C in a terminal does not reach the group:
/// we end it.
pub fn start(command: &mut Command) -> io::Result<Child> {
    lead_group(command);
    let mut running = running();
    let child = command.spawn()?;
    running.insert(child.id());
    Ok(child)
}

/// Ends a program with its group, and waits for it.
pub fn end(child: &mut Child) -> Option<ExitStatus> {
    let mut running = running();
    kill_group(child.id());
    let _ = child.kill();
    let status = child.wait().ok();
    running.remove(&child.id());
    status
}

/// Ends all programs that were started, for somebody who leaves at once.
pub fn end_all() {
    running().iter().for_each(|&id| kill_group(id));
}

#[cfg(unix)]
fn kill_group(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        // It may be gone already.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}
