//! Answers as JSON: one vocabulary for all front ends. docs/JSON.md has every field of every
//! answer.
//!
//! A type for each kind of answer; those of experiments are in the lab. Fields that are called an
//! old name stay for this version.

mod board;
mod list;
mod position;
mod review;
mod search;
mod table;
mod tree;

pub use board::{Board, CellShown, MoveCells, Picture, PlyMade};
pub use list::{Categories, Category, Completions, GameInfo, GameRules, SearchInfo, SettingInfo};
pub use position::{Counted, Here, Replayed, Shown};
pub use review::{MoveJudged, Played, Reviewed, WorthTo};
pub use search::{
    Analyzed, BadLine, CertificateFile, CheckpointFile, Chosen, Found, Lined, MoveThought, MoveValue, Solved,
    Undecided, Verified, proven,
};
pub use table::TableJson;
pub use tree::{Branch, TreeShown};

use crate::points::Points;
use proofplay_core::Bounds;
use serde::{Serialize, Serializer};

/// A lower and an upper bound, in the view of the player who began.
pub type Pair = [Points; 2];

/// Bounds in the game of this name as JSON has them.
pub fn pair(game: &str, bounds: Bounds) -> Pair {
    [bounds.pess, bounds.opti].map(|score| Points::of(game, score))
}

/// Something for each of several moves, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ByMove<T>(pub Vec<(String, T)>);

impl<T: Serialize> Serialize for ByMove<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(mv, of_it)| (mv, of_it)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Loss;
    use crate::record::Record;
    use proofplay_registry::game;
    use proofplay_search::Report;

    fn keys(answer: &impl Serialize) -> Vec<String> {
        let value = serde_json::to_value(answer).unwrap();
        value.as_object().unwrap().keys().cloned().collect()
    }

    #[test]
    fn moves_keep_their_order() {
        let by_move = ByMove(vec![("c1".to_owned(), 2), ("a1".to_owned(), 1)]);
        assert_eq!(serde_json::to_string(&by_move).unwrap(), r#"{"c1":2,"a1":1}"#);
    }

    /// What is only there when something went wrong.
    #[test]
    fn rare_fields() {
        let pos = game("tictactoe").unwrap().start();
        let report = Report::new(pos.range());
        let mut solved = Solved::new(pos.as_ref(), "pns", 1, &report);
        let usual = keys(&solved);
        solved.unwritten.push("cannot write `x`".to_owned());
        solved.certificate =
            Some(CertificateFile { why_not: Some("stopped".to_owned()), ..Default::default() });
        let rare: Vec<_> = keys(&solved).into_iter().filter(|key| !usual.contains(key)).collect();
        assert_eq!(rare, ["certificate", "unwritten"]);
        assert!(keys(solved.certificate.as_ref().unwrap()).contains(&"why_not".to_owned()));
        let record = Record::new(pos);
        for (loss, text) in [
            (Loss::Time, r#""time""#),
            (Loss::Resigned, r#""resigned""#),
            (Loss::Illegal("z9".to_owned()), r#"{"illegal":"z9"}"#),
            (Loss::Crashed("x".to_owned()), r#"{"crashed":"x"}"#),
            (Loss::Silent("x".to_owned()), r#"{"silent":"x"}"#),
            (Loss::Failed("x".to_owned()), r#"{"failed":"x"}"#),
        ] {
            let answer = serde_json::to_value(Replayed::new(&record, Some(loss))).unwrap();
            assert_eq!(answer["lost_by"].to_string(), text);
        }
        assert!(!keys(&Replayed::new(&record, None)).contains(&"lost_by".to_owned()));
    }
}
