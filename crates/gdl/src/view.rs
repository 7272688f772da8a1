//! A picture of a position: a grid if some relation says what is on cells, all other facts as notes.

use crate::tables::{Engine, Network};
use proofplay_core::{Cell, Player, View, cell_name};
use std::collections::BTreeSet;

/// A relation `name(x,y,what)` whose first two arguments span a grid.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    relation: String,
    columns: Vec<String>,
    rows: Vec<String>,
    /// Pieces of each role.
    owners: Vec<(String, Player)>,
    /// Symbols that tell the pieces apart.
    symbols: Vec<(String, char)>,
}

/// Cells of a grid.
const MOST_CELLS: usize = 2_500;

/// The parts of a fact: its relation and its arguments.
fn parts(fact: &str) -> (&str, Vec<&str>) {
    let Some((name, rest)) = fact.split_once('(') else { return (fact, Vec::new()) };
    let rest = rest.strip_suffix(')').unwrap_or(rest);
    let (mut depth, mut from, mut args) = (0_usize, 0, Vec::new());
    for (at, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                args.push(&rest[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    args.push(&rest[from..]);
    (name, args)
}

/// Sorted as numbers if they are numbers.
fn sorted(names: BTreeSet<&str>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    if names.iter().all(|name| name.parse::<i64>().is_ok()) {
        names.sort_by_key(|name| name.parse::<i64>().unwrap_or(0));
    }
    names
}

impl Grid {
    /// The grid of a game, if its facts show one: the relation with three arguments that has most places.
    pub fn of(engine: &Engine, roles: &[String]) -> Option<Grid> {
        let Engine::Network(network) = engine else { return None };
        let facts: Vec<(&str, Vec<&str>)> = network.base_texts.iter().map(|fact| parts(fact)).collect();
        let names: BTreeSet<&str> =
            facts.iter().filter(|fact| fact.1.len() == 3).map(|fact| fact.0).collect();
        let places = |name: &str| {
            let of = facts.iter().filter(|fact| fact.0 == name);
            of.map(|fact| (fact.1[0], fact.1[1])).collect::<BTreeSet<_>>().len()
        };
        let relation = names.into_iter().max_by_key(|name| places(name)).filter(|name| places(name) >= 4)?;
        let all = || facts.iter().filter(|fact| fact.0 == relation);
        let columns = sorted(all().map(|fact| fact.1[0]).collect());
        let rows = sorted(all().map(|fact| fact.1[1]).collect());
        if columns.len() * rows.len() > MOST_CELLS {
            return None;
        }
        let pieces: BTreeSet<&str> = all().map(|fact| fact.1[2]).collect();
        let mut symbols: Vec<(String, char)> = Vec::new();
        let mut owners = Vec::new();
        for piece in pieces {
            let empty =
                matches!(piece, "b" | "blank" | "empty" | "none") && !roles.iter().any(|role| role == piece);
            let mut letters = piece.chars().chain('a'..='z').filter(|c| c.is_alphanumeric());
            let free = |c: &char| !symbols.iter().any(|(_, other)| other == c);
            let symbol = if empty { '.' } else { letters.find(free).unwrap_or('?') };
            symbols.push((piece.to_owned(), symbol));
            // A piece is that of the role with its name or, if only one has it, with its first letter.
            let named =
                |role: &String| !empty && (*role == piece || role.starts_with(&piece[..floor(piece, 1)]));
            let mut of = (0..roles.len()).filter(|&role| roles[role] == piece || named(&roles[role]));
            if let (Some(role), None) = (of.next(), of.next()) {
                owners.push((piece.to_owned(), if role == 0 { Player::First } else { Player::Second }));
            }
        }
        Some(Grid { relation: relation.to_owned(), columns, rows, owners, symbols })
    }

    /// Draws facts; those of other relations become notes.
    pub fn draw(&self, facts: &[String]) -> View {
        let mut view = View {
            columns: (0..).zip(&self.columns).map(|(c, name)| (2 * c, name.clone())).collect(),
            rows: (0..).zip(&self.rows).map(|(r, name)| (r, name.clone())).collect(),
            ..View::default()
        };
        for (y, _) in (0..).zip(&self.rows) {
            for (x, _) in (0..).zip(&self.columns) {
                view.cells.push(Cell {
                    name: cell_name(x, y as usize),
                    x: 2 * x as i16,
                    y,
                    symbol: '.',
                    owner: None,
                });
            }
        }
        let mut notes = Vec::new();
        for fact in facts {
            let (name, args) = parts(fact);
            let place = |names: &[String], name: &str| names.iter().position(|other| other == name);
            let cell = match &args[..] {
                [x, y, what] if name == self.relation => place(&self.columns, x)
                    .zip(place(&self.rows, y))
                    .map(|(x, y)| (y * self.columns.len() + x, *what)),
                _ => None,
            };
            match cell {
                Some((at, what)) => {
                    let cell = &mut view.cells[at];
                    cell.symbol =
                        self.symbols.iter().find(|(piece, _)| piece == what).map_or('?', |found| found.1);
                    cell.owner = self.owners.iter().find(|(piece, _)| piece == what).map(|found| found.1);
                }
                None => notes.push(fact.as_str()),
            }
        }
        view.notes = notes.chunks(8).map(|facts| facts.join(" ")).collect();
        view
    }
}

/// The boundary behind so many characters.
fn floor(text: &str, characters: usize) -> usize {
    text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at)
}

/// All facts as notes, beside a cell that stands for the whole.
pub(crate) fn notes(facts: &[String]) -> View {
    let cell = Cell { name: String::new(), x: 0, y: 0, symbol: '.', owner: None };
    let notes = facts.chunks(8).map(|facts| facts.join(" ")).collect();
    View { cells: vec![cell], notes, ..View::default() }
}

impl Network {
    /// The number of a base proposition by its text.
    pub fn base(&self, text: &str) -> Option<u32> {
        self.base_numbers.get(text).copied()
    }
}
