"""m,n,k-games, with Tic-tac-toe, and Connect Four."""

from .board import BoardGame


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
