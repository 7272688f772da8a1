"""Races between two strings, by their liberties alone."""

import copy


class Seki:
    """seki:A,B[,S]. outside[0] and outside[1] are the free outside liberties
    of First's and of the second player's string, shared the free shared ones."""

    def __init__(self, a, b, s):
        self.counts = a, s, b
        self.outside = [set(range(1, a + 1)), set(range(1, b + 1))]
        self.shared = set(range(1, s + 1))
        self.turn = 0
        self.passes = 0
        self.captor = None

    def liberties(self, player):
        return len(self.outside[player]) + len(self.shared)

    def moves(self):
        if self.captor is not None or self.passes == 2:
            return []
        me, opponent = self.turn, 1 - self.turn
        result = ["o%d" % i for i in sorted(self.outside[opponent])]
        if self.liberties(opponent) == 1 or self.liberties(me) > 1:
            result += ["s%d" % i for i in sorted(self.shared)]
        if self.liberties(me) > 1:
            result += ["m%d" % i for i in sorted(self.outside[me])]
        return result + ["pass"]

    def play(self, move):
        child = copy.copy(self)
        child.outside = [set(self.outside[0]), set(self.outside[1])]
        child.shared = set(self.shared)
        me, opponent = self.turn, 1 - self.turn
        child.turn = opponent
        if move == "pass":
            child.passes = self.passes + 1
            return child
        child.passes = 0
        points = {"o": child.outside[opponent], "s": child.shared, "m": child.outside[me]}
        points[move[0]].remove(int(move[1:]))
        if child.liberties(opponent) == 0:
            child.captor = me
        return child

    def score(self):
        return {None: 0, 0: 1, 1: -1}[self.captor]

    def text(self):
        free = self.outside[0], self.shared, self.outside[1]
        ranks = ["".join(".#"[i not in points] for i in range(1, n + 1)) for n, points in zip(self.counts, free)]
        return "%s %s %d" % ("/".join(ranks), ["max", "min"][self.turn], self.passes)

    def key(self):
        points = tuple(frozenset(s) for s in [*self.outside, self.shared])
        return points, self.turn, self.passes, self.captor
