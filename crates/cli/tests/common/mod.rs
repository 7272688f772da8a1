//! What several tests of the program need.
#![allow(dead_code, reason = "not every test needs all of it")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

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

/// A script in which the program is `$0`, under a limit of the shell's `ulimit`; a file that would become too large is an
/// error instead of a signal.
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

/// Waits until a program listens for SIGTERM, whatever the machine's speed.
pub fn wait_until_it_listens(child: &std::process::Child) {
    let status = format!("/proc/{}/status", child.id());
    let listens = || {
        let text = std::fs::read_to_string(&status).ok()?;
        let mask = text.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        Some(u64::from_str_radix(mask.trim(), 16).ok()? >> (15 - 1) & 1 == 1)
    };
    if listens().is_none() {
        // A system that does not tell.
        return std::thread::sleep(std::time::Duration::from_millis(700));
    }
    while listens() == Some(false) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}
