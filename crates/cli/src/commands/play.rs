//! `proofplay play`: a game in the terminal.

use crate::budget::Computer;
use crate::input::Input;
use crate::output::{list_columns, paint, print_json, strong, talk};
use crate::progress::Progress;
use crate::setup::{Setup, Tables};
use crate::{Status, engine, files, interrupt};
use anyhow::Result;
use clap::{Args, ValueEnum};
use proofplay_core::Player;
use proofplay_front::budget::{Budget, OPPONENT};
use proofplay_front::clock::TimeControl;
use proofplay_front::game::{End, Game};
use proofplay_front::json::Replayed;
use proofplay_front::person::{Conversation, Heard, Talk};
use proofplay_front::player::Searcher;
use proofplay_front::session::Session;
use proofplay_front::text::{one_line, wrapped};
use proofplay_registry::DynPosition;
use proofplay_search::Limits;
use std::io::{self, IsTerminal, stdin};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

/// Play a game against the computer, or let it play itself
///
/// Type a move when asked, or one of the words board, moves, hint, score, undo, resign, sides, level,
/// new, save, load, help, quit; `help` explains them. Moves may also come from a file or a pipe, one a
/// line. After the end of a game you can take moves back or begin another one; `quit` or the end of the
/// input leaves. With `--json` the conversation is on standard error, and the last game comes at the
/// end in the form of `proofplay replay`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay play tictactoe
  proofplay play connect4 --side second --time-per-move 5s
  proofplay play connect4 --playouts 10k --threads 2
  proofplay play go:9x9,komi=7.5 --clock 10m+5x30s
  proofplay play domineering:6x6 --side both
  echo \"4 4 3\" | tr ' ' '\\n' | proofplay play connect4 --side both --json")]
pub struct Options {
    #[command(flatten)]
    setup: Setup,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    computer: Computer,
    /// Play by a clock, which runs for you, too: 10m, 5m+3s with an increment, 10m+5m/25 or 10m+5x30s
    /// with Canadian or Japanese byo-yomi. A player without time left loses, except by 5s/move, which is the
    /// same as --time-per-move 5s
    #[arg(long, value_name = "CLOCK", conflicts_with = "time_per_move", allow_hyphen_values = true)]
    clock: Option<TimeControl>,
    /// Which side you play
    #[arg(long, value_enum, default_value_t = Side::First)]
    side: Side,
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
    /// Plays until the person leaves.
    pub fn run(&self, json: bool) -> Result<Status> {
        self.tables.lay_out();
        let record = self.setup.record()?;
        let stop = interrupt::stop_flag()?;
        let computer = self.computer(record.now())?;
        let game = Game::new(record).with_clock(self.clock).stopped_by(&stop);
        let session = Session::new(game, computer, self.side.people());
        let input = Input::open(LONGEST_LINE);
        let terminal = Terminal { json, input, echoes: stdin().is_terminal(), progress: None };
        let mut conversation = Conversation::new(session, terminal);
        conversation.run()?;
        let game = &conversation.session.game;
        let (record, end) = (&game.record, game.end());
        let is_over = end.is_some();
        if json {
            let lost_by = if let Some(End::Lost(_, loss)) = end { Some(loss) } else { None };
            print_json(&Replayed::new(record, lost_by))?;
        } else if !is_over {
            let line: Vec<String> = record.plies.iter().map(|ply| ply.mv.clone()).collect();
            talk(json, &wrapped("the game so far:", &line, list_columns()))?;
        }
        Ok(if is_over || !game.is_stopped() { Status::Done } else { Status::Unfinished })
    }

    /// The computer.
    fn computer(&self, pos: &dyn DynPosition) -> Result<Searcher> {
        let by_clock = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos() as u64);
        let allowed = self.computer.allowed();
        let budget = Budget { memory: Some(allowed.memory.unwrap_or(OPPONENT)), ..allowed };
        let spec = engine::player(&self.computer.engine, pos, &budget)?;
        budget.check(&self.computer.engine, &spec)?;
        let resources = budget.resources(self.seed.unwrap_or_else(by_clock))?;
        let limits: Limits = match self.clock {
            Some(_) => budget.limits(),
            None => budget.limits_or(&spec, Computer::USUAL_TIME),
        };
        Ok(Searcher::new(spec, resources).limited_by(limits).counting_plies())
    }
}

impl Side {
    /// The sides that people play.
    fn people(self) -> &'static [Player] {
        match self {
            Side::First => &[Player::First],
            Side::Second => &[Player::Second],
            Side::Both => &Player::BOTH,
            Side::None => &[],
        }
    }
}

/// No line that a person types and that means anything has more bytes.
const LONGEST_LINE: usize = 1 << 10;
/// No saved game may be larger.
const LARGEST_FILE: usize = 16 << 20;

/// The person at the terminal.
struct Terminal {
    json: bool,
    input: Input,
    /// A terminal shows what is typed; from a pipe we show it ourselves.
    echoes: bool,
    /// Shown while the computer thinks.
    progress: Option<Progress>,
}

impl Talk for Terminal {
    fn say(&mut self, text: &str) -> io::Result<()> {
        talk(self.json, text)
    }

    fn hear(&mut self, stop: &AtomicBool, wait: Option<Duration>) -> io::Result<Heard> {
        // An error ends the input as its end does.
        let heard = self.input.next_within(stop, wait).unwrap_or(Heard::End);
        if let (Heard::Line(line), false) = (&heard, self.echoes) {
            self.say(&format!("{}\n", one_line(line)))?;
        }
        Ok(heard)
    }

    fn read(&mut self, file: &str) -> Result<String, String> {
        files::read_text(Path::new(file), LARGEST_FILE).map_err(|error| error.to_string())
    }

    fn write(&mut self, file: &str, text: &str) -> Result<(), String> {
        files::write(Path::new(file), text.as_bytes()).map_err(|error| error.to_string())
    }

    fn paint(&self, symbol: char, owner: Option<Player>) -> String {
        paint(symbol, owner)
    }

    fn strong(&self, text: &str) -> String {
        strong(text)
    }

    fn thinks(&mut self, is_thinking: bool) {
        self.progress = is_thinking.then(Progress::start);
        self.progress.iter().for_each(|progress| progress.say("thinking".to_owned()));
    }
}
