//! Games and positions of Go as SGF files, FF\[4\] (Hollosi, "SGF file format", 1997-2021).
//!
//! Read are the size (`SZ`), komi (`KM`), stones that are set up (`AB`, `AW`, `AE`), who moves then
//! (`PL`) and the moves (`B`, `W`) along the first variation of the first game; everything else is
//! ignored. Handicap stones are stones that are set up; `PL` or the first move says who moves after
//! them, else White does if there is a handicap (`HA`). Points count from the top left corner,
//! `aa`; the pass is empty, or `tt` on boards of up to 19 by 19.

use super::notation::{COLUMNS, name_of};
use super::setup::{half_points, points};
use super::{LONGEST, Setup};
use proofplay_core::{Score, TextError};
use std::borrow::Cow;

/// A game of Go in the words of the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The game with its parameters, `go:9x9,komi=7.5`.
    pub game: String,
    /// The position that the moves begin at.
    pub position: String,
    /// The moves, separated by blanks.
    pub moves: String,
}

fn bad(text: &str, expected: impl Into<String>) -> TextError {
    const MOST: usize = 40;
    let shown: String = text.chars().take(MOST).collect();
    TextError::new("SGF", &shown, expected)
}

/// One value of a property.
struct Value<'a> {
    /// Whether it stands in the first node.
    in_root: bool,
    name: &'a str,
    /// Which value of its property it is, from 0.
    number: usize,
    /// What stands between the brackets.
    raw: &'a str,
}

impl<'a> Value<'a> {
    /// What is meant: without escapes, and without white space around it.
    fn text(&self) -> Cow<'a, str> {
        if !self.raw.contains('\\') {
            return Cow::Borrowed(self.raw.trim());
        }
        let mut chars = self.raw.chars();
        let plain: String =
            std::iter::from_fn(|| chars.next().and_then(|c| if c == '\\' { chars.next() } else { Some(c) }))
                .collect();
        Cow::Owned(plain.trim().to_owned())
    }
}

/// The values in the nodes of the first game along its first variation, one after the other. They
/// are not stored, so a file may have any number of nodes, nested to any depth.
struct MainLine<'a> {
    text: &'a str,
    rest: &'a str,
    nodes: usize,
    /// The current property, and how many of its values were read.
    name: &'a str,
    values: usize,
}

impl<'a> MainLine<'a> {
    fn new(text: &'a str) -> Result<MainLine<'a>, TextError> {
        let begin = text.find("(;").or_else(|| text.find('('));
        let begin = begin.ok_or_else(|| bad(text, "a game begins with `(;`"))?;
        Ok(MainLine { text, rest: &text[begin + 1..], nodes: 0, name: "", values: 0 })
    }

    /// The next value; `None` at the end of the variation.
    fn next(&mut self) -> Result<Option<Value<'a>>, TextError> {
        loop {
            self.rest = self.rest.trim_start();
            if let Some(value) = self.rest.strip_prefix('[').filter(|_| !self.name.is_empty()) {
                let end = end_of_value(value)
                    .ok_or_else(|| bad(self.rest, format!("a value of {} has no end, `]`", self.name)))?;
                let (in_root, name, number) = (self.nodes == 1, self.name, self.values);
                self.values += 1;
                self.rest = &value[end + 1..];
                return Ok(Some(Value { in_root, name, number, raw: &value[..end] }));
            }
            if !self.name.is_empty() && self.values == 0 {
                return Err(bad(self.name, "the property has no value"));
            }
            self.name = "";
            let Some(next) = self.rest.chars().next() else {
                return Err(bad(self.text, "the game has no end, `)`"));
            };
            match next {
                ';' => self.nodes += 1,
                // The first variation of several; the others are not read.
                '(' => {}
                ')' if self.nodes == 0 => return Err(bad(self.text, "the game has no node, `;`")),
                ')' => return Ok(None),
                'A'..='Z' | 'a'..='z' if self.nodes == 0 => {
                    return Err(bad(self.rest, "a property stands before the first node"));
                }
                'A'..='Z' | 'a'..='z' => {
                    let end = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
                    (self.name, self.rest) = self.rest.split_at(end);
                    self.values = 0;
                    continue;
                }
                _ => return Err(bad(self.rest, "`;`, `(`, `)` or a property is expected here")),
            }
            self.rest = &self.rest[1..];
        }
    }
}

/// Where the bracket is that ends a value.
fn end_of_value(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == b']' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

/// The board while a file is read.
struct Reader {
    cols: u32,
    rows: u32,
    /// Row by row from the top, as in the file.
    cells: Vec<char>,
    side: Option<char>,
    handicap: bool,
    played: usize,
    moves: String,
}

impl Reader {
    /// Column and row, from the top left corner.
    fn place(&self, point: &str) -> Option<(u32, u32)> {
        let &[column, row] = point.as_bytes() else { return None };
        let number = |letter: u8| letter.is_ascii_lowercase().then(|| u32::from(letter - b'a'));
        let (column, row) = number(column).zip(number(row))?;
        (column < self.cols && row < self.rows).then_some((column, row))
    }

    fn set_up(&mut self, letter: char, point: &str) -> Result<(), TextError> {
        let (from, to) = point.split_once(':').unwrap_or((point, point));
        let corners = self.place(from.trim()).zip(self.place(to.trim()));
        let ((left, top), (right, bottom)) = corners.ok_or_else(|| bad(point, "no point of the board"))?;
        for row in top..=bottom {
            for column in left..=right {
                self.cells[(row * self.cols + column) as usize] = letter;
            }
        }
        Ok(())
    }

    fn play(&mut self, side: char, point: &str) -> Result<(), TextError> {
        let first = *self.side.get_or_insert(side);
        self.played += 1;
        let number = self.played;
        if (side == first) == number.is_multiple_of(2) {
            return Err(bad(point, format!("move {number}: {side} moves out of turn")));
        }
        if number > 1 {
            self.moves.push(' ');
        }
        match self.place(point) {
            Some((column, row)) => {
                self.moves += &name_of(column as usize, (self.rows - 1 - row) as usize);
            }
            None if point.is_empty() || point == "tt" => self.moves += "pass",
            None => return Err(bad(point, format!("move {number}: no point of the board"))),
        }
        Ok(())
    }

    fn take(&mut self, value: &Value) -> Result<(), TextError> {
        let name = value.name;
        if self.played > 0 && ["AB", "AW", "AE", "PL"].contains(&name) {
            return Err(bad(name, "stones are set up before the first move only"));
        }
        match name {
            "AB" => self.set_up('b', &value.text())?,
            "AW" => self.set_up('w', &value.text())?,
            "AE" => self.set_up('.', &value.text())?,
            // The others have one value.
            _ if value.number > 0 => {}
            "PL" => match &*value.text() {
                "B" | "b" | "1" => self.side = Some('b'),
                "W" | "w" | "2" => self.side = Some('w'),
                odd => return Err(bad(odd, "PL is B or W")),
            },
            "HA" => self.handicap = !["", "0", "1"].contains(&&*value.text()),
            "B" => self.play('b', &value.text())?,
            "W" => self.play('w', &value.text())?,
            _ => {}
        }
        Ok(())
    }
}

/// What the first node says about the game.
#[derive(Default)]
struct Root<'a> {
    game: Option<Cow<'a, str>>,
    size: Option<Cow<'a, str>>,
    komi: Option<Cow<'a, str>>,
}

impl<'a> Root<'a> {
    /// Reads the whole line, so that later passes find no syntax error.
    fn of(text: &'a str) -> Result<Root<'a>, TextError> {
        let (mut line, mut root) = (MainLine::new(text)?, Root::default());
        while let Some(value) = line.next()? {
            let place = match value.name {
                "GM" => &mut root.game,
                "SZ" => &mut root.size,
                "KM" => &mut root.komi,
                _ => continue,
            };
            if value.in_root && place.is_none() {
                *place = Some(value.text());
            }
        }
        Ok(root)
    }

    /// The size: `9`, or columns and rows as in `9:13`; without it 19.
    fn size(&self) -> Result<(u32, u32), TextError> {
        let Some(text) = self.size.as_deref() else { return Ok((LONGEST, LONGEST)) };
        let (cols, rows) = text.split_once(':').unwrap_or((text, text));
        let side = |side: &str| side.trim().parse::<u32>().ok().filter(|side| (1..=LONGEST).contains(side));
        side(cols).zip(side(rows)).ok_or_else(|| bad(text, format!("SZ is a size from 1 to {LONGEST}")))
    }
}

/// Reads a file, with little more memory than its moves take. Whether these are legal is left to
/// the game.
pub fn read(text: &str) -> Result<Record, TextError> {
    // First the size and komi, which may come after the stones that are set up.
    let root = Root::of(text)?;
    if let Some(odd) = root.game.as_deref().filter(|&game| game != "1") {
        return Err(bad(odd, "GM is 1 for Go"));
    }
    let (cols, rows) = root.size()?;
    let komi = match root.komi.as_deref() {
        None | Some("") => 0,
        Some(komi) => half_points(komi).ok_or_else(|| bad(komi, "KM is komi in whole or half points"))?,
    };
    let (cells, moves) = (vec!['.'; (cols * rows) as usize], String::new());
    let mut reader = Reader { cols, rows, cells, side: None, handicap: false, played: 0, moves };
    let mut line = MainLine::new(text)?;
    while let Some(value) = line.next()? {
        reader.take(&value)?;
    }
    let side = reader.side.unwrap_or(if reader.handicap { 'w' } else { 'b' });
    let ranks: Vec<String> =
        reader.cells.chunks(cols as usize).map(|rank| rank.iter().copied().collect()).collect();
    let game = Setup { cols, rows, komi, ..Setup::STANDARD }.name();
    Ok(Record { game, position: format!("{} {side}", ranks.join("/")), moves: reader.moves })
}

/// Writes a game: its parameters, the position it began at and its moves in the words of the
/// command line, and its score if it is over.
pub fn write(record: &Record, outcome: Option<Score>) -> Result<String, TextError> {
    annotated(record, outcome, &[])
}

/// The same with comments on the moves, the first ones or all.
pub fn annotated(record: &Record, outcome: Option<Score>, comments: &[String]) -> Result<String, TextError> {
    let parameters = record.game.strip_prefix("go").map(|rest| rest.trim_start_matches(':'));
    let setup = Setup::parse(parameters.ok_or_else(|| bad(&record.game, "only games of Go become SGF"))?)?;
    let Setup { cols, rows, .. } = setup;
    let size = if cols == rows { cols.to_string() } else { format!("{cols}:{rows}") };
    let mut text = format!("(;FF[4]GM[1]CA[UTF-8]AP[proofplay]SZ[{size}]KM[{}]", points(setup.komi));
    match outcome {
        None => {}
        Some(Score(0)) => text += "RE[0]",
        Some(Score(score)) => {
            // A half point that was rounded to a whole one.
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
    let mut comments = comments.iter();
    for mv in record.moves.split_whitespace() {
        let digits = mv.find(|c: char| c.is_ascii_digit()).unwrap_or(mv.len());
        let (column, row) = mv.split_at(digits);
        let place = match (column.as_bytes(), row.parse::<usize>()) {
            _ if mv == "pass" => String::new(),
            (&[column], Ok(row)) if (1..=rows as usize).contains(&row) => {
                let column = COLUMNS[..cols as usize].iter().position(|&letter| letter == column);
                let column = column.ok_or_else(|| bad(mv, "no move of Go"))?;
                format!("{}{}", letter(column), letter(rows as usize - row))
            }
            _ => return Err(bad(mv, "no move of Go")),
        };
        text += &format!(";{}[{place}]", mover[0]);
        if let Some(comment) = comments.next() {
            text += &format!("C[{}]", comment.replace('\\', "\\\\").replace(']', "\\]"));
        }
        mover.swap(0, 1);
    }
    Ok(text + ")\n")
}
