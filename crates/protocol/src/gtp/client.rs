//! A program that speaks the protocol, from the other side: we send commands and wait for replies.
//!
//! The program may do what it likes: say nothing, say too much, end, or not end when it should. None of
//! that makes us wait without end or use memory without end, and nothing of it is left when it is
//! dropped.

use crate::input::{Input, Line, Manner, NotYet, read_line};
use crate::system;
use proofplay_front::amounts::show_time;
use proofplay_front::game::Loss;
use proofplay_front::text::one_line;
use std::io::{BufReader, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fmt, thread};

/// No line of a reply may have more bytes, no reply more in all, and of what a program says elsewhere
/// this much is quoted.
const LONGEST_LINE: usize = 1 << 16;
const LONGEST_REPLY: usize = 1 << 20;
const QUOTED: usize = 200;
/// How often the flag that stops us is looked at, and what a program has to end by itself.
const LOOK: Duration = Duration::from_millis(20);
const FAREWELL: Duration = Duration::from_secs(1);

/// The command line of a program, split into words as a shell does: `"my engine" --level 3`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    text: String,
    words: Vec<String>,
}

impl FromStr for Program {
    type Err = String;

    fn from_str(text: &str) -> Result<Program, String> {
        let text = text.trim().to_owned();
        let words = shlex::split(&text).filter(|words| !words.is_empty() && !text.contains(char::is_control));
        let words = words.ok_or_else(|| {
            format!(
                "`{}`: expected the command line of a program, with quotes in pairs, e.g. gnugo --mode gtp",
                one_line(&text)
            )
        })?;
        Ok(Program { text, words })
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why there is no reply.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The program cannot be started.
    #[error("it cannot be started: {0}")]
    Absent(String),
    /// It has ended.
    #[error("it has ended ({status}){}", said(.words))]
    Crashed {
        /// How.
        status: String,
        /// The last line that it has written to standard error.
        words: String,
    },
    /// It has not answered in time.
    #[error("no answer to `{command}` within {}", show_time(*.within))]
    Silent {
        /// What was asked.
        command: String,
        /// How long it had.
        within: Duration,
    },
    /// It says that it cannot.
    #[error("it refuses `{command}`: {answer}")]
    Refused {
        /// What was asked.
        command: String,
        /// What it says.
        answer: String,
    },
    /// It says more than anybody would.
    #[error("its answer to `{0}` is too long")]
    TooLong(String),
    /// We want no reply any more.
    #[error("stopped")]
    Stopped,
}

fn said(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(", its last line of errors: {words}") }
}

impl From<Fault> for Loss {
    fn from(fault: Fault) -> Loss {
        let why = fault.to_string();
        match fault {
            Fault::Absent(_) | Fault::Crashed { .. } => Loss::Crashed(why),
            Fault::Silent { .. } => Loss::Silent(why),
            _ => Loss::Failed(why),
        }
    }
}

/// What a program writes to standard error.
#[derive(Default, Debug)]
struct Words {
    last: Mutex<String>,
    are_over: AtomicBool,
}

impl Words {
    /// Remembers the last line, on a thread of its own.
    fn listen(from: ChildStderr) -> Arc<Words> {
        let words = Arc::new(Words::default());
        let heard = Arc::clone(&words);
        thread::spawn(move || {
            let mut from = BufReader::new(from);
            while let Some(line) = read_line(&mut from, LONGEST_LINE) {
                if let Line::Text(text) = line
                    && !text.trim().is_empty()
                {
                    *heard.last.lock().expect("no thread panics here") = quoted(&text);
                }
            }
            heard.are_over.store(true, SeqCst);
        });
        words
    }
}

/// A short line without control characters.
pub(super) fn quoted(text: &str) -> String {
    let plain = one_line(text.trim());
    plain.chars().take(QUOTED).collect()
}

/// A program that was started.
#[derive(Debug)]
pub struct Client {
    child: Child,
    to: ChildStdin,
    from: Input,
    words: Arc<Words>,
    /// It need not be asked to leave.
    has_failed: bool,
}

impl Client {
    /// Starts a program.
    pub fn start(program: &Program) -> Result<Client, Fault> {
        let [name, arguments @ ..] = &program.words[..] else { unreachable!("a program has a name") };
        let mut command = Command::new(name);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child =
            system::start(&mut command).map_err(|error| Fault::Absent(format!("`{name}`: {error}")))?;
        let (to, from, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(to), Some(from), Some(errors)) = (to, from, errors) else {
            unreachable!("all three were asked for")
        };
        let from = Input::open(from, LONGEST_LINE, |_| Manner::Waits);
        Ok(Client { child, to, from, words: Words::listen(errors), has_failed: false })
    }

    /// The reply to a command, if it comes within this time and before `stop` is set. After any fault
    /// except a refusal nothing more can be asked.
    pub fn ask(&mut self, command: &str, within: Duration, stop: &AtomicBool) -> Result<String, Fault> {
        let answer = self.exchange(command, within, stop);
        self.has_failed |= !matches!(answer, Ok(_) | Err(Fault::Refused { .. }));
        answer
    }

    fn exchange(&mut self, command: &str, within: Duration, stop: &AtomicBool) -> Result<String, Fault> {
        let began = Instant::now();
        if writeln!(self.to, "{command}").and_then(|()| self.to.flush()).is_err() {
            return Err(self.crash());
        }
        let too_long = || Fault::TooLong(command.to_owned());
        let mut reply: Option<(bool, String)> = None;
        loop {
            if stop.load(SeqCst) {
                return Err(Fault::Stopped);
            }
            let left = within.saturating_sub(began.elapsed());
            let line = match self.from.next_within(left.min(LOOK)) {
                _ if left.is_zero() => return Err(Fault::Silent { command: command.to_owned(), within }),
                Err(NotYet) => continue,
                Ok(None) => return Err(self.crash()),
                Ok(Some(Line::TooLong(_))) => return Err(too_long()),
                Ok(Some(Line::Text(line))) => line,
            };
            let line: String = line.chars().filter(|c| *c == '\t' || !c.is_control()).collect();
            match &mut reply {
                None => reply = first_line(&line),
                Some((is_good, text)) if line.trim().is_empty() => {
                    let answer = text.trim().to_owned();
                    let (command, is_good) = (command.to_owned(), *is_good);
                    let refused = |answer: String| Fault::Refused { command, answer: quoted(&answer) };
                    return if is_good { Ok(answer) } else { Err(refused(answer)) };
                }
                Some((_, text)) if text.len() + line.len() > LONGEST_REPLY => return Err(too_long()),
                Some((_, text)) => *text += &format!("\n{line}"),
            }
        }
    }

    /// It says no more: how it has ended.
    fn crash(&mut self) -> Fault {
        wait(|| system::has_ended(&mut self.child));
        let had_ended = system::has_ended(&mut self.child);
        let status = system::end(&mut self.child);
        wait(|| self.words.are_over.load(SeqCst));
        let words = self.words.last.lock().expect("no thread panics here").clone();
        let status = status.filter(|_| had_ended).map(|status| status.to_string());
        Fault::Crashed { status: status.unwrap_or_else(|| "it has closed its output".to_owned()), words }
    }
}

/// Waits for a short time until something is true.
fn wait(mut is_true: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_true() && began.elapsed() < FAREWELL {
        thread::sleep(Duration::from_millis(2));
    }
}

/// Whether a reply is good, and what stands behind the sign and the number; `None` if no reply begins
/// here. Some programs talk before they reply.
fn first_line(line: &str) -> Option<(bool, String)> {
    let (sign, rest) = (line.starts_with('='), line.strip_prefix(['=', '?'])?);
    Some((sign, rest.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned()))
}

impl Drop for Client {
    /// Asks the program to leave, and ends it if it does not.
    fn drop(&mut self) {
        if !self.has_failed && writeln!(self.to, "quit").is_ok() {
            wait(|| system::has_ended(&mut self.child));
        }
        system::end(&mut self.child);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(60);

    /// A program that is a script of the shell.
    fn shell(script: &str) -> Client {
        let program = Program { text: String::new(), words: ["sh", "-c", script].map(str::to_owned).into() };
        Client::start(&program).unwrap()
    }

    fn ask(client: &mut Client, command: &str) -> Result<String, Fault> {
        client.ask(command, SOON, &AtomicBool::new(false))
    }

    #[test]
    fn command_lines() {
        let words = |text: &str| text.parse::<Program>().map(|program| program.words);
        assert_eq!(words("gnugo --mode gtp").unwrap(), ["gnugo", "--mode", "gtp"]);
        assert_eq!(words(" 'my engine' a\\ b \"\" ").unwrap(), ["my engine", "a b", ""]);
        for bad in ["", "  ", "it's", "a\nb"] {
            let error = words(bad).unwrap_err();
            assert!(error.contains("expected the command line"), "{error}");
        }
        let error = Client::start(&"/no/such/program".parse().unwrap()).unwrap_err();
        assert!(error.to_string().starts_with("it cannot be started: `/no/such/program`: "), "{error}");
    }

    #[test]
    fn replies() {
        let mut client = shell(
            "read a; printf 'hello\\n\\n= one\\ntwo\\n\\n'; read a; printf '? not %s\\r\\n\\r\\n' \"$a\"; read a; \
             printf '=12\\n\\n'; read a",
        );
        assert_eq!(ask(&mut client, "x").unwrap(), "one\ntwo");
        let error = ask(&mut client, "y").unwrap_err();
        assert_eq!(error.to_string(), "it refuses `y`: not y");
        assert!(matches!(Loss::from(error), Loss::Failed(_)));
        assert_eq!(ask(&mut client, "z").unwrap(), "");
    }

    /// All that a program can do wrong ends soon, and is told apart.
    #[test]
    fn faults() {
        let error = ask(&mut shell("read a; echo bad luck >&2; exit 3"), "x").unwrap_err();
        assert_eq!(error.to_string(), "it has ended (exit status: 3), its last line of errors: bad luck");
        assert!(matches!(Loss::from(error), Loss::Crashed(_)));
        let error = ask(&mut shell("exec >&-; sleep 600"), "x").unwrap_err();
        assert_eq!(error.to_string(), "it has ended (it has closed its output)");
        let error = ask(&mut shell("kill -9 $$"), "x").unwrap_err();
        assert!(error.to_string().contains("signal: 9"), "{error}");
        let silent = |script: &str| {
            shell(script).ask("x", Duration::from_millis(300), &AtomicBool::new(false)).unwrap_err()
        };
        // Whoever talks without end does not reply either.
        for script in ["sleep 600", "read a; echo '= half a reply'; sleep 600", "yes chatter"] {
            let error = silent(script);
            assert_eq!(error.to_string(), "no answer to `x` within 300ms", "{script}");
            assert!(matches!(Loss::from(error), Loss::Silent(_)));
        }
        for script in ["echo =; yes", "head -c 70000 /dev/zero | tr '\\0' x; echo"] {
            let error = ask(&mut shell(script), "x").unwrap_err();
            assert_eq!(error, Fault::TooLong("x".to_owned()), "{script}");
        }
        let stop = AtomicBool::new(true);
        assert_eq!(shell("sleep 600").ask("x", SOON, &stop), Err(Fault::Stopped));
    }

    /// Nothing that was started is left, not even what does not want to leave.
    #[cfg(unix)]
    #[test]
    fn nothing_is_left() {
        let began = Instant::now();
        for fails in [false, true] {
            let mut client =
                shell("trap '' TERM; sleep 600 & echo \"= $!\"; echo; while :; do sleep 600; done");
            let other = ask(&mut client, "x").unwrap().parse().ok().and_then(rustix::process::Pid::from_raw);
            let own = rustix::process::Pid::from_child(&client.child);
            client.has_failed = fails;
            drop(client);
            // The other one is nobody's child now: the system needs a moment to forget it.
            wait(|| rustix::process::test_kill_process(other.unwrap()).is_err() || is_zombie(other.unwrap()));
            assert!(rustix::process::test_kill_process(own).is_err());
            assert!(rustix::process::test_kill_process(other.unwrap()).is_err() || is_zombie(other.unwrap()));
        }
        assert!(began.elapsed() < Duration::from_secs(500), "nobody waited for them");
    }

    /// Whether only the entry of a process is left, which is for its parent to remove.
    #[cfg(unix)]
    fn is_zombie(process: rustix::process::Pid) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
        stat.is_ok_and(|stat| stat.contains(") Z"))
    }
}
