//! Lines of the protocol: commands and replies.
//!
//! ```text
//! 12 play b D4 # a remark      =12
//! genmove w                    = E5
//! play w D4                    ? illegal move: …
//! ```
//!
//! A reply ends with an empty line. Control characters are ignored, except tabs, which are blanks.

/// A command as it was sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The number that its reply repeats.
    pub id: Option<u32>,
    /// Its name.
    pub name: String,
    /// What stands behind it.
    pub arguments: Vec<String>,
}

impl Command {
    /// Reads a line; `None` if it has no command, only blanks, a number or a remark.
    pub fn read(line: &str) -> Option<Command> {
        let line = line.split('#').next().unwrap_or_default().replace('\t', " ");
        let plain: String = line.chars().filter(|c| !c.is_control()).collect();
        let mut words = plain.split_whitespace().peekable();
        let id = words.peek().and_then(|word| word.parse().ok());
        if id.is_some() {
            words.next();
        }
        let name = words.next()?.to_owned();
        Some(Command { id, name, arguments: words.map(str::to_owned).collect() })
    }
}

/// A reply as it is sent, without what an empty line in it would end.
pub fn reply(id: Option<u32>, answer: &Result<String, String>) -> String {
    let (sign, text) = match answer {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let id = id.map_or(String::new(), |id| id.to_string());
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let text = lines.join("\n");
    let gap = match text.as_str() {
        "" => "",
        // A board begins on a line of its own.
        _ if answer.as_ref().is_ok_and(|text| text.starts_with('\n')) => "\n",
        _ => " ",
    };
    format!("{sign}{id}{gap}{text}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (Option<u32>, String, usize) {
        let Command { id, name, arguments } = Command::read(line).unwrap();
        (id, name, arguments.len())
    }

    #[test]
    fn commands() {
        assert_eq!(read("12 play b D4 # a remark"), (Some(12), "play".into(), 2));
        assert_eq!(read("\tgenmove\u{7}\tw\r"), (None, "genmove".into(), 1));
        // A number that is no id is a name, which nobody knows.
        assert_eq!(read("99999999999 name"), (None, "99999999999".into(), 1));
        assert_eq!(read("-1 name"), (None, "-1".into(), 1));
        for none in ["", "  ", "# play b D4", "12", "7 # nothing", "\u{1}\u{2}"] {
            assert_eq!(Command::read(none), None, "{none}");
        }
    }

    #[test]
    fn replies() {
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(reply(None, &ok("")), "=\n\n");
        assert_eq!(reply(Some(0), &ok("D4")), "=0 D4\n\n");
        assert_eq!(reply(Some(7), &ok("a b\n\n  \nc d  \n")), "=7 a b\nc d\n\n");
        assert_eq!(reply(Some(7), &ok("\n\n  a b\n")), "=7\n  a b\n\n");
        assert_eq!(reply(None, &Err("no".to_owned())), "? no\n\n");
    }
}
