//! Go as text and as a picture.

use super::benson::UnconditionalLife;
use super::hints::Influence;
use super::setup::points;
use super::{Board, Go, LONGEST, PASS, Past, Rules, Setup, Stone};
use crate::board::text::{self, bad_position};
use crate::board::{Grid, Word};
use proofplay_core::{Facts, Game, Hints, Player, Position, TextError, View};
use std::sync::Arc;

/// The letters of the players in position texts.
const LETTERS: [char; 2] = ['b', 'w'];

/// The letters of the columns, as in all programs for Go: there is no `i`.
pub(super) const COLUMNS: &[u8; LONGEST as usize] = b"abcdefghjklmnopqrst";

/// The version of the notation. Version 1, without a number in files, had a column `i`.
const NOTATION: u64 = 2;

/// The name of a cell from its column and row, both from 0: `j5` is in the ninth column.
pub(super) fn name_of(column: usize, row: usize) -> String {
    format!("{}{}", COLUMNS[column] as char, row + 1)
}

impl<W: Word> Go<W> {
    /// The game with these parameters.
    ///
    /// # Panics
    /// If the board does not fit into `W`.
    pub fn new(setup: Setup) -> Self {
        Go { setup, rules: Rules::new(setup) }
    }

    fn at(&self, pos: &Board<W>, cell: u32) -> (char, Option<Player>) {
        let owner = pos.owner(cell);
        (owner.map_or('.', |player| LETTERS[player.index()]), owner)
    }

    /// The score of a finished game in words.
    fn account(&self, pos: &Board<W>) -> String {
        let [first, second] = pos.areas().map(|area| area.count());
        let komi =
            if self.setup.komi == 0 { String::new() } else { format!(", komi {}", points(self.setup.komi)) };
        let halves = pos.halves();
        let result = match halves {
            0 => "nobody wins".to_owned(),
            _ => format!("{} wins by {}", if halves > 0 { "B" } else { "W" }, points(halves.abs())),
        };
        format!("area: B {first}, W {second}{komi}: {result}")
    }
}

impl<W: Word> Game for Go<W> {
    type Pos = Board<W>;

    fn name(&self) -> String {
        self.setup.name()
    }

    fn digest(&self) -> Option<u64> {
        Some(NOTATION)
    }

    fn start(&self) -> Board<W> {
        let (stones, mover, past) = ([W::EMPTY; 2], Player::First, Past::of(0));
        let pos = Board { stones, rules: self.rules, mover, passes: 0, key: 0, past };
        let Some(race) = self.setup.race else { return pos };
        let text = self.setup.race_text(race);
        text::rectangle(&text, &self.rules.grid, ".bw", ["b", "w"]).map_or(pos.clone(), |read| {
            Board { stones: LETTERS.map(|letter| read.cells(letter)), ..pos }.without_history()
        })
    }

    fn parse(&self, text: &str) -> Result<Board<W>, TextError> {
        let grid = &*self.rules.grid;
        let widths = vec![grid.cols as usize; grid.rows as usize];
        let read = text::position(text, &widths, ".bw", ["b", "w"])?.at_most(2, text)?;
        let mut pos = Board { stones: LETTERS.map(|letter| read.cells(letter)), ..self.start() };
        pos.mover = if read.fields[0] == "b" { Player::First } else { Player::Second };
        if let Some(passes) = read.fields.get(1) {
            let passes = text::number(passes, 2);
            pos.passes = passes.ok_or_else(|| bad_position(text, "the passes in a row are 0, 1 or 2"))? as u8;
        }
        let near = grid.neighbours(pos.empty());
        if pos.stones.iter().any(|&stones| grid.flood(stones & near, stones) != stones) {
            return Err(bad_position(text, "every group needs a liberty, an empty cell beside it"));
        }
        let lost = |player: Player, targets: [u16; 2]| {
            !pos.stones[player.index()].has(targets[player.index()].into())
        };
        match self.rules.targets {
            Some(targets) if Player::BOTH.into_iter().all(|player| lost(player, targets)) => {
                Err(bad_position(text, "the strings that race are both gone"))
            }
            Some(_) if pos.race_lost() == Some(!pos.mover) => {
                Err(bad_position(text, "whoever has lost a string is to move"))
            }
            Some(_) if pos.race_lost().is_some() && pos.passes > 0 => {
                Err(bad_position(text, "nobody can pass after a capture"))
            }
            _ => Ok(pos.without_history()),
        }
    }

    fn show(&self, pos: &Board<W>) -> String {
        let side = LETTERS[pos.mover.index()].to_string();
        let text = text::show(text::ranks(&self.rules.grid, |cell| self.at(pos, cell).0), &side);
        if pos.passes == 0 { text } else { format!("{text} {}", pos.passes) }
    }

    fn show_move(&self, _: &Board<W>, mv: Stone) -> String {
        let (cell, cols) = (usize::from(mv), self.rules.grid.cols as usize);
        if mv == PASS { "pass".into() } else { name_of(cell % cols, cell / cols) }
    }

    fn side(&self, player: Player) -> &'static str {
        ["B", "W"][player.index()]
    }

    fn view(&self, pos: &Board<W>) -> View {
        let Grid { cols, rows, .. } = *self.rules.grid;
        let at = |c: usize, r: usize| self.at(pos, self.rules.grid.cell(c as u32, r as u32));
        let mut view = View::rectangle(cols as usize, rows as usize, at)
            .with_columns(|column| (COLUMNS[column] as char).to_string());
        if pos.outcome().is_some() && self.rules.targets.is_none() {
            view.notes.push(self.account(pos));
        } else if pos.passes == 1 {
            view.notes.push(format!("{} has passed", self.side(!pos.mover)));
        }
        view
    }

    fn facts(&self) -> Option<Arc<dyn Facts<Board<W>>>> {
        Some(Arc::new(UnconditionalLife))
    }

    fn hints(&self) -> Arc<dyn Hints<Board<W>>> {
        Arc::new(Influence)
    }
}
