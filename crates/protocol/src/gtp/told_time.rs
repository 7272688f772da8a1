//! How a program is told what time it has.
//!
//! ```text
//! 5s/move      time_settings 0 5 1
//! 10m          time_settings 600 0 0
//! 10m+5s       kata-time_settings fischer 600 5
//! 10m+5m/25    time_settings 600 300 25
//! 10m+5x30s    kgs-time_settings byoyomi 600 30 5
//! ```
//!
//! The protocol knows whole seconds only. Programs that know `kata-time_settings` read fractions, too;
//! others are told less than they have, never more.

use proofplay_front::amounts::show_time;
use proofplay_front::clock::{TimeControl, TimeLeft};
use std::time::Duration;

/// Which seconds a program can read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Seconds {
    fractions: bool,
}

impl Seconds {
    /// Those of a program that knows these commands.
    pub fn of(knows: impl Fn(&str) -> bool) -> Seconds {
        Seconds { fractions: knows("kata-time_settings") }
    }

    fn text(self, time: Duration) -> String {
        if self.fractions {
            // Thousandths, rounded down.
            let thousandths = time.as_millis() as f64 / 1000.0;
            thousandths.to_string()
        } else {
            time.as_secs().to_string()
        }
    }

    /// A time that must not become nothing.
    fn some(self, time: Duration) -> Result<String, String> {
        let text = self.text(time);
        if text == "0" && !time.is_zero() {
            let least = if self.fractions { "1ms" } else { "1s" };
            return Err(format!(
                "{} is too short to be told to it: expected at least {least}",
                show_time(time)
            ));
        }
        Ok(text)
    }

    /// What is left, for the program that plays this colour.
    pub fn left(self, colour: &str, control: TimeControl, left: TimeLeft) -> String {
        let count = match control {
            TimeControl::PerMove(_) => 1,
            _ => left.count.unwrap_or(0),
        };
        format!("time_left {colour} {} {count}", self.text(left.time))
    }
}

/// The command that tells how much time there is for a game; an error if the program does not know it.
pub fn settings(control: TimeControl, knows: impl Fn(&str) -> bool) -> Result<String, String> {
    let seconds = Seconds::of(&knows);
    let first = |names: &[&'static str]| {
        let lacks =
            || format!("it cannot be told the clock {control}: it does not know {}", names.join(" or "));
        names.iter().find(|name| knows(name)).copied().ok_or_else(lacks)
    };
    Ok(match control {
        TimeControl::PerMove(time) => {
            format!("{} 0 {} 1", first(&["time_settings"])?, seconds.some(time)?)
        }
        TimeControl::Increment { main, increment: Duration::ZERO } => {
            format!("{} {} 0 0", first(&["time_settings"])?, seconds.some(main)?)
        }
        TimeControl::Increment { main, increment } => {
            let command = first(&["kata-time_settings"])?;
            format!("{command} fischer {} {}", seconds.some(main)?, seconds.some(increment)?)
        }
        TimeControl::Canadian { main, period, moves } => {
            let command = first(&["time_settings"])?;
            format!("{command} {} {} {moves}", seconds.some(main)?, seconds.some(period)?)
        }
        TimeControl::Japanese { main, period, periods } => {
            let command = first(&["kgs-time_settings", "kata-time_settings"])?;
            format!("{command} byoyomi {} {} {periods}", seconds.some(main)?, seconds.some(period)?)
        }
        // Kinds of clocks that this program does not know yet.
        _ => return Err(format!("it cannot be told the clock {control}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clock() {
        let told = |clock: &str, known: &[&str]| {
            settings(clock.parse().unwrap(), |name| known.contains(&name)).unwrap_or_else(|error| error)
        };
        let plain = ["time_settings"];
        assert_eq!(told("5/move", &plain), "time_settings 0 5 1");
        assert_eq!(told("10m", &plain), "time_settings 600 0 0");
        assert_eq!(told("10m+5m/25", &plain), "time_settings 600 300 25");
        assert_eq!(told("90500ms", &plain), "time_settings 90 0 0");
        let all = ["time_settings", "kgs-time_settings", "kata-time_settings"];
        assert_eq!(told("10m+5", &all), "kata-time_settings fischer 600 5");
        assert_eq!(told("10m+5x30", &all), "kgs-time_settings byoyomi 600 30 5");
        assert_eq!(told("0+5x30", &all[2..]), "kata-time_settings byoyomi 0 30 5");
        assert_eq!(told("100ms/move", &all), "time_settings 0 0.1 1");
        for (clock, known, lacks) in [
            ("10m+5", &plain[..], "10m+5s: it does not know kata-time_settings"),
            ("10m+5x30", &plain, "it does not know kgs-time_settings or kata-time_settings"),
            ("10m", &[], "it does not know time_settings"),
            ("100ms/move", &plain, "100ms is too short to be told to it: expected at least 1s"),
        ] {
            let error = told(clock, known);
            assert!(error.contains(lacks), "{error}");
        }
    }

    #[test]
    fn what_is_left() {
        let left = |clock: &str, ms: u64, count, fractions| {
            let left = TimeLeft { time: Duration::from_millis(ms), count };
            Seconds { fractions }.left("b", clock.parse().unwrap(), left)
        };
        assert_eq!(left("5/move", 5000, None, false), "time_left b 5 1");
        assert_eq!(left("10m+5m/25", 7900, Some(3), false), "time_left b 7 3");
        assert_eq!(left("10m+5", 7900, None, true), "time_left b 7.9 0");
    }
}
