//! A game between two players, with its clock: what is under `play` and `match`.

use crate::clock::{Clock, TimeControl};
use crate::player::{Choice, Player, PlayerError, Turn};
use crate::record::Record;
use proofplay_core::{Player as Side, Score};
use proofplay_search::Verdict;
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
    /// With this score, which the player to move has proven.
    Proven(Score),
    /// It has as many moves as it may have.
    TooLong,
    /// A player has lost by something other than the rules of the game.
    Lost(Side, Loss),
    /// Somebody has stopped it.
    Stopped,
}

/// What loses a game besides its rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Loss {
    /// No time is left.
    Time,
    /// The player has resigned.
    Resigned,
    /// A move that is not legal, and why.
    Illegal(String),
    /// A program that has ended in the middle of the game, and how.
    Crashed(String),
    /// A program that does not answer, and for how long.
    Silent(String),
    /// A player who could not continue for another reason, such as a program that refuses a command.
    Failed(String),
}

impl Loss {
    /// A word for it: `time`, `resigned`, `illegal`, `crashed`, `silent`, `failed`.
    pub fn word(&self) -> &'static str {
        match self {
            Loss::Time => "time",
            Loss::Resigned => "resigned",
            Loss::Illegal(_) => "illegal",
            Loss::Crashed(_) => "crashed",
            Loss::Silent(_) => "silent",
            Loss::Failed(_) => "failed",
        }
    }

    /// What has happened to a player of this name: `X has resigned`.
    pub fn of(&self, player: &str) -> String {
        match self {
            Loss::Time => format!("{player} has no time left"),
            Loss::Resigned => format!("{player} has resigned"),
            Loss::Illegal(why) | Loss::Crashed(why) | Loss::Silent(why) | Loss::Failed(why) => {
                format!("{player}: {why}")
            }
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Time => f.write_str("no time is left"),
            Loss::Resigned => f.write_str("resigned"),
            Loss::Illegal(why) | Loss::Crashed(why) | Loss::Silent(why) | Loss::Failed(why) => {
                f.write_str(why)
            }
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
    /// After how many moves of the game it first had proof of who wins, if it ever had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven_after: Option<u32>,
}

/// A game between two players.
pub struct Game<'a> {
    /// The game so far.
    pub record: Record,
    /// What each player has used.
    pub efforts: [Effort; 2],
    /// Who has lost it by something other than the rules.
    lost: Option<(Side, Loss)>,
    /// The clock of each player; each runs for its own player alone.
    clocks: [Option<Clock>; 2],
    /// Since when the player to move has been thinking.
    thinking: Option<Duration>,
    most_plies: usize,
    /// A proof ends it.
    ends_by_proof: bool,
    proven: Option<Score>,
    stop: Arc<AtomicBool>,
    now: Box<dyn Fn() -> Duration + 'a>,
}

impl fmt::Debug for Game<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game")
            .field("record", &self.record)
            .field("efforts", &self.efforts)
            .field("lost", &self.lost)
            .field("clocks", &self.clocks)
            .field("most_plies", &self.most_plies)
            .finish_non_exhaustive()
    }
}

impl<'a> Game<'a> {
    /// A game that continues from a record, without a clock.
    pub fn new(record: Record) -> Game<'a> {
        let began = Instant::now();
        Game {
            record,
            efforts: [Effort::default(); 2],
            lost: None,
            clocks: [None, None],
            thinking: None,
            most_plies: usize::MAX,
            ends_by_proof: false,
            proven: None,
            stop: Arc::default(),
            now: Box::new(move || began.elapsed()),
        }
    }

    /// The same game with a clock.
    pub fn with_clock(self, control: Option<TimeControl>) -> Game<'a> {
        self.with_clocks([control; 2].map(|control| control.map(Clock::new)))
    }

    /// The same game with a clock for each player.
    pub fn with_clocks(self, clocks: [Option<Clock>; 2]) -> Game<'a> {
        Game { clocks, ..self }
    }

    /// The same game, over after this many moves.
    pub fn at_most(self, plies: usize) -> Game<'a> {
        Game { most_plies: plies, ..self }
    }

    /// The same game, over as soon as a player has proven the score of the position in which they are to
    /// move; their move is not made.
    pub fn ended_by_proof(self, ends_by_proof: bool) -> Game<'a> {
        Game { ends_by_proof, ..self }
    }

    /// The same game, ended by this flag.
    pub fn stopped_by(self, stop: &Arc<AtomicBool>) -> Game<'a> {
        Game { stop: Arc::clone(stop), ..self }
    }

    /// The same game with another source of time than the machine's: the time since some moment.
    pub fn timed_by(self, now: impl Fn() -> Duration + 'a) -> Game<'a> {
        Game { now: Box::new(now), ..self }
    }

    /// Another game by the same clock, from its beginning.
    pub fn restart(&mut self, record: Record) {
        self.clocks.iter_mut().flatten().for_each(Clock::reset);
        (self.record, self.efforts) = (record, [Effort::default(); 2]);
        (self.lost, self.thinking, self.proven) = (None, None, None);
    }

    /// How it has ended; `None` while it continues.
    pub fn end(&self) -> Option<End> {
        if let Some((loser, loss)) = &self.lost {
            return Some(End::Lost(*loser, loss.clone()));
        }
        if let Some(score) = self.proven {
            return Some(End::Proven(score));
        }
        let is_too_long = self.record.plies.len() >= self.most_plies;
        self.record.now().outcome().map(End::Rules).or(is_too_long.then_some(End::TooLong))
    }

    /// The flag that ends it.
    pub fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Whether somebody wants to stop it.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(SeqCst)
    }

    /// Plays until the game is over; the first player is asked first.
    pub fn play(&mut self, players: [&mut dyn Player; 2]) -> Result<End, PlayerError> {
        loop {
            if let Some(end) = self.end() {
                return Ok(end);
            }
            let mover = self.record.now().turn();
            if self.ask(players[mover.index()])?.is_none() {
                return Ok(End::Stopped);
            }
        }
    }

    /// Asks the player to move, and does what they choose; `None` if somebody stopped it meanwhile.
    pub fn ask(&mut self, player: &mut dyn Player) -> Result<Option<Choice>, PlayerError> {
        self.begin();
        let choice = player.choose(&self.turn())?;
        if self.is_stopped() {
            self.pause();
            return Ok(None);
        }
        self.choose(&choice);
        Ok(Some(choice))
    }

    /// What the player to move sees.
    pub fn turn(&self) -> Turn<'_> {
        let clock = self.clocks[self.record.now().turn().index()].as_ref();
        Turn { clock, ..Turn::new(&self.record, &self.stop) }
    }

    /// The player to move begins to think, unless they think already.
    pub fn begin(&mut self) {
        if self.thinking.is_none() {
            let (mover, now) = (self.record.now().turn(), (self.now)());
            self.thinking = Some(now);
            if let Some(clock) = &mut self.clocks[mover.index()] {
                clock.start(mover, now);
            }
        }
    }

    /// The player to move stops thinking without a choice: the time is used.
    pub fn pause(&mut self) {
        self.rest((self.now)(), false);
    }

    /// The player to move does this.
    pub fn choose(&mut self, choice: &Choice) {
        let (mover, now) = (self.record.now().turn(), (self.now)());
        let is_late = self.turn().clock.is_some_and(|clock| clock.has_fallen(mover, now));
        self.rest(now, matches!(choice, Choice::Move(_)));
        let loss = match choice {
            Choice::Fail(loss) => Some(loss.clone()),
            Choice::Resign => Some(Loss::Resigned),
            _ if is_late => Some(Loss::Time),
            Choice::Move(answer) => {
                let effort = &mut self.efforts[mover.index()];
                effort.moves += 1;
                effort.playouts += answer.simulations;
                effort.nodes += answer.nodes;
                if answer.verdict != Verdict::Unknown {
                    effort.proven_after.get_or_insert(self.record.plies.len() as u32);
                }
                self.proven = answer.score.filter(|_| self.ends_by_proof);
                if self.proven.is_some() {
                    return;
                }
                self.record.play(&answer.mv).err().map(|error| Loss::Illegal(error.to_string()))
            }
        };
        self.lost = loss.map(|loss| (mover, loss));
    }

    /// Whether the player to move has no time left: then they have lost.
    pub fn check_flag(&mut self) -> bool {
        let has_fallen = self.falls_in() == Some(Duration::ZERO);
        if has_fallen && self.end().is_none() {
            self.pause();
            self.lost = Some((self.record.now().turn(), Loss::Time));
        }
        has_fallen
    }

    /// After how much more time the player to move loses; `None` if that never happens.
    pub fn falls_in(&self) -> Option<Duration> {
        self.turn().clock?.falls_in(self.record.now().turn(), (self.now)())
    }

    /// What both players have left, for a person; `None` without a clock that somebody can lose by.
    pub fn clocks(&self) -> Option<[String; 2]> {
        let [first, second] = self.clocks.each_ref().map(Option::as_ref);
        let is_clock = |clock: &&Clock| clock.control().per_move().is_none();
        let (first, second) = first.filter(is_clock).zip(second.filter(is_clock))?;
        let now = (self.now)();
        Some([first.show(Side::First, now), second.show(Side::Second, now)])
    }

    /// Takes back so many moves, and what has lost the game besides the rules. Time is not given back.
    pub fn take_back(&mut self, plies: usize) {
        self.pause();
        (self.lost, self.proven) = (None, None);
        (0..plies).for_each(|_| _ = self.record.undo());
    }

    /// The player to move thinks no longer, and has moved or not.
    fn rest(&mut self, now: Duration, has_moved: bool) {
        let Some(since) = self.thinking.take() else { return };
        let mover = self.record.now().turn().index();
        self.efforts[mover].seconds += (now - since).as_secs_f64();
        match &mut self.clocks[mover] {
            Some(clock) if has_moved => clock.press(now),
            Some(clock) => clock.pause(now),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Answer;
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
            if choice == Choice::Fail(Loss::Failed("stop".to_owned())) {
                turn.stop.store(true, SeqCst);
            }
            Ok(choice)
        }
    }

    fn moves(line: &str) -> Vec<(u64, Choice)> {
        line.split(' ').map(|mv| (1, Choice::Move(Answer::new(mv)))).collect()
    }

    fn tictactoe<'a>() -> Game<'a> {
        Game::new(Record::new(game("tictactoe").unwrap().start()))
    }

    /// A game of tic-tac-toe between two scripts: its end, its moves, and the seconds that both have
    /// used.
    fn played(
        clock: Option<&str>,
        first: Vec<(u64, Choice)>,
        second: Vec<(u64, Choice)>,
    ) -> (End, String, [f64; 2]) {
        let now = Cell::new(Duration::from_secs(77));
        let (mut first, mut second) =
            (Script { choices: first, now: &now }, Script { choices: second, now: &now });
        let game = tictactoe().timed_by(|| now.get());
        let mut game = game.with_clock(clock.map(|text| text.parse().unwrap())).at_most(8);
        let end = game.play([&mut first, &mut second]).unwrap();
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
        for loss in
            [Loss::Crashed("x".to_owned()), Loss::Silent("x".to_owned()), Loss::Failed("x".to_owned())]
        {
            let (end, ..) = played(None, moves("a1"), vec![(1, Choice::Fail(loss.clone()))]);
            assert_eq!(end, End::Lost(Side::Second, loss));
        }
        let (end, ..) = played(None, vec![(1, Choice::Resign)], vec![]);
        assert_eq!(end, End::Lost(Side::First, Loss::Resigned));
        let (end, line, _) =
            played(None, moves("a1"), vec![(1, Choice::Fail(Loss::Failed("stop".to_owned())))]);
        assert_eq!((end, &*line), (End::Stopped, "a1"), "what is chosen after a stop does not count");
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

    /// The move of who has proven the score is not made.
    #[test]
    fn proofs_end_games() {
        let now = Cell::new(Duration::ZERO);
        let proven = Answer { score: Some(Score(-1)), ..Answer::new("b1") };
        let scripts = || {
            let second = vec![(1, Choice::Move(proven.clone())), (1, Choice::Resign)];
            [moves("a1 a2"), second].map(|choices| Script { choices, now: &now })
        };
        for (ends, end, line) in [
            (true, End::Proven(Score(-1)), "a1"),
            (false, End::Lost(Side::Second, Loss::Resigned), "a1 b1 a2"),
        ] {
            let [mut first, mut second] = scripts();
            let mut game = tictactoe().timed_by(|| now.get()).ended_by_proof(ends);
            assert_eq!(game.play([&mut first, &mut second]).unwrap(), end);
            assert_eq!(game.record.moves(), line);
            game.take_back(0);
            assert_eq!(game.end(), None);
        }
    }

    /// The first proof of who wins counts, whoever that is.
    #[test]
    fn first_proofs_are_noted() {
        let now = Cell::new(Duration::ZERO);
        let sure = |mv: &str, verdict| (1, Choice::Move(Answer { verdict, ..Answer::new(mv) }));
        let first = [moves("a1"), vec![sure("a2", Verdict::Win), sure("a3", Verdict::Win)]].concat();
        let [mut first, mut second] = [first, moves("b1 b2")].map(|choices| Script { choices, now: &now });
        let mut game = tictactoe().timed_by(|| now.get());
        assert_eq!(game.play([&mut first, &mut second]).unwrap(), End::Rules(Score(1)));
        assert_eq!(game.efforts.map(|effort| effort.proven_after), [Some(2), None]);
        let [proven, other] = game.efforts.map(|effort| serde_json::to_string(&effort).unwrap());
        assert!(proven.ends_with(r#","proven_after":2}"#) && !other.contains("proven"), "{proven} {other}");
    }

    /// Each player has a clock of its own, and a margin where somebody has given one.
    #[test]
    fn clocks_may_differ() {
        let strict =
            |text: &str, margin| Some(Clock::new(text.parse().unwrap()).strict(Duration::from_secs(margin)));
        let lenient = |text: &str| Some(Clock::new(text.parse().unwrap()));
        let ends = |clocks: [Option<Clock>; 2]| {
            let now = Cell::new(Duration::ZERO);
            let slow = moves("b1 b2").into_iter().map(|(_, choice)| (7, choice)).collect();
            let (mut first, mut second) =
                (Script { choices: moves("a1 a2 a3"), now: &now }, Script { choices: slow, now: &now });
            let mut game = tictactoe().timed_by(|| now.get()).with_clocks(clocks);
            game.play([&mut first, &mut second]).unwrap()
        };
        let (won, late) = (End::Rules(Score(1)), End::Lost(Side::Second, Loss::Time));
        assert_eq!(ends([lenient("4"), None]), won);
        assert_eq!(ends([None, lenient("14")]), late);
        assert_eq!(ends([None, strict("14", 1)]), won);
        assert_eq!(ends([lenient("2"), lenient("60")]), End::Lost(Side::First, Loss::Time));
        assert_eq!(ends([None, lenient("5/move")]), won);
        // There is one margin for the two moves, which take 2 seconds more each.
        assert_eq!(ends([None, strict("5/move", 4)]), late);
        assert_eq!(ends([None, strict("5/move", 5)]), won);
    }

    #[test]
    fn moves_are_taken_back_and_time_is_not() {
        let now = Cell::new(Duration::ZERO);
        let mut game = tictactoe().timed_by(|| now.get()).with_clock(Some("60".parse().unwrap()));
        let pass = |seconds| now.set(now.get() + Duration::from_secs(seconds));
        let to = |mv: &str| Choice::Move(Answer::new(mv));
        for (seconds, mv) in [(1, "a1"), (2, "b1")] {
            game.begin();
            pass(seconds);
            game.choose(&to(mv));
        }
        game.begin();
        pass(50);
        // A second call changes nothing.
        game.begin();
        assert_eq!(game.falls_in(), Some(Duration::from_secs(9)));
        game.take_back(2);
        assert_eq!((&*game.record.moves(), game.clocks()), ("", Some(["0:09.0".into(), "0:58".into()])));
        // Nobody thinks now.
        pass(100);
        assert!(!game.check_flag() && game.end().is_none());
        game.begin();
        game.choose(&Choice::Resign);
        assert_eq!(game.end(), Some(End::Lost(Side::First, Loss::Resigned)));
        // More than there are.
        game.take_back(9);
        assert_eq!(game.end(), None);
        game.begin();
        pass(9);
        assert!(game.check_flag());
        assert_eq!(game.end(), Some(End::Lost(Side::First, Loss::Time)));
        game.restart(Record::new(game.record.start().boxed()));
        assert_eq!((game.end(), game.clocks()), (None, Some(["1:00".into(), "1:00".into()])));
        assert_eq!(game.efforts[0].seconds, 0.0);
        let game = tictactoe().with_clock(Some("5/move".parse().unwrap()));
        assert_eq!((game.clocks(), game.falls_in()), (None, None));
    }
}
