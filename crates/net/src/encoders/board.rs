//! The default encoder of every board game: a plane for each kind of piece, one for the mover, and one
//! for each number that a position text has behind the side to move.
//!
//! It reads the text of a position, which is a contract: ranks from top to bottom, one character a
//! cell, then the side to move, then what else there is. So the planes lose nothing that a text says:
//! [`BoardEncoder::decode`] gives it back. Where cells lie is taken from the picture of the board; a
//! hexagon's six neighbours are inside of a filter of size 3.
//!
//! Which characters there are is learned from random games, the same at every time.

use super::{Encoder, MOST_PARTS, MoveIndex};
use crate::NetError;
use proofplay_core::{Game, Move, Player, Position, Rng, View};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Random games that characters are learned from, and the most moves of each.
const GAMES: u64 = 64;
const PLIES: usize = 400;

/// The most slots that are outputs each.
const MOST_SLOTS: usize = 1 << 14;

/// An empty cell.
const EMPTY: char = '.';

/// Where the net speaks of moves.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Moves {
    /// By [`Position::slot`].
    Slots(usize),
    /// By the four bytes of [`Move::code`], whose outputs are added: moves with several cells, such as
    /// those of Amazons, are too many for an output each.
    Bytes,
}

/// What a text has behind its ranks.
#[derive(Clone, Debug, Default)]
struct Rest<'a> {
    side: &'a str,
    fields: Vec<&'a str>,
}

/// The default encoder of a game.
#[derive(Clone, Debug)]
pub struct BoardEncoder<G> {
    game: G,
    board: [usize; 2],
    /// How long each rank of a text is, from the top.
    ranks: Vec<usize>,
    /// The cell of the planes for each character of the ranks.
    places: Vec<usize>,
    /// Characters of cells that are not empty, a plane each.
    symbols: Vec<char>,
    /// What texts call the side to move.
    sides: [String; 2],
    /// Fields behind the side, a plane each.
    fields: usize,
    /// Fields that are no numbers.
    words: Vec<String>,
    /// What stands for a number that is 0, if anything.
    shows_zero: bool,
    moves: Moves,
}

/// The ranks of a text and the rest.
fn split(text: &str) -> (Vec<&str>, Rest<'_>) {
    let mut parts = text.split(' ');
    let ranks = parts.next().unwrap_or_default().split('/').collect();
    (ranks, Rest { side: parts.next().unwrap_or_default(), fields: parts.collect() })
}

impl<G: Game> BoardEncoder<G> {
    /// The encoder of a game; an error if its positions are not written as ranks that are always equally
    /// long, and a side.
    pub fn new(game: G) -> Result<BoardEncoder<G>, NetError> {
        let no_board = || NetError::new(format!("`{}` is not played on a board of fixed shape", game.name()));
        let start = game.show(&game.start());
        let ranks: Vec<usize> = split(&start).0.iter().map(|rank| rank.chars().count()).collect();
        let (mut symbols, mut words) = (BTreeSet::new(), BTreeSet::new());
        let mut sides = [const { String::new() }; 2];
        let (mut fields, mut zero, mut by_slot) = (0, false, true);
        let mut moves = Vec::new();
        for seed in 0..GAMES {
            let (mut pos, mut rng) = (game.start(), Rng::new(seed));
            for _ in 0..PLIES {
                if pos.outcome().is_some() {
                    break;
                }
                let text = game.show(&pos);
                let (lines, rest) = split(&text);
                let len = |line: &&str| line.chars().count();
                if rest.side.is_empty() || !lines.iter().map(len).eq(ranks.iter().copied()) {
                    return Err(no_board());
                }
                symbols.extend(lines.iter().flat_map(|line| line.chars()).filter(|&symbol| symbol != EMPTY));
                sides[pos.turn().index()] = rest.side.to_owned();
                fields = fields.max(rest.fields.len());
                zero |= rest.fields.contains(&"0");
                let others = rest.fields.iter().filter(|field| field.parse::<u16>().is_err());
                words.extend(others.map(|&field| field.to_owned()));
                moves.clear();
                pos.moves(&mut moves);
                let slots: HashSet<usize> = moves.iter().map(|&mv| pos.slot(mv)).collect();
                by_slot &= slots.len() == moves.len();
                pos.play(moves[rng.below(moves.len() as u32) as usize]);
            }
        }
        let slots = game.start().slots();
        let by_slot = by_slot && (1..=MOST_SLOTS).contains(&slots);
        let (board, places) = places(&game.view(&game.start()), &ranks);
        if board.contains(&0) {
            return Err(no_board());
        }
        let (symbols, words) = (symbols.into_iter().collect(), words.into_iter().collect());
        let moves = if by_slot { Moves::Slots(slots) } else { Moves::Bytes };
        Ok(BoardEncoder {
            game,
            board,
            ranks,
            places,
            symbols,
            sides,
            fields,
            words,
            shows_zero: zero,
            moves,
        })
    }

    fn cells(&self) -> usize {
        self.board[0] * self.board[1]
    }

    /// The plane of the mover; those of fields follow.
    fn of_mover(&self) -> usize {
        1 + self.symbols.len()
    }

    /// The text of the position that has these planes.
    pub fn decode(&self, planes: &[f32]) -> String {
        let plane = |number: usize| &planes[number * self.cells()..][..self.cells()];
        let symbol = |&place: &usize| {
            let found = (0..self.symbols.len()).find(|&number| plane(1 + number)[place] != 0.0);
            found.map_or(EMPTY, |number| self.symbols[number])
        };
        let mut cells = self.places.iter().map(symbol);
        let ranks: Vec<String> = self.ranks.iter().map(|&len| cells.by_ref().take(len).collect()).collect();
        let number = |number: usize| (plane(self.of_mover() + number)[self.places[0]] * UNIT) as i32;
        let mut text = format!("{} {}", ranks.join("/"), self.sides[usize::from(number(0) == 0)]);
        for field in 1..=self.fields {
            match number(field) {
                0 if !self.shows_zero => {}
                word @ ..0 => text = text + " " + &self.words[(-1 - word) as usize],
                count => text = format!("{text} {count}"),
            }
        }
        text
    }
}

/// A count of so many is 1 in a plane. It is a power of two, so that nothing is rounded.
const UNIT: f32 = 64.0;

impl<G: Game> Encoder<G::Pos> for BoardEncoder<G> {
    fn board(&self) -> [usize; 2] {
        self.board
    }

    /// The first one is 1 on all cells of the board.
    fn planes(&self) -> usize {
        self.of_mover() + 1 + self.fields
    }

    fn outputs(&self) -> usize {
        match self.moves {
            Moves::Slots(slots) => slots,
            Moves::Bytes => 256 * MOST_PARTS,
        }
    }

    fn encode(&self, pos: &G::Pos, planes: &mut [f32], _: &mut [f32]) {
        planes.fill(0.0);
        let text = self.game.show(pos);
        let (ranks, rest) = split(&text);
        let cells = self.cells();
        for (symbol, &place) in ranks.iter().flat_map(|rank| rank.chars()).zip(&self.places) {
            planes[place] = 1.0;
            if let Ok(number) = self.symbols.binary_search(&symbol) {
                planes[(1 + number) * cells + place] = 1.0;
            }
        }
        let mut fill = |plane: usize, value: f32| {
            if value != 0.0 {
                let plane = &mut planes[(self.of_mover() + plane) * cells..][..cells];
                self.places.iter().for_each(|&place| plane[place] = value);
            }
        };
        fill(0, if pos.turn() == Player::First { 1.0 } else { 0.0 });
        for (number, field) in rest.fields.iter().take(self.fields).enumerate() {
            let word = || self.words.iter().position(|word| word == field).map(|word| -1.0 - word as f32);
            let count = field.parse::<u16>().map(f32::from).ok();
            fill(1 + number, count.or_else(word).unwrap_or_default() / UNIT);
        }
    }

    fn index(&self, pos: &G::Pos, mv: <G::Pos as Position>::Move) -> MoveIndex {
        match self.moves {
            Moves::Slots(_) => MoveIndex::one(pos.slot(mv)),
            Moves::Bytes => {
                let bytes = mv.code().to_le_bytes().map(usize::from);
                MoveIndex::sum(std::array::from_fn(|part| 256 * part + bytes[part]))
            }
        }
    }
}

/// Columns and rows of the planes, and the cell there of each character of a text. It follows the
/// picture where that has the same rows, else the text.
fn places(view: &View, ranks: &[usize]) -> ([usize; 2], Vec<usize>) {
    let mut rows: BTreeMap<i16, Vec<i16>> = BTreeMap::new();
    for cell in &view.cells {
        rows.entry(-cell.y).or_default().push(cell.x);
    }
    let same = rows.values().map(Vec::len).eq(ranks.iter().copied());
    let columns: Vec<Vec<i16>> = if same {
        let skewed = |(minus_y, xs): (&i16, &Vec<i16>)| {
            let mut xs = xs.clone();
            xs.sort_unstable();
            // The cells above a hexagon become the one above and the one on its right or left.
            let shift = if view.hexagonal { *minus_y } else { 0 };
            xs.into_iter().map(|x| x + shift).collect()
        };
        rows.iter().map(skewed).collect()
    } else {
        ranks.iter().map(|&len| (0..len as i16).map(|column| 2 * column).collect()).collect()
    };
    let all = || columns.iter().flatten().copied();
    let (least, most) = (all().min().unwrap_or(0), all().max().unwrap_or(-2));
    let width = ((most - least) / 2 + 1) as usize;
    let row = |(row, xs): (usize, &Vec<i16>)| -> Vec<usize> {
        xs.iter().map(|x| row * width + ((x - least) / 2) as usize).collect()
    };
    ([width, ranks.len()], columns.iter().enumerate().flat_map(row).collect())
}
