//! The messages of the protocol of general game playing: lists of words, as rule sheets are.

use std::collections::HashMap;
use std::time::Duration;

/// What a game manager says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// Is somebody there?
    Info,
    /// Rules that may be played later.
    Preview {
        /// The sheet.
        rules: String,
    },
    /// A match begins.
    Start {
        /// Its name.
        id: String,
        /// Whom we play.
        role: String,
        /// The sheet.
        rules: String,
        /// Time until we must be ready.
        start: Duration,
        /// Time for each move.
        play: Duration,
    },
    /// What was played, except at the beginning; what do we play?
    Play {
        /// The match.
        id: String,
        /// A move of each role.
        moves: Option<Vec<String>>,
    },
    /// The match is over.
    Stop {
        /// The match.
        id: String,
    },
    /// The match ends without a result.
    Abort {
        /// The match.
        id: String,
    },
}

/// Text that is no message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

fn malformed<T>(why: impl Into<String>) -> Result<T, Malformed> {
    Err(Malformed(why.into()))
}

/// Seconds of the longest start and play clock.
pub const LONGEST: u64 = 60 * 60;

impl Message {
    /// Reads a message.
    pub fn read(text: &str) -> Result<Message, Malformed> {
        let parts = parts(text)?;
        let Some((word, rest)) = parts.split_first() else { return malformed("an empty message") };
        let form = match (word.to_lowercase().as_str(), rest) {
            ("info", []) => return Ok(Message::Info),
            ("info", _) => "( INFO )",
            ("preview", [rules, clock]) => {
                seconds(clock)?;
                return Ok(Message::Preview { rules: sheet(rules)? });
            }
            ("preview", _) => "( PREVIEW (RULES) CLOCK )",
            ("start", [id, role, rules, start, play]) => {
                return Ok(Message::Start {
                    id: word_of(id)?,
                    role: word_of(role)?,
                    rules: sheet(rules)?,
                    start: seconds(start)?,
                    play: seconds(play)?,
                });
            }
            ("start", _) => "( START MATCH ROLE (RULES) STARTCLOCK PLAYCLOCK )",
            ("play", [id, moves]) => return Ok(Message::Play { id: word_of(id)?, moves: joint(moves)? }),
            ("play", _) => "( PLAY MATCH (MOVES) )",
            ("stop", [id, moves]) => {
                joint(moves)?;
                return Ok(Message::Stop { id: word_of(id)? });
            }
            ("stop", _) => "( STOP MATCH (MOVES) )",
            ("abort", [id]) => return Ok(Message::Abort { id: word_of(id)? }),
            ("abort", _) => "( ABORT MATCH )",
            _ => "INFO, PREVIEW, START, PLAY, STOP or ABORT",
        };
        malformed(format!("expected {form}"))
    }
}

/// The words and brackets of a text with their places, without comments.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let first = rest.chars().next()?;
            let length = match first {
                ';' => rest.find('\n').unwrap_or(rest.len()),
                '(' | ')' => 1,
                c if c.is_whitespace() => c.len_utf8(),
                _ => rest.find(|c: char| c.is_whitespace() || "();".contains(c)).unwrap_or(rest.len()),
            };
            let from = at;
            at += length;
            if first != ';' && !first.is_whitespace() {
                return Some((from, &text[from..at]));
            }
        }
    })
}

/// The parts of a list: words and lists.
fn parts(text: &str) -> Result<Vec<&str>, Malformed> {
    let (mut depth, mut from, mut parts, mut over) = (0_usize, 0, Vec::new(), false);
    for (at, token) in tokens(text) {
        if over {
            return malformed("something follows the message");
        }
        match (token, depth) {
            ("(", _) => {
                depth += 1;
                if depth == 2 {
                    from = at;
                }
            }
            (")", 0) => return malformed("a bracket is closed that was never opened"),
            (")", 1) => (over, depth) = (true, 0),
            (")", _) => {
                depth -= 1;
                if depth == 1 {
                    parts.push(&text[from..at + 1]);
                }
            }
            (_, 0) => return malformed("a message is a list in brackets"),
            (word, 1) => parts.push(word),
            _ => {}
        }
    }
    if over { Ok(parts) } else { malformed("a bracket is not closed") }
}

fn word_of(part: &str) -> Result<String, Malformed> {
    if part.starts_with('(') { malformed("expected a word, not a list") } else { Ok(part.to_owned()) }
}

/// The rules between the brackets.
fn sheet(part: &str) -> Result<String, Malformed> {
    match part.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(rules) => Ok(rules.to_owned()),
        None => malformed("expected the rules in brackets"),
    }
}

fn seconds(part: &str) -> Result<Duration, Malformed> {
    let number = part.parse().ok().filter(|&number: &u64| number <= LONGEST);
    number
        .map_or_else(|| malformed("a clock is a number of seconds"), |number| Ok(Duration::from_secs(number)))
}

/// The moves of all roles, as we write them; `NIL` before the first ones.
fn joint(part: &str) -> Result<Option<Vec<String>>, Malformed> {
    if part.eq_ignore_ascii_case("nil") {
        return Ok(None);
    }
    let moves = parts(part)?;
    Ok((!moves.is_empty()).then(|| moves.into_iter().map(compact).collect()))
}

/// `(mark 1 2)` as `mark(1,2)`.
fn compact(term: &str) -> String {
    let mut text = String::new();
    // Of each open list, how many words and lists it has so far.
    let mut lists: Vec<usize> = Vec::new();
    for (_, token) in tokens(term) {
        if token == ")" {
            if lists.pop().is_some_and(|count| count > 1) {
                text.push(')');
            }
            continue;
        }
        if let Some(count) = lists.last_mut() {
            text += match *count {
                0 => "",
                1 => "(",
                _ => ",",
            };
            *count += 1;
        }
        match token {
            "(" => lists.push(0),
            word => text += &word.to_lowercase(),
        }
    }
    text
}

/// How rules spell their words: what they are is the same in upper and lower case, but managers differ.
#[derive(Clone, Debug, Default)]
pub struct Spelling(HashMap<String, String>);

impl Spelling {
    /// The words of rules as they are first written.
    pub fn of(rules: &str) -> Spelling {
        let mut words = HashMap::new();
        for (_, word) in tokens(rules) {
            words.entry(word.to_lowercase()).or_insert_with(|| word.to_owned());
        }
        Spelling(words)
    }

    /// `mark(1,2)` as `(mark 1 2)`.
    pub fn kif(&self, term: &str) -> String {
        let mut text = String::new();
        for part in term.split_inclusive(['(', ',', ')']) {
            let (word, end) = part.split_at(part.trim_end_matches(['(', ',', ')']).len());
            let word = self.0.get(word).map_or(word, String::as_str);
            text += &match end {
                "(" => format!("({word} "),
                "," => format!("{word} "),
                end => format!("{word}{end}"),
            };
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        let read = |text: &str| Message::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let id = || "m.1".to_owned();
        assert_eq!(read("( INFO )"), Message::Info);
        assert_eq!(read("(info)"), Message::Info);
        let rules = "(role X) ; first\n (role o)".to_owned();
        assert_eq!(
            read(&format!("(START m.1 X ({rules}) 30 15)\n")),
            Message::Start {
                id: id(),
                role: "X".to_owned(),
                rules,
                start: Duration::from_secs(30),
                play: Duration::from_secs(15)
            }
        );
        assert_eq!(read("(PLAY m.1 NIL)"), Message::Play { id: id(), moves: None });
        let moves = Some(vec!["mark(1,2)".to_owned(), "noop".to_owned(), "f(g(a,b),c)".to_owned()]);
        assert_eq!(read("(play m.1 ((Mark 1 2) (noop) (f (g a b) c)))"), Message::Play { id: id(), moves });
        assert_eq!(read("(STOP m.1 (a b))"), Message::Stop { id: id() });
        assert_eq!(read("(ABORT m.1)"), Message::Abort { id: id() });
        assert_eq!(read("(PREVIEW ((role x)) 5)"), Message::Preview { rules: "(role x)".to_owned() });
    }

    #[test]
    fn what_is_no_message() {
        for (text, why) in [
            ("", "not closed"),
            ("INFO", "list in brackets"),
            ("(INFO", "not closed"),
            ("(INFO))", "follows"),
            (")", "never opened"),
            ("()", "empty"),
            ("(HELLO)", "expected INFO"),
            ("(START m x (r) 1)", "expected ( START"),
            ("(START m (x) (r) 1 1)", "a word"),
            ("(START m x r 1 1)", "in brackets"),
            ("(START m x (r) -1 1)", "number of seconds"),
            ("(START m x (r) 1 999999999999999999999)", "number of seconds"),
            ("(PLAY m)", "expected ( PLAY"),
            ("(PLAY m x)", "list in brackets"),
            ("(ABORT)", "expected ( ABORT"),
        ] {
            let error = Message::read(text).expect_err(text).to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
        // However deep, it is read without recursion.
        let deep = "(".repeat(100_000);
        assert!(Message::read(&deep).is_err());
        assert!(Message::read(&format!("(PLAY m ({deep}{}))", ")".repeat(100_000))).is_ok());
    }

    #[test]
    fn moves_are_spelled_as_in_the_rules() {
        let spelling = Spelling::of("(legal ?p (Mark 1 TWO)) ; Nothing");
        assert_eq!(spelling.kif("mark(1,two)"), "(Mark 1 TWO)");
        assert_eq!(spelling.kif("noop"), "noop");
        assert_eq!(spelling.kif("f(g(a,b),h(c))"), "(f (g a b) (h c))");
        for text in ["(f (g a b) (h c))", "(f a b)", "a"] {
            assert_eq!(spelling.kif(&compact(text)), text);
        }
    }
}
