"""The game of Y."""

from .board import BoardGame, cell_name


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
