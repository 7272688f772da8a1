//! Scores as people count them.
//!
//! With a komi such as 7.5 a game counts a half point as a whole one for the player who has it, so that
//! scores are whole numbers. The points are half a point nearer to a draw: a score of 25 is 24.5.

use proofplay_core::{Bounds, Score};
use serde::{Serialize, Serializer};
use std::fmt;

/// Points, in halves.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Points(i32);

impl Points {
    /// What a score is in the game of this name.
    pub fn of(game: &str, score: Score) -> Points {
        let has_halves = game.contains("komi=") && game.contains(".5");
        let half = if has_halves { i32::from(score.0.signum()) } else { 0 };
        Points(2 * i32::from(score.0) - half)
    }

    /// How many halves of a point.
    pub fn halves(self) -> i32 {
        self.0
    }

    /// As a number.
    pub fn number(self) -> f64 {
        f64::from(self.0) / 2.0
    }

    /// How many they are, for whomever.
    pub fn amount(self) -> f64 {
        self.number().abs()
    }
}

/// With their sign, as scores are written.
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { f.write_str("0") } else { write!(f, "{:+}", self.number()) }
    }
}

/// Bounds in the game of this name, as [`Bounds`] are written.
pub fn bounds_text(game: &str, bounds: Bounds) -> String {
    let [pess, opti] = [bounds.pess, bounds.opti].map(|score| Points::of(game, score));
    format!("[{pess}, {opti}]")
}

/// A whole number where it is one.
impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % 2 {
            0 => serializer.serialize_i32(self.0 / 2),
            _ => serializer.serialize_f64(self.number()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves() {
        for (game, score, text, json) in [
            ("go:9x9,komi=7.5", 25, "+24.5", "24.5"),
            ("go:9x9,komi=-0.5#00", -1, "-0.5", "-0.5"),
            ("go:9x9,komi=0.5", 0, "0", "0"),
            ("go:9x9,komi=7", -3, "-3", "-3"),
            ("written:2.5", 4, "+4", "4"),
        ] {
            let points = Points::of(game, Score(score));
            assert_eq!((&*points.to_string(), &*serde_json::to_string(&points).unwrap()), (text, json));
        }
        assert_eq!(bounds_text("go:9x9,komi=0.5", Bounds::new(Score(-3), Score(4))), "[-2.5, +3.5]");
    }
}
