//! Games that were lost by something else than the rules, by what it was.

use proofplay_front::game::Loss;
use serde::Serialize;
use std::ops::AddAssign;

/// How many games a player has lost, and by what.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Forfeits {
    /// On time.
    pub time: u64,
    /// It has resigned.
    pub resigned: u64,
    /// By an illegal move.
    pub illegal: u64,
    /// By ending in the middle of the game.
    pub crashed: u64,
    /// By saying nothing.
    pub silent: u64,
    /// By any other failure.
    pub failed: u64,
}

impl Forfeits {
    /// Counts a game.
    pub fn add(&mut self, loss: &Loss) {
        *match loss {
            Loss::Time => &mut self.time,
            Loss::Resigned => &mut self.resigned,
            Loss::Illegal(_) => &mut self.illegal,
            Loss::Crashed(_) => &mut self.crashed,
            Loss::Silent(_) => &mut self.silent,
            _ => &mut self.failed,
        } += 1;
    }

    /// How many there are.
    pub fn total(&self) -> u64 {
        self.parts().iter().map(|part| part.0).sum()
    }

    /// Those that there are, with words for them.
    pub fn parts(&self) -> Vec<(u64, &'static str)> {
        let all = [
            (self.time, "on time"),
            (self.resigned, "by resigning"),
            (self.illegal, "by an illegal move"),
            (self.crashed, "by a crash"),
            (self.silent, "by silence"),
            (self.failed, "by a failure"),
        ];
        all.into_iter().filter(|part| part.0 > 0).collect()
    }
}

impl AddAssign for Forfeits {
    fn add_assign(&mut self, other: Forfeits) {
        self.time += other.time;
        self.resigned += other.resigned;
        self.illegal += other.illegal;
        self.crashed += other.crashed;
        self.silent += other.silent;
        self.failed += other.failed;
    }
}
