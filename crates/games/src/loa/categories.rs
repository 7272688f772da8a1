//! Move categories and how often their moves are played: what informed playouts and progressive bias draw from.
//!
//! Winands, Björnsson & Saito \[WBS08\] section 3.1, after the realization-probability search of MIA: a move is a capture or
//! not; it leaves and enters one of five regions (corners, rim, second ring, third ring, the middle); and it brings the
//! piece so many cells nearer to the centre of mass, or further away.
//!
//! The paper says that 277 categories can occur and not how distances are taken. Ours: the centre of mass of the
//! mover's pieces before the move, rounded to a cell; king's steps from there to the origin less those to the
//! destination, from -7 to +7. Counted over every line from cell to cell and every centre on 8x8, 251 triples of origin,
//! destination and distance can occur: 502 categories, and one for the pass. Numbers leave room for all 750. On other
//! boards the fifth region is all that is inside of the third ring, and distances beyond 7 count as 7.

use super::evaluate::king_steps;
use super::{Board, PASS, Step, ends};
use crate::board::Word;
use crate::board::text::MAX_CELLS;
use proofplay_core::{Position, TextError};
use std::fmt;
use std::sync::LazyLock;

const KINDS: [&str; 2] = ["quiet", "capture"];
const REGIONS: [&str; 5] = ["corner", "rim", "second", "third", "middle"];
/// Distances go from minus to plus this.
const FARTHEST: i32 = 7;
const DISTANCES: usize = 2 * FARTHEST as usize + 1;

/// How many category numbers there are: all combinations, and the pass.
pub const CATEGORIES: usize = KINDS.len() * REGIONS.len() * REGIONS.len() * DISTANCES + 1;

/// The category of a move of `pos`, below [`CATEGORIES`].
pub fn category<W: Word>(pos: &Board<W>, mv: Step) -> u16 {
    Classifier::new(pos).category(mv)
}

/// The categories of one position.
pub(super) struct Classifier<'a, W: Word> {
    pos: &'a Board<W>,
    centre: u32,
}

impl<'a, W: Word> Classifier<'a, W> {
    pub fn new(pos: &'a Board<W>) -> Self {
        Classifier { pos, centre: pos.lines.centre_of_mass(pos.pieces(pos.turn())) }
    }

    /// The category of a move.
    pub fn category(&self, mv: Step) -> u16 {
        if mv == PASS {
            return CATEGORIES as u16 - 1;
        }
        let (from, to) = ends(mv);
        let lines = &self.pos.lines;
        let region =
            |cell: u32| usize::from(lines.rings[cell as usize % MAX_CELLS as usize]).min(REGIONS.len() - 1);
        let size = lines.grid.cols;
        let nearer = king_steps(size, from, self.centre) - king_steps(size, to, self.centre);
        let capture = self.pos.pieces(!self.pos.turn()).has(to);
        number_of(usize::from(capture), region(from), region(to), nearer.clamp(-FARTHEST, FARTHEST)) as u16
    }
}

/// The number of a category other than the pass.
fn number_of(kind: usize, origin: usize, destination: usize, distance: i32) -> usize {
    ((kind * REGIONS.len() + origin) * REGIONS.len() + destination) * DISTANCES
        + (distance + FARTHEST) as usize
}

/// The name of a category: kind, origin, destination and distance.
fn name_of(category: usize) -> String {
    if category == CATEGORIES - 1 {
        return "pass - - 0".to_owned();
    }
    let (rest, distance) = (category / DISTANCES, (category % DISTANCES) as i32 - FARTHEST);
    let (rest, destination) = (rest / REGIONS.len(), REGIONS[rest % REGIONS.len()]);
    let (kind, origin) = (KINDS[rest / REGIONS.len()], REGIONS[rest % REGIONS.len()]);
    format!("{kind} {origin} {destination} {distance:+}")
}

/// The least probability of a learned table: what was never played may still be tried.
const LEAST: f32 = 1e-4;

/// The probability that a move of each category is played where one can be: P_c in the paper.
#[derive(Clone, PartialEq, Debug)]
pub struct Transitions {
    probabilities: Vec<f32>,
    otherwise: f32,
}

impl Transitions {
    /// The shipped table.
    pub fn shipped() -> &'static Transitions {
        static SHIPPED: LazyLock<Transitions> = LazyLock::new(|| {
            Transitions::parse(include_str!("categories.txt")).expect("the shipped table is well written")
        });
        &SHIPPED
    }

    /// A table learned from play: for each category in how many positions it was available and in how many played. A
    /// category that was never available gets `otherwise`.
    pub fn learned(counts: &[(u64, u64)], otherwise: f32) -> Transitions {
        let mut probabilities = vec![otherwise; CATEGORIES];
        for (probability, &(available, played)) in probabilities.iter_mut().zip(counts) {
            if available > 0 {
                *probability = (played as f32 / available as f32).max(LEAST);
            }
        }
        Transitions { probabilities, otherwise }
    }

    /// Reads a table as [`Transitions`] are written.
    pub fn parse(text: &str) -> Result<Transitions, TextError> {
        let (mut otherwise, mut named) = (None, Vec::new());
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            let wrong = |expected: &str| TextError::new("category", line, expected);
            let (name, probability) =
                line.rsplit_once(' ').ok_or_else(|| wrong("a name and a probability"))?;
            let probability = read_probability(probability)
                .ok_or_else(|| wrong("the probability is a number above 0, at most 1"))?;
            if name == "otherwise" {
                otherwise = Some(probability);
            } else {
                let category = (0..CATEGORIES).find(|&category| name_of(category) == name);
                named.push((category.ok_or_else(|| wrong("no category has this name"))?, probability));
            }
        }
        let otherwise = otherwise
            .ok_or_else(|| TextError::new("categories", "", "a line `otherwise PROBABILITY` is missing"))?;
        let mut probabilities = vec![otherwise; CATEGORIES];
        for (category, probability) in named {
            probabilities[category] = probability;
        }
        Ok(Transitions { probabilities, otherwise })
    }

    /// The probability of a category.
    ///
    /// # Panics
    /// If there is no such category.
    #[inline]
    pub fn probability(&self, category: u16) -> f32 {
        self.probabilities[usize::from(category)]
    }
}

impl fmt::Display for Transitions {
    /// One line for each category that differs from the rest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "otherwise {}", self.otherwise)?;
        let differs = |&(_, probability): &(usize, &f32)| *probability != self.otherwise;
        for (category, probability) in self.probabilities.iter().enumerate().filter(differs) {
            writeln!(f, "{} {probability}", name_of(category))?;
        }
        Ok(())
    }
}

fn read_probability(text: &str) -> Option<f32> {
    text.parse().ok().filter(|probability| 0.0 < *probability && *probability <= 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loa::{Loa, Setup};
    use proofplay_core::Game;
    use std::collections::HashSet;

    fn categories_of(text: &str) -> Vec<(String, String)> {
        let game = Loa::<u64>::new(Setup { size: 8 });
        let pos = game.parse(text).unwrap();
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        moves.iter().map(|&mv| (game.show_move(&pos, mv), name_of(category(&pos, mv).into()))).collect()
    }

    /// B on a1, h1 and e5: the centre of mass is (4 2/3, 2 1/3) from the left and below, rounded e2.
    #[test]
    fn by_hand() {
        let named =
            categories_of("......../......../..w...../....b.../......../......../......../b...w..b b");
        assert!(named.contains(&("h1xe1".to_owned(), "capture corner rim +2".to_owned())), "{named:?}");
    }

    /// The count that the header gives: every line from cell to cell with every centre.
    #[test]
    fn how_many_can_occur() {
        let start = Loa::<u64>::new(Setup { size: 8 }).start();
        let mut seen = HashSet::new();
        for (from, to) in (0..64).flat_map(|from| (0..64).map(move |to| (from, to))) {
            let (dc, dr) = ((from % 8u32).abs_diff(to % 8), (from / 8u32).abs_diff(to / 8));
            if from != to && (dc == 0 || dr == 0 || dc == dr) {
                for centre in 0..64 {
                    let classifier = Classifier { pos: &start, centre };
                    // The kind depends on what stands there: taken out of the number.
                    seen.insert(
                        usize::from(classifier.category(super::super::step(from, to))) % (CATEGORIES / 2),
                    );
                }
            }
        }
        assert_eq!((seen.len(), CATEGORIES), (251, 751));
    }

    #[test]
    fn tables_are_read_as_they_are_written() {
        assert_eq!(
            Transitions::parse(&Transitions::shipped().to_string()).as_ref(),
            Ok(Transitions::shipped())
        );
        let mut counts = vec![(0, 0); CATEGORIES];
        (counts[3], counts[700], counts[750]) = ((10, 4), (7, 0), (9, 9));
        let learned = Transitions::learned(&counts, 0.05);
        assert_eq!([3, 4, 700, 750].map(|c| learned.probability(c)), [0.4, 0.05, LEAST, 1.0]);
        assert_eq!(Transitions::parse(&learned.to_string()), Ok(learned));
        for bad in ["", "otherwise 2", "otherwise 0", "otherwise x", "otherwise 0.1\nquiet corner rim +8 0.5"]
        {
            assert!(Transitions::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_are_unique() {
        let names: HashSet<_> = (0..CATEGORIES).map(name_of).collect();
        assert_eq!(names.len(), CATEGORIES);
    }
}
