"""Games of one's own, and a slow second solver of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any


class Nim:
    """Take any number from one heap; who takes the last one wins."""

    name = "nim"
    digest = 7
    repeats = False

    def __init__(self, heaps: tuple[int, ...] = (1, 2, 3), turn: int = 0) -> None:
        self.heaps, self.turn = heaps, turn

    def to_move(self) -> int:
        return self.turn

    def outcome(self) -> int | None:
        return None if any(self.heaps) else (1 if self.turn else -1)

    def moves(self) -> list[str]:
        return [f"{i}-{n}" for i, heap in enumerate(self.heaps) for n in range(1, heap + 1)]

    def play(self, move: str) -> Nim:
        i, n = map(int, move.split("-"))
        return type(self)(tuple(heap - n * (i == j) for j, heap in enumerate(self.heaps)), 1 - self.turn)

    def key(self) -> tuple[int, ...]:
        return self.heaps


class Lines:
    """Tic-tac-toe on two rows of three, with draws, in text."""

    name = "lines:3x2"
    repeats = False
    sides = ("X", "O")

    def __init__(self, cells: str = "." * 6, turn: str = "first") -> None:
        self.cells, self.turn = cells, turn

    def to_move(self) -> str:
        return self.turn

    def outcome(self) -> int | None:
        rows = (self.cells[:3], self.cells[3:], *(self.cells[i::3] for i in range(3)))
        # A column belongs to who has both of it, a row to who has all of it.
        for piece, score in (("x", 1), ("o", -1)):
            if any(set(row) == {piece} and len(row) == 3 for row in rows):
                return score
        return 0 if "." not in self.cells else None

    def moves(self) -> list[int]:
        return [i for i, cell in enumerate(self.cells) if cell == "."]

    def play(self, move: int) -> Lines:
        piece = "x" if self.turn == "first" else "o"
        cells = self.cells[:move] + piece + self.cells[move + 1 :]
        return Lines(cells, "second" if self.turn == "first" else "first")

    def text(self) -> str:
        return f"{self.cells[:3]}/{self.cells[3:]} {'x' if self.turn == 'first' else 'o'}"

    @staticmethod
    def from_text(text: str) -> Lines:
        cells, piece = text.split(" ")
        return Lines(cells.replace("/", ""), "first" if piece == "x" else "second")


class Coins:
    """Points, and a player who sometimes moves twice: take a coin from an end; after a coin of 2 you move again."""

    name = "coins"
    repeats = False
    range = (-20, 20)

    def __init__(self, coins: tuple[int, ...] = (3, 2, 5, 1, 2, 4), lead: int = 0, turn: int = 0) -> None:
        self.coins, self.lead, self.turn = coins, lead, turn

    def to_move(self) -> int:
        return self.turn

    def outcome(self) -> int | None:
        return None if self.coins else self.lead

    def moves(self) -> list[str]:
        return ["left", "right"]

    def play(self, move: str) -> Coins:
        coin, rest = (self.coins[0], self.coins[1:]) if move == "left" else (self.coins[-1], self.coins[:-1])
        lead = self.lead + (-coin if self.turn else coin)
        return Coins(rest, lead, self.turn if coin == 2 else 1 - self.turn)

    def key(self) -> Any:
        return (self.coins, self.lead)


def value(position: Any) -> int:
    """The value by looking at every line of play, in the view of the first player."""

    @lru_cache(maxsize=None)
    def of(moves: tuple[Any, ...]) -> int:
        at = position
        for move in moves:
            at = at.play(move)
        score = at.outcome()
        if score is not None:
            return int(score)
        best = max if at.to_move() in (0, "first") else min
        return int(best(of((*moves, move)) for move in at.moves()))

    return of(())
