"""Amazons."""

import re

from .board import BoardGame, cell_name


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
