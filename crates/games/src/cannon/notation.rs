//! Where play starts, and how positions and moves are written.

use super::hints::{Soldiers, Town};
use super::pieces::{CORNERS, POINTS, Pieces, SIZE, back_row, distance, place, point};
use super::{Board, Cannon, Setup, Step, ends, first_soldiers};
use crate::board::text::{self, bad_position};
use crate::board::{ReversibleMoves, THIRD_TIME, Word};
use proofplay_core::{Facts, Game, Hints, Player, Score, TextError, View, cell_name};
use std::sync::Arc;

/// The letters of soldier and town, by player.
const LETTERS: [[char; 2]; 2] = [['b', 'B'], ['w', 'W']];

/// The most soldiers a player can have.
pub(super) const MOST: u32 = 15;

impl Cannon {
    /// The game with these parameters.
    pub fn new(setup: Setup) -> Cannon {
        Cannon { setup }
    }

    /// What is on a point, and whose it is.
    fn at(&self, pos: &Board, at: u32) -> (char, Option<Player>) {
        let owner = Player::BOTH.into_iter().find(|&player| pos.pieces.of(player).has(at));
        let letter =
            |player: Player| LETTERS[player.index()][usize::from(pos.pieces.towns[player.index()].has(at))];
        (owner.map_or('.', letter), owner)
    }

    /// How the game stands by its towns alone, or why the position cannot arise.
    fn judge(&self, pos: &Board) -> Result<Option<Score>, String> {
        let Pieces { soldiers, towns } = pos.pieces;
        for player in Player::BOTH {
            let (side, town) = (self.side(player), towns[player.index()]);
            let count = soldiers[player.index()].count();
            if count > MOST {
                return Err(format!("{side} has {count} soldiers, more than {MOST}"));
            }
            if town.count() > 1 {
                return Err(format!("{side} has more than one town"));
            }
            if town & !back_row(player) != 0 || (!self.setup.corners && town & CORNERS != 0) {
                let corners = if self.setup.corners { "" } else { ", not on a corner" };
                return Err(format!("the town of {side} is on the own back row{corners}"));
            }
        }
        let other = !pos.mover;
        let has_town = |player: Player| towns[player.index()] != 0;
        if soldiers == first_soldiers() && !has_town(Player::Second) {
            // The two first turns: no town can have been taken from here.
            return if has_town(Player::First) == (pos.mover == Player::Second) {
                Ok(None)
            } else {
                Err("in the first two turns B, then W puts a town".into())
            };
        }
        if !has_town(other) {
            return Err(format!("{} has lost the town and cannot have moved last", self.side(other)));
        }
        if soldiers[other.index()] == 0 {
            return Err(format!("{} has no soldier and cannot have moved last", self.side(other)));
        }
        if self.setup.mate
            && (!has_town(pos.mover) || pos.pieces.can_take_town(pos.mover, self.setup.overshoot))
        {
            return Err("with mate=yes no town can be taken".into());
        }
        Ok((!has_town(pos.mover)).then(|| Score::win_of(other)))
    }
}

/// The name of a point.
fn name(at: u32) -> String {
    let (c, r) = place(at);
    cell_name(c as usize, r as usize)
}

impl Game for Cannon {
    type Pos = Board;

    fn name(&self) -> String {
        let Setup { corners, overshoot, mate } = self.setup;
        let options = [(corners, "corners=yes"), (overshoot, "overshoot=yes"), (mate, "mate=yes")];
        let options: Vec<_> = options.into_iter().filter(|option| option.0).map(|option| option.1).collect();
        if options.is_empty() { "cannon".into() } else { format!("cannon:{}", options.join(",")) }
    }

    fn start(&self) -> Board {
        Board {
            pieces: Pieces { soldiers: first_soldiers(), towns: [0; 2] },
            mover: Player::First,
            setup: self.setup,
            end: None,
            history: ReversibleMoves::default(),
        }
    }

    fn parse(&self, text: &str) -> Result<Board, TextError> {
        let widths = [SIZE as usize; SIZE as usize];
        let read = text::position(text, &widths, ".bwBW", ["b", "w"])?.at_most(1, text)?;
        let mut pos = Board { pieces: Pieces { soldiers: [0; 2], towns: [0; 2] }, ..self.start() };
        for (rank, r) in read.ranks.iter().rev().zip(0..) {
            for (&letter, c) in rank.iter().zip(0..) {
                let Some(player) = LETTERS.iter().position(|letters| letters.contains(&letter)) else {
                    continue;
                };
                let [soldier, _] = LETTERS[player];
                let sets = if letter == soldier { &mut pos.pieces.soldiers } else { &mut pos.pieces.towns };
                sets[player] |= u128::bit(point(c, r));
            }
        }
        pos.mover = if read.fields[0] == "b" { Player::First } else { Player::Second };
        pos.end = self.judge(&pos).map_err(|why| bad_position(text, why))?;
        Ok(pos)
    }

    fn show(&self, pos: &Board) -> String {
        let rank = |r| (0..SIZE).map(|c| self.at(pos, point(c, r)).0).collect();
        text::show((0..SIZE).rev().map(rank), &LETTERS[pos.mover.index()][0].to_string())
    }

    fn show_move(&self, pos: &Board, mv: Step) -> String {
        let (from, to) = ends(mv);
        if from == to {
            return format!("T{}", name(to));
        }
        let sign = match (pos.pieces.of(!pos.mover).has(to), distance(from, to)) {
            (true, 1) => 'x',
            (true, _) => '*',
            (false, 1) => '-',
            (false, 2) => 'r',
            (false, _) => 's',
        };
        format!("{}{sign}{}", name(from), name(to))
    }

    fn side(&self, player: Player) -> &'static str {
        ["B", "W"][player.index()]
    }

    fn view(&self, pos: &Board) -> View {
        let mut view =
            View::rectangle(SIZE as usize, SIZE as usize, |c, r| self.at(pos, point(c as u32, r as u32)));
        if pos.end == Some(Score::DRAW) {
            view.notes.push(THIRD_TIME.into());
        }
        view
    }

    fn facts(&self) -> Option<Arc<dyn Facts<Board>>> {
        Some(Arc::new(Town))
    }

    fn hints(&self) -> Arc<dyn Hints<Board>> {
        Arc::new(Soldiers)
    }
}

const _: () = assert!(POINTS <= 128, "a move has seven bits for a point");
