//! Answers about positions and lines of play.

use super::ByMove;
use crate::answer::outcome_word;
use crate::game::Loss;
use crate::points::Points;
use crate::record::{Ply, Record};
use crate::sgf::NotFollowed;
use proofplay_core::TextError;
use proofplay_registry::DynPosition;
use serde::Serialize;

/// Which position an answer is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Here {
    /// The game with its parameters.
    pub game: String,
    /// The position as text.
    pub position: String,
    /// `first` or `second`; null when the game is over.
    pub to_move: Option<String>,
}

impl Here {
    /// This one.
    pub fn new(pos: &dyn DynPosition) -> Here {
        let to_move = pos.outcome().is_none().then(|| pos.turn().to_string());
        Here { game: pos.game(), position: pos.text(), to_move }
    }
}

/// A position: `show`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Shown {
    /// The position.
    #[serde(flatten)]
    pub here: Here,
    /// The legal moves.
    pub legal: Vec<String>,
    /// `first`, `second` or `draw`; null while the game goes on.
    pub outcome: Option<String>,
    /// The score in the view of the player who began; null while the game goes on.
    pub score: Option<Points>,
    /// The position after each move, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<ByMove<String>>,
}

impl Shown {
    /// A position.
    pub fn new(pos: &dyn DynPosition) -> Shown {
        let outcome = pos.outcome();
        Shown {
            here: Here::new(pos),
            legal: pos.legal(),
            outcome: outcome.map(outcome_word),
            score: outcome.map(|score| Points::of(&pos.game(), score)),
            after: None,
        }
    }

    /// The same with the position after each move.
    pub fn with_moves(self, pos: &dyn DynPosition) -> Result<Shown, TextError> {
        let next = |mv: &String| {
            let mut next = pos.boxed();
            next.play(mv)?;
            Ok((mv.clone(), next.text()))
        };
        let after = self.legal.iter().map(next).collect::<Result<_, TextError>>()?;
        Ok(Shown { after: Some(ByMove(after)), ..self })
    }
}

/// How many lines of play there are: `perft`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Counted {
    /// The position.
    #[serde(flatten)]
    pub here: Here,
    /// The moves of a line.
    pub depth: u32,
    /// The number of lines; null if it was stopped.
    pub count: Option<u64>,
    /// The number of lines for each first move, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub divide: Option<ByMove<u64>>,
}

/// A game so far: `replay` and `play`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Replayed<'a> {
    /// The position at its end.
    #[serde(flatten)]
    pub here: Here,
    /// The moves that were made.
    pub plies: &'a [Ply],
    /// `first`, `second` or `draw` by the rules; null while the game goes on.
    pub outcome: Option<String>,
    /// The score in the view of the player who began; null while the game goes on.
    pub score: Option<Points>,
    /// What has lost the game to the player to move, if not the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_by: Option<Loss>,
    /// What the SGF file of the game has beside this line, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_followed: Option<NotFollowed>,
    /// Which moves, from 1, the SGF file does not have: passes between two moves of one colour.
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    pub added_passes: &'a [usize],
}

impl Replayed<'_> {
    /// A record.
    pub fn new(record: &Record, lost_by: Option<Loss>) -> Replayed<'_> {
        let outcome = record.now().outcome();
        Replayed {
            here: Here::new(record.now()),
            plies: &record.plies,
            outcome: outcome.map(outcome_word),
            score: outcome.map(|score| Points::of(&record.now().game(), score)),
            lost_by,
            not_followed: record.not_followed(),
            added_passes: record.added_passes(),
        }
    }
}
