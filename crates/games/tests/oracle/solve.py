"""Counts and exact values, by looking at everything that can follow."""


def perft(state, depth):
    """Number of legal move sequences of exactly `depth` moves."""
    if depth == 0:
        return 1
    moves = state.moves()
    if depth == 1:
        return len(moves)
    return sum(perft(state.play(move), depth - 1) for move in moves)


class TooBig(Exception):
    pass


def at_least(state, bound, memo, limit):
    """Can First reach `bound` or more against every defence?"""
    key = state.key()
    if key not in memo:
        moves = state.moves()
        if not moves:
            memo[key] = state.score() >= bound
        else:
            results = (at_least(state.play(move), bound, memo, limit) for move in moves)
            memo[key] = any(results) if state.turn == 0 else all(results)
        if limit and len(memo) > limit:
            raise TooBig()
    return memo[key]


def value(state, limit=None):
    """Exact score in First's view."""
    if hasattr(state, "scores"):
        low, *rest = state.scores()
        while rest:
            middle = rest[len(rest) // 2]
            if at_least(state, middle, {}, limit):
                low, rest = middle, rest[len(rest) // 2 + 1 :]
            else:
                rest = rest[: len(rest) // 2]
        return low
    if at_least(state, 1, {}, limit):
        return 1
    if not getattr(state, "draws", True):
        return -1
    return 0 if at_least(state, 0, {}, limit) else -1


def endless_values(state):
    """Exact scores of all positions that can follow, when endless play is a draw: from
    the ends of the game backwards through the graph of positions, histories aside."""
    graph, scores, todo = {}, {}, [state]
    while todo:
        node = todo.pop()
        if node.key() in graph:
            continue
        node.begin()
        moves = node.moves()
        children = [node.play(move) for move in moves]
        graph[node.key()] = (node.turn, [child.key() for child in children])
        if not moves:
            scores[node.key()] = node.score()
        todo += children
    result = dict.fromkeys(graph, 0)
    for player, best in [(0, 1), (1, -1)]:
        won = {key for key in scores if scores[key] == best}
        grown = True
        while grown:
            grown = False
            for key, (turn, children) in graph.items():
                if key in won or not children:
                    continue
                good = (child in won for child in children)
                if any(good) if turn == player else all(good):
                    won.add(key)
                    grown = True
        for key in won:
            result[key] = best
    return result, scores


def outcome(state):
    if state.moves():
        return "-"
    score = state.score()
    return "draw" if score == 0 else "first" if score > 0 else "second"
