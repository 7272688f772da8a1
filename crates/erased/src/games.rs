//! A list of games, each under its name.

use crate::erased::{AnyGame, erase};
use crate::table::Tables;
use crate::{AnyPosition, DynPosition};
use proofplay_core::{Family, FamilyVisitor, Game, GameVisitor, Line, TextError};
use proofplay_table::TableError;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Games that are found by name.
///
/// ```
/// use proofplay_core::{Family, GameVisitor, TextError};
/// use proofplay_erased::{Entry, Games};
/// # use proofplay_core::{Key, Own, Player, Position, Score, mix};
/// # #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
/// # struct Heap(u8);
/// # impl Position for Heap {
/// #     type Move = u8;
/// #     fn turn(&self) -> Player { Player::First }
/// #     fn outcome(&self) -> Option<Score> { (self.0 == 0).then_some(Score::WIN) }
/// #     fn moves(&self, out: &mut Vec<u8>) { out.push(1) }
/// #     fn play(&mut self, taken: u8) { self.0 -= taken }
/// #     fn key(&self) -> Key { mix(self.0.into()) }
/// # }
/// struct Matches;
/// impl Family for Matches {
///     const NAME: &str = "matches";
/// #     const PARAMETERS: &str = "";
/// #     const EXAMPLE: &str = "";
/// #     const RULES: &str = "take a match; who takes the last one wins";
///     // …
/// #     fn build<V: GameVisitor>(_: &str, visitor: V) -> Result<V::Out, TextError> {
/// #         Ok(visitor.visit(Own::new("matches", Heap(3))))
/// #     }
/// }
/// let games = Games::default().with(Entry::of::<Matches>());
/// assert_eq!(games.game("matches")?.start().legal(), ["1"]);
/// # Ok::<(), proofplay_erased::SetupError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Games {
    entries: Vec<Entry>,
    pub(crate) tables: Tables,
}

impl Games {
    /// These games, found in this order.
    pub fn new(entries: Vec<Entry>) -> Games {
        Games { entries, tables: Tables::default() }
    }

    /// The same games and one more, which takes the place of one of the same name.
    pub fn with(mut self, entry: Entry) -> Games {
        self.entries.retain(|other| other.name != entry.name);
        self.entries.push(entry);
        self
    }

    /// The game written `NAME` or `NAME:PARAMETERS`. With the digest of its rules behind a `#` it is refused if its rules are others.
    pub fn game(&self, text: &str) -> Result<AnyGame, SetupError> {
        let digest = text.rsplit_once('#').filter(|(_, digest)| {
            digest.len() == 16 && digest.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
        });
        let Some((written, _)) = digest else { return self.named(text) };
        let name = written.split(':').next().unwrap_or(written);
        let by_digest = self.entry(name).is_ok_and(|entry| entry.by_digest);
        let game = self.named(if by_digest { text } else { written })?;
        let found = game.id();
        if found == text { Ok(game) } else { Err(SetupError::OtherRules { asked: text.to_owned(), found }) }
    }

    fn named(&self, text: &str) -> Result<AnyGame, SetupError> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        self.tables.lay_beside(self.entry(name)?.make(parameters)?)
    }

    /// The entry of this name, written in any case, unless two names differ by nothing else.
    pub fn entry(&self, name: &str) -> Result<&Entry, SetupError> {
        if let Some(entry) = self.iter().find(|entry| entry.name == name) {
            return Ok(entry);
        }
        let meant: Vec<&Entry> = self.iter().filter(|entry| entry.name.eq_ignore_ascii_case(name)).collect();
        let names =
            |entries: &[&Entry]| entries.iter().map(|entry| entry.name()).collect::<Vec<_>>().join(", ");
        match meant[..] {
            [entry] => Ok(entry),
            [] => {
                let all: Vec<&Entry> = self.iter().collect();
                let nearest = nearest(name, &all.iter().map(|entry| entry.name()).collect::<Vec<_>>());
                Err(SetupError::UnknownName { name: name.to_owned(), nearest, names: names(&all) })
            }
            _ => Err(SetupError::Ambiguous { name: name.to_owned(), names: names(&meant) }),
        }
    }

    /// The game that a file names: exactly as [`Game::id`] writes it.
    pub fn recorded(&self, id: &str) -> Result<AnyGame, SetupError> {
        let game = self.game(id)?;
        let found = game.id();
        if found == id {
            return Ok(game);
        }
        let name = |id: &str| id.split('#').next().map(str::to_owned);
        if name(id) == name(&found) {
            return Err(SetupError::OtherRules { asked: id.to_owned(), found });
        }
        Err(TextError::new("game", id, format!("files name it `{found}`")).into())
    }

    /// The position at the end of a line of play. The error of a move names its ply.
    pub fn reach(&self, line: &Line) -> Result<AnyPosition, SetupError> {
        let rules = self.game(&line.game)?;
        let mut pos = match &line.from {
            None => rules.start(),
            Some(text) => rules.parse(text)?,
        };
        for (ply, mv) in (1..).zip(&line.moves) {
            pos.play(mv).map_err(|error| SetupError::Move { ply, error })?;
        }
        Ok(pos)
    }
}

/// Plays moves that somebody has typed, in any case. The error of a move names its ply.
pub(crate) fn enter_all(pos: &mut dyn DynPosition, moves: &[String]) -> Result<(), SetupError> {
    for (ply, mv) in (1..).zip(moves) {
        pos.enter(mv).map_err(|error| SetupError::Move { ply, error })?;
    }
    Ok(())
}

impl Deref for Games {
    type Target = [Entry];

    fn deref(&self) -> &[Entry] {
        &self.entries
    }
}

/// The known name that is most like `name`, if any is.
fn nearest(name: &str, known: &[&str]) -> Option<String> {
    let likeness = |known: &&&str| strsim::jaro_winkler(&name.to_lowercase(), known);
    let best = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.filter(|best| likeness(best) > 0.7).map(|&best| best.to_owned())
}

/// Collects the entries of the families that it is shown.
#[derive(Debug, Default)]
pub struct Entries(pub Vec<Entry>);

impl FamilyVisitor for Entries {
    fn visit<F: Family>(&mut self) {
        self.0.push(Entry::of::<F>());
    }
}

/// Makes a game of its parameters.
type Make = dyn Fn(&str) -> Result<AnyGame, Refusal> + Send + Sync;

/// Why a game is not made of its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The parameters have another form.
    Parameters(TextError),
    /// What they name cannot be had, or is no game: whole sentences that tell what and where.
    Rules(String),
}

impl From<TextError> for Refusal {
    fn from(error: TextError) -> Refusal {
        Refusal::Parameters(error)
    }
}

/// A name, what stands behind it, and boards to try.
#[derive(Clone)]
pub struct Entry {
    name: String,
    parameters: String,
    example: String,
    rules: String,
    full_rules: String,
    line: String,
    small: Vec<String>,
    standard: Vec<String>,
    varied: Vec<String>,
    by_digest: bool,
    make: Arc<Make>,
}

impl Entry {
    /// The entry of a family of games.
    pub fn of<F: Family>() -> Entry {
        struct Erase;
        impl GameVisitor for Erase {
            type Out = AnyGame;
            fn visit<G: Game>(self, game: G) -> AnyGame {
                erase(game)
            }
        }
        let written = |boards: &[&str]| boards.iter().map(|board| F::written(board)).collect();
        Entry {
            name: F::NAME.to_owned(),
            parameters: F::PARAMETERS.to_owned(),
            example: F::written(F::EXAMPLE),
            rules: F::RULES.to_owned(),
            full_rules: F::FULL_RULES.to_owned(),
            line: F::LINE.to_owned(),
            small: written(F::SMALL),
            standard: written(F::STANDARD),
            varied: written(F::VARIED),
            by_digest: false,
            make: Arc::new(|parameters| Ok(F::build(parameters, Erase)?)),
        }
    }

    /// A game that `make` makes of its parameters, for games that are defined while a program runs.
    pub fn new(
        name: &str,
        make: impl Fn(&str) -> Result<AnyGame, TextError> + Send + Sync + 'static,
    ) -> Entry {
        Entry { by_digest: false, ..Entry::by_rules(name, move |parameters| Ok(make(parameters)?)) }
    }

    /// A game that `make` makes of rules that lie outside of this program, such as in a file that the parameters name. A digest behind
    /// them is handed on with its `#`, so that rules can be found by it, whatever their file is called now.
    pub fn by_rules(
        name: &str,
        make: impl Fn(&str) -> Result<AnyGame, Refusal> + Send + Sync + 'static,
    ) -> Entry {
        let (name, empty) = (name.to_owned(), String::new);
        Entry {
            example: name.clone(),
            name,
            parameters: empty(),
            rules: empty(),
            full_rules: empty(),
            line: empty(),
            small: Vec::new(),
            standard: Vec::new(),
            varied: Vec::new(),
            by_digest: true,
            make: Arc::new(make),
        }
    }

    /// The same game with boards that every search solves in a moment, and boards that go other ways through the code; all are written
    /// with the name.
    pub fn with_boards(self, small: &[&str], varied: &[&str]) -> Entry {
        let [small, varied] =
            [small, varied].map(|boards| boards.iter().map(|&text| text.to_owned()).collect());
        Entry { small, varied, ..self }
    }

    /// The same game with the form of its parameters, an example written with its name, and its rules in one line.
    pub fn described(self, parameters: &str, example: &str, rules: &str) -> Entry {
        let [parameters, example, rules] = [parameters, example, rules].map(str::to_owned);
        Entry { parameters, example, rules, ..self }
    }

    /// The same game with all of its rules as Markdown, and moves from the start of the example to a position for a picture.
    pub fn explained(self, full_rules: &str, line: &str) -> Entry {
        Entry { full_rules: full_rules.to_owned(), line: line.to_owned(), ..self }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The form of the parameters behind the name; empty if there are none.
    pub fn parameters(&self) -> &str {
        &self.parameters
    }

    /// A game to try, with its parameters.
    pub fn example(&self) -> &str {
        &self.example
    }

    /// The rules in one line.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// All of the rules, the notation and the parameters, as Markdown; empty if there is no such text.
    pub fn full_rules(&self) -> &str {
        &self.full_rules
    }

    /// Moves from the start of the example to a position that is worth a picture.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// Games that every search solves in a moment; none only if positions can repeat.
    pub fn small(&self) -> &[String] {
        &self.small
    }

    /// Games as people play them, unless that is the example.
    pub fn standard(&self) -> &[String] {
        &self.standard
    }

    /// The example and all other boards that the family names.
    pub fn boards(&self) -> impl Iterator<Item = &str> {
        let more = [&self.small, &self.standard, &self.varied].into_iter().flatten();
        std::iter::once(&self.example).chain(more).map(String::as_str)
    }

    /// How the game is written: its name and the form of its parameters.
    pub fn form(&self) -> String {
        let colon = if self.parameters.is_empty() { "" } else { ":" };
        format!("{}{colon}{}", self.name, self.parameters)
    }

    /// The game with these parameters.
    pub fn make(&self, parameters: &str) -> Result<AnyGame, SetupError> {
        (self.make)(parameters).map_err(|refusal| match refusal {
            Refusal::Parameters(error) => SetupError::BadParameters {
                game: self.name().into(),
                form: self.form().into(),
                example: self.example().into(),
                error,
            },
            Refusal::Rules(why) => SetupError::Rules(why),
        })
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.form()).finish()
    }
}

/// Why a game could not be set up.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// There is no game of this name.
    #[error("no game is called `{name}`{}; there are {names}",
        .nearest.as_ref().map_or(String::new(), |nearest| format!(" (did you mean `{nearest}`?)")))]
    UnknownName {
        /// The name that was asked for.
        name: String,
        /// A name that is much like it.
        nearest: Option<String>,
        /// All names, separated by commas.
        names: String,
    },
    /// The game does not know these parameters.
    #[error("game `{game}`: {error}; it is written `{form}`, e.g. `{example}`")]
    BadParameters {
        /// The game's name.
        game: Box<str>,
        /// How the game is written.
        form: Box<str>,
        /// A game to try.
        example: Box<str>,
        /// What was wrong.
        error: TextError,
    },
    /// The rules that the parameters name cannot be had, or make no game: whole sentences, perhaps with the place in a file.
    #[error("{0}")]
    Rules(String),
    /// Two games differ by case alone.
    #[error("game `{name}`: ambiguous, one of: {names}")]
    Ambiguous {
        /// The name that was asked for.
        name: String,
        /// The names that it may stand for, separated by commas.
        names: String,
    },
    /// The rules of the game have changed, or how moves are written.
    #[error(
        "`{asked}` has other rules or another notation than `{found}`, which is here: what was made for it must be made again"
    )]
    OtherRules {
        /// The game that was asked for.
        asked: String,
        /// The game of this name.
        found: String,
    },
    /// The game cannot read this position.
    #[error(transparent)]
    Position(#[from] TextError),
    /// A table of endgames is of no use.
    #[error("table `{file}`: {error}")]
    Table {
        /// The file.
        file: String,
        /// What is wrong with it.
        error: TableError,
    },
    /// A move of a line of play is not legal.
    #[error("ply {ply}: {error}")]
    Move {
        /// Its number, from 1.
        ply: usize,
        /// What is wrong with it.
        error: TextError,
    },
}
