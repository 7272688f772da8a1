"""The rules, one file a game.

Every game state has
    turn     0 = First to move, 1 = second player
    moves()  list of legal move texts; empty exactly when the game is over
    play(m)  the state after the move
    score()  +1, 0, -1 or points in First's view; only for a finished game
    text()   position text
    key()    everything the future depends on
    draws    False if no game can be drawn (only to save time)
    range    the lowest and the highest score of the game, if not -1 and +1
"""

import re

from .amazons import Amazons
from .breakthrough import Breakthrough
from .cannon import Cannon
from .checkers import Checkers
from .chinese_checkers import ChineseCheckers
from .domineering import Domineering
from .go import Go
from .loa import Loa
from .mnk import Connect4, Mnk
from .nogo import Nogo
from .pentalath import Pentalath
from .seki import Seki
from .written import Written
from .y import Y


def new_game(game):
    """The start state of a game given as text."""

    def numbers(pattern):
        match = re.fullmatch(pattern, parameters)
        if not match:
            raise ValueError("cannot read game " + game)
        return [int(g) if g is not None else None for g in match.groups()]

    name, _, parameters = game.partition(":")
    if name == "tictactoe":
        return Mnk(3, 3, 3)
    if name == "mnk":
        return Mnk(*numbers(r"(\d+)x(\d+)k(\d+)"))
    if name == "connect4":
        parameters = parameters or "7x6"
        columns, rows, k = numbers(r"(\d+)x(\d+)(?:k(\d+))?")
        return Connect4(columns, rows, 4 if k is None else k)
    if name == "domineering":
        letters = "hv" if parameters.endswith(",first=H") else "vh"
        return Domineering(*numbers(r"(\d+)x(\d+)(?:,first=H)?"), letters)
    if name == "nogo":
        return Nogo(*numbers(r"(\d+)x(\d+)"))
    if name == "y":
        return Y(*numbers(r"(\d+)"))
    if name == "seki":
        a, b, s = numbers(r"(\d+),(\d+)(?:,(\d+))?")
        return Seki(a, b, 2 if s is None else s)
    if name == "amazons":
        return Amazons(*(numbers(r"(\d+)x(\d+)") if parameters else [10, 10]))
    if name == "breakthrough":
        columns, rows, full = numbers(r"(\d+)x(\d+)(?:,rows=(\d+))?") if parameters else [8, 8, 2]
        return Breakthrough(columns, rows, 2 if full is None else full)
    if name == "pentalath":
        swap = parameters.endswith(",swap=yes")
        size, k = numbers(r"(\d+)(?:,k=(\d+))?(?:,swap=yes)?") if parameters else [5, 5]
        return Pentalath(size, 5 if k is None else k, swap)
    if name == "go" and parameters.startswith("seki="):
        a, b = numbers(r"seki=(\d+),(\d+)")
        return Go(max(3, a, b), 9, race=(a, b))
    if name == "go":
        size, *options = (parameters or "9x9").split(",")
        columns, rows = size.split("x")
        options = dict(option.split("=") for option in options)
        return Go(int(columns), int(rows), float(options.get("komi", 0)), options.get("suicide") == "yes")
    if name == "loa":
        parameters = parameters or "8x8"
        columns, rows = numbers(r"(\d+)x(\d+)")
        assert columns == rows
        return Loa(columns)
    if name == "checkers":
        limited = not parameters.endswith("draw=none")
        parameters = re.sub(r",?draw=(25|none)", "", parameters) or "8x8"
        columns, height, rows = numbers(r"(\d+)x(\d+)(?:,rows=(\d+))?")
        assert columns == height
        # Small boards keep two empty rows unless told otherwise.
        return Checkers(columns, min(3, (columns - 2) // 2) if rows is None else rows, limited)
    if name == "cannon":
        options = dict(option.split("=") for option in parameters.split(",") if option)
        return Cannon(*[options.get(option) == "yes" for option in ("corners", "overshoot", "mate")])
    if name == "chinese-checkers":
        return ChineseCheckers(*(numbers(r"(\d+)") if parameters else [3]))
    if name == "written":
        return Written(parameters)
    raise ValueError("unknown game " + game)


def state_after(game, moves):
    return played(new_game(game), moves)


def played(state, moves):
    """The state after moves."""
    if moves.startswith("position "):
        return state.load(moves.removeprefix("position "))
    for move in moves.split():
        if move not in state.moves():
            raise ValueError("illegal move " + move)
        state = state.play(move)
    return state
