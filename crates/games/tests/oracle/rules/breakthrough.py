"""Breakthrough."""

import re

from .board import BoardGame, cell_name


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
