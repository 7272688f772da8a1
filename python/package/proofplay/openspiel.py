"""OpenSpiel from both sides: its games as games of ours, and ours as states like its own.

>>> import proofplay as pp
>>> from proofplay import openspiel
>>> pp.solve(openspiel.game("tic_tac_toe")).value  # doctest: +SKIP
'draw'
"""

from __future__ import annotations

from typing import Any

from proofplay._own import Rules
from proofplay._own import game as own_game
from proofplay._proofplay import Error, Game, Position

# Games of OpenSpiel whose str() tells everything that decides what follows, and whose positions never repeat.
TOLD_BY_TEXT = frozenset({"tic_tac_toe", "connect_four", "breakthrough", "hex", "y"})


class _Move(str):
    """A word for a move, and the action that it stands for."""

    __slots__ = ("action",)
    action: int

    def __reduce__(self) -> Any:
        return _move, (str(self), self.action)


def _move(text: str, action: int) -> _Move:
    move = _Move(text)
    move.action = action
    return move


class _Rules:
    """What every game of OpenSpiel needs to be one of ours."""

    def __init__(self, game: Any, merge: bool) -> None:
        kind, name = game.get_type(), game.get_type().short_name
        for is_so, what in (
            (game.num_players() == 2, "for two players"),
            (str(kind.chance_mode).endswith("DETERMINISTIC"), "without chance"),
            (str(kind.information).endswith("PERFECT_INFORMATION"), "with nothing hidden"),
            (str(kind.dynamics).endswith("SEQUENTIAL"), "with one player to move at a time"),
            (str(kind.utility).endswith(("ZERO_SUM", "CONSTANT_SUM")), "whose scores add up to 0"),
            (str(kind.reward_model).endswith("TERMINAL"), "with scores at the end alone"),
        ):
            if not is_so:
                raise Error(f"`{name}`: expected a game {what}")
        self.game, self.merge = game, merge
        self.name = "openspiel:" + str(game).replace(" ", "")
        self.digest = f"{_version()} {'text' if merge else 'history'}"
        # With its history in the key, no position comes twice.
        self.repeats = False
        low, high = game.min_utility(), game.max_utility()
        if not (-32767 <= low <= high <= 32767):
            raise Error(f"`{name}`: scores from {low} to {high} are too large")
        self.range = (int(low // 1), int(-(-high // 1)))

    def __call__(self) -> _State:
        return _State(self, self.game.new_initial_state())

    def __reduce__(self) -> Any:
        return _rules, (str(self.game), self.merge)


def _rules(name: str, merge: bool) -> _Rules:
    import pyspiel

    return _Rules(pyspiel.load_game(name), merge)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("open_spiel")
    except PackageNotFoundError:
        return "unknown"


class _State:
    """A state of OpenSpiel with the methods of an own game."""

    def __init__(self, rules: _Rules, state: Any) -> None:
        self.rules, self.state = rules, state

    def to_move(self) -> int:
        return int(self.state.current_player())

    def outcome(self) -> float | None:
        return float(self.state.returns()[0]) if self.state.is_terminal() else None

    def moves(self) -> list[_Move]:
        player, actions = self.state.current_player(), self.state.legal_actions()
        texts = ["_".join(self.state.action_to_string(player, action).split()) for action in actions]
        alike = len(set(texts)) < len(texts) or not all(texts)
        return [_move(f"{text}/{action}" if alike else text, action) for text, action in zip(texts, actions)]

    def play(self, move: _Move) -> _State:
        return _State(self.rules, self.state.child(move.action))

    def text(self) -> str:
        if self.rules.merge:
            # The outcome belongs to it: two ends may look alike.
            return " ".join(str(self.state).split())
        return "after " + ",".join(map(str, self.state.history()))

    def __str__(self) -> str:
        return str(self.state)


def game(game: Any, merge: bool | None = None) -> Game:
    """A game of OpenSpiel, by its name or as pyspiel has loaded it, as one of ours: solved and certified by its rules.

    ``merge=True`` says that str() of a state tells everything that decides what follows and that no state comes twice;
    then searches meet each state once. Otherwise lines of play that lead to the same state are searched apart, which
    is right for every game and slower.
    """
    try:
        import pyspiel
    except ImportError:
        raise ImportError("games of OpenSpiel need it: pip install open_spiel") from None
    loaded = pyspiel.load_game(game) if isinstance(game, str) else game
    if merge is None:
        merge = loaded.get_type().short_name in TOLD_BY_TEXT
    return Game.own(_Rules(loaded, merge))


class Actions:
    """Numbers of moves, as OpenSpiel has them: where a move is one output of a policy that number, else one as met."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.numbers: dict[str, int] = {}
        self.texts: dict[int, str] = {}
        try:
            self.outputs = game.observation_shape()[4]
            self.by_output = all(len(of) == 1 for of in game.start().policy_outputs())
        except Error:
            self.outputs, self.by_output = 0, False

    def of(self, position: Position) -> dict[int, str]:
        """The legal moves by their numbers, in order."""
        texts = position.legal_moves
        if self.by_output:
            outputs = position.policy_outputs()
            return dict(sorted((of[0], text) for of, text in zip(outputs, texts)))
        for text in texts:
            if text not in self.numbers:
                number = len(self.numbers)
                self.numbers[text], self.texts[number] = number, text
        return dict(sorted((self.numbers[text], text) for text in texts))


class State:
    """One of our positions as a state of OpenSpiel: it changes when an action is applied."""

    def __init__(self, position: Position, actions: Actions | None = None) -> None:
        self.position = position
        self._actions = actions or Actions(position.game)
        self._history: list[int] = []

    def current_player(self) -> int:
        """0 or 1; -4 when the game is over, as in OpenSpiel."""
        return {"first": 0, "second": 1, None: -4}[self.position.to_move]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def is_chance_node(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def num_players(self) -> int:
        """Two."""
        return 2

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The numbers of the legal moves, in order."""
        if player is not None and player != self.current_player():
            return []
        return list(self._actions.of(self.position))

    def legal_actions_mask(self) -> list[int]:
        """1 for each action that is legal."""
        legal = set(self.legal_actions())
        return [int(action in legal) for action in range(self.num_distinct_actions())]

    def num_distinct_actions(self) -> int:
        """How many actions there are, as far as they are known."""
        return self._actions.outputs if self._actions.by_output else len(self._actions.numbers)

    def apply_action(self, action: int) -> None:
        """Plays a move."""
        legal = self._actions.of(self.position)
        if action not in legal:
            raise Error(f"action {action} is not legal here; legal: {list(legal)}")
        self.position = self.position.play(legal[action])
        self._history.append(action)

    def child(self, action: int) -> State:
        """The state after a move; this one stays as it is."""
        child = self.clone()
        child.apply_action(action)
        return child

    def clone(self) -> State:
        """A copy."""
        copy = State(self.position, self._actions)
        copy._history = self._history.copy()
        return copy

    def action_to_string(self, player: int, action: int | None = None) -> str:
        """The text of a legal action."""
        return self._actions.of(self.position)[player if action is None else action]

    def string_to_action(self, player: int | str, text: str | None = None) -> int:
        """The action of this text."""
        wanted = player if text is None else text
        for action, legal in self._actions.of(self.position).items():
            if legal == wanted:
                return action
        raise Error(f"`{wanted}` is not legal here; legal: {' '.join(self.position.legal_moves)}")

    def returns(self) -> list[float]:
        """The score for each player; zeros while the game goes on."""
        score = float(self.position.outcome or 0)
        return [score, 0.0 - score]

    def rewards(self) -> list[float]:
        """The same: scores come at the end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """The score for one player."""
        return self.returns()[player]

    def history(self) -> list[int]:
        """The actions so far."""
        return self._history.copy()

    def observation_tensor(self, player: int | None = None) -> Any:
        """The planes of the position as a flat array of numpy; both players see the same."""
        return self.position.observation().reshape(-1)

    def observation_string(self, player: int | None = None) -> str:
        """The position as text."""
        return self.position.text

    def information_state_string(self, player: int | None = None) -> str:
        """The actions so far, as text."""
        return ", ".join(map(str, self._history))

    def __str__(self) -> str:
        return str(self.position)


def state(at: Position | Rules) -> State:
    """A position of ours, or the start of a game of ours, as a state like those of OpenSpiel."""
    return State(at if isinstance(at, Position) else own_game(at).start())
