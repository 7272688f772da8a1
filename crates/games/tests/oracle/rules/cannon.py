"""Cannon."""

import re

from .board import BoardGame, RepeatingGame, cell_name


class Cannon(RepeatingGame):
    """cannon[:corners=yes|no][,overshoot=yes|no][,mate=yes|no]"""

    letters = "bw"

    def __init__(self, corners, overshoot, mate):
        super().__init__(10, 10)
        self.corners = corners
        self.overshoot = overshoot
        self.mate = mate
        for file in "bdfhj":
            for rank in "234":
                self.board[self.names[file + rank]] = "b"
        for file in "acegi":
            for rank in "789":
                self.board[self.names[file + rank]] = "w"
        self.home = dict(self.board)
        self.begin()

    def opening(self):
        """Some town is still to be placed."""
        soldiers = {cell: letter for cell, letter in self.board.items() if letter in "bw"}
        return "W" not in self.board.values() and soldiers == self.home

    def is_empty(self, cell):
        return 1 <= cell[0] <= 10 and 1 <= cell[1] <= 10 and cell not in self.board

    def pseudo(self):
        """All moves as (text, kind, from, to), those that `mate` forbids included."""
        me, enemy = self.letters[self.turn], self.letters[1 - self.turn]
        forward = 1 if self.turn == 0 else -1
        if self.opening():
            row = 1 if self.turn == 0 else 10
            columns = range(1, 11) if self.corners else range(2, 10)
            return [("T" + cell_name((c, row)), "T", None, (c, row)) for c in columns]
        found = []
        for cell in [cell for cell, letter in self.board.items() if letter == me]:
            def beyond(dc, dr, n=1, cell=cell):
                return (cell[0] + n * dc, cell[1] + n * dr)

            for dc in (-1, 0, 1):
                if self.is_empty(beyond(dc, forward)):
                    found.append(("-", cell, beyond(dc, forward)))
            for dc, dr in [(-1, forward), (0, forward), (1, forward), (-1, 0), (1, 0)]:
                if self.board.get(beyond(dc, dr)) in (enemy, enemy.upper()):
                    found.append(("x", cell, beyond(dc, dr)))
            around = [(dc, dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if (dc, dr) != (0, 0)]
            if any(self.board.get(beyond(dc, dr)) == enemy for dc, dr in around):
                for dc in (-1, 0, 1):
                    if self.is_empty(beyond(dc, -forward)) and self.is_empty(beyond(dc, -forward, 2)):
                        found.append(("r", cell, beyond(dc, -forward, 2)))
            for dc, dr in around:
                # The cell is the rear soldier, two more are in front of it.
                if self.board.get(beyond(dc, dr)) != me or self.board.get(beyond(dc, dr, 2)) != me:
                    continue
                front, first, second, third = [beyond(dc, dr, n) for n in (2, 3, 4, 5)]
                if not self.is_empty(first):
                    continue
                found.append(("s", cell, first))
                if self.board.get(second) in (enemy, enemy.upper()):
                    found.append(("*", front, second))
                if self.board.get(third) in (enemy, enemy.upper()):
                    if self.is_empty(second) or self.overshoot:
                        found.append(("*", front, third))
        return [(cell_name(a) + kind + cell_name(b), kind, a, b) for kind, a, b in found]

    def choices(self):
        if self.mate and not self.opening():
            return [move[0] for move in self.pseudo() if not self.exposes(move[0])]
        return [move[0] for move in self.pseudo()]

    def exposes(self, move):
        """Could the opponent take the town after this move?"""
        town = self.letters[self.turn].upper()
        child = BoardGame.play(self, move)
        return any(child.board.get(to) == town for _, _, _, to in child.pseudo())

    def put(self, move):
        if move[0] == "T":
            self.board[self.names[move[1:]]] = self.letters[self.turn].upper()
            return
        start, sign, goal = re.fullmatch(r"([a-j]\d+)([-xrs*])([a-j]\d+)", move).groups()
        if sign == "*":
            del self.board[self.names[goal]]
        else:
            self.board[self.names[goal]] = self.board.pop(self.names[start])

    def judge(self):
        if self.opening():
            return None
        if "B" not in self.board.values():
            return -1
        if "W" not in self.board.values():
            return 1
        if not self.choices():
            return -1 if self.turn == 0 else 1
        return None
