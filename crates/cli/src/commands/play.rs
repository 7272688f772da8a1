//! `proofplay play`: a game in the terminal.

use crate::engine;
use crate::output::{board, outcome_sentence, print_json, strong, talk, wrapped};
use crate::progress::Progress;
use crate::record::Record;
use crate::setup::Setup;
use crate::{Status, budget, failure, interrupt};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use proofplay_core::{Player, Rng};
use proofplay_front::player::Engine;
use std::io::{BufRead, IsTerminal, Read, stdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, SystemTime};

/// Play a game against the computer, or let it play itself
///
/// Type a move when asked, or one of the words help, moves, hint, undo, quit. Moves may also come from a file or a
/// pipe, one a line. With `--json` the conversation is on standard error, and the game comes at the end in the form
/// of `proofplay replay`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay play tictactoe
  proofplay play connect4 --side second --time-per-move 5s
  proofplay play domineering:6x6 --side both
  echo \"4 4 3\" | tr ' ' '\\n' | proofplay play connect4 --side both --json")]
pub struct Options {
    #[command(flatten)]
    setup: Setup,
    /// How the computer searches, as for `proofplay solve --algorithm`
    #[arg(long, value_name = "SEARCH", default_value = engine::DEFAULT_OPPONENT)]
    engine: String,
    /// How long the computer may think about a move
    #[arg(long, value_name = "TIME", value_parser = budget::time, default_value = "1s")]
    time_per_move: Duration,
    /// Which side you play
    #[arg(long, value_enum, default_value_t = Side::First)]
    side: Side,
    /// Use at most so much memory for thinking
    #[arg(long, value_name = "SIZE", value_parser = budget::memory, default_value = "256MiB")]
    memory: u64,
    /// The seed of the computer's random choices [default: another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Which side is played by a person.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    /// The player who begins the game
    First,
    /// The other player
    Second,
    /// Two people, no computer
    Both,
    /// The computer plays itself
    None,
}

/// What came of asking a person for a move.
enum Turn {
    Played,
    Quit,
    Stopped,
}

const HELP: &str = "\
Type a move as `moves` lists it, or one of these words:
  moves   the legal moves
  hint    what the computer would play
  undo    take your last move back
  help    this text
  quit    end the game here (also Ctrl-D)
";

impl Options {
    /// Plays until the game is over or somebody has had enough.
    pub fn run(&self, json: bool) -> Result<Status> {
        if self.time_per_move.is_zero() {
            bail!("--time-per-move 0: expected more than 0, e.g. 500ms");
        }
        let mut record = self.setup.record()?;
        let stop = interrupt::stop_flag()?;
        let by_clock = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos() as u64);
        let (memory, rng) = (budget::available(self.memory)?, Rng::new(self.seed.unwrap_or_else(by_clock)));
        let mut engine =
            Engine::new(self.engine.parse()?, self.time_per_move, memory, rng, Arc::clone(&stop));
        let mut table = Table { json, input: Input::open(), stop };
        let hint = if self.side == Side::None { "" } else { "Type a move, or `help`.\n" };
        table.say(&format!("{}\n{hint}", strong(&record.now().game())))?;
        let status = self.game(&mut record, &mut engine, &mut table)?;
        if json {
            print_json(&record.json())?;
        } else if record.now().outcome().is_none() {
            let line: Vec<String> = record.plies.iter().map(|ply| ply.mv.clone()).collect();
            table.say(&wrapped("the game so far:", &line))?;
        }
        Ok(status)
    }

    fn game(&self, record: &mut Record, engine: &mut Engine, table: &mut Table) -> Result<Status> {
        loop {
            let pos = record.now();
            table.say(&format!("\n{}\n", board(pos)))?;
            if let Some(score) = pos.outcome() {
                table.say(&format!("{}\n", outcome_sentence(pos, score)))?;
                return Ok(Status::Done);
            }
            if self.side.is_human(pos.turn()) {
                match self.ask(record, engine, table)? {
                    Turn::Played => {}
                    Turn::Quit => return Ok(Status::Done),
                    Turn::Stopped => return Ok(Status::Unfinished),
                }
                continue;
            }
            let answer = thinking(|| engine.answer(record))?;
            if table.stop.load(Relaxed) {
                return Ok(Status::Unfinished);
            }
            let side = pos.side(pos.turn());
            table.say(&format!("{side} plays {} ({})\n", strong(&answer.mv), answer.remark()))?;
            record.play(&answer.mv)?;
        }
    }

    /// Asks a person until there is a move or an end.
    fn ask(&self, record: &mut Record, engine: &mut Engine, table: &mut Table) -> Result<Turn> {
        loop {
            let pos = record.now();
            table.say(&format!("{} to move> ", pos.side(pos.turn())))?;
            let line = match table.input.next(&table.stop) {
                Heard::Line(line) => line,
                Heard::TooLong => {
                    let longest = Input::LONGEST;
                    table.say(&format!(
                        "a line of more than {longest} bytes is neither a move nor a word\n"
                    ))?;
                    continue;
                }
                Heard::End => {
                    table.say("\n")?;
                    return Ok(Turn::Quit);
                }
                Heard::Stop => {
                    table.say("\n")?;
                    return Ok(Turn::Stopped);
                }
            };
            if !table.input.echoes {
                table.say(&format!("{}\n", failure::one_line(&line)))?;
            }
            match line.as_str() {
                "" => {}
                "quit" | "exit" => return Ok(Turn::Quit),
                "help" | "?" => table.say(HELP)?,
                "moves" => table.say(&wrapped("legal:", &pos.legal()))?,
                "hint" => {
                    let answer = thinking(|| engine.answer(record))?;
                    table.say(&format!("try {}: {}\n", answer.mv, answer.advice()))?;
                }
                "undo" if record.undo() => {
                    // Back to the person's own move.
                    while !self.side.is_human(record.now().turn()) && record.undo() {}
                    return Ok(Turn::Played);
                }
                "undo" => table.say("nothing to take back\n")?,
                mv => match record.play(mv) {
                    Ok(()) => return Ok(Turn::Played),
                    Err(error) => table.say(&format!("{}\n", failure::one_line(&error.to_string())))?,
                },
            }
        }
    }
}

impl Side {
    fn is_human(self, player: Player) -> bool {
        match self {
            Side::First => player == Player::First,
            Side::Second => player == Player::Second,
            Side::Both => true,
            Side::None => false,
        }
    }
}

/// Where the players meet: what is said, what is heard, and when it is time to go.
struct Table {
    json: bool,
    input: Input,
    stop: Arc<AtomicBool>,
}

impl Table {
    fn say(&self, text: &str) -> Result<()> {
        Ok(talk(self.json, text)?)
    }
}

/// Lines from standard input, read on a thread of their own so that Ctrl-C does not wait for the next one. The thread is one
/// line ahead at most, so that an input without end takes no memory.
struct Input {
    lines: Receiver<Heard>,
    /// A terminal shows what is typed; from a pipe we show it ourselves.
    echoes: bool,
}

enum Heard {
    Line(String),
    TooLong,
    End,
    Stop,
}

impl Input {
    /// No line that means anything has more bytes.
    const LONGEST: usize = 1 << 10;

    fn open() -> Input {
        let (sender, lines) = sync_channel(1);
        std::thread::spawn(move || {
            let (mut stdin, mut line) = (stdin().lock(), Vec::new());
            // An error ends the input as its end does.
            while (&mut stdin).take(Self::LONGEST as u64).read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
                let heard = if line.len() < Self::LONGEST || line.ends_with(b"\n") {
                    Heard::Line(String::from_utf8_lossy(&line).trim().to_owned())
                } else {
                    Heard::TooLong
                };
                let is_rest_to_skip = matches!(heard, Heard::TooLong);
                if sender.send(heard).is_err() || (is_rest_to_skip && stdin.skip_until(b'\n').is_err()) {
                    return;
                }
                line.clear();
            }
        });
        Input { lines, echoes: stdin().is_terminal() }
    }

    fn next(&self, stop: &AtomicBool) -> Heard {
        loop {
            if stop.load(Relaxed) {
                return Heard::Stop;
            }
            match self.lines.recv_timeout(Duration::from_millis(50)) {
                Ok(heard) => return heard,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Heard::End,
            }
        }
    }
}

/// Says that the computer thinks while it does.
fn thinking<T>(think: impl FnOnce() -> T) -> T {
    let progress = Progress::start();
    progress.say("thinking".to_owned());
    think()
}
