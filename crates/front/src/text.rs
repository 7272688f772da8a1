//! Text for a person: lists in lines, numbers of things, and texts of others made harmless.

use std::fmt::Display;

/// Words in lines of at most 80 characters, all but the first indented by as much as `label` takes.
pub fn wrapped(label: &str, words: &[String]) -> String {
    const WIDTH: usize = 80;
    let (mut text, mut line) = (String::new(), label.to_owned());
    for word in words {
        if line.chars().count() + 1 + word.chars().count() > WIDTH && line.trim() != "" && line != label {
            text.push_str(&line);
            text.push('\n');
            line = " ".repeat(label.chars().count());
        }
        line.push(' ');
        line.push_str(word);
    }
    text + line.trim_end() + "\n"
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

/// The text on one line: control characters written as escapes, the middle of something very long left out.
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
        let text = wrapped("legal:", &words);
        assert!(text.lines().all(|line| line.len() <= 80));
        assert!(text.starts_with("legal: 100 101") && text.lines().nth(1).unwrap().starts_with("       1"));
        assert_eq!(wrapped("legal:", &[]), "legal:\n");
        assert_eq!(text.split_whitespace().count(), 41);
        assert_eq!(wrapped("x:", &["y".repeat(100)]), format!("x: {}\n", "y".repeat(100)));
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
