//! A game tree written as text, for examples and tests by hand.
//!
//! ```text
//! ((+ -) = (- =))      + = - are a win, a draw, a loss of First; numbers are points: (3 (-2 0))
//! ```
//!
//! A pair of brackets is a position, what stands inside are its moves, written `0`, `1`, `2` … in
//! order. First moves in the outermost brackets and the players take turns; with `1(` or `2(` First
//! or Second moves there, so that a player may move twice. A score ends at a blank or a bracket:
//! `(3(2 3))` is a score and a position. A position is the path from the root, so nothing repeats.

use crate::board::text::{bad_parameters, bad_position};
use proofplay_core::{
    Bounds, Cell, Family, Game, GameVisitor, Key, Player, Position, Score, TextError, View, shorten,
    splitmix64,
};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

#[derive(Debug)]
enum Node {
    End(Score),
    Choice { mover: Player, children: Vec<usize> },
}

#[derive(Debug)]
struct Tree {
    text: String,
    nodes: Vec<Node>,
    range: Bounds,
}

/// A game whose tree is given.
///
/// ```
/// use proofplay_core::{Game, Score, minimax};
/// use proofplay_games::written::Written;
/// let game = Written::parse_tree("((+ -) = (- =))").unwrap();
/// assert_eq!(minimax(&game.start()), Score::DRAW);
/// ```
#[derive(Clone, Debug)]
pub struct Written(Arc<Tree>);

/// A place in the tree.
#[derive(Clone)]
pub struct Place {
    tree: Arc<Tree>,
    node: usize,
}

impl Written {
    /// Reads a tree.
    pub fn parse_tree(text: &str) -> Result<Written, TextError> {
        let mut reader = Reader { text, rest: text, nodes: Vec::new(), depth: 0 };
        let root = reader.node(Player::First)?;
        debug_assert_eq!(root, 0, "a node comes before its children");
        if !reader.rest.trim_start().is_empty() {
            return Err(reader.error("nothing may follow the tree"));
        }
        let scores = reader.nodes.iter().filter_map(|node| match node {
            Node::End(score) => Some(*score),
            Node::Choice { .. } => None,
        });
        // At least win, draw and loss, so that the range alone does not solve a tree of draws.
        let range = scores.fold(Bounds::WDL, |range, s| Bounds::new(range.pess.min(s), range.opti.max(s)));
        let nodes = reader.nodes;
        // One line, however it was typed: certificates and checkpoints have the name of the game on
        // a line.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Written(Arc::new(Tree { text, nodes, range })))
    }
}

impl Family for Written {
    const NAME: &str = "written";
    const PARAMETERS: &str = "TREE";
    const EXAMPLE: &str = "((+ -) = (- =))";
    const RULES: &str = "a game tree given as text; + = - or points at its ends, 1( and 2( say who moves";
    const FULL_RULES: &str = include_str!("rules/written.md");
    const SMALL: &[&str] = &["((+ -) = (- =))", "2(1(3 -2) (7 (0 1)) -1)"];
    const VARIED: &[&str] = &["+", "(2(5 (-3 =)) 1((- =) 4))"];

    fn build<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, TextError> {
        Written::parse_tree(parameters).map(|game| visitor.visit(game))
    }
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    nodes: Vec<Node>,
    depth: u32,
}

impl Reader<'_> {
    fn error(&self, expected: &str) -> TextError {
        let at = self.text.len() - self.rest.len();
        bad_parameters(self.text, format!("at byte {at}: {expected}"))
    }

    /// Reads one node, where `turn` moves unless the text names a player; returns its number.
    fn node(&mut self, turn: Player) -> Result<usize, TextError> {
        self.rest = self.rest.trim_start();
        let number = self.nodes.len();
        let (mover, inside) = match self.rest.as_bytes() {
            [b'1', b'(', ..] => (Player::First, &self.rest[2..]),
            [b'2', b'(', ..] => (Player::Second, &self.rest[2..]),
            [b'(', ..] => (turn, &self.rest[1..]),
            _ => {
                let score = self.score()?;
                self.nodes.push(Node::End(score));
                return Ok(number);
            }
        };
        if self.depth == 200 {
            return Err(self.error("brackets may be nested 200 deep"));
        }
        self.rest = inside;
        self.depth += 1;
        self.nodes.push(Node::Choice { mover, children: Vec::new() });
        let mut children = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if let Some(rest) = self.rest.strip_prefix(')') {
                if children.is_empty() {
                    return Err(self.error("a position needs at least one move"));
                }
                self.rest = rest;
                self.depth -= 1;
                self.nodes[number] = Node::Choice { mover, children };
                return Ok(number);
            }
            if children.len() == usize::from(u16::MAX) {
                return Err(self.error("a position may have 65535 moves"));
            }
            children.push(self.node(!mover)?);
        }
    }

    fn score(&mut self) -> Result<Score, TextError> {
        let end =
            self.rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        let score = match word {
            "+" => Score::WIN,
            "=" => Score::DRAW,
            "-" => Score::LOSS,
            _ => match word.parse() {
                Ok(points @ -9999..=9999) => Score(points),
                _ => {
                    return Err(self.error("expected `(`, `)`, `+`, `=`, `-` or a number from -9999 to 9999"));
                }
            },
        };
        self.rest = rest;
        Ok(score)
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node && Arc::ptr_eq(&self.tree, &other.tree)
    }
}
impl Eq for Place {}

impl Hash for Place {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.node.hash(state);
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {} of {}", self.node, self.tree.text)
    }
}

impl Place {
    fn children(&self) -> &[usize] {
        match &self.tree.nodes[self.node] {
            Node::Choice { children, .. } => children,
            Node::End(_) => &[],
        }
    }
}

impl Position for Place {
    type Move = u16;
    fn repeats(&self) -> bool {
        false
    }

    fn turn(&self) -> Player {
        match &self.tree.nodes[self.node] {
            Node::Choice { mover, .. } => *mover,
            Node::End(_) => Player::First,
        }
    }

    fn outcome(&self) -> Option<Score> {
        match &self.tree.nodes[self.node] {
            Node::End(score) => Some(*score),
            Node::Choice { .. } => None,
        }
    }

    fn moves(&self, out: &mut Vec<u16>) {
        out.extend(0..self.children().len() as u16);
    }

    fn play(&mut self, mv: u16) {
        self.node = self.children()[usize::from(mv)];
    }

    fn key(&self) -> Key {
        let mut state = self.node as u64;
        Key::from(splitmix64(&mut state)) << 64 | Key::from(splitmix64(&mut state))
    }

    fn range(&self) -> Bounds {
        self.tree.range
    }
}

impl Game for Written {
    type Pos = Place;

    fn name(&self) -> String {
        format!("written:{}", self.0.text)
    }

    fn start(&self) -> Place {
        Place { tree: self.0.clone(), node: 0 }
    }

    /// A position is the number of its node: opening brackets and scores counted from 0 as they are
    /// written.
    fn parse(&self, text: &str) -> Result<Place, TextError> {
        match text.trim().parse() {
            Ok(node) if node < self.0.nodes.len() => Ok(Place { tree: self.0.clone(), node }),
            _ => Err(bad_position(
                text,
                format!("a position is a number from 0 to {}", self.0.nodes.len() - 1),
            )),
        }
    }

    fn show(&self, pos: &Place) -> String {
        pos.node.to_string()
    }

    fn show_move(&self, _: &Place, mv: u16) -> String {
        mv.to_string()
    }

    fn has_fixed_texts(&self) -> bool {
        true
    }

    fn side(&self, player: Player) -> &'static str {
        ["First", "Second"][player.index()]
    }

    /// The whole tree if it fits into a line, else the position and the first of its moves.
    fn view(&self, pos: &Place) -> View {
        let Tree { text, nodes, .. } = &*self.0;
        let moves = pos.children();
        let fits = nodes.len() <= WIDEST;
        let shown: Vec<usize> = if fits {
            (0..nodes.len()).collect()
        } else {
            std::iter::once(pos.node).chain(moves.iter().copied()).take(WIDEST).collect()
        };
        let cells = shown.iter().zip(0..).map(|(&i, place)| Cell {
            name: i.to_string(),
            x: 2 * place,
            y: 0,
            symbol: match &nodes[i] {
                _ if i == pos.node => '*',
                Node::Choice { mover: Player::First, .. } => '1',
                Node::Choice { mover: Player::Second, .. } => '2',
                Node::End(score) => ['-', '=', '+'][(score.0.signum() + 1) as usize],
            },
            owner: None,
        });
        let mut notes = vec![shorten(text, 2 * WIDEST)];
        if !fits {
            let hidden = moves.len() + 1 - shown.len();
            let hidden = if hidden == 0 { String::new() } else { format!(", {hidden} of them not shown") };
            notes.push(format!("node {} of {}, {} moves{hidden}", pos.node, nodes.len(), moves.len()));
        }
        View { cells: cells.collect(), notes, ..View::default() }
    }
}

/// Trees with more nodes are not drawn whole.
const WIDEST: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::{conformance, minimax};

    fn value(text: &str) -> i16 {
        minimax(&Written::parse_tree(text).unwrap().start()).0
    }

    #[test]
    fn values_by_hand() {
        assert_eq!(value("+"), 1);
        assert_eq!(value("((+ -) = (- =))"), 0);
        assert_eq!(value("(2((0 -2) 9) 1)"), 1);
        assert_eq!(value("(1(3 -2) 1)"), 3, "First moves twice");
        assert_eq!(value("2(5 -7)"), -7);
    }

    #[test]
    fn conforms_and_refuses() {
        for tree in ["(+ -)", "((+ -) = (- =))", "(1(3 -2) 2(2(4 -5) 0))"] {
            conformance::check(&Written::parse_tree(tree).unwrap(), 10, 1);
        }
        for bad in ["", "()", "(", "(+", "+ +", "(+))", "(x)", "(99999)", "3(+)"] {
            assert!(Written::parse_tree(bad).is_err(), "{bad}");
        }
        assert!(Written::parse_tree(&"(".repeat(100_000)).is_err());
        let wide = |moves: usize| Written::parse_tree(&format!("({})", "- ".repeat(moves)));
        assert!(wide(65_535).is_ok() && wide(65_536).is_err());
    }

    /// Deep, wide and long trees are read or refused without a crash.
    #[test]
    fn extreme_trees() {
        let nested = |depth: usize| format!("{}+{}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(value(&nested(200)), 1);
        for bad in [nested(201), nested(100_000), "1(".repeat(100_000)] {
            let error = Written::parse_tree(&bad).unwrap_err().to_string();
            assert!(error.ends_with("brackets may be nested 200 deep") && error.len() < 700, "{error}");
        }
        let wide = |moves: usize| format!("({})", "+ ".repeat(moves));
        let error = Written::parse_tree(&wide(70_000)).unwrap_err().to_string();
        assert!(error.ends_with("a position may have 65535 moves") && error.len() < 700, "{error}");
        let game = Written::parse_tree(&wide(65_535)).unwrap();
        let mut moves = Vec::new();
        game.start().moves(&mut moves);
        assert_eq!((moves.len(), moves.last(), minimax(&game.start()).0), (65_535, Some(&65_534), 1));
        assert_eq!(game.parse(&game.show(&game.start().after(65_534))), Ok(game.start().after(65_534)));
    }

    /// However large a tree, its picture is a few lines of a terminal's width.
    #[test]
    fn pictures_are_small() {
        let draw = |tree: &str, node: &str| {
            let game = Written::parse_tree(tree).unwrap();
            game.view(&game.parse(node).unwrap()).draw(|symbol, _| symbol.to_string())
        };
        assert_eq!(draw("((+ -) = 3)", "1"), "1 * + - = +\n((+ -) = 3)\n");
        let largest = format!("({})", ["-"; 39].join(" "));
        assert_eq!(draw(&largest, "0"), format!("*{}\n{largest}\n", " -".repeat(39)));
        let wide = format!("({} (= -))", "+ ".repeat(16_384));
        let (row, text) = (format!("*{}", " +".repeat(39)), format!("({}…", "+ ".repeat(39)));
        assert_eq!(
            draw(&wide, "0"),
            format!("{row}\n{text}\nnode 0 of 16388, 16385 moves, 16346 of them not shown\n")
        );
        assert_eq!(draw(&wide, "16385"), format!("* = -\n{text}\nnode 16385 of 16388, 2 moves\n"));
        assert_eq!(draw(&wide, "7"), format!("*\n{text}\nnode 7 of 16388, 0 moves\n"));
    }
}
