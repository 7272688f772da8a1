//! `proofplay play`: a game in the terminal.

use crate::engine;
use crate::output::{board, list_columns, outcome_sentence, print_json, strong, talk};
use crate::progress::Progress;
use crate::setup::Setup;
use crate::{Status, budget, interrupt};
use anyhow::Result;
use clap::{Args, ValueEnum};
use proofplay_core::Player;
use proofplay_front::budget::{OPPONENT, share};
use proofplay_front::clock::TimeControl;
use proofplay_front::game::{End, Event, Game};
use proofplay_front::json::Replayed;
use proofplay_front::person::{Heard, Person, Talk};
use proofplay_front::player::{self, Choice, PlayerError, Searcher, Turn};
use proofplay_front::text::{one_line, wrapped};
use proofplay_search::Resources;
use std::cell::RefCell;
use std::io::{self, BufRead, IsTerminal, Read, stdin};
use std::rc::Rc;
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
    #[arg(long, value_name = "TIME", value_parser = budget::some_time, default_value = "1s")]
    time_per_move: Duration,
    /// Play by a clock instead, which runs for you, too: 10m, 5m+3s with an increment, 10m+5m/25 or 10m+5x30s with Canadian
    /// or Japanese byo-yomi. Who has no time left loses
    #[arg(long, value_name = "CLOCK", conflicts_with = "time_per_move")]
    clock: Option<TimeControl>,
    /// Which side you play
    #[arg(long, value_enum, default_value_t = Side::First)]
    side: Side,
    /// Use at most this much memory for the whole program [default: 256MiB]
    #[arg(long, value_name = "SIZE", value_parser = budget::memory)]
    memory: Option<u64>,
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

impl Options {
    /// Plays until the game is over or somebody has had enough.
    pub fn run(&self, json: bool) -> Result<Status> {
        let record = self.setup.record()?;
        let stop = interrupt::stop_flag()?;
        let by_clock = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos() as u64);
        let resources = Resources {
            memory: share(self.memory.unwrap_or(OPPONENT), 1)?,
            seed: self.seed.unwrap_or_else(by_clock),
            ..Resources::default()
        };
        let engine = Rc::new(RefCell::new(Engine(Searcher::new(self.engine.parse()?, resources))));
        let people = self.side.people();
        let terminal = Terminal { json, input: Input::open() };
        let person = Rc::new(RefCell::new(Person::new(terminal, Rc::clone(&engine), &people)));
        let seat = |side: Player| -> Box<dyn player::Player + '_> {
            if people.contains(&side) { Box::new(Rc::clone(&person)) } else { Box::new(Rc::clone(&engine)) }
        };
        let hint = if people.is_empty() { "" } else { "Type a move, or `help`.\n" };
        talk(json, &format!("{}\n{hint}", strong(&record.now().game())))?;
        let [mut first, mut second] = Player::BOTH.map(seat);
        let clock = self.clock.unwrap_or(TimeControl::PerMove(self.time_per_move));
        let mut game = Game::new(record, [&mut *first, &mut *second]);
        game = game.with_clock(Some(clock)).stopped_by(&stop);
        let end = game.play(&mut |event| -> Result<()> {
            match event {
                Event::Position(record) => talk(json, &format!("\n{}\n", board(record.now())))?,
                Event::Move(record, answer) if !people.contains(&record.now().turn()) => {
                    let side = record.now().side(record.now().turn());
                    talk(json, &format!("{side} plays {} ({})\n", strong(&answer.mv), answer.remark()))?;
                }
                _ => {}
            }
            Ok(())
        })?;
        let record = &game.record;
        let (pos, is_stopped) = (record.now(), end == End::Stopped);
        let lost_by = match end {
            End::Rules(score) => {
                talk(json, &format!("{}\n", outcome_sentence(pos, score)))?;
                None
            }
            End::Lost(side, loss) => {
                talk(json, &format!("{} has lost: {loss}\n", pos.side(side)))?;
                Some(loss)
            }
            _ => None,
        };
        if json {
            print_json(&Replayed::new(record, lost_by))?;
        } else if pos.outcome().is_none() {
            let line: Vec<String> = record.plies.iter().map(|ply| ply.mv.clone()).collect();
            talk(json, &wrapped("the game so far:", &line, list_columns()))?;
        }
        Ok(if is_stopped { Status::Unfinished } else { Status::Done })
    }
}

impl Side {
    /// The sides that people play.
    fn people(self) -> Vec<Player> {
        match self {
            Side::First => vec![Player::First],
            Side::Second => vec![Player::Second],
            Side::Both => Player::BOTH.to_vec(),
            Side::None => vec![],
        }
    }
}

/// The computer, which says that it thinks while it does.
struct Engine(Searcher);

impl player::Player for Engine {
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
        let progress = Progress::start();
        progress.say("thinking".to_owned());
        self.0.choose(turn)
    }
}

/// The person at the terminal.
struct Terminal {
    json: bool,
    input: Input,
}

impl Talk for Terminal {
    fn say(&mut self, text: &str) -> io::Result<()> {
        talk(self.json, text)
    }

    fn hear(&mut self, stop: &AtomicBool) -> io::Result<Heard> {
        let heard = self.input.next(stop);
        if let (Heard::Line(line), false) = (&heard, self.input.echoes) {
            self.say(&format!("{}\n", one_line(line)))?;
        }
        Ok(heard)
    }
}

/// Lines from standard input, read on a thread of their own so that Ctrl-C does not wait for the next one. The thread is one
/// line ahead at most, so that an input without end takes no memory.
struct Input {
    lines: Receiver<Heard>,
    /// A terminal shows what is typed; from a pipe we show it ourselves.
    echoes: bool,
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
                    Heard::TooLong(Self::LONGEST)
                };
                let is_rest_to_skip = matches!(heard, Heard::TooLong(_));
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
                return Heard::End;
            }
            match self.lines.recv_timeout(Duration::from_millis(50)) {
                Ok(heard) => return heard,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Heard::End,
            }
        }
    }
}
