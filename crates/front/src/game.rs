//! A game between two players: the one loop under `play` and `match`.

use crate::clock::{Clock, TimeControl};
use crate::player::{Answer, Choice, Player, PlayerError, Turn};
use crate::record::Record;
use proofplay_core::{Player as Side, Score};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// How a game has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum End {
    /// By the rules, with this score.
    Rules(Score),
    /// It has as many moves as a game may have.
    TooLong,
    /// A player has lost by something else than the rules of the game.
    Lost(Side, Loss),
    /// A player has left it.
    Left,
    /// Somebody has stopped it.
    Stopped,
}

/// What loses a game beside its rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Loss {
    /// No time is left.
    Time,
    /// The player has given it up.
    Resigned,
    /// A move that is not legal, and why.
    Illegal(String),
    /// The player could not go on, and why.
    Failed(String),
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Time => f.write_str("no time is left"),
            Loss::Resigned => f.write_str("resigned"),
            Loss::Illegal(why) | Loss::Failed(why) => f.write_str(why),
        }
    }
}

/// What a player has used in a game.
#[derive(Copy, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// Moves it has thought about.
    pub moves: u32,
    /// Simulations.
    pub playouts: u64,
    /// Nodes.
    pub nodes: u64,
    /// Seconds.
    pub seconds: f64,
}

/// What is told about a game while it is played.
#[derive(Copy, Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Here the game stands, at its start, after a move or after moves were taken back.
    Position(&'a Record),
    /// A player moves in the position at the end of the record. The move may turn out to be illegal.
    Move(&'a Record, &'a Answer),
}

/// A game between two players.
pub struct Game<'a> {
    /// The game so far.
    pub record: Record,
    /// What each player has used.
    pub efforts: [Effort; 2],
    players: [&'a mut dyn Player; 2],
    clock: Option<Clock>,
    most_plies: usize,
    stop: Arc<AtomicBool>,
    now: Box<dyn Fn() -> Duration + 'a>,
}

impl fmt::Debug for Game<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game")
            .field("record", &self.record)
            .field("efforts", &self.efforts)
            .field("clock", &self.clock)
            .field("most_plies", &self.most_plies)
            .finish_non_exhaustive()
    }
}

impl<'a> Game<'a> {
    /// A game that goes on from a record between these two, the first player first, without a clock.
    pub fn new(record: Record, players: [&'a mut dyn Player; 2]) -> Game<'a> {
        let began = Instant::now();
        Game {
            record,
            efforts: [Effort::default(); 2],
            players,
            clock: None,
            most_plies: usize::MAX,
            stop: Arc::default(),
            now: Box::new(move || began.elapsed()),
        }
    }

    /// The same game by a clock.
    pub fn with_clock(self, control: Option<TimeControl>) -> Game<'a> {
        Game { clock: control.map(Clock::new), ..self }
    }

    /// The same game, over after so many moves.
    pub fn at_most(self, plies: usize) -> Game<'a> {
        Game { most_plies: plies, ..self }
    }

    /// The same game, ended by this flag.
    pub fn stopped_by(self, stop: &Arc<AtomicBool>) -> Game<'a> {
        Game { stop: Arc::clone(stop), ..self }
    }

    /// The same game with another source of time than the machine's: the time since some moment.
    pub fn timed_by(self, now: impl Fn() -> Duration + 'a) -> Game<'a> {
        Game { now: Box::new(now), ..self }
    }

    /// Plays until the game is over. `watch` is called with each position and each move; its error ends the game.
    pub fn play<E: From<PlayerError>>(
        &mut self,
        watch: &mut dyn FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<End, E> {
        loop {
            watch(Event::Position(&self.record))?;
            if let Some(score) = self.record.now().outcome() {
                return Ok(End::Rules(score));
            }
            if self.record.plies.len() >= self.most_plies {
                return Ok(End::TooLong);
            }
            if let Some(end) = self.turn(watch)? {
                return Ok(end);
            }
        }
    }

    /// One player's turn; the end, if that ends the game.
    fn turn<E: From<PlayerError>>(
        &mut self,
        watch: &mut dyn FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<Option<End>, E> {
        let mover = self.record.now().turn();
        let started = (self.now)();
        if let Some(clock) = &mut self.clock {
            clock.start(mover, started);
        }
        let turn = Turn { clock: self.clock.as_ref(), ..Turn::new(&self.record, &self.stop) };
        let choice = self.players[mover.index()].choose(&turn)?;
        let ended = (self.now)();
        if self.stop.load(SeqCst) {
            return Ok(Some(End::Stopped));
        }
        let late = self.clock.as_ref().is_some_and(|clock| clock.has_fallen(mover, ended));
        let effort = &mut self.efforts[mover.index()];
        effort.seconds += (ended - started).as_secs_f64();
        if let Some(clock) = &mut self.clock {
            match choice {
                Choice::Move(_) => clock.press(ended),
                _ => clock.pause(ended),
            }
        }
        let lost = |loss| Ok(Some(End::Lost(mover, loss)));
        match choice {
            Choice::Leave => Ok(Some(End::Left)),
            Choice::Fail(why) => lost(Loss::Failed(why)),
            Choice::Resign => lost(Loss::Resigned),
            _ if late => lost(Loss::Time),
            Choice::TakeBack(plies) => {
                (0..plies).for_each(|_| _ = self.record.undo());
                Ok(None)
            }
            Choice::Move(answer) => {
                effort.moves += 1;
                effort.playouts += answer.simulations;
                effort.nodes += answer.nodes;
                watch(Event::Move(&self.record, &answer))?;
                match self.record.play(&answer.mv) {
                    Ok(()) => Ok(None),
                    Err(error) => lost(Loss::Illegal(error.to_string())),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_registry::game;
    use std::cell::Cell;

    /// Plays from a list, each move after so many seconds.
    struct Script<'a> {
        choices: Vec<(u64, Choice)>,
        now: &'a Cell<Duration>,
    }

    impl Player for Script<'_> {
        fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
            let (seconds, choice) = self.choices.remove(0);
            let mover = turn.record.now().turn();
            assert!(turn.clock.is_none_or(|clock| !clock.has_fallen(mover, self.now.get())));
            self.now.set(self.now.get() + Duration::from_secs(seconds));
            Ok(choice)
        }
    }

    fn moves(line: &str) -> Vec<(u64, Choice)> {
        line.split(' ').map(|mv| (1, Choice::Move(Answer::new(mv)))).collect()
    }

    /// A game of tic-tac-toe between two scripts: its end, its moves, and the seconds that both have used.
    fn played(
        clock: Option<&str>,
        first: Vec<(u64, Choice)>,
        second: Vec<(u64, Choice)>,
    ) -> (End, String, [f64; 2]) {
        let now = Cell::new(Duration::from_secs(77));
        let (mut first, mut second) =
            (Script { choices: first, now: &now }, Script { choices: second, now: &now });
        let record = Record::new(game("tictactoe").unwrap().start());
        let game = Game::new(record, [&mut first, &mut second]).timed_by(|| now.get());
        let mut game = game.with_clock(clock.map(|text| text.parse().unwrap())).at_most(8);
        let end = game.play(&mut |_| Ok::<(), PlayerError>(())).unwrap();
        (end, game.record.moves(), game.efforts.map(|effort| effort.seconds))
    }

    #[test]
    fn games_end_by_the_rules_or_their_length() {
        let (end, line, seconds) = played(None, moves("a1 a2 a3"), moves("b1 b2"));
        assert_eq!((end, &*line, seconds), (End::Rules(Score(1)), "a1 b1 a2 b2 a3", [3.0, 2.0]));
        let (end, line, _) = played(None, moves("b2 a1 c2 b3"), moves("c3 c1 a2 b1"));
        assert_eq!((end, line.len()), (End::TooLong, 8 * 3 - 1));
    }

    /// What a foreign program may do wrong loses it the game, and nothing else.
    #[test]
    fn faults_lose() {
        let (end, line, _) = played(None, moves("a1 a1"), moves("b1"));
        assert_eq!(line, "a1 b1");
        let End::Lost(Side::First, Loss::Illegal(why)) = end else { panic!("{end:?}") };
        assert!(why.contains("`a1`"), "{why}");
        let fail = vec![(1, Choice::Fail("it has crashed".to_owned()))];
        let (end, ..) = played(None, moves("a1"), fail);
        assert_eq!(end, End::Lost(Side::Second, Loss::Failed("it has crashed".to_owned())));
        assert_eq!(played(None, vec![(1, Choice::Resign)], vec![]).0, End::Lost(Side::First, Loss::Resigned));
        assert_eq!(played(None, vec![(1, Choice::Leave)], vec![]).0, End::Left);
    }

    #[test]
    fn late_moves_lose_and_do_not_count() {
        let slow = || moves("a1").into_iter().chain([(60, Choice::Move(Answer::new("a2")))]).collect();
        let (end, line, seconds) = played(Some("60"), slow(), moves("b1"));
        assert_eq!((end, &*line, seconds), (End::Lost(Side::First, Loss::Time), "a1 b1", [61.0, 1.0]));
        let rest = || [slow(), moves("a3")].concat();
        assert_eq!(played(Some("60+1"), rest(), moves("b1 b2")).0, End::Lost(Side::First, Loss::Time));
        assert_eq!(played(Some("60+2"), rest(), moves("b1 b2")).0, End::Rules(Score(1)));
        assert_eq!(played(Some("1s/move"), rest(), moves("b1 b2")).0, End::Rules(Score(1)));
    }

    #[test]
    fn moves_are_taken_back_and_time_is_not() {
        let back = vec![(50, Choice::TakeBack(2))];
        let first = [moves("a1"), back.clone(), moves("c1 c2 c3")].concat();
        let (end, line, _) = played(Some("60"), first.clone(), moves("b1 b1 b2"));
        assert_eq!((end, &*line), (End::Rules(Score(1)), "c1 b1 c2 b2 c3"));
        assert_eq!(played(Some("53"), first, moves("b1 b1 b2")).0, End::Lost(Side::First, Loss::Time));
        // More than there are.
        let (end, line, _) =
            played(None, [vec![(0, Choice::TakeBack(9))], moves("a1 a2 a3")].concat(), moves("b1 b2"));
        assert_eq!((end, &*line), (End::Rules(Score(1)), "a1 b1 a2 b2 a3"));
    }

    /// Somebody who watches may end the game, and the flag does.
    #[test]
    fn games_are_watched_and_stopped() {
        let now = Cell::new(Duration::ZERO);
        let script = |line: &str| Script { choices: moves(line), now: &now };
        let (mut first, mut second) = (script("a1 a2 a3"), script("b1 b2"));
        let stop = Arc::new(AtomicBool::new(false));
        let record = Record::new(game("tictactoe").unwrap().start());
        let mut game = Game::new(record, [&mut first, &mut second]).stopped_by(&stop);
        let mut seen = Vec::new();
        let end = game.play(&mut |event| {
            match event {
                Event::Position(record) => seen.push(record.moves()),
                Event::Move(_, answer) => seen.push(format!("now {}", answer.mv)),
            }
            stop.store(seen.len() == 5, SeqCst);
            Ok::<(), PlayerError>(())
        });
        assert_eq!(end.unwrap(), End::Stopped);
        assert_eq!(seen, ["", "now a1", "a1", "now b1", "a1 b1"]);
        stop.store(false, SeqCst);
        let refuse = game.play(&mut |_| Err(PlayerError::Talk(std::io::ErrorKind::BrokenPipe.into())));
        assert!(matches!(refuse, Err(PlayerError::Talk(_))));
    }
}
