//! Games whose rules are a class in Python, as games of the core: every search takes them.
//!
//! A position keeps the object of Python and what was asked of it once: outcome, mover, key, moves. A move is the
//! number of a move in the list of its position, so that it follows from the rules alone.

use crate::error::Failure;
use proofplay_core::{Bounds, Game, Key, Player, Position, Score, TextError, View, mix};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// What a class says about its game.
#[derive(Debug)]
pub struct Rules {
    /// The class, or a function that makes the position at the start.
    pub class: Py<PyAny>,
    name: String,
    digest: Option<u64>,
    repeats: bool,
    range: Bounds,
    sides: [String; 2],
    /// What its methods have raised.
    pub failure: Arc<Failure>,
}

/// A game of Python.
#[derive(Clone)]
pub struct OwnGame {
    /// What its class says.
    pub rules: Arc<Rules>,
    start: OwnPosition,
}

/// A position of such a game.
#[derive(Clone)]
pub struct OwnPosition {
    rules: Arc<Rules>,
    now: Arc<State>,
}

/// An object of Python and what it has answered.
struct State {
    object: Py<PyAny>,
    outcome: Option<Score>,
    turn: Player,
    key: Key,
    moves: OnceLock<Vec<(Py<PyAny>, String)>>,
}

impl Rules {
    fn read(class: &Bound<'_, PyAny>) -> PyResult<Rules> {
        let attribute =
            |name: &str| class.getattr_opt(name).map(|found| found.filter(|value| !value.is_none()));
        let name = match attribute("name")? {
            Some(name) => name.extract::<String>()?,
            None => class.getattr("__name__")?.extract()?,
        };
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c == '#') {
            return Err(PyValueError::new_err(format!(
                "name {name:?}: expected a word without blanks and #"
            )));
        }
        let digest = match attribute("digest")? {
            None => None,
            Some(number) if number.extract::<u64>().is_ok() => Some(number.extract::<u64>()?),
            Some(other) => Some(fold(other.str()?.to_str()?.as_bytes()) as u64),
        };
        let repeats = attribute("repeats")?.map_or(Ok(true), |repeats| repeats.is_truthy())?;
        let (low, high) = attribute("range")?.map_or(Ok((-1, 1)), |range| range.extract::<(i16, i16)>())?;
        if low > high || low == i16::MIN {
            return Err(PyValueError::new_err(format!(
                "range ({low}, {high}): expected the lowest and the highest score"
            )));
        }
        let sides = attribute("sides")?.map(|sides| sides.extract::<(String, String)>()).transpose()?;
        let sides =
            sides.map_or(["First".to_owned(), "Second".to_owned()], |(first, second)| [first, second]);
        let range = Bounds::new(Score(low), Score(high));
        let class = class.clone().unbind();
        Ok(Rules { class, name, digest, repeats, range, sides, failure: Arc::default() })
    }
}

impl OwnGame {
    /// The game of a class, which begins with what it makes, or with `start`.
    pub fn new(class: &Bound<'_, PyAny>, start: Option<Bound<'_, PyAny>>) -> PyResult<OwnGame> {
        let rules = Arc::new(Rules::read(class)?);
        let start = start.map_or_else(|| class.call0(), Ok)?;
        let now = Arc::new(State::ask(start)?);
        Ok(OwnGame { start: OwnPosition { rules: Arc::clone(&rules), now }, rules })
    }
}

impl OwnPosition {
    /// The object of Python.
    pub fn object(&self) -> &Py<PyAny> {
        &self.now.object
    }

    fn moves_list(&self) -> &[(Py<PyAny>, String)] {
        if let Some(moves) = self.now.moves.get() {
            return moves;
        }
        // Nobody waits for another thread here while it holds the lock of Python.
        let asked = Python::attach(|py| self.now.ask_moves(py));
        let asked = asked.unwrap_or_else(|error| self.rules.failure.unwind(error));
        self.now.moves.get_or_init(|| asked)
    }

    fn text(&self, py: Python<'_>) -> PyResult<String> {
        let object = self.now.object.bind(py);
        let text = match object.getattr_opt("text")? {
            Some(text) => text.call0()?.str()?.to_string(),
            None => object.call_method0("key")?.str()?.to_string(),
        };
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

impl State {
    /// Asks a new position who moves, whether it is over, and for its key.
    fn ask(object: Bound<'_, PyAny>) -> PyResult<State> {
        let outcome = object.call_method0("outcome")?;
        let outcome = if outcome.is_none() { None } else { Some(Score(whole(&outcome)?)) };
        let turn = if outcome.is_some() { Player::First } else { side(&object.call_method0("to_move")?)? };
        let identity = match object.getattr_opt("key")? {
            Some(key) => key.call0()?.repr()?,
            None => object.call_method0("text")?.str()?,
        };
        // Who moves, or the score: the same board may be either.
        let end = match outcome {
            None => 1 + turn.index() as Key,
            Some(score) => 3 + Key::from(score.0 as u16),
        };
        let key = mix(fold(identity.to_str()?.as_bytes()) ^ end);
        let object = object.unbind();
        Ok(State { object, outcome, turn, key, moves: OnceLock::new() })
    }

    fn ask_moves(&self, py: Python<'_>) -> PyResult<Vec<(Py<PyAny>, String)>> {
        let mut moves = Vec::new();
        for mv in self.object.bind(py).call_method0("moves")?.try_iter()? {
            let mv = mv?;
            let text = mv.str()?.to_string();
            if text.is_empty() || text.contains(char::is_whitespace) {
                return Err(PyValueError::new_err(format!(
                    "move {text:?}: its str() has to be a word without blanks"
                )));
            }
            moves.push((mv.unbind(), text));
        }
        if moves.is_empty() || moves.len() > 65_535 {
            let count = moves.len();
            return Err(PyValueError::new_err(format!(
                "moves() of a position that is not over returns {count}: expected 1 to 65535, perhaps a pass"
            )));
        }
        Ok(moves)
    }

    fn after(&self, py: Python<'_>, mv: &Py<PyAny>) -> PyResult<State> {
        let next = self.object.bind(py).call_method1("play", (mv,))?;
        if next.is_none() {
            return Err(PyTypeError::new_err(
                "play() returns None: expected the new position; self stays as it is",
            ));
        }
        State::ask(next)
    }
}

/// A score: a whole number, also one that is written as a float.
fn whole(number: &Bound<'_, PyAny>) -> PyResult<i16> {
    if let Ok(number) = number.extract::<i16>() {
        return Ok(number);
    }
    let float: f64 = number.extract()?;
    if float.fract() == 0.0 && (-32767.0..=32767.0).contains(&float) {
        return Ok(float as i16);
    }
    Err(PyValueError::new_err(format!("outcome() returns {float}: expected None or a whole number")))
}

/// A player: 0 or `first`, 1 or `second`.
fn side(turn: &Bound<'_, PyAny>) -> PyResult<Player> {
    let player = match (turn.extract::<i64>(), turn.extract::<&str>()) {
        (Ok(0), _) | (_, Ok("first")) => Some(Player::First),
        (Ok(1), _) | (_, Ok("second")) => Some(Player::Second),
        _ => None,
    };
    player.ok_or_else(|| {
        PyValueError::new_err(format!("to_move() returns {turn:?}: expected 0 or \"first\", 1 or \"second\""))
    })
}

/// A key of bytes: each block of 15 with its length goes through a one to one mix.
fn fold(bytes: &[u8]) -> Key {
    let mut key = mix(bytes.len() as Key);
    for block in bytes.chunks(15) {
        let mut number = [0; 16];
        number[..block.len()].copy_from_slice(block);
        number[15] = block.len() as u8;
        key = mix(key ^ Key::from_le_bytes(number));
    }
    key
}

impl fmt::Debug for OwnPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Python::attach(|py| self.text(py)).unwrap_or_default())
    }
}

impl PartialEq for OwnPosition {
    fn eq(&self, other: &OwnPosition) -> bool {
        self.now.key == other.now.key
    }
}

impl Eq for OwnPosition {}

impl Hash for OwnPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.now.key.hash(state);
    }
}

impl Position for OwnPosition {
    type Move = u16;

    fn turn(&self) -> Player {
        self.now.turn
    }

    fn outcome(&self) -> Option<Score> {
        self.now.outcome
    }

    fn moves(&self, out: &mut Vec<u16>) {
        out.extend(0..self.moves_list().len() as u16);
    }

    fn play(&mut self, mv: u16) {
        let (chosen, _) = &self.moves_list()[usize::from(mv)];
        let next = Python::attach(|py| self.now.after(py, chosen));
        self.now = Arc::new(next.unwrap_or_else(|error| self.rules.failure.unwind(error)));
    }

    fn key(&self) -> Key {
        self.now.key
    }

    fn repeats(&self) -> bool {
        self.rules.repeats
    }

    fn range(&self) -> Bounds {
        self.rules.range
    }

    fn count_moves(&self, _: &mut Vec<u16>) -> usize {
        self.moves_list().len()
    }
}

impl Game for OwnGame {
    type Pos = OwnPosition;

    fn name(&self) -> String {
        self.rules.name.clone()
    }

    fn digest(&self) -> Option<u64> {
        self.rules.digest
    }

    fn start(&self) -> OwnPosition {
        self.start.clone()
    }

    fn parse(&self, text: &str) -> Result<OwnPosition, TextError> {
        let wrong = |why: String| TextError::new("position", text, why);
        if text == self.show(&self.start) {
            return Ok(self.start.clone());
        }
        let read = |py: Python<'_>| -> PyResult<Option<State>> {
            let Some(reader) = self.rules.class.bind(py).getattr_opt("from_text")? else { return Ok(None) };
            State::ask(reader.call1((text,))?).map(Some)
        };
        match Python::attach(read) {
            Ok(Some(state)) => Ok(OwnPosition { now: Arc::new(state), ..self.start.clone() }),
            Ok(None) => {
                Err(wrong("the class has no from_text(text): begin at the start and play moves".to_owned()))
            }
            Err(error) => Err(wrong(error.to_string())),
        }
    }

    fn show(&self, pos: &OwnPosition) -> String {
        Python::attach(|py| pos.text(py)).unwrap_or_else(|error| self.rules.failure.unwind(error))
    }

    fn show_move(&self, pos: &OwnPosition, mv: u16) -> String {
        pos.moves_list()[usize::from(mv)].1.clone()
    }

    fn side(&self, player: Player) -> &str {
        &self.rules.sides[player.index()]
    }

    /// Lines of a text are notes; there is no board.
    fn view(&self, pos: &OwnPosition) -> View {
        let text = Python::attach(|py| -> PyResult<String> {
            let object = pos.now.object.bind(py);
            // What every object has says nothing.
            let plain = py.get_type::<PyAny>().getattr("__str__")?;
            if object.get_type().getattr("__str__")?.is(&plain) {
                pos.text(py)
            } else {
                Ok(object.str()?.to_string())
            }
        });
        let text = text.unwrap_or_else(|error| self.rules.failure.unwind(error));
        View { notes: text.lines().map(str::to_owned).collect(), ..View::default() }
    }
}
