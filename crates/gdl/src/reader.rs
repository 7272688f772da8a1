//! The text of a rule sheet as nested lists of words: KIF, prefix form, in any case.
//!
//! A comment goes from `;` to the end of the line. A `|` or a quote is a letter like any other.

use crate::flaw::{Flaw, Source, Span};
use std::sync::Arc;

/// Bytes of a sheet.
pub(crate) const LONGEST: usize = 4 << 20;
/// Words of a sheet.
const MOST_WORDS: usize = 400_000;
/// Lists inside lists.
const DEEPEST: usize = 64;
/// Bytes of a word.
const LONGEST_WORD: usize = 256;

/// A word or a list, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub what: What,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    /// In lower case.
    Word(String),
    List(Vec<Node>),
}

/// Reads a whole text.
pub(crate) fn read(source: &Arc<Source>) -> Result<Vec<Node>, Flaw> {
    let text = &source.text;
    if text.len() > LONGEST {
        let message = format!("the sheet has {} bytes; {LONGEST} are allowed", text.len());
        return Err(Flaw::whole(message));
    }
    let flaw = |start: usize, end: usize, message: String| {
        Err(Flaw::at(source, Span { start: start as u32, end: end as u32 }, message))
    };
    // Lists that are not closed yet, each with the place where it began.
    let mut open: Vec<(usize, Vec<Node>)> = Vec::new();
    let mut done = Vec::new();
    let (mut at, mut words) = (0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let start = at;
        at += 1;
        let what = match bytes[start] {
            b';' => {
                at = text[start..].find('\n').map_or(bytes.len(), |end| start + end);
                continue;
            }
            b if b.is_ascii_whitespace() => continue,
            b'(' => {
                if open.len() == DEEPEST {
                    return flaw(start, at, format!("more than {DEEPEST} lists inside each other"));
                }
                open.push((start, Vec::new()));
                continue;
            }
            b')' => match open.pop() {
                None => return flaw(start, at, "no list is open that this could close".to_owned()),
                Some((from, list)) => {
                    let span = Span { start: from as u32, end: at as u32 };
                    let node = Node { what: What::List(list), span };
                    open.last_mut().map_or(&mut done, |outer| &mut outer.1).push(node);
                    continue;
                }
            },
            _ => {
                let rest = &text[start..];
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';');
                at = start + rest.find(ends).unwrap_or(rest.len());
                if at == start {
                    // A blank that is not an ASCII one.
                    at += rest.chars().next().map_or(1, char::len_utf8);
                    continue;
                }
                What::Word(text[start..at].to_lowercase())
            }
        };
        words += 1;
        if words > MOST_WORDS {
            return flaw(start, at, format!("more than {MOST_WORDS} words"));
        }
        if at - start > LONGEST_WORD {
            return flaw(start, at, format!("a word of more than {LONGEST_WORD} bytes"));
        }
        let node = Node { what, span: Span { start: start as u32, end: at as u32 } };
        open.last_mut().map_or(&mut done, |outer| &mut outer.1).push(node);
    }
    match open.last() {
        Some(&(start, _)) => flaw(start, start + 1, "this list is never closed".to_owned()),
        None => Ok(done),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(nodes: &[Node]) -> String {
        let one = |node: &Node| match &node.what {
            What::Word(word) => word.clone(),
            What::List(list) => format!("({})", shown(list)),
        };
        nodes.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    fn read_text(text: &str) -> Result<String, String> {
        let source = Arc::new(Source { name: "t".into(), text: text.into() });
        read(&source).map(|nodes| shown(&nodes)).map_err(|flaw| flaw.to_string())
    }

    #[test]
    fn lists_words_and_comments() {
        assert_eq!(read_text("(ROLE White);x)\n (a(b ?C)d)e"), Ok("(role white) (a (b ?c) d) e".into()));
        assert_eq!(read_text("  ; nothing"), Ok(String::new()));
        assert_eq!(read_text("\u{a0}(ä\u{2003}B)"), Ok("(ä b)".into()));
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let expected = "t:2:2: no list is open that this could close\n  2 | a) b\n    |  ^";
        assert_eq!(read_text("(a)\na) b").unwrap_err(), expected);
        let expected = "t:1:4: this list is never closed\n  1 | (a (b\n    |    ^";
        assert_eq!(read_text("(a (b").unwrap_err(), expected);
        let deep = "(".repeat(DEEPEST + 1);
        assert!(read_text(&deep).unwrap_err().starts_with("t:1:65: more than 64 lists inside each other"));
        let long = "x".repeat(LONGEST_WORD + 1);
        assert!(read_text(&long).unwrap_err().starts_with("t:1:1: a word of more than 256 bytes"));
        assert!(read_text(&"a ".repeat(MOST_WORDS + 1)).unwrap_err().contains("more than 400000 words"));
        assert!(read_text(&" ".repeat(LONGEST + 1)).unwrap_err().starts_with("the sheet has 4194305 bytes"));
    }
}
