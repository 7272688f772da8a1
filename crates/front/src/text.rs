//! Text for a person: lists in lines, and texts of others made harmless.

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
    fn harmless_lines() {
        assert_eq!(one_line("move `é\u{1b}[31m\n\0`: bad"), "move `é\\u{1b}[31m\\n\\u{0}`: bad");
        let long = one_line(&format!("move `{}`: not legal", "x".repeat(1_000_000)));
        assert!(long.chars().count() < 1300 && long.starts_with("move `xx") && long.ends_with("not legal"));
    }
}
