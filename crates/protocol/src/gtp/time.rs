//! Clocks by the protocol.

use super::Engine;
use super::vertex::colour;
use proofplay_front::clock::{Clock, TimeControl, TimeLeft};
use std::time::Duration;

/// The kinds of clocks that `kgs-time_settings` and `kata-time_settings` know.
pub const KINDS: &str = "none absolute byoyomi canadian fischer";

/// Reads seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let read = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    // A clock adds times up.
    let most = Duration::from_secs(u32::MAX.into());
    read.filter(|time| *time <= most).ok_or_else(|| format!("time `{text}`: expected seconds, e.g. 300"))
}

fn count(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("count `{text}`: expected a whole number"))
}

impl Engine {
    fn set_clock(&mut self, control: Option<TimeControl>) {
        self.clock = control.map(Clock::new);
    }

    /// A new game begins.
    pub(super) fn restart_clock(&mut self) {
        self.set_clock(self.clock.as_ref().map(Clock::control));
    }

    /// `time_settings MAIN BYO_YOMI STONES`: overtime without stones is no limit at all.
    pub(super) fn time_settings(&mut self, arguments: &[&str]) -> Result<String, String> {
        let (main, period, moves) = (seconds(arguments[0])?, seconds(arguments[1])?, count(arguments[2])?);
        self.set_clock(match (main, period, moves) {
            (Duration::ZERO, Duration::ZERO, _) => None,
            (_, Duration::ZERO, _) => Some(TimeControl::Increment { main, increment: Duration::ZERO }),
            (_, _, 0) => None,
            _ => Some(TimeControl::Canadian { main, period, moves }),
        });
        Ok(String::new())
    }

    /// `kgs-time_settings KIND …`, with the increments of `kata-time_settings`.
    pub(super) fn kind_of_time(&mut self, arguments: &[&str]) -> Result<String, String> {
        let wrong = || {
            "expected none, absolute MAIN, byoyomi MAIN PERIOD PERIODS, canadian MAIN PERIOD STONES or \
             fischer MAIN INCREMENT, in seconds"
                .to_owned()
        };
        let positive = |number: u32| if number > 0 { Ok(number) } else { Err(wrong()) };
        let some = |time: Duration| if time.is_zero() { Err(wrong()) } else { Ok(time) };
        self.set_clock(match *arguments {
            ["none"] => None,
            ["absolute", main] => {
                Some(TimeControl::Increment { main: some(seconds(main)?)?, increment: Duration::ZERO })
            }
            ["fischer", main, increment] => {
                Some(TimeControl::Increment { main: some(seconds(main)?)?, increment: seconds(increment)? })
            }
            ["byoyomi", main, period, periods] => Some(TimeControl::Japanese {
                main: seconds(main)?,
                period: some(seconds(period)?)?,
                periods: positive(count(periods)?)?,
            }),
            ["canadian", main, period, moves] => Some(TimeControl::Canadian {
                main: seconds(main)?,
                period: some(seconds(period)?)?,
                moves: positive(count(moves)?)?,
            }),
            _ => return Err(wrong()),
        });
        Ok(String::new())
    }

    /// `time_left COLOUR TIME STONES`: what a referee's clock shows.
    pub(super) fn time_left(&mut self, arguments: &[&str]) -> Result<String, String> {
        let (player, time) = (colour(arguments[0])?, seconds(arguments[1])?);
        let number = count(arguments[2])?;
        if let Some(clock) = &mut self.clock {
            let is_overtime = number > 0 && !matches!(clock.control(), TimeControl::Increment { .. });
            clock.set_left(player, TimeLeft { time, count: is_overtime.then_some(number) });
        }
        Ok(String::new())
    }
}
