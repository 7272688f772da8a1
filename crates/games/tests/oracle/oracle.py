#!/usr/bin/env python3
"""Slow, naive reference implementation of the small games, to test the fast one.

Written from the rules alone, with nothing shared with the tested code: boards
are dicts from (column, row) to a letter, groups are flood fills, every move
makes a copy. Python 3.11, standard library only.

    python3 oracle.py perft "connect4:7x6" 6 [--moves "4 4"]
    python3 oracle.py value "seki:3,4" [--moves "o1 s1"]
    python3 oracle.py position "nogo:4x3" [--moves "a1"]
    python3 oracle.py write [GAME ...]     regenerates ../perft, ../values, ../positions

`write` always makes the same files (fixed seeds) and takes some minutes.
Where moves are expected, `position TEXT` stands for a position without history.

    rules/          the games, one file each
    solve.py        perft and exact values
    boards.py       which boards and lines the data files hold
    data_files.py   how these are made
"""

import argparse

from boards import PERFT
from data_files import HERE, write_all
from rules import state_after
from rules.board import RepeatingGame
from solve import endless_values, perft, value


def main():
    parser = argparse.ArgumentParser(description="slow reference for the small games")
    commands = parser.add_subparsers(dest="command", required=True)
    for command in ["perft", "value", "position"]:
        sub = commands.add_parser(command)
        sub.add_argument("game")
        if command == "perft":
            sub.add_argument("depth", type=int)
        sub.add_argument("--moves", default="")
    sub = commands.add_parser("write")
    sub.add_argument("games", nargs="*", help="only these games; all of them if none is named")
    arguments = parser.parse_args()
    if arguments.command == "write":
        write_all(arguments.games or list(PERFT))
        return
    state = state_after(arguments.game, arguments.moves)
    if arguments.command == "perft":
        print(perft(state, arguments.depth))
    elif arguments.command == "value":
        repeats = isinstance(state, RepeatingGame)
        print(endless_values(state)[0][state.key()] if repeats else value(state))
    else:
        print(state.text())


if __name__ == "__main__":
    main()
