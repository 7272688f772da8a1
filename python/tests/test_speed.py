"""Speed, as processor time in turns: by hand, `pytest -m speed -s`, with the module built for release.

PROOFPLAY names the program, also built for release.
"""

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

import proofplay as pp

pytestmark = pytest.mark.speed


def cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def rounds(count: int, *work: Callable[[], object]) -> list[float]:
    """The medians of several kinds of work, done in turns."""
    times = [[cpu(one) for one in work] for _ in range(count)]
    return [statistics.median(column) for column in zip(*times)]


def test_random_games_beside_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import random

    theirs, ours, seeded = pyspiel.load_game("connect_four"), pp.game("connect4").start(), pp.Random(1)
    games = 2000

    def openspiel() -> None:
        for _ in range(games):
            state = theirs.new_initial_state()
            while not state.is_terminal():
                state.apply_action(random.choice(state.legal_actions()))
            state.returns()

    def by_playout() -> None:
        for _ in range(games):
            ours.playout(seeded).outcome

    def by_random_moves() -> None:
        for _ in range(games):
            at = ours
            while not at.is_over:
                at = at.play_random(seeded)
            at.outcome

    def by_chosen_moves() -> None:
        for _ in range(games):
            at = ours
            while not at.is_over:
                at = at.play(random.choice(at.legal_moves))
            at.outcome

    names = ["OpenSpiel", "playout", "play_random", "play of a chosen move"]
    times = rounds(9, openspiel, by_playout, by_random_moves, by_chosen_moves)
    for name, seconds in zip(names, times):
        print(f"{name}: {games / seconds:,.0f} games a second, {times[0] / seconds:.2f} times OpenSpiel")
    assert times[0] / times[1] >= 5


def test_solve_beside_the_program() -> None:
    program = os.environ.get("PROOFPLAY", "")
    if not program:
        pytest.skip("PROOFPLAY is not set")
    game = os.environ.get("SPEED_GAME", "connect4:7x5")

    def of_child(command: list[str]) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    python = f"import proofplay as pp; assert pp.solve({game!r}).is_solved"
    ours, theirs = [], []
    for _ in range(9):
        # Python's own start is no part of the solve.
        ours.append(of_child([sys.executable, "-c", python]) - of_child([sys.executable, "-c", "import proofplay"]))
        theirs.append(of_child([program, "solve", game, "--memory", "1GiB"]))
    ratio = statistics.median(ours) / statistics.median(theirs)
    print(f"solve {game}: {statistics.median(ours):.2f} s, the program {statistics.median(theirs):.2f} s: {ratio:.3f}")
    assert ratio <= 1.05


def test_evaluations_a_second() -> None:
    numpy = pytest.importorskip("numpy")
    spec, count, seen = "mcts:leaf=evaluate,select=puct,batch=64", 100_000, []

    def evaluate(planes: object) -> object:
        seen.append(len(planes))  # type: ignore[arg-type]
        return numpy.zeros(len(planes), dtype=numpy.float32)  # type: ignore[arg-type]

    seconds = rounds(5, lambda: pp.analyze("connect4", spec, simulations=count, evaluator=evaluate))[0]
    print(f"{sum(seen) / 5 / seconds:,.0f} evaluations a second, {sum(seen) / len(seen):.0f} a call")
    assert sum(seen) / 5 / seconds >= 20_000


def test_own_games() -> None:
    sys.path.insert(0, os.path.dirname(__file__))
    from own_games import Lines

    at = pp.game(Lines).start()
    moves = 0

    def play() -> None:
        nonlocal moves
        moves += at.playouts(2000, pp.Random(moves))[1]

    seconds = rounds(5, play)[0]
    print(f"own game: {moves / 5 / seconds:,.0f} moves a second")
    solution = pp.solve(at, "alphabeta")
    print(f"own game, alphabeta: {solution.nodes / max(solution.seconds, 1e-9):,.0f} nodes a second")
