"""Matches, their statistics, stores and tables."""

from pathlib import Path

import pytest
from own_games import Nim

import proofplay as pp


def test_a_match_of_searches(tmp_path: Path) -> None:
    store = str(tmp_path / "games.db")
    seen: list[int] = []
    result = pp.match(
        "mcts", "mcts:playouts=5", "connect4:5x4", games=8, simulations=200, store=store,
        progress=lambda so_far: seen.append(so_far.wins + so_far.draws + so_far.losses),
    )  # fmt: skip
    assert result.wins + result.draws + result.losses == 8 == len(result.games)
    points = result.wins + result.draws / 2
    assert result.score == points / 8 and result.interval is not None
    assert result.interval[0] <= result.score <= result.interval[1]
    assert seen == sorted(seen) and seen[-1] == 8
    # Every game is legal and has the score that its moves have.
    for row in result.games:
        end = pp.game("connect4:5x4").start().play(row["moves"])
        assert end.is_over and end.outcome == row["score"]
    # Each opening with both sides.
    assert [row["a_moves"] for row in result.games] == ["first", "second"] * 4
    # The store has them, and the same call plays none again.
    again = pp.match("mcts", "mcts:playouts=5", "connect4:5x4", games=8, simulations=200, store=store)
    assert again == result
    experiments = pp.experiments(store)
    assert len(experiments) == 1 and experiments[0]["trials"] == 8
    assert pp.trials(store, experiments[0]["experiment"]).rows == result.games.rows
    with pytest.raises(pp.Error, match="no such file"):
        pp.experiments(str(tmp_path / "none.db"))
    with pytest.raises(pp.Error, match="no experiment 9"):
        pp.trials(store, 9)


def test_functions_play() -> None:
    first = lambda at: at.legal_moves[0]  # noqa: E731
    result = pp.match(first, "mcts", "tictactoe", games=6, simulations=300)
    wins = sum(row["half_points"] == 2 for row in result.games)
    assert (result.wins, len(result.games)) == (wins, 6)
    for row in result.games:
        score = pp.game("tictactoe").start().play(row["moves"]).outcome
        own = score if row["a_moves"] == "first" else -score
        assert row["half_points"] == own + 1


def test_own_games_and_own_players() -> None:
    def perfect(at: pp.Position) -> str:
        return pp.solve(at).best_move or at.legal_moves[0]

    random = pp.Random(1)

    def anyhow(at: pp.Position) -> str:
        return at.legal_moves[random.below(len(at.legal_moves))]

    result = pp.match(perfect, anyhow, Nim((2, 3, 4)), games=20, openings="random:1")
    assert result.wins > result.losses and (result.a, result.b) == ("perfect", "anyhow")


def test_who_makes_an_illegal_move_has_lost() -> None:
    result = pp.match(lambda at: "z9", "mcts", "tictactoe", games=2, simulations=10, openings="")
    assert result.losses == 2 and "illegal" in result.games[0]["lost_by"]


def test_openings() -> None:
    result = pp.match(lambda at: at.legal_moves[0], "mcts", "tictactoe", games=4, simulations=10, openings="a1 b1; c3")
    assert [row["moves"].startswith("a1 b1") for row in result.games] == [True, True, False, False]
    with pytest.raises(pp.Error, match="expected at least 1"):
        pp.match("mcts", "mcts", "tictactoe", games=0)
    with pytest.raises(pp.Error, match="needs a limit"):
        pp.match("mcts", "mcts", "tictactoe", games=2)
    with pytest.raises(pp.Error, match="are kept"):
        pp.match("mcts", lambda at: "a1", "tictactoe", games=2, store="x.db")


def test_tables(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    result = pp.match("mcts", "mcts:c=2", "tictactoe", games=4, simulations=50)
    frame = result.to_pandas()
    assert list(frame["number"]) == [0, 1, 2, 3] and "a_simulations" in frame.columns
    result.games.to_parquet(tmp_path / "games.parquet")
    pandas.testing.assert_frame_equal(pandas.read_parquet(tmp_path / "games.parquet"), frame, check_dtype=False)
    assert isinstance(pp.games().to_arrow(), pyarrow.Table) and len(pp.games().to_pandas()) == len(pp.games())
    assert "alphabeta" in [row["name"] for row in pp.searches()]
    assert "Moves" in pp.rules("connect4")
