//! Our figure beside the printed one, and the verdict.
//!
//! The rule: *reproduced* if the printed figure lies in our 95 % interval, or both are the same
//! exact value, or both say "more than"; *close* if the two differ by at most a quarter of the
//! printed one (three percentage points for scores); *differs* otherwise. A search that was stopped
//! at a limit is never close: its figure is more than the printed one, or cannot be compared.

use crate::PlayedGame;
use crate::race::Raced;
use crate::stats::{Interval, difference};
use proofplay_core::Player;
use std::fmt;

/// What figures count.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Simulations.
    Playouts,
    /// Nodes.
    Nodes,
    /// Seconds.
    Seconds,
    /// The exact value for the first player: -1, 0, 1.
    Value,
    /// A chance, printed with two decimals.
    Chance,
    /// A score or a share, in percent.
    Percent,
    /// Moves of a game.
    Moves,
}

/// What a paper printed.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Printed {
    /// Nothing.
    Nothing,
    /// A figure.
    Exactly(f64),
    /// Not solved by then.
    MoreThan(f64),
}

impl Printed {
    /// From our notes of the papers: a negative figure is "more than", 0 was not printed.
    pub fn noted(figure: f64) -> Printed {
        match figure {
            0.0 => Printed::Nothing,
            ..0.0 => Printed::MoreThan(-figure),
            _ => Printed::Exactly(figure),
        }
    }

    /// As it is shown.
    pub fn show(self, unit: Unit) -> String {
        match self {
            Printed::Nothing => "–".to_owned(),
            Printed::Exactly(figure) => unit.show(figure),
            Printed::MoreThan(figure) => format!("> {}", unit.show(figure)),
        }
    }
}

/// How a figure is read from the outcomes of an experiment.
#[derive(Clone, PartialEq, Debug)]
pub enum Reading {
    /// The exact figure.
    Known,
    /// The value that was proven.
    Value,
    /// Mean simulations until solved.
    Playouts,
    /// Nodes until solved.
    Nodes,
    /// Nodes of the first level until solved.
    MainNodes,
    /// Seconds until solved.
    Seconds,
    /// Mean simulations through a move.
    Visits(String),
    /// The score of the first player of a match.
    Score,
    /// The same of some of its games.
    Part(Part),
    /// The share of games in which the first player of a match had proof of who wins before the end.
    Proven,
    /// The share of a game's moves, in percent, after which the first player of a match knew for certain
    /// who wins, if only by the rules.
    Certain,
    /// After how many moves a search was right for good about this player's win.
    Right(Player),
    /// The share of positions of which something is true.
    Share(Share),
}

/// Some games of a match.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// Those in which its first player has this side.
    Side(Player),
    /// Those with so many moves, the last number not counted.
    Plies(u32, u32),
}

impl Part {
    pub(super) fn holds(self, game: &PlayedGame) -> bool {
        match self {
            Part::Side(side) => game.a_moves == side.to_string(),
            Part::Plies(from, to) => (from..to).contains(&game.plies),
        }
    }
}

/// The chance of the winner from which on a search counts as right.
pub const RIGHT: f64 = 0.9;

impl Reading {
    /// Whether there may be nothing to read though all trials are done.
    pub(super) fn may_be_empty(&self) -> bool {
        matches!(self, Reading::Part(_))
    }
}

/// What may be true of a search on a position.
#[derive(Clone, PartialEq, Debug)]
pub enum Share {
    /// This one has solved it.
    Solved(usize),
    /// This one was the fastest of those who have solved it.
    Fastest(usize),
    /// This one needed the fewest iterations of those who have solved it.
    Fewest(usize),
    /// This one proved it to be won.
    ProvenWon(usize),
    /// This one would play one of the right moves: those of each position.
    Right(usize, Vec<Vec<String>>),
}

impl Share {
    pub(super) fn holds(&self, number: u32, runs: &[Raced]) -> bool {
        let first = |of: usize, key: &dyn Fn(&Raced) -> f64| {
            let solved = |i: &usize| runs[*i].is_solved();
            (0..runs.len()).filter(solved).min_by(|&i, &j| key(&runs[i]).total_cmp(&key(&runs[j])))
                == Some(of)
        };
        match self {
            Share::Solved(i) => runs[*i].is_solved(),
            Share::Fastest(i) => first(*i, &|run| run.seconds),
            Share::Fewest(i) => first(*i, &|run| run.iterations as f64),
            Share::ProvenWon(i) => runs[*i].pess > 0,
            Share::Right(i, moves) => moves[number as usize % moves.len()].contains(&runs[*i].best),
        }
    }
}

/// A figure of ours.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Figure {
    /// The estimate, or the lower end of what it may be if some runs were stopped.
    pub mean: f64,
    /// Where it may lie; `None` for an exact figure and for a single random run.
    pub interval: Option<(f64, f64)>,
    /// Some runs were stopped at this figure: the mean is more than the one given.
    pub stopped_at: Option<f64>,
    /// The number of trials.
    pub trials: usize,
}

impl Figure {
    pub(super) fn exact(figure: f64, trials: usize) -> Figure {
        Figure { mean: figure, interval: None, stopped_at: None, trials }
    }

    pub(super) fn of(interval: Interval, trials: usize) -> Figure {
        let ends = interval.low.is_finite().then_some((interval.low, interval.high));
        Figure { mean: interval.mean, interval: ends, stopped_at: None, trials }
    }

    /// Whether it is larger than another one; `None` if that is not certain.
    pub fn exceeds(&self, other: &Figure) -> Option<bool> {
        let interval =
            |figure: &Figure| Interval { mean: figure.mean, low: figure.low(), high: figure.high() };
        let lead = difference(interval(self), interval(other));
        if lead.low > 0.0 {
            Some(true)
        } else if lead.high < 0.0 {
            Some(false)
        } else {
            None
        }
    }

    /// The lower end of where it may lie.
    pub fn low(&self) -> f64 {
        self.interval.map_or(self.mean, |ends| ends.0)
    }

    /// The upper end.
    pub fn high(&self) -> f64 {
        if self.stopped_at.is_some() { f64::INFINITY } else { self.interval.map_or(self.mean, |ends| ends.1) }
    }

    /// As it is shown.
    pub fn show(&self, unit: Unit) -> String {
        let more = if self.stopped_at.is_some() { "> " } else { "" };
        format!("{more}{}", unit.show(self.mean))
    }

    /// Its interval as it is shown.
    pub fn show_interval(&self, unit: Unit) -> String {
        match self.interval {
            Some((low, high)) if self.stopped_at.is_none() => {
                format!("{} … {}", unit.show(low.max(0.0)), unit.show(high))
            }
            _ => String::new(),
        }
    }
}

/// What our figure says about the printed one.
#[derive(Copy, Clone, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The printed figure may be ours.
    Reproduced,
    /// Not far from it.
    Close,
    /// Ours is smaller.
    DiffersFewer,
    /// Ours is larger.
    DiffersMore,
    /// A limit stopped us before anything was certain.
    NotComparable,
    /// The paper has no figure.
    Unprinted,
    /// We have none yet.
    Open,
    /// It cannot be done.
    NotAvailable,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Close => "close",
            Verdict::DiffersFewer => "differs: less",
            Verdict::DiffersMore => "differs: more",
            Verdict::NotComparable => "not comparable: stopped at a limit",
            Verdict::Unprinted => "not printed",
            Verdict::Open => "not run",
            Verdict::NotAvailable => "not available",
        })
    }
}

/// The verdict by the rule.
pub fn judge(unit: Unit, printed: Printed, ours: Option<&Figure>) -> Verdict {
    let Some(ours) = ours else { return Verdict::Open };
    let direction =
        |printed: f64| if ours.mean < printed { Verdict::DiffersFewer } else { Verdict::DiffersMore };
    let near = |printed: f64| match unit {
        Unit::Value | Unit::Chance => false,
        Unit::Percent => (ours.mean - printed).abs() <= 3.0,
        Unit::Playouts | Unit::Nodes | Unit::Seconds | Unit::Moves => {
            (ours.mean - printed).abs() <= 0.25 * printed
        }
    };
    match (printed, ours.stopped_at) {
        (Printed::Nothing, _) => Verdict::Unprinted,
        (Printed::MoreThan(printed), Some(stopped_at)) if stopped_at < printed => Verdict::NotComparable,
        (Printed::MoreThan(_), Some(_)) => Verdict::Reproduced,
        (Printed::MoreThan(printed), None) if ours.mean >= printed => Verdict::Reproduced,
        (Printed::MoreThan(_), None) => Verdict::DiffersFewer,
        (Printed::Exactly(printed), Some(_)) if ours.low() > printed => Verdict::DiffersMore,
        (Printed::Exactly(_), Some(_)) => Verdict::NotComparable,
        (Printed::Exactly(printed), None) => {
            let equal = match unit {
                Unit::Chance => unit.show(ours.mean) == unit.show(printed),
                _ => ours.low() <= printed && printed <= ours.high(),
            };
            match (equal, near(printed)) {
                (true, _) => Verdict::Reproduced,
                (_, true) => Verdict::Close,
                _ => direction(printed),
            }
        }
    }
}

impl Unit {
    /// A figure of this unit.
    pub fn show(self, figure: f64) -> String {
        match self {
            Unit::Playouts | Unit::Nodes | Unit::Moves => grouped(figure),
            Unit::Seconds => format!("{figure:.2} s"),
            Unit::Value => match figure {
                ..0.0 => "lost".to_owned(),
                0.0 => "draw".to_owned(),
                _ => "won".to_owned(),
            },
            Unit::Chance => format!("{figure:.2}"),
            Unit::Percent => format!("{figure:.1} %"),
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Playouts => "simulations",
            Unit::Nodes => "nodes",
            Unit::Seconds => "seconds",
            Unit::Value => "value",
            Unit::Chance => "chance",
            Unit::Percent => "percent",
            Unit::Moves => "moves",
        }
    }
}

/// A whole number in groups of three digits, with a decimal if it is small.
fn grouped(figure: f64) -> String {
    if figure < 1000.0 && figure.fract() != 0.0 {
        return format!("{figure:.1}");
    }
    let digits = format!("{figure:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(mean: f64, low: f64, high: f64) -> Figure {
        Figure { mean, interval: Some((low, high)), stopped_at: None, trials: 30 }
    }

    #[test]
    fn the_rule() {
        use Printed::{Exactly, MoreThan, Nothing};
        let playouts = |printed, ours: Figure| judge(Unit::Playouts, printed, Some(&ours));
        assert_eq!(playouts(Exactly(100.0), ours(90.0, 80.0, 101.0)), Verdict::Reproduced);
        assert_eq!(playouts(Exactly(100.0), ours(76.0, 70.0, 80.0)), Verdict::Close);
        assert_eq!(playouts(Exactly(100.0), ours(74.0, 70.0, 80.0)), Verdict::DiffersFewer);
        assert_eq!(playouts(Exactly(100.0), ours(126.0, 110.0, 140.0)), Verdict::DiffersMore);
        assert_eq!(playouts(Nothing, ours(1.0, 1.0, 1.0)), Verdict::Unprinted);
        assert_eq!(playouts(MoreThan(100.0), ours(90.0, 80.0, 120.0)), Verdict::DiffersFewer);
        assert_eq!(playouts(MoreThan(100.0), ours(120.0, 90.0, 140.0)), Verdict::Reproduced);
        let stopped = |mean, at| Figure { stopped_at: Some(at), ..ours(mean, mean - 5.0, mean) };
        assert_eq!(playouts(MoreThan(100.0), stopped(95.0, 100.0)), Verdict::Reproduced);
        assert_eq!(playouts(MoreThan(100.0), stopped(50.0, 50.0)), Verdict::NotComparable);
        assert_eq!(playouts(Exactly(40.0), stopped(60.0, 60.0)), Verdict::DiffersMore);
        // However near: a search that was stopped has found no figure.
        assert_eq!(playouts(Exactly(90.0), stopped(95.0, 100.0)), Verdict::NotComparable);
        let single = Figure { stopped_at: Some(1e6), ..Figure::exact(999_990.0, 1) };
        assert_eq!(judge(Unit::Nodes, Exactly(1_002_277.0), Some(&single)), Verdict::NotComparable);
        assert_eq!(playouts(Exactly(90.0), stopped(50.0, 50.0)), Verdict::NotComparable);
        assert_eq!(judge(Unit::Playouts, Exactly(1.0), None), Verdict::Open);
        // Scores by percentage points, exact figures not at all by nearness; one random run has no
        // interval.
        let percent = |printed, mean| judge(Unit::Percent, Exactly(printed), Some(&ours(mean, mean, mean)));
        assert_eq!(percent(65.0, 62.1), Verdict::Close);
        assert_eq!(percent(65.0, 61.9), Verdict::DiffersFewer);
        let exact = |unit, printed, mean| judge(unit, Exactly(printed), Some(&Figure::exact(mean, 1)));
        assert_eq!(exact(Unit::Value, 0.0, 1.0), Verdict::DiffersMore);
        assert_eq!(exact(Unit::Value, 0.0, 0.0), Verdict::Reproduced);
        assert_eq!(exact(Unit::Chance, 0.29, 0.2857), Verdict::Reproduced);
        assert_eq!(exact(Unit::Chance, 0.28, 0.2857), Verdict::DiffersMore);
        assert_eq!(exact(Unit::Nodes, 101_244.0, 101_244.0), Verdict::Reproduced);
        assert_eq!(exact(Unit::Nodes, 101_244.0, 101_243.0), Verdict::Close);
    }

    #[test]
    fn numbers_for_people() {
        let show = |figure| Unit::Playouts.show(figure);
        assert_eq!(
            [show(1e6), show(999.0), show(12.25), show(1234.5)],
            ["1 000 000", "999", "12.2", "1 234"]
        );
        assert_eq!(Printed::noted(-5e6).show(Unit::Nodes), "> 5 000 000");
        assert_eq!([Printed::noted(0.0).show(Unit::Seconds), Unit::Seconds.show(0.239)], ["–", "0.24 s"]);
        assert_eq!([-1.0, 0.0, 1.0].map(|value| Unit::Value.show(value)), ["lost", "draw", "won"]);
    }
}
