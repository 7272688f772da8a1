"""Domineering."""

from .board import BoardGame, cell_name


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
