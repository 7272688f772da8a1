//! Games into files: a line of play goes into the tree of a file, or into one of its own.

use super::line::Walk;
use super::notation::{Kind, Step, expect_kind};
use super::tree::{NodeId, Tree, escaped, plain};
use super::{Source, bad, line, score_text};
use crate::record::Ply;
use proofplay_core::{Player, Score, TextError};
use proofplay_registry::game;

/// The names of the moves of both players.
const COLOURS: [&str; 2] = ["B", "W"];

/// A file with a game that begins at this position, without moves: what [`Source::with`] adds to if
/// there was no file.
pub fn fresh(name: &str, position: &str) -> Result<Source, TextError> {
    let kind = expect_kind(name)?;
    let (board, side) = position.split_once(' ').unwrap_or((position, ""));
    let ranks: Vec<&str> = board.split('/').collect();
    let (cols, rows) = (ranks[0].chars().count(), ranks.len());
    if cols.max(rows) > kind.longest {
        return Err(bad(name, format!("boards in SGF have at most {} columns and rows", kind.longest)));
    }
    let size = if cols == rows { cols.to_string() } else { format!("{cols}:{rows}") };
    let mut text = format!("(;FF[4]GM[{}]CA[UTF-8]AP[proofplay]SZ[{size}]", kind.number);
    if kind.game == "go" {
        let komi = name.split(',').find_map(|part| part.strip_prefix("komi=")).unwrap_or("0");
        text += &format!("KM[{komi}]");
    }
    let begins = side.starts_with(kind.stones[0].1);
    let is_usual = match kind.game {
        "go" => !board.contains(['b', 'w']),
        _ => cols == kind.side && game(name).is_ok_and(|game| game.start().text() == position),
    };
    if !is_usual {
        if kind.game == "loa" {
            text += "SU[Custom]";
        }
        for (property, stone) in kind.stones.iter().filter(|stones| stones.1 != '.') {
            let cells = ranks.iter().enumerate().flat_map(|(from_top, rank)| {
                let cells = rank.chars().enumerate().filter(|cell| cell.1 == *stone);
                cells.map(move |(column, _)| (column as u8, (rows - 1 - from_top) as u8))
            });
            let list: String = cells.map(|cell| format!("[{}]", kind.show_point(cell, rows))).collect();
            if !list.is_empty() {
                text += &format!("{property}{list}");
            }
        }
    }
    if !is_usual || !begins {
        text += &format!("PL[{}]", COLOURS[usize::from(!begins)]);
    }
    let tree = Tree::read(&(text + ")"))?;
    let root = tree.games().next();
    // The name has what a file does not tell, such as suicide.
    let (game, position) = (name.to_owned(), position.to_owned());
    let read = line::Read { kind, game, position, moves: String::new(), passes: Vec::new(), start: root };
    Ok(Source { tree, variations: Vec::new(), read })
}

/// A file with these properties in the first node of its first game.
pub fn described(text: &str, properties: &[(&str, &str)]) -> Result<String, TextError> {
    let mut tree = Tree::read(text)?;
    let all = properties.iter().map(|(name, value)| format!("{name}[{}]", escaped(value)));
    let root = tree.games().next();
    if let Some(root) = root {
        tree.append(root, &all.collect::<String>());
    }
    Ok(tree.to_string())
}

/// The line of play in the tree.
struct Writer<'a> {
    tree: Tree,
    kind: &'static Kind,
    cols: usize,
    rows: usize,
    /// The nodes of the line that was read, in order: of two equal variations it is that one.
    followed: &'a [NodeId],
}

impl Writer<'_> {
    /// What a node has as a move; `None` if there is none.
    fn move_of(&self, id: NodeId) -> Option<(Player, Step)> {
        let mut moves = self.tree.properties(id).filter_map(|property| {
            let player = COLOURS.iter().position(|&name| name == property.name)?;
            let value = property.values().next().map(plain)?;
            Some((Player::BOTH[player], self.kind.step(&value, self.cols, self.rows)?))
        });
        moves.next().filter(|(_, step)| *step != Step::End)
    }

    /// Whether a node changes the position otherwise than by a move.
    fn sets_up(&self, id: NodeId) -> bool {
        let mut names = self.tree.properties(id).map(|property| property.name);
        names.any(|name| name == "PL" || self.kind.stones.iter().any(|stones| stones.0 == name))
    }

    /// The node after this one that has a move, perhaps behind nodes that have none.
    fn child_with(&self, at: NodeId, wanted: &(Player, Step)) -> Option<NodeId> {
        let (mut open, mut found) = (vec![at], None);
        while let Some(id) = open.pop() {
            for child in self.tree.children(id) {
                match self.move_of(child) {
                    Some(step) if step == *wanted => {
                        if self.followed.binary_search_by_key(&child.number(), |id| id.number()).is_ok() {
                            return Some(child);
                        }
                        found = found.or(Some(child));
                    }
                    None if !self.sets_up(child) => open.push(child),
                    _ => {}
                }
            }
        }
        found
    }

    /// The node with this move after another one; `None` for that stands for what comes before the root.
    fn next_with(&self, at: Option<NodeId>, root: NodeId, wanted: &(Player, Step)) -> Option<NodeId> {
        match at {
            Some(at) => self.child_with(at, wanted),
            None => Some(root).filter(|&root| self.move_of(root).as_ref() == Some(wanted)),
        }
    }

    /// The node that a new move comes after: this one if it has a next move, so that the new one is a
    /// variation, else the last node of the line.
    fn parent_after(&self, at: NodeId) -> NodeId {
        let mut end = at;
        while let Some(next) = self.tree.children(end).next() {
            if self.move_of(next).is_some() {
                return at;
            }
            end = next;
        }
        end
    }
}

/// See [`Source::with`].
pub fn with(
    source: &Source,
    game: &str,
    plies: &[Ply],
    outcome: Option<Score>,
    comments: &[String],
) -> Result<String, TextError> {
    let (tree, read) = (source.tree.clone(), &source.read);
    if tree.text().contains(char::REPLACEMENT_CHARACTER) {
        return Err(bad(
            "\u{fffd}",
            "the file is not UTF-8 and would not come back as it was: convert it first",
        ));
    }
    let root = tree.games().next().expect("a file that was read has a game");
    let board = read.position.split(' ').next().unwrap_or_default();
    let (cols, rows) = (board.split('/').next().unwrap_or_default().len(), board.split('/').count());
    let followed: Vec<NodeId> = Walk::new(&source.tree, root, &source.variations).collect();
    let mut writer = Writer { tree, kind: read.kind, cols, rows, followed: &followed };
    let mut at = read.start;
    let wanted_at = |number: usize| -> Result<Option<(Player, Step)>, TextError> {
        let ply = plies.get(number);
        ply.map(|ply| Ok((ply.to_move, read.kind.step_of(&ply.mv)?.0))).transpose()
    };
    for (number, ply) in plies.iter().enumerate() {
        let next = wanted_at(number)?.and_then(|wanted| writer.next_with(at, root, &wanted));
        // A pass that the file leaves out: it has the move after it.
        if next.is_none()
            && read.kind.game == "go"
            && ply.mv == "pass"
            && wanted_at(number + 1)?.is_some_and(|after| writer.next_with(at, root, &after).is_some())
        {
            continue;
        }
        let node = match (next, at) {
            (Some(next), _) => next,
            (None, Some(at)) => {
                let value = read.kind.value(&ply.mv, cols, rows)?;
                let parent = writer.parent_after(at);
                writer.tree.add(parent, &format!("{}[{value}]", COLOURS[ply.to_move.index()]))
            }
            (None, None) => {
                let why = "the first node of the file has another move, beside which none can stand";
                return Err(bad(&ply.mv, why));
            }
        };
        if let Some(comment) = comments.get(number) {
            writer.tree.comment(node, comment);
        }
        at = Some(node);
    }
    let mut tree = writer.tree;
    let is_first_line = at.is_none_or(|at| Walk::new(&tree, root, &[]).any(|id| id == at));
    if let Some(score) = outcome.filter(|_| is_first_line && tree.value(root, "RE").is_none()) {
        let result = match (read.kind.game, score.0) {
            ("go", _) | (_, 0) => score_text(game, score),
            (_, 1..) => "B+".to_owned(),
            _ => "W+".to_owned(),
        };
        tree.append(root, &format!("RE[{result}]"));
    }
    Ok(tree.to_string())
}
