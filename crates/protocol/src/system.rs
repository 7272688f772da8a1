//! What differs between operating systems: how a program with everything that it has started is ended.
//!
//! Where the system has groups of processes, a program is the first of one, and the group is killed.
//! Linux also shows who has started whom, and with which environment: there a program has a mark of its
//! own in it, so that what has left the group is found, and what has lost its parent, too. Elsewhere the
//! program itself is killed.

use std::collections::BTreeMap;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard};
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

#[cfg(unix)]
fn kill_all(id: u32, mark: &str) {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};
    use std::collections::BTreeSet;
    let process = |id: u32| i32::try_from(id).ok().and_then(Pid::from_raw);
    // They are looked for while they have their parents; all of these may be gone already.
    let mut found = started_by(id, mark);
    if let Some(group) = process(id) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let mut killed = BTreeSet::new();
    loop {
        found.iter().copied().filter_map(process).for_each(|id| _ = kill_process(id, Signal::KILL));
        killed.extend(found);
        // What they have started before they died, and what began while nobody was found yet.
        found = started_by(id, mark);
        found.retain(|id| !killed.contains(id));
        if found.is_empty() {
            break;
        }
    }
}

#[cfg(not(unix))]
fn kill_all(_: u32, _: &str) {}

/// The processes that a program has started, and those that these have started.
#[cfg(target_os = "linux")]
fn started_by(id: u32, mark: &str) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let all: Vec<(u32, u32)> = ids.filter_map(|id| Some((id, parent(id)?))).collect();
    let variable = format!("{MARK}={mark}");
    let has_mark = |id: u32| {
        environment(id).is_ok_and(|all| all.split(|&byte| byte == 0).any(|one| one == variable.as_bytes()))
    };
    let mut found: Vec<u32> = all.iter().map(|one| one.0).filter(|&one| has_mark(one)).collect();
    let mut at = 0;
    let mut parents = vec![id];
    parents.extend(&found);
    while let Some(&parent) = parents.get(at) {
        let children = all.iter().filter(|one| one.1 == parent).map(|one| one.0);
        let new: Vec<u32> = children.filter(|child| !parents.contains(child)).collect();
        found.extend(&new);
        parents.extend(new);
        at += 1;
    }
    found.retain(|&one| one != id && one != std::process::id());
    found
}

/// The environment of a process. While a process becomes another program it has neither an environment nor
/// arguments for a moment: that is waited for.
#[cfg(target_os = "linux")]
fn environment(id: u32) -> io::Result<Vec<u8>> {
    let read = |what| std::fs::read(format!("/proc/{id}/{what}"));
    // A program may also have erased both.
    for _ in 0..50 {
        let environment = read("environ")?;
        if !environment.is_empty() {
            return Ok(environment);
        }
        if !read("cmdline")?.is_empty() {
            // It may have become the other program in between.
            return read("environ");
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    Ok(Vec::new())
}

/// The parent of a process that has not ended and is not a part of the system itself.
#[cfg(target_os = "linux")]
fn parent(id: u32) -> Option<u32> {
    /// What the system marks its own threads with, which never have an environment.
    const KERNEL_THREAD: u32 = 0x0020_0000;
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program, in parentheses, may have any letters.
    let mut rest = stat.rsplit_once(')')?.1.split_whitespace();
    let state = rest.next()?;
    let parent = rest.next()?.parse().ok()?;
    let flags: u32 = rest.nth(4)?.parse().ok()?;
    (flags & KERNEL_THREAD == 0 && !["Z", "X"].contains(&state)).then_some(parent)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn started_by(_: u32, _: &str) -> Vec<u32> {
    Vec::new()
}
