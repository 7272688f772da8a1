//! Move categories, for informed playouts and progressive bias.
//!
//! Winands, Björnsson & Saito \[WBS08\] section 3.1, after the realization-probability search of
//! MIA: a move is a capture or not; it leaves and enters one of five regions (corners, rim, second
//! ring, third ring, the middle); and it brings the piece some cells nearer to the centre of mass,
//! or further away.
//!
//! The paper says that 277 categories can occur, but not how distances are measured. Ours: the
//! centre of mass of the mover's pieces before the move, rounded to a cell; king's steps from there
//! to the origin less those to the destination, from -7 to +7. Over every line from cell to cell
//! and every centre on 8x8, 251 triples of origin, destination and distance can occur, and all 25
//! pairs of regions. Quiet moves by triples, captures by pairs and the pass are 251 + 25 + 1 = 277.
//! (So are captures and quiet moves by triples with distances without sign, and the pass: 2 * 138 + 1.
//! But towards the centre and away from it should be different categories.) On other boards the
//! fifth region is everything inside the third ring, and distances beyond 7 count as 7.

use super::features::king_steps;
use super::{Board, PASS, Step, ends};
use crate::board::Word;
use crate::board::text::MAX_CELLS;
use proofplay_core::Position;

const REGIONS: [&str; 5] = ["corner", "rim", "second", "third", "middle"];
/// Pairs of regions.
const WAYS: usize = REGIONS.len() * REGIONS.len();
/// Distances go from minus to plus this.
const FARTHEST: i32 = 7;
const DISTANCES: usize = 2 * FARTHEST as usize + 1;

/// Category numbers: quiet moves, then captures, then the pass.
const CAPTURES: usize = WAYS * DISTANCES;
const PASSING: usize = CAPTURES + WAYS;
/// How many numbers there are. Not all can occur.
pub(super) const CATEGORIES: usize = PASSING + 1;

/// The categories of one position.
pub(super) struct Classifier<'a, W: Word> {
    pos: &'a Board<W>,
    centre: u32,
}

impl<'a, W: Word> Classifier<'a, W> {
    pub fn new(pos: &'a Board<W>) -> Self {
        Classifier { pos, centre: pos.lines.centre_of_mass(pos.pieces(pos.turn())) }
    }

    /// The category of a move, below [`CATEGORIES`].
    #[inline]
    pub fn category(&self, mv: Step) -> usize {
        if mv == PASS {
            return PASSING;
        }
        let ((from, to), lines) = (ends(mv), &self.pos.lines);
        let region =
            |cell: u32| usize::from(lines.rings[cell as usize % MAX_CELLS as usize]).min(REGIONS.len() - 1);
        let way = region(from) * REGIONS.len() + region(to);
        if self.pos.pieces(!self.pos.turn()).has(to) {
            return CAPTURES + way;
        }
        let steps = |cell| king_steps(lines.grid.cols, cell, self.centre);
        let nearer = (steps(from) - steps(to)).clamp(-FARTHEST, FARTHEST);
        way * DISTANCES + (nearer + FARTHEST) as usize
    }
}

/// The name of a category: kind, origin, destination, distance.
pub(super) fn name_of(category: usize) -> String {
    let regions = |way: usize| format!("{} {}", REGIONS[way / REGIONS.len()], REGIONS[way % REGIONS.len()]);
    match category {
        PASSING.. => "pass".to_owned(),
        CAPTURES.. => format!("capture {}", regions(category - CAPTURES)),
        _ => {
            let nearer = (category % DISTANCES) as i32 - FARTHEST;
            format!("quiet {} {nearer:+}", regions(category / DISTANCES))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loa::{Loa, Setup};
    use proofplay_core::Game;
    use std::collections::HashSet;

    fn categories_of(text: &str) -> Vec<(String, String)> {
        let game = Loa::<u64>::new(Setup::default());
        let pos = game.parse(text).unwrap();
        let (mut moves, classifier) = (Vec::new(), Classifier::new(&pos));
        pos.moves(&mut moves);
        moves.iter().map(|&mv| (game.show_move(&pos, mv), name_of(classifier.category(mv)))).collect()
    }

    /// B on a1, h1 and e5: the centre of mass is (4 2/3, 2 1/3) from the left and below, rounded e2.
    #[test]
    fn by_hand() {
        let named =
            categories_of("......../......../..w...../....b.../......../......../......../b...w..b b");
        let find =
            |mv: &str| named.iter().find(|(name, _)| name == mv).map(|(_, category)| category.as_str());
        // Three pieces on the first row, two on the long diagonal; e5 has itself and e1 on its
        // column.
        assert_eq!(find("h1xe1"), Some("capture corner rim"));
        assert_eq!(find("a1-c3"), Some("quiet corner third +2"), "{named:?}");
        assert_eq!(find("e5-e3"), Some("quiet middle third +2"));
        assert_eq!(find("e5-e7"), Some("quiet middle second -2"));
        assert_eq!(
            categories_of("......../......../......../......../......../......../.b....b./w......w w").len(),
            4
        );
    }

    /// The count of the paper: every line from cell to cell with every centre, captures by regions,
    /// and the pass.
    #[test]
    fn on_the_usual_board_277_can_occur() {
        let start = Loa::<u64>::new(Setup::default()).start();
        let mut seen = HashSet::from([PASSING]);
        for (from, to) in (0..64).flat_map(|from| (0..64).map(move |to| (from, to))) {
            let (dc, dr) = ((from % 8u32).abs_diff(to % 8), (from / 8u32).abs_diff(to / 8));
            if from != to && (dc == 0 || dr == 0 || dc == dr) {
                let mut pos = start.clone();
                for centre in 0..64 {
                    pos.pieces = [u64::bit(from), 0];
                    seen.insert(Classifier { pos: &pos, centre }.category(super::super::step(from, to)));
                    pos.pieces[1] = u64::bit(to);
                    seen.insert(Classifier { pos: &pos, centre }.category(super::super::step(from, to)));
                }
            }
        }
        assert_eq!(seen.len(), 277);
        assert!(seen.iter().all(|&category| category < CATEGORIES));
    }

    #[test]
    fn names_are_unique() {
        let names: HashSet<_> = (0..CATEGORIES).map(name_of).collect();
        assert_eq!(names.len(), CATEGORIES);
    }
}
