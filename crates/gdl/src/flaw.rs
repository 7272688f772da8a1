//! What is wrong with a rule sheet, and where: a message, the line and a caret below the place.

use std::fmt;
use std::sync::Arc;

/// A part of the text of a sheet: bytes from `start` to before `end`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// The text of a rule sheet under a name that errors show.
#[derive(PartialEq, Eq, Debug)]
pub struct Source {
    /// What errors call the sheet, usually its file.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// Why a rule sheet is refused. Printed, it shows the line.
///
/// ```
/// let flaw = proofplay_gdl::Sheet::read("my.gdl", "(role x)\n(init (cell ?c))").unwrap_err();
/// let text = "my.gdl:2:13: a fact has no variables, but this one has `?c`\n  \
///             2 | (init (cell ?c))\n    |             ^^";
/// assert_eq!(flaw.to_string(), text);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    message: String,
    place: Option<(Span, Arc<Source>)>,
}

/// Characters of a line that are shown on either side of the place.
const AROUND: usize = 60;

impl Flaw {
    /// A flaw of the part `span` of a sheet.
    pub(crate) fn at(source: &Arc<Source>, span: Span, message: impl Into<String>) -> Flaw {
        Flaw { message: message.into(), place: Some((span, Arc::clone(source))) }
    }

    /// A flaw of the whole sheet.
    pub(crate) fn whole(message: impl Into<String>) -> Flaw {
        Flaw { message: message.into(), place: None }
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Line and column from 1, if one place is to blame.
    pub fn place(&self) -> Option<(usize, usize)> {
        let (span, source) = self.place.as_ref()?;
        let before = &source.text[..floor(&source.text, span.start as usize)];
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        Some((before.matches('\n').count() + 1, before[line..].chars().count() + 1))
    }
}

/// The nearest boundary of a character at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some((span, source)), Some((line, column))) = (&self.place, self.place()) else {
            return f.write_str(&self.message);
        };
        let text = source.text.lines().nth(line - 1).unwrap_or("");
        // Tabs and other signs without a width of one would move the caret.
        let shown: Vec<char> = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let from = (column - 1).saturating_sub(AROUND);
        let to = shown.len().min(column - 1 + AROUND);
        let part: String = shown[from.min(to)..to].iter().collect();
        let wide = floor(&source.text, span.end as usize).saturating_sub(span.start as usize);
        let carets = wide.clamp(1, to.saturating_sub(column - 1).max(1));
        let number = line.to_string();
        let (margin, indent) = (" ".repeat(number.len()), " ".repeat(column - 1 - from));
        writeln!(f, "{}:{line}:{column}: {}", source.name, self.message)?;
        writeln!(f, "  {number} | {part}")?;
        write!(f, "  {margin} | {indent}{}", "^".repeat(carets))
    }
}

impl std::error::Error for Flaw {}
