//! The inputs of KataGo's networks of version 8 \[Wu19\]: 22 planes and 19 numbers ("inputs version 7").
//!
//! Rows go from the top of the board to the bottom; the last output is the pass. "Own" is the mover.
//!
//! | plane | 1 on |
//! |---|---|
//! | 0 | all cells |
//! | 1, 2 | own stones, stones of the opponent |
//! | 3, 4, 5 | stones of groups with 1, 2, 3 liberties |
//! | 6 | empty cells where a stone would repeat a board |
//! | 7, 8, 20, 21 | nothing: for rules with an encore |
//! | 9 … 13 | the last five moves, newest first |
//! | 14, 15, 16 | stones that can be taken in a ladder: now, a turn ago, two turns ago |
//! | 17 | moves that start a ladder against stones of the opponent with two liberties |
//! | 18, 19 | own area and that of the opponent, where it is certain or surrounded |
//!
//! | number | is |
//! |---|---|
//! | 0 … 4 | 1 if the last five moves were passes, newest first |
//! | 5 | the mover's komi / 20 |
//! | 6, 7 | 1 and 0.5: no board may repeat, whoever is to move |
//! | 8 | 1 if suicide of several stones is allowed |
//! | 14 | 1 if a pass ends the game |
//! | 18 | a wave that tells how good the komi is for its parity |
//! | others | 0: area scoring without tax, no handicap, no button |

mod area;
mod ladders;
mod stones;

use super::{Encoder, MoveIndex};
use crate::NetError;
use area::areas;
use ladders::{Ladder, ladders};
use proofplay_core::{Game, Move, Player, Position};
use proofplay_games::go::{PASS, Story};
use stones::{Shape, Stones};

/// How many planes there are.
pub const PLANES: usize = 22;

/// How many numbers there are that are no planes.
pub const GLOBALS: usize = 19;

/// How many moves it remembers.
const TURNS: usize = 5;

/// The encoder of Go on a board of any size.
#[derive(Clone, Debug)]
pub struct KataGo {
    shape: Shape,
}

impl KataGo {
    /// An error if the game is no Go.
    pub fn new<G: Game>(game: &G) -> Result<KataGo, NetError> {
        let story = Story::of(&game.start(), 0).ok_or_else(|| {
            NetError::new(format!("the encoder `katago` is for Go, not for `{}`", game.name()))
        })?;
        Ok(KataGo { shape: Shape::new(story.columns, story.rows) })
    }

    /// The place in the planes of a cell of ours.
    fn place(&self, cell: usize) -> usize {
        let Shape { columns, rows, .. } = self.shape;
        (rows - 1 - cell / columns) * columns + cell % columns
    }
}

/// Positions and numbers of a story.
struct Planes<'a> {
    encoder: &'a KataGo,
    planes: &'a mut [f32],
}

impl Planes<'_> {
    fn set(&mut self, plane: usize, cell: usize) {
        self.planes[plane * self.encoder.shape.cells() + self.encoder.place(cell)] = 1.0;
    }
}

impl<P: Position> Encoder<P> for KataGo {
    fn board(&self) -> [usize; 2] {
        [self.shape.columns, self.shape.rows]
    }

    fn planes(&self) -> usize {
        PLANES
    }

    fn globals(&self) -> usize {
        GLOBALS
    }

    fn outputs(&self) -> usize {
        self.shape.cells() + 1
    }

    fn encode(&self, pos: &P, planes: &mut [f32], globals: &mut [f32]) {
        planes.fill(0.0);
        globals.fill(0.0);
        if let Some(story) = Story::of(pos, TURNS) {
            self.tell(&story, &mut Planes { encoder: self, planes }, globals);
        }
    }

    fn index(&self, _: &P, mv: P::Move) -> MoveIndex {
        let code = mv.code();
        let pass = code == u32::from(PASS);
        MoveIndex::one(if pass { self.shape.cells() } else { self.place(code as usize) })
    }
}

impl KataGo {
    fn tell(&self, story: &Story, planes: &mut Planes, globals: &mut [f32]) {
        let (mover, shape) = (story.mover, &self.shape);
        let now = Stones::new(shape, &story.boards[0], ko(shape, story, 0));
        for cell in 0..shape.cells() {
            planes.set(0, cell);
            let Some(owner) = now.owner(cell) else { continue };
            planes.set(if owner == mover { 1 } else { 2 }, cell);
            if let liberties @ 1..=3 = now.liberties(cell) {
                planes.set(2 + liberties, cell);
            }
        }
        story.banned.iter().for_each(|&cell| planes.set(6, cell));
        // Turns count while the players alternate.
        let mut player = mover;
        for (number, &(who, cell)) in story.turns.iter().enumerate() {
            player = !player;
            if who != player {
                break;
            }
            match cell {
                Some(cell) => planes.set(9 + number, cell),
                None => globals[number] = 1.0,
            }
        }
        for (number, plane) in [14, 15, 16].into_iter().enumerate() {
            // Before the first turn, the oldest board that is known.
            let number = number.min(story.boards.len() - 1);
            let board = Stones::new(shape, &story.boards[number], ko(shape, story, number));
            for Ladder { stones, starts } in ladders(&board) {
                let of_opponent = board.owner(stones[0]) == Some(!mover) && board.liberties(stones[0]) > 1;
                stones.iter().for_each(|&cell| planes.set(plane, cell));
                if plane == 14 && of_opponent {
                    starts.iter().for_each(|&cell| planes.set(17, cell));
                }
            }
        }
        for (cell, owner) in areas(&now, story.suicide).into_iter().enumerate() {
            if let Some(owner) = owner {
                planes.set(if owner == mover { 18 } else { 19 }, cell);
            }
        }
        let komi = f32::from(story.komi) / 2.0;
        let own_komi = if mover == Player::Second { komi } else { -komi };
        let cells = shape.cells() as f32;
        let own_komi = own_komi.clamp(-cells - MOST_KOMI, cells + MOST_KOMI);
        globals[5] = own_komi / 20.0;
        (globals[6], globals[7]) = (1.0, 0.5);
        globals[8] = if story.suicide { 1.0 } else { 0.0 };
        globals[14] = if story.passes > 0 { 1.0 } else { 0.0 };
        globals[18] = parity(own_komi, shape.cells());
    }
}

/// Komi counts up to so much more than the board has cells.
const MOST_KOMI: f32 = 20.0;

/// The empty cell where a lone stone was taken by the turn before board number `number`, if that stone
/// may not be taken back at once.
fn ko(shape: &Shape, story: &Story, number: usize) -> Option<usize> {
    let &(player, Some(cell)) = story.turns.get(number)? else { return None };
    let (after, before) = (&story.boards[number], &story.boards[number + 1]);
    let gone = |&other: &usize| before[other] == Some(!player) && after[other].is_none();
    let mut gone = (0..shape.cells()).filter(gone);
    let (Some(taken), None) = (gone.next(), gone.next()) else { return None };
    let stones = Stones::new(shape, after, None);
    (stones.group(cell).len() == 1 && stones.liberties(cell) == 1).then_some(taken)
}

/// How good the komi is beside the nearest one that allows a draw: up from there for half a point, down
/// for a point, up for half a point.
fn parity(komi: f32, cells: usize) -> f32 {
    let even = (cells % 2) as f32;
    match (komi - even).rem_euclid(2.0) {
        delta @ ..0.5 => delta,
        delta @ 0.5..1.5 => 1.0 - delta,
        delta => delta - 2.0,
    }
}
