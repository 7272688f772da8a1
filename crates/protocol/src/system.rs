//! What differs between operating systems: how a program with everything that it has started is ended.

use std::process::{Child, Command, ExitStatus};

/// Lets a program that will be started be the first of a group of processes. Ctrl-C in a terminal does
/// not reach the group: we end it.
#[cfg(unix)]
pub fn lead_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
pub fn lead_group(_: &mut Command) {}

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

/// Ends a program with its group, and waits for it.
pub fn end(child: &mut Child) -> Option<ExitStatus> {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        // The group may be gone already.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
    let _ = child.kill();
    child.wait().ok()
}
