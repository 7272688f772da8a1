"""What a stranger does first, in an environment with nothing but the wheel. Run it as a script."""

import proofplay as pp

start = pp.game("connect4:5x4").start()
solution = pp.solve(start)
assert solution.value == "draw", solution
assert pp.verify(solution.certificate()).score == 0
assert pp.Player("mcts", simulations=50)(start) in start.legal_moves


class Nim:
    repeats = False

    def __init__(self, left: int = 7, turn: int = 0) -> None:
        self.left, self.turn = left, turn

    def to_move(self) -> int:
        return self.turn

    def outcome(self) -> "int | None":
        return None if self.left else (1 if self.turn else -1)

    def moves(self) -> "list[int]":
        return [n for n in (1, 2, 3) if n <= self.left]

    def play(self, move: int) -> "Nim":
        return Nim(self.left - move, 1 - self.turn)

    def key(self) -> int:
        return self.left


own = pp.solve(Nim)
assert (own.value, own.best_move) == ("win", "3"), own
assert pp.verify(own.certificate(), game=Nim).score == 1
try:
    start.observation()
except ImportError as error:
    assert "numpy" in str(error)
try:
    solution.to_pandas()
except ImportError as error:
    assert "pip install pandas" in str(error)
print("the wheel works:", pp.__version__)
