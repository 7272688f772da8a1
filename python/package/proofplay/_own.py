"""Games by name, and games of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, runtime_checkable

from proofplay._proofplay import Game, Position, Random, RulesError


@runtime_checkable
class OwnGame(Protocol):
    """What a class of yours says about a position; an object of it never changes.

    Instead of ``key`` a class may have ``text``: a line that tells positions apart. The class may also say:

    - ``name``: what files call the game; the name of the class if nothing is said
    - ``digest``: a number or a text that changes when the rules change, so that old files are refused
    - ``repeats``: False if no line of play can come back to a position; then every search takes the game
    - ``range``: the lowest and the highest score, (-1, 1) if nothing is said
    - ``sides``: what the two players are called
    - ``from_text(text)``: reads what ``text()`` has written
    """

    def to_move(self) -> int | str:
        """Whose turn it is: 0 or "first", 1 or "second". Not asked when the game is over."""
        ...

    def outcome(self) -> int | None:
        """The score when the game is over, in the view of the first player; else None."""
        ...

    def moves(self) -> Any:
        """The legal moves, at least one, always in the same order; str() of a move is its text."""
        ...

    def play(self, move: Any) -> OwnGame:
        """The position after a move; this one stays as it is."""
        ...


Rules: TypeAlias = "str | Game | OwnGame | Callable[[], OwnGame]"


def game(rules: Rules) -> Game:
    """A game: by its name and parameters, or of a class of your own.

    An object of such a class makes a game that begins with it.

    >>> import proofplay as pp
    >>> pp.game("connect4:7x6").sides
    ('X', 'O')
    """
    if isinstance(rules, Game):
        return rules
    if isinstance(rules, str):
        return Game(rules)
    if isinstance(rules, type) or callable(rules):
        return Game.own(rules)
    return Game.own(type(rules), rules)


def position(at: Position | Rules) -> Position:
    """A position, or the start of a game."""
    return at if isinstance(at, Position) else game(at).start()


def check(rules: Rules, games: int = 20, seed: int = 1) -> None:
    """Looks for mistakes in a class of your own, in random games; the RulesError names the method to repair.

    Among them: a score outside of the range, a key or a text that forgets something, a position that changes when a
    move is played, repeated positions although ``repeats`` is False.
    """
    checked = game(rules)
    if checked.rules_class is None:
        return
    checked._check(games, seed)
    random, known = Random(seed), dict[int, tuple[Any, ...]]()
    for _ in range(games):
        at = checked.start()
        for _ in range(1000):
            before = repr(at)
            told = (at.outcome, at.legal_moves, [at.play(move).key for move in at.legal_moves])
            if repr(at) != before:
                raise RulesError(f"{before}: play() changes it to {at!r}; play() makes a new position")
            if known.setdefault(at.key, told) != told:
                raise RulesError(
                    f"{at!r}: another position with the same key has other moves or another outcome, or leads to "
                    "others; key() or text() has to tell them apart, and moves() has to keep its order"
                )
            if at.is_over:
                break
            at = at.play_random(random)
