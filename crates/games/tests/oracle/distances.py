"""Values and distances of positions where endless play is a draw: slowly, sweep by sweep over all
positions that can follow, histories aside.

    python3 distances.py GAME < LINES

Each line has moves from the start, or `position` and a text; for each SCORE PLIES is written, or 0 -
where nobody wins. What was played before does not count.

In sweep n a position joins those that are won after n plies if a successor, or every successor, has
joined in an earlier sweep. Shares no code with the program: the rules are those of rules/.
"""

import sys

from rules import state_after


def graph_of(states):
    """By key: who is to move, the keys of the successors, and the score of a finished game."""
    graph, todo = {}, list(states)
    while todo:
        state = todo.pop()
        if state.key() in graph:
            continue
        moves = state.moves()
        children = [state.play(move) for move in moves]
        for child in children:
            child.begin()
        score = None if moves else state.score()
        graph[state.key()] = (state.turn, {child.key() for child in children}, score)
        todo += children
    return graph


def distances(graph):
    """By key: the score and the plies to the end; what is missing is drawn."""
    known = {key: (score, 0) for key, (_, _, score) in graph.items() if score}
    open_keys = {key for key, (_, _, score) in graph.items() if score is None}
    ply = 1
    while True:
        joining = {}
        for key in open_keys:
            turn, children, _ = graph[key]
            own = 1 if turn == 0 else -1
            scores = [known[child][0] * own if child in known else 0 for child in children]
            if max(scores) == 1:
                joining[key] = (own, ply)
            elif max(scores) == -1:
                joining[key] = (-own, ply)
        if not joining:
            return known
        known.update(joining)
        open_keys -= joining.keys()
        ply += 1


def main():
    states = [state_after(sys.argv[1], line.strip()) for line in sys.stdin]
    for state in states:
        state.begin()
    known = distances(graph_of(states))
    for state in states:
        score, plies = known.get(state.key(), (0, "-"))
        print(score, plies)


main()
