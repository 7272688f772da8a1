//! Games.

use crate::error::{Failure, error, guarded};
use crate::own::OwnGame;
use crate::position::Position;
use proofplay_core::{Game as _, Player, conformance};
use proofplay_front::json::{GameInfo, GameRules, SearchInfo};
use proofplay_registry::{AnyEncoder, AnyGame, GAMES, erase};
use proofplay_search::SearchKind;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What positions know about their game.
pub struct Known {
    /// The game.
    pub game: AnyGame,
    /// Its class in Python, if it has one, and the start, if that is not what the class makes.
    pub own: Option<Own>,
    encoders: Mutex<HashMap<String, AnyEncoder>>,
}

/// The game of a class in Python.
pub struct Own {
    game: OwnGame,
    start: Option<Py<PyAny>>,
}

impl Known {
    /// What Python code of the game may have raised.
    pub fn failure(&self) -> Option<&Arc<Failure>> {
        self.own.as_ref().map(|own| &own.game.rules.failure)
    }

    /// Calls the game; what its class raises is the error.
    pub fn call<T>(&self, work: impl FnOnce(&AnyGame) -> T) -> PyResult<T> {
        guarded(self.failure().map(|failure| &**failure), || work(&self.game))
    }

    /// The encoder of this name, which is made once.
    pub fn encoder(&self, name: &str) -> PyResult<AnyEncoder> {
        let encoders = || self.encoders.lock().unwrap_or_else(PoisonError::into_inner);
        let known = encoders().get(name).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        // The lock is not held meanwhile: who waits for it may hold that of Python.
        let encoder = self.call(|game| game.encoder(name))?.map_err(error)?;
        encoders().insert(name.to_owned(), Arc::clone(&encoder));
        Ok(encoder)
    }
}

/// A game with its parameters. `pp.game("connect4:7x6")` makes one; so does `pp.game(MyGame)` of a class of yours.
///
/// >>> import proofplay as pp
/// >>> pp.game("tictactoe").start().legal_moves[:3]
/// ['a1', 'a2', 'a3']
#[pyclass(frozen, module = "proofplay")]
pub struct Game {
    /// What positions share.
    pub known: Arc<Known>,
}

impl Game {
    fn of(game: AnyGame, own: Option<Own>) -> Game {
        Game { known: Arc::new(Known { game, own, encoders: Mutex::default() }) }
    }
}

#[pymethods]
impl Game {
    #[new]
    fn new(name: &str) -> PyResult<Game> {
        Ok(Game::of(proofplay_registry::game(name).map_err(error)?, None))
    }

    /// The game of a class of Python; `start` is the position that it begins with, if not what the class makes.
    #[staticmethod]
    #[pyo3(signature = (rules, start=None))]
    fn own(rules: &Bound<'_, PyAny>, start: Option<Bound<'_, PyAny>>) -> PyResult<Game> {
        let kept = start.clone().map(Bound::unbind);
        let game = OwnGame::new(rules, start)?;
        Ok(Game::of(erase(game.clone()), Some(Own { game, start: kept })))
    }

    /// The name with its parameters.
    #[getter]
    fn name(&self) -> String {
        self.known.game.name()
    }

    /// How files name the game: with a digest of its rules, if it has one.
    #[getter]
    fn id(&self) -> String {
        self.known.game.id()
    }

    /// Whether positions can repeat. Searches that store values by position refuse such games.
    #[getter]
    fn repeats(&self) -> bool {
        self.known.game.repeats()
    }

    /// What the two players are called, the one who begins first.
    #[getter]
    fn sides(&self) -> (String, String) {
        let side = |player| self.known.game.side(player).to_owned();
        (side(Player::First), side(Player::Second))
    }

    /// The class of an own game; None of other games.
    #[getter]
    fn rules_class(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.known.own.as_ref().map(|own| own.game.rules.class.clone_ref(py))
    }

    /// The position at the start.
    fn start(&self) -> PyResult<Position> {
        Position::start(&self.known)
    }

    /// The position that a text describes, with no history.
    fn position(&self, text: &str) -> PyResult<Position> {
        Position::read(&self.known, text)
    }

    /// The shape of observations: planes, rows, columns, other numbers, and how many outputs a policy has.
    #[pyo3(signature = (encoder="board"))]
    fn observation_shape(&self, encoder: &str) -> PyResult<(usize, usize, usize, usize, usize)> {
        let shape = self.known.encoder(encoder)?.shape();
        Ok((shape.planes, shape.rows, shape.columns, shape.globals, shape.outputs))
    }

    fn _check(&self, py: Python<'_>, games: usize, seed: u64) -> PyResult<()> {
        let Some(own) = &self.known.own else { return Ok(()) };
        py.detach(|| {
            guarded(Some(&own.game.rules.failure), || {
                conformance::check_position(&own.game.start(), games, seed)
            })
        })
    }

    fn __repr__(&self) -> String {
        format!("proofplay.game({:?})", self.known.game.name())
    }

    fn __str__(&self) -> String {
        self.known.game.name()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| other.get().known.game.id() == self.known.game.id())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        pyo3::types::PyString::new(py, &self.known.game.id()).hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Game>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, class) = (slf.py(), PyType::new::<Game>(slf.py()));
        match &slf.get().known.own {
            None => Ok((class.into_any(), (slf.get().name(),).into_pyobject(py)?.into_any())),
            Some(Own { game, start }) => {
                let start = start.as_ref().map(|start| start.clone_ref(py));
                let made = (game.rules.class.clone_ref(py), start).into_pyobject(py)?;
                Ok((class.getattr("own")?, made.into_any()))
            }
        }
    }
}

/// JSON of something.
pub fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(error)
}

/// All games, as JSON.
#[pyfunction]
pub fn games() -> PyResult<String> {
    let games: Result<Vec<GameInfo>, _> = GAMES.iter().map(GameInfo::new).collect();
    json(&games.map_err(error)?)
}

/// All of the rules of a game, as JSON.
#[pyfunction]
pub fn rules(name: &str) -> PyResult<String> {
    json(&GameRules::new(name).map_err(error)?.0)
}

/// All searches with their settings, as JSON.
#[pyfunction]
pub fn searches() -> PyResult<String> {
    json(&SearchKind::all().iter().map(SearchInfo::from).collect::<Vec<_>>())
}
