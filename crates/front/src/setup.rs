//! Which position somebody means: a game, perhaps a position or a game record to begin with, and
//! moves.

use crate::record::Record;
use crate::sgf::{Source, expect_kind};
use proofplay_core::{Line, TextError};
use proofplay_registry::{DynPosition, GAMES, SetupError, game, reach};
use proofplay_search::checkpoint::Head;

/// What somebody says about a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// The game as NAME or NAME:PARAMETERS. With a game record, NAME alone is the board of the record,
    /// and nothing at all is whatever game that has.
    pub game: String,
    /// Where it begins, if not at the start of the game.
    pub position: Option<String>,
    /// The text of a game record to begin with.
    pub sgf: Option<String>,
    /// Which variations of the record are followed, see [`Source::read`].
    pub variation: Vec<usize>,
    /// Moves to play then, separated by blanks.
    pub moves: String,
}

impl Setup {
    /// Reads a file: SGF, or the text of [`Record::text`](crate::record::Record::text). In such a text
    /// `start:` may be left out, there may be any number of lines `moves:`, and lines that begin with
    /// `#` are remarks.
    pub fn read(text: &str) -> Result<Setup, TextError> {
        // Before its first game a file may have other text.
        if text.trim_start().starts_with('(') || text.contains("(;") {
            return Ok(Setup { sgf: Some(text.to_owned()), ..Setup::default() });
        }
        let mut setup = Setup::default();
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            match line.split_once(':').map(|(key, rest)| (key, rest.trim())) {
                Some(("game", game)) if setup.game.is_empty() => setup.game = game.to_owned(),
                Some(("start", start)) if setup.position.is_none() => setup.position = Some(start.to_owned()),
                Some(("moves", moves)) => setup.moves += &format!(" {moves}"),
                _ => return Err(TextError::new("line", line, "expected one `game:`, `start:` or `moves:`")),
            }
        }
        match &*setup.game {
            "" => Err(TextError::new("file", text, "expected a line `game: NAME`")),
            _ => Ok(setup),
        }
    }

    /// The line of play that is meant. Whether its moves are legal is not looked at.
    pub fn line(&self) -> Result<Line, SetupError> {
        Ok(self.open()?.0)
    }

    /// The line of play as a record, with its first moves, at most so many. `go_on` is called as by
    /// [`replay`].
    pub fn record<E: From<SetupError>>(
        &self,
        most: usize,
        go_on: impl FnMut() -> Result<(), E>,
    ) -> Result<Record, E> {
        let (mut line, source) = self.open()?;
        line.moves.truncate(most);
        let record = replay(&line, go_on)?;
        Ok(match source {
            Some(source) => record.from_file(source),
            None => record,
        })
    }

    /// The line that is meant, and the game record that it begins with.
    fn open(&self) -> Result<(Line, Option<Source>), SetupError> {
        let Some(text) = &self.sgf else {
            let rules = game(&self.game)?;
            let from = self.position.as_ref().map(|text| rules.parse(text)).transpose()?;
            let from = from.map(|pos| pos.text());
            return Ok((Line { from, ..Line::start(&rules.id()).then(&self.moves) }, None));
        };
        let asked = (!self.game.is_empty()).then(|| expect_kind(&self.game)).transpose()?;
        let source = Source::read(text, &self.variation)?;
        if let Some(asked) = asked.filter(|asked| asked.game != source.family()) {
            let why = format!("the file is a game of {}, `{}`", source.title(), source.family());
            return Err(TextError::new("game", asked.game, why).into());
        }
        // Rules that a file does not tell, such as suicide, come with the game.
        let is_open = self.game.is_empty() || self.game.eq_ignore_ascii_case(source.family());
        let rules = game(if is_open { source.game() } else { &self.game })?;
        let from = rules.parse(source.position()).map_err(|error| match is_open {
            true => error,
            false => TextError::new("game", &self.game, format!("the file is a game of `{}`", source.game())),
        })?;
        let from = Some(from.text());
        let line = Line { from, ..Line::start(&rules.id()).then(source.moves()).then(&self.moves) };
        Ok((line, Some(source)))
    }
}

/// The position at the end of a line, and the moves that lead there. `go_on` is called before each
/// move, since a line may be long.
pub fn replay<E: From<SetupError>>(
    line: &Line,
    mut go_on: impl FnMut() -> Result<(), E>,
) -> Result<Record, E> {
    let start = Line { moves: Vec::new(), ..line.clone() };
    let mut record = Record::new(reach(&start)?);
    for mv in &line.moves {
        go_on()?;
        record.play(mv)?;
    }
    Ok(record)
}

/// The position that a checkpoint is about; an error if its moves lead to another one than it says.
pub fn position_of(head: &Head) -> Result<Box<dyn DynPosition>, SetupError> {
    GAMES.recorded(&head.line.game)?;
    let pos = reach(&head.line)?;
    if pos.text() != head.position {
        let expected = "its moves lead to another position than it says";
        return Err(TextError::new("position", &head.position, expected).into());
    }
    Ok(pos)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(game: &str) -> Setup {
        Setup { game: game.to_owned(), ..Setup::default() }
    }

    fn end(setup: &Setup) -> Result<String, SetupError> {
        let record = replay(&setup.line()?, || Ok::<(), SetupError>(()))?;
        Ok(record.now().text())
    }

    #[test]
    fn lines() {
        let line = Setup { moves: "4 4".to_owned(), ..setup("connect4") }.line().unwrap();
        assert_eq!(line, Line::start("connect4:7x6").then("4 4"));
        let x = Setup {
            position: Some("x../.../... o".to_owned()),
            moves: "b2".to_owned(),
            ..setup("tictactoe")
        };
        assert_eq!(x.line().unwrap().from.as_deref(), Some("x../.../... o"));
        assert_eq!(end(&x).unwrap(), "x../.o./... x");
        let typed = Setup { moves: "A1 B2".to_owned(), ..setup("TicTacToe") };
        assert_eq!(
            (typed.line().unwrap().game.as_str(), end(&typed).unwrap()),
            ("tictactoe", ".../.o./x.. x".into())
        );
        let sgf = Some("(;GM[1]SZ[5];B[cc];W[bb])".to_owned());
        let go = Setup { sgf: sgf.clone(), moves: "a1".to_owned(), ..setup("go") };
        assert_eq!(go.line().unwrap().moves, ["c3", "b4", "a1"]);
        assert!(go.line().unwrap().game.starts_with("go:5x5"));
        let other = Setup { sgf: sgf.clone(), ..setup("go:9x9") }.line().unwrap_err().to_string();
        assert_eq!(other, "game `go:9x9`: the file is a game of `go:5x5`");
        let error = Setup { sgf, ..setup("nogo:5x5") }.line().unwrap_err().to_string();
        assert!(error.contains("`nogo:5x5`: only games of go, loa and amazons"), "{error}");
    }

    /// A file has one form, whatever people may type.
    #[test]
    fn checkpoints_name_games_and_moves_exactly() {
        let head = |game: &str, moves: &str| Head {
            line: Line::start(game).then(moves),
            position: ".../.../x.. o".to_owned(),
            algorithm: "alphabeta".to_owned(),
            all_moves: false,
            seed: 1,
            memory: 1 << 20,
            threads: 1,
            spent: Default::default(),
        };
        assert!(position_of(&head("tictactoe", "a1")).is_ok());
        let error = |game, moves| position_of(&head(game, moves)).err().unwrap().to_string();
        assert!(error("tictactoe", "A1").starts_with("ply 1: move `A1`: not legal here"));
        assert_eq!(error("TicTacToe", "a1"), "game `TicTacToe`: files name it `tictactoe`");
        // Before Go left out the column `i`.
        assert!(error("go:10x1", "j1").starts_with("`go:10x1` has other rules or another notation"));
    }

    #[test]
    fn files() {
        let read = |text: &str| -> Result<Record, SetupError> {
            Setup::read(text)?.record(usize::MAX, || Ok::<(), SetupError>(()))
        };
        let record = read("# ours\n\n game: tictactoe\nstart: x../.../... o\nmoves: b2\nmoves: a1").unwrap();
        assert_eq!(record.text(), "game: tictactoe\nstart: x../.../... o\nmoves: b2 a1\n");
        assert_eq!(read(&record.text()).unwrap().text(), record.text());
        assert_eq!(read("game: connect4:5x4").unwrap().plies.len(), 0);
        let before = read("\u{feff}A game: of Go\n(;GM[1]SZ[5];B[cc])").unwrap();
        assert_eq!((&*before.now().game(), &*before.moves()), ("go:5x5", "c3"));
        let sgf = read("\n(;GM[1]SZ[5]KM[0.5];B[cc];W[])").unwrap();
        assert_eq!((&*sgf.now().game(), &*sgf.moves()), ("go:5x5,komi=0.5", "c3 pass"));
        assert_eq!(read(&sgf.text()).unwrap().moves(), sgf.moves());
        assert_eq!(read(&sgf.sgf(&[]).unwrap()).unwrap().text(), sgf.text());
        for (bad, why) in [
            ("", "`game: NAME`"),
            ("moves: 4", "`game: NAME`"),
            ("game: x\ngame: y", "`game: y`"),
            ("game: chess", "`chess`"),
            ("b2 a1", "`b2 a1`"),
            ("game: tictactoe\nmoves: b2 b2", "ply 2"),
            ("game: tictactoe\nstart: nowhere", "`nowhere`"),
            ("(;", "SGF"),
        ] {
            let error = read(bad).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn long_lines_can_be_stopped() {
        let line = Line::start("connect4").then("4 4 4 4 4 4 4 4");
        let mut left = 3;
        let stopped = replay(&line, || {
            left -= 1;
            if left > 0 { Ok(()) } else { Err(SetupError::from(TextError::new("line", "", "stopped"))) }
        });
        assert_eq!((stopped.unwrap_err().to_string(), left), ("line ``: stopped".to_owned(), 0));
        let error = replay(&line, || Ok::<(), SetupError>(())).unwrap_err().to_string();
        assert!(error.starts_with("ply 7: "), "{error}");
    }
}
