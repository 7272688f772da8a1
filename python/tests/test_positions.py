"""Games and positions: the same truths as the tests of the crates."""

import copy
import gc
import json
import pickle
import resource
import xml.etree.ElementTree as ElementTree

import pytest

import proofplay as pp


@pytest.mark.parametrize(
    "name, depth, count",
    [
        # Counted by others: 7^6 minus the lines that end, 8x8 breakthrough from its author's page, 3x3 by hand.
        ("connect4:7x6", 6, 117649),
        ("tictactoe", 9, 127872),
        ("tictactoe", 5, 15120),
        ("breakthrough:8x8", 3, 11132),
        ("domineering:4x4", 1, 12),
    ],
)
def test_perft(name: str, depth: int, count: int) -> None:
    assert pp.game(name).start().perft(depth) == count


def test_perft_is_what_python_counts() -> None:
    def count(at: pp.Position, depth: int) -> int:
        return 1 if depth == 0 else sum(count(at.play(move), depth - 1) for move in at.legal_moves)

    for name in ("tictactoe", "nogo:3x3", "y:3", "loa:5x5", "go:3x3", "seki:2,3"):
        start = pp.game(name).start()
        assert start.perft(3) == count(start, 3) == start.perft(3, threads=2), name
        assert sum(dict(start.divide(3)).values()) == start.perft(3)


def test_a_position_never_changes() -> None:
    start = pp.game("tictactoe").start()
    before = start.text
    after = start.play("b2")
    assert (start.text, start.moves) == (before, [])
    assert after.moves == ["b2"] and after.to_move == "second" and after.side == "O"
    assert start.play("b2 a1 c3").text == start.play("b2").play("a1").play("c3").text


def test_equal_positions_by_other_moves() -> None:
    start = pp.game("tictactoe").start()
    one, other = start.play("a1 b1 c3"), start.play("c3 b1 a1")
    assert one == other and hash(one) == hash(other) and one.key == other.key
    assert one != start and one != "a1" and len({one, other, start}) == 2
    assert pp.game("mnk:3x3k3").start() != pp.game("connect4:3x3k3").start()
    assert pp.game("tictactoe").position(one.text) == one


def test_ends() -> None:
    won = pp.game("tictactoe").start().play("a1 a2 b1 b2 c1")
    assert won.is_over and won.outcome == 1 and won.winner == "first" and won.to_move is None and won.legal_moves == []
    halves = pp.game("go:2x2,komi=1.5").start().play("pass pass")
    assert halves.outcome == -1.5 and halves.winner == "second"
    draw = pp.game("mnk:2x2k3").start().play("a1 b1 a2 b2")
    assert draw.outcome == 0 and draw.winner == "draw"


def test_pickle_keeps_the_history() -> None:
    # By superko White may not take back at once: the history decides.
    ko = pp.game("go:4x4").start().play("b1 c1 a2 d2 b3 c3 c2 b2")
    again = pickle.loads(pickle.dumps(ko))
    assert again == ko and again.moves == ko.moves and again.legal_moves == ko.legal_moves
    assert "c2" not in again.legal_moves
    assert "c2" in pp.game("go:4x4").position(ko.text).legal_moves
    read = pp.game("tictactoe").position("x../.o./... x").play("c1")
    assert pickle.loads(pickle.dumps(read)).begins_at == read.begins_at and copy.deepcopy(read) == read
    assert pickle.loads(pickle.dumps(pp.game("y:3"))) == pp.game("y:3")


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda: pp.game("conect4"), "did you mean `connect4`?"),
        (lambda: pp.game("connect4:0x4"), "it is written"),
        (lambda: pp.game("tictactoe").start().play("z9"), "legal: a1 a2"),
        (lambda: pp.game("tictactoe").start().play("a1 a1"), "ply 2"),
        (lambda: pp.game("tictactoe").position("xx"), "position"),
        (lambda: pp.game("tictactoe").start().perft(0), "expected at least 1"),
        (lambda: pp.game("tictactoe").start().observation("none"), "board"),
    ],
)
def test_errors_say_what_is_allowed(call: object, says: str) -> None:
    with pytest.raises(pp.Error, match=None) as error:
        call()  # type: ignore[operator]
    assert says in str(error.value)


def test_random_games_follow_from_their_seed() -> None:
    start = pp.game("connect4").start()
    ends = [start.playout(pp.Random(seed)) for seed in (1, 1, 2)]
    assert ends[0].moves == ends[1].moves != ends[2].moves and all(end.is_over for end in ends)
    assert start.play(" ".join(ends[0].moves)) == ends[0]
    random = pp.Random(3)
    total, plies = start.playouts(1000, random)
    assert -1000 < total < 1000 and 7000 < plies < 42000
    at = start
    while not at.is_over:
        at = at.play_random(random)
    with pytest.raises(pp.Error):
        at.play_random(random)


def test_pictures() -> None:
    for row in pp.games():
        at = pp.game(row["example"]).start()
        picture = ElementTree.fromstring(at._repr_svg_())
        cells = json.loads(at._view())["cells"]
        assert len(picture.findall("{*}rect")) == len(cells)
        assert len(picture.findall("{*}circle")) == sum(cell["owner"] is not None for cell in cells)
        assert str(at).strip() and at.game.name in repr(at)
    assert str(pp.game("tictactoe").start().play("b2")) == "3  . . .\n2  . X .\n1  . . .\n   a b c"


def test_observations() -> None:
    numpy = pytest.importorskip("numpy")
    start = pp.game("connect4").start()
    planes, rows, columns, others, outputs = start.game.observation_shape()
    empty, after = start.observation(), start.play("4").observation()
    assert empty.shape == (planes, rows, columns) and empty.dtype == numpy.float32
    assert (rows, columns, others) == (6, 7, 0) and outputs >= 7
    # The board is one plane of ones, a stone is one cell, and the mover's plane is the last one.
    assert empty[0].sum() == 42 and after[:-1].sum() == empty[:-1].sum() + 1
    assert empty[-1].all() and not after[-1].any()
    assert len(start.policy_outputs()) == 7
    # Everybody has an array of their own.
    empty[:] = 5
    assert start.observation()[0].sum() == 42


def test_a_hundred_thousand_positions_leave_nothing_behind() -> None:
    start = pp.game("connect4").start()
    nim = pp.game(_nim()).start()

    def make(count: int) -> None:
        random = pp.Random(1)
        for _ in range(count):
            start.playout(random).text
            nim.play("0-1").legal_moves

    make(2_000)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    make(100_000)
    gc.collect()
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Kibibytes: a leak of one pointer for each would be 800.
    assert after - before < 512


def test_long_lines_are_dropped_without_deep_recursion() -> None:
    class Walk:
        def __init__(self, steps: int = 0) -> None:
            self.steps = steps

        def to_move(self) -> int:
            return 0

        def outcome(self) -> None:
            return None

        def moves(self) -> list[str]:
            return ["on"]

        def play(self, move: str) -> "Walk":
            return Walk(self.steps + 1)

        def key(self) -> int:
            return self.steps

    at = pp.game(Walk).start()
    for _ in range(100_000):
        at = at.play("on")
    assert len(at.moves) == 100_000
    # A stack of 8 MiB has 80 bytes for each.
    del at
    gc.collect()


def _nim() -> type:
    from own_games import Nim

    return Nim
