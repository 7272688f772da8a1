"""Lines of Action."""

import re

from .board import RepeatingGame, cell_name


class Loa(RepeatingGame):
    """loa:NxN"""

    letters = "bw"

    def __init__(self, size):
        super().__init__(size, size)
        for cell in self.cells:
            at_top_or_bottom = cell[1] in (1, size)
            at_left_or_right = cell[0] in (1, size)
            if at_top_or_bottom and not at_left_or_right:
                self.board[cell] = "b"
            if at_left_or_right and not at_top_or_bottom:
                self.board[cell] = "w"
        self.begin()

    def neighbours(self, cell):
        return [(cell[0] + dc, cell[1] + dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if dc or dr]

    def connected(self, letter):
        own = [cell for cell in self.board if self.board[cell] == letter]
        return len(self.group(own[0], self.neighbours)) == len(own)

    def judge(self):
        black, white = self.connected("b"), self.connected("w")
        if black and white:
            return 0
        if black:
            return 1
        return -1 if white else None

    def pieces_on_line(self, cell, direction):
        count = 0
        for c, r in self.board:
            dc, dr = c - cell[0], r - cell[1]
            # On the line through the cell: (dc, dr) is a multiple of the direction.
            if dc * direction[1] == dr * direction[0]:
                count += 1
        return count

    def choices(self):
        me, enemy = self.letters[self.turn], self.letters[1 - self.turn]
        result = []
        for cell in self.cells:
            if self.board.get(cell) != me:
                continue
            for dc in (-1, 0, 1):
                for dr in (-1, 0, 1):
                    if (dc, dr) == (0, 0):
                        continue
                    distance = self.pieces_on_line(cell, (dc, dr))
                    way = [(cell[0] + i * dc, cell[1] + i * dr) for i in range(1, distance + 1)]
                    goal = way[-1]
                    if goal not in self.names.values():
                        continue
                    if any(self.board.get(c) == enemy for c in way[:-1]) or self.board.get(goal) == me:
                        continue
                    sign = "x" if goal in self.board else "-"
                    result.append(cell_name(cell) + sign + cell_name(goal))
        return result or ["pass"]

    def put(self, move):
        if move != "pass":
            start, goal = [self.names[name] for name in re.split("[x-]", move)]
            self.board[goal] = self.board.pop(start)
