//! Three evaluation functions, in the spirit of three generations of the program MIA.
//!
//! - [`Evaluator::Mia2000`]: how far the pieces are from their centre of mass. Winands, "Analysis
//!   and implementation of Lines of Action", master's thesis, Maastricht 2000.
//! - [`Evaluator::Mia2002`]: more features, with weights found by play. Winands et al., "Temporal
//!   difference learning and the Neural MoveMap heuristic in the game of Lines of Action", GAME-ON
//!   2002; Winands, Uiterwijk & van den Herik, "The quad heuristic in Lines of Action", ICGA
//!   Journal 24(1), 2001.
//! - [`Evaluator::Mia2006`]: all nine features of \[WHU03\], which MIA 2006 kept (Winands & van den
//!   Herik, "MIA: a world champion LOA program", GPW 2006).
//!
//! The weights of MIA are not printed. Ours come from play: beginning with a guess, weights were
//! halved and doubled, and a change accepted when it scored more than 54 % in a match of 240 games
//! or more, both sides looking two moves ahead. The result: 1000 games each of that kind, and 400
//! games each by alpha-beta with 1000 nodes a move
//! (`proofplay match --game loa --a alphabeta:deepen=on@loa:8x8,eval=2006 --b alphabeta:deepen=on@loa:8x8,eval=2002 --nodes 1000 --games 400 --openings random:4 --most-moves 200 --memory 16MiB`),
//! with 95 % intervals:
//!
//! | match | two moves ahead | 1000 nodes |
//! |---|---|---|
//! | 2002 against 2000 | 68.8 % ± 2.9 | 56.8 % (51.9 to 61.5) |
//! | 2006 against 2002 | 56.8 % ± 3.1 | 55.6 % (50.7 to 60.4) |
//! | 2006 against 2000 | 71.4 % ± 2.8 | 65.9 % (61.1 to 70.4) |

use super::Board;
use super::features::{Feature, PerFeature};
use crate::board::Word;
use proofplay_core::Position;
use proofplay_core::num::exp;

/// An evaluation function.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Evaluator {
    /// Distance to the centre of mass.
    Mia2000,
    /// Also centralisation, quads, mobility and the side to move.
    Mia2002,
    /// Also the place of the centre of mass, walls, connectedness and uniformity.
    #[default]
    Mia2006,
}

/// The log odds of winning that 1000 points are taken for: 20 games in 21. Untuned.
const LOG_ODDS: f64 = 3.0;

impl Evaluator {
    /// All, the weakest first.
    pub const ALL: [Evaluator; 3] = [Evaluator::Mia2000, Evaluator::Mia2002, Evaluator::Mia2006];

    /// What it is called in parameters: the year of its model.
    pub fn year(self) -> &'static str {
        match self {
            Evaluator::Mia2000 => "2000",
            Evaluator::Mia2002 => "2002",
            Evaluator::Mia2006 => "2006",
        }
    }

    /// The one of a year.
    pub fn of_year(year: &str) -> Option<Evaluator> {
        Evaluator::ALL.into_iter().find(|evaluator| evaluator.year() == year)
    }

    /// Whether it looks at a feature.
    pub fn uses(self, feature: Feature) -> bool {
        match self {
            Evaluator::Mia2000 => feature == Feature::Concentration,
            Evaluator::Mia2002 => matches!(
                feature,
                Feature::Concentration
                    | Feature::Centralisation
                    | Feature::Quads
                    | Feature::Mobility
                    | Feature::ToMove
            ),
            Evaluator::Mia2006 => true,
        }
    }

    /// Its weights in points, in the order of [`Feature::ALL`]; 0 for what it does not look at.
    pub const fn weights(self) -> PerFeature {
        match self {
            Evaluator::Mia2000 => [2000.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            Evaluator::Mia2002 => [2000.0, 180.0, 0.0, 40.0, 100.0, 0.0, 0.0, 0.0, 20.0],
            Evaluator::Mia2006 => [2000.0, 180.0, 20.0, 40.0, 200.0, 12.0, 50.0, 200.0, 20.0],
        }
    }
}

/// The worth of a position that is not over in points, in the view of `First`. Features of weight 0
/// are not looked at.
pub fn points<W: Word>(pos: &Board<W>, weights: &PerFeature) -> f32 {
    let lead = Feature::lead(pos, |feature| weights[feature as usize] != 0.0);
    lead.iter().zip(weights).map(|(lead, weight)| lead * weight).sum()
}

/// The worth of a position in [-1, 1], in the view of `First`: the outcome once the game is over,
/// else the expected mean score for its points. 1000 points are a value of 0.905.
pub(super) fn value<W: Word>(pos: &Board<W>, weights: &PerFeature) -> f32 {
    match pos.outcome() {
        Some(score) => f32::from(score.0),
        None => {
            let log_odds = LOG_ODDS / 1000.0 * f64::from(points(pos, weights));
            (1.0 - 2.0 / (1.0 + exp(log_odds))) as f32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loa::{Loa, Setup};
    use proofplay_core::Game;

    fn at(text: &str) -> Board<u64> {
        Loa::<u64>::new(Setup::default()).parse(text).unwrap()
    }

    #[test]
    fn weights_are_of_used_features() {
        for evaluator in Evaluator::ALL {
            for feature in Feature::ALL {
                let weight = evaluator.weights()[feature as usize];
                assert_eq!(weight != 0.0, evaluator.uses(feature), "{evaluator:?} {feature:?}");
            }
        }
        // Each uses the features of those before it, and more.
        let used = Evaluator::ALL.map(|e| Feature::ALL.into_iter().filter(|&f| e.uses(f)).count());
        assert_eq!(used, [1, 5, 9]);
    }

    /// Exchanging the colours and the side to move turns the sign; symmetries change nothing.
    #[test]
    fn fair_to_both() {
        let pos = at("..b...../.b.w..../..bw.w../...bw.../..b...w./..w...../......b./........ w");
        let exchanged = at("..w...../.w.b..../..wb.b../...wb.../..w...b./..b...../......w./........ b");
        for weights in Evaluator::ALL.map(Evaluator::weights) {
            assert!((points(&pos, &weights) + points(&exchanged, &weights)).abs() < 1e-3);
            assert!((value(&pos, &weights) + value(&exchanged, &weights)).abs() < 1e-6);
            // The centre of mass is rounded up, so mirrors may differ; transposing does not.
            assert!((points(&pos, &weights) - points(&pos.transformed(4), &weights)).abs() < 1e-3);
        }
    }

    /// B nearly together against scattered W.
    #[test]
    fn prefers_the_nearer_win() {
        let pos = at("w......w/......../...bb.../..bbb.../...b..../.....b../......../w..w...w b");
        let over = at("......../......../...bb.../...b..../......../......../......../w......w w");
        for weights in Evaluator::ALL.map(Evaluator::weights) {
            assert!(value(&pos, &weights) > 0.5, "{}", points(&pos, &weights));
            assert_eq!(value(&over, &weights), 1.0);
        }
    }

    #[test]
    fn a_thousand_points_are_twenty_in_twenty_one() {
        let pos = at("......../......../......../...b..../...bb..b/......../w......./.w.....w b");
        // Only the move: First has it.
        let weights = |points| [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, points];
        assert_eq!(points(&pos, &weights(1000.0)), 1000.0);
        assert!((value(&pos, &weights(1000.0)) - 0.905).abs() < 1e-3);
        assert_eq!(value(&pos, &weights(0.0)), 0.0);
    }
}
