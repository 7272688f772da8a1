"""Games whose rules are a class in Python, against brute force."""

import pickle
from typing import Any

import pytest
from own_games import Coins, Lines, Nim, value

import proofplay as pp

SOLVERS = ["alphabeta", "dfpn", "dfpp", "pns", "pnt", "pn2", "pp", "ppt", "pp2", "minimax", "retrograde", "score-bounded"]


@pytest.mark.parametrize("algorithm", SOLVERS)
@pytest.mark.parametrize("rules", [Nim, Lines, Coins])
def test_every_algorithm_agrees_with_brute_force_and_certifies(algorithm: str, rules: Any) -> None:
    truth = value(rules())
    solution = pp.solve(rules, algorithm)
    assert solution.score == truth, solution
    written = solution.certificate()
    checked = pp.verify(written, game=rules)
    assert checked.score == truth and checked.game == rules.name
    with pytest.raises(pp.CertificateError, match="game=MyGame"):
        pp.verify(written)


@pytest.mark.parametrize("heaps", [(1,), (1, 1), (2, 1), (2, 2), (1, 2, 3), (1, 1, 1), (3, 1, 1)])
def test_starts_of_a_class(heaps: tuple[int, ...]) -> None:
    # Bouton's theorem.
    nim = heaps[0] ^ (heaps[1] if len(heaps) > 1 else 0) ^ (heaps[2] if len(heaps) > 2 else 0)
    solution = pp.solve(Nim(heaps))
    assert solution.score == (1 if nim else -1)
    assert pp.verify(solution.certificate(), game=Nim(heaps)).score == solution.score


def test_positions_of_a_class() -> None:
    start = pp.game(Lines).start()
    assert start.side == "X" and start.game.sides == ("X", "O") and start.game.name == "lines:3x2"
    assert start.legal_moves == ["0", "1", "2", "3", "4", "5"]
    after = start.play(0).play("3")
    assert after.text == "x../o.. x" and after == start.play("0 3") and after.moves == ["0", "3"]
    assert isinstance(after.object, Lines) and start.object.cells == "......"
    assert start.game.position("x../o.. x") == after
    assert pickle.loads(pickle.dumps(after)) == after
    assert start.play("0 3 1 4 2").outcome == 1
    assert pp.game("tictactoe").start().object is None
    assert start.playouts(10, pp.Random(1))[1] > 30
    with pytest.raises(pp.Error, match="legal: 1 2"):
        start.play(0).play(0)
    with pytest.raises(pp.Error, match="from_text"):
        pp.game(Nim).position("nothing")


def test_certificates_name_the_rules() -> None:
    written = pp.solve(Nim).certificate()

    class Other(Nim):
        digest = 8

    with pytest.raises(pp.CertificateError, match="it is for the game"):
        pp.verify(written, game=Other)

    class Misere(Nim):
        """Another game under the same name: its rules refute the proof."""

        def outcome(self) -> int | None:
            score = super().outcome()
            return None if score is None else -score

    assert value(Misere((1, 1))) != value(Nim((1, 1)))
    small = pp.solve(Nim((1, 1))).certificate()
    with pytest.raises(pp.CertificateError):
        pp.verify(small, game=Misere((1, 1)))


@pytest.mark.parametrize("spec", ["mcts:playouts=2000", "mcts-solver:playouts=2000", "alphabeta:deepen=on,depth=9"])
def test_players_of_own_games(spec: str) -> None:
    at = pp.game(Nim((2, 1))).start()
    assert pp.analyze(at, spec).best_move == "0-1"


def test_threads_of_one_search() -> None:
    assert pp.solve(Lines, "alphabeta", threads=3).score == value(Lines())
    assert pp.analyze(Nim, "mcts:threads=2", simulations=500).value == "loss"


def test_what_a_class_raises_is_raised() -> None:
    class Broken(Nim):
        def moves(self) -> list[str]:
            if sum(self.heaps) < 4:
                raise LookupError("no moves today")
            return super().moves()

    for algorithm in ["alphabeta", "pns", "dfpn", "mcts"]:
        for threads in (1, 3):
            with pytest.raises(LookupError, match="no moves today"):
                pp.solve(Broken, algorithm, threads=threads)
    at = pp.game(Broken((1, 3))).start().play("0-1")
    with pytest.raises(LookupError):
        at.legal_moves
    # Nothing of it stays.
    assert pp.solve(Nim).score == -1


@pytest.mark.parametrize(
    "change, says",
    [
        ({"outcome": lambda self: None if any(self.heaps) else 5}, "range"),
        ({"moves": lambda self: []}, "expected 1 to 65535"),
        ({"moves": lambda self: ["a b"]}, "word without blanks"),
        ({"play": lambda self, move: None}, "expected the new position"),
        ({"to_move": lambda self: 2}, "expected 0 or"),
        ({"outcome": lambda self: 0.5}, "whole number"),
        ({"name": "two words"}, "without blanks"),
        ({"range": (1, -1)}, "lowest and the highest"),
        ({"play": lambda self, move: self}, "plies deep|repeat"),
    ],
)
def test_mistakes_are_named(change: dict[str, Any], says: str) -> None:
    rules = type("Wrong", (Nim,), change)
    with pytest.raises((ValueError, TypeError), match=says):
        pp.solve(rules, "alphabeta")


def test_check_finds_mistakes() -> None:
    for rules in (Nim, Lines, Coins):
        pp.check(rules)
    pp.check("tictactoe")

    class Blurred(Nim):
        def key(self) -> Any:
            return sum(self.heaps)

    with pytest.raises(pp.RulesError, match="key"):
        pp.check(Blurred)

    class Changing(Nim):
        def __init__(self, heaps: tuple[int, ...] = (1, 2, 3), turn: int = 0) -> None:
            super().__init__(heaps, turn)
            self.asked = 0

        def play(self, move: str) -> Any:
            self.asked += 1
            return super().play(move)

        def text(self) -> str:
            return f"{self.heaps} {self.asked}"

    with pytest.raises(pp.RulesError, match="changes it"):
        pp.check(Changing)

    class Returning(Nim):
        """Takes one from a heap and gives it to the next one."""

        def play(self, move: str) -> Any:
            return type(self)((self.heaps[1], self.heaps[2], self.heaps[0]), 1 - self.turn)

    with pytest.raises(pp.RulesError, match="repeat"):
        pp.check(Returning)


def test_games_that_may_repeat_are_refused_where_that_is_unsafe() -> None:
    class Careful(Nim):
        repeats = True

    with pytest.raises(pp.Error, match="never repeat"):
        pp.solve(Careful, "alphabeta")
    assert pp.solve(Careful).score == -1


def test_a_class_is_told_by_its_methods() -> None:
    assert isinstance(Nim(), pp.OwnGame)
    with pytest.raises(AttributeError):
        pp.game(type("Empty", (), {}))
