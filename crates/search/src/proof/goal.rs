//! What is to be proven, and which goals to try for an exact value.
//!
//! A proof search answers yes or no: can `player` get at least this score? An exact value takes a
//! few such answers. They share work in two ways:
//!
//! - A proof rests on ends of the game that reach the goal. The worst of all such ends seen,
//!   [`Judge::worst_pass`], may be better than the goal, and then that score is proven; likewise
//!   for disproofs. In a game that turns out to have no draws, the answer to "does First win?" is
//!   the value, whatever the rules say about draws.
//! - What was proven for a higher goal is proven for a lower one, and what was disproven for a
//!   lower one is disproven for a higher one: a graph keeps these nodes from goal to goal
//!   ([`Judge::carry_to`]).

use super::info::Status;
use crate::checkpoint::{Flaw, In, Out};
use proofplay_core::{Bounds, Player, Score};
use std::io;

/// `player` gets at least `at_least`, a score in the view of `player`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// Who is to get it; this player's moves are OR nodes.
    pub player: Player,
    /// The least score, in the view of `player`.
    pub at_least: Score,
}

impl Goal {
    /// The next goal of `player` when these bounds are certain and not yet exact: of win, draw and
    /// loss the win first, of a wider range the upper half.
    pub fn next(player: Player, certain: Bounds) -> Goal {
        let Bounds { pess, opti } = certain.seen_by(player);
        debug_assert!(pess < opti);
        let width = i32::from(opti.0) - i32::from(pess.0);
        let at_least = if width <= 2 { opti } else { Score((i32::from(pess.0) + (width + 1) / 2) as i16) };
        Goal { player, at_least }
    }

    /// What follows from the status of this goal alone, in the view of `First`; `range` is certain
    /// before.
    pub fn bounds(self, status: Status, range: Bounds) -> Bounds {
        let Bounds { pess, opti } = range.seen_by(self.player);
        let own = match status {
            Status::Open => Bounds { pess, opti },
            Status::Proven => Bounds { pess: pess.max(self.at_least), opti },
            Status::Disproven => Bounds { pess, opti: opti.min(Score(self.at_least.0 - 1)) },
        };
        own.seen_by(self.player)
    }

    /// The empty window that asks the same question.
    pub fn window(self) -> Bounds {
        Bounds { pess: Score(self.at_least.0 - 1), opti: self.at_least }.seen_by(self.player)
    }

    /// The goal of `player` that asks the question of an empty window.
    pub fn of_window(player: Player, window: Bounds) -> Goal {
        debug_assert_eq!(window.pess.0 + 1, window.opti.0);
        Goal { player, at_least: window.seen_by(player).opti }
    }
}

/// Decides by the rules alone whether a position reaches a goal, and remembers how clearly.
#[derive(Copy, Clone, Debug)]
pub struct Judge {
    goal: Goal,
    /// The worst score that reached the goal.
    worst_pass: Score,
    /// The best score that missed it.
    best_fail: Score,
}

impl Judge {
    /// A judge that has seen nothing yet.
    pub fn new(goal: Goal) -> Judge {
        Judge { goal, worst_pass: Score(i16::MAX), best_fail: Score(-i16::MAX) }
    }

    /// The goal.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// What `certain` bounds on a position's value mean for the goal.
    #[inline]
    pub fn judge(&mut self, certain: Bounds) -> Status {
        let Bounds { pess, opti } = certain.seen_by(self.goal.player);
        if pess >= self.goal.at_least {
            self.worst_pass = self.worst_pass.min(pess);
            Status::Proven
        } else if opti < self.goal.at_least {
            self.best_fail = self.best_fail.max(opti);
            Status::Disproven
        } else {
            Status::Open
        }
    }

    /// What a solved node means for its value, in the view of `First`; `range` if it is open.
    pub fn bounds(&self, status: Status, range: Bounds) -> Bounds {
        let own = range.seen_by(self.goal.player);
        let own = match status {
            Status::Open => own,
            // No end below the node is worse than the range allows, so `max` and `min` lose
            // nothing.
            Status::Proven => Bounds::new(self.worst_pass.max(own.pess).min(own.opti), own.opti),
            Status::Disproven => Bounds::new(own.pess, self.best_fail.min(own.opti).max(own.pess)),
        };
        own.seen_by(self.goal.player)
    }

    /// The judge of another goal of the same player, and whether nodes of that status are solved
    /// for it too.
    pub fn carry_to(&self, goal: Goal) -> (Judge, impl Fn(Status) -> bool + use<>) {
        debug_assert_eq!(goal.player, self.goal.player);
        let (lower, higher) = (goal.at_least <= self.goal.at_least, goal.at_least >= self.goal.at_least);
        let mut judge = Judge::new(goal);
        if lower {
            judge.worst_pass = self.worst_pass;
        }
        if higher {
            judge.best_fail = self.best_fail;
        }
        let carries = move |status| match status {
            Status::Open => false,
            Status::Proven => lower,
            Status::Disproven => higher,
        };
        (judge, carries)
    }

    /// Takes over what another judge of the same goal has seen.
    pub fn learn(&mut self, other: &Judge) {
        debug_assert_eq!(self.goal, other.goal);
        self.worst_pass = self.worst_pass.min(other.worst_pass);
        self.best_fail = self.best_fail.max(other.best_fail);
    }

    /// Writes the goal and what was seen. Whose goal it is follows from the position.
    pub(crate) fn save(&self, out: &mut Out) -> io::Result<()> {
        [self.goal.at_least, self.worst_pass, self.best_fail]
            .into_iter()
            .try_for_each(|score| out.i16(score.0))
    }

    /// Reads the judge of a goal of `player` back.
    pub(crate) fn load(from: &mut In, player: Player) -> Result<Judge, Flaw> {
        let [at_least, worst_pass, best_fail] = [from.i16()?, from.i16()?, from.i16()?].map(Score);
        if worst_pass < at_least || best_fail >= at_least || best_fail.0 == i16::MIN {
            return Err(Flaw::Nonsense("a goal and what was seen of it do not fit"));
        }
        Ok(Judge { goal: Goal { player, at_least }, worst_pass, best_fail })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(score: i16) -> Bounds {
        Bounds::exact(Score(score))
    }

    #[test]
    fn ends_seen_sharpen_the_answer() {
        let range = Bounds::new(Score(-5), Score(5));
        let mut judge = Judge::new(Goal { player: Player::Second, at_least: Score(1) });
        assert_eq!(judge.judge(exact(-3)), Status::Proven);
        assert_eq!(judge.judge(exact(-4)), Status::Proven);
        assert_eq!(judge.judge(exact(2)), Status::Disproven);
        assert_eq!(judge.judge(Bounds::new(Score(-2), Score(2))), Status::Open);
        assert_eq!(judge.bounds(Status::Proven, range), Bounds::new(Score(-5), Score(-3)));
        assert_eq!(judge.bounds(Status::Disproven, range), Bounds::new(Score(2), Score(5)));
        assert_eq!(judge.bounds(Status::Open, range), range);
        let (lower, carries) = judge.carry_to(Goal { player: Player::Second, at_least: Score(0) });
        assert!(carries(Status::Proven) && !carries(Status::Disproven) && !carries(Status::Open));
        assert_eq!((lower.worst_pass, lower.best_fail), (Score(3), Score(-i16::MAX)));
    }

    #[test]
    fn goals_are_windows() {
        for player in Player::BOTH {
            for at_least in [-3, 0, 1, 7].map(Score) {
                let goal = Goal { player, at_least };
                let Bounds { pess, opti } = goal.window();
                assert_eq!(Goal::of_window(player, goal.window()), goal);
                // The window lies between reaching and missing the goal.
                let reached = |score: Score| score.seen_by(player) >= at_least;
                assert!(pess < opti && reached(pess) != reached(opti));
            }
        }
    }

    #[test]
    fn goals_cover_every_range() {
        for (pess, opti) in [(-1, 1), (-1, 0), (0, 1), (-9999, 9999), (3, 8), (-8, -3)] {
            let certain = Bounds::new(Score(pess), Score(opti));
            for player in Player::BOTH {
                let own = certain.seen_by(player);
                let goal = Goal::next(player, certain);
                assert!(own.pess < goal.at_least && goal.at_least <= own.opti, "{goal:?} in {certain}");
            }
        }
        assert_eq!(Goal::next(Player::First, Bounds::WDL).at_least, Score::WIN);
    }
}
