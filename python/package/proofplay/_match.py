"""Players, and matches between them."""

from __future__ import annotations

import json
import os
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from proofplay import _proofplay as _core
from proofplay._own import Rules, game
from proofplay._proofplay import Position, Random
from proofplay._results import Trials
from proofplay._search import Analysis, Evaluator, Interrupted, Search, work


class Player:
    """A search that plays. It keeps its tree from move to move.

    >>> import proofplay as pp
    >>> player = pp.Player("mcts", simulations=1000)
    >>> player(pp.game("tictactoe").start().play("a1 a2 b1 b2"))
    'c1'
    """

    def __init__(
        self,
        search: str = "auto",
        *,
        time: float | None = None,
        nodes: int | None = None,
        simulations: int | None = None,
        memory: int | None = 256 << 20,
        threads: int = 1,
        seed: int = 0,
        evaluator: Evaluator | Callable[..., Any] | None = None,
    ) -> None:
        """Limits are for each move; without any it may take a second."""
        _core.check_search(search)
        self.search = search
        self.limits = {"time": time, "nodes": nodes, "simulations": simulations}
        self.settings: dict[str, Any] = {"memory": memory, "threads": threads, "seed": seed, "evaluator": evaluator}
        self._running: Search | None = None

    def __repr__(self) -> str:
        return f"proofplay.Player({self.search!r})"

    def analyze(self, at: Position) -> Analysis:
        """What it thinks of a position."""
        running = self._running
        if running is None or running.position.game != at.game:
            simulations = self.limits["simulations"]
            # Its memory first.
            self._running = None
            running = Search(at, self.search, solve=False, simulations=simulations, **self.settings)  # type: ignore[arg-type]
        else:
            running.go_to(at)
        self._running = running
        return running.analyze(**self.limits)  # type: ignore[arg-type]

    def __call__(self, at: Position) -> str:
        """The move that it plays."""
        if at.is_over:
            raise _core.Error("the game is over, no move is legal")
        return self.analyze(at).best_move or at.legal_moves[0]

    def forget(self) -> None:
        """Gives its tree up."""
        self._running = None


Contestant: TypeAlias = "str | Player | Callable[[Position], str]"


@dataclass(frozen=True)
class MatchResult:
    """How a match has ended, in the view of A."""

    game: str
    """The game with its parameters."""
    a: str
    """One player."""
    b: str
    """The other."""
    wins: int
    """Games that A has won."""
    draws: int
    """Games that nobody has won."""
    losses: int
    """Games that B has won."""
    score: float | None
    """A's points per game: 1 for a win, ½ for a draw."""
    interval: tuple[float, float] | None
    """Its 95 % interval, by pairs of games with the same opening."""
    elo: float | None
    """The difference in Elo; None where it is infinite."""
    elo_interval: tuple[float | None, float | None]
    """Its 95 % interval."""
    superiority: float | None
    """The chance that A is the stronger one."""
    games: Trials
    """The games, a row each."""

    def __str__(self) -> str:
        shown = f"{self.a} : {self.b} in {self.game}: {self.wins} won, {self.draws} drawn, {self.losses} lost"
        if self.score is None or self.interval is None:
            return shown
        return f"{shown}; score {self.score:.3f} [{self.interval[0]:.3f}, {self.interval[1]:.3f}]"

    def to_pandas(self) -> Any:
        """The games as a DataFrame."""
        return self.games.to_pandas()


def _result(name: str, a: str, b: str, text: str) -> MatchResult:
    told = json.loads(text)
    interval = told["score_interval"]
    return MatchResult(
        game=name,
        a=a,
        b=b,
        wins=told["wins"],
        draws=told["draws"],
        losses=told["losses"],
        score=told["score"],
        interval=None if interval is None else tuple(interval),
        elo=told["elo"],
        elo_interval=tuple(told["elo_interval"]),
        superiority=told["superiority"],
        games=Trials(told.get("games_played", [])),
    )


def match(
    a: Contestant,
    b: Contestant,
    rules: Rules,
    *,
    games: int = 100,
    time: float | None = None,
    nodes: int | None = None,
    simulations: int | None = None,
    memory: int = 256 << 20,
    openings: str = "random:2",
    seed: int = 1,
    most_moves: int = 1000,
    threads: int = 1,
    store: str | os.PathLike[str] | None = None,
    progress: Callable[[MatchResult], object] | None = None,
) -> MatchResult:
    """Which of two players is stronger, and how certain that is.

    A player is a search as text, ``gtp:COMMAND``, a Player, or a function from a position to a move. Every opening is
    played twice, with the sides swapped: ``random:N`` makes N random moves, or give lines of moves with ``;`` between
    them. Searches as text are limited for each move by ``simulations``, ``nodes`` or ``time``, and play on several
    ``threads``; in a ``store`` their games are kept, so that the same call continues. Ctrl-C raises Interrupted.
    """
    if games < 1:
        raise _core.Error(f"games={games}: expected at least 1")
    played = game(rules)
    if isinstance(a, str) and isinstance(b, str) and played.rules_class is None:
        plan = {
            "game": played.name,
            "a": a,
            "b": b,
            "playouts": simulations,
            "nodes": nodes,
            "time_s": time,
            "memory": memory,
            "openings": openings,
            "seed": seed,
            "most_plies": most_moves,
        }
        kept = None if store is None else os.fspath(store)
        hear = None if progress is None else lambda text: progress(_result(played.name, a, b, text))
        text, interrupt = work(_core.begin_match(json.dumps(plan), games, threads, kept), hear)
        result = _result(played.name, a, b, text)
        if interrupt is not None:
            raise Interrupted(result) from interrupt
        return result
    if store is not None:
        raise _core.Error("store: only games of searches as text, of a game of ours, are kept")
    limits: dict[str, Any] = {"time": time, "nodes": nodes, "simulations": simulations}

    def seat(player: Contestant) -> Callable[[Position], str]:
        return Player(player, memory=memory, seed=seed, **limits) if isinstance(player, str) else player

    first, second = _name(a), _name(b)
    seats = [seat(a), seat(b)]
    rows: list[dict[str, Any]] = []

    def standing() -> MatchResult:
        told = _core.match_standing(played.name, first, second, json.dumps(rows))
        return _result(played.name, first, second, told)

    try:
        for number in range(games):
            opening = _opening(played.start(), openings, seed, number // 2)
            rows.append(_play(opening, seats, number % 2, most_moves))
            if progress is not None:
                progress(standing())
    except KeyboardInterrupt as interrupt:
        raise Interrupted(standing()) from interrupt
    return standing()


def _name(player: Contestant) -> str:
    if isinstance(player, str):
        return player
    return player.search if isinstance(player, Player) else getattr(player, "__name__", repr(player))


def _opening(start: Position, openings: str, seed: int, pair: int) -> Position:
    if not openings.startswith("random:"):
        lines = [line.strip() for line in openings.split(";") if line.strip()]
        return start.play(lines[pair % len(lines)]) if lines else start
    random, plies = Random(seed * 1_000_003 + pair), int(openings.removeprefix("random:"))
    for _ in range(100):
        at = start
        for _ in range(plies):
            if not at.is_over:
                at = at.play_random(random)
        if not at.is_over:
            return at
    raise _core.Error(f"openings={openings!r}: the game is over by then; take fewer moves")


def _play(at: Position, seats: list[Callable[[Position], str]], a_is_second: int, most_moves: int) -> dict[str, Any]:
    """Plays a game; the row has the words of games in a store."""
    effort = [{"moves": 0, "playouts": 0, "nodes": 0, "seconds": 0.0} for _ in seats]
    opening, lost_by, loser = len(at.moves), None, 0
    for seat in seats:
        if isinstance(seat, Player):
            seat.forget()
    while not at.is_over and len(at.moves) < most_moves:
        mover = (at.to_move == "second") ^ a_is_second
        began = clock.perf_counter()
        player = seats[mover]
        if isinstance(player, Player):
            thought = player.analyze(at)
            chosen = thought.best_move or at.legal_moves[0]
            effort[mover]["playouts"] += thought.simulations
            effort[mover]["nodes"] += thought.nodes
        else:
            chosen = player(at)
        effort[mover]["moves"] += 1
        effort[mover]["seconds"] += clock.perf_counter() - began
        try:
            at = at.play(chosen)
        except _core.RulesError:
            raise
        except _core.Error as error:
            lost_by, loser = {"illegal": str(error)}, mover
            break
    score = at.outcome if at.is_over else None
    own = 0 if score is None else (-score if a_is_second else score)
    half_points = (2 if loser else 0) if lost_by else 1 + (own > 0) - (own < 0)
    row: dict[str, Any] = {
        "a_moves": "second" if a_is_second else "first",
        "half_points": half_points,
        # A whole number, in halves of a point with a komi: its sign is what counts here.
        "score": None if score is None else (score if score == int(score) else round(score + (0.5 if score > 0 else -0.5))),
        "plies": len(at.moves),
        "opening": opening,
        "moves": " ".join(at.moves),
        "a": effort[0],
        "b": effort[1],
    }
    if lost_by:
        row["lost_by"] = lost_by
    return row
