//! A person who plays by typing.

use crate::player::{Answer, Choice, Player, PlayerError, Turn};
use crate::record::Record;
use crate::text::{one_line, wrapped};
use proofplay_core::Player as Side;
use std::fmt;
use std::io;
use std::sync::atomic::AtomicBool;

/// How a person is talked to.
pub trait Talk {
    /// Shows text as it is.
    fn say(&mut self, text: &str) -> io::Result<()>;
    /// Waits for a line; soon after `stop` is set it waits no longer.
    fn hear(&mut self, stop: &AtomicBool) -> io::Result<Heard>;
}

/// What came of listening.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Heard {
    /// A line without the blanks around it.
    Line(String),
    /// A line of more than so many bytes.
    TooLong(usize),
    /// No more lines come, or the game shall end.
    End,
}

/// A person at one side of the board, or at both.
pub struct Person<'a> {
    talk: Box<dyn Talk + 'a>,
    /// Asked for hints.
    adviser: Box<dyn Player + 'a>,
    /// The sides that people play.
    sides: Vec<Side>,
}

impl fmt::Debug for Person<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Person").field("sides", &self.sides).finish_non_exhaustive()
    }
}

const HELP: &str = "\
Type a move as `moves` lists it, or one of these words:
  moves   the legal moves
  hint    what the computer would play
  undo    take your last move back
  help    this text
  quit    end the game here (also Ctrl-D)
";

impl<'a> Person<'a> {
    /// A person who plays these sides and may ask the adviser for hints.
    pub fn new(talk: impl Talk + 'a, adviser: impl Player + 'a, sides: &[Side]) -> Person<'a> {
        Person { talk: Box::new(talk), adviser: Box::new(adviser), sides: sides.to_vec() }
    }

    /// How many moves to take back so that a person is to move again.
    fn plies_to_take_back(&self, record: &Record) -> usize {
        let own = record.plies.iter().rposition(|ply| self.sides.contains(&ply.to_move));
        record.plies.len() - own.unwrap_or(0)
    }

    /// What a line means; `None` if it is no choice yet.
    fn understand(&mut self, line: &str, turn: &Turn<'_>) -> Result<Option<Choice>, PlayerError> {
        let pos = turn.record.now();
        match line {
            "" => {}
            "quit" | "exit" => return Ok(Some(Choice::Leave)),
            "help" | "?" => self.talk.say(HELP)?,
            "moves" => self.talk.say(&wrapped("legal:", &pos.legal()))?,
            "hint" => {
                if let Choice::Move(answer) = self.adviser.choose(turn)? {
                    self.talk.say(&format!("try {}: {}\n", answer.mv, answer.advice()))?;
                }
            }
            "undo" => match self.plies_to_take_back(turn.record) {
                0 => self.talk.say("nothing to take back\n")?,
                plies => return Ok(Some(Choice::TakeBack(plies))),
            },
            mv => match turn.record.check(mv) {
                Ok(mv) => return Ok(Some(Choice::Move(Answer::new(&mv)))),
                Err(error) => self.talk.say(&format!("{}\n", one_line(&error.to_string())))?,
            },
        }
        Ok(None)
    }
}

impl Player for Person<'_> {
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
        let pos = turn.record.now();
        loop {
            self.talk.say(&format!("{} to move> ", pos.side(pos.turn())))?;
            match self.talk.hear(turn.stop)? {
                Heard::Line(line) => {
                    if let Some(choice) = self.understand(&line, turn)? {
                        return Ok(choice);
                    }
                }
                Heard::TooLong(longest) => {
                    let text = format!("a line of more than {longest} bytes is neither a move nor a word\n");
                    self.talk.say(&text)?;
                }
                Heard::End => {
                    self.talk.say("\n")?;
                    return Ok(Choice::Leave);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{End, Game};
    use proofplay_core::Score;
    use proofplay_registry::game;
    use std::cell::RefCell;
    use std::collections::VecDeque;
    use std::rc::Rc;

    /// Types these lines, and remembers what is said.
    struct Lines {
        typed: VecDeque<&'static str>,
        said: Rc<RefCell<String>>,
    }

    impl Talk for Lines {
        fn say(&mut self, text: &str) -> io::Result<()> {
            self.said.borrow_mut().push_str(text);
            Ok(())
        }
        fn hear(&mut self, _stop: &AtomicBool) -> io::Result<Heard> {
            Ok(self.typed.pop_front().map_or(Heard::End, |line| Heard::Line(line.to_owned())))
        }
    }

    /// Plays the first legal move.
    struct FirstMove;

    impl Player for FirstMove {
        fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
            Ok(Choice::Move(Answer::new(turn.record.now().legal().remove(0))))
        }
    }

    /// Tic-tac-toe by somebody who types these lines; alone, or as the second player. The end, the moves and what was said.
    fn played(sides: &[Side], typed: &'static str) -> (End, String, String) {
        let said = Rc::default();
        let lines = Lines { typed: typed.split(' ').collect(), said: Rc::clone(&said) };
        let mut person = Rc::new(RefCell::new(Person::new(lines, FirstMove, sides)));
        let (mut again, mut other) = (Rc::clone(&person), FirstMove);
        let first: &mut dyn Player = if sides.len() == 2 { &mut again } else { &mut other };
        let mut game = Game::new(Record::new(game("tictactoe").unwrap().start()), [first, &mut person]);
        let end = game.play(&mut |_| Ok::<(), PlayerError>(())).unwrap();
        (end, game.record.moves(), said.take())
    }

    #[test]
    fn words_and_moves() {
        let (end, line, said) =
            played(&Side::BOTH, "undo help b2 moves b1 hint z9 a1 a1 c3 c2 undo a3 c1 a2");
        assert_eq!((end, &*line), (End::Rules(Score(1)), "b2 b1 a1 c3 a3 c1 a2"));
        for part in ["nothing to take back", HELP, "legal: a1", "try a1: a guess", "`z9`", "`a1`"] {
            assert!(said.contains(part), "{part} in {said}");
        }
        assert_eq!(played(&Side::BOTH, "b2 quit a1").0, End::Left);
        assert_eq!(played(&Side::BOTH, "b2").0, End::Left, "no more is typed");
    }

    /// Taking back goes on to the person's own move.
    #[test]
    fn undo() {
        let (end, line, _) = played(&[Side::Second], "b2 undo c3 undo undo b1 quit");
        assert_eq!((end, &*line), (End::Left, "a1 b1 a2"));
    }
}
