//! Text for a person: lists and lines that fit a terminal, numbers of things, and texts of others
//! made harmless.

use std::fmt::Display;

/// The width of lists where no terminal asks for less.
pub const WIDTH: usize = 80;

/// Words in lines of at most `columns` characters, all but the first indented by as much as `label`
/// takes.
pub fn wrapped(label: &str, words: &[String], columns: usize) -> String {
    let (mut text, mut line) = (String::new(), label.to_owned());
    for word in words {
        if line.chars().count() + 1 + word.chars().count() > columns && line.trim() != "" && line != label {
            text.push_str(&line);
            text.push('\n');
            line = " ".repeat(label.chars().count());
        }
        line.push(' ');
        line.push_str(word);
    }
    text + line.trim_end() + "\n"
}

/// The text with its lines broken at blanks, so that they have at most `columns` characters; escape
/// sequences of colours take none. The rest of a line is indented as its last column is, if that
/// begins in the left half, where columns are what two blanks separate.
pub fn fitted(text: &str, columns: usize) -> String {
    let mut fitted = String::new();
    for line in text.split_inclusive('\n') {
        if width(line) <= columns {
            fitted.push_str(line);
            continue;
        }
        let indent = last_column(line, columns / 2);
        let mut at = 0;
        for (blanks, word) in words(line) {
            if at > indent && at + blanks.len() + width(word) > columns {
                fitted.push('\n');
                fitted.extend(std::iter::repeat_n(' ', indent));
                at = indent;
            } else {
                fitted.push_str(blanks);
                at += blanks.len();
            }
            fitted.push_str(word);
            at += width(word);
        }
    }
    fitted
}

/// The characters that are seen, without escape sequences and the end of the line.
fn width(text: &str) -> usize {
    let mut in_escape = false;
    let seen = text.chars().filter(|&c| {
        let hidden = in_escape || c.is_control();
        in_escape = if in_escape { !c.is_ascii_alphabetic() } else { c == '\x1b' };
        !hidden
    });
    seen.count()
}

/// The words of a line, each with the blanks before it.
fn words(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let begin = rest.find(|c| c != ' ')?;
        let end = rest[begin..].find(' ').map_or(rest.len(), |length| begin + length);
        let word = (&rest[..begin], &rest[begin..end]);
        rest = &rest[end..];
        Some(word)
    })
}

/// Where the last column begins that begins at `most` or before; 0 if there is none.
fn last_column(line: &str, most: usize) -> usize {
    let (mut at, mut gap, mut column) = (0, 0, 0);
    for (blanks, word) in words(line) {
        (at, gap) = (at + blanks.len(), gap + blanks.len());
        // The end of a colour is no word.
        if width(word) > 0 {
            if gap > 1 && at <= most {
                column = at;
            }
            (at, gap) = (at + width(word), 0);
        }
    }
    column
}

/// So many things: `1 ply`, `2 plies`, `0 nodes`. The number may be text already, such as `1,000`.
///
/// ```
/// use proofplay_front::text::counted;
/// assert_eq!(counted(1, "node") + " and " + &counted("1,000", "ply"), "1 node and 1,000 plies");
/// ```
pub fn counted(number: impl Display, thing: &str) -> String {
    let number = number.to_string();
    match thing.strip_suffix('y') {
        _ if number == "1" => format!("1 {thing}"),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{number} {stem}ies"),
        _ => format!("{number} {thing}s"),
    }
}

/// The text on one line: control characters written as escapes, the middle of something very long
/// left out.
pub fn one_line(text: &str) -> String {
    const MOST: usize = 1200;
    let mut chars: Vec<char> = Vec::new();
    for c in text.chars() {
        if c.is_control() { chars.extend(c.escape_default()) } else { chars.push(c) }
    }
    if chars.len() > MOST {
        let left_out = chars.len() - MOST;
        let middle = format!(" … ({left_out} characters left out) … ");
        chars.splice(MOST / 2..MOST / 2 + left_out, middle.chars());
    }
    chars.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_wrap() {
        let words: Vec<String> = (100..140).map(|n: u32| n.to_string()).collect();
        let text = wrapped("legal:", &words, 80);
        assert!(text.lines().all(|line| line.len() <= 80));
        assert!(text.starts_with("legal: 100 101") && text.lines().nth(1).unwrap().starts_with("       1"));
        assert_eq!(wrapped("legal:", &[], 80), "legal:\n");
        assert_eq!(text.split_whitespace().count(), 41);
        assert_eq!(wrapped("x:", &["y".repeat(100)], 80), format!("x: {}\n", "y".repeat(100)));
    }

    #[test]
    fn lines_fit() {
        let text = "name  one two three four\n    deeper words go on\nshort\n";
        assert_eq!(
            fitted(text, 14),
            "name  one two\n      three\n      four\n    deeper\n    words go\n    on\nshort\n"
        );
        assert_eq!(fitted(text, usize::MAX), text);
        // Colours take no room, and a word is never broken.
        let bold = "\x1b[1mfour\x1b[0m five\n";
        assert_eq!(fitted(bold, 9), bold);
        assert_eq!(fitted(bold, 8), "\x1b[1mfour\x1b[0m\nfive\n");
        assert_eq!(fitted("  longer than that", 3), "  longer\nthan\nthat");
        assert_eq!(fitted("\x1b[1mx  \x1b[0m y zzz\n", 8), "\x1b[1mx  \x1b[0m y\n    zzz\n");
        // A column in the right half is no place for the rest of a line.
        assert_eq!(fitted("a b c d e f  g h i", 16), "a b c d e f  g h\ni");
    }

    #[test]
    fn one_thing_and_many_things() {
        assert_eq!(counted(1, "node"), "1 node");
        assert_eq!(counted(0, "node"), "0 nodes");
        assert_eq!(counted(21, "more move"), "21 more moves");
        assert_eq!(counted("1,001", "ply"), "1,001 plies");
        assert_eq!(counted(1, "ply"), "1 ply");
        assert_eq!(counted(2, "day"), "2 days");
    }

    #[test]
    fn harmless_lines() {
        assert_eq!(one_line("move `é\u{1b}[31m\n\0`: bad"), "move `é\\u{1b}[31m\\n\\u{0}`: bad");
        let long = one_line(&format!("move `{}`: not legal", "x".repeat(1_000_000)));
        assert!(long.chars().count() < 1300 && long.starts_with("move `xx") && long.ends_with("not legal"));
    }
}
