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

Every game state has
    turn     0 = First to move, 1 = second player
    moves()  list of legal move texts; empty exactly when the game is over
    play(m)  the state after the move
    score()  +1, 0, -1 or points in First's view; only for a finished game
    text()   position text
    key()    everything the future depends on
    draws    False if no game can be drawn (only to save time)
"""

import argparse
import copy
import math
import pathlib
import random
import re
import sys
import time

ORTHOGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)]


def cell_name(cell):
    """(1, 1) is a1, (26, 3) is z3, (27, 3) is aa3, (28, 3) is ab3."""
    column, row = cell
    letters = ""
    while column > 0:
        column, digit = divmod(column - 1, 26)
        letters = "abcdefghijklmnopqrstuvwxyz"[digit] + letters
    return letters + str(row)


class BoardGame:
    """A rectangular board with pieces; the games below fill in the rest."""

    letters = "xo"

    def __init__(self, columns, rows):
        self.columns = columns
        self.rows = rows
        self.cells = [(c, r) for r in range(1, rows + 1) for c in range(1, columns + 1)]
        self.names = {cell_name(cell): cell for cell in self.cells}
        self.board = {}
        self.turn = 0

    def play(self, move):
        child = copy.copy(self)
        child.board = dict(self.board)
        child.put(move)
        child.turn = 1 - self.turn
        return child

    def text(self):
        ranks = []
        for row in range(self.rows, 0, -1):
            ranks.append("".join(self.board.get(cell, ".") for cell in self.cells if cell[1] == row))
        return "/".join(ranks) + " " + self.letters[self.turn]

    def key(self):
        return self.text()

    def group(self, start, neighbours):
        """The cells of the chain that holds `start`."""
        found = {start}
        todo = [start]
        while todo:
            for cell in neighbours(todo.pop()):
                if cell not in found and self.board.get(cell) == self.board[start]:
                    found.add(cell)
                    todo.append(cell)
        return found


class Mnk(BoardGame):
    """mnk:CxRkK and tictactoe."""

    def __init__(self, columns, rows, k):
        super().__init__(columns, rows)
        self.k = k
        self.winner = 0

    def moves(self):
        if self.winner:
            return []
        return [name for name, cell in self.names.items() if cell not in self.board]

    def put(self, move):
        self.put_stone(self.names[move])

    def put_stone(self, cell):
        self.board[cell] = self.letters[self.turn]
        for direction in [(1, 0), (0, 1), (1, 1), (1, -1)]:
            backwards = (-direction[0], -direction[1])
            if 1 + self.run(cell, direction) + self.run(cell, backwards) >= self.k:
                self.winner = 1 if self.turn == 0 else -1

    def run(self, cell, direction):
        """Number of equal stones beyond `cell` in a direction."""
        count = 0
        column, row = cell[0] + direction[0], cell[1] + direction[1]
        while self.board.get((column, row)) == self.board[cell]:
            count += 1
            column, row = column + direction[0], row + direction[1]
        return count

    def score(self):
        return self.winner


class Connect4(Mnk):
    """connect4:CxR[kK]: stones fall to the lowest empty cell of the column."""

    def moves(self):
        if self.winner:
            return []
        return [str(c) for c in range(1, self.columns + 1) if (c, self.rows) not in self.board]

    def put(self, move):
        row = 1
        while (int(move), row) in self.board:
            row += 1
        self.put_stone((int(move), row))


class Domineering(BoardGame):
    """domineering:CxR[,first=H]"""

    def __init__(self, columns, rows, letters):
        super().__init__(columns, rows)
        self.letters = letters

    def moves(self):
        result = []
        for column, row in self.cells:
            other = (column, row + 1) if self.letters[self.turn] == "v" else (column + 1, row)
            on_board = other[0] <= self.columns and other[1] <= self.rows
            if on_board and other not in self.board and (column, row) not in self.board:
                result.append(cell_name((column, row)) + "-" + cell_name(other))
        return result

    def put(self, move):
        for name in move.split("-"):
            self.board[self.names[name]] = "#"

    def score(self):
        return -1 if self.turn == 0 else 1


class Nogo(BoardGame):
    """nogo:CxR"""

    letters = "bw"

    def neighbours(self, cell):
        around = [(cell[0] + dc, cell[1] + dr) for dc, dr in ORTHOGONAL]
        return [(c, r) for c, r in around if 1 <= c <= self.columns and 1 <= r <= self.rows]

    def has_liberty(self, stone):
        for cell in self.group(stone, self.neighbours):
            if any(n not in self.board for n in self.neighbours(cell)):
                return True
        return False

    def legal(self, cell):
        """After the move no group, own or enemy, may be without liberty."""
        if cell in self.board:
            return False
        self.board[cell] = self.letters[self.turn]
        touched = [cell] + [n for n in self.neighbours(cell) if n in self.board]
        good = all(self.has_liberty(stone) for stone in touched)
        del self.board[cell]
        return good

    def moves(self):
        return [name for name, cell in self.names.items() if self.legal(cell)]

    def put(self, move):
        self.board[self.names[move]] = self.letters[self.turn]

    def score(self):
        return -1 if self.turn == 0 else 1


class Y(BoardGame):
    """y:N"""

    letters = "bw"

    def __init__(self, size):
        super().__init__(size, size)
        self.size = size
        self.cells = [(c, r) for c, r in self.cells if c + r <= size + 1]
        self.names = {cell_name(cell): cell for cell in self.cells}
        self.winner = 0

    def neighbours(self, cell):
        c, r = cell
        around = [(c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1), (c + 1, r - 1), (c - 1, r + 1)]
        return [(c, r) for c, r in around if c >= 1 and r >= 1 and c + r <= self.size + 1]

    def moves(self):
        if self.winner:
            return []
        return [name for name, cell in self.names.items() if cell not in self.board]

    def put(self, move):
        self.board[self.names[move]] = self.letters[self.turn]
        chain = self.group(self.names[move], self.neighbours)
        left = any(c == 1 for c, r in chain)
        bottom = any(r == 1 for c, r in chain)
        slanted = any(c + r == self.size + 1 for c, r in chain)
        if left and bottom and slanted:
            self.winner = 1 if self.turn == 0 else -1

    def score(self):
        return self.winner


class Seki:
    """seki:A,B[,S]. outside[0] and outside[1] are the free outside liberties
    of First's and of the second player's string, shared the free shared ones."""

    def __init__(self, a, b, s):
        self.outside = [set(range(1, a + 1)), set(range(1, b + 1))]
        self.shared = set(range(1, s + 1))
        self.turn = 0
        self.passes = 0
        self.captor = None

    def liberties(self, player):
        return len(self.outside[player]) + len(self.shared)

    def moves(self):
        if self.captor is not None or self.passes == 2:
            return []
        me, opponent = self.turn, 1 - self.turn
        result = ["o%d" % i for i in sorted(self.outside[opponent])]
        if self.liberties(opponent) == 1 or self.liberties(me) > 1:
            result += ["s%d" % i for i in sorted(self.shared)]
        if self.liberties(me) > 1:
            result += ["m%d" % i for i in sorted(self.outside[me])]
        return result + ["pass"]

    def play(self, move):
        child = copy.copy(self)
        child.outside = [set(self.outside[0]), set(self.outside[1])]
        child.shared = set(self.shared)
        me, opponent = self.turn, 1 - self.turn
        child.turn = opponent
        if move == "pass":
            child.passes = self.passes + 1
            return child
        child.passes = 0
        points = {"o": child.outside[opponent], "s": child.shared, "m": child.outside[me]}
        points[move[0]].remove(int(move[1:]))
        if child.liberties(opponent) == 0:
            child.captor = me
        return child

    def score(self):
        return {None: 0, 0: 1, 1: -1}[self.captor]

    def text(self):
        return "-"

    def key(self):
        points = tuple(frozenset(s) for s in [*self.outside, self.shared])
        return points, self.turn, self.passes, self.captor


class Amazons(BoardGame):
    """amazons:CxR"""

    letters = "wb"
    draws = False

    def __init__(self, columns, rows):
        super().__init__(columns, rows)
        if (columns, rows) == (10, 10):
            white = [(1, 4), (4, 1), (7, 1), (10, 4)]
        elif (columns, rows) == (8, 8):
            white = [(3, 1), (6, 1), (1, 3), (8, 3)]
        else:
            white = [(2, 1), (columns - 1, 1), (1, 2), (columns, 2)]
        for column, row in white:
            self.board[column, row] = "w"
            self.board[column, rows + 1 - row] = "b"

    def reach(self, start, vacated=None):
        """The cells that a queen on `start` can go to; `vacated` counts as empty."""
        result = []
        for dc in (-1, 0, 1):
            for dr in (-1, 0, 1):
                if dc == dr == 0:
                    continue
                column, row = start[0] + dc, start[1] + dr
                while 1 <= column <= self.columns and 1 <= row <= self.rows:
                    if (column, row) in self.board and (column, row) != vacated:
                        break
                    result.append((column, row))
                    column, row = column + dc, row + dr
        return result

    def moves(self):
        result = []
        for start in self.cells:
            if self.board.get(start) == self.letters[self.turn]:
                for end in self.reach(start):
                    step = cell_name(start) + "-" + cell_name(end) + "/"
                    result += [step + cell_name(arrow) for arrow in self.reach(end, start)]
        return result

    def put(self, move):
        start, end, arrow = (self.names[name] for name in re.split("[-/]", move))
        self.board[end] = self.board.pop(start)
        self.board[arrow] = "x"

    def score(self):
        return -1 if self.turn == 0 else 1


class Breakthrough(BoardGame):
    """breakthrough:CxR[,rows=N]"""

    letters = "wb"
    draws = False

    def __init__(self, columns, rows, full):
        super().__init__(columns, rows)
        for column, row in self.cells:
            if row <= full:
                self.board[column, row] = "w"
                self.board[column, rows + 1 - row] = "b"

    def winner(self):
        white = [row for (_, row), letter in self.board.items() if letter == "w"]
        black = [row for (_, row), letter in self.board.items() if letter == "b"]
        if not black or self.rows in white:
            return 1
        return -1 if not white or 1 in black else 0

    def moves(self):
        if self.winner():
            return []
        own, enemy = self.letters[self.turn], self.letters[1 - self.turn]
        forward = 1 if self.turn == 0 else -1
        result = []
        for column, row in self.cells:
            if self.board.get((column, row)) != own:
                continue
            for side in (-1, 0, 1):
                end = (column + side, row + forward)
                if not 1 <= end[0] <= self.columns:
                    continue
                if end not in self.board:
                    result.append(cell_name((column, row)) + "-" + cell_name(end))
                elif self.board[end] == enemy and side != 0:
                    result.append(cell_name((column, row)) + "x" + cell_name(end))
        return result

    def put(self, move):
        # Not split at x: from column w to column x one captures with w1xx2.
        start, end = (self.names[name] for name in re.fullmatch("([a-z]+[0-9]+)[-x](.*)", move).groups())
        self.board[end] = self.board.pop(start)

    def score(self):
        return self.winner()


class Pentalath(BoardGame):
    """pentalath:N[,k=K][,swap=yes]. Cells are (row from the top, place from the left in half cells)."""

    letters = "wb"

    def __init__(self, size, k, swap):
        self.rows = 2 * size - 1
        self.k = k
        self.swap = swap
        self.names = {}
        for row in range(self.rows):
            indent = abs(size - 1 - row)
            for number in range(self.rows - indent):
                self.names["abcdefghijklmnopqrstuvwxyz"[row] + str(number + 1)] = (row, indent + 2 * number)
        self.cells = list(self.names.values())
        self.near = {cell: self.around(cell) for cell in self.cells}
        self.board = {}
        self.turn = 0
        self.winner = 0
        self.seen = {self.text(): 1}

    def text(self):
        ranks = ["".join(self.board.get(cell, ".") for cell in self.cells if cell[0] == row) for row in range(self.rows)]
        return "/".join(ranks) + " " + self.letters[self.turn]

    def key(self):
        return self.text(), self.winner, frozenset(self.seen.items())

    def around(self, cell):
        row, x = cell
        around = [(row, x - 2), (row, x + 2), (row - 1, x - 1), (row - 1, x + 1), (row + 1, x - 1), (row + 1, x + 1)]
        return [n for n in around if n in self.cells]

    def neighbours(self, cell):
        return self.near[cell]

    def without_liberty(self, stone):
        """The group of a stone if no cell beside it is empty, else nothing."""
        group = self.group(stone, self.neighbours)
        if any(n not in self.board for cell in group for n in self.neighbours(cell)):
            return set()
        return group

    def after(self, cell):
        """The board when the mover puts a stone on an empty cell, or None if that is suicide."""
        child = copy.copy(self)
        child.board = dict(self.board)
        child.board[cell] = self.letters[self.turn]
        enemy = self.letters[1 - self.turn]
        captured = set()
        for n in self.neighbours(cell):
            if child.board.get(n) == enemy:
                captured |= child.without_liberty(n)
        for stone in captured:
            del child.board[stone]
        return None if child.without_liberty(cell) else child.board

    def may_swap(self):
        return self.swap and sum(self.seen.values()) == 2

    def moves(self):
        if self.winner or self.seen[self.text()] >= 3:
            return []
        result = [name for name, cell in self.names.items() if cell not in self.board and self.after(cell)]
        return result + ["swap"] if self.may_swap() else result

    def play(self, move):
        child = copy.copy(self)
        if move == "swap":
            child.board = {cell: "b" for cell in self.board}
        else:
            cell = self.names[move]
            child.board = self.after(cell)
            for direction in [(0, 2), (1, 1), (1, -1)]:
                length = 1
                for sign in (1, -1):
                    row, x = cell[0] + sign * direction[0], cell[1] + sign * direction[1]
                    while child.board.get((row, x)) == child.board[cell]:
                        length += 1
                        row, x = row + sign * direction[0], x + sign * direction[1]
                if length >= self.k:
                    child.winner = 1 if self.turn == 0 else -1
        child.turn = 1 - self.turn
        child.seen = dict(self.seen)
        child.seen[child.text()] = child.seen.get(child.text(), 0) + 1
        return child

    def score(self):
        return self.winner


class Go(BoardGame):
    """go:CxR[,komi=K][,suicide=yes] and go:seki=A,B"""

    letters = "bw"

    def __init__(self, columns, rows, komi=0.0, suicide=False, race=None):
        super().__init__(columns, rows)
        self.komi = komi
        self.suicide = suicide
        self.passes = 0
        self.race = race
        if race is not None:
            a, b = race
            full = range(1, columns + 1)
            middle = range(2, columns)
            self.fill("w", [(c, 9) for c in middle] + [(c, 8) for c in full])
            self.fill("b", [(c, 7) for c in full if c > a] + [(c, 6) for c in full] + [(c, 5) for c in middle])
            self.fill("w", [(c, 4) for c in full] + [(c, 3) for c in full if c > b])
            self.fill("b", [(c, 2) for c in full] + [(c, 1) for c in middle])
        self.seen = frozenset([self.boardkey(self.board)])

    def fill(self, letter, cells):
        for cell in cells:
            self.board[cell] = letter

    @staticmethod
    def boardkey(board):
        return frozenset(board.items())

    def neighbours(self, cell):
        around = [(cell[0] + dc, cell[1] + dr) for dc, dr in ORTHOGONAL]
        return [(c, r) for c, r in around if 1 <= c <= self.columns and 1 <= r <= self.rows]

    def remove_if_dead(self, stone):
        """Takes the group of a stone off if no cell beside it is empty; tells whether."""
        group = self.group(stone, self.neighbours)
        if any(n not in self.board for cell in group for n in self.neighbours(cell)):
            return False
        for cell in group:
            del self.board[cell]
        return True

    def after(self, cell):
        """The board when the mover puts a stone on a cell, or None if that is illegal."""
        if cell in self.board:
            return None
        own, enemy = self.letters[self.turn], self.letters[1 - self.turn]
        around = self.neighbours(cell)
        if self.race is not None and all(self.board.get(n) == own for n in around):
            return None
        child = copy.copy(self)
        child.board = dict(self.board)
        child.board[cell] = own
        for n in around:
            if child.board.get(n) == enemy:
                child.remove_if_dead(n)
        if child.remove_if_dead(cell) and not self.suicide:
            return None
        return None if self.boardkey(child.board) in self.seen else child.board

    def winner(self):
        """In a race: who has taken the other's string."""
        if self.race is None or ((1, 6) in self.board and (1, 4) in self.board):
            return 0
        return 1 if (1, 6) in self.board else -1

    def moves(self):
        if self.passes == 2 or self.winner():
            return []
        return ["pass"] + [name for name, cell in self.names.items() if self.after(cell) is not None]

    def play(self, move):
        child = copy.copy(self)
        child.turn = 1 - self.turn
        if move == "pass":
            child.passes = self.passes + 1
            return child
        child.passes = 0
        child.board = self.after(self.names[move])
        child.seen = self.seen | {self.boardkey(child.board)}
        return child

    def text(self):
        return super().text() + (" %d" % self.passes if self.passes else "")

    def key(self):
        return self.text(), self.seen

    def score(self):
        """Points; half points become whole ones of whoever has them."""
        if self.race is not None:
            return self.winner()
        points = -self.komi
        for cell in self.cells:
            letters = {self.board.get(cell)}
            if cell not in self.board:
                region, todo = {cell}, [cell]
                letters = set()
                while todo:
                    for n in self.neighbours(todo.pop()):
                        if n in self.board:
                            letters.add(self.board[n])
                        elif n not in region:
                            region.add(n)
                            todo.append(n)
            points += {"b": 1, "w": -1}[letters.pop()] if len(letters) == 1 else 0
        return math.ceil(points) if points > 0 else math.floor(points)

    def scores(self):
        """All scores there may be."""
        if self.race is not None:
            return [-1, 0, 1]
        most = self.columns * self.rows + 1 + int(abs(self.komi))
        return range(-most, most + 1)


class RepeatingGame(BoardGame):
    """A game whose positions can repeat: the third occurrence of a position with
    the same player to move is a draw. `result` is the score once the game is
    over, None before; `step(move)` makes the move and says who won, if anybody."""

    def __init__(self, columns, rows):
        super().__init__(columns, rows)
        self.result = None
        self.seen = {}

    def begin(self):
        """Starts a history at the position as it stands."""
        self.seen = {self.position(): 1}
        self.result = self.judge()

    def load(self, text):
        """The position of a text, with an empty history."""
        fields = text.split()
        child = copy.copy(self)
        child.board = {}
        for line, row in zip(fields[0].split("/"), range(self.rows, 0, -1)):
            for letter, column in zip(line, range(1, self.columns + 1)):
                if letter != ".":
                    child.board[(column, row)] = letter
        child.turn = self.letters.index(fields[1])
        child.counter = int(fields[2]) if len(fields) > 2 else 0
        child.begin()
        return child

    def play(self, move):
        child = super().play(move)
        child.seen = dict(self.seen)
        child.seen[child.position()] = child.seen.get(child.position(), 0) + 1
        child.result = child.judge()
        if child.result is None and child.seen[child.position()] >= 3:
            child.result = 0
        return child

    def position(self):
        """What must be the same for a repetition."""
        return BoardGame.text(self)

    def moves(self):
        return [] if self.result is not None else self.choices()

    def score(self):
        return self.result


class Loa(RepeatingGame):
    """loa:NxN"""

    letters = "bw"

    def __init__(self, size):
        super().__init__(size, size)
        for cell in self.cells:
            at_top_or_bottom = cell[1] in (1, size)
            at_left_or_right = cell[0] in (1, size)
            if at_top_or_bottom and not at_left_or_right:
                self.board[cell] = "b"
            if at_left_or_right and not at_top_or_bottom:
                self.board[cell] = "w"
        self.begin()

    def neighbours(self, cell):
        return [(cell[0] + dc, cell[1] + dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if dc or dr]

    def connected(self, letter):
        own = [cell for cell in self.board if self.board[cell] == letter]
        return len(self.group(own[0], self.neighbours)) == len(own)

    def judge(self):
        black, white = self.connected("b"), self.connected("w")
        if black and white:
            return 0
        if black:
            return 1
        return -1 if white else None

    def pieces_on_line(self, cell, direction):
        count = 0
        for c, r in self.board:
            dc, dr = c - cell[0], r - cell[1]
            # On the line through the cell: (dc, dr) is a multiple of the direction.
            if dc * direction[1] == dr * direction[0]:
                count += 1
        return count

    def choices(self):
        me, enemy = self.letters[self.turn], self.letters[1 - self.turn]
        result = []
        for cell in self.cells:
            if self.board.get(cell) != me:
                continue
            for dc in (-1, 0, 1):
                for dr in (-1, 0, 1):
                    if (dc, dr) == (0, 0):
                        continue
                    distance = self.pieces_on_line(cell, (dc, dr))
                    way = [(cell[0] + i * dc, cell[1] + i * dr) for i in range(1, distance + 1)]
                    goal = way[-1]
                    if goal not in self.names.values():
                        continue
                    if any(self.board.get(c) == enemy for c in way[:-1]) or self.board.get(goal) == me:
                        continue
                    sign = "x" if goal in self.board else "-"
                    result.append(cell_name(cell) + sign + cell_name(goal))
        return result or ["pass"]

    def put(self, move):
        if move != "pass":
            start, goal = [self.names[name] for name in re.split("[x-]", move)]
            self.board[goal] = self.board.pop(start)


class Checkers(RepeatingGame):
    """checkers:NxN[,rows=R][,draw=25|none]. `counter` is the number of plies in a
    row that were king moves without capture."""

    letters = "wb"

    def __init__(self, size, rows, limited):
        super().__init__(size, size)
        self.limited = limited
        self.counter = 0
        for c, r in self.cells:
            if (c + r) % 2 == 0 and r <= rows:
                self.board[(c, r)] = "w"
            if (c + r) % 2 == 0 and r > size - rows:
                self.board[(c, r)] = "b"
        self.begin()

    def text(self):
        counter = " %d" % self.counter if self.limited and self.counter else ""
        return super().text() + counter

    def mine(self, cell, turn):
        return self.board.get(cell, ".").lower() == self.letters[turn]

    def on_board(self, cell):
        return 1 <= cell[0] <= self.columns and 1 <= cell[1] <= self.rows

    def directions(self, piece):
        forward = 1 if piece in "wW" else -1
        steps = [(-1, forward), (1, forward)]
        return steps + [(-1, -forward), (1, -forward)] if piece in "WB" else steps

    def jumps(self, cell, piece, taken, start):
        """All complete ways on from `cell`, as lists of landing squares."""
        result = []
        for dc, dr in self.directions(piece):
            over = (cell[0] + dc, cell[1] + dr)
            land = (cell[0] + 2 * dc, cell[1] + 2 * dr)
            if not self.on_board(land) or over in taken or not self.mine(over, 1 - self.turn):
                continue
            if land in self.board and land != start:
                continue
            crowned = piece in "wb" and land[1] == self.last_row()
            rest = [] if crowned else self.jumps(land, piece, taken | {over}, start)
            result += [[land] + way for way in rest] or [[land]]
        return result

    def last_row(self):
        return self.rows if self.turn == 0 else 1

    def choices(self):
        steps, captures = [], []
        for cell in self.cells:
            if not self.mine(cell, self.turn):
                continue
            piece = self.board[cell]
            for way in self.jumps(cell, piece, frozenset(), cell):
                captures.append("x".join(cell_name(c) for c in [cell] + way))
            for dc, dr in self.directions(piece):
                goal = (cell[0] + dc, cell[1] + dr)
                if self.on_board(goal) and goal not in self.board:
                    steps.append(cell_name(cell) + "-" + cell_name(goal))
        return captures or steps

    def put(self, move):
        way = [self.names[name] for name in re.split("[x-]", move)]
        piece = self.board.pop(way[0])
        if "x" in move:
            for a, b in zip(way, way[1:]):
                del self.board[((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)]
        self.counter = self.counter + 1 if "-" in move and piece in "WB" else 0
        if way[-1][1] == self.last_row():
            piece = piece.upper()
        self.board[way[-1]] = piece

    def judge(self):
        if not self.choices():
            return -1 if self.turn == 0 else 1
        if self.limited and (self.counter >= 25 or sorted(self.board.values()) == ["B", "W"]):
            return 0
        return None


class Cannon(RepeatingGame):
    """cannon[:corners=yes|no][,overshoot=yes|no][,mate=yes|no]"""

    letters = "bw"

    def __init__(self, corners, overshoot, mate):
        super().__init__(10, 10)
        self.corners = corners
        self.overshoot = overshoot
        self.mate = mate
        for file in "bdfhj":
            for rank in "234":
                self.board[self.names[file + rank]] = "b"
        for file in "acegi":
            for rank in "789":
                self.board[self.names[file + rank]] = "w"
        self.home = dict(self.board)
        self.begin()

    def opening(self):
        """Some town is still to be placed."""
        soldiers = {cell: letter for cell, letter in self.board.items() if letter in "bw"}
        return "W" not in self.board.values() and soldiers == self.home

    def is_empty(self, cell):
        return 1 <= cell[0] <= 10 and 1 <= cell[1] <= 10 and cell not in self.board

    def pseudo(self):
        """All moves as (text, kind, from, to), those that `mate` forbids included."""
        me, enemy = self.letters[self.turn], self.letters[1 - self.turn]
        forward = 1 if self.turn == 0 else -1
        if self.opening():
            row = 1 if self.turn == 0 else 10
            columns = range(1, 11) if self.corners else range(2, 10)
            return [("T" + cell_name((c, row)), "T", None, (c, row)) for c in columns]
        found = []
        for cell in [cell for cell, letter in self.board.items() if letter == me]:
            def beyond(dc, dr, n=1, cell=cell):
                return (cell[0] + n * dc, cell[1] + n * dr)

            for dc in (-1, 0, 1):
                if self.is_empty(beyond(dc, forward)):
                    found.append(("-", cell, beyond(dc, forward)))
            for dc, dr in [(-1, forward), (0, forward), (1, forward), (-1, 0), (1, 0)]:
                if self.board.get(beyond(dc, dr)) in (enemy, enemy.upper()):
                    found.append(("x", cell, beyond(dc, dr)))
            around = [(dc, dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if (dc, dr) != (0, 0)]
            if any(self.board.get(beyond(dc, dr)) == enemy for dc, dr in around):
                for dc in (-1, 0, 1):
                    if self.is_empty(beyond(dc, -forward)) and self.is_empty(beyond(dc, -forward, 2)):
                        found.append(("r", cell, beyond(dc, -forward, 2)))
            for dc, dr in around:
                # The cell is the rear soldier, two more are in front of it.
                if self.board.get(beyond(dc, dr)) != me or self.board.get(beyond(dc, dr, 2)) != me:
                    continue
                front, first, second, third = [beyond(dc, dr, n) for n in (2, 3, 4, 5)]
                if not self.is_empty(first):
                    continue
                found.append(("s", cell, first))
                if self.board.get(second) in (enemy, enemy.upper()):
                    found.append(("*", front, second))
                if self.board.get(third) in (enemy, enemy.upper()):
                    if self.is_empty(second) or self.overshoot:
                        found.append(("*", front, third))
        return [(cell_name(a) + kind + cell_name(b), kind, a, b) for kind, a, b in found]

    def choices(self):
        if self.mate and not self.opening():
            return [move[0] for move in self.pseudo() if not self.exposes(move[0])]
        return [move[0] for move in self.pseudo()]

    def exposes(self, move):
        """Could the opponent take the town after this move?"""
        town = self.letters[self.turn].upper()
        child = BoardGame.play(self, move)
        return any(child.board.get(to) == town for _, _, _, to in child.pseudo())

    def put(self, move):
        if move[0] == "T":
            self.board[self.names[move[1:]]] = self.letters[self.turn].upper()
            return
        start, sign, goal = re.fullmatch(r"([a-j]\d+)([-xrs*])([a-j]\d+)", move).groups()
        if sign == "*":
            del self.board[self.names[goal]]
        else:
            self.board[self.names[goal]] = self.board.pop(self.names[start])

    def judge(self):
        if self.opening():
            return None
        if "B" not in self.board.values():
            return -1
        if "W" not in self.board.values():
            return 1
        if not self.choices():
            return -1 if self.turn == 0 else 1
        return None


class ChineseCheckers(RepeatingGame):
    """chinese-checkers:N. Cells are (row from the top, doubled column from the centre)."""

    letters = "12"

    def __init__(self, n):
        widths = [i + 1 for i in range(n)] + [3 * n + 1 - i for i in range(n + 1)]
        widths += widths[:-1][::-1]
        self.widths = widths
        self.cells = [(r, c) for r, width in enumerate(widths) for c in range(1 - width, width, 2)]
        self.numbers = {cell: i for i, cell in enumerate(self.cells)}
        top = [cell for cell in self.cells if cell[0] < n]
        bottom = [cell for cell in self.cells if cell[0] > 3 * n]
        self.board = {**dict.fromkeys(top, "1"), **dict.fromkeys(bottom, "2")}
        self.targets = [frozenset(bottom), frozenset(top)]
        self.turn = 0
        self.begin()

    def text(self):
        ranks = ["".join(self.board.get(cell, ".") for cell in self.cells if cell[0] == r) for r in range(len(self.widths))]
        return "/".join(ranks) + " " + self.letters[self.turn]

    def position(self):
        return self.text()

    def load(self, text):
        ranks, side = text.split()
        assert [len(rank) for rank in ranks.split("/")] == self.widths
        child = copy.copy(self)
        child.board = {cell: letter for cell, letter in zip(self.cells, ranks.replace("/", "")) if letter != "."}
        child.turn = self.letters.index(side)
        child.begin()
        return child

    def choices(self):
        result = []
        for start in [cell for cell in self.cells if self.board.get(cell) == self.letters[self.turn]]:
            target = self.targets[self.turn]
            allowed = target if start in target else self.numbers
            goals = set()
            for dr, dc in [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)]:
                goal = (start[0] + dr, start[1] + dc)
                if goal in allowed and goal not in self.board:
                    goals.add(goal)
            # Hops, the piece itself lifted.
            reached, todo = {start}, [start]
            while todo:
                at = todo.pop()
                for dr, dc in [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)]:
                    over = (at[0] + dr, at[1] + dc)
                    land = (at[0] + 2 * dr, at[1] + 2 * dc)
                    if over == start or over not in self.board:
                        continue
                    if land in allowed and land not in self.board and land not in reached:
                        reached.add(land)
                        todo.append(land)
            goals |= reached - {start}
            result += ["%d-%d" % (self.numbers[start], self.numbers[goal]) for goal in goals]
        return result or ["pass"]

    def put(self, move):
        if move != "pass":
            start, goal = [self.cells[int(number)] for number in move.split("-")]
            self.board[goal] = self.board.pop(start)

    def judge(self):
        """Who moved last may have won."""
        last = 1 - self.turn
        pieces = [self.board.get(cell) for cell in self.targets[last]]
        if None not in pieces and self.letters[last] in pieces:
            return 1 if last == 0 else -1
        return None


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
    raise ValueError("unknown game " + game)


def state_after(game, moves):
    state = new_game(game)
    if moves.startswith("position "):
        return state.load(moves.removeprefix("position "))
    for move in moves.split():
        if move not in state.moves():
            raise ValueError("illegal move " + move)
        state = state.play(move)
    return state


def perft(state, depth):
    """Number of legal move sequences of exactly `depth` moves."""
    if depth == 0:
        return 1
    moves = state.moves()
    if depth == 1:
        return len(moves)
    return sum(perft(state.play(move), depth - 1) for move in moves)


class TooBig(Exception):
    pass


def at_least(state, bound, memo, limit):
    """Can First reach `bound` or more against every defence?"""
    key = state.key()
    if key not in memo:
        moves = state.moves()
        if not moves:
            memo[key] = state.score() >= bound
        else:
            results = (at_least(state.play(move), bound, memo, limit) for move in moves)
            memo[key] = any(results) if state.turn == 0 else all(results)
        if limit and len(memo) > limit:
            raise TooBig()
    return memo[key]


def value(state, limit=None):
    """Exact score in First's view."""
    if hasattr(state, "scores"):
        low, *rest = state.scores()
        while rest:
            middle = rest[len(rest) // 2]
            if at_least(state, middle, {}, limit):
                low, rest = middle, rest[len(rest) // 2 + 1 :]
            else:
                rest = rest[: len(rest) // 2]
        return low
    if at_least(state, 1, {}, limit):
        return 1
    if not getattr(state, "draws", True):
        return -1
    return 0 if at_least(state, 0, {}, limit) else -1


def endless_values(state):
    """Exact scores of all positions that can follow, when endless play is a draw: from
    the ends of the game backwards through the graph of positions, histories aside."""
    graph, scores, todo = {}, {}, [state]
    while todo:
        node = todo.pop()
        if node.key() in graph:
            continue
        node.begin()
        moves = node.moves()
        children = [node.play(move) for move in moves]
        graph[node.key()] = (node.turn, [child.key() for child in children])
        if not moves:
            scores[node.key()] = node.score()
        todo += children
    result = dict.fromkeys(graph, 0)
    for player, best in [(0, 1), (1, -1)]:
        won = {key for key in scores if scores[key] == best}
        grown = True
        while grown:
            grown = False
            for key, (turn, children) in graph.items():
                if key in won or not children:
                    continue
                good = (child in won for child in children)
                if any(good) if turn == player else all(good):
                    won.add(key)
                    grown = True
        for key in won:
            result[key] = best
    return result, scores


def outcome(state):
    if state.moves():
        return "-"
    score = state.score()
    return "draw" if score == 0 else "first" if score > 0 else "second"


# ---------------------------------------------------------------- data files

# Start positions whose perft is listed for every small depth.
PERFT = {
    "tictactoe": ["tictactoe"],
    "mnk": """mnk:1x1k1 mnk:1x1k2 mnk:2x2k1 mnk:2x2k2 mnk:2x2k3 mnk:1x5k3 mnk:5x1k3 mnk:2x3k2
        mnk:3x3k3 mnk:3x3k4 mnk:4x3k3 mnk:3x4k3 mnk:4x4k3 mnk:4x4k4 mnk:5x2k3 mnk:2x5k5
        mnk:6x5k4 mnk:7x7k5 mnk:8x8k5 mnk:9x9k5 mnk:10x10k5 mnk:11x11k5 mnk:12x10k6 mnk:30x2k4""".split(),
    "connect4": """connect4 connect4:7x6 connect4:1x1 connect4:1x6 connect4:1x6k2 connect4:6x1 connect4:5x1k2
        connect4:2x2k2 connect4:2x3k3 connect4:3x3k3 connect4:3x3 connect4:4x4 connect4:4x4k3
        connect4:5x4 connect4:4x5k3 connect4:5x5k5 connect4:6x6k7 connect4:7x6k3 connect4:6x7k5
        connect4:8x7 connect4:8x8 connect4:9x7 connect4:7x9k5 connect4:12x10 connect4:28x2k3""".split(),
    "domineering": """domineering:1x1 domineering:1x4 domineering:4x1 domineering:1x7 domineering:2x2
        domineering:3x2 domineering:2x3 domineering:3x3 domineering:4x3 domineering:4x4 domineering:5x5
        domineering:6x4 domineering:4x6 domineering:8x8 domineering:9x7 domineering:10x10
        domineering:11x11 domineering:12x10 domineering:30x2 domineering:1x1,first=H
        domineering:1x4,first=H domineering:4x1,first=H domineering:3x2,first=H domineering:2x3,first=H
        domineering:4x4,first=H domineering:5x4,first=H domineering:8x8,first=H domineering:10x10,first=H
        domineering:12x10,first=H""".split(),
    "nogo": """nogo:1x1 nogo:1x2 nogo:2x1 nogo:1x3 nogo:3x1 nogo:1x8 nogo:8x1 nogo:2x2 nogo:3x2 nogo:2x3
        nogo:3x3 nogo:4x3 nogo:3x4 nogo:4x4 nogo:5x4 nogo:5x5 nogo:6x6 nogo:7x7 nogo:8x8 nogo:9x9
        nogo:10x10 nogo:11x11 nogo:12x10 nogo:28x2""".split(),
    "y": ["y:%d" % n for n in range(1, 16)],
    "seki": """seki:1,1 seki:1,1,0 seki:1,1,1 seki:2,1 seki:1,2 seki:2,2 seki:2,2,0 seki:2,2,1 seki:2,1,3
        seki:3,2 seki:2,3,1 seki:3,3 seki:3,4 seki:4,3,0 seki:1,4,4 seki:3,3,3 seki:6,6 seki:6,1
        seki:1,6,0 seki:5,6,4 seki:10,11 seki:12,3,1""".split(),
    "amazons": """amazons amazons:10x10 amazons:4x4 amazons:5x4 amazons:4x5 amazons:5x5 amazons:6x5 amazons:6x6
        amazons:7x7 amazons:8x8 amazons:9x9 amazons:8x10 amazons:11x11 amazons:16x8 amazons:32x4
        amazons:4x32""".split(),
    "breakthrough": """breakthrough breakthrough:8x8 breakthrough:2x2,rows=1 breakthrough:2x3,rows=1
        breakthrough:3x3,rows=1 breakthrough:4x4 breakthrough:4x4,rows=1 breakthrough:5x4
        breakthrough:5x4,rows=1 breakthrough:5x5 breakthrough:5x5,rows=1 breakthrough:6x5 breakthrough:6x6
        breakthrough:7x7 breakthrough:8x8,rows=1 breakthrough:8x8,rows=3 breakthrough:9x8
        breakthrough:10x10 breakthrough:10x10,rows=5 breakthrough:16x8 breakthrough:2x64
        breakthrough:64x2,rows=1""".split(),
    "pentalath": """pentalath pentalath:2 pentalath:2,k=1 pentalath:2,k=2 pentalath:2,k=3 pentalath:3
        pentalath:3,k=2 pentalath:3,k=3 pentalath:3,k=4 pentalath:4 pentalath:4,k=3 pentalath:5
        pentalath:5,k=6 pentalath:6 pentalath:2,k=3,swap=yes pentalath:3,swap=yes pentalath:5,swap=yes
        pentalath:6,k=4,swap=yes""".split(),
    "go": """go go:1x1 go:1x2 go:2x1 go:1x3 go:1x4,suicide=yes go:2x2 go:2x2,suicide=yes go:3x2 go:2x3,suicide=yes
        go:3x3 go:3x3,suicide=yes go:4x3 go:4x4 go:5x5,komi=7.5 go:6x7 go:9x9 go:11x11 go:12x11 go:13x13 go:19x19
        go:seki=1,1 go:seki=2,3 go:seki=5,4""".split(),
    "loa": """loa loa:3x3 loa:4x4 loa:5x5 loa:6x6 loa:7x7 loa:8x8 loa:9x9 loa:10x10 loa:11x11""".split(),
    "checkers": """checkers checkers:4x4 checkers:5x5 checkers:6x6 checkers:7x7 checkers:8x8 checkers:9x9
        checkers:10x10 checkers:5x5,rows=2 checkers:7x7,rows=3 checkers:10x10,rows=4 checkers:8x8,rows=1
        checkers:8x8,rows=2,draw=none checkers:4x4,draw=none""".split(),
    "cannon": "cannon cannon:corners=yes cannon:overshoot=yes cannon:mate=yes cannon:corners=yes,overshoot=yes,mate=yes".split(),
    "chinese-checkers": ["chinese-checkers"] + ["chinese-checkers:%d" % n for n in range(1, 5)],
}

# Start positions whose exact value is listed.
VALUES = {
    "tictactoe": ["tictactoe"],
    "mnk": """mnk:1x1k1 mnk:1x1k2 mnk:2x2k1 mnk:2x2k2 mnk:2x2k3 mnk:1x3k2 mnk:3x1k2 mnk:1x4k2 mnk:4x1k2
        mnk:1x8k3 mnk:8x1k3 mnk:3x2k2 mnk:2x3k3 mnk:3x3k2 mnk:3x3k3 mnk:3x3k4 mnk:5x2k3 mnk:2x5k3
        mnk:4x3k3 mnk:3x4k3 mnk:4x3k4 mnk:3x4k4 mnk:4x4k4""".split(),
    "connect4": """connect4:1x1 connect4:1x4 connect4:4x1 connect4:1x6k2 connect4:6x1k2 connect4:2x2k2
        connect4:2x3k2 connect4:3x3k3 connect4:3x4k3 connect4:4x3k3 connect4:4x4k3 connect4:5x3k3
        connect4:5x4k3 connect4:3x3 connect4:2x6 connect4:6x2 connect4:4x2 connect4:2x4 connect4:4x3
        connect4:3x4 connect4:4x4 connect4:5x3 connect4:3x5 connect4:5x4 connect4:4x5
        connect4:4x4k5""".split(),
    "domineering": ["domineering:%dx%d" % (c, r) for c in range(1, 6) for r in range(1, 6)]
        + """domineering:4x6 domineering:6x4 domineering:1x9 domineering:9x1 domineering:2x9
        domineering:9x2 domineering:3x6 domineering:6x3""".split()
        + ["domineering:%dx%d,first=H" % (c, r) for c in range(1, 5) for r in range(1, 5)]
        + """domineering:5x5,first=H domineering:4x6,first=H domineering:6x4,first=H
        domineering:1x9,first=H domineering:9x1,first=H""".split(),
    "nogo": ["nogo:1x%d" % n for n in range(1, 12)] + ["nogo:%dx1" % n for n in range(2, 12)]
        + """nogo:2x2 nogo:3x2 nogo:2x3 nogo:4x2 nogo:2x4 nogo:5x2 nogo:2x5 nogo:3x3 nogo:4x3
        nogo:3x4""".split(),
    "y": ["y:1", "y:2", "y:3", "y:4"],
    "seki": ["seki:%d,%d" % (a, b) for b in range(1, 7) for a in range(1, 7)]
        + ["seki:%d,%d,%d" % (a, b, s) for s in (0, 1, 3) for b in range(1, 4) for a in range(1, 4)]
        + "seki:2,4,1 seki:4,2,1 seki:1,4,3 seki:4,1,3 seki:2,2,4".split(),
    "amazons": ["amazons:4x4"],
    "breakthrough": """breakthrough:2x2,rows=1 breakthrough:2x3,rows=1 breakthrough:2x4,rows=1
        breakthrough:2x5,rows=1 breakthrough:2x4 breakthrough:2x5 breakthrough:2x6 breakthrough:2x7
        breakthrough:2x6,rows=3 breakthrough:3x2,rows=1 breakthrough:3x3,rows=1 breakthrough:3x4,rows=1
        breakthrough:3x5,rows=1 breakthrough:3x4 breakthrough:3x5 breakthrough:4x2,rows=1
        breakthrough:4x3,rows=1 breakthrough:4x4,rows=1 breakthrough:4x5,rows=1 breakthrough:4x4
        breakthrough:5x2,rows=1 breakthrough:5x3,rows=1 breakthrough:5x4,rows=1 breakthrough:5x4""".split(),
    "pentalath": """pentalath:2,k=1 pentalath:2,k=2 pentalath:3,k=2 pentalath:2,k=1,swap=yes
        pentalath:2,k=2,swap=yes""".split(),
    "go": """go:1x1 go:1x2 go:2x1 go:1x3 go:3x1,suicide=yes go:1x3,komi=2.5 go:1x3,komi=3 go:1x4
        go:seki=1,1 go:seki=1,2 go:seki=2,1""".split(),
}

# Games whose positions can repeat: all that can follow from here is solved, some of it is listed.
ENDINGS = {
    "loa": ["loa:3x3|", "loa:4x4|position b..b/..../.w../...w b", "loa:4x4|position b..b/...w/w.../..b. w",
            "loa:5x5|position b...b/...../...../.w.../...w. b"],
    "checkers": ["checkers:4x4|", "checkers:4x4,draw=none|",
                 "checkers:5x5|position ..W../...../..B../...../W.... w",
                 "checkers:5x5,draw=none|position ..b../.b.../...../...w./..w.. w",
                 "checkers:6x6,draw=none|position ...W../....../....../....B./.W..../...... b",
                 "checkers:6x6,draw=none|position ....../..B.../....../....W./....../w..... w",
                 "checkers:7x7,draw=none|position ..W..../......./......./...B.../......./...W.../....... w"],
    "cannon": ["cannon|position ....W...../........../...b....../....b...../........../........../.....w..../..w......./........../...B...... b",
               "cannon|position ...W....../........../...b....../...b....../...b....../........../........../........../..w......./..B....... w",
               "cannon:mate=yes|position ....W...../........../....b...../...b....../........../........../.....w..../........../........../...B...... b",
               "cannon:corners=yes|position W........./........../.b......../........../........../........../........w./.......w../........../.........B w"],
    "chinese-checkers": ["chinese-checkers:1|",
                         "chinese-checkers:2|position 2/2./......./..1.../...../....../....2../.1/1 1",
                         "chinese-checkers:2|position 2/../......2/..1.../...../....../......./11/2 1"],
}

# Boards for random lines into the middle of the game.
MIDDLE = {
    "tictactoe": ["tictactoe"],
    "mnk": """mnk:3x3k3 mnk:4x3k3 mnk:3x4k3 mnk:4x4k4 mnk:5x3k4 mnk:5x5k4 mnk:1x9k3 mnk:6x6k5 mnk:7x7k6
        mnk:6x4k7 mnk:9x9k5 mnk:10x10k5 mnk:27x2k3""".split(),
    "connect4": """connect4 connect4:4x4 connect4:5x4 connect4:5x5k3 connect4:6x6k5 connect4:7x6k5
        connect4:8x7 connect4:8x8k5 connect4:9x7k6 connect4:12x3 connect4:1x9k3 connect4:11x2k3""".split(),
    "domineering": """domineering:4x4 domineering:5x5 domineering:6x4,first=H domineering:4x6 domineering:6x6
        domineering:7x5,first=H domineering:8x8 domineering:8x8,first=H domineering:1x12 domineering:12x1,first=H
        domineering:9x10 domineering:28x3""".split(),
    "nogo": """nogo:3x3 nogo:4x3 nogo:3x4 nogo:4x4 nogo:5x5 nogo:6x5 nogo:7x7 nogo:9x9 nogo:1x12 nogo:12x1
        nogo:11x11 nogo:28x2""".split(),
    "y": "y:2 y:3 y:4 y:5 y:6 y:7 y:8 y:9 y:11 y:13 y:15".split(),
    "seki": """seki:1,1 seki:2,2 seki:3,4 seki:4,3,1 seki:3,3,0 seki:2,3,3 seki:2,2,4 seki:6,6 seki:5,4,3
        seki:1,5,2 seki:10,9,2""".split(),
    "amazons": """amazons:4x4 amazons:5x4 amazons:4x5 amazons:5x5 amazons:6x5 amazons:6x6 amazons:8x8
        amazons:10x10 amazons:7x9 amazons:12x10 amazons:4x20""".split(),
    "breakthrough": """breakthrough:4x4 breakthrough:5x4,rows=1 breakthrough:4x5 breakthrough:5x5
        breakthrough:5x6,rows=1 breakthrough:6x6 breakthrough:7x7,rows=3 breakthrough:8x8 breakthrough:10x10
        breakthrough:9x12 breakthrough:2x20 breakthrough:28x4""".split(),
    "pentalath": """pentalath:2 pentalath:2,k=3 pentalath:3 pentalath:3,k=4 pentalath:3,k=3,swap=yes pentalath:4
        pentalath:5 pentalath:5,swap=yes pentalath:6 pentalath:6,k=7 pentalath:4,k=6""".split(),
    "go": """go:2x2 go:3x2 go:3x3 go:4x3,suicide=yes go:4x4 go:5x5,komi=0.5 go:7x6 go:1x7 go:9x9 go:seki=2,3
        go:3x3,komi=-1.5,suicide=yes""".split(),
    "loa": "loa:4x4 loa:5x5 loa:6x6 loa:7x7 loa:8x8 loa:3x3 loa:4x4 loa:9x9".split(),
    "checkers": """checkers checkers:4x4 checkers:5x5 checkers:6x6 checkers:7x7 checkers:8x8,draw=none
        checkers:9x9 checkers:10x10 checkers:10x10,rows=4 checkers:6x6,rows=1 checkers:8x8,rows=1,draw=none
        checkers:5x5,rows=2""".split(),
    "cannon": "cannon cannon:corners=yes cannon cannon:overshoot=yes cannon:mate=yes cannon:overshoot=yes".split(),
    "chinese-checkers": """chinese-checkers:3 chinese-checkers:4 chinese-checkers:2 chinese-checkers:2 chinese-checkers
        chinese-checkers:1""".split(),
}

# Lines chosen by hand for the positions files.
SPECIAL = {
    "tictactoe": ["c3 b3 b1 a2 a3 c2 c1 a1 b2",  # a win with the last cell
                  "b2 a1 c1 a3 a2 c2 b1 b3 c3"],  # a draw
    "mnk": ["mnk:5x2k3|a1 a2 b1 b2 d1 d2 e1 e2 c1"],  # five in a row where three win
    "connect4": ["connect4:7x2|1 1 2 2 3 3 5 5 6 6 7 7 4", "connect4:12x4|10 12 1"],
    "seki": ["seki:1,1,1|o1 o1", "seki:1,1,1|o1 o1 s1",  # capture without own liberty
             "seki:1,2,1|pass o1",  # s1 would be suicide
             "seki:2,2|pass", "seki:2,2|pass pass", "seki:3,3|o2 o3 m1 m1"],
    "amazons": ["amazons:4x4|a2-b3/a2"],  # an arrow on the cell just left
    "breakthrough": ["breakthrough:3x3,rows=1|a1-b2 a3xb2 c1xb2",  # captures to both sides
                     "breakthrough:26x2,rows=1|x1xw2"],  # a column of the name of the capture sign
    # A ko that may not be taken back, and may after moves elsewhere; suicide of two stones.
    "go": ["go:4x4|b4 c4 a3 d3 b2 c2 c3 b3", "go:4x4|b4 c4 a3 d3 b2 c2 c3 b3 a1 d1", "go:2x1|a1 b1",
           "go:3x2,suicide=yes|a1 b1 pass b2", "go:3x2,suicide=yes|a1 b1 pass b2 a2", "go:2x2,komi=0.5|a1 pass pass",
           "go:seki=1,1|a5 c5", "go:seki=1,1|pass pass"],
    # A stone alone on the board for the first, second and third time; taking over the first stone.
    "pentalath": ["pentalath:2|a1" + " a2 b1 b2 c1 c2 a1 b3 b1 c1 a1 b1 a1" * n for n in (0, 1, 2)]
        + ["pentalath:3,swap=yes|c3", "pentalath:3,swap=yes|c3 swap", "pentalath:3,swap=yes|c3 swap c2"],
    "loa": ["loa:8x8|b1-b3 a2-c2 b3-b1 c2-a2", "loa:8x8|b1-b3 a2-c2 b3-b1 c2-a2 b1-b3 a2-c2 b3-b1 c2-a2",
            "loa:6x6|position ....bw/....bb/....../...b../bb..../wb.... w",  # pass
            "loa:5x5|position ...../.b.../..w../....w/..b.w b", "loa:5x5|position ...../.b.../..b../....w/....w w"],
    "checkers": ["checkers:8x8|position ......../......../......../......../.b.b..../......../.b.b..../..W..... w",
                 "checkers:8x8|position ......../..b.b.../.w....../......../......../......../......../........ w",
                 "checkers:8x8|position ......../......../......../......../......../......../.B....../W....... w",
                 "checkers:8x8,draw=none|position ......../......../......../......../......../......../.B....../W....... w",
                 "checkers:8x8|position ......../......../......../......../......../W.W...../......../B....... w 24",
                 "checkers:8x8|position .......B/......../......../......../......../W.W...../......../........ w 25",
                 "checkers:10x10,rows=4|position ........../........../...b...b../........../.b.b.b..../"
                 "........../.b...b.b../W........./.b.b...b../.......... w"],
    # Shots at the second and third point, over a piece, towns taken, a player without a move.
    "cannon": ["cannon|position ....W...../w........./....w...../...w....../....bw..../....b...../....b...../..bb....../........../...Bw..... b",
               "cannon:overshoot=yes|position .......W../........../........../........../www.ww..../....b..bbb/........../..b......./.b......../b..B...... b",
               "cannon:overshoot=yes|position .......W../........../........../........../www.ww..../....b..bbb/........../..b......./.b......../b..B...... w",
               "cannon:mate=yes|position ....W...../.........w/...w....../..w......./......w.../..bbb...../........../........../....wb..../...B...... b",
               "cannon|position ........../........../........../...w....../........../........../........../..b......./........../...B...... w",
               "cannon|position b...W...../........../........../........../........../.........w/........../........../........../...B...... b",
               "cannon:corners=yes|position W........./........../b........./b........./b........./........../.......w../........w./.........w/.........B w",
               "cannon|Td1", "cannon|Td1 Te10", "cannon:corners=yes|Tj1 Ta10"],
    # A full target arm, by the own move and by the opponent's; nothing but pass.
    "chinese-checkers": ["chinese-checkers:1|position 2/..../.1./..../. 1", "chinese-checkers:1|position ./..../.2./..../1 2",
                         "chinese-checkers:2|position 2/21/......./....../..2../....../......./11/. 1",
                         "chinese-checkers:2|position 2/21/......./....../..1../....../......./.1/2 2",
                         "chinese-checkers:2|position 2/21/......./....../..1../....../......./.1/2 1",
                         "chinese-checkers:2|position 2/2./......./..1.../...../....../......./11/2 1",
                         "chinese-checkers|position 2/../.../122......./2......../2......./......./......../........./........../111/11/2 1",
                         "chinese-checkers|3-9"],
}

NOTES = {
    "tictactoe": "Summed over all depths, 255168 games finish, the well-known total (checked).",
    "checkers": "The 8x8 counts 7, 49, 302, 1469, 7361, 36768, 179740 are the published ones (checked).",
    "connect4": "The 7x6 counts 7, 49, 343, 2401, 16807, 117649, 823536 are the known sequence (checked).",
    "amazons": "The 10x10 counts 2176, 4307152 are the known ones (checked).",
    "breakthrough": "The 8x8 counts begin with the known 22, 484 (checked).",
}

# The longest lines into the middle of the game; finished games are listed whole.
LONGEST = {"chinese-checkers": 120}

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
        cap = {"tictactoe": 10_000_000, "nogo": 100_000, "pentalath": 30_000, "go": 20_000}.get(name, 300_000)
        cap = {"tictactoe": 10_000_000, "nogo": 100_000, "pentalath": 30_000, "loa": 100_000, "cannon": 20_000,
               "chinese-checkers": 20_000}.get(name, 300_000)
        write_file("perft", name, "GAME | MOVES | DEPTH | COUNT", perft_lines(name, cap))
        lines = ending_lines(name) if name in ENDINGS else value_lines(name)
        write_file("values", name, "GAME | MOVES | SCORE in First's view", lines)
        write_file("positions", name, "GAME | MOVES | POSITION TEXT | LEGAL MOVES | OUTCOME", position_lines(name))


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
