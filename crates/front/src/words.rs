//! What a person can type besides moves.

/// A word, with what follows it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Word<'a> {
    /// The words themselves.
    Help,
    /// The board.
    Board,
    /// The legal moves.
    Moves,
    /// A good move.
    Hint,
    /// The value of the position.
    Score,
    /// Take the person's last move back.
    Undo,
    /// Give the game up.
    Resign,
    /// Change sides with the computer.
    Sides,
    /// How much the computer thinks.
    Level(&'a str),
    /// Another game from the same start.
    New,
    /// Write the game to a file.
    Save(&'a str),
    /// Continue with the game of a file.
    Load(&'a str),
    /// Leave.
    Quit,
}

/// All of them, for a person.
pub const HELP: &str = "\
Type a move as `moves` lists it, or one of these words:
  board         show the board again
  moves         the legal moves
  hint          a good move, its value and its line
  score         the value of the position and its line
  undo          take your last move back, also after the end of the game
  resign        give the game up
  sides         change sides with the computer
  level LEVEL   how much the computer thinks about a move: a time such as 2s, or a number of
                playouts or nodes such as 10k or 10k nodes
  new           begin another game from the same start
  save FILE     write the game to a file, as SGF if FILE ends with .sgf and the
                game is Go, Lines of Action or Amazons
  load FILE     continue with the game of such a file
  help          this text
  quit          leave (also Ctrl-D)
";

impl<'a> Word<'a> {
    /// Reads a line, in upper or lower case; `None` if it is something else, perhaps a move.
    pub fn read(line: &'a str) -> Option<Word<'a>> {
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        Some(match (&*word.to_lowercase(), rest) {
            ("level", level) => Word::Level(level),
            ("save", file) => Word::Save(file),
            ("load", file) => Word::Load(file),
            (word, "") => match word {
                "help" | "?" => Word::Help,
                "board" => Word::Board,
                "moves" => Word::Moves,
                "hint" => Word::Hint,
                "score" => Word::Score,
                "undo" => Word::Undo,
                "resign" => Word::Resign,
                "sides" => Word::Sides,
                "new" => Word::New,
                "quit" | "exit" => Word::Quit,
                _ => return None,
            },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for (line, word) in [
            ("UNDO", Word::Undo),
            (" quit ", Word::Quit),
            ("exit", Word::Quit),
            ("?", Word::Help),
            ("Level 10M  nodes", Word::Level("10M  nodes")),
            ("level", Word::Level("")),
            ("SAVE My Game.TXT", Word::Save("My Game.TXT")),
            ("load\tx", Word::Load("x")),
        ] {
            assert_eq!(Word::read(line), Some(word));
        }
        for line in ["", "b2", "undo 3", "hints", "4"] {
            assert_eq!(Word::read(line), None, "{line}");
        }
    }

    /// The help has every word, and nothing that is not one.
    #[test]
    fn help() {
        let words = HELP.lines().skip(1).filter(|line| !line.starts_with("   "));
        let words: Vec<&str> = words.map(|line| line.split_whitespace().next().unwrap()).collect();
        assert!(words.iter().all(|word| Word::read(word).is_some()), "{words:?}");
        assert_eq!(words.len(), 13);
        assert!(HELP.lines().all(|line| line.len() <= 100));
    }
}
