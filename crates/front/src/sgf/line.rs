//! The game in a file: its board, the position it begins at, and the moves along one line of play.

use super::bad;
use super::notation::{Cell, KINDS, Kind, Step};
use super::tree::{NodeId, Property, Tree, plain};
use crate::text::counted;
use proofplay_core::{Player, TextError};
use proofplay_registry::{SetupError, game};

/// Komi is at most as many points, as in the game.
const MOST_KOMI: f64 = 361.0;

/// A line of play in the words of the command line.
#[derive(Debug)]
pub struct Read {
    /// How the game stands in files.
    pub kind: &'static Kind,
    /// The game with its parameters, `go:9x9,komi=7.5`.
    pub game: String,
    /// The position that the moves begin at.
    pub position: String,
    /// The moves, separated by blanks.
    pub moves: String,
    /// Which of them, from 1, the file does not have: passes between two moves of one colour.
    pub passes: Vec<usize>,
    /// The node that the first move comes after; `None` if it stands in the first node.
    pub start: Option<NodeId>,
}

/// The nodes of a line of play. At each node with variations the next of the numbers, from 1, says
/// which one is meant, and after the last number it is the first one.
pub struct Walk<'a> {
    tree: &'a Tree,
    next: Option<NodeId>,
    variations: &'a [usize],
    /// How many of them have been used.
    used: usize,
    wrong: Option<String>,
}

impl<'a> Walk<'a> {
    /// From the first node of a game.
    pub fn new(tree: &'a Tree, game: NodeId, variations: &'a [usize]) -> Walk<'a> {
        Walk { tree, next: Some(game), variations, used: 0, wrong: None }
    }

    /// At the end: an error if the numbers do not fit.
    pub fn check(self) -> Result<(), TextError> {
        let rest = self.variations.len() - self.used;
        let unused = || format!("the line has variations at {} only", counted(self.used, "place"));
        match self.wrong.or_else(|| (rest > 0).then(unused)) {
            None => Ok(()),
            Some(why) => {
                let numbers: Vec<String> = self.variations.iter().map(usize::to_string).collect();
                Err(TextError::new("variation", &numbers.join("."), why))
            }
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let id = self.next?;
        let children = || self.tree.children(id);
        self.next = children().next();
        if let Some(&number) = self.variations.get(self.used)
            && children().nth(1).is_some()
        {
            self.used += 1;
            self.next = number.checked_sub(1).and_then(|number| children().nth(number));
            if self.next.is_none() {
                self.wrong = Some(format!("number {number} is none of {} variations", children().count()));
            }
        }
        Some(id)
    }
}

/// The board while a line is read.
struct Board {
    kind: &'static Kind,
    cols: usize,
    rows: usize,
    /// Row by row from the top, as in the position.
    cells: Vec<char>,
    /// Who moves first, if a file or a first move has said so.
    side: Option<Player>,
    handicap: bool,
    /// The moves so far, those that give the game up too.
    played: usize,
    /// Those that the game knows.
    count: usize,
    moves: String,
    /// Those of them that the file does not have.
    passes: Vec<usize>,
}

/// The player of `B` and `W`.
fn player(name: &str) -> Option<Player> {
    match name {
        "B" => Some(Player::First),
        "W" => Some(Player::Second),
        _ => None,
    }
}

impl Board {
    fn at(&mut self, (column, row): Cell) -> &mut char {
        &mut self.cells[(self.rows - 1 - usize::from(row)) * self.cols + usize::from(column)]
    }

    /// Puts stones on a point, or on a rectangle of two corners.
    fn set_up(&mut self, letter: char, points: &str) -> Result<(), TextError> {
        let (from, to) = points.split_once(':').unwrap_or((points, points));
        let corner = |point: &str| self.kind.point(point.trim(), self.cols, self.rows);
        let corners = corner(from).zip(corner(to));
        let (one, other) = corners.ok_or_else(|| bad(points, "no point of the board"))?;
        for row in one.1.min(other.1)..=one.1.max(other.1) {
            for column in one.0.min(other.0)..=one.0.max(other.0) {
                *self.at((column, row)) = letter;
            }
        }
        Ok(())
    }

    fn play(&mut self, name: &str, mover: Player, value: &str) -> Result<(), TextError> {
        self.played += 1;
        let (number, title) = (self.played, self.kind.title);
        let wrong = || bad(value, format!("move {number}: no move of {title} on this board"));
        let step = self.kind.step(value, self.cols, self.rows).ok_or_else(wrong)?;
        if step == Step::End {
            return Ok(());
        }
        let first = *self.side.get_or_insert(mover);
        if (mover == first) != self.count.is_multiple_of(2) {
            // In Go files have such moves, and a pass between them is what the rules need.
            if self.kind.game != "go" {
                return Err(bad(value, format!("move {number}: {name} moves out of turn")));
            }
            self.add("pass");
            self.passes.push(self.count);
        }
        let mut captures = false;
        if let (Step::Move(cells), "loa") = (&step, self.kind.game) {
            captures = *self.at(cells[1]) != '.';
            let piece = std::mem::replace(self.at(cells[0]), '.');
            *self.at(cells[1]) = piece;
        }
        if let Some(mv) = self.kind.show_move(&step, captures) {
            self.add(&mv);
        }
        Ok(())
    }

    /// Adds a move of the game.
    fn add(&mut self, mv: &str) {
        if self.count > 0 {
            self.moves.push(' ');
        }
        self.count += 1;
        self.moves += mv;
    }

    fn take(&mut self, property: Property<'_>) -> Result<(), TextError> {
        let name = property.name;
        let stones = self.kind.stones.iter().find(|stones| stones.0 == name);
        if self.played > 0 && (stones.is_some() || name == "PL") {
            return Err(bad(name, "stones are set up before the first move only"));
        }
        if let Some(&(_, letter)) = stones {
            return property.values().try_for_each(|value| self.set_up(letter, &plain(value)));
        }
        // The others have one value.
        let value = property.values().next().map(plain).unwrap_or_default();
        match (name, player(name)) {
            (_, Some(mover)) => self.play(name, mover, &value)?,
            ("PL", _) => {
                let odd = || bad(&value, "PL is B or W");
                let letter = value.to_uppercase().replace('1', "B").replace('2', "W");
                self.side = Some(player(&letter).ok_or_else(odd)?);
            }
            ("HA", _) => self.handicap = !["", "0", "1"].contains(&&*value),
            _ => {}
        }
        Ok(())
    }

    /// The position as the game writes it.
    fn text(&self, side: Player) -> String {
        let ranks: Vec<String> = self.cells.chunks(self.cols).map(|rank| rank.iter().collect()).collect();
        format!("{} {}", ranks.join("/"), self.kind.stones[side.index()].1)
    }
}

/// Whose turn it is if the file does not say so.
fn usual_side(board: &Board) -> Player {
    let arrows = board.cells.iter().filter(|&&cell| cell == 'x').count();
    // In Amazons every move has left an arrow.
    if board.handicap || !arrows.is_multiple_of(2) { Player::Second } else { Player::First }
}

/// What the first node says about the game.
fn kind(tree: &Tree, root: NodeId) -> Result<&'static Kind, TextError> {
    let number = tree.value(root, "GM").unwrap_or("1".into());
    KINDS.iter().find(|kind| kind.number == number).ok_or_else(|| {
        let known: Vec<String> =
            KINDS.iter().map(|kind| format!("{} is {}", kind.number, kind.title)).collect();
        bad(&number, format!("GM is the number of a game: {}; others are not read", known.join(", ")))
    })
}

/// The size of the board: `9`, or columns and rows as in `9:13`.
fn size(tree: &Tree, root: NodeId, kind: &Kind) -> Result<(usize, usize), TextError> {
    let Some(text) = tree.value(root, "SZ") else { return Ok((kind.side, kind.side)) };
    let (cols, rows) = text.split_once(':').unwrap_or((&text, &text));
    let side = |side: &str| side.trim().parse().ok().filter(|side| (1..=kind.longest).contains(side));
    side(cols).zip(side(rows)).ok_or_else(|| bad(&text, format!("SZ is a size from 1 to {}", kind.longest)))
}

/// The game with its parameters.
fn name(tree: &Tree, root: NodeId, kind: &Kind, (cols, rows): (usize, usize)) -> Result<String, TextError> {
    let name = format!("{}:{cols}x{rows}", kind.game);
    let komi = tree.value(root, "KM").filter(|komi| kind.game == "go" && !komi.is_empty());
    let Some(komi) = komi else { return Ok(name) };
    let is_komi = |komi: &f64| komi.abs() <= MOST_KOMI && (2.0 * komi).fract() == 0.0;
    let points: Option<f64> = komi.parse().ok().filter(is_komi);
    match points.ok_or_else(|| bad(&komi, "KM is komi in whole or half points"))? {
        0.0 => Ok(name),
        points => Ok(format!("{name},komi={points}")),
    }
}

/// What the board has before anything is set up: nothing, or the start of the game.
fn board_at_start(
    tree: &Tree,
    root: NodeId,
    kind: &Kind,
    name: &str,
    cells: usize,
) -> Result<Vec<char>, SetupError> {
    let is_empty = match kind.game {
        "loa" => match tree.value(root, "SU").unwrap_or_default().to_lowercase().as_str() {
            "" | "standard" => false,
            "custom" => true,
            odd => {
                let expected = "SU is Standard or Custom: the other ways to begin have other rules";
                return Err(bad(odd, expected).into());
            }
        },
        "amazons" => tree.properties(root).any(|p| kind.stones.iter().any(|stones| stones.0 == p.name)),
        _ => true,
    };
    if is_empty {
        return Ok(vec!['.'; cells]);
    }
    let start = game(name)?.start().text();
    let (ranks, _) = start.split_once(' ').unwrap_or((&start, ""));
    Ok(ranks.chars().filter(|&c| c != '/').collect())
}

/// Reads a line of a game. Whether its moves are legal is left to the game.
pub fn read(tree: &Tree, root: NodeId, variations: &[usize]) -> Result<Read, SetupError> {
    let kind = kind(tree, root)?;
    let (cols, rows) = size(tree, root, kind)?;
    let name = name(tree, root, kind, (cols, rows))?;
    let cells = board_at_start(tree, root, kind, &name, cols * rows)?;
    let (moves, passes) = Default::default();
    let mut board =
        Board { kind, cols, rows, cells, side: None, handicap: false, played: 0, count: 0, moves, passes };
    let (mut start, mut at_start) = (None, None);
    let mut walk = Walk::new(tree, root, variations);
    for id in walk.by_ref() {
        let properties =
            |is_move| tree.properties(id).filter(move |property| player(property.name).is_some() == is_move);
        if properties(true).nth(1).is_some() {
            return Err(bad("B, W", format!("move {}: a node has one move", board.played + 1)).into());
        }
        // Stones that are set up beside the first move are there before it.
        properties(false).try_for_each(|property| board.take(property))?;
        if let Some(property) = properties(true).next() {
            at_start.get_or_insert_with(|| board.cells.clone());
            board.take(property)?;
        } else if board.played == 0 {
            start = Some(id);
        }
    }
    walk.check()?;
    let side = board.side.unwrap_or_else(|| usual_side(&board));
    let (moves, passes) = (std::mem::take(&mut board.moves), std::mem::take(&mut board.passes));
    board.cells = at_start.unwrap_or(board.cells);
    Ok(Read { kind, game: name, position: board.text(side), moves, passes, start })
}
