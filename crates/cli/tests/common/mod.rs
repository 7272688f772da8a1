//! What several tests of the program need.
#![allow(dead_code, reason = "not every test needs all of it")]

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A folder of its own for each test, gone afterwards.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("proofplay-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A script in which the program is `$0`, under a limit of the shell's `ulimit`; a file that would
/// become too large is an error instead of a signal.
pub fn script(limit: &str, script: &str) -> Command {
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit {limit}; {script}");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_proofplay")]);
    command
}

/// The program with these arguments under a limit.
pub fn limited(limit: &str, arguments: &[&str]) -> Command {
    let mut command = script(limit, "exec \"$0\" \"$@\"");
    command.args(arguments);
    command
}

/// Waits until signals no longer simply end a program, whatever the machine's speed. Only Linux
/// says so.
#[cfg(target_os = "linux")]
pub fn wait_until_it_listens(child: &Child) {
    // HUP, INT and TERM are signals 1, 2 and 15.
    const SIGNALS: u64 = 1 | 1 << 1 | 1 << 14;
    let status = format!("/proc/{}/status", child.id());
    let caught = || {
        let text = fs::read_to_string(&status).unwrap();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(caught.trim(), 16).unwrap()
    };
    while caught() & SIGNALS != SIGNALS {
        sleep(Duration::from_millis(1));
    }
}

/// Sends a signal to a program.
pub fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success(), "the program has ended too early");
}

/// What a program has printed when it has ended. One that does not end within a minute never will.
pub fn end_of(mut child: Child) -> Output {
    let deadline = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("the program does not end: {:?}", child.wait_with_output());
        }
        sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}
