"""Chinese Checkers for two."""

import copy

from .board import RepeatingGame


class ChineseCheckers(RepeatingGame):
    """chinese-checkers:N. Cells are (row from the top, doubled column from the centre)."""

    letters = "12"

    def __init__(self, n):
        widths = [i + 1 for i in range(n)] + [3 * n + 1 - i for i in range(n + 1)]
        widths += widths[:-1][::-1]
        self.widths = widths
        self.cells = [(r, c) for r, width in enumerate(widths) for c in range(1 - width, width, 2)]
        self.numbers = {cell: i for i, cell in enumerate(self.cells)}
        top = [cell for cell in self.cells if cell[0] < n]
        bottom = [cell for cell in self.cells if cell[0] > 3 * n]
        self.board = {**dict.fromkeys(top, "1"), **dict.fromkeys(bottom, "2")}
        self.targets = [frozenset(bottom), frozenset(top)]
        self.turn = 0
        self.begin()

    def text(self):
        ranks = ["".join(self.board.get(cell, ".") for cell in self.cells if cell[0] == r) for r in range(len(self.widths))]
        return "/".join(ranks) + " " + self.letters[self.turn]

    def position(self):
        return self.text()

    def load(self, text):
        ranks, side = text.split()
        assert [len(rank) for rank in ranks.split("/")] == self.widths
        child = copy.copy(self)
        child.board = {cell: letter for cell, letter in zip(self.cells, ranks.replace("/", "")) if letter != "."}
        child.turn = self.letters.index(side)
        child.begin()
        return child

    def choices(self):
        result = []
        for start in [cell for cell in self.cells if self.board.get(cell) == self.letters[self.turn]]:
            target = self.targets[self.turn]
            allowed = target if start in target else self.numbers
            goals = set()
            for dr, dc in [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)]:
                goal = (start[0] + dr, start[1] + dc)
                if goal in allowed and goal not in self.board:
                    goals.add(goal)
            # Hops, the piece itself lifted.
            reached, todo = {start}, [start]
            while todo:
                at = todo.pop()
                for dr, dc in [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)]:
                    over = (at[0] + dr, at[1] + dc)
                    land = (at[0] + 2 * dr, at[1] + 2 * dc)
                    if over == start or over not in self.board:
                        continue
                    if land in allowed and land not in self.board and land not in reached:
                        reached.add(land)
                        todo.append(land)
            goals |= reached - {start}
            result += ["%d-%d" % (self.numbers[start], self.numbers[goal]) for goal in goals]
        return result or ["pass"]

    def put(self, move):
        if move != "pass":
            start, goal = [self.cells[int(number)] for number in move.split("-")]
            self.board[goal] = self.board.pop(start)

    def judge(self):
        """Who moved last may have won."""
        last = 1 - self.turn
        pieces = [self.board.get(cell) for cell in self.targets[last]]
        if None not in pieces and self.letters[last] in pieces:
            return 1 if last == 0 else -1
        return None
