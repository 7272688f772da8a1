"""Reads a table of endgames of Checkers by docs/TABLES.md alone, and draws random positions from it.

    python3 table.py FILE GAME PIECES COUNT SEED

Each line has `position` and a text, then behind a tab the SCORE and PLIES of the table as
distances.py writes them. Shares no code with the program. draw=none only.
"""

import random
import struct
import sys
import zlib
from math import comb


class Table:
    """A table with a named set."""

    def __init__(self, path):
        data = open(path, "rb").read()
        assert data[:18] == b"proofplay table 1\n" and data[-4:] == b"end\n"
        (length,) = struct.unpack_from("<I", data, 18)
        head = data[22 : 22 + length]
        assert zlib.crc32(head) == struct.unpack_from("<I", data, 22 + length)[0]
        self.head = dict(line.split(": ", 1) for line in head.decode().splitlines())
        offset, size, total = struct.unpack_from("<QQI", data, len(data) - 24)
        directory = data[offset : offset + size]
        assert zlib.crc32(data[len(data) - 24 : len(data) - 8] + directory) == total
        at, block, self.parts = 4, 26 + length, []
        for _ in range(struct.unpack_from("<I", directory)[0]):
            (count,) = struct.unpack_from("<Q", directory, at)
            at, entries = at + 8, []
            while len(entries) < count:
                here = min(1 << 14, count - len(entries))
                packed, checksum = struct.unpack_from("<II", directory, at)
                piece = data[block : block + packed]
                at, block = at + 8, block + packed
                assert zlib.crc32(piece) == checksum
                plain = zlib.decompress(piece, -15)
                assert len(plain) == 2 * here
                entries += [low | high << 8 for low, high in zip(plain[:here], plain[here:])]
            self.parts.append(entries)
        assert block == offset and at == size


class Checkers:
    """The numbers of positions with up to so many pieces."""

    def __init__(self, size, pieces):
        self.size, self.squares = size, [(c, r) for r in range(size) for c in range(size) if (c + r) % 2 == 0]
        counts = [
            (a, own - a, c, enemy - c)
            for own in range(1, pieces)
            for enemy in range(1, pieces - own + 1)
            for a in range(own + 1)
            for c in range(enemy + 1)
        ]
        turned = lambda s: (s[2], s[3], s[0], s[1])
        counts.sort(key=lambda s: (sum(s), s[0] + s[2], min(s, turned(s)), s))
        self.below = [s for s in self.squares if s[1] < size - 1]
        self.above = [s for s in self.squares if s[1] > 0]
        self.slices, sizes = {}, []
        for s in counts:
            if not sizes or turned(s) not in self.slices or self.slices[turned(s)][0] != len(sizes) - 1:
                sizes.append(0)
            whole = 1
            for one in self.sizes(s):
                whole *= one
            self.slices[s] = (len(sizes) - 1, sizes[-1])
            sizes[-1] += whole
        self.part_sizes = sizes

    def sizes(self, s):
        left = len(self.squares) - s[0] - s[2]
        below, above = len(self.below), len(self.above)
        return [comb(below, s[0]), comb(above, s[2]), comb(left, s[1]), comb(left - s[1], s[3])]

    def place(self, men, kings, enemy_men, enemy_kings):
        """The part and the number of a position in the mover's view."""
        s = tuple(map(len, (men, kings, enemy_men, enemy_kings)))
        part, first = self.slices[s]
        free = [q for q in self.squares if q not in men and q not in enemy_men]
        rest = [q for q in free if q not in kings]
        numbers = [subset(men, self.below), subset(enemy_men, self.above), subset(kings, free), subset(enemy_kings, rest)]
        number = 0
        for one, count in zip(numbers, self.sizes(s)):
            number = number * count + one
        return part, first + number


def subset(chosen, among):
    places = sorted(among.index(q) for q in chosen)
    return sum(comb(place, k) for k, place in enumerate(places, 1))


def main():
    path, game, pieces, count, seed = sys.argv[1:]
    table, size, rng = Table(path), int(game.split(":")[1].split("x")[0]), random.Random(int(seed))
    assert table.head == {"game": game, "set": f"pieces={pieces}"}, table.head
    checkers = Checkers(size, int(pieces))
    assert [len(part) for part in table.parts] == checkers.part_sizes
    turn = lambda q: (size - 1 - q[0], size - 1 - q[1])
    found = 0
    while found < int(count):
        squares = rng.sample(checkers.squares, rng.randint(2, int(pieces)))
        board = {q: rng.choice("wWbB") for q in squares}
        if any(p == "w" and q[1] == size - 1 or p == "b" and q[1] == 0 for q, p in board.items()):
            continue
        mover = rng.choice("wb")
        sets = [[q for q in squares if board[q] == p] for p in ("wWbB" if mover == "w" else "bBwW")]
        if not sets[0] + sets[1] or not sets[2] + sets[3]:
            continue
        if mover == "b":
            sets = [[turn(q) for q in one] for one in sets]
        part, number = checkers.place(*sets)
        entry = table.parts[part][number]
        if entry == 0xFFFF:
            # Over: the mover cannot move.
            continue
        kind, plies = entry >> 14, entry & 0x3FFF
        own = {0: 0, 1: 1, 2: -1}[kind]
        score = own if mover == "w" else -own
        rows = ["".join(board.get((c, r), ".") for c in range(size)) for r in reversed(range(size))]
        print(f"position {'/'.join(rows)} {mover}\t{score} {plies if kind else '-'}")
        found += 1


main()
