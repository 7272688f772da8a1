//! A position played to the end by one search for both sides, with what it thinks of each move.

use crate::{LabError, Study, plan, signature};
use proofplay_core::{Line, Player as Side};
use proofplay_front::game::{End, Game};
use proofplay_front::player::{Answer, Choice, Player, PlayerError, Searcher, Turn};
use proofplay_front::record::Record;
use proofplay_registry::{game, reach};
use proofplay_search::{Limits, MoveReport, Report, Resources, SearchSpec, Verdict};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A position that a search plays to its end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Course {
    /// The game and what leads to the position.
    #[serde(flatten, with = "plan::LineFields")]
    pub line: Line,
    /// The search.
    #[serde(rename = "algorithm", with = "plan::text")]
    pub spec: SearchSpec,
    /// Simulations for each move.
    pub playouts: u64,
    /// It ends after this many moves, if not before.
    pub most_plies: u32,
    /// Bytes for the tree.
    pub memory: usize,
    /// Where random numbers start.
    pub seed: u64,
}

/// A move of a course.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The move.
    pub mv: String,
    /// The chance that the first player wins, from 0 to 1, as the search saw it before the move.
    pub first: f64,
    /// Whether that was proven.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub proven: bool,
}

/// What became of a course.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// The moves.
    pub steps: Vec<Step>,
    /// The score for the first player; `None` if it did not end by the rules.
    pub score: Option<i16>,
}

impl Played {
    /// After how many moves the search was right about the winner for good: it gave them at least this
    /// chance before every later move. `None` if it never was.
    pub fn right_after(&self, winner: Side, chance: f64) -> Option<usize> {
        let of_winner = |step: &Step| if winner == Side::First { step.first } else { 1.0 - step.first };
        let right = self.steps.iter().rev().take_while(|step| of_winner(step) >= chance).count();
        (right > 0).then(|| self.steps.len() - right)
    }
}

impl Study for Course {
    type Outcome = Played;
    const KIND: &'static str = "course";

    fn signature(&self) -> Result<String, LabError> {
        signature(game(&self.line.game)?.start().as_ref(), &[&self.spec])
    }

    fn trial(&self, number: u32, stop: &Arc<AtomicBool>) -> Result<Option<Played>, LabError> {
        let resources = Resources { memory: self.memory, ..Resources::default() };
        let limits = Limits { simulations: Some(self.playouts), ..Limits::default() };
        let seed = [self.seed, u64::from(number)];
        let search = Searcher::new(self.spec.clone(), resources).limited_by(limits).seeded(&seed);
        let record = Record::new(reach(&self.line)?);
        let mut game = Game::new(record).at_most(self.most_plies as usize).stopped_by(stop);
        let mut player = Watched { search, steps: Vec::new() };
        loop {
            if let Some(end) = game.end() {
                let score = if let End::Rules(score) = end { Some(score.0) } else { None };
                return Ok(Some(Played { steps: player.steps, score }));
            }
            if game.ask(&mut player)?.is_none() {
                return Ok(None);
            }
        }
    }
}

/// A search that notes what it thinks.
struct Watched {
    search: Searcher,
    steps: Vec<Step>,
}

impl Player for Watched {
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
        let (report, pos) = (self.search.report(turn)?, turn.record.now());
        let answer = Answer::of_report(&report, pos).ok_or_else(|| PlayerError::NoMove {
            search: self.search.spec().to_string(),
            position: pos.text(),
        })?;
        let (first, proven) = chance(&report);
        self.steps.push(Step { mv: answer.mv.clone(), first, proven });
        Ok(Choice::Move(answer))
    }
}

/// The chance that the first player wins, and whether that is proven. A search that plays a move without
/// a visit, since all others are proven to lose, has the mean of all its simulations.
fn chance(report: &Report<String>) -> (f64, bool) {
    match Verdict::of(report.bounds, Side::First) {
        Verdict::Win => return (1.0, true),
        Verdict::Draw => return (0.5, true),
        Verdict::Loss => return (0.0, true),
        _ => {}
    }
    let of = |m: &MoveReport<String>| Some(m.wins.unwrap_or((m.mean? + 1.0) / 2.0));
    let best = report.moves.iter().find(|m| Some(&m.mv) == report.best.as_ref());
    let chance = best.and_then(of).unwrap_or_else(|| {
        let seen = report.moves.iter().filter_map(|m| Some((of(m)?, m.visits as f64)));
        let (sum, visits) = seen.fold((0.0, 0.0), |(sum, all), (chance, n)| (sum + chance * n, all + n));
        if visits > 0.0 { sum / visits } else { 0.5 }
    });
    (chance, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// X wins, and a search that proves knows it at once; one that does not still plays to the end.
    #[test]
    fn courses_are_played_to_the_end() {
        let line = Line::start("tictactoe").then("b2 a2");
        for (spec, is_proven) in [("mcts", true), ("mcts:proof=none", false)] {
            let course = Course {
                line: line.clone(),
                spec: spec.parse().unwrap(),
                playouts: 5000,
                most_plies: 9,
                memory: 1 << 22,
                seed: 1,
            };
            assert_eq!(serde_json::from_value::<Course>(course.plan()).unwrap(), course);
            let played = course.trial(0, &Arc::default()).unwrap().unwrap();
            assert_eq!(played.score, Some(1));
            assert_eq!(played.steps[0].proven, is_proven, "{spec}");
            assert_eq!(played.right_after(Side::First, 0.7), Some(0));
            assert_eq!(played.right_after(Side::Second, 0.7), None);
            assert_eq!(course.trial(0, &Arc::default()).unwrap().unwrap(), played);
        }
        let step = |first| Step { mv: String::new(), first, proven: false };
        let played = Played { steps: [0.9, 0.2, 0.8, 0.9].map(step).to_vec(), score: None };
        assert_eq!(played.right_after(Side::First, 0.8), Some(2));
        assert_eq!(played.right_after(Side::First, 0.1), Some(0));
        assert_eq!(played.right_after(Side::Second, 0.05), Some(0));
        assert_eq!(played.right_after(Side::Second, 0.15), None);
    }
}
