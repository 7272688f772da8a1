//! Clocks: the time that players have, for each move or for the whole game.
//!
//! ```text
//! 5s/move      5 seconds for each move; nobody loses by taking longer
//! 10m          10 minutes for the game
//! 10m+5s       … and 5 seconds more after each move
//! 10m+5m/25    … then Canadian byo-yomi: 5 minutes for every 25 moves
//! 10m+5x30s    … then Japanese byo-yomi: 5 periods of 30 seconds; only a move that takes a whole period uses it up
//! ```
//!
//! A number without a unit is seconds. A move may take nine tenths of
//!
//! ```text
//! min(main / 30 + own, main + overtime)    own                             overtime
//!     10m+5s                               the increment                   nothing
//!     10m+5m/25                            left / moves of the period      what is left of the period
//!     10m+5x30s                            one period                      one period
//! ```
//!
//! where `main` is what is left of the main time: a thirtieth of it and what the move has for itself, and never all that is
//! there. The last tenth is for the way to the clock. The 30 moves are untuned.
//!
//! A [`Clock`] never asks for the time. It is given with each call, as the time since some moment that stays the same.

use crate::amounts::{show_time, time};
use proofplay_core::{Player, TextError};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Main time is spent as if so many moves were left.
const MOVES_TO_GO: u32 = 30;

/// How much time players have. It is written as the head of this file shows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TimeControl {
    /// For each move; nobody loses by taking longer.
    PerMove(Duration),
    /// For the game, and more after each move.
    Increment {
        /// For the game.
        main: Duration,
        /// More after each move.
        increment: Duration,
    },
    /// For the game, then for so many moves again and again.
    Canadian {
        /// For the game.
        main: Duration,
        /// For the moves of a period.
        period: Duration,
        /// The moves of a period.
        moves: u32,
    },
    /// For the game, then for each move; so many moves may take longer.
    Japanese {
        /// For the game.
        main: Duration,
        /// A period.
        period: Duration,
        /// How many there are.
        periods: u32,
    },
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TimeControl::PerMove(time) => write!(f, "{}/move", show_time(time)),
            TimeControl::Increment { main, increment: Duration::ZERO } => write!(f, "{}", show_time(main)),
            TimeControl::Increment { main, increment } => {
                write!(f, "{}+{}", show_time(main), show_time(increment))
            }
            TimeControl::Canadian { main, period, moves } => {
                write!(f, "{}+{}/{moves}", show_time(main), show_time(period))
            }
            TimeControl::Japanese { main, period, periods } => {
                write!(f, "{}+{periods}x{}", show_time(main), show_time(period))
            }
        }
    }
}

impl FromStr for TimeControl {
    type Err = TextError;

    fn from_str(text: &str) -> Result<TimeControl, TextError> {
        read(text).ok_or_else(|| {
            TextError::new(
                "clock",
                text,
                "expected TIME/move, TIME, TIME+INCREMENT, TIME+TIME/MOVES or TIME+PERIODSxTIME, e.g. 10m+5s or 10m+5x30s",
            )
        })
    }
}

/// `None` if the text is no clock, or one that falls at once.
fn read(text: &str) -> Option<TimeControl> {
    let some = |text: &str| time(text).ok().filter(|time| !time.is_zero());
    let count = |text: &str| text.parse().ok().filter(|&count: &u32| count > 0);
    if let Some(each) = text.strip_suffix("/move") {
        return some(each).map(TimeControl::PerMove);
    }
    let Some((main, rest)) = text.split_once('+') else {
        return some(text).map(|main| TimeControl::Increment { main, increment: Duration::ZERO });
    };
    if let Some((period, moves)) = rest.split_once('/') {
        let (main, period) = (time(main).ok()?, some(period)?);
        return Some(TimeControl::Canadian { main, period, moves: count(moves)? });
    }
    if let Some((periods, period)) = rest.split_once('x') {
        let (main, period) = (time(main).ok()?, some(period)?);
        return Some(TimeControl::Japanese { main, period, periods: count(periods)? });
    }
    Some(TimeControl::Increment { main: some(main)?, increment: time(rest).ok()? })
}

impl Serialize for TimeControl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl TimeControl {
    /// The time for each move, if that is all there is.
    pub fn per_move(self) -> Option<Duration> {
        if let TimeControl::PerMove(time) = self { Some(time) } else { None }
    }

    /// What a player has at the start of a game.
    fn full(self) -> Hand {
        match self {
            TimeControl::PerMove(_) => Hand::default(),
            TimeControl::Increment { main, .. } => Hand { main, ..Hand::default() },
            TimeControl::Canadian { main, period, moves: count }
            | TimeControl::Japanese { main, period, periods: count } => Hand { main, period, count },
        }
    }

    /// What is left of a player's time after thinking for so long; `None` if nothing is.
    fn think(self, hand: Hand, elapsed: Duration) -> Option<Hand> {
        if let TimeControl::PerMove(_) = self {
            return Some(hand);
        }
        if elapsed < hand.main {
            return Some(Hand { main: hand.main - elapsed, ..hand });
        }
        let (over, main) = (elapsed - hand.main, Duration::ZERO);
        if over < hand.period {
            return Some(Hand { main, period: hand.period - over, ..hand });
        }
        let TimeControl::Japanese { period, .. } = self else { return None };
        let (whole, over) = (period.as_nanos(), (over - hand.period).as_nanos());
        let gone = u32::try_from(over / whole).ok()?.checked_add(1)?;
        let count = hand.count.checked_sub(gone).filter(|&count| count > 0)?;
        // Less than a period, which came from the 64 bits of an amount.
        let period = period - Duration::from_nanos((over % whole) as u64);
        Some(Hand { main, period, count })
    }

    /// What a player has after a move.
    fn moved(self, hand: Hand) -> Hand {
        match self {
            TimeControl::PerMove(_) => hand,
            TimeControl::Increment { increment, .. } => {
                Hand { main: hand.main.saturating_add(increment), ..hand }
            }
            TimeControl::Canadian { .. } if !hand.main.is_zero() => hand,
            TimeControl::Canadian { period, moves, .. } => match hand.count {
                ..=1 => Hand { period, count: moves, ..hand },
                count => Hand { count: count - 1, ..hand },
            },
            TimeControl::Japanese { period, .. } => Hand { period, ..hand },
        }
    }

    /// What the next move may take.
    fn allowance(self, hand: Hand) -> Duration {
        let (own, overtime) = match self {
            TimeControl::PerMove(time) => return time,
            TimeControl::Increment { increment, .. } => (increment, Duration::ZERO),
            TimeControl::Canadian { .. } => (hand.period / hand.count.max(1), hand.period),
            TimeControl::Japanese { .. } => (hand.period, hand.period),
        };
        let share = (hand.main / MOVES_TO_GO).saturating_add(own);
        share.min(hand.main.saturating_add(overtime)) / 10 * 9
    }
}

/// What one player has.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct Hand {
    main: Duration,
    /// What is left of a period of overtime.
    period: Duration,
    /// Moves of that period, or periods.
    count: u32,
}

/// What a player has left.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TimeLeft {
    /// Of the main time, or of the period.
    pub time: Duration,
    /// In overtime: the moves of the period that are left, or the periods.
    pub count: Option<u32>,
}

/// The clock of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    /// `None` once the flag has fallen.
    hands: [Option<Hand>; 2],
    /// Who thinks, and since when.
    running: Option<(Player, Duration)>,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        Clock { control, hands: [Some(control.full()); 2], running: None }
    }

    /// How much time it gives.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// `player` begins to think.
    pub fn start(&mut self, player: Player, now: Duration) {
        self.running = Some((player, now));
    }

    /// Who thinks stops without a move.
    pub fn pause(&mut self, now: Duration) {
        if let Some((player, _)) = self.running {
            self.hands[player.index()] = self.hand(player, now);
            self.running = None;
        }
    }

    /// Who thinks makes a move.
    pub fn press(&mut self, now: Duration) {
        if let Some((player, _)) = self.running {
            self.pause(now);
            let hand = &mut self.hands[player.index()];
            *hand = hand.map(|hand| self.control.moved(hand));
        }
    }

    /// Whether the player has used up all time.
    pub fn has_fallen(&self, player: Player, now: Duration) -> bool {
        self.hand(player, now).is_none()
    }

    /// What the player's next move may take; nothing if the flag has fallen.
    pub fn allowance(&self, player: Player) -> Duration {
        self.hands[player.index()].map_or(Duration::ZERO, |hand| self.control.allowance(hand))
    }

    /// What the player has left; nothing if the flag has fallen. Time per move has no end: it is the time of a move.
    pub fn left(&self, player: Player, now: Duration) -> TimeLeft {
        match (self.control, self.hand(player, now)) {
            (TimeControl::PerMove(time), _) => TimeLeft { time, count: None },
            (_, None) => TimeLeft { time: Duration::ZERO, count: None },
            (TimeControl::Increment { .. }, Some(Hand { main, .. })) => TimeLeft { time: main, count: None },
            (_, Some(Hand { main: Duration::ZERO, period, count })) => {
                TimeLeft { time: period, count: Some(count) }
            }
            (_, Some(Hand { main, .. })) => TimeLeft { time: main, count: None },
        }
    }

    /// Sets what the player has left, as a referee says. Whoever has a count is in overtime.
    pub fn set_left(&mut self, player: Player, left: TimeLeft) {
        let full = self.control.full();
        self.hands[player.index()] = Some(match left.count {
            None => Hand { main: left.time, ..full },
            Some(count) => Hand { main: Duration::ZERO, period: left.time, count },
        });
    }

    /// What the player has now.
    fn hand(&self, player: Player, now: Duration) -> Option<Hand> {
        let hand = self.hands[player.index()]?;
        match self.running {
            Some((running, since)) if running == player => {
                self.control.think(hand, now.saturating_sub(since))
            }
            _ => Some(hand),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Player::{First, Second};

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn clock(text: &str) -> Clock {
        Clock::new(text.parse().unwrap())
    }

    /// Both players make moves that take these seconds; how much First has left after each, and how many.
    fn played(text: &str, moves: &[f64]) -> Vec<(f64, Option<u32>)> {
        let (mut clock, mut now) = (clock(text), seconds(1000.0));
        let mut left = Vec::new();
        for &time in moves {
            for player in [First, Second] {
                clock.start(player, now);
                now += seconds(time);
                clock.press(now);
            }
            assert_eq!(clock.left(First, now), clock.left(Second, now), "each has a time of their own");
            assert_eq!(clock.has_fallen(First, now), clock.left(First, now).time.is_zero());
            let TimeLeft { time, count } = clock.left(First, now);
            left.push((time.as_secs_f64(), count));
        }
        left
    }

    #[test]
    fn texts() {
        for (text, printed) in [
            ("5/move", "5s/move"),
            ("600", "10m"),
            ("60+1", "1m+1s"),
            ("90s+0", "90s"),
            ("1.5s+250ms", "1500ms+250ms"),
            ("10m+5m/25", "10m+5m/25"),
            ("0+30/1", "0s+30s/1"),
            ("1h+5x30", "1h+5x30s"),
            ("0+1x10s", "0s+1x10s"),
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), printed);
            assert_eq!(printed.parse(), Ok(control));
        }
        for bad in [
            "", "0", "0/move", "/move", "+", "0+1", "60+", "+1", "60+x", "60+0x5", "60+5x0", "60+5x",
            "60+5/0", "60+0/5", "60+5/", "60+5/2/3", "60 + 1", "60-1", "60+-1", "1d+5x5x5", "60+1+1",
            "60+1.5x5",
        ] {
            let error = bad.parse::<TimeControl>().expect_err(bad).to_string();
            assert!(error.contains(&format!("`{bad}`")) && error.contains("10m+5s"), "{error}");
        }
    }

    #[test]
    fn main_time_and_increment() {
        assert_eq!(played("60", &[10.0, 49.5]), [(50.0, None), (0.5, None)]);
        assert_eq!(played("60", &[10.0, 50.0]), [(50.0, None), (0.0, None)]);
        // What came too late brings nothing more.
        assert_eq!(played("60+5", &[20.0, 44.0, 7.0]), [(45.0, None), (6.0, None), (0.0, None)]);
    }

    #[test]
    fn canadian_byo_yomi() {
        let left = played("60+30/3", &[60.0, 10.0, 10.0, 29.0, 2.0]);
        // The move that ends the main time counts in the period, whose third move begins another.
        assert_eq!(left, [(30.0, Some(2)), (20.0, Some(1)), (30.0, Some(3)), (1.0, Some(2)), (0.0, None)]);
        assert_eq!(played("60+30/3", &[30.0, 59.0]), [(30.0, None), (1.0, Some(2))]);
        assert_eq!(played("60+30/3", &[90.0]), [(0.0, None)]);
    }

    #[test]
    fn japanese_byo_yomi() {
        let left = played("60+3x10", &[55.0, 14.9, 9.9, 10.0, 15.0]);
        assert_eq!(left, [(5.0, None), (10.0, Some(3)), (10.0, Some(3)), (10.0, Some(2)), (10.0, Some(1))]);
        assert_eq!(played("60+3x10", &[89.0, 10.0]), [(10.0, Some(1)), (0.0, None)]);
        assert_eq!(played("0+3x10", &[30.0]), [(0.0, None)]);
        // While it thinks, a player sees the period run down.
        let mut clock = clock("0+3x10");
        clock.start(First, Duration::ZERO);
        assert_eq!(clock.left(First, seconds(14.0)), TimeLeft { time: seconds(6.0), count: Some(2) });
        assert!(!clock.has_fallen(First, seconds(29.9)) && clock.has_fallen(First, seconds(30.0)));
        assert!(!clock.has_fallen(Second, seconds(1e6)));
    }

    #[test]
    fn time_per_move_never_ends() {
        let mut clock = clock("5/move");
        clock.start(First, Duration::ZERO);
        assert!(!clock.has_fallen(First, seconds(1e6)));
        clock.press(seconds(1e6));
        assert_eq!(clock.allowance(First), seconds(5.0));
        assert_eq!(clock.left(First, seconds(1e6)).time, seconds(5.0));
    }

    #[test]
    fn a_pause_is_no_move() {
        let mut clock = clock("60+5");
        clock.start(First, Duration::ZERO);
        clock.pause(seconds(10.0));
        clock.press(seconds(1000.0));
        assert_eq!(clock.left(First, seconds(2000.0)).time, seconds(50.0));
    }

    #[test]
    fn what_a_move_may_take() {
        let first = |text: &str| clock(text).allowance(First).as_secs_f64();
        assert_eq!([first("300"), first("300+2"), first("1+60")], [9.0, 10.8, 0.9]);
        assert_eq!([first("300+100/10"), first("0+100/10"), first("0+100/1")], [18.0, 9.0, 90.0]);
        assert_eq!([first("300+3x10"), first("0+3x10")], [18.0, 9.0]);
        // Who keeps to it never loses, and in byo-yomi plays on for ever.
        for text in ["60", "10s+1s", "1+10/25", "0+25/25", "60+1x3", "0+2x1"] {
            let (mut clock, mut now) = (clock(text), Duration::ZERO);
            for _ in 0..500 {
                clock.start(First, now);
                now += clock.allowance(First);
                clock.press(now);
                assert!(!clock.has_fallen(First, now), "{text}");
            }
            let TimeLeft { count, .. } = clock.left(First, now);
            assert!(!text.contains('x') || count == Some(clock.control.full().count), "{text}: {count:?}");
        }
    }

    #[test]
    fn a_referee_says_what_is_left() {
        for text in ["60+1", "60+30/3", "60+3x10"] {
            let mut clock = clock(text);
            let left = TimeLeft { time: seconds(7.0), count: None };
            clock.set_left(First, left);
            assert_eq!(clock.left(First, Duration::ZERO), left);
            let left = TimeLeft { time: seconds(7.0), count: Some(2) };
            clock.set_left(Second, left);
            if text != "60+1" {
                assert_eq!(clock.left(Second, Duration::ZERO), left);
            }
        }
    }
}
