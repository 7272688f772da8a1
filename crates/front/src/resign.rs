//! Resigning by a rule: a search that has seen no hope for some moves in a row gives the game up.

use crate::player::{Choice, Player, PlayerError, Searcher, Turn};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt;
use std::str::FromStr;

/// When a search resigns: `below=5,moves=3`.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Resignation {
    /// It hopes for less than this, in per cent; a draw is half a win.
    pub below: f64,
    /// For so many of its moves in a row.
    pub moves: u32,
}

impl fmt::Display for Resignation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "below={},moves={}", self.below, self.moves)
    }
}

impl FromStr for Resignation {
    type Err = String;

    fn from_str(text: &str) -> Result<Resignation, String> {
        let wrong = || {
            format!(
                "`{text}`: expected below=PERCENT,moves=N with PERCENT above 0 and at most 50 and N from 1, \
                 e.g. below=5,moves=3"
            )
        };
        let (below, moves) =
            text.strip_prefix("below=").and_then(|rest| rest.split_once(",moves=")).ok_or_else(wrong)?;
        let below = below.parse().ok().filter(|&below: &f64| below > 0.0 && below <= 50.0);
        let moves = moves.parse().ok().filter(|&moves: &u32| moves > 0);
        Ok(Resignation { below: below.ok_or_else(wrong)?, moves: moves.ok_or_else(wrong)? })
    }
}

impl Serialize for Resignation {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Resignation {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Resignation, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

impl Resignation {
    /// Whether a player resigns whose last move had this chance, where it is known; `hopeless` counts
    /// such moves.
    fn decides(self, chance: Option<f64>, hopeless: &mut u32) -> bool {
        let is_hopeless = chance.is_some_and(|chance| 100.0 * chance < self.below);
        *hopeless = if is_hopeless { *hopeless + 1 } else { 0 };
        *hopeless >= self.moves
    }
}

/// A search that resigns by a rule, or never.
#[derive(Debug)]
pub struct Resigning {
    /// The search.
    pub player: Searcher,
    rule: Option<Resignation>,
    hopeless: u32,
}

impl Resigning {
    /// A search at the start of a game.
    pub fn new(player: Searcher, rule: Option<Resignation>) -> Resigning {
        Resigning { player, rule, hopeless: 0 }
    }
}

impl Player for Resigning {
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
        let choice = self.player.choose(turn)?;
        let chance = if let Choice::Move(answer) = &choice { answer.chance() } else { None };
        let gives_up = self.rule.is_some_and(|rule| rule.decides(chance, &mut self.hopeless));
        Ok(if gives_up { Choice::Resign } else { choice })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;
    use proofplay_registry::game;
    use proofplay_search::Resources;
    use std::sync::Arc;

    #[test]
    fn rules() {
        for text in ["below=5,moves=3", "below=0.5,moves=1", "below=50,moves=99"] {
            assert_eq!(text.parse::<Resignation>().unwrap().to_string(), text);
        }
        for bad in [
            "",
            "5",
            "below=5",
            "below=0,moves=1",
            "below=51,moves=1",
            "below=5,moves=0",
            "below=NaN,moves=1",
        ] {
            let error = bad.parse::<Resignation>().unwrap_err();
            assert!(error.contains("below=5,moves=3"), "{error}");
        }
    }

    #[test]
    fn hope_in_between_counts_anew() {
        let rule: Resignation = "below=5,moves=2".parse().unwrap();
        let mut hopeless = 0;
        let mut decides = |chance| rule.decides(chance, &mut hopeless);
        let decided = [Some(0.04), Some(0.05), Some(0.01), None, Some(0.0), Some(0.0)].map(&mut decides);
        assert_eq!(decided, [false, false, false, false, false, true]);
    }

    /// O cannot hold two rows of X.
    #[test]
    fn a_lost_game_is_given_up() {
        let mut record = Record::new(game("tictactoe").unwrap().start());
        "a1 b1 a3 a2 c3".split(' ').for_each(|mv| record.play(mv).unwrap());
        let choose = |rule: Option<&str>| {
            let search = Searcher::new("alphabeta".parse().unwrap(), Resources::default());
            let mut player = Resigning::new(search, rule.map(|rule| rule.parse().unwrap()));
            player.choose(&Turn::new(&record, &Arc::default())).unwrap()
        };
        assert_eq!(choose(Some("below=5,moves=1")), Choice::Resign);
        assert!(matches!(choose(Some("below=5,moves=2")), Choice::Move(_)));
        assert!(matches!(choose(None), Choice::Move(_)));
    }
}
