//! A program that speaks the protocol, from the other side: we send commands and wait for replies.
//!
//! The program may do what it likes: say nothing, say too much, end, or not end when it should. None of
//! that makes us wait without end or use memory without end, and nothing of it is left when it is
//! dropped.
//!
//! Commands have numbers, which replies repeat: a reply with another number, or with none, is not the
//! answer, whenever it comes. If the very first reply has no number, the program leaves them out: then
//! it is asked again without one, as from then on, and what it says before a command is sent is no
//! answer to that.

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
    numbers: Numbers,
    /// It need not be asked to leave.
    has_failed: bool,
}

/// Whether a program numbers its replies.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Numbers {
    /// Nothing is known before its first reply.
    Asked,
    /// It does; the last one that was sent.
    Last(u32),
    /// It does not.
    LeftOut,
}

/// A reply, without the number.
#[derive(Debug)]
struct Reply {
    number: Option<u32>,
    is_good: bool,
    text: String,
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
        let (words, numbers) = (Words::listen(errors), Numbers::Asked);
        Ok(Client { child, to, from, words, numbers, has_failed: false })
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
        let number = match self.numbers {
            Numbers::Asked => Some(1),
            Numbers::Last(number) => Some(number + 1),
            Numbers::LeftOut => None,
        };
        let silent = || Fault::Silent { command: command.to_owned(), within };
        if number.is_none() {
            self.skip_all(began, within).ok_or_else(silent)?;
        }
        let sent = number.map_or(command.to_owned(), |number| format!("{number} {command}"));
        if writeln!(self.to, "{sent}").and_then(|()| self.to.flush()).is_err() {
            return Err(self.crash());
        }
        loop {
            let left = || within.saturating_sub(began.elapsed());
            let reply = self.reply(command, left, stop)?.ok_or_else(silent)?;
            self.numbers = match (self.numbers, number, reply.number) {
                (Numbers::LeftOut, ..) => Numbers::LeftOut,
                (_, Some(number), Some(answered)) if number == answered => Numbers::Last(number),
                (Numbers::Asked, _, None) => {
                    self.numbers = Numbers::LeftOut;
                    return self.exchange(command, left(), stop);
                }
                // It answers something else.
                _ => continue,
            };
            let Reply { is_good, text, .. } = reply;
            let refused = || Fault::Refused { command: command.to_owned(), answer: quoted(&text) };
            return if is_good { Ok(text.clone()) } else { Err(refused()) };
        }
    }

    /// Forgets what was said; `None` if that has no end.
    fn skip_all(&mut self, began: Instant, within: Duration) -> Option<()> {
        while let Ok(Some(_)) = self.from.next_within(Duration::ZERO) {
            if began.elapsed() >= within {
                return None;
            }
        }
        Some(())
    }

    /// The next reply; `None` if it does not come in time.
    fn reply(
        &mut self,
        command: &str,
        left: impl Fn() -> Duration,
        stop: &AtomicBool,
    ) -> Result<Option<Reply>, Fault> {
        let too_long = || Fault::TooLong(command.to_owned());
        let mut reply: Option<Reply> = None;
        loop {
            if stop.load(SeqCst) {
                return Err(Fault::Stopped);
            }
            let left = left();
            let line = match self.from.next_within(left.min(LOOK)) {
                _ if left.is_zero() => return Ok(None),
                Err(NotYet) => continue,
                Ok(None) => return Err(self.crash()),
                Ok(Some(Line::TooLong(_))) => return Err(too_long()),
                Ok(Some(Line::Text(line))) => line,
            };
            let line: String = line.chars().filter(|c| *c == '\t' || !c.is_control()).collect();
            match reply.as_mut() {
                None => reply = first_line(&line),
                Some(reply) if line.trim().is_empty() => {
                    let text = reply.text.trim().to_owned();
                    return Ok(Some(Reply { text, ..*reply }));
                }
                Some(Reply { text, .. }) if text.len() + line.len() > LONGEST_REPLY => return Err(too_long()),
                Some(Reply { text, .. }) => *text += &format!("\n{line}"),
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

/// The first line of a reply; `None` if no reply begins here. Some programs talk before they reply.
fn first_line(line: &str) -> Option<Reply> {
    let (is_good, rest) = (line.starts_with('='), line.strip_prefix(['=', '?'])?);
    let text = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = rest[..rest.len() - text.len()].parse().ok();
    Some(Reply { number, is_good, text: text.to_owned() })
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
    fn started(script: &str) -> Client {
        let program = Program { text: String::new(), words: ["sh", "-c", script].map(str::to_owned).into() };
        Client::start(&program).unwrap()
    }

    /// One that is known to leave out numbers.
    fn shell(script: &str) -> Client {
        let mut client = started(script);
        client.numbers = Numbers::LeftOut;
        client
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

    /// An answer that comes late, twice or without its number is never that of another command.
    #[test]
    fn numbers() {
        let mut client = started(
            "read -r n c; echo \"=$n $c\"; echo; echo \"=$n once more\"; echo; echo '= no number'; echo; \
             read -r n c; printf '?1 late\\nline\\n\\n= none\\n\\n'; echo \"=$n $c\"; echo; read -r n c; \
             echo \"?$n $c\"; echo; read a",
        );
        assert_eq!(
            [ask(&mut client, "one"), ask(&mut client, "two b")],
            ["one", "two b"].map(|a| Ok(a.into()))
        );
        assert_eq!(ask(&mut client, "three").unwrap_err().to_string(), "it refuses `three`: three");
        // Who numbers replies once is not believed without.
        let mut client = started("read -r n c; echo \"=$n\"; echo; while read a; do echo '= x'; echo; done");
        assert_eq!(ask(&mut client, "one").unwrap(), "");
        let error = client.ask("two", Duration::from_millis(300), &AtomicBool::new(false)).unwrap_err();
        assert!(matches!(error, Fault::Silent { .. }), "{error}");
        // A program that knows no numbers is asked again without, whatever its answer was.
        for sign in ["=", "?"] {
            let mut client = started(&format!(
                "read -r a; echo '{sign} odd'; echo; while read -r a; do echo \"= $a\"; echo; echo '= more'; \
                 echo; done"
            ));
            for command in ["one", "two"] {
                assert_eq!(ask(&mut client, command).unwrap(), command);
                // What was not asked for comes before the next command.
                while !client.from.waiting().load(SeqCst) {
                    thread::sleep(Duration::from_millis(1));
                }
            }
        }
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
        for script in ["read a; echo =; yes", "read a; head -c 70000 /dev/zero | tr '\\0' x; echo"] {
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
        use rustix::process::{Pid, test_kill_process};
        let stays = "trap '' TERM; sleep 600 & echo \"= $!\"; echo; while :; do sleep 600; done";
        // A process that leaves the group is found on Linux: with its parent, without it, where all
        // else is gone, and without what marks it.
        let leavers = [
            "setsid sleep 600 & echo \"= $!\"; echo; while :; do sleep 600; done",
            "(setsid sleep 600 & echo \"= $!\"); echo; while :; do sleep 600; done",
            "(setsid sleep 600 & echo \"= $!\"); echo; read a",
            "env -i setsid sleep 600 & echo \"= $!\"; echo; while :; do sleep 600; done",
        ];
        let leavers = if cfg!(target_os = "linux") { &leavers[..] } else { &[] };
        let began = Instant::now();
        for script in [stays].iter().chain(leavers) {
            for fails in [false, true] {
                // What is said before the command is no answer.
                let mut client = shell(&format!("read a; {script}"));
                let other = ask(&mut client, "x").unwrap().parse().ok().and_then(Pid::from_raw).unwrap();
                let own = Pid::from_child(&client.child);
                client.has_failed = fails;
                drop(client);
                // The other one is nobody's child now: the system needs a moment to forget it.
                while test_kill_process(other).is_ok() && !is_zombie(other) {
                    assert!(began.elapsed() < Duration::from_secs(500), "{script}");
                    thread::sleep(Duration::from_millis(2));
                }
                assert!(test_kill_process(own).is_err());
            }
        }
    }

    /// A process has no environment while it becomes another program, and may have no parent any more.
    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_hides_while_it_starts() {
        use rustix::process::{Pid, test_kill_process};
        for _ in 0..100 {
            let mut client = shell("read a; (setsid sleep 600 & echo \"= $!\"); echo; read a");
            let other = ask(&mut client, "x").unwrap().parse().ok().and_then(Pid::from_raw).unwrap();
            client.has_failed = true;
            drop(client);
            let began = Instant::now();
            while test_kill_process(other).is_ok() && !is_zombie(other) {
                assert!(began.elapsed() < Duration::from_secs(60), "{other:?} is left");
                thread::sleep(Duration::from_millis(2));
            }
        }
    }

    /// Whether only the entry of a process is left, which is for its parent to remove.
    #[cfg(unix)]
    fn is_zombie(process: rustix::process::Pid) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
        stat.is_ok_and(|stat| stat.contains(") Z"))
    }
}
