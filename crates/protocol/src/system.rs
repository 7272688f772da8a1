//! What differs between operating systems: how a program with everything that it has started is ended.
//!
//! Where the system has groups of processes, a program is the first of one, and the group is killed.
//! Linux also shows who has started whom, and with which environment: there a program has a mark of its
//! own in it, so that what has left the group is found, and what has lost its parent, too. Elsewhere the
//! program itself is killed.

#[cfg(target_os = "linux")]
mod processes;

#[cfg(unix)]
use processes::started_by;
use std::collections::BTreeMap;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard};
#[cfg(unix)]
use std::time::{Duration, Instant};
use std::time::{SystemTime, UNIX_EPOCH};

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

/// The variable of the environment that has the mark.
const MARK: &str = "PROOFPLAY_PLAYER";

/// The programs that were started and have not been ended, with their marks.
static RUNNING: Mutex<BTreeMap<u32, String>> = Mutex::new(BTreeMap::new());

fn running() -> MutexGuard<'static, BTreeMap<u32, String>> {
    RUNNING.lock().expect("no thread panics here")
}

/// A text that no other program has.
fn new_mark() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}-{}", std::process::id(), now.as_nanos(), COUNT.fetch_add(1, SeqCst))
}

/// Starts a program as the first of a group of processes. Ctrl-C in a terminal does not reach the group:
/// we end it.
pub fn start(command: &mut Command) -> io::Result<Child> {
    let mark = new_mark();
    lead_group(command.env(MARK, &mark));
    let mut running = running();
    let child = command.spawn()?;
    running.insert(child.id(), mark);
    Ok(child)
}

/// Ends a program with all that it has started, and waits for it.
pub fn end(child: &mut Child) -> Option<ExitStatus> {
    let mut running = running();
    if let Some(mark) = running.remove(&child.id()) {
        kill_all(child.id(), &mark);
    }
    let _ = child.kill();
    child.wait().ok()
}

/// Ends all programs that were started, for somebody who leaves at once.
pub fn end_all() {
    running().iter().for_each(|(&id, mark)| kill_all(id, mark));
}

/// For so long they are looked for at most: who starts others faster than they can be found is not ended.
#[cfg(unix)]
const LONGEST_HUNT: Duration = Duration::from_secs(5);

#[cfg(unix)]
fn kill_all(id: u32, mark: &str) {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};
    use std::collections::BTreeSet;
    let process = |id: u32| i32::try_from(id).ok().and_then(Pid::from_raw);
    let (variable, deadline) = (format!("{MARK}={mark}"), Instant::now() + LONGEST_HUNT);
    // They are looked for while they have their parents; all of these may be gone already.
    let mut found = started_by(id, &variable, deadline);
    if let Some(group) = process(id) {
        let _ = kill_process_group(group, Signal::KILL);
        // It may have left the group that it was the first of.
        let _ = kill_process(group, Signal::KILL);
    }
    let mut killed = BTreeSet::new();
    loop {
        let there = found.iter().filter(|one| one.is_there());
        there.filter_map(|one| process(one.id)).for_each(|id| _ = kill_process(id, Signal::KILL));
        killed.extend(found);
        if Instant::now() >= deadline {
            break;
        }
        // What they have started before they died, and what began while nobody was found yet.
        found = started_by(id, &variable, deadline);
        found.retain(|one| !killed.contains(one));
        if found.is_empty() {
            break;
        }
    }
}

#[cfg(not(unix))]
fn kill_all(_: u32, _: &str) {}

/// Elsewhere nobody says who was started by whom.
#[cfg(all(unix, not(target_os = "linux")))]
mod processes {
    #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Process {
        pub id: u32,
    }

    impl Process {
        pub fn is_there(self) -> bool {
            true
        }
    }

    pub fn started_by(_: u32, _: &str, _: std::time::Instant) -> Vec<Process> {
        Vec::new()
    }
}
