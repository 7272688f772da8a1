"""Makes the data files: perft, values and positions of each game."""

import pathlib
import random
import sys
import time

from boards import ENDINGS, LONGEST, MIDDLE, NOTES, PERFT, SPECIAL, VALUES
from rules import new_game, state_after
from solve import TooBig, endless_values, outcome, perft, value

HERE = pathlib.Path(__file__).resolve().parent


def random_game(game, rng):
    """The moves of a random game, played to its end."""
    state = new_game(game)
    moves = []
    while choices := state.moves():
        moves.append(rng.choice(choices))
        state = state.play(moves[-1])
    return moves


def finished_games(state):
    moves = state.moves()
    return sum(finished_games(state.play(move)) for move in moves) if moves else 1


def perft_lines(name, cap):
    """Every depth while the count surely stays below the cap, then random lines."""
    for game in PERFT[name]:
        state = new_game(game)
        width = len(state.moves())
        depth, count = 1, width
        yield game, "", depth, count
        while 0 < count and count * width <= cap and depth < 8:
            depth += 1
            count = perft(state, depth)
            yield game, "", depth, count
        if game == "connect4:7x6":
            count = perft(state, 7)
            assert (depth, count) == (6, 823536)
            yield game, "", 7, count
        if game == "amazons:10x10":
            assert count == 2176
            count = perft(state, 2)
            assert count == 4307152
            yield game, "", 2, count
        if game == "breakthrough:8x8":
            assert (width, perft(state, 2)) == (22, 484)
        if game == "checkers":
            counts = [perft(state, d) for d in range(1, 8)]
            assert counts == [7, 49, 302, 1469, 7361, 36768, 179740]
    for special in SPECIAL.get(name, []):
        game, _, line = special.rpartition("|")
        if line.startswith("position ") and state_after(game, line).moves():
            for depth in (1, 2, 3):
                yield game, line, depth, perft(state_after(game, line), depth)
    if name == "tictactoe":
        yield "tictactoe", "", 9, perft(new_game(name), 9)
        assert finished_games(new_game(name)) == 255168
    rng = random.Random("perft " + name)
    lines = set()
    tries = 0
    while len(lines) < 30:
        game = MIDDLE[name][tries % len(MIDDLE[name])]
        tries += 1
        moves = random_game(game, rng)
        line = " ".join(moves[: rng.randrange(min(len(moves), LONGEST.get(name, len(moves))))])
        if not line or (game, line) in lines:
            continue
        lines.add((game, line))
        state = state_after(game, line)
        depth = rng.randint(1, 4)
        while depth > 1 and len(state.moves()) ** depth > cap:
            depth -= 1
        yield game, line, depth, perft(state, depth)


def value_lines(name):
    """Start positions, then random games taken back as far as can be solved."""
    table = {}
    for game in VALUES[name]:
        table[game] = value(new_game(game))
        yield game, "", table[game]
    if name == "seki":
        rows = ["".join("LDW"[table["seki:%d,%d" % (a, b)] + 1] for a in range(1, 7)) for b in range(1, 7)]
        assert "/".join(rows) == "DWWWWW/DDWWWW/LDDWWW/LLDDWW/LLLDDW/LLLLDD", rows
    rng = random.Random("values " + name)
    lines = set()
    tries = 0
    limit = {"pentalath": 600, "go": 300}.get(name, 3000)
    while len(lines) < 36:
        game = MIDDLE[name][tries % len(MIDDLE[name])]
        tries += 1
        moves = random_game(game, rng)
        back = min(len(moves) - 1, rng.randint(1, 12))
        while back > 0:
            line = " ".join(moves[: len(moves) - back])
            try:
                score = value(state_after(game, line), limit)
            except (TooBig, RecursionError):
                back -= 1
                continue
            if (game, line) not in lines:
                lines.add((game, line))
                yield game, line, score
            break


def ending_lines(name):
    """Some positions of every value out of all that can follow from an ending."""
    rng = random.Random("endings " + name)
    for ending in ENDINGS[name]:
        game, _, line = ending.partition("|")
        state = state_after(game, line)
        values, over = endless_values(state)
        yield game, line, values[state.key()]
        for score in (1, 0, -1):
            keys = sorted(key for key in values if values[key] == score and key not in over)
            for key in sorted(rng.sample(keys, min(8, len(keys)))):
                yield game, "position " + key, score


def position_lines(name):
    rng = random.Random("positions " + name)
    lines = [(game, "") for game in MIDDLE[name]]
    for special in SPECIAL.get(name, []):
        game, _, line = special.rpartition("|")
        lines.append((game or name, line))
    for i in range(36):
        game = MIDDLE[name][i % len(MIDDLE[name])]
        moves = random_game(game, rng)
        # Every third line is a finished game, the others stop on the way.
        length = len(moves) if i % 3 == 2 else rng.randrange(min(len(moves), LONGEST.get(name, len(moves))))
        lines.append((game, " ".join(moves[:length])))
    for game, line in lines:
        state = state_after(game, line)
        yield game, line, state.text(), " ".join(sorted(state.moves())), outcome(state)


def write_file(folder, name, header, lines):
    started = time.time()
    path = HERE.parent / folder / (name + ".txt")
    path.parent.mkdir(exist_ok=True)
    rows = [" | ".join(str(field) for field in line) for line in lines]
    comments = ["# Source: oracle/oracle.py, an independent slow implementation of the rules.", "# " + header]
    if folder == "perft" and name in NOTES:
        comments.append("# " + NOTES[name])
    path.write_text("\n".join(comments + rows) + "\n")
    print("%-9s %-11s %4d lines %6.1f s" % (folder, name, len(rows), time.time() - started), file=sys.stderr)


def write_all(names):
    for name in names:
        cap = {"tictactoe": 10_000_000, "nogo": 100_000, "pentalath": 30_000, "go": 20_000, "loa": 100_000, "cannon": 20_000,
               "chinese-checkers": 20_000}.get(name, 300_000)
        write_file("perft", name, "GAME | MOVES | DEPTH | COUNT", perft_lines(name, cap))
        lines = ending_lines(name) if name in ENDINGS else value_lines(name)
        write_file("values", name, "GAME | MOVES | SCORE in First's view", lines)
        write_file("positions", name, "GAME | MOVES | POSITION TEXT | LEGAL MOVES | OUTCOME", position_lines(name))
