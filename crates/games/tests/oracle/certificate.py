#!/usr/bin/env python3
"""A second verifier, and a second writer, of certificates.

Written from docs/CERTIFICATES.md and the slow rules in oracle.py, with nothing
shared with the program. Python 3.11, standard library only. For a game from a rule sheet say which
sheet it is; the rules in it are all that counts, the digest in the file is not computed again.

    python3 certificate.py verify [--sheet SHEET] FILE ...
    python3 certificate.py write FILE GAME [--moves "4 4"] [--ends counted | --plies | --ranks]
    python3 certificate.py samples         regenerates ../certificates
"""

import argparse
import pathlib
import re
import struct
import sys
import zlib

import oracle
from rules import Pentalath, played
from rules.board import RepeatingGame
from rules.gdl import Sheet

KEYS = ["game", "from", "moves", "position", "walk", "at-least", "at-most"]
# The line that versions 2 and 3 have besides.
MORE_KEYS = {1: [], 2: ["ends"], 3: ["within"], 4: []}
# Small, and of every kind of game.
SAMPLES = {
    "tictactoe": ("tictactoe", ""),
    "mnk": ("mnk:4x3k3", "a1 b2"),
    "connect4": ("connect4:4x4", "2 2 2"),
    "domineering": ("domineering:4x4", ""),
    "nogo": ("nogo:3x3", ""),
    "y": ("y:3", "a1"),
    "seki": ("seki:2,2,1", "o1"),
    "written": ("written:((+ -) 2(3 (-2 =)) 1((- =) 5))", ""),
    "go": ("go:2x1,komi=0.5", ""),
    "breakthrough": ("breakthrough:3x4,rows=1", ""),
    "amazons": ("amazons:4x4", "b1-b2/b1"),
    "pentalath": ("pentalath:2,k=3", "b2 a1"),
    "finished": ("tictactoe", "a1 b1 a2 b2 a3"),
}
# These end where the count of Domineering decides.
COUNTED_SAMPLES = {
    "domineering-counted": ("domineering:4x4", ""),
    "domineering-counted-h": ("domineering:5x4,first=H", "b2-c2"),
}
# These count plies.
PLIES_SAMPLES = {
    "mnk-plies": ("mnk:4x3k3", "a1 b2"),
    "breakthrough-plies": ("breakthrough:3x4,rows=1", ""),
    "domineering-plies": ("domineering:4x4", ""),
    "written-plies": ("written:((3 (3 -1)) 2(3 (3 5)) 1((- =) 3))", ""),
    "finished-plies": ("tictactoe", "a1 b1 a2 b2 a3"),
}
# These leave histories aside.
RANKS_SAMPLES = {
    "pentalath-ranks": ("pentalath:2,k=3", ""),
    "chinese-checkers-ranks": ("chinese-checkers:1", ""),
    "checkers-ranks": ("checkers:4x4,draw=none", ""),
    "checkers-counter-ranks": ("checkers:4x4", ""),
}
# What files add to the name of a game whose notation has changed.
DIGESTS = {"go": "#0000000000000002"}


class Refused(Exception):
    pass


def demand(condition, why):
    if not condition:
        raise Refused(why)


def plain_number(text):
    """A number as it is written here: no sign, no zeros before it."""
    demand(text.isascii() and text.isdigit() and text == str(int(text)), "number " + text)
    return int(text)


def score_text(score):
    return "%+d" % score if score else "0"


def plain_score(text):
    score = plain_number(text.lstrip("+-"))
    score = -score if text.startswith("-") else score
    demand(text == score_text(score), "score " + text)
    return score


def is_end(state):
    return not state.moves()


def digest(game):
    if game.startswith("gdl:"):
        found = re.search(r"#[0-9a-f]{16}$", game)
        demand(found, "no digest of the rules")
        return found[0]
    return DIGESTS.get(game.partition(":")[0], "")


def repeats(game):
    return game.partition(":")[0] in ("pentalath", "go", "loa", "checkers", "cannon", "chinese-checkers")


def state_after(game, moves, sheet=None):
    """The state after a line of play."""
    if not game.startswith("gdl:"):
        return oracle.state_after(game, moves)
    demand(sheet, "name the rule sheet: --sheet FILE")
    return played(sheet.start(), moves)


def score_range(state):
    """The lowest and the highest score of a game."""
    return getattr(state, "range", (-1, 1))


def fitting(cells, step):
    """The cells of as many dominoes as fit, every run filled from its first cell on."""
    taken = set()
    for cell in sorted(cells):
        second = (cell[0] + step[0], cell[1] + step[1])
        if cell not in taken and second in cells:
            taken |= {cell, second}
    return taken


def counted(state, owner):
    """Whether `owner` wins Domineering by the count."""
    along, across = ((0, 1), (1, 0)) if state.letters[owner] == "v" else ((1, 0), (0, 1))
    shift = lambda cell, by, times: (cell[0] + times * by[0], cell[1] + times * by[1])
    near = lambda cell, by, cells: shift(cell, by, 1) in cells or shift(cell, by, -1) in cells
    free = {cell for cell in state.cells if cell not in state.board}
    usable = {cell for cell in free if near(cell, across, free)}
    safe = fitting(free - usable, along)
    open_cells = fitting(free - safe, along)
    line = lambda cell: cell[0] if along == (0, 1) else cell[1]
    # An open domino as the pair of its cells; `fitting` fills runs from their first cells on.
    dominoes, rest = [], set(open_cells)
    for cell in sorted(open_cells):
        if cell in rest:
            dominoes.append((cell, shift(cell, along, 1)))
            rest -= set(dominoes[-1])
    touching = [line(a) % 2 for a, b in dominoes if near(a, across, open_cells) or near(b, across, open_cells)]
    pairs = min(touching.count(0), touching.count(1))
    to_move = state.turn == owner
    turns = len(dominoes) - (pairs if to_move else pairs + 1) // 2
    placed = (turns + 1 if to_move else turns) // 2
    halves = sum(1 for a, b in dominoes if a not in usable or b not in usable)
    left = (len(usable) - 2 * placed + min(halves, placed)) // 2
    theirs = min(len(fitting(free, across)) // 2, left)
    lead = len(safe) // 2 + placed - theirs
    return lead > 0 if to_move else lead >= 0


def ends_by_count(state, owner, good):
    """Whether a line ends here, or by a move of the owner at once."""
    decided = lambda state: good(state.score(), 0) if is_end(state) else counted(state, owner)
    return decided(state) or state.turn == owner and any(decided(state.play(m)) for m in state.moves())


def goodness(owner, score, within):
    """Whether an end is good for the owner: by its score and, if plies count, by their number."""

    def good(end, plies):
        sign = 1 if owner == 0 else -1
        if within is None or end != score:
            return sign * end >= sign * score
        return plies <= within if sign * score > 0 else plies >= within

    return good


def longest_enough(owner, score, within, bounds):
    """Whether nothing is left to show at a position that is not the end, after so many plies."""
    loses_most = within is not None and score == bounds[owner]
    return lambda plies: loses_most and plies + 1 >= within


def walk(state, owner, good, late, choose, merge, line, seen, by_count, by_plies):
    """Depth first; `choose` names the owner's move. Returns the number of positions."""
    if is_end(state):
        demand(good(state.score(), len(line)), "score %d after %s" % (state.score(), line))
        return 0
    if late(len(line)):
        return 0
    # The count shows a win, which no claim of the owner exceeds.
    if by_count and ends_by_count(state, owner, good):
        return 0
    if merge:
        here = (state.key(), len(line) if by_plies else 0)
        if here in seen:
            demand(seen[here], "a position comes again after %s" % line)
            return 0
        # Until everything below it is walked.
        seen[here] = False
    moves = sorted(state.moves(), key=lambda move: move.encode())
    if state.turn == owner and len(moves) > 1:
        moves = [moves[choose(state, moves, line)]]
    rest = (seen, by_count, by_plies)
    below = sum(walk(state.play(m), owner, good, late, choose, merge, line + [m], *rest) for m in moves)
    if merge:
        seen[here] = True
    return 1 + below


def bare(state):
    """The same position with an empty history, unless the game is over."""
    if not is_end(state):
        state.begin()
    return state


def same(state):
    """What positions without a history have in common if they are the same: the text, and what else
    it shows in the program."""
    return state.text(), getattr(state, "may_swap", bool)(), getattr(state, "winner", 0)


def occurred(state):
    """How a position is named where repetitions are counted."""
    return state.position() if hasattr(state, "position") else state.text()


def walk_ranks(root, owner, score, choose):
    """Histories aside. A win has ranks: no position comes again below itself. Not to lose is a
    closed set, walked in the order in which its positions are met. Returns the number of
    positions."""
    wins = score * (1 if owner == 0 else -1) > 0
    good = goodness(owner, score, None)
    demand(supports_ranks(root), "histories of this game count")
    # What may not come again: a position that has occurred twice before this one.
    twice = {name for name, times in root.seen.items() if times >= 2} - {occurred(root)}
    root = bare(root)
    if is_end(root):
        demand(good(root.score(), 0), "score %d" % root.score())
        return 0

    def options(state, line):
        moves = sorted(state.moves(), key=lambda move: move.encode())
        if state.turn == owner and len(moves) > 1:
            moves = [moves[choose(state, moves, line)]]
        return moves

    met = {same(root): 1}
    if not wins:
        positions = [(root, [])]
        for state, line in positions:
            for move in options(state, line):
                child = state.play(move)
                if is_end(child):
                    demand(good(child.score(), 0), "score %d after %s" % (child.score(), line + [move]))
                elif same(bare(child)) not in met:
                    met[same(child)] = 1
                    positions.append((child, line + [move]))
        return len(positions)
    # On the way from the root a position is 1, and 2 when all below it was walked.
    path = [(root, iter(options(root, [])), [])]
    while path:
        state, moves, line = path[-1]
        move = next(moves, None)
        if move is None:
            met[same(state)] = 2
            path.pop()
            continue
        child, below = state.play(move), line + [move]
        if is_end(child):
            demand(good(child.score(), 0), "score %d after %s" % (child.score(), below))
            continue
        bare(child)
        demand(occurred(child) not in twice, "another draw by repetition after %s" % below)
        rank = met.setdefault(same(child), 0)
        demand(rank != 1, "a circle after %s" % below)
        if rank == 0:
            met[same(child)] = 1
            path.append((child, iter(options(child, below)), below))
    return len(met)


def supports_ranks(state):
    """Whether the third occurrence of a position is a draw, and the history decides nothing else."""
    return isinstance(state, (RepeatingGame, Pentalath))


def field(line, key):
    """What stands behind a key and one blank; only a list of moves may be missing."""
    if line == "moves:" and key == "moves":
        return ""
    demand(line.startswith(key + ": ") and line != "moves: ", "expected " + key)
    return line[len(key) + 2 :]


def verify(data, sheet=None):
    head, separator, rest = data.partition(b"\n\n")
    demand(separator and head.startswith(b"proofplay-certificate "), "no certificate")
    demand(len(head) + 2 <= 1 << 20, "the lines of text are too long")
    lines = head.decode().split("\n")
    versions = {"proofplay-certificate %d" % number: number for number in MORE_KEYS}
    demand(lines[0] in versions, "no version that is known here")
    version = versions[lines[0]]
    by_count, by_plies = version == 2, version == 3
    keys = KEYS[:5] + MORE_KEYS[version] + KEYS[5:]
    demand(len(lines) == 1 + len(keys), "%d lines" % len(lines))
    fields = {key: field(line, key) for key, line in zip(keys, lines[1:], strict=True)}
    mark = digest(fields["game"])
    game = fields["game"].removesuffix(mark)
    demand(fields["game"] == game + mark, "other rules or another notation")
    demand(zlib.crc32(data[:-4]) == struct.unpack("<I", data[-4:])[0], "checksum")
    demand(fields["from"] == "start", "this verifier knows no position texts")
    # The oracle takes a position for moves, too.
    demand(fields["moves"].split()[:1] != ["position"], "moves")
    demand(fields["moves"] == " ".join(fields["moves"].split()), "moves")
    state = state_after(game, fields["moves"], sheet)
    demand(state.text() == fields["position"], "position")
    demand(fields.get("ends", "counted") == "counted", "ends")
    demand(not by_count or game.startswith("domineering:"), "no count for this game")
    by_ranks = version == 4
    # For a rule sheet both walks are right: a position that comes again is noticed.
    walks = ["tree", "graph"] if sheet else ["tree" if repeats(game) else "graph"]
    demand(fields["walk"] in (["ranks"] if by_ranks else walks), "walk")
    demand(not by_ranks or supports_ranks(state), "histories of this game count")
    within = plain_number(fields["within"]) if by_plies else None
    demand(not by_plies or within < 1 << 16, "within")
    lowest, highest = score_range(state)
    rest = rest[:-4]
    scores = []
    for owner, key in enumerate(["at-least", "at-most"]):
        words = fields[key].split(" ")
        score = plain_score(words[0])
        scores.append(score)
        demand(lowest <= score <= highest, "no game ends with score %d" % score)
        by_rules = not by_plies and score == (lowest, highest)[owner]
        demand(by_rules == (words[1:] == ["rules"]), "rules where a strategy is needed, or a strategy where none is")
        if by_rules:
            continue
        demand(len(words) == 4 and words[1] == "strategy", "expected a strategy")
        positions, length = plain_number(words[2]), plain_number(words[3])
        stream = zlib.decompressobj()
        # No strategy has more numbers than positions, none of which needs more than five bytes.
        numbers = stream.decompress(rest[:length], 5 * positions + 1)
        demand(stream.eof and not stream.unused_data, "compressed data")
        rest = rest[length:]
        at = 0

        def choose(_state, moves, line):
            nonlocal at
            number, shift = 0, 0
            while True:
                demand(at < len(numbers), "data end after %s" % line)
                byte = numbers[at]
                at += 1
                demand(byte or not shift, "a number is not in its shortest form")
                number |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    break
            demand(number < len(moves), "no move %d after %s" % (number, line))
            return number

        good = goodness(owner, score, within)
        late = longest_enough(owner, score, within, (lowest, highest))
        merge = fields["walk"] == "graph"
        if by_ranks:
            walked = walk_ranks(state_after(game, fields["moves"], sheet), owner, score, choose)
        else:
            walked = walk(state, owner, good, late, choose, merge, [], {}, by_count, by_plies)
        demand(at == len(numbers), "numbers are left over")
        demand(walked == positions, "%d positions, not %d" % (walked, positions))
    demand(not rest, "bytes are left over")
    demand(scores[0] <= scores[1], "contradiction")
    demand(not by_plies or scores[0] == scores[1] != 0, "plies of a game that nobody wins")
    plies = " in %d" % within if by_plies else ""
    return "%s %s: %+d to %+d%s" % (game, fields["moves"], *scores, plies)


def number_bytes(number):
    result = b""
    while number >= 0x80:
        result += bytes([number & 0x7F | 0x80])
        number >>= 7
    return result + bytes([number])


def distance(state, known):
    """Score and plies at the end of best play: winners hurry, losers hold out."""
    if is_end(state):
        return state.score(), 0
    if state.key() not in known:
        sign = 1 if state.turn == 0 else -1
        ends = [distance(state.play(m), known) for m in state.moves()]
        worth = lambda end: (sign * end[0], -end[1] if sign * end[0] > 0 else end[1])
        score, plies = max(ends, key=worth)
        known[state.key()] = score, plies + 1
    return known[state.key()]


def sweeps(root, player):
    """By key: how soon `player` wins, histories aside."""
    graph, todo, best = {}, [bare(root)], 1 if player == 0 else -1
    while todo:
        state = todo.pop()
        if same(state) not in graph:
            children = [bare(state.play(move)) for move in state.moves()]
            ended = state.score() if is_end(state) else None
            graph[same(state)] = state.turn, [same(child) for child in children], ended
            todo += children
    ranks, ply = {key: 0 for key, node in graph.items() if node[2] == best}, 1
    while True:
        joining = []
        for key, (turn, children, ended) in graph.items():
            if key not in ranks and ended is None:
                won = [child in ranks for child in children]
                if any(won) if turn == player else all(won):
                    joining.append(key)
        if not joining:
            return ranks
        ranks.update(dict.fromkeys(joining, ply))
        ply += 1


def write(game, moves, version):
    state = oracle.state_after(game, moves)
    by_count, by_plies, by_ranks = version == 2, version == 3, version == 4
    if by_ranks:
        begun = bare(oracle.state_after(game, moves))
        won = [sweeps(begun, player) for player in (0, 1)]
        value, known = (same(begun) in won[0]) - (same(begun) in won[1]), {}
    else:
        value, known = oracle.value(state), {}
    within = distance(state, known)[1] if by_plies else None
    merge = not repeats(game)
    claims, streams = [], []
    for owner in (0, 1):
        if not by_plies and value == score_range(state)[owner]:
            claims.append(score_text(value) + " rules")
            continue
        numbers = []
        good = goodness(owner, value, within)
        late = longest_enough(owner, value, within, score_range(state))

        def keeps(after, plies):
            if not by_plies:
                return good(oracle.value(after), plies)
            score, more = distance(after, known)
            return good(score, plies + more)

        def choose_rank(state, moves, _line):
            after = [bare(state.play(m)) for m in moves]
            end = lambda state: state.score() * (1 if owner == 0 else -1) if is_end(state) else None
            if value != 0:
                # The shortest way.
                plies = lambda i: won[owner].get(same(after[i]), 1 << 30)
                number = min(range(len(moves)), key=lambda i: (plies(i), -i))
            else:
                fits = lambda state: end(state) != -1 and same(state) not in won[1 - owner]
                number = max(i for i in range(len(moves)) if fits(after[i]))
            numbers.append(number_bytes(number))
            return number

        def choose(state, moves, line):
            # From the back, unlike the program.
            number = max(i for i, m in enumerate(moves) if keeps(state.play(m), len(line) + 1))
            numbers.append(number_bytes(number))
            return number

        if by_ranks:
            positions = walk_ranks(oracle.state_after(game, moves), owner, value, choose_rank)
        else:
            positions = walk(state, owner, good, late, choose, merge, [], {}, by_count, by_plies)
        streams.append(zlib.compress(b"".join(numbers), 9))
        claims.append("%s strategy %d %d" % (score_text(value), positions, len(streams[-1])))
    shape = "ranks" if by_ranks else "graph" if merge else "tree"
    fields = [game + digest(game), "start", moves, state.text(), shape]
    fields += {1: [], 2: ["counted"], 3: [str(within)], 4: []}[version] + claims
    lines = ["proofplay-certificate %d" % version]
    keys = KEYS[:5] + MORE_KEYS[version] + KEYS[5:]
    lines += [(key + ": " + field).rstrip() for key, field in zip(keys, fields, strict=True)]
    data = ("\n".join(lines) + "\n\n").encode() + b"".join(streams)
    return data + struct.pack("<I", zlib.crc32(data))


def main():
    parser = argparse.ArgumentParser(description="second verifier and writer of certificates")
    commands = parser.add_subparsers(dest="command", required=True)
    sub = commands.add_parser("verify")
    sub.add_argument("--sheet", type=pathlib.Path)
    sub.add_argument("files", nargs="+", type=pathlib.Path)
    sub = commands.add_parser("write")
    sub.add_argument("file", type=pathlib.Path)
    sub.add_argument("game")
    sub.add_argument("--moves", default="")
    sub.add_argument("--ends", choices=["rules", "counted"], default="rules")
    sub.add_argument("--plies", action="store_true")
    sub.add_argument("--ranks", action="store_true")
    commands.add_parser("samples")
    arguments = parser.parse_args()
    if arguments.command == "verify":
        sheet = arguments.sheet and Sheet(arguments.sheet.read_text())
        for file in arguments.files:
            try:
                print(verify(file.read_bytes(), sheet))
            except (Refused, ValueError, zlib.error) as why:
                sys.exit("%s refused: %s" % (file, why))
    elif arguments.command == "write":
        version = 4 if arguments.ranks else 3 if arguments.plies else 2 if arguments.ends == "counted" else 1
        arguments.file.write_bytes(write(arguments.game, arguments.moves, version))
    else:
        folder = oracle.HERE.parent / "certificates"
        folder.mkdir(exist_ok=True)
        every = ((1, SAMPLES), (2, COUNTED_SAMPLES), (3, PLIES_SAMPLES), (4, RANKS_SAMPLES))
        for version, samples in every:
            for name, (game, moves) in samples.items():
                (folder / (name + ".proof")).write_bytes(write(game, moves, version))
                print(name, file=sys.stderr)


if __name__ == "__main__":
    main()
