//! Which cells of a board a move touches, in the order in which a person would click them.
//!
//! The notation of almost every game names the cells: `b1-a1/b1` are three of them, `a1xc3xe5` too, `Td1` is
//! one. So the names of cells are looked for in the text of the move, the longest first. Four games are different: a
//! move of Connect Four is the number of a column, and touches the cell where the stone comes to lie; a move of a rule sheet is a term,
//! and touches the cells that it changes; a move of a
//! written tree is the number of a branch, and touches nothing; in `seki` the names depend on whose turn it is.

use proofplay_core::View;
use proofplay_registry::DynPosition;
use std::collections::HashMap;

/// Finds the cells of moves on one board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touched {
    cells: HashMap<String, usize>,
    longest: usize,
    by: By,
}

/// Where the cells of a move are found.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum By {
    Names,
    NamesNow,
    Change,
    Nothing,
}

impl Touched {
    /// The moves of the game of this position.
    pub fn new(pos: &dyn DynPosition) -> Touched {
        let (game, view) = (pos.game(), pos.view());
        let by = match game.split(':').next() {
            Some("connect4" | "gdl") => By::Change,
            Some("seki") => By::NamesNow,
            Some("written") => By::Nothing,
            _ => By::Names,
        };
        let names = view.cells.iter().enumerate().filter(|(_, cell)| !cell.name.is_empty());
        let cells: HashMap<String, usize> = names.map(|(i, cell)| (cell.name.clone(), i)).collect();
        let longest = cells.keys().map(String::len).max().unwrap_or(0);
        Touched { cells, longest, by }
    }

    /// The cells of a legal move, as numbers in the list of [`View::cells`]; none of a pass.
    pub fn cells(&self, pos: &dyn DynPosition, mv: &str) -> Vec<usize> {
        match self.by {
            By::Names => self.named(mv),
            By::NamesNow => Touched { by: By::Names, ..Touched::new(pos) }.named(mv),
            By::Change => {
                let mut next = pos.boxed();
                next.play(mv).map_or_else(|_| Vec::new(), |()| changed(&pos.view(), &next.view()))
            }
            By::Nothing => Vec::new(),
        }
    }

    /// The cells whose names stand in a text.
    fn named(&self, text: &str) -> Vec<usize> {
        let (mut found, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let ends = (at + 1..=text.len().min(at + self.longest)).rev();
            let cell = ends.filter_map(|end| Some((end, *self.cells.get(text.get(at..end)?)?))).next();
            match cell {
                Some((end, cell)) => {
                    found.push(cell);
                    at = end;
                }
                None => at += 1,
            }
        }
        found
    }
}

/// The cells that look different.
fn changed(before: &View, after: &View) -> Vec<usize> {
    let cells = before.cells.iter().zip(&after.cells).enumerate();
    cells.filter(|(_, (old, new))| old != new).map(|(i, _)| i).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::Rng;
    use proofplay_registry::{GAMES, game, reach};

    fn names(game_name: &str, moves: &str, mv: &str) -> Vec<String> {
        let pos = reach(&proofplay_core::Line::start(game_name).then(moves)).unwrap();
        let view = pos.view();
        Touched::new(&*pos).cells(&*pos, mv).into_iter().map(|i| view.cells[i].name.clone()).collect()
    }

    #[test]
    fn notations() {
        assert_eq!(names("amazons:6x6", "", "b1-a1/b1"), ["b1", "a1", "b1"]);
        assert_eq!(names("connect4:7x6", "4 4", "4"), ["d3"]);
        assert_eq!(names("domineering:6x6", "", "a1-a2"), ["a1", "a2"]);
        assert_eq!(names("cannon", "Td1", "Te10"), ["e10"]);
        assert_eq!(names("loa:8x8", "", "c1xa3"), ["c1", "a3"]);
        assert_eq!(names("chinese-checkers:3", "", "6-14"), ["6", "14"]);
        assert_eq!(names("go:9x9", "", "pass"), Vec::<String>::new());
        assert_eq!(names("go:9x9", "", "j1"), ["j1"]);
        assert_eq!(names("written:((+ -) = (- =))", "", "1"), Vec::<String>::new());
        assert_eq!(names("seki:3,4", "", "o4"), ["o4"]);
        assert_eq!(names("seki:3,4", "pass", "m4"), ["m4"]);
        assert_eq!(names("mnk:30x2k3", "", "ab2"), ["ab2"]);
    }

    /// In random games every legal move but a pass touches cells, every cell that gets a piece of the mover is
    /// touched, and different moves of placing games touch different cells.
    #[test]
    fn moves_of_all_games_touch_what_they_change() {
        for entry in GAMES.iter().filter(|entry| entry.name() != "written") {
            let mut rng = Rng::from_parts(&[7]);
            for board in [entry.example()].into_iter().chain(entry.standard().iter().map(String::as_str)) {
                let mut pos = game(board).unwrap().start();
                let touched = Touched::new(&*pos);
                for _ in 0..30 {
                    let legal = pos.legal();
                    if legal.is_empty() {
                        break;
                    }
                    for mv in legal.iter().take(40) {
                        let cells = touched.cells(&*pos, mv);
                        let passes = ["pass"].contains(&mv.as_str());
                        assert_eq!(cells.is_empty(), passes, "{board}: {mv}");
                    }
                    let mv = &legal[rng.below(legal.len() as u32) as usize];
                    let (before, cells, mover) = (pos.view(), touched.cells(&*pos, mv), pos.turn());
                    pos.play(mv).unwrap();
                    let after = pos.view();
                    for i in changed(&before, &after) {
                        let placed = after.cells[i].owner == Some(mover);
                        let captured = before.cells[i].owner == Some(mover.other());
                        assert!(cells.contains(&i) || !placed || captured, "{board}: {mv} changes {i}");
                    }
                }
            }
        }
    }
}
