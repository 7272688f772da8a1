"""Searches: what is proven, what is estimated, and what somebody else has proven."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from proofplay import _proofplay as _core
from proofplay._own import Rules, game, position
from proofplay._proofplay import Position
from proofplay._progress import Progress

Score: TypeAlias = "int | float"
Word = Literal["win", "draw", "loss", "unknown"]


@dataclass(frozen=True)
class MoveValue:
    """What is known about a move."""

    move: str
    """The move."""
    value: Word
    """What it is for the player to move, as far as it is proven."""
    bounds: tuple[Score, Score]
    """What is certain about the score, in the view of the player who began."""
    plies: int | None = None
    """In how many plies the game ends, this move counted, if that was asked and is proven."""
    visits: int = 0
    """Simulations through it."""
    mean: float | None = None
    """Their mean reward from -1 to 1, in the view of the player who began."""
    points: float | None = None
    """In games of points: the points that the mean stands for."""
    line: tuple[str, ...] = ()
    """The best line of play known, from this move on."""


@dataclass(frozen=True)
class _Found:
    """What a search has found."""

    position: Position
    """The position."""
    search: str
    """The search with its settings."""
    value: Word | None
    """What the position is for the player to move; None when the game is over."""
    score: Score | None
    """The score, if it is known, in the view of the player who began."""
    bounds: tuple[Score, Score]
    """What is certain about the score."""
    best_move: str | None
    """The move to play; None where the value is known and no move is proven to keep it."""
    line: tuple[str, ...]
    """The line of play that goes with it."""
    moves: tuple[MoveValue, ...]
    """What is known about the moves: of a solve if all were asked, of an analysis best first."""
    distance: int | None
    """In how many plies the game ends if the winner hurries and the loser holds out, if that was asked and is proven."""
    nodes: int
    """Positions visited, or nodes made."""
    simulations: int
    """Simulations of a Monte-Carlo search."""
    seconds: float
    """The time it took."""
    memory: int
    """Bytes of tables and trees."""
    ended: str | None
    """Why it has ended: solved, limit, memory or exhausted; None while it goes on."""

    @property
    def is_solved(self) -> bool:
        """Whether the value is known."""
        return self.bounds[0] == self.bounds[1]

    def to_pandas(self) -> Any:
        """The moves as a DataFrame."""
        from proofplay._results import to_pandas

        return to_pandas([vars(move) for move in self.moves])


@dataclass(frozen=True)
class Solution(_Found):
    """What a search has proven."""

    _search: Search | None = field(default=None, repr=False, compare=False)

    def certificate(
        self,
        file: str | os.PathLike[str] | None = None,
        *,
        ends: Literal["rules", "counted"] = "rules",
        memory: int | None = None,
        time: float | None = None,
    ) -> bytes:
        """The proof as a certificate that ``verify`` checks by the rules of the game alone; written to ``file``, too.

        With ``ends="counted"`` lines of play end where a count decides, in games that have one.
        """
        if self._search is None:
            raise _core.Error("there is no search behind this report: take the solution itself")
        return self._search._certificate(self.position, file, ends, memory, time)


@dataclass(frozen=True)
class Analysis(_Found):
    """What a search thinks of a position and of every move."""


@dataclass(frozen=True)
class Verified:
    """What a certificate proves."""

    game: str
    """The game with its parameters."""
    position: str
    """The position as text."""
    to_move: str | None
    """Whose turn it is there."""
    value: Word | None
    """What the position is for the player to move."""
    score: Score | None
    """The score, if it is proven, in the view of the player who began."""
    bounds: tuple[Score, Score]
    """What is proven about the score."""
    plies: int | None
    """In how many plies the game ends, if that is proven."""
    positions: int
    """Positions of both strategies."""
    ends: int
    """Ends of the game that were met."""
    longest_line: tuple[str, ...]
    """The longest line of play of both strategies."""
    size: int
    """Bytes of the file."""
    seconds: float
    """The time it took."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C has ended a search. ``result`` is what it had found, a Solution, an Analysis or a MatchResult."""

    def __init__(self, result: Any) -> None:
        super().__init__("interrupted; what was found is in .result")
        self.result = result


class Evaluator:
    """A function that estimates many positions at once, such as a network of PyTorch or JAX.

    It gets a numpy array of positions, planes, rows and columns (and a second one of other numbers if the encoder has
    any), and returns values for the player to move, from -1 to 1: or values and a policy, logits of shape
    (positions, outputs). With ``encoder=None`` it gets a list of positions, and the policy has a list of numbers for
    the legal moves of each. Use it with a search that has ``leaf=evaluate``.
    """

    def __init__(self, function: Callable[..., Any], encoder: str | None = "board") -> None:
        self.function = function
        self.encoder = encoder

    def __repr__(self) -> str:
        return f"proofplay.Evaluator({self.function!r}, encoder={self.encoder!r})"


def work(work: _core.Work, hear: Callable[[str], object] | None = None) -> tuple[Any, KeyboardInterrupt | None]:
    """Waits for the end of work: what came of it, and the Ctrl-C that has ended it early."""
    interrupt = None
    try:
        while (report := work.next()) is not None:
            if hear is not None:
                hear(report)
    except KeyboardInterrupt as error:
        interrupt = error
        work.stop()
    except BaseException:
        work.stop()
        work.finish()
        raise
    return work.finish(), interrupt


def _moves(found: dict[str, Any]) -> tuple[MoveValue, ...]:
    def one(move: dict[str, Any]) -> MoveValue:
        return MoveValue(
            move=move["move"],
            value=move.get("value") or move.get("proven") or "unknown",
            bounds=tuple(move["bounds"]),
            plies=move.get("plies"),
            visits=move.get("visits", 0),
            mean=move.get("mean"),
            points=move.get("points"),
            line=tuple(move.get("pv", ())),
        )

    return tuple(map(one, found.get("moves") or ()))


def _fields(at: Position, text: str) -> dict[str, Any]:
    found = json.loads(text)
    return {
        "position": at,
        "search": found["search"],
        "value": found["value"],
        "score": found["score"],
        "bounds": tuple(found["bounds"]),
        "best_move": found["best_move"],
        "line": tuple(found["pv"]),
        "moves": _moves(found),
        "distance": found["plies"],
        "nodes": found["nodes"],
        "simulations": found["simulations"],
        "seconds": found["elapsed_s"],
        "memory": found["memory_bytes"],
        "ended": found["ended"],
    }


class Search:
    """A search that is asked many times: it keeps what it knows when the game moves on, and after Ctrl-C.

    >>> import proofplay as pp
    >>> search = pp.Search("tictactoe", "alphabeta")
    >>> search.solve().value
    'draw'
    """

    def __init__(
        self,
        at: Position | Rules,
        search: str = "auto",
        *,
        solve: bool = True,
        simulations: int | None = None,
        memory: int | None = None,
        threads: int = 1,
        seed: int = 0,
        evaluator: Evaluator | Callable[..., Any] | None = None,
    ) -> None:
        """``solve`` says what "auto" means: a search that proves, or one that plays."""
        self.position = position(at)
        if evaluator is not None and not isinstance(evaluator, Evaluator):
            evaluator = Evaluator(evaluator)
        function, encoder = (None, None) if evaluator is None else (evaluator.function, evaluator.encoder)
        self._core = _core.Search(
            self.position, search, solve, simulations, memory, threads, seed, function, encoder
        )
        self._latest: Position | None = None

    @property
    def name(self) -> str:
        """The search with its settings."""
        return self._core.name

    def __repr__(self) -> str:
        return f"<proofplay.Search {self.name} at {self.position!r}>"

    def go_to(self, at: Position) -> None:
        """Moves on to a position of the same game; what is known of it is kept if it follows from the present one."""
        self._core.set_position(at)
        self.position = at
        self._latest = None

    def solve(
        self,
        *,
        all_moves: bool = False,
        distance: bool = False,
        time: float | None = None,
        nodes: int | None = None,
        simulations: int | None = None,
        progress: bool | Callable[[Solution], object] = False,
    ) -> Solution:
        """Searches until the value is known or a limit is reached. See ``solve``."""
        ask = {(0, 0): "value", (1, 0): "moves", (0, 1): "distance", (1, 1): "distances"}[all_moves, distance]
        shown = Progress.of(progress)
        hear = None if shown is None else lambda text: shown.show(Solution(**_fields(self.position, text)))
        running = self._core.start(ask, nodes, simulations, time, None if shown is None else shown.every)
        text, interrupt = work(running, hear)
        if shown is not None:
            shown.close()
        self._latest = self.position
        solution = Solution(**_fields(self.position, text), _search=self)
        if interrupt is not None:
            raise Interrupted(solution) from interrupt
        return solution

    def reports(
        self,
        *,
        time: float | None = None,
        nodes: int | None = None,
        simulations: int | None = None,
        every: float = 0.5,
    ) -> Iterator[Analysis]:
        """Live reports, the last one at the end of the search. Close the generator to end it early."""
        running = self._core.start("thoughts", nodes, simulations, time, every)
        text = None
        try:
            while (report := running.next()) is not None:
                yield Analysis(**_fields(self.position, report))
        except KeyboardInterrupt as interrupt:
            running.stop()
            text = running.finish()
            raise Interrupted(Analysis(**_fields(self.position, str(text)))) from interrupt
        finally:
            if text is None:
                running.stop()
                text = running.finish()
        yield Analysis(**_fields(self.position, str(text)))

    def analyze(
        self,
        *,
        time: float | None = None,
        nodes: int | None = None,
        simulations: int | None = None,
    ) -> Analysis:
        """What the search thinks of every move. Without a limit it may take a second."""
        if time is None and nodes is None and simulations is None and not self._core.limits_itself:
            time = 1.0
        text, interrupt = work(self._core.start("thoughts", nodes, simulations, time, None))
        analysis = Analysis(**_fields(self.position, text))
        self._latest = self.position
        if interrupt is not None:
            raise Interrupted(analysis) from interrupt
        return analysis

    def children(self, *line: str) -> list[dict[str, Any]]:
        """What the tree of the search knows about the moves after a line of play."""
        children: list[dict[str, Any]] = json.loads(self._core.children(list(line)))
        return children

    def _certificate(
        self,
        at: Position,
        file: str | os.PathLike[str] | None,
        ends: str,
        memory: int | None,
        time: float | None,
    ) -> bytes:
        if ends not in ("rules", "counted"):
            raise _core.Error(f'ends={ends!r}: expected "rules" or "counted"')
        if self._latest is not at:
            raise _core.Error("the search has moved on since then: solve the position again")
        written, interrupt = work(self._core.certificate(ends == "counted", memory, time))
        if interrupt is not None:
            raise interrupt
        if file is not None:
            Path(file).write_bytes(written)
        return bytes(written)


def solve(
    at: Position | Rules,
    algorithm: str = "auto",
    *,
    all_moves: bool = False,
    distance: bool = False,
    time: float | None = None,
    nodes: int | None = None,
    simulations: int | None = None,
    memory: int | None = None,
    threads: int = 1,
    seed: int = 0,
    progress: bool | Callable[[Solution], object] = False,
) -> Solution:
    """Proves the value of a position, or as much of it as the limits allow.

    ``time`` is in seconds, ``memory`` in bytes. ``all_moves`` asks for the value of every move, ``distance`` for the
    number of plies to the end. ``progress=True`` shows how far it is, with tqdm if that is installed; a function is
    called with a Solution now and then. Ctrl-C raises Interrupted, whose ``result`` is what is known so far.

    >>> import proofplay as pp
    >>> pp.solve(pp.game("tictactoe").start().play("a1 b1"), distance=True).distance
    5
    """
    search = Search(at, algorithm, memory=memory, threads=threads, seed=seed)
    return search.solve(
        all_moves=all_moves, distance=distance, time=time, nodes=nodes, simulations=simulations, progress=progress
    )


def analyze(
    at: Position | Rules,
    search: str = "auto",
    *,
    time: float | None = None,
    nodes: int | None = None,
    simulations: int | None = None,
    memory: int | None = None,
    threads: int = 1,
    seed: int = 0,
    evaluator: Evaluator | Callable[..., Any] | None = None,
) -> Analysis:
    """What a search thinks of every move: what is proven, and what is estimated. Without a limit it takes a second."""
    return Search(
        at,
        search,
        solve=False,
        simulations=simulations,
        memory=memory,
        threads=threads,
        seed=seed,
        evaluator=evaluator,
    ).analyze(time=time, nodes=nodes, simulations=simulations)


def reports(
    at: Position | Rules,
    search: str = "auto",
    *,
    time: float | None = None,
    nodes: int | None = None,
    simulations: int | None = None,
    memory: int | None = None,
    threads: int = 1,
    seed: int = 0,
    evaluator: Evaluator | Callable[..., Any] | None = None,
    every: float = 0.5,
) -> Iterator[Analysis]:
    """``analyze`` as a generator of live reports; without a limit it goes on until you leave the loop."""
    return Search(
        at,
        search,
        solve=False,
        simulations=simulations,
        memory=memory,
        threads=threads,
        seed=seed,
        evaluator=evaluator,
    ).reports(time=time, nodes=nodes, simulations=simulations, every=every)


def verify(
    file: str | os.PathLike[str] | bytes, game: Rules | None = None, *, memory: int | None = None
) -> Verified:
    """Checks a certificate by the rules of its game alone; raises CertificateError if it does not prove what it claims.

    A certificate of a game of your own needs its class: ``verify(file, game=MyGame)``. Its name and its ``digest`` must
    be those in the file.
    """
    data = file if isinstance(file, bytes) else Path(file).read_bytes()
    rules = None if game is None else _game(game)
    text, interrupt = work(_core.check_certificate(data, rules, memory))
    if interrupt is not None:
        raise interrupt
    found = json.loads(text)
    return Verified(
        game=found["game"],
        position=found["position"],
        to_move=found["to_move"],
        value=found["value"],
        score=found["score"],
        bounds=tuple(found["bounds"]),
        plies=found["plies"],
        positions=found["positions"],
        ends=found["ends"],
        longest_line=tuple(found["longest_line"]),
        size=found["bytes"],
        seconds=found["elapsed_s"],
    )


_game = game
