//! Pentalath as text and as a picture.

use super::hints::OpenRows;
use super::{Board, Hexagon, Pentalath, SWAP, Setup, Stone};
use crate::board::text::{self, bad_position};
use crate::board::{Adjacent, History, THIRD_TIME, Word};
use proofplay_core::{Cell, Game, Hints, Player, Score, TextError, View};
use std::sync::Arc;

impl<W: Word> Pentalath<W> {
    /// The game with these parameters.
    ///
    /// # Panics
    /// If the side is out of range or the board does not fit into `W`.
    pub fn new(setup: Setup) -> Self {
        Pentalath { setup, hexagon: Hexagon::new(setup.size, setup.k) }
    }

    /// The cells row by row from the top.
    fn ranks(&self) -> Vec<Vec<u32>> {
        let mut ranks = vec![Vec::new(); 2 * self.setup.size as usize - 1];
        for (cell, place) in self.hexagon.board.cells().zip(&self.hexagon.places) {
            ranks[usize::from(place.0)].push(cell);
        }
        ranks
    }

    /// Why a position cannot arise in play, if it cannot.
    fn flaw(&self, pos: &Board<W>) -> Option<String> {
        let (hexagon, empty) = (&*self.hexagon, pos.empty());
        let near = hexagon.neighbours(empty);
        if pos.stones.iter().any(|&stones| hexagon.flood(stones & near, stones) != stones) {
            return Some("every group needs a liberty, an empty cell beside it".into());
        }
        if pos.other().is_empty() && (!pos.own().is_empty() || pos.mover == Player::Second) {
            return Some(format!("{} has no stone and cannot have moved", self.side(!pos.mover)));
        }
        if hexagon.has_row(pos.own()) {
            return Some(format!("{} has won and cannot be to move", self.side(pos.mover)));
        }
        let (other, winner) = (pos.other(), self.side(!pos.mover));
        if hexagon.has_row(other) && other.cells().all(|last| hexagon.has_row(other ^ W::bit(last))) {
            return Some(format!("{winner} had won before the last stone"));
        }
        None
    }
}

/// The field after the side to move that says that there is no swap although there is a single
/// stone of W: it has captured the rest of the board.
const NO_SWAP: &str = "no-swap";

/// The letters of the players in position texts.
const LETTERS: [char; 2] = ['w', 'b'];

impl<W: Word> Game for Pentalath<W> {
    type Pos = Board<W>;

    fn name(&self) -> String {
        let Setup { size, k, swap } = self.setup;
        let k = if k == 5 { String::new() } else { format!(",k={k}") };
        format!("pentalath:{size}{k}{}", if swap { ",swap=yes" } else { "" })
    }

    fn start(&self) -> Board<W> {
        let (stones, mover, history) = ([W::EMPTY; 2], Player::First, History::new());
        let Setup { swap, .. } = self.setup;
        Board { stones, hexagon: self.hexagon, mover, swap, end: None, repeated: false, key: 0, history }
            .without_history()
    }

    fn parse(&self, text: &str) -> Result<Board<W>, TextError> {
        let ranks = self.ranks();
        let widths: Vec<usize> = ranks.iter().map(Vec::len).collect();
        let read = text::position(text, &widths, ".wb", ["w", "b"])?.at_most(2, text)?;
        let mut pos = self.start();
        for (letter, cell) in read.ranks.iter().flatten().zip(ranks.into_iter().flatten()) {
            if let Some(player) = LETTERS.iter().position(|l| l == letter) {
                pos.stones[player] = pos.stones[player] | W::bit(cell);
            }
        }
        pos.mover = if read.fields[0] == "w" { Player::First } else { Player::Second };
        if let Some(flaw) = self.flaw(&pos) {
            return Err(bad_position(text, flaw));
        }
        pos.swap &= match read.fields.get(1) {
            // A lone stone of B has been swapped already.
            None => {
                matches!(
                    (pos.stones.map(W::count), pos.mover),
                    ([0, 0], Player::First) | ([1, 0], Player::Second)
                )
            }
            Some(&NO_SWAP) => false,
            Some(odd) => {
                return Err(bad_position(text, format!("only `{NO_SWAP}` may follow the side, not `{odd}`")));
            }
        };
        pos.end = self.hexagon.has_row(pos.other()).then(|| Score::win_of(!pos.mover));
        pos.key = pos.rebuilt_key();
        Ok(pos.without_history())
    }

    fn show(&self, pos: &Board<W>) -> String {
        let letter = |cell: u32| pos.owner(cell).map_or('.', |player| LETTERS[player.index()]);
        let ranks = self.ranks().into_iter().map(|rank| rank.into_iter().map(letter).collect());
        let late = self.setup.swap && !pos.swap && pos.all().count() == 1 && pos.mover == Player::Second;
        let side = LETTERS[pos.mover.index()];
        text::show(ranks, &if late { format!("{side} {NO_SWAP}") } else { side.to_string() })
    }

    fn show_move(&self, _: &Board<W>, mv: Stone) -> String {
        if mv == SWAP { "swap".into() } else { self.hexagon.name(u32::from(mv)) }
    }

    fn side(&self, player: Player) -> &'static str {
        ["W", "B"][player.index()]
    }

    fn view(&self, pos: &Board<W>) -> View {
        let middle = self.setup.size as i16 - 1;
        let cell = |(bit, &(row, number)): (u32, &(u8, u8))| {
            let (owner, row) = (pos.owner(bit), i16::from(row));
            Cell {
                name: self.hexagon.name(bit),
                x: 2 * i16::from(number) + (middle - row).abs(),
                y: 2 * middle - row,
                symbol: owner.map_or('.', |player| LETTERS[player.index()]),
                owner,
            }
        };
        let repeated = pos.end == Some(Score::DRAW);
        View {
            cells: self.hexagon.board.cells().zip(&self.hexagon.places).map(cell).collect(),
            hexagonal: true,
            named: true,
            notes: repeated.then(|| THIRD_TIME.into()).into_iter().collect(),
            ..View::default()
        }
    }

    fn hints(&self) -> Arc<dyn Hints<Board<W>>> {
        Arc::new(OpenRows)
    }
}
