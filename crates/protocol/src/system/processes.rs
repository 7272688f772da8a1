//! Which processes a program has started, as Linux shows them in `/proc`.
//!
//! A process is its number with the moment at which it began: numbers are used again. Whatever a program
//! has started, directly or not, began after it. It is found by its parents, or, where these are gone, by
//! the mark in its environment, which every process hands on.

use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A process that has not ended.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Process {
    /// Its number.
    pub id: u32,
    /// When it began, in ticks since the system did.
    began: u64,
}

/// What the system says of a process.
#[derive(Copy, Clone, Debug)]
struct Stat {
    parent: u32,
    /// `R` runs, `D` waits for something that comes, `S` and others wait for something that may not.
    state: char,
    /// It is ending, and has no environment any more.
    leaves: bool,
    began: u64,
}

impl Stat {
    /// That of a process that has not ended and is not a part of the system itself.
    fn of(id: u32) -> Option<Stat> {
        Stat::read(&std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
    }

    fn read(text: &str) -> Option<Stat> {
        /// What the system marks its own threads with, which never have an environment, and what ends.
        const KERNEL_THREAD: u32 = 0x0020_0000;
        const EXITING: u32 = 4;
        // The name of the program, in parentheses, may have any letters.
        let words: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let word = |number: usize| words.get(number).copied();
        let state = word(0)?.chars().next()?;
        let flags: u32 = word(6)?.parse().ok()?;
        let (parent, began) = (word(1)?.parse().ok()?, word(19)?.parse().ok()?);
        let stat = Stat { parent, state, leaves: flags & EXITING != 0, began };
        (flags & KERNEL_THREAD == 0 && !['Z', 'X'].contains(&state)).then_some(stat)
    }
}

impl Process {
    /// Whether it is still there: its number may be that of another one by now.
    pub fn is_there(self) -> bool {
        Stat::of(self.id).is_some_and(|stat| stat.began == self.began)
    }
}

/// When a process began, even if it has ended, as long as nobody has waited for it.
fn began(id: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let word = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(19)?.parse().ok());
    word.unwrap_or(0)
}

/// The processes that this program has started, and those that these have started. What cannot be known
/// yet is waited for until `deadline`.
pub fn started_by(id: u32, variable: &str, deadline: Instant) -> Vec<Process> {
    let first = began(id);
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let all: Vec<(u32, Stat)> = ids.filter_map(|id| Some((id, Stat::of(id)?))).collect();
    let young = || all.iter().filter(|(_, stat)| stat.began >= first);
    let mut parents = vec![id];
    let mut found: Vec<Process> = Vec::new();
    let with_children = |parents: &mut Vec<u32>, found: &mut Vec<Process>, from: usize| {
        let mut at = from;
        while let Some(&parent) = parents.get(at) {
            for (id, stat) in young().filter(|(_, stat)| stat.parent == parent) {
                if !parents.contains(id) {
                    parents.push(*id);
                    found.push(Process { id: *id, began: stat.began });
                }
            }
            at += 1;
        }
    };
    with_children(&mut parents, &mut found, 0);
    let own = std::process::id();
    for (id, stat) in young().filter(|(id, _)| *id != own) {
        if !parents.contains(id) && has(*id, variable, deadline) {
            let from = parents.len();
            parents.push(*id);
            found.push(Process { id: *id, began: stat.began });
            with_children(&mut parents, &mut found, from);
        }
    }
    found
}

/// Whether a process has this in its environment.
fn has(id: u32, variable: &str, deadline: Instant) -> bool {
    let read = || std::fs::read(format!("/proc/{id}/environ"));
    let state = || Stat::of(id).filter(|stat| !stat.leaves).map(|stat| stat.state);
    let all = environment(read, state, || Instant::now() < deadline);
    all.is_ok_and(|all| all.split(|&byte| byte == 0).any(|one| one == variable.as_bytes()))
}

/// The environment of a process. While a process becomes another program it has none for a moment, which
/// may be long where much else wants the processor: that is waited for. A process that sleeps has
/// become what it wanted to be.
fn environment(
    read: impl Fn() -> io::Result<Vec<u8>>,
    state: impl Fn() -> Option<char>,
    may_wait: impl Fn() -> bool,
) -> io::Result<Vec<u8>> {
    loop {
        let environment = read()?;
        if !environment.is_empty() {
            return Ok(environment);
        }
        match state() {
            Some('R' | 'D') if may_wait() => sleep(Duration::from_millis(1)),
            // It may have become the other program in between.
            _ => return read(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn what_the_system_says() {
        let stat = |state: &str, flags: u32| {
            format!("7 (a) b (c) {state} 5 6 6 0 -1 {flags} 1 2 3 4 5 6 7 8 20 0 1 0 12345 9 9")
        };
        let read = Stat::read(&stat("S", 0x40_0000)).unwrap();
        assert_eq!((read.parent, read.state, read.began), (5, 'S', 12345));
        assert!(Stat::read(&stat("Z", 0)).is_none() && Stat::read(&stat("S", 0x20_0000)).is_none());
        assert!(!read.leaves && Stat::read(&stat("R", 0x40_0004)).unwrap().leaves);
        let own = std::process::id();
        let process = Process { id: own, began: began(own) };
        assert!(process.is_there());
        assert!(!Process { began: process.began + 1, ..process }.is_there(), "it is another one");
    }

    /// However long it takes to become another program, the mark is seen; who has none is not waited for,
    /// unless it is not known.
    #[test]
    fn what_has_no_environment_yet() {
        let looks = Cell::new(0);
        let ask = |empty: u32, states: fn(u32) -> char, most: u32| {
            looks.set(0);
            let read = || {
                looks.set(looks.get() + 1);
                Ok(if looks.get() > empty { b"MARK=1".to_vec() } else { Vec::new() })
            };
            environment(read, || Some(states(looks.get())), || looks.get() < most).unwrap().len()
        };
        // It runs, or waits for a disk.
        assert_eq!((ask(200, |look| if look % 2 == 0 { 'R' } else { 'D' }, 1000), looks.get()), (6, 201));
        // It is ready between the look at its environment and that at its state.
        assert_eq!((ask(1, |_| 'S', 1000), looks.get()), (6, 2));
        // It has erased its environment, and sleeps; or runs without end.
        assert_eq!((ask(1000, |_| 'S', 1000), looks.get()), (0, 2));
        assert_eq!((ask(1000, |_| 'R', 100), looks.get()), (0, 101));
    }
}
