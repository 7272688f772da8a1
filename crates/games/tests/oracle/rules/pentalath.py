"""Pentalath."""

import copy

from .board import BoardGame


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

    def begin(self):
        """Starts a history at the position as it stands; after two moves nobody may swap."""
        if sum(self.seen.values()) > 2:
            self.seen = {self.text(): 1, "two moves": 2}

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
