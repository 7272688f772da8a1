//! Clocks: the time that players have, for each move or for the whole game.
//!
//! [`TimeControl`] is how much time there is, with its notation; a [`Clock`] runs in a game. Of its
//! time a player may spend on the next move nine tenths of
//!
//! ```text
//! min(main / 30 + own, main + overtime)    own                           overtime
//!     10m+5s                               the increment                 nothing
//!     10m+5m/25                            left / moves of the period    what is left of the period
//!     10m+5x30s                            one period                    one period
//! ```
//!
//! where `main` is what is left of the main time: a thirtieth of it and what the move has for
//! itself, and never all that is there. The last tenth is for the way to the clock. The 30 moves are
//! untuned.
//!
//! Who cannot be trusted to look at the clock has a margin for the game: they lose when their moves have
//! taken more than that beside their time, by a time for each move, too ([`Clock::strict`]).
//!
//! A [`Clock`] never asks for the time. It is given with each call, as the time since some moment
//! that stays the same.

mod control;

pub use control::TimeControl;

use crate::amounts::show_time;
use crate::text::counted;
use proofplay_core::Player;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Main time is spent as if this many moves were left.
const MOVES_TO_GO: u32 = 30;

impl TimeControl {
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

    /// For how long a player may think: about this move, or for all that is left.
    fn endures(self, Hand { main, period, count }: Hand) -> Duration {
        match self {
            TimeControl::PerMove(time) => time,
            TimeControl::Japanese { period: whole, .. } => {
                let later = whole.saturating_mul(count.saturating_sub(1));
                main.saturating_add(period).saturating_add(later)
            }
            _ => main.saturating_add(period),
        }
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
    /// By how much more than their time players lose; if there is none, by a time for each move
    /// nobody loses.
    margin: Option<Duration>,
    /// What is left of it for each player.
    spare: [Duration; 2],
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        let (hands, spare) = ([Some(control.full()); 2], [Duration::ZERO; 2]);
        Clock { control, hands, running: None, margin: None, spare }
    }

    /// The same clock; who has no time left loses only after this margin, and so does who takes longer
    /// than a time for each move. There is one margin for all moves of a player: what a move has taken of
    /// it is gone, but is not taken from the time of the next one.
    pub fn strict(self, margin: Duration) -> Clock {
        Clock { margin: Some(margin), spare: [margin; 2], ..self }
    }

    /// The margin, if there is one.
    pub fn margin(&self) -> Option<Duration> {
        self.margin
    }

    /// Begins another game.
    pub fn reset(&mut self) {
        let new = Clock::new(self.control);
        *self = self.margin.map_or(new.clone(), |margin| new.strict(margin));
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
        if let Some((player, since)) = self.running {
            let (i, hand) = (player.index(), self.hand(player, now));
            if let Some(before) = std::mem::replace(&mut self.hands[i], hand) {
                let over = now.saturating_sub(since).saturating_sub(self.control.endures(before));
                self.spare[i] = self.spare[i].saturating_sub(over);
            }
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

    /// After how much more time the player loses; `None` if that never happens. It counts from `now`
    /// for the player who thinks.
    pub fn falls_in(&self, player: Player, now: Duration) -> Option<Duration> {
        let elapsed = match self.running {
            Some((running, since)) if running == player => now.saturating_sub(since),
            _ => Duration::ZERO,
        };
        self.endures(player).map(|all| all.saturating_sub(elapsed))
    }

    /// For how long a player may think who now begins to; `None` if without end.
    pub fn endures(&self, player: Player) -> Option<Duration> {
        let Some(hand) = self.hands[player.index()] else { return Some(Duration::ZERO) };
        if self.margin.is_none() && self.control.per_move().is_some() {
            return None;
        }
        Some(self.control.endures(hand).saturating_add(self.spare[player.index()]))
    }

    /// What the player has left, for a person: `9:58`, `4:30 for 25 moves`, `0:09.4 of 5 periods`.
    pub fn show(&self, player: Player, now: Duration) -> String {
        let TimeLeft { time, count } = self.left(player, now);
        let shown = minutes(time);
        match (self.control, count) {
            (TimeControl::PerMove(time), _) => format!("{} for each move", show_time(time)),
            (TimeControl::Canadian { .. }, Some(count)) => {
                format!("{shown} for {}", counted(count, "move"))
            }
            // The period that runs is one of them.
            (_, Some(count)) => format!("{shown} of {}", counted(count, "period")),
            (_, None) if time.is_zero() => "no time".to_owned(),
            (_, None) => shown,
        }
    }

    /// What the player's next move may take; nothing if the flag has fallen.
    pub fn allowance(&self, player: Player) -> Duration {
        self.hands[player.index()].map_or(Duration::ZERO, |hand| self.control.allowance(hand))
    }

    /// What the player has left; nothing if the flag has fallen. Of a time for each move it is the time
    /// of one.
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
                self.after(hand, now.saturating_sub(since), self.spare[player.index()])
            }
            _ => Some(hand),
        }
    }

    /// What is left after thinking for so long, with so much of the margin.
    fn after(&self, hand: Hand, elapsed: Duration, spare: Duration) -> Option<Hand> {
        if self.margin.is_none() {
            return self.control.think(hand, elapsed);
        }
        let own = self.control.endures(hand);
        if elapsed < own {
            return self.control.think(hand, elapsed);
        }
        // All of the time is used, but not all is lost: of the last moment nearly nothing is left.
        let moment = own.saturating_sub(Duration::from_nanos(1));
        let last = self.control.think(hand, moment);
        last.filter(|_| elapsed - own < spare)
    }
}

/// Minutes and seconds, with hours where there are some and tenths where there is little; never more
/// than it is.
fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s @ ..10) => format!("0:0{s}.{}", time.subsec_millis() / 100),
        (0, m, s) => format!("{m}:{s:02}"),
        (h, m, s) => format!("{h}:{m:02}:{s:02}"),
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

    /// Both players make moves that take these seconds: what First has left after each.
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

    /// A flag falls when it is said to fall, and not before.
    #[test]
    fn when_a_flag_falls() {
        for (text, all) in
            [("60", 60.0), ("60+5", 60.0), ("60+30/3", 90.0), ("60+3x10", 90.0), ("0+2x5", 10.0)]
        {
            let mut clock = clock(text);
            clock.start(First, seconds(1.0));
            for elapsed in [0.0, 3.0, 7.0, all - 0.5, all, all + 1.0] {
                let now = seconds(1.0 + elapsed);
                let left = clock.falls_in(First, now).unwrap();
                assert_eq!(left, seconds((all - elapsed).max(0.0)), "{text} after {elapsed}");
                assert_eq!(clock.has_fallen(First, now), left.is_zero());
                assert!(clock.has_fallen(First, now + left), "{text} after {elapsed}");
            }
            assert_eq!(clock.falls_in(Second, seconds(1e6)), Some(seconds(all)), "only one runs");
        }
        assert_eq!(clock("5/move").falls_in(First, seconds(1e6)), None);
    }

    #[test]
    fn clocks_for_a_person() {
        let shown = |text: &str, elapsed: f64| {
            let mut clock = clock(text);
            clock.start(First, Duration::ZERO);
            clock.show(First, seconds(elapsed))
        };
        assert_eq!(
            ["1h", "59m", "60", "10s", "1.96"].map(|text| shown(text, 0.0)),
            ["1:00:00", "59:00", "1:00", "0:10", "0:01.9"]
        );
        assert_eq!(
            [shown("10m", 2.5), shown("10m", 600.0), shown("10m+5m/25", 1.0)],
            ["9:57", "no time", "9:59"]
        );
        assert_eq!(
            [shown("60+60/25", 70.0), shown("60+60/1", 70.0)],
            ["0:50 for 25 moves", "0:50 for 1 move"]
        );
        assert_eq!([shown("0+3x30", 40.0), shown("0+3x30", 70.0)], ["0:20 of 2 periods", "0:20 of 1 period"]);
        assert_eq!(shown("5/move", 9.0), "5s for each move");
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

    /// A margin saves who is late and adds nothing to their time; there is one for the game.
    #[test]
    fn margins() {
        for (text, all) in
            [("60", 60.0), ("60+5", 60.0), ("60+30/3", 90.0), ("60+3x10", 90.0), ("5/move", 5.0)]
        {
            let mut clock = clock(text).strict(seconds(2.0));
            clock.start(First, seconds(1.0));
            let left = |clock: &Clock, now: f64| clock.left(First, seconds(now)).time.as_secs_f64();
            for elapsed in [0.0, all - 0.5, all, all + 1.0, all + 2.0, all + 3.0] {
                let falls_in = clock.falls_in(First, seconds(1.0 + elapsed)).unwrap();
                assert_eq!(falls_in, seconds((all + 2.0 - elapsed).max(0.0)), "{text} after {elapsed}");
                assert_eq!(clock.has_fallen(First, seconds(1.0 + elapsed)), falls_in.is_zero());
            }
            clock.press(seconds(1.0 + all + 1.5));
            let next = match text {
                "60+5" => 5.0,
                "60+3x10" => 10.0,
                "5/move" => 5.0,
                _ => 0.0,
            };
            assert!((left(&clock, 0.0) - next).abs() < 1e-6, "{text}: {}", left(&clock, 0.0));
            // A quarter of the margin is left, for as many moves as there may be.
            clock.start(First, seconds(1000.0));
            assert!(!clock.has_fallen(First, seconds(1000.4 + next)), "{text}");
            assert!(clock.has_fallen(First, seconds(1000.6 + next)), "{text}");
            clock.pause(seconds(1000.3 + next));
            clock.start(First, seconds(2000.0));
            assert!(!clock.has_fallen(First, seconds(2000.1)), "{text}");
            assert!(text != "60" || clock.has_fallen(First, seconds(2000.3)), "{text}");
            assert_eq!(clock.endures(Second), Some(seconds(all + 2.0)), "the other one has their own");
            clock.reset();
            assert_eq!(clock.endures(First), Some(seconds(all + 2.0)));
        }
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
        // A player who takes no more never loses, and in byo-yomi can play without end.
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
