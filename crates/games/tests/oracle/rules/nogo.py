"""NoGo."""

from .board import ORTHOGONAL, BoardGame


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
