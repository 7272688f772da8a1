//! What only Go has: komi, handicaps, stones that are dead or alive.

use super::Engine;
use super::vertex::{self, vertex_at};
use proofplay_core::{Player, Score};
use proofplay_front::record::Record;
use proofplay_registry::{AnyPosition, DynPosition, game};
use std::collections::BTreeSet;

/// The same board with this player to move, without passes before it.
pub fn with_turn(pos: &dyn DynPosition, player: Player) -> Result<AnyPosition, String> {
    let text = pos.text();
    let board = text.split(' ').next().unwrap_or_default();
    at(pos, &format!("{board} {}", ["b", "w"][player.index()]))
}

fn at(pos: &dyn DynPosition, text: &str) -> Result<AnyPosition, String> {
    let parsed = game(&pos.game()).and_then(|game| Ok(game.parse(text)?));
    parsed.map_err(|error| error.to_string())
}

/// Columns and rows of the board, from its text.
fn size(pos: &dyn DynPosition) -> (usize, usize) {
    let text = pos.text();
    let ranks: Vec<&str> = text.split(' ').next().unwrap_or_default().split('/').collect();
    (ranks.first().map_or(0, |rank| rank.len()), ranks.len())
}

/// Where handicap stones stand by custom, as many as there may be; the middle is the last one where
/// the number is odd.
fn points(size: (usize, usize), count: usize) -> Option<Vec<(usize, usize)>> {
    let (columns, rows) = size;
    let shorter = columns.min(rows);
    let has_middle = columns % 2 == 1 && rows % 2 == 1 && shorter >= 9;
    let most = match (shorter, has_middle) {
        (..7, _) => 0,
        (_, true) => 9,
        _ => 4,
    };
    if !(2..=most).contains(&count) {
        return None;
    }
    let from_edge = |length: usize| if length > 12 { 3 } else { 2 };
    let line = |length: usize| [from_edge(length), length / 2, length - 1 - from_edge(length)];
    let ([left, middle, right], [low, centre, high]) = (line(columns), line(rows));
    let corners = [(left, low), (right, high), (left, high), (right, low)];
    let sides = [(left, centre), (right, centre), (middle, low), (middle, high)];
    let all: Vec<_> = corners.into_iter().chain(sides).collect();
    let even = count - usize::from(count > 4 && count % 2 == 1);
    let mut points = all[..even].to_vec();
    points.extend((even < count).then_some((middle, centre)));
    Some(points)
}

/// So many points for handicap stones, at least 2 and never all: where custom has them, if it knows
/// that number, else as far from each other as may be, and on the edge last.
fn free_points(size: (usize, usize), count: usize) -> Option<Vec<(usize, usize)>> {
    let (columns, rows) = size;
    if !(2..columns * rows).contains(&count) {
        return None;
    }
    let mut found = (2..=count).rev().find_map(|count| points(size, count)).unwrap_or_default();
    while found.len() < count {
        let value = |&(column, row): &(usize, usize)| {
            let line = column.min(row).min(columns - 1 - column).min(rows - 1 - row);
            let apart = |&(c, r): &(usize, usize)| column.abs_diff(c).pow(2) + row.abs_diff(r).pow(2);
            (line > 0, found.iter().map(apart).min(), line)
        };
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let best = cells.filter(|cell| !found.contains(cell)).max_by_key(value)?;
        found.push(best);
    }
    Some(found)
}

/// The komi of a game of Go; `None` for other games.
pub fn komi(pos: &dyn DynPosition) -> Option<String> {
    let name = pos.game();
    let komi = name.split([':', ',']).find_map(|parameter| parameter.strip_prefix("komi="));
    // Races have none.
    (vertex::is_go(pos) && !name.contains("seki=")).then(|| komi.unwrap_or("0").to_owned())
}

/// The rows of the board from the top.
fn board(pos: &dyn DynPosition) -> Vec<Vec<char>> {
    let text = pos.text();
    let ranks = text.split(' ').next().unwrap_or_default().split('/');
    ranks.map(|rank| rank.chars().collect()).collect()
}

/// The place of a cell of the board in its rows.
fn row_and_column(pos: &dyn DynPosition, cell: &str) -> Option<(usize, usize)> {
    let (columns, rows) = size(pos);
    let (column, row) = vertex::place(pos, cell)?;
    (column < columns && row < rows).then(|| (rows - 1 - row, column))
}

/// Whether these cells are the stones of whole chains: a chain lives or dies as one.
pub fn are_chains(pos: &dyn DynPosition, cells: &[String]) -> bool {
    let ranks = board(pos);
    let places: Option<BTreeSet<_>> = cells.iter().map(|cell| row_and_column(pos, cell)).collect();
    let stone = |(row, column): (usize, usize)| ranks.get(row)?.get(column).copied();
    let is_whole = |places: BTreeSet<(usize, usize)>| {
        places.iter().all(|&(row, column)| {
            let beside = [
                (row.wrapping_sub(1), column),
                (row + 1, column),
                (row, column.wrapping_sub(1)),
                (row, column + 1),
            ];
            let own = stone((row, column));
            own != Some('.') && beside.iter().all(|&other| stone(other) != own || places.contains(&other))
        })
    };
    vertex::is_go(pos) && places.is_some_and(is_whole)
}

/// The score of a game of Go that is over, after these dead stones are taken off the board.
pub fn score_without(pos: &dyn DynPosition, dead: &[String]) -> Result<Score, String> {
    let mut ranks = board(pos);
    for (row, column) in dead.iter().filter_map(|cell| row_and_column(pos, cell)) {
        ranks[row][column] = '.';
    }
    let ranks: Vec<String> = ranks.into_iter().map(String::from_iter).collect();
    let end = at(pos, &format!("{} b 2", ranks.join("/")))?;
    end.outcome().ok_or_else(|| "the game is not over".to_owned())
}

impl Engine {
    /// Changes komi; the game goes on.
    pub(super) fn komi(&mut self, text: &str) -> Result<String, String> {
        let points: f64 = text.parse().map_err(|_| format!("komi `{text}`: expected a number"))?;
        if (2.0 * points).fract() != 0.0 || points.abs() > 361.0 {
            return Err(format!("komi `{text}`: expected whole or half points from -361 to 361"));
        }
        let name = self.record.now().game();
        if name.contains("seki=") {
            return Err("komi: a race of this game has none".to_owned());
        }
        let (family, parameters) = name.split_once(':').unwrap_or((&name, "9x9"));
        let others = parameters.split(',').filter(|parameter| !parameter.starts_with("komi="));
        // Not -0.
        let komi = format!("komi={}", points + 0.0);
        let mut all: Vec<&str> = others.collect();
        all.insert(1.min(all.len()), &komi);
        let rules = game(&format!("{family}:{}", all.join(","))).map_err(|error| error.to_string())?;
        // A file that was loaded stays as it is.
        if rules.start().game() == name {
            return Ok(String::new());
        }
        let start = rules.parse(&self.record.start().text()).map_err(|error| error.to_string())?;
        let mut record = Record::new(start);
        for ply in &self.record.plies {
            record.play(&ply.mv).map_err(|error| error.to_string())?;
        }
        self.set_record(record)?;
        Ok(String::new())
    }

    /// Puts so many handicap stones where custom has them, if it is `fixed`, or where we like.
    pub(super) fn handicap(&mut self, count: &str, fixed: bool) -> Result<String, String> {
        let size = size(self.record.now());
        let wanted: usize = count.parse().map_err(|_| format!("count `{count}`: expected a number"))?;
        let found = if fixed { points(size, wanted) } else { free_points(size, wanted) };
        let found = found.ok_or("invalid number of stones")?;
        self.place(&found)?;
        Ok(found.into_iter().filter_map(vertex_at).collect::<Vec<_>>().join(" "))
    }

    /// Puts handicap stones here.
    pub(super) fn set_handicap(&mut self, vertices: &[&str]) -> Result<String, String> {
        let (columns, rows) = size(self.record.now());
        let mut points = Vec::new();
        for text in vertices {
            let place = vertex::place(self.record.now(), &text.to_lowercase());
            let place = place.filter(|&(column, row)| column < columns && row < rows);
            let place = place.filter(|place| !points.contains(place));
            points.push(place.ok_or_else(|| format!("bad vertex list: `{text}`"))?);
        }
        if !(2..columns * rows).contains(&points.len()) {
            return Err("bad vertex list: expected at least 2 stones and an empty point".to_owned());
        }
        self.place(&points)?;
        Ok(String::new())
    }

    /// Puts stones of Black on the empty board; White is to move.
    fn place(&mut self, points: &[(usize, usize)]) -> Result<(), String> {
        let now = self.record.now();
        let (columns, rows) = size(now);
        if now.text().contains(|c| {
            "bw".contains(c) && now.text().split(' ').next().is_some_and(|board| board.contains(c))
        }) {
            return Err("board not empty".to_owned());
        }
        let mut board = vec![vec!['.'; columns]; rows];
        for &(column, row) in points {
            board[rows - 1 - row][column] = 'b';
        }
        let ranks: Vec<String> = board.into_iter().map(String::from_iter).collect();
        let pos = at(now, &format!("{} w", ranks.join("/")))?;
        self.set_record(Record::new(pos))
    }

    /// By our rules every stone that is on the board at the end is alive.
    pub(super) fn final_status_list(&self, status: &str) -> Result<String, String> {
        match status {
            "alive" => {
                let text = self.record.now().text();
                let ranks: Vec<&str> = text.split(' ').next().unwrap_or_default().split('/').collect();
                let mut stones = Vec::new();
                for (row, rank) in ranks.iter().rev().enumerate() {
                    let columns = rank.chars().enumerate().filter(|(_, c)| *c != '.');
                    stones.extend(columns.filter_map(|(column, _)| vertex_at((column, row))));
                }
                Ok(stones.join(" "))
            }
            "dead" | "seki" => Ok(String::new()),
            _ => Err(format!("status `{status}`: expected alive, dead or seki")),
        }
    }
}
