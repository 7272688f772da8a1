"""Go, and races on its board."""

import copy
import math

from .board import ORTHOGONAL, BoardGame


class Go(BoardGame):
    """go:CxR[,komi=K][,suicide=yes] and go:seki=A,B"""

    letters = "bw"

    def __init__(self, columns, rows, komi=0.0, suicide=False, race=None):
        super().__init__(columns, rows)
        self.names = {"abcdefghjklmnopqrst"[c - 1] + str(r): (c, r) for c, r in self.cells}
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
        if race is None:
            self.range = self.rounded(-columns * rows - komi), self.rounded(columns * rows - komi)

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
        return self.rounded(points)

    @staticmethod
    def rounded(points):
        return math.ceil(points) if points > 0 else math.floor(points)

    def scores(self):
        """All scores there may be."""
        if self.race is not None:
            return [-1, 0, 1]
        most = self.columns * self.rows + 1 + int(abs(self.komi))
        return range(-most, most + 1)
