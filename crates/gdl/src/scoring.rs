//! Which games these are: one player or two, with goals that always have the same sum.

use crate::flaw::Flaw;
use crate::rules::{GOAL, LEGAL, Term};
use crate::sheet::Sheet;
use proofplay_core::{Bounds, Score};
use std::fmt;

/// How goals become scores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Scoring {
    pub roles: usize,
    /// What the goals of two roles add up to.
    sum: i32,
    /// Goals are 0, 50 and 100: loss, draw and win. All others are points.
    simple: bool,
    range: Bounds,
}

/// The score of a position that breaks a promise of the game. It lies outside the range of every game, so that
/// searches refuse it.
pub(crate) const FAULTY: Score = Score(i16::MIN);

/// Why a position has no value: the rules do not make a game of it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// Several roles have a choice at once.
    Simultaneous,
    /// A role has no legal move although the game is not over.
    Stuck {
        /// The name of the role.
        role: String,
    },
    /// A role has no goal at the end, or several.
    Goals {
        /// The name of the role.
        role: String,
        /// All goals that hold.
        found: Vec<String>,
    },
    /// The goals of the two roles do not add up to what they should.
    Sum {
        /// The goals of the roles.
        found: [i32; 2],
        /// What they should add up to.
        expected: i32,
    },
    /// The rules have too many consequences in this position.
    TooLarge,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Simultaneous => f.write_str(
                "two roles have a choice at once: simultaneous moves are not played, only games in turns",
            ),
            Fault::Stuck { role } => {
                write!(
                    f,
                    "`{role}` has no legal move, but the game is not over: the rules must not allow that"
                )
            }
            Fault::Goals { role, found } if found.is_empty() => {
                write!(f, "`{role}` has no goal at the end: there must be one from 0 to 100")
            }
            Fault::Goals { role, found } => {
                write!(
                    f,
                    "`{role}` has the goals {} at the end: there must be one from 0 to 100",
                    found.join(", ")
                )
            }
            Fault::Sum { found: [a, b], expected } => write!(
                f,
                "the goals {a} and {b} do not add up to {expected}: what one gains, the other must lose"
            ),
            Fault::TooLarge => f.write_str("the rules have too many consequences in this position"),
        }
    }
}

impl std::error::Error for Fault {}

/// The value of a goal from its text.
pub(crate) fn value_of(goal: &str) -> Option<i32> {
    goal.parse().ok().filter(|value| (0..=100).contains(value))
}

impl Scoring {
    /// Refuses sheets whose rules show that they are no game for us.
    pub fn new(sheet: &Sheet) -> Result<Scoring, Flaw> {
        let roles = sheet.roles();
        let rules = &sheet.checked.rules;
        if roles.len() > 2 {
            let third = rules.iter().filter(|rule| rule.head.pred == crate::rules::ROLE).nth(2);
            let message = format!("{} roles; games have one or two", roles.len());
            return Err(third.map_or_else(
                || Flaw::whole(&*message),
                |rule| Flaw::at(&sheet.source, rule.span, &*message),
            ));
        }
        if let Some(rule) = rules
            .iter()
            .find(|rule| rule.head.pred == crate::rules::ROLE && roles.iter().any(|role| role == "random"))
        {
            return Err(Flaw::at(
                &sheet.source,
                rule.span,
                "the role `random`: games with chance are not played",
            ));
        }
        // Values that rules name, and whether there are others.
        let (mut values, mut open) = (Vec::new(), false);
        for rule in rules.iter().filter(|rule| rule.head.pred == GOAL) {
            match &rule.head.args[1] {
                Term::Func(sym, args) => {
                    let value = sheet.names.word(*sym).parse().ok().filter(|_| args.is_empty());
                    let value = value.filter(|value| (0..=100).contains(value)).ok_or_else(|| {
                        Flaw::at(&sheet.source, rule.span, "a goal is a whole number from 0 to 100")
                    })?;
                    values.push(value);
                }
                Term::Var(_) => open = true,
            }
        }
        let simple = !open && values.iter().all(|value: &i32| matches!(value, 0 | 50 | 100));
        let (low, high) = if open {
            (0, 100)
        } else {
            (values.iter().copied().min().unwrap_or(0), values.iter().copied().max().unwrap_or(0))
        };
        let sum = low + high;
        let points = |value: i32| Score(if roles.len() == 2 { 2 * value - sum } else { value } as i16);
        let range = if simple { Bounds::WDL } else { Bounds::new(points(low), points(high)) };
        Ok(Scoring { roles: roles.len(), sum: if simple { 100 } else { sum }, simple, range })
    }

    pub fn range(&self) -> Bounds {
        self.range
    }

    /// The score of an end, from the texts of all goals that hold for each role.
    pub fn score(&self, sheet: &Sheet, goals: &[Vec<String>]) -> Result<Score, Fault> {
        let mut values = [0; 2];
        for (role, found) in goals.iter().enumerate() {
            let value = match &found[..] {
                [one] => value_of(one),
                _ => None,
            };
            let Some(value) = value else {
                return Err(Fault::Goals { role: sheet.roles()[role].clone(), found: found.clone() });
            };
            values[role] = value;
        }
        self.score_of(values)
    }

    /// The score of an end, from the value of the one goal of each role.
    pub fn score_of(&self, values: [i32; 2]) -> Result<Score, Fault> {
        if self.roles == 2 && values[0] + values[1] != self.sum {
            return Err(Fault::Sum { found: values, expected: self.sum });
        }
        let score = match (self.simple, self.roles) {
            (true, _) => values[0] / 50 - 1,
            (false, 2) => values[0] - values[1],
            (false, _) => values[0],
        };
        Ok(Score(score as i16))
    }
}

impl Fault {
    /// The fault with a rule that shows it.
    pub(crate) fn flaw(&self, sheet: &Sheet, met: &str) -> Flaw {
        let pred = match self {
            Fault::Goals { .. } | Fault::Sum { .. } => GOAL,
            _ => LEGAL,
        };
        let message = format!("{self} ({met})");
        // For moves at once, a rule of the second role.
        let second = |rule: &&crate::rules::Rule| match &rule.head.args[0] {
            Term::Func(sym, _) => sheet.roles().get(1).is_none_or(|role| role == sheet.names.word(*sym)),
            Term::Var(_) => true,
        };
        let mut rules = sheet.checked.rules.iter().filter(|rule| rule.head.pred == pred);
        match rules.clone().find(second).or_else(|| rules.next()) {
            Some(rule) if *self != Fault::TooLarge => Flaw::at(&sheet.source, rule.span, message),
            _ => Flaw::whole(format!("{}: {message}", sheet.name())),
        }
    }
}
