"""Trees written as text."""

import copy
import re


class Written:
    """written:TREE, e.g. ((+ -) = (- =)). A node is [who moves or None, its score, numbers of its children]."""

    def __init__(self, tree):
        words = re.findall(r"[12]?\(|\)|[^\s()]+", tree)
        self.nodes = []
        self.at = 0
        self.read(words, 0)
        assert not words
        scores = [score for mover, score, _ in self.nodes if mover is None]
        self.range = min(-1, *scores), max(1, *scores)

    def read(self, words, turn):
        word = words.pop(0)
        number = len(self.nodes)
        if not word.endswith("("):
            self.nodes.append([None, {"+": 1, "=": 0, "-": -1}.get(word) if word in "+=-" else int(word), []])
            return number
        mover = turn if word == "(" else int(word[0]) - 1
        self.nodes.append([mover, None, []])
        while words[0] != ")":
            child = self.read(words, 1 - mover)
            self.nodes[number][2].append(child)
        words.pop(0)
        return number

    @property
    def turn(self):
        return self.nodes[self.at][0]

    def moves(self):
        return [str(i) for i in range(len(self.nodes[self.at][2]))]

    def play(self, move):
        child = copy.copy(self)
        child.at = self.nodes[self.at][2][int(move)]
        return child

    def score(self):
        return self.nodes[self.at][1]

    def scores(self):
        return range(self.range[0], self.range[1] + 1)

    def text(self):
        return str(self.at)

    def key(self):
        return self.at
