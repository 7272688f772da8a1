"""OpenSpiel from both sides."""

import pickle

import pytest

pyspiel = pytest.importorskip("pyspiel")

import proofplay as pp  # noqa: E402
from proofplay import openspiel  # noqa: E402


@pytest.mark.parametrize("algorithm", ["alphabeta", "pns", "dfpn", "mcts"])
def test_its_games_are_solved_and_certified(algorithm: str) -> None:
    game = openspiel.game("tic_tac_toe")
    if algorithm == "mcts":
        assert pp.analyze(game, "mcts", simulations=200).simulations == 200
        return
    if algorithm == "pns":
        at = game.start().play("x(1,1) o(0,0)")
        assert pp.solve(at, algorithm).bounds == pp.solve(at, "alphabeta").bounds
        return
    solution = pp.solve(game, algorithm)
    assert solution.score == 0
    assert pp.verify(solution.certificate(), game=openspiel.game("tic_tac_toe")).score == 0


@pytest.mark.parametrize("merge", [True, False])
def test_merged_states_and_lines_have_the_same_values(merge: bool) -> None:
    game = openspiel.game("connect_four(rows=4,columns=4)", merge=merge)
    at = game.start()
    for _ in range(8):
        at = at.play(at.legal_moves[len(at.legal_moves) // 2])
    ours = pp.game("connect4:4x4").start()
    for move in at.moves:
        ours = ours.play(int(move[-1]) + 1)
    assert pp.solve(at).bounds == pp.solve(ours).bounds
    assert pickle.loads(pickle.dumps(at)) == at


def test_points_and_other_games() -> None:
    checked = 0
    for name in ["y(board_size=3)", "hex(board_size=3)", "breakthrough(rows=4,columns=3)", "oware", "mancala", "othello"]:
        game = openspiel.game(name)
        pp.check(game, games=1)
        analysis = pp.analyze(game, "mcts", simulations=30)
        assert analysis.best_move in game.start().legal_moves
        checked += 1
    assert checked == 6
    assert pp.solve(openspiel.game("hex(board_size=3)")).score == 1


@pytest.mark.parametrize("name, what", [("kuhn_poker", "without chance"), ("matrix_pd", "one player to move"),
                                        ("backgammon", "without chance")])  # fmt: skip
def test_other_kinds_of_games_are_refused(name: str, what: str) -> None:
    with pytest.raises(pp.Error, match="expected a game"):
        openspiel.game(name)


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "breakthrough:5x5", "amazons:5x5", "go:4x4"])
def test_ours_are_states_like_its_own(name: str) -> None:
    state = openspiel.state(name)
    random = pp.Random(4)
    seen = 0
    while not state.is_terminal() and seen < 60:
        legal = state.legal_actions()
        assert legal == sorted(legal) and state.legal_actions(1 - state.current_player()) == []
        assert sum(state.legal_actions_mask()) == len(legal)
        action = legal[random.below(len(legal))]
        text = state.action_to_string(state.current_player(), action)
        assert state.string_to_action(text) == action and text in state.position.legal_moves
        child = state.child(action)
        state.apply_action(action)
        assert str(child) == str(state) and child.history() == state.history()
        seen += 1
    assert sum(state.returns()) == 0 and len(state.history()) == seen
    assert state.is_terminal() == (state.current_player() == -4)
    with pytest.raises(pp.Error, match="not legal"):
        openspiel.state(name).apply_action(-1)


def test_both_play_the_same_game() -> None:
    """Random games of Connect Four in step."""
    theirs, ours = pyspiel.load_game("connect_four"), openspiel.state("connect4")
    for seed in range(20):
        one, other, random = theirs.new_initial_state(), ours.clone(), pp.Random(seed)
        while not one.is_terminal():
            columns = one.legal_actions()
            assert [int(other.action_to_string(0, action)) - 1 for action in other.legal_actions()] == columns
            chosen = random.below(len(columns))
            one.apply_action(columns[chosen])
            other.apply_action(other.legal_actions()[chosen])
        assert other.is_terminal() and other.returns() == one.returns()
