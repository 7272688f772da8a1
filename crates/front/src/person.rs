//! A person who plays by typing: moves and words in, sentences and boards out.

use crate::answer::sentence;
use crate::game::{End, Loss};
use crate::level;
use crate::picture::picture;
use crate::player::{Answer, PlayerError};
use crate::record::Record;
use crate::session::Session;
use crate::setup::Setup;
use crate::text::{WIDTH, one_line, wrapped};
use crate::words::{HELP, Word};
use proofplay_core::{Player as Side, TextError};
use proofplay_registry::SetupError;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// How a person is talked to.
pub trait Talk {
    /// Shows text as it is.
    fn say(&mut self, text: &str) -> io::Result<()>;
    /// Waits for a line, at most for this time; soon after `stop` is set it waits no longer.
    fn hear(&mut self, stop: &AtomicBool, wait: Option<Duration>) -> io::Result<Heard>;
    /// All of a file of text, or why not.
    fn read(&mut self, file: &str) -> Result<String, String>;
    /// Writes a file, or says why not.
    fn write(&mut self, file: &str, text: &str) -> Result<(), String>;
    /// A piece, perhaps in colour.
    fn paint(&self, symbol: char, _owner: Option<Side>) -> String {
        symbol.to_string()
    }
    /// Text that matters, perhaps in bold.
    fn strong(&self, text: &str) -> String {
        text.to_owned()
    }
    /// The computer begins to think, or has ended.
    fn thinks(&mut self, _is_thinking: bool) {}
}

/// What came of listening.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Heard {
    /// A line without the blanks around it.
    Line(String),
    /// A line of more than this many bytes.
    TooLong(usize),
    /// The time is up.
    Nothing,
    /// No more lines come, or the game shall end.
    End,
}

/// What to do when nothing more can be played.
const OVER: &str = "the game is over: `undo` takes a move back, `new` begins another game, `quit` leaves";
/// The same after a loss on time, which is not taken back.
const OUT_OF_TIME: &str = "the game is over: `new` begins another game, `quit` leaves";

/// A conversation about a session.
pub struct Conversation<'a> {
    /// The session.
    pub session: Session<'a>,
    talk: Box<dyn Talk + 'a>,
}

impl fmt::Debug for Conversation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversation").field("session", &self.session).finish_non_exhaustive()
    }
}

impl<'a> Conversation<'a> {
    /// Somebody who plays in this session.
    pub fn new(session: Session<'a>, talk: impl Talk + 'a) -> Conversation<'a> {
        Conversation { session, talk: Box::new(talk) }
    }

    /// Talks until the person leaves, no more lines come or the game is stopped; without a person,
    /// until the game is over.
    pub fn run(&mut self) -> Result<(), PlayerError> {
        let name = self.talk.strong(&self.record().now().game());
        let hint = if self.session.people().is_empty() { "" } else { "Type a move, or `help`.\n" };
        self.say(&format!("{name}\n{hint}"))?;
        self.say_remarks()?;
        self.show()?;
        while !self.session.game.is_stopped() {
            if self.session.computer_moves() {
                self.let_computer_move()?;
            } else if self.session.people().is_empty() || !self.listen()? {
                break;
            }
        }
        Ok(())
    }

    fn record(&self) -> &Record {
        &self.session.game.record
    }

    fn side(&self, side: Side) -> &str {
        self.record().start().side(side)
    }

    fn say(&mut self, text: &str) -> Result<(), PlayerError> {
        Ok(self.talk.say(text)?)
    }

    /// Shows the board, and how the game has ended if it has.
    fn show(&mut self) -> Result<(), PlayerError> {
        let board = picture(self.record(), |symbol, owner| self.talk.paint(symbol, owner));
        self.say(&format!("\n{board}\n"))?;
        self.say_result()
    }

    /// Says what a person should know about the file of the game.
    fn say_remarks(&mut self) -> Result<(), PlayerError> {
        match self.record().remarks() {
            none if none.is_empty() => Ok(()),
            remarks => self.say(&remarks),
        }
    }

    /// Says how the game has ended, if it has.
    fn say_result(&mut self) -> Result<(), PlayerError> {
        match self.session.result() {
            Some(result) => self.say(&format!("{}\n", self.talk.strong(&one_line(&result)))),
            None => Ok(()),
        }
    }

    fn let_computer_move(&mut self) -> Result<(), PlayerError> {
        let mover = self.record().now().turn();
        let (side, plies) = (self.side(mover).to_owned(), self.record().plies.len());
        self.talk.thinks(true);
        let answer = self.session.think();
        self.talk.thinks(false);
        match answer? {
            Some(answer) if self.record().plies.len() > plies => {
                let mv = self.talk.strong(&answer.mv);
                self.say(&format!("{side} plays {mv} (for {side}: {})\n", answer.value()))?;
                self.show()
            }
            // It was too late.
            Some(_) => self.say_result(),
            None => Ok(()),
        }
    }

    /// Asks for a line and does what it says; `false` if the person leaves.
    fn listen(&mut self) -> Result<bool, PlayerError> {
        let is_over = self.session.game.end().is_some();
        if is_over {
            self.say("the game is over> ")?;
        } else {
            self.session.game.begin();
            if let Some([first, second]) = self.session.game.clocks() {
                let (a, b) = (self.side(Side::First), self.side(Side::Second));
                let clocks = format!("clocks: {a} {first}, {b} {second}\n");
                self.say(&clocks)?;
            }
            let mover = self.side(self.record().now().turn());
            self.say(&format!("{mover} to move> "))?;
        }
        let wait = if is_over { None } else { self.session.game.falls_in() };
        let heard = self.talk.hear(self.session.game.stop(), wait)?;
        if !is_over && self.session.game.check_flag() {
            // Whatever was typed came too late.
            if heard == Heard::Nothing {
                self.say("\n")?;
            }
            self.say_result()?;
            return Ok(heard != Heard::End);
        }
        match heard {
            Heard::Line(line) => self.understand(&line),
            Heard::TooLong(longest) => {
                self.say(&format!("a line of more than {longest} bytes is neither a move nor a word\n"))?;
                Ok(true)
            }
            Heard::Nothing => Ok(true),
            Heard::End => {
                self.say("\n")?;
                Ok(false)
            }
        }
    }

    /// Does what a line says; `false` if the person leaves.
    fn understand(&mut self, line: &str) -> Result<bool, PlayerError> {
        // A move is a move even if it looks like a word.
        let is_move = self.session.game.end().is_none() && self.record().check(line).is_ok();
        let is_over = self.session.game.end().is_some();
        match Word::read(line).filter(|_| !is_move) {
            None if line.is_empty() => {}
            None | Some(Word::Moves | Word::Hint) if is_over => {
                let on_time = matches!(self.session.game.end(), Some(End::Lost(_, Loss::Time)));
                self.refuse(if on_time { OUT_OF_TIME } else { OVER })?;
            }
            None => match self.session.play(line) {
                Ok(()) => self.show()?,
                Err(error) => self.refuse(format!("{error} (`help` lists the words)"))?,
            },
            Some(Word::Quit) => return Ok(false),
            Some(Word::Help) => self.say(HELP)?,
            Some(Word::Board) => self.show()?,
            Some(Word::Moves) => self.say(&wrapped("legal:", &self.record().now().legal(), WIDTH))?,
            Some(Word::Score) if is_over => self.say_result()?,
            Some(word @ (Word::Hint | Word::Score)) => self.advise(word)?,
            Some(Word::Undo) => match self.session.undo() {
                Ok(()) => self.show()?,
                Err(refusal) => self.refuse(refusal)?,
            },
            Some(Word::Resign) => match self.session.resign() {
                Ok(()) => self.say_result()?,
                Err(refusal) => self.refuse(refusal)?,
            },
            Some(Word::Sides) => match self.session.change_sides() {
                Ok(side) => self.say(&format!("you play {} now\n", self.side(side)))?,
                Err(refusal) => self.refuse(refusal)?,
            },
            Some(Word::Level(text)) => match level::read(text, self.session.spec()) {
                Ok(limits) => {
                    self.session.set_level(limits);
                    self.say(&format!("for a move the computer has at most {} now\n", level::show(&limits)))?;
                }
                Err(why) => self.refuse(why)?,
            },
            Some(Word::New) => self.restart(Record::new(self.record().start().boxed()))?,
            Some(Word::Save(file)) => match self.save(file) {
                Ok(()) => self.say(&format!("written to {}\n", one_line(file)))?,
                Err(why) => self.refuse(why)?,
            },
            Some(Word::Load(file)) => match self.load(file) {
                Ok(record) => self.restart(record)?,
                Err(why) => self.refuse(why)?,
            },
        }
        Ok(true)
    }

    /// Says why something cannot be done.
    fn refuse(&mut self, why: impl fmt::Display) -> Result<(), PlayerError> {
        self.say(&format!("{}\n", one_line(&why.to_string())))
    }

    /// Says what the computer would play, or what it thinks of the position.
    fn advise(&mut self, word: Word<'_>) -> Result<(), PlayerError> {
        self.talk.thinks(true);
        let report = self.session.report();
        self.talk.thinks(false);
        let (report, pos) = (report?, self.record().now());
        let side = pos.side(pos.turn());
        let answer = Answer::of_report(&report, pos);
        let mut text = match &answer {
            Some(answer) if word == Word::Hint => {
                format!("try {} (for {side}: {})\n", self.talk.strong(&answer.mv), answer.value())
            }
            None if word == Word::Hint => "the search names no move\n".to_owned(),
            _ => {
                let open = answer.as_ref().filter(|_| !report.bounds.is_exact());
                let estimate = open.and_then(|answer| answer.estimate);
                let expected =
                    estimate.map_or(String::new(), |estimate| format!("expected for {side}: {estimate}\n"));
                format!("{}\n{expected}", sentence(pos, &report))
            }
        };
        if !report.pv.is_empty() {
            text += &wrapped("line:", &report.pv, WIDTH);
        }
        self.say(&text)
    }

    /// Begins another game, if the computer can play it.
    fn restart(&mut self, record: Record) -> Result<(), PlayerError> {
        match self.session.restart(record) {
            Ok(()) => {
                self.say_remarks()?;
                self.show()
            }
            Err(why) => self.refuse(why),
        }
    }

    fn save(&mut self, file: &str) -> Result<(), String> {
        if file.is_empty() {
            return Err("expected save FILE".to_owned());
        }
        let is_sgf = file.to_lowercase().ends_with(".sgf");
        let text = if is_sgf { self.record().sgf(&[]) } else { Ok(self.record().text()) };
        self.talk.write(file, &text.map_err(|error| error.to_string())?)
    }

    fn load(&mut self, file: &str) -> Result<Record, String> {
        if file.is_empty() {
            return Err("expected load FILE".to_owned());
        }
        let text = self.talk.read(file)?;
        let stop = self.session.game.stop();
        let go_on = || match stop.load(SeqCst) {
            true => {
                Err(SetupError::from(TextError::new("file", file, "stopped while its moves were played")))
            }
            false => Ok(()),
        };
        let setup = Setup::read(&text).map_err(|error| error.to_string())?;
        setup.record(usize::MAX, go_on).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests;
