"""English draughts."""

import re

from .board import RepeatingGame, cell_name


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
