//! How much time players have, and how that is written.
//!
//! ```text
//! 5s/move      5 seconds for each move; nobody loses by taking longer
//! 10m          10 minutes for the game
//! 10m+5s       … and 5 seconds more after each move
//! 10m+5m/25    … then Canadian byo-yomi: 5 minutes for every 25 moves
//! 10m+5x30s    … then Japanese byo-yomi: 5 periods of 30 seconds; only a move that takes a whole
//!              period uses it up
//! ```
//!
//! A number without a unit is seconds.

use crate::amounts::{show_time, time};
use proofplay_core::TextError;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

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
                "expected a time above 0: TIME, TIME+INCREMENT, TIME+TIME/MOVES, TIME+PERIODSxTIME or \
                 TIME/move, e.g. 10m, 10m+5s, 10m+5m/25, 10m+5x30s or 5s/move",
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

/// The text, or a number of seconds for the game.
impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<TimeControl, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a clock, e.g. \"10m+5s\", or a number of seconds")]
        enum Written {
            Text(String),
            Seconds(f64),
        }
        let text = match Written::deserialize(from)? {
            Written::Text(text) => text,
            Written::Seconds(seconds) => seconds.to_string(),
        };
        text.parse().map_err(D::Error::custom)
    }
}

impl TimeControl {
    /// The time for each move, if that is all there is.
    pub fn per_move(self) -> Option<Duration> {
        if let TimeControl::PerMove(time) = self { Some(time) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// As files have it.
    #[test]
    fn texts_and_seconds() {
        let read = |json: &str| serde_json::from_str::<TimeControl>(json);
        for (json, text) in [("60", "1m"), ("1.5", "1500ms"), ("\"60+1\"", "1m+1s"), ("\"60\"", "1m")] {
            let control = read(json).unwrap();
            assert_eq!(control.to_string(), text);
            assert_eq!(serde_json::to_string(&control).unwrap(), format!("\"{text}\""));
        }
        for (json, why) in [("-1", "clock `-1`"), ("0", "above 0"), ("true", "10m+5s"), ("\"x\"", "`x`")] {
            let error = read(json).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
