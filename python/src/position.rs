//! Positions.

use crate::error::{error, guarded};
use crate::game::{Game, Known, json};
use proofplay_core::{Line, Player, Rng, Score};
use proofplay_front::points::Points;
use proofplay_registry::AnyPosition;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyString, PyTuple};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The moves that led to a position, the last one first. Positions share what they have in common.
#[derive(Clone, Default)]
struct Trail(Option<Arc<Step>>);

struct Step {
    mv: String,
    before: Trail,
}

impl Trail {
    fn then(self, mv: String) -> Trail {
        Trail(Some(Arc::new(Step { mv, before: self })))
    }

    fn moves(&self) -> Vec<String> {
        let (mut moves, mut at) = (Vec::new(), &self.0);
        while let Some(step) = at {
            moves.push(step.mv.clone());
            at = &step.before.0;
        }
        moves.reverse();
        moves
    }
}

impl Drop for Trail {
    /// Step by step: a long line must not need as much of the stack.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(step) = next {
            next = Arc::into_inner(step).and_then(|mut step| step.before.0.take());
        }
    }
}

/// Random numbers: the same seed gives the same ones everywhere.
#[pyclass(module = "proofplay")]
pub struct Random {
    rng: Rng,
    seed: u64,
}

#[pymethods]
impl Random {
    #[new]
    #[pyo3(signature = (seed=0))]
    fn new(seed: u64) -> Random {
        Random { rng: Rng::new(seed), seed }
    }

    /// A whole number from 0 up to, not including, `n`.
    fn below(&mut self, n: u32) -> PyResult<u32> {
        if n == 0 { Err(error("below(0): expected at least 1")) } else { Ok(self.rng.below(n)) }
    }

    fn __repr__(&self) -> String {
        format!("proofplay.Random({})", self.seed)
    }
}

/// A position of a game. It never changes: `play` gives the next one.
///
/// >>> import proofplay as pp
/// >>> pos = pp.game("connect4").start().play("4")
/// >>> pos.to_move, pos.is_over, len(pos.legal_moves)
/// ('second', False, 7)
#[pyclass(frozen, module = "proofplay")]
pub struct Position {
    /// Its game.
    pub known: Arc<Known>,
    /// Where it is.
    pub pos: AnyPosition,
    from: Option<Arc<str>>,
    trail: Trail,
}

impl Position {
    /// The start of a game.
    pub fn start(known: &Arc<Known>) -> PyResult<Position> {
        let pos = known.call(|game| game.start())?;
        Ok(Position { known: Arc::clone(known), pos, from: None, trail: Trail::default() })
    }

    /// The position of a text.
    pub fn read(known: &Arc<Known>, text: &str) -> PyResult<Position> {
        let pos = known.call(|game| game.parse(text))?.map_err(error)?;
        let from = Some(known.call(|_| pos.text())?.into());
        Ok(Position { known: Arc::clone(known), pos, from, trail: Trail::default() })
    }

    /// A position that somebody else has reached, as if it began there.
    pub fn bare(known: &Arc<Known>, pos: AnyPosition) -> Position {
        Position { known: Arc::clone(known), pos, from: None, trail: Trail::default() }
    }

    /// The line of play that leads here, for a certificate.
    pub fn line(&self) -> Line {
        let from = self.from.as_ref().map(|text| text.to_string());
        Line { game: self.pos.game_id(), from, moves: self.trail.moves() }
    }

    /// Asks the position; what an own game raises is the error.
    fn ask<T>(&self, work: impl FnOnce(&AnyPosition) -> T) -> PyResult<T> {
        guarded(self.known.failure().map(|failure| &**failure), || work(&self.pos))
    }

    fn next(&self, pos: AnyPosition, mv: String) -> Position {
        Position {
            known: Arc::clone(&self.known),
            pos,
            from: self.from.clone(),
            trail: self.trail.clone().then(mv),
        }
    }

    fn first_view(&self, py: Python<'_>, score: Score) -> PyResult<Py<PyAny>> {
        let points = Points::of(&self.pos.game(), score);
        Ok(match points.halves() % 2 {
            0 => (points.halves() / 2).into_pyobject(py)?.into_any().unbind(),
            _ => points.number().into_pyobject(py)?.into_any().unbind(),
        })
    }
}

#[pymethods]
impl Position {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game { known: Arc::clone(&self.known) }
    }

    /// Whose turn it is: "first" or "second"; None when the game is over.
    #[getter]
    fn to_move(&self) -> Option<&'static str> {
        self.pos.outcome().is_none().then(|| match self.pos.turn() {
            Player::First => "first",
            Player::Second => "second",
        })
    }

    /// What the player to move is called, such as "X"; None when the game is over.
    #[getter]
    fn side(&self) -> Option<&str> {
        self.pos.outcome().is_none().then(|| self.pos.side(self.pos.turn()))
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.pos.outcome().is_some()
    }

    /// The score when the game is over, in the view of the player who began: 1, 0 or -1, or points; else None.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.pos.outcome().map(|score| self.first_view(py, score)).transpose()
    }

    /// "first", "second" or "draw" when the game is over; else None.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.pos.outcome().map(|score| match score.winner() {
            None => "draw",
            Some(Player::First) => "first",
            Some(Player::Second) => "second",
        })
    }

    /// The legal moves in a fixed order, none when the game is over.
    #[getter]
    fn legal_moves(&self) -> PyResult<Vec<String>> {
        self.ask(|pos| pos.legal())
    }

    /// The position after a move, or after several with blanks between them. A move is a text, or anything whose
    /// str() is one.
    fn play(&self, mv: &Bound<'_, PyAny>) -> PyResult<Position> {
        let text = match mv.cast::<PyString>() {
            Ok(text) => text.clone(),
            Err(_) => mv.str()?,
        };
        let text = text.to_str()?;
        let mut pos = self.pos.boxed();
        match self.ask(|_| pos.play(text))? {
            Ok(()) => return Ok(self.next(pos, text.to_owned())),
            Err(why) if text.split_whitespace().nth(1).is_none() => return Err(error(why)),
            Err(_) => {}
        }
        let (mut pos, mut trail) = (self.pos.boxed(), self.trail.clone());
        for (ply, mv) in (1..).zip(text.split_whitespace()) {
            self.ask(|_| pos.play(mv))?.map_err(|why| error(format!("ply {ply}: {why}")))?;
            trail = trail.then(mv.to_owned());
        }
        Ok(Position { known: Arc::clone(&self.known), pos, from: self.from.clone(), trail })
    }

    /// The position after a uniformly random move.
    fn play_random(&self, random: &mut Random) -> PyResult<Position> {
        let mut pos = self.pos.boxed();
        let mv = self.ask(|_| pos.play_random(&mut random.rng))?;
        Ok(self.next(pos, mv.ok_or_else(|| error("the game is over, no move is legal"))?))
    }

    /// The position at the end of a random game from here.
    fn playout(&self, random: &mut Random) -> PyResult<Position> {
        let mut pos = self.pos.boxed();
        let mut trail = self.trail.clone();
        self.ask(|_| {
            while let Some(mv) = pos.play_random(&mut random.rng) {
                trail = std::mem::take(&mut trail).then(mv);
            }
        })?;
        Ok(Position { known: Arc::clone(&self.known), pos, from: self.from.clone(), trail })
    }

    /// Plays so many random games from here: the sum of their scores in the view of the player who began, and the
    /// number of all moves.
    fn playouts(&self, py: Python<'_>, count: u64, random: &mut Random) -> PyResult<(i64, u64)> {
        let Random { rng, .. } = random;
        py.detach(|| self.ask(|pos| pos.playouts(count, rng)))
    }

    /// The number of lines of play of exactly so many moves.
    #[pyo3(signature = (depth, threads=1))]
    fn perft(&self, py: Python<'_>, depth: u32, threads: usize) -> PyResult<u64> {
        Ok(self.divide(py, depth, threads)?.into_iter().map(|(_, count)| count).sum())
    }

    /// The same for each first move.
    #[pyo3(signature = (depth, threads=1))]
    fn divide(&self, py: Python<'_>, depth: u32, threads: usize) -> PyResult<Vec<(String, u64)>> {
        if depth == 0 {
            return Err(error("depth 0: expected at least 1"));
        }
        let never = AtomicBool::new(false);
        let counts = py.detach(|| self.ask(|pos| pos.perft(depth, threads, &never, &|_, _, _| ())))?;
        Ok(counts.unwrap_or_default())
    }

    /// The position as text; `game.position(text)` reads it.
    #[getter]
    fn text(&self) -> PyResult<String> {
        self.ask(|pos| pos.text())
    }

    /// A number of 128 bits that equal positions share.
    #[getter]
    fn key(&self) -> u128 {
        self.pos.key()
    }

    /// The moves from the start of the game, or from the text that it began with.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.trail.moves()
    }

    /// The text that it began with; None if that is the start of the game.
    #[getter]
    fn begins_at(&self) -> Option<&str> {
        self.from.as_deref()
    }

    /// The scores that the rules still allow, lowest and highest.
    #[getter]
    fn range(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
        let range = self.pos.range();
        Ok((self.first_view(py, range.pess)?, self.first_view(py, range.opti)?))
    }

    /// The position as a numpy array of planes, rows and columns, by an encoder: "board" for every board game,
    /// "gomoku", "leela-zero", "katago".
    #[pyo3(signature = (encoder="board"))]
    fn observation<'py>(&self, py: Python<'py>, encoder: &str) -> PyResult<Bound<'py, PyAny>> {
        let encoder = self.known.encoder(encoder)?;
        let (shape, mut planes, mut globals) = (encoder.shape(), Vec::new(), Vec::new());
        self.ask(|pos| encoder.encode(&**pos, &mut planes, &mut globals))?;
        array(py, &planes)?.call_method1("reshape", (shape.planes, shape.rows, shape.columns))
    }

    /// For each legal move the outputs of a policy that speak of it.
    #[pyo3(signature = (encoder="board"))]
    fn policy_outputs(&self, encoder: &str) -> PyResult<Vec<Vec<usize>>> {
        let encoder = self.known.encoder(encoder)?;
        Ok(self.ask(|pos| encoder.outputs(&**pos))?.unwrap_or_default())
    }

    /// The object of an own game's class that this position is made of; None of other games.
    #[getter]
    fn object(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        let own = self.pos.typed().downcast_ref::<crate::own::OwnPosition>()?;
        Some(own.object().clone_ref(py))
    }

    /// The board as JSON: cells with places and pieces.
    fn _view(&self) -> PyResult<String> {
        let view = self.ask(|pos| pos.view())?;
        let cells = view.cells.into_iter().map(|cell| CellShown {
            owner: cell.owner.map(Player::index),
            name: cell.name,
            x: cell.x,
            y: cell.y,
            symbol: cell.symbol,
        });
        json(&Board {
            cells: cells.collect(),
            columns: view.columns,
            rows: view.rows,
            hexagonal: view.hexagonal,
            notes: view.notes,
        })
    }

    /// The board as a picture, for notebooks.
    fn _repr_svg_(slf: &Bound<'_, Position>) -> PyResult<String> {
        slf.py().import("proofplay._svg")?.call_method1("draw", (slf,))?.extract()
    }

    fn __str__(&self) -> PyResult<String> {
        let view = self.ask(|pos| pos.view())?;
        Ok(view.draw(|symbol, _| symbol.to_string()).trim_end().to_owned())
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<{}: {}>", self.pos.game(), self.text()?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Position>().is_ok_and(|other| {
            let other = other.get();
            self.pos.key() == other.pos.key() && self.pos.game_id() == other.pos.game_id()
        })
    }

    fn __hash__(&self) -> isize {
        // Python takes -1 for an error.
        (self.pos.key() as isize).max(isize::MIN + 1).wrapping_abs()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Position>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, own) = (slf.py(), slf.get());
        let restore = py.import("proofplay._proofplay")?.getattr("_restore")?;
        Ok((restore, (own.game(), own.begins_at(), own.moves()).into_pyobject(py)?))
    }
}

/// A position again that was pickled.
#[pyfunction]
pub fn _restore(game: &Bound<'_, Game>, from: Option<&str>, moves: Vec<String>) -> PyResult<Position> {
    let known = &game.get().known;
    let mut position = from.map_or_else(|| Position::start(known), |text| Position::read(known, text))?;
    let mut pos = position.pos.boxed();
    for mv in moves {
        known.call(|_| pos.play(&mv))?.map_err(error)?;
        position.trail = position.trail.clone().then(mv);
    }
    Ok(Position { pos, known: Arc::clone(known), from: position.from.clone(), trail: position.trail.clone() })
}

/// A board as JSON.
#[derive(Serialize)]
struct Board {
    cells: Vec<CellShown>,
    columns: Vec<(i16, String)>,
    rows: Vec<(i16, String)>,
    hexagonal: bool,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct CellShown {
    name: String,
    x: i16,
    y: i16,
    symbol: char,
    owner: Option<usize>,
}

/// Numbers as a flat numpy array of its own.
pub fn array<'py>(py: Python<'py>, numbers: &[f32]) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    py.import("numpy")?.call_method1("frombuffer", (PyByteArray::new(py, &bytes), "float32"))
}
