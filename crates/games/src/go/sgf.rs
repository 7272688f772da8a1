//! Games and positions of Go as SGF files, FF\[4\] (Hollosi, "SGF file format", 1997-2021).
//!
//! Read are the size (`SZ`), komi (`KM`), stones that are set up (`AB`, `AW`, `AE`), who moves then (`PL`) and the moves
//! (`B`, `W`) along the first variation of the first game; everything else is passed over. Handicap stones are stones that
//! are set up; who moves after them is told by `PL` or by the first move, else White does if there is a handicap (`HA`).
//! Points count from the top left corner, `aa`; the pass is empty, or `tt` on boards of up to 19 by 19.

use super::setup::{half_points, points};
use super::{LONGEST, Setup};
use proofplay_core::{Score, TextError, cell_name};

/// A game of Go in the words of the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The game with its parameters, `go:9x9,komi=7.5`.
    pub game: String,
    /// The position that the moves begin at.
    pub position: String,
    /// The moves.
    pub moves: Vec<String>,
}

/// One property of a node: its name and its values.
type Property<'a> = (&'a str, Vec<String>);

fn bad(text: &str, expected: impl Into<String>) -> TextError {
    const MOST: usize = 40;
    let shown: String = text.chars().take(MOST).collect();
    TextError::new("SGF", &shown, expected)
}

/// The nodes of the first game along its first variation.
fn main_line(text: &str) -> Result<Vec<Vec<Property<'_>>>, TextError> {
    let begin =
        text.find("(;").or_else(|| text.find('(')).ok_or_else(|| bad(text, "a game begins with `(;`"))?;
    let mut rest = text[begin + 1..].trim_start();
    let mut nodes: Vec<Vec<Property>> = Vec::new();
    loop {
        rest = rest.trim_start();
        let Some(next) = rest.chars().next() else { return Err(bad(text, "the game has no end, `)`")) };
        match next {
            ';' => {
                nodes.push(Vec::new());
                rest = &rest[1..];
            }
            // The first variation of several; those behind it are not reached.
            '(' => rest = &rest[1..],
            ')' if nodes.is_empty() => return Err(bad(text, "the game has no node, `;`")),
            ')' => return Ok(nodes),
            'A'..='Z' | 'a'..='z' => {
                let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
                let (name, mut behind) = rest.split_at(end);
                let mut values = Vec::new();
                while let Some(value) = behind.trim_start().strip_prefix('[') {
                    let (value, after) = value_of(value)
                        .ok_or_else(|| bad(rest, format!("a value of {name} has no end, `]`")))?;
                    values.push(value);
                    behind = after;
                }
                let node =
                    nodes.last_mut().ok_or_else(|| bad(rest, "a property stands before the first node"))?;
                if values.is_empty() {
                    return Err(bad(rest, format!("{name} has no value")));
                }
                node.push((name, values));
                rest = behind;
            }
            _ => return Err(bad(rest, "`;`, `(`, `)` or a property is expected here")),
        }
    }
}

/// A value up to its bracket, escapes undone, and what follows.
fn value_of(text: &str) -> Option<(String, &str)> {
    let (mut value, mut escaped) = (String::new(), false);
    for (i, c) in text.char_indices() {
        match c {
            _ if escaped => {
                value.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            ']' => return Some((value, &text[i + 1..])),
            _ => value.push(c),
        }
    }
    None
}

/// The board while a file is read.
struct Reader {
    cols: u32,
    rows: u32,
    /// Row by row from the top, as in the file.
    cells: Vec<char>,
    side: Option<char>,
    handicap: bool,
    moves: Vec<String>,
}

impl Reader {
    /// Column and row, from the top left corner.
    fn place(&self, point: &str) -> Option<(u32, u32)> {
        let &[column, row] = point.as_bytes() else { return None };
        let number = |letter: u8| letter.is_ascii_lowercase().then(|| u32::from(letter - b'a'));
        let (column, row) = number(column).zip(number(row))?;
        (column < self.cols && row < self.rows).then_some((column, row))
    }

    fn set_up(&mut self, letter: char, list: &[String]) -> Result<(), TextError> {
        for point in list {
            let (from, to) = point.split_once(':').unwrap_or((point, point));
            let corners = self.place(from.trim()).zip(self.place(to.trim()));
            let ((left, top), (right, bottom)) =
                corners.ok_or_else(|| bad(point, "no point of the board"))?;
            for row in top..=bottom {
                for column in left..=right {
                    self.cells[(row * self.cols + column) as usize] = letter;
                }
            }
        }
        Ok(())
    }

    fn play(&mut self, side: char, point: &str) -> Result<(), TextError> {
        let number = self.moves.len();
        let first = *self.side.get_or_insert(side);
        if (side == first) != number.is_multiple_of(2) {
            return Err(bad(point, format!("move {}: {side} moves out of turn", number + 1)));
        }
        let point = point.trim();
        let name = match self.place(point) {
            Some((column, row)) => cell_name(column as usize, (self.rows - 1 - row) as usize),
            None if point.is_empty() || point == "tt" => "pass".to_owned(),
            None => return Err(bad(point, format!("move {}: no point of the board", number + 1))),
        };
        self.moves.push(name);
        Ok(())
    }

    fn node(&mut self, node: &[Property]) -> Result<(), TextError> {
        let first = |values: &[String]| values.first().map_or("", String::as_str).trim().to_owned();
        for (name, values) in node {
            match *name {
                "AB" | "AW" | "AE" | "PL" if !self.moves.is_empty() => {
                    return Err(bad(name, "stones are set up before the first move only"));
                }
                "AB" => self.set_up('b', values)?,
                "AW" => self.set_up('w', values)?,
                "AE" => self.set_up('.', values)?,
                "PL" => match first(values).as_str() {
                    "B" | "b" | "1" => self.side = Some('b'),
                    "W" | "w" | "2" => self.side = Some('w'),
                    odd => return Err(bad(odd, "PL is B or W")),
                },
                "HA" => self.handicap = !["", "0", "1"].contains(&first(values).as_str()),
                "B" => self.play('b', &first(values))?,
                "W" => self.play('w', &first(values))?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// The size that `SZ` tells: `9`, or columns and rows as in `9:13`; without it 19.
fn size(root: &[Property]) -> Result<(u32, u32), TextError> {
    let Some(text) = value(root, "SZ") else { return Ok((LONGEST, LONGEST)) };
    let (cols, rows) = text.split_once(':').unwrap_or((text, text));
    let side = |side: &str| side.trim().parse::<u32>().ok().filter(|side| (1..=LONGEST).contains(side));
    side(cols).zip(side(rows)).ok_or_else(|| bad(text, format!("SZ is a size from 1 to {LONGEST}")))
}

fn value<'a>(node: &'a [Property], name: &str) -> Option<&'a str> {
    node.iter().find(|property| property.0 == name).and_then(|property| property.1.first()).map(|v| v.trim())
}

/// Reads a file. Whether the moves are legal is left to the game.
pub fn read(text: &str) -> Result<Record, TextError> {
    let nodes = main_line(text)?;
    let root = &nodes[0];
    if let Some(odd) = value(root, "GM").filter(|&game| game != "1") {
        return Err(bad(odd, "GM is 1 for Go"));
    }
    let (cols, rows) = size(root)?;
    let komi = match value(root, "KM") {
        None | Some("") => 0,
        Some(komi) => half_points(komi).ok_or_else(|| bad(komi, "KM is komi in whole or half points"))?,
    };
    let cells = vec!['.'; (cols * rows) as usize];
    let mut reader = Reader { cols, rows, cells, side: None, handicap: false, moves: Vec::new() };
    for node in &nodes {
        reader.node(node)?;
    }
    let side = reader.side.unwrap_or(if reader.handicap { 'w' } else { 'b' });
    let ranks: Vec<String> =
        reader.cells.chunks(cols as usize).map(|rank| rank.iter().copied().collect()).collect();
    let game = Setup { cols, rows, komi, ..Setup::STANDARD }.name();
    Ok(Record { game, position: format!("{} {side}", ranks.join("/")), moves: reader.moves })
}

/// Writes a game: its parameters, the position it began at and its moves in the words of the command line, and its score if
/// it is over.
pub fn write(record: &Record, outcome: Option<Score>) -> Result<String, TextError> {
    let parameters = record.game.strip_prefix("go").map(|rest| rest.trim_start_matches(':'));
    let setup = Setup::parse(parameters.ok_or_else(|| bad(&record.game, "only games of Go become SGF"))?)?;
    let Setup { cols, rows, .. } = setup;
    let size = if cols == rows { cols.to_string() } else { format!("{cols}:{rows}") };
    let mut text = format!("(;FF[4]GM[1]CA[UTF-8]AP[proofplay]SZ[{size}]KM[{}]", points(setup.komi));
    match outcome {
        None => {}
        Some(Score(0)) => text += "RE[0]",
        Some(Score(score)) => {
            // A whole point of which only a half was there.
            let halves = 2 * score.abs() - setup.komi.abs() % 2;
            text += &format!("RE[{}+{}]", if score > 0 { "B" } else { "W" }, points(halves));
        }
    }
    let letter = |place: usize| (b'a' + (place % 26) as u8) as char;
    let (board, side) = record.position.split_once(' ').unwrap_or((&record.position, "b"));
    for (name, stone) in [("AB", 'b'), ("AW", 'w')] {
        let ranks = board.split('/').enumerate();
        let stones = ranks.flat_map(|(row, rank)| {
            rank.chars().enumerate().filter(move |cell| cell.1 == stone).map(move |(column, _)| (column, row))
        });
        let list: String =
            stones.map(|(column, row)| format!("[{}{}]", letter(column), letter(row))).collect();
        if !list.is_empty() {
            text += &format!("{name}{list}");
        }
    }
    let mut mover = if side.starts_with('w') { ["W", "B"] } else { ["B", "W"] };
    if mover[0] == "W" || board.contains(['b', 'w']) {
        text += &format!("PL[{}]", mover[0]);
    }
    for mv in &record.moves {
        let digits = mv.find(|c: char| c.is_ascii_digit()).unwrap_or(mv.len());
        let (column, row) = mv.split_at(digits);
        let place = match (column.as_bytes(), row.parse::<usize>()) {
            (&[column], Ok(row)) if (1..=rows as usize).contains(&row) => {
                format!("{}{}", column as char, letter(rows as usize - row))
            }
            _ if mv == "pass" => String::new(),
            _ => return Err(bad(mv, "no move of Go")),
        };
        text += &format!(";{}[{place}]", mover[0]);
        mover.swap(0, 1);
    }
    Ok(text + ")\n")
}
