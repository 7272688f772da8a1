//! SGF as a tree, FF\[4\] \[Hol97\]: its syntax, and nothing of any game.
//!
//! ```text
//! collection = game …            game     = "(" node … game … ")"
//! node       = ";" property …    property = letters "[" value "]" …
//! ```
//!
//! A node is a place in the text of the file, 16 bytes: what stands in it stays as it was written and
//! is read when somebody asks. So nothing gets lost, and a tree takes its text and 16 bytes for each
//! `;`. What is added is text behind that of the file. Nothing here recurses: games may be nested to
//! any depth.
//!
//! Text before the first game, between games and after the last one belongs to no game and is left
//! out.

use super::bad;
use proofplay_core::TextError;
use std::borrow::Cow;
use std::fmt;

/// No file has more bytes.
const LARGEST: usize = 1 << 30;

/// A node of a tree.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// Its place among the nodes: in a file as it was read, those above and before a node have
    /// smaller ones.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// What stands above all games; it is no child of any node, so that 0 is nothing in [`Node`].
const COLLECTION: usize = 0;

#[derive(Copy, Clone, Default, Debug)]
struct Node {
    /// Where its properties are in the text.
    begin: u32,
    end: u32,
    /// The first child, and the next child of the same node; 0 is none.
    child: u32,
    next: u32,
}

/// The games of a file with all of their variations.
#[derive(Clone, Debug)]
pub struct Tree {
    text: String,
    nodes: Vec<Node>,
}

/// A property as it is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Property<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its values with their brackets.
    raw: &'a str,
}

impl<'a> Property<'a> {
    /// Its values, at least one, with their escapes.
    pub fn values(self) -> impl Iterator<Item = &'a str> {
        let mut rest = self.raw;
        std::iter::from_fn(move || {
            let value = rest.trim_start().strip_prefix('[')?;
            let end = end_of_value(value)?;
            rest = &value[end + 1..];
            Some(&value[..end])
        })
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

/// The property that a text begins with, after white space, and the rest; `None` if another thing
/// than a property is there.
fn property(text: &str) -> Result<Option<(Property<'_>, &str)>, TextError> {
    let text = text.trim_start();
    let letters = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    if letters == 0 {
        return Ok(None);
    }
    let (name, values) = text.split_at(letters);
    let mut rest = values;
    while let Some(value) = rest.trim_start().strip_prefix('[') {
        let end = end_of_value(value)
            .ok_or_else(|| bad(rest.trim_start(), format!("a value of {name} has no end, `]`")))?;
        rest = &value[end + 1..];
    }
    match values.len() - rest.len() {
        0 => Err(bad(name, "the property has no value")),
        length => Ok(Some((Property { name, raw: &values[..length] }, rest))),
    }
}

/// What a value means: without escapes, without broken lines and without white space around it.
pub fn plain(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw.trim());
    }
    let (mut chars, mut text) = (raw.chars().peekable(), String::new());
    while let Some(c) = chars.next() {
        match (c, chars.peek().copied()) {
            // A line that is broken for the file alone; its end may have two characters.
            ('\\', Some(end @ ('\n' | '\r'))) => {
                chars.next();
                _ = chars.next_if(|&c| c != end && (c == '\n' || c == '\r'));
            }
            ('\\', _) => text.extend(chars.next()),
            _ => text.push(c),
        }
    }
    Cow::Owned(text.trim().to_owned())
}

/// A value that means this text.
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// The text from the next game on: from a `(` that only white space separates from a `;`.
fn next_game(text: &str) -> Option<&str> {
    let mut begin = None;
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => begin = Some(place),
            b';' if begin.is_some() => return begin.map(|begin| &text[begin..]),
            _ if byte.is_ascii_whitespace() => {}
            _ => begin = None,
        }
    }
    None
}

impl Tree {
    /// Reads a file.
    pub fn read(text: &str) -> Result<Tree, TextError> {
        if text.len() > LARGEST {
            return Err(bad(text, format!("a file has at most {LARGEST} bytes")));
        }
        let most = 1 + text.bytes().filter(|&byte| byte == b';').count();
        let mut nodes = Vec::with_capacity(most);
        nodes.push(Node::default());
        let place = |rest: &str| (text.len() - rest.len()) as u32;
        // The node whose children come next with the last of these, and the same for each open `(`.
        let (mut at, mut last, mut open, mut begins) = (COLLECTION, 0, Vec::new(), false);
        // A file without a game is read as if it began with one, to say what is wrong.
        let begin = next_game(text).or_else(|| text.find('(').map(|begin| &text[begin..]));
        let mut rest = begin.ok_or_else(|| bad(text, "a game begins with `(;`"))?;
        loop {
            match rest.as_bytes().first() {
                None => return Err(bad(text, "the game has no end, `)`")),
                Some(b'(') => {
                    open.push((at as u32, last));
                    rest = rest[1..].trim_start();
                    match rest.chars().next() {
                        Some(';') => begins = true,
                        Some(')') | None => return Err(bad(text, "the game has no node, `;`")),
                        Some(c) if c.is_ascii_alphabetic() => {
                            return Err(bad(rest, "a property stands before the first node"));
                        }
                        Some(_) => return Err(bad(rest, "`;` is expected after `(`")),
                    }
                }
                Some(b';') if last != 0 && !begins => {
                    return Err(bad(rest, "after a variation comes `(` or `)`"));
                }
                Some(b';') => {
                    rest = &rest[1..];
                    let id = nodes.len();
                    match last {
                        0 => nodes[at].child = id as u32,
                        _ => nodes[last as usize].next = id as u32,
                    }
                    (at, last, begins) = (id, 0, false);
                    let begin = place(rest);
                    while let Some((_, more)) = property(rest)? {
                        rest = more;
                    }
                    rest = rest.trim_start();
                    nodes.push(Node { begin, end: place(rest), ..Node::default() });
                    continue;
                }
                Some(b')') => {
                    let Some((node, before)) = open.pop() else { unreachable!("a game is open") };
                    at = node as usize;
                    last = if before == 0 { nodes[at].child } else { nodes[before as usize].next };
                    rest = &rest[1..];
                    if open.is_empty() {
                        let Some(more) = next_game(rest) else { break };
                        rest = more;
                    }
                }
                Some(_) => return Err(bad(rest, "`;`, `(`, `)` or a property is expected here")),
            }
            rest = rest.trim_start();
        }
        Ok(Tree { text: text.to_owned(), nodes })
    }

    /// All that was read, and what was added.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    fn chain(&self, first: u32) -> impl Iterator<Item = NodeId> {
        let some = |id: u32| (id != 0).then_some(NodeId(id));
        std::iter::successors(some(first), move |&id| some(self.node(id).next))
    }

    /// The first nodes of all games, at least one.
    pub fn games(&self) -> impl Iterator<Item = NodeId> {
        self.chain(self.nodes[COLLECTION].child)
    }

    /// The nodes that come after a node: one if the line goes on, several if there are variations.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.chain(self.node(id).child)
    }

    fn content(&self, id: NodeId) -> &str {
        let Node { begin, end, .. } = self.node(id);
        &self.text[begin as usize..end as usize]
    }

    /// The properties of a node in the order of the file.
    pub fn properties(&self, id: NodeId) -> impl Iterator<Item = Property<'_>> {
        let mut rest = self.content(id);
        std::iter::from_fn(move || {
            let (found, more) = property(rest).ok()??;
            rest = more;
            Some(found)
        })
    }

    /// The first value of a property of a node, as [`plain`] text.
    pub fn value(&self, id: NodeId, name: &str) -> Option<Cow<'_, str>> {
        self.properties(id).find(|property| property.name == name)?.values().next().map(plain)
    }

    /// Adds text behind all that there is.
    fn write_down(&mut self, text: &str) -> (u32, u32) {
        let begin = self.text.len() as u32;
        self.text += text;
        (begin, u32::try_from(self.text.len()).expect("a file has at most 1 GiB"))
    }

    /// Adds a node after another one, behind its other children. The properties are written as in a
    /// file.
    pub fn add(&mut self, parent: NodeId, properties: &str) -> NodeId {
        let (begin, end) = self.write_down(properties);
        let id = self.nodes.len() as u32;
        match self.children(parent).last() {
            Some(last) => self.nodes[last.0 as usize].next = id,
            None => self.nodes[parent.0 as usize].child = id,
        }
        self.nodes.push(Node { begin, end, ..Node::default() });
        NodeId(id)
    }

    /// Adds properties, written as in a file, behind those of a node.
    pub fn append(&mut self, id: NodeId, properties: &str) {
        let content = self.content(id);
        let kept = content.trim_end();
        let text = format!("{kept}{properties}{}", &content[kept.len()..]);
        self.replace(id, &text);
    }

    /// Adds a text to the comment of a node. A comment that has it already stays as it is.
    pub fn comment(&mut self, id: NodeId, text: &str) {
        let text = escaped(text);
        let mut content = String::new();
        let mut is_new = true;
        for Property { name, raw } in self.properties(id) {
            content += name;
            let Some(value) = (Property { name, raw }).values().next().filter(|_| name == "C" && is_new)
            else {
                content += raw;
                continue;
            };
            is_new = false;
            if raw.contains(&text) {
                return;
            }
            let between = if value.trim().is_empty() { "" } else { "\n\n" };
            content += &format!("[{value}{between}{text}{}", &raw.trim_start()[1 + value.len()..]);
        }
        match is_new {
            true => self.append(id, &format!("C[{text}]")),
            false => self.replace(id, &content),
        }
    }

    fn replace(&mut self, id: NodeId, content: &str) {
        let (begin, end) = self.write_down(content);
        let node = &mut self.nodes[id.0 as usize];
        (node.begin, node.end) = (begin, end);
    }

    /// The lines of play of a game, from its first node to the end of a variation.
    pub fn lines(&self, game: NodeId) -> usize {
        let (mut count, mut open) = (0, vec![game]);
        while let Some(id) = open.pop() {
            let before = open.len();
            open.extend(self.children(id));
            count += usize::from(open.len() == before);
        }
        count
    }
}

/// The file: each game on lines of its own, a node as it was written.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for game in self.games() {
            // Where a variation begins, or `None` where those of a node have ended.
            let mut open = vec![Some(game)];
            while let Some(next) = open.pop() {
                let Some(mut id) = next else {
                    f.write_str(")")?;
                    continue;
                };
                f.write_str("(")?;
                let several = loop {
                    write!(f, ";{}", self.content(id))?;
                    let mut children = self.children(id);
                    match (children.next(), children.next()) {
                        (Some(only), None) => id = only,
                        (first, _) => break first.is_some(),
                    }
                };
                open.push(None);
                if several {
                    let begin = open.len();
                    open.extend(self.children(id).map(Some));
                    open[begin..].reverse();
                }
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
