"""What the games on boards share: cells, groups, repetition."""

import copy

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
