"""Functions that estimate positions in batches."""

import threading
from typing import Any

import pytest

np = pytest.importorskip("numpy")

from own_games import Coins, Lines, Nim  # noqa: E402

import proofplay as pp  # noqa: E402

SPEC = "mcts:leaf=evaluate,select=puct,batch=16"


def test_planes_come_in_batches() -> None:
    sizes: list[int] = []

    def evaluate(planes: Any) -> Any:
        assert planes.dtype == np.float32 and planes.shape[1:] == pp.game("connect4").observation_shape()[:3]
        sizes.append(len(planes))
        return np.zeros(len(planes))

    analysis = pp.analyze("connect4", SPEC, simulations=1000, evaluator=evaluate)
    assert analysis.simulations == 1000 and max(sizes) == 16 and sum(sizes) <= 1001


def test_values_are_in_the_view_of_the_mover() -> None:
    """Who evaluates by the mover's stones in the centre wants the centre, on both sides."""
    shape = pp.game("connect4").observation_shape()
    symbols = {"x": None, "o": None}
    for text, piece in (("4", "x"), ("4 4", "o")):
        before = pp.game("connect4").start().play(text[:-2]) if len(text) > 1 else pp.game("connect4").start()
        changed = pp.game("connect4").start().play(text).observation()[:-1] - before.observation()[:-1]
        symbols[piece] = int(np.argwhere(changed.reshape(shape[0] - 1, -1).sum(axis=1))[0][0])

    def evaluate(planes: Any) -> Any:
        first = planes[:, symbols["x"], :, 3].sum(axis=1) - planes[:, symbols["o"], :, 3].sum(axis=1)
        mover_is_first = planes[:, -1, 0, 0] == 1
        return np.where(mover_is_first, first, -first) / 10

    for moves in ("1", "1 7"):
        at = pp.game("connect4").start().play(moves)
        assert pp.analyze(at, SPEC, simulations=400, evaluator=evaluate).best_move == "4"


def test_a_policy_is_followed() -> None:
    outputs = pp.game("connect4").observation_shape()[4]
    wanted = pp.game("connect4").start().policy_outputs()[2][0]

    def evaluate(planes: Any) -> Any:
        policy = np.zeros((len(planes), outputs), dtype=np.float32)
        policy[:, wanted] = 8
        return np.zeros(len(planes)), policy

    analysis = pp.analyze("connect4", SPEC, simulations=300, evaluator=evaluate)
    assert analysis.best_move == "3" and analysis.moves[0].visits > 150


def test_own_games_are_evaluated_as_positions() -> None:
    def evaluate(positions: list[pp.Position]) -> Any:
        assert all(isinstance(at.object, Nim) for at in positions)
        policy = [[5.0 if move.startswith("0") else 0.0 for move in at.legal_moves] for at in positions]
        return [0.0] * len(positions), policy

    evaluator = pp.Evaluator(evaluate, encoder=None)
    analysis = pp.analyze(Nim((3, 4, 5)), SPEC, simulations=200, evaluator=evaluator)
    assert analysis.simulations == 200 and analysis.moves[0].move.startswith("0")
    # Proofs are proofs, whatever is guessed.
    assert pp.analyze(Nim((1, 2, 3)), SPEC, simulations=3000, evaluator=evaluator).value == "loss"


def test_own_games_that_look_like_a_board_have_planes() -> None:
    seen: list[Any] = []
    evaluator = pp.Evaluator(lambda planes: seen.append(planes.shape) or np.zeros(len(planes)))
    assert pp.analyze(Lines, SPEC, simulations=100, evaluator=evaluator).simulations > 0
    assert seen[0][2:] == (2, 3)
    with pytest.raises(pp.Error, match="board"):
        pp.analyze(Coins, SPEC, simulations=100, evaluator=evaluator)


def test_threads_share_batches() -> None:
    sizes: list[int] = []
    names: set[str] = set()

    def evaluate(planes: Any) -> Any:
        sizes.append(len(planes))
        names.add(threading.current_thread().name)
        # Let the others come.
        threading.Event().wait(0.001)
        return np.zeros(len(planes))

    spec = "mcts:leaf=evaluate,select=puct,batch=4,threads=4"
    analysis = pp.analyze("connect4", spec, simulations=2000, evaluator=evaluate)
    assert analysis.simulations >= 2000 and max(sizes) > 4, (max(sizes), len(sizes))


@pytest.mark.parametrize(
    "evaluate, error",
    [
        (lambda planes: 1 / 0, ZeroDivisionError),
        (lambda planes: np.zeros(3), ValueError),
        (lambda planes: (np.zeros(len(planes)), np.zeros(3)), ValueError),
        (lambda planes: (1, 2, 3), pp.Error),
        (lambda planes: "no", ValueError),
    ],
)
@pytest.mark.parametrize("threads", [1, 3])
def test_mistakes_are_raised(evaluate: Any, error: type, threads: int) -> None:
    with pytest.raises(error):
        pp.analyze("connect4", SPEC, simulations=500, evaluator=evaluate, threads=threads)


def test_an_evaluator_needs_a_search_that_asks() -> None:
    with pytest.raises(pp.Error, match="leaf=evaluate"):
        pp.analyze("connect4", "mcts", simulations=5, evaluator=lambda planes: planes)


def test_nonsense_is_no_proof() -> None:
    """Values that are no numbers count as nothing."""
    evaluate = lambda planes: np.full(len(planes), np.nan)  # noqa: E731
    assert pp.analyze("tictactoe", SPEC, simulations=200_000, evaluator=evaluate).value in ("draw", "unknown")


def test_players_with_an_evaluator() -> None:
    player = pp.Player(SPEC, simulations=50, evaluator=lambda planes: np.zeros(len(planes)))
    result = pp.match(player, "mcts", "connect4:4x4", games=4, simulations=50)
    assert result.wins + result.draws + result.losses == 4
