"""Searches, certificates, live reports, Ctrl-C."""

import subprocess
import sys
import threading
import time
from _thread import interrupt_main
from pathlib import Path

import pytest

import proofplay as pp

SOLVERS = ["alphabeta", "dfpn", "dfpp", "pns", "pnt", "pn2", "pp", "ppt", "pp2", "minimax", "retrograde", "score-bounded"]


@pytest.mark.parametrize("algorithm", SOLVERS)
def test_every_algorithm_proves_what_is_known(algorithm: str) -> None:
    # The values of docs/SOLVED.md.
    for name, score in [("tictactoe", 0), ("domineering:4x4", 1), ("nogo:3x3", 1), ("connect4:4x4", 0)]:
        if algorithm == "minimax" and name != "tictactoe":
            continue
        solution = pp.solve(name, algorithm)
        assert solution.score == score and solution.is_solved and solution.ended == "solved", (name, solution)
        checked = pp.verify(solution.certificate())
        assert checked.score == score and checked.game == name


def test_a_solution() -> None:
    at = pp.game("connect4:4x4").start().play("2 2 3 3 1")
    solution = pp.solve(at, "alphabeta", all_moves=True, distance=True)
    # All moves lead to what brute force says.
    for move in solution.moves:
        next = at.play(move.move)
        assert pp.solve(next, "minimax").bounds == move.bounds
    assert solution.best_move in at.legal_moves and solution.line[0] == solution.best_move
    assert solution.position is at and solution.nodes > 0 and solution.seconds >= 0
    assert [row["move"] for _, row in solution.to_pandas().iterrows()] == at.legal_moves
    assert pp.solve("tictactoe", "alphabeta").distance is None


def test_distance_is_counted() -> None:
    at = pp.game("tictactoe").start().play("a1 b1 a2 b2")
    assert (pp.solve(at, distance=True).distance, pp.solve(at).value, pp.solve(at).best_move) == (1, "win", "a3")


def test_limits() -> None:
    solution = pp.solve("connect4", nodes=1000)
    assert not solution.is_solved and solution.value == "unknown" and solution.ended == "limit"
    assert solution.nodes < 100_000
    with pytest.raises(pp.Error, match="nothing is proven"):
        solution.certificate()
    began = time.monotonic()
    pp.solve("connect4", time=0.2)
    assert time.monotonic() - began < 20
    with pytest.raises(pp.Error, match="makes none"):
        pp.solve("tictactoe", "alphabeta", simulations=5)
    with pytest.raises(pp.Error, match="expected"):
        pp.solve("tictactoe", time=-1)
    with pytest.raises(pp.Error, match="no such search"):
        pp.solve("tictactoe", "alphabetta")
    with pytest.raises(pp.Error, match="never repeat"):
        pp.solve("loa:5x5", "alphabeta")
    with pytest.raises(pp.Error, match="ask for less"):
        pp.solve("tictactoe", memory=1 << 62)


def test_certificates(tmp_path: Path) -> None:
    at = pp.game("connect4:4x4").start().play("2 2")
    solution = pp.solve(at)
    file = tmp_path / "c4.proof"
    written = solution.certificate(file)
    assert file.read_bytes() == written
    checked = pp.verify(file)
    assert checked.bounds == solution.bounds and checked.position == at.text and checked.size == len(written)
    wrong = written.replace(b"bounds", b"bonds ") if b"bounds" in written else written[:-9]
    with pytest.raises(pp.CertificateError, match="refused"):
        pp.verify(wrong)
    with pytest.raises(pp.CertificateError, match="it is for the game"):
        pp.verify(written, game="tictactoe")
    with pytest.raises(pp.CertificateError):
        pp.verify(b"nothing")
    with pytest.raises(pp.Error, match="counted"):
        solution.certificate(ends="never")  # type: ignore[arg-type]
    assert pp.verify(pp.solve("domineering:5x5").certificate(ends="counted")).score == -1


@pytest.mark.parametrize("at", range(20, 200, 9))
def test_damaged_certificates_prove_nothing_else(at: int) -> None:
    solution = pp.solve("tictactoe")
    written = bytearray(solution.certificate())
    written[at % len(written)] ^= 4
    try:
        assert pp.verify(bytes(written)).bounds == solution.bounds
    except pp.Error:
        pass


def test_analysis() -> None:
    analysis = pp.analyze("connect4", "mcts", simulations=2000, seed=1)
    again = pp.analyze("connect4", "mcts", simulations=2000, seed=1)
    assert analysis.moves == again.moves and analysis.simulations == 2000
    assert len(analysis.moves) == 7 and analysis.best_move == analysis.moves[0].move
    assert sum(move.visits for move in analysis.moves) in range(1900, 2001)
    proven = pp.analyze(pp.game("tictactoe").start().play("a1 b1 a2 b2"), "mcts", simulations=500)
    assert proven.value == "win" and proven.moves[0].value == "win"


def test_live_reports() -> None:
    seen = list(pp.reports("go:9x9", "mcts", time=1.0, every=0.1))
    assert len(seen) >= 3 and seen[0].ended is None and seen[-1].ended == "limit"
    assert all(a.simulations <= b.simulations for a, b in zip(seen, seen[1:]))
    # It goes on until somebody leaves.
    for report in pp.reports("go:9x9", "mcts", every=0.05):
        assert report.moves
        break
    # The last report is there also if no other was due.
    assert [report.ended for report in pp.reports("tictactoe", "alphabeta")] == ["solved"]


def test_progress() -> None:
    seen: list[pp.Solution] = []
    pp.solve("connect4", time=1.0, progress=seen.append)
    assert seen and all(report.ended is None for report in seen)
    with pytest.raises(ZeroDivisionError):
        pp.solve("connect4", time=60.0, progress=lambda report: 1 / 0)


@pytest.mark.parametrize("has_tqdm", [True, False])
def test_progress_is_shown(has_tqdm: bool, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    if has_tqdm:
        pytest.importorskip("tqdm")
    else:
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    pp.solve("connect4", time=1.0, progress=True)
    shown = capfd.readouterr().err
    assert "nodes" in shown and "value in [-1, 1]" in shown


@pytest.mark.parametrize("rules", ["'go:9x9'", "Nim((9, 9, 9))"])
@pytest.mark.parametrize("left", ["r = pp.reports({0}, 'mcts', every=0.1); next(r)", "w = pp.Search({0}, 'pns')._core.start('value')",
                                  "pp.Search({0}, 'minimax')._core.start('value')"])  # fmt: skip
def test_python_ends_while_a_search_runs(rules: str, left: str) -> None:
    script = "import proofplay as pp; from own_games import Nim; " + left.format(rules)
    found = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parent, timeout=60, capture_output=True)
    assert found.returncode == 0, found.stderr


def _interrupted(call: object) -> pp.Interrupted:
    timer = threading.Timer(0.5, interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt) as raised:
        call()  # type: ignore[operator]
    assert isinstance(raised.value, pp.Interrupted)
    return raised.value


def test_ctrl_c_keeps_what_is_known() -> None:
    search = pp.Search("connect4", "pns")
    result = _interrupted(search.solve).result
    assert isinstance(result, pp.Solution) and result.ended == "limit" and result.nodes > 0
    # The search goes on from there.
    assert search.solve(nodes=1000).nodes > 0
    analysis = _interrupted(lambda: pp.analyze("go:9x9", "mcts", time=60)).result
    assert isinstance(analysis, pp.Analysis) and analysis.simulations > 0
    assert _interrupted(lambda: list(pp.reports("go:9x9", "mcts", time=60))).result.simulations > 0
    result = _interrupted(lambda: pp.match("mcts", "mcts", "connect4:4x4", simulations=20, games=100000)).result
    assert isinstance(result, pp.MatchResult) and len(result.games) > 0


def test_the_lock_of_python_is_free_while_a_search_runs() -> None:
    counted = 0
    over = threading.Event()

    def count() -> None:
        nonlocal counted
        while not over.is_set():
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    pp.solve("connect4", "alphabeta", time=0.5)
    during = counted - before
    over.set()
    thread.join()
    # Somebody who holds the lock gives it up every 5 ms: a search that never did would leave no more than a few rounds.
    assert during > 10_000


def test_searches_on_many_threads() -> None:
    results: list[object] = []

    def run(name: str) -> None:
        results.append(pp.solve(name, "alphabeta").score)

    threads = [threading.Thread(target=run, args=("domineering:5x5",)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [-1] * 4
    assert pp.solve("domineering:5x5", "alphabeta", threads=3).score == -1


def test_a_search_is_used_by_one_at_a_time() -> None:
    search = pp.Search("connect4", "pns")
    running = search._core.start("value", time=30)
    with pytest.raises(pp.Error, match="is running"):
        search.solve()
    running.stop()
    running.finish()
    assert search.solve(nodes=100).ended == "limit"


def test_players_keep_their_tree() -> None:
    player = pp.Player("mcts", simulations=500, seed=3)
    at = pp.game("connect4").start()
    visits = []
    while not at.is_over and len(visits) < 6:
        thought = player.analyze(at)
        visits.append(sum(move.visits for move in thought.moves))
        at = at.play(player(at))
    assert max(visits[1:]) > 500, "what was known of the position is still known"
    assert player(pp.game("tictactoe").start().play("a1 a2 b1 b2")) == "c1", "another game"
    won = pp.game("tictactoe").start().play("a1 a2 b1 b2 c1")
    with pytest.raises(pp.Error, match="over"):
        player(won)
    with pytest.raises(pp.Error):
        pp.Player("alphabetta")


def test_the_tree_is_seen() -> None:
    search = pp.Search("connect4", "mcts", solve=False, simulations=300)
    search.analyze(simulations=300)
    assert len(search.children()) == 7 and sum(child["visits"] for child in search.children()) >= 290
    assert len(search.children("4")) == 7 and search.children("9") == []
