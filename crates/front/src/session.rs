//! Games of people with the computer: everything that can be done in them, for any front end. How a
//! person types it is in [`person`](crate::person).

use crate::answer::end_sentence;
use crate::game::{End, Game, Loss};
use crate::player::{Answer, Choice, PlayerError, Searcher};
use crate::record::Record;
use proofplay_core::Player as Side;
use proofplay_registry::SetupError;
use proofplay_search::{Limits, Report, SearchSpec};

/// A game, who plays which side, and the computer.
#[derive(Debug)]
pub struct Session<'a> {
    /// The game.
    pub game: Game<'a>,
    computer: Searcher,
    people: Vec<Side>,
}

/// Why something cannot be done now.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The person has made no move yet.
    #[error("there is no move of yours to take back")]
    NothingToTakeBack,
    /// Time is not given back.
    #[error("a game that is lost on time cannot be continued")]
    NoTime,
    /// The sides cannot be changed.
    #[error("sides are changed where one person plays against the computer")]
    NoOpponent,
    /// The game has ended.
    #[error("the game is over")]
    Over,
}

impl<'a> Session<'a> {
    /// A game in which people play these sides, and the computer the others.
    pub fn new(game: Game<'a>, computer: Searcher, people: &[Side]) -> Session<'a> {
        Session { game, computer, people: people.to_vec() }
    }

    /// The sides that people play.
    pub fn people(&self) -> &[Side] {
        &self.people
    }

    /// How the computer searches.
    pub fn spec(&self) -> &SearchSpec {
        self.computer.spec()
    }

    /// Whether the computer is to move.
    pub fn computer_moves(&self) -> bool {
        self.game.end().is_none() && !self.people.contains(&self.game.record.now().turn())
    }

    /// The computer moves; its answer, unless somebody stopped it.
    pub fn think(&mut self) -> Result<Option<Answer>, PlayerError> {
        Ok(match self.game.ask(&mut self.computer)? {
            Some(Choice::Move(answer)) => Some(answer),
            _ => None,
        })
    }

    /// The person to move makes this move; one that is not legal changes nothing. The record has it as
    /// the game writes it, not as it was typed.
    pub fn play(&mut self, mv: &str) -> Result<(), SetupError> {
        let mv = self.game.record.check(mv)?;
        self.game.choose(&Choice::Move(Answer::new(mv)));
        Ok(())
    }

    /// What the computer finds in the position, for a hint. The clock of the player to move runs.
    pub fn report(&mut self) -> Result<Report<String>, PlayerError> {
        self.computer.report(&self.game.turn())
    }

    /// Takes back the last move of a person and what came after it, or a resignation.
    pub fn undo(&mut self) -> Result<(), Refusal> {
        let plies = &self.game.record.plies;
        let own = plies.iter().rposition(|ply| self.people.contains(&ply.to_move));
        let count = match (self.game.end(), own) {
            (Some(End::Lost(_, Loss::Time)), _) => return Err(Refusal::NoTime),
            (Some(End::Lost(_, Loss::Resigned)), _) => 0,
            (_, None) => return Err(Refusal::NothingToTakeBack),
            (_, Some(own)) => plies.len() - own,
        };
        self.game.take_back(count);
        Ok(())
    }

    /// The player to move gives the game up.
    pub fn resign(&mut self) -> Result<(), Refusal> {
        if self.game.end().is_some() {
            return Err(Refusal::Over);
        }
        self.game.choose(&Choice::Resign);
        Ok(())
    }

    /// The person and the computer change sides; the clocks stay with the sides.
    pub fn change_sides(&mut self) -> Result<Side, Refusal> {
        let [person] = self.people[..] else { return Err(Refusal::NoOpponent) };
        self.game.pause();
        self.people = vec![person.other()];
        Ok(person.other())
    }

    /// The computer has these limits for each move from now on.
    pub fn set_level(&mut self, limits: Limits) {
        self.computer.set_limits(limits);
    }

    /// Another game, which the computer must be able to search; otherwise nothing changes.
    pub fn restart(&mut self, record: Record) -> Result<(), PlayerError> {
        self.computer.check(&record)?;
        self.game.restart(record);
        Ok(())
    }

    /// How the game has ended, for a person; `None` while it continues.
    pub fn result(&self) -> Option<String> {
        let pos = self.game.record.now();
        Some(match self.game.end()? {
            End::Rules(score) | End::Proven(score) => {
                end_sentence(&pos.game(), score, |winner| self.has_won(winner))
            }
            End::Lost(loser, loss) => {
                let winner = self.has_won(loser.other());
                format!("the game is over: {winner}: {}", loss.of(pos.side(loser)))
            }
            End::TooLong | End::Stopped => "the game is over without a result".to_owned(),
        })
    }

    /// Who has won, in the view of the person if there is one.
    fn has_won(&self, winner: Side) -> String {
        let pos = self.game.record.now();
        match self.people[..] {
            [person] if person == winner => format!("you have won as {}", pos.side(person)),
            [person] => format!("you have lost as {}", pos.side(person)),
            _ => format!("{} has won", pos.side(winner)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_registry::game;
    use proofplay_search::Resources;
    use std::cell::Cell;
    use std::time::Duration;

    fn session<'a>(moves: &str, people: &[Side], now: &'a Cell<u64>) -> Session<'a> {
        let mut record = Record::new(game("tictactoe").unwrap().start());
        moves.split_whitespace().for_each(|mv| record.play(mv).unwrap());
        // Each look at the clock takes some seconds.
        let game = Game::new(record).timed_by(|| Duration::from_secs(now.replace(now.get() + 10)));
        let resources = Resources { memory: 1 << 20, ..Resources::default() };
        let computer = Searcher::new("alphabeta".parse().unwrap(), resources);
        Session::new(game.with_clock(Some("1h".parse().unwrap())), computer, people)
    }

    #[test]
    fn results_are_told_to_the_person() {
        let (now, moves) = (Cell::new(0), "a1 b1 a2 b2");
        let told = |people: &[Side]| {
            let mut session = session(moves, people, &now);
            assert_eq!(session.result(), None);
            session.play("a3").unwrap();
            session.result().unwrap()
        };
        assert_eq!(told(&[Side::First]), "the game is over: you have won as X");
        assert_eq!(told(&[Side::Second]), "the game is over: you have lost as O");
        assert_eq!(told(&Side::BOTH), "the game is over: X has won");
        let mut drawn = session("b2 a1 c2 a2 a3 c1 b1 b3", &[Side::First], &now);
        drawn.play("c3").unwrap();
        assert_eq!(drawn.result().unwrap(), "the game is over: a draw");
    }

    #[test]
    fn the_computer_can_lose_on_time() {
        let now = Cell::new(0);
        let mut session = session("a1 b1 a2", &[Side::First], &now);
        assert!(session.computer_moves());
        session.game.begin();
        now.set(3600);
        assert!(session.think().unwrap().is_some());
        assert_eq!(session.game.record.moves(), "a1 b1 a2", "the move comes too late");
        assert_eq!(session.result().unwrap(), "the game is over: you have won as X: O has no time left");
        assert_eq!((session.undo(), session.resign()), (Err(Refusal::NoTime), Err(Refusal::Over)));
        assert!(!session.computer_moves());
    }

    #[test]
    fn levels_limit_the_computer() {
        let now = Cell::new(0);
        let mut session = session("", &[Side::Second], &now);
        session.computer = Searcher::new("mcts".parse().unwrap(), Resources::default());
        for count in [7, 30] {
            session.set_level(Limits { simulations: Some(count), ..Limits::default() });
            assert_eq!(session.think().unwrap().unwrap().simulations, count);
            session.restart(Record::new(session.game.record.start().boxed())).unwrap();
        }
    }

    #[test]
    fn illegal_moves_change_nothing() {
        let now = Cell::new(0);
        let mut session = session("a1", &Side::BOTH, &now);
        assert!(session.play("a1").is_err() && session.game.end().is_none());
        session.play("b2").unwrap();
        assert_eq!(session.game.record.moves(), "a1 b2");
    }
}
