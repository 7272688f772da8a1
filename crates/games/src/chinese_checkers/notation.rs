//! Where play starts, and how positions and moves are written.

use super::all_placements::AllPlacements;
use super::hints::Distance;
use super::{Board, ChineseCheckers, PASS, Setup, StarWord, Step, ends};
use crate::board::text::{self, bad_position};
use crate::board::{ReversibleMoves, THIRD_TIME};
use proofplay_core::{Cell, Game, Hints, Numbering, Player, Score, TextError, View};

use super::star::Star;
use std::sync::Arc;

/// The letters of the players' pieces.
const LETTERS: [char; 2] = ['1', '2'];

impl<W: StarWord> ChineseCheckers<W> {
    /// The game with these parameters.
    ///
    /// # Panics
    /// If the star does not fit into `W`.
    pub fn new(setup: Setup) -> Self {
        ChineseCheckers { star: Star::new(setup.side) }
    }

    /// The numbers of the cells row by row from the top.
    fn ranks(&self) -> Vec<Vec<u32>> {
        let mut ranks = vec![Vec::new(); 4 * self.star.side as usize + 1];
        for (number, &(row, _)) in (0..).zip(&self.star.places) {
            ranks[row as usize].push(number);
        }
        ranks
    }

    /// What is on a cell, and whose it is.
    fn at(&self, pos: &Board<W>, number: u32) -> (char, Option<Player>) {
        let bit = self.star.bit(number);
        let owner = Player::BOTH.into_iter().find(|player| pos.pieces[player.index()].has(bit));
        (owner.map_or('.', |player| LETTERS[player.index()]), owner)
    }
}

impl<W: StarWord> Game for ChineseCheckers<W> {
    type Pos = Board<W>;

    fn name(&self) -> String {
        format!("chinese-checkers:{}", self.star.side)
    }

    fn start(&self) -> Board<W> {
        let [bottom, top] = self.star.targets;
        Board {
            pieces: [top, bottom],
            star: self.star,
            mover: Player::First,
            end: None,
            history: ReversibleMoves::default(),
        }
    }

    fn parse(&self, text: &str) -> Result<Board<W>, TextError> {
        let ranks = self.ranks();
        let widths: Vec<usize> = ranks.iter().map(Vec::len).collect();
        let read = text::position(text, &widths, ".12", ["1", "2"])?.at_most(1, text)?;
        let mut pos = Board { pieces: [W::EMPTY; 2], ..self.start() };
        for (letter, number) in read.ranks.iter().flatten().zip(ranks.into_iter().flatten()) {
            if let Some(player) = LETTERS.iter().position(|l| l == letter) {
                pos.pieces[player] = pos.pieces[player] | W::bit(self.star.bit(number));
            }
        }
        let all = self.star.targets[0].count();
        for (pieces, letter) in pos.pieces.into_iter().zip(LETTERS) {
            let count = pieces.count();
            if count != all {
                let expected = format!("each side has {all} pieces here, but there are {count} `{letter}`");
                return Err(bad_position(text, expected));
            }
        }
        pos.mover = if read.fields[0] == "1" { Player::First } else { Player::Second };
        pos.end = pos.fills_target(!pos.mover).then(|| Score::win_of(!pos.mover));
        Ok(pos)
    }

    fn show(&self, pos: &Board<W>) -> String {
        let rank = |rank: Vec<u32>| rank.into_iter().map(|number| self.at(pos, number).0).collect();
        text::show(self.ranks().into_iter().map(rank), &LETTERS[pos.mover.index()].to_string())
    }

    fn show_move(&self, _: &Board<W>, mv: Step) -> String {
        let (from, to) = ends(mv);
        if mv == PASS { "pass".to_owned() } else { format!("{from}-{to}") }
    }

    fn side(&self, player: Player) -> &'static str {
        ["1", "2"][player.index()]
    }

    fn view(&self, pos: &Board<W>) -> View {
        let (last, middle) = (4 * self.star.side as i16, 3 * self.star.side as i16);
        let cell = |(number, &(row, column)): (u32, &(i16, i16))| {
            let (symbol, owner) = self.at(pos, number);
            Cell { name: number.to_string(), x: column + middle, y: last - row, symbol, owner }
        };
        let repeated = pos.end == Some(Score::DRAW);
        View {
            cells: (0..).zip(&self.star.places).map(cell).collect(),
            hexagonal: true,
            named: true,
            notes: repeated.then(|| THIRD_TIME.into()).into_iter().collect(),
            ..View::default()
        }
    }

    fn numbering(&self, set: &str) -> Result<Arc<dyn Numbering<Board<W>>>, TextError> {
        match AllPlacements::new(self.start()).filter(|_| set == "all") {
            Some(all) => Ok(Arc::new(all)),
            None => Err(TextError::new(
                "set",
                set,
                "expected `all`, all placements of the pieces, on stars with arms of side 1 or 2",
            )),
        }
    }

    fn hints(&self) -> Arc<dyn Hints<Board<W>>> {
        Arc::new(Distance)
    }
}
