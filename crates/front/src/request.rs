//! Requests of other programs: what a line of JSON says, or the body of a request to the page's server.
//!
//! ```text
//! {"id": 7, "do": "analyze", "time": "5s", "every": "200ms"}
//! ```
//!
//! Amounts are numbers, or texts as on the command line: `10000` or `"10k"`, `0.5` or `"500ms"`.

use crate::amounts;
use crate::budget::Budget;
use proofplay_search::Resources;
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::{Map, Number, Value};
use std::path::PathBuf;
use std::time::Duration;

/// A request as it was sent.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// What all answers to it repeat: a number, a text or null.
    pub id: Value,
    /// What is wanted, or why that cannot be known.
    pub task: Result<Task, String>,
}

/// What is wanted.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Task {
    /// Another game.
    New(New),
    /// Moves, all of them or none.
    Play(Play),
    /// Moves are taken back.
    Undo(Undo),
    /// The position.
    Show(Show),
    /// The moves so far.
    Replay {},
    /// What a search thinks of every move.
    Analyze(Analyze),
    /// The move that a search chooses.
    Move(Choose),
    /// What is proven.
    Solve(Solve),
    /// Ends all searches that were asked for before.
    Stop {},
    /// What can be played.
    Games {},
    /// How positions can be searched.
    Searches {},
    /// All about a game.
    Rules(Rules),
    /// The end.
    Quit {},
}

/// `new`: where a game begins.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct New {
    /// The game as NAME or NAME:PARAMETERS.
    pub game: Option<String>,
    /// Where it begins, if not at the start of the game.
    pub position: Option<String>,
    /// The text of a game record to begin with, of `go` or a game of Go.
    pub sgf: Option<String>,
    /// Which variations of the record are followed, if not the first ones.
    pub variation: Vec<usize>,
    /// Moves to play then.
    pub moves: Moves,
}

/// `play`: moves.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Play {
    /// The moves.
    pub moves: Moves,
}

/// `undo`: how far.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Undo {
    /// How many moves, if not one.
    #[serde(deserialize_with = "plies")]
    pub plies: Option<usize>,
}

/// `show`: how much.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Show {
    /// Also the position after each move.
    pub after: bool,
}

/// `rules`: of which game.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// The game as NAME or NAME:PARAMETERS, if not the one that is played.
    pub game: Option<String>,
}

/// Requests for a search: they share these fields, and each has its own. Serde cannot flatten a struct
/// into another one and refuse unknown fields.
macro_rules! searching {
    ($(#[$about:meta])* $name:ident { $($(#[$of_own:meta])* $own:ident: $kind:ty),* }) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Debug, Default, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            /// The search with its settings, if not `auto`.
            pub search: Option<String>,
            /// Time.
            #[serde(deserialize_with = "time")]
            pub time: Option<Duration>,
            /// Positions visited, or nodes made.
            #[serde(deserialize_with = "count")]
            pub nodes: Option<u64>,
            /// Simulations of a Monte-Carlo search.
            #[serde(deserialize_with = "count")]
            pub simulations: Option<u64>,
            /// Threads.
            #[serde(deserialize_with = "threads")]
            pub threads: Option<usize>,
            /// The seed of searches that draw random numbers.
            #[serde(deserialize_with = "seed")]
            pub seed: Option<u64>,
            /// The time between two reports, if there shall be any.
            #[serde(deserialize_with = "time")]
            pub every: Option<Duration>,
            $($(#[$of_own])* pub $own: $kind),*
        }

        impl $name {
            /// What all requests for a search say.
            pub fn effort(&self) -> Effort<'_> {
                let Self { search, time, nodes, simulations, threads, seed, every, .. } = self;
                let (nodes, simulations, time, threads) = (*nodes, *simulations, *time, *threads);
                let budget = Budget { nodes, simulations, time, memory: None, threads };
                Effort { search: search.as_deref(), budget, seed: *seed, every: *every }
            }
        }
    };
}

searching! {
    /// `analyze`.
    Analyze {
        /// Prove also in how many plies the game ends.
        shortest: bool
    }
}

searching! {
    /// `move`.
    Choose {
        /// Play the move.
        play: bool
    }
}

searching! {
    /// `solve`.
    Solve {
        /// Prove the value of every move.
        all_moves: bool,
        /// Prove also in how many plies the game ends.
        shortest: bool,
        /// Write the proof into this file.
        certificate: Option<PathBuf>
    }
}

/// What all requests for a search say.
#[derive(Copy, Clone, Debug)]
pub struct Effort<'a> {
    /// The search with its settings, if not `auto`.
    pub search: Option<&'a str>,
    /// What it may use.
    pub budget: Budget,
    /// The seed of searches that draw random numbers, if not that of the session.
    pub seed: Option<u64>,
    /// The time between two reports, if there shall be any.
    pub every: Option<Duration>,
}

/// Moves: a list, or a text with blanks between them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(from = "ListOrText")]
pub struct Moves(pub Vec<String>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a list of moves, or a text with blanks between them")]
enum ListOrText {
    List(Vec<String>),
    Text(String),
}

impl From<ListOrText> for Moves {
    fn from(moves: ListOrText) -> Moves {
        Moves(match moves {
            ListOrText::List(list) => list,
            ListOrText::Text(text) => text.split_whitespace().map(str::to_owned).collect(),
        })
    }
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number or a text")]
enum Amount {
    Nothing(()),
    Number(Number),
    Text(String),
}

/// Reads an amount, if there is one.
fn amount<'de, T, D: Deserializer<'de>>(
    from: D,
    read: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, D::Error> {
    let text = match Amount::deserialize(from)? {
        Amount::Nothing(()) => return Ok(None),
        Amount::Number(number) => number.to_string(),
        Amount::Text(text) => text,
    };
    read(&text).map(Some).map_err(|why| D::Error::custom(format!("`{text}`: {why}")))
}

fn count<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    amount(from, amounts::some)
}

fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    amount(from, amounts::some_time)
}

fn plies<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    amount(from, |text| text.parse().map_err(|_| "expected a whole number".to_owned()))
}

fn seed<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    amount(from, |text| text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX)))
}

fn threads<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    const MOST: usize = Resources::MOST_THREADS;
    let expected = || format!("expected a number from 1 to {MOST}");
    let read = |text: &str| text.parse().ok().filter(|number| (1..=MOST).contains(number));
    amount(from, |text| read(text).ok_or_else(expected))
}

impl Request {
    /// Reads a line.
    pub fn read(line: &str) -> Request {
        let nobody = |why: String| Request { id: Value::Null, task: Err(why) };
        let mut fields = match serde_json::from_str(line) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return nobody(r#"expected an object, e.g. {"id": 1, "do": "show"}"#.to_owned()),
            Err(error) => return nobody(format!("no JSON: {error}")),
        };
        let id = fields.shift_remove("id").unwrap_or_default();
        if !(id.is_null() || id.is_number() || id.is_string()) {
            return nobody("field `id`: expected a number or a text".to_owned());
        }
        Request { id, task: Task::read(fields) }
    }
}

impl Task {
    /// Reads what is wanted.
    pub fn read(mut fields: Map<String, Value>) -> Result<Task, String> {
        let word = match fields.shift_remove("do") {
            Some(Value::String(word)) => word,
            Some(_) => return Err("field `do`: expected a text".to_owned()),
            None => return Err(r#"expected a field `do`, e.g. {"do": "show"}"#.to_owned()),
        };
        let tagged = |fields| Map::from_iter([(word.clone(), Value::Object(fields))]);
        // No field is required: so a field that is refused is refused alone, too.
        Task::deserialize(Value::Object(tagged(Map::new())))
            .map_err(|error| format!("field `do`: {error}"))?;
        read_fields(fields, |fields| Task::deserialize(Value::Object(tagged(fields))))
            .map_err(|error| format!("{word}: {error}"))
    }
}

/// Reads an object none of whose fields is required; the error names the field that is refused.
pub fn read_fields<T>(
    fields: Map<String, Value>,
    read: impl Fn(Map<String, Value>) -> Result<T, serde_json::Error>,
) -> Result<T, String> {
    let refused = |(key, value): (&String, &Value)| {
        let error = read(Map::from_iter([(key.clone(), value.clone())])).err()?.to_string();
        Some(if error.starts_with("unknown field") { error } else { format!("field `{key}`: {error}") })
    };
    match fields.iter().find_map(refused) {
        Some(error) => Err(error),
        None => read(fields).map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests() {
        let Request { id, task } =
            Request::read(r#"{"do":"analyze","id":"x","time":0.5,"nodes":"10k","every":null}"#);
        let Ok(Task::Analyze(analyze)) = task else { panic!("{task:?}") };
        assert_eq!(id, "x");
        assert_eq!((analyze.time, analyze.nodes), (Some(Duration::from_millis(500)), Some(10_000)));
        assert_eq!((analyze.every, analyze.effort().budget.simulations), (None, None));
        let moves = |text: &str| match Request::read(text).task {
            Ok(Task::Play(Play { moves: Moves(moves) })) => moves,
            other => panic!("{other:?}"),
        };
        assert_eq!(moves(r#"{"do":"play","moves":" a1  b2"}"#), ["a1", "b2"]);
        assert_eq!(moves(r#"{"do":"play","moves":["a1","b2"]}"#), ["a1", "b2"]);
        assert_eq!(Request::read(r#"{"do":"stop"}"#), Request { id: Value::Null, task: Ok(Task::Stop {}) });
    }

    /// An error names what is wrong, and says what is allowed.
    #[test]
    fn refusals() {
        for (line, why) in [
            ("{", "no JSON: EOF while parsing an object at line 1 column 1"),
            ("[1]", "expected an object"),
            (r#"{"id":[],"do":"show"}"#, "field `id`: expected a number or a text"),
            (r#"{"id":1}"#, "expected a field `do`"),
            (r#"{"do":1}"#, "field `do`: expected a text"),
            (r#"{"do":"dance"}"#, "field `do`: unknown variant `dance`, expected one of `new`, `play`"),
            (r#"{"do":"play","move":"a1"}"#, "play: unknown field `move`, expected `moves`"),
            (r#"{"do":"play","moves":7}"#, "play: field `moves`: expected a list of moves, or a text"),
            (r#"{"do":"stop","now":true}"#, "stop: unknown field `now`"),
            (r#"{"do":"undo","plies":-1}"#, "undo: field `plies`: `-1`: expected a whole number"),
            (r#"{"do":"solve","time":"soon"}"#, "solve: field `time`: `soon`: expected a number and ms"),
            (r#"{"do":"solve","nodes":0}"#, "solve: field `nodes`: `0`: expected at least 1"),
            (r#"{"do":"solve","nodes":1.5}"#, "solve: field `nodes`: `1.5`: expected a whole number"),
            (r#"{"do":"solve","nodes":[]}"#, "solve: field `nodes`: expected a number or a text"),
            (r#"{"do":"move","threads":0}"#, "move: field `threads`: `0`: expected a number from 1 to 1024"),
            (r#"{"do":"move","seed":1.5}"#, "move: field `seed`: `1.5`: expected a whole number from 0 to"),
            (r#"{"do":"move","shortest":true}"#, "move: unknown field `shortest`, expected one of `search`,"),
        ] {
            let task = Request::read(line).task;
            assert!(task.as_ref().is_err_and(|error| error.starts_with(why)), "{line}: {task:?}");
        }
        assert_eq!(Request::read(r#"{"id":5,"do":"dance"}"#).id, 5);
    }
}
