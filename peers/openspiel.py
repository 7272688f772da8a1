"""Random games and Monte-Carlo tree search of proofplay beside those of OpenSpiel, in turns on one machine.

    pip install open_spiel
    python3 peers/openspiel.py target/release/proofplay

Random games: per second of `proofplay bench` and per CPU second of OpenSpiel's rollouts. Chinese Checkers goes by moves, since OpenSpiel
stops every game after 1000 of them. Search: simulations per CPU second with one random game each. Shown are the median of all rounds and
the least and largest ratio. `bench` goes by the clock on the wall, so nothing else should run meanwhile.
"""

import json
import resource
import statistics
import subprocess
import sys

import pyspiel

ROUNDS = 5

# OpenSpiel's name, ours, and how many games of OpenSpiel take about half a second.
RANDOM = [
    ("breakthrough", "breakthrough:8x8", 8000),
    ("amazons", "amazons:10x10", 5000),
    ("lines_of_action", "loa:8x8", 400),
    ("checkers", "checkers:8x8", 2500),
    ("chinese_checkers", "chinese-checkers:3", 600),
    ("go(board_size=9)", "go:9x9", 3000),
    ("connect_four", "connect4:7x6", 40000),
]

# OpenSpiel's name, ours, our settings, and the simulations of both.
SEARCH = [
    ("y(board_size=11)", "y:11", "", 4000, 100_000),
    ("breakthrough", "breakthrough:8x8", "", 2000, 100_000),
    ("lines_of_action", "loa:8x8", "", 100, 50_000),
    ("amazons", "amazons:10x10", "leaf=staged,", 1500, 500_000),
]


def cpu_seconds(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def timed(who, work):
    begun = cpu_seconds(who)
    work()
    return cpu_seconds(who) - begun


def openspiel(name, simulations, rollouts, seed):
    """CPU seconds for so many simulations with so many random games each."""
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, seed, False)
    state = game.new_initial_state()
    return timed(resource.RUSAGE_SELF, lambda: bot.step(state))


def show(name, pairs):
    ratios = sorted(ours / theirs for ours, theirs in pairs)
    ours, theirs = (statistics.median(column) for column in zip(*pairs))
    spread = f"{statistics.median(ratios):.1f} x ({ratios[0]:.1f} to {ratios[-1]:.1f})"
    print(f"{name:32} {ours:12.0f} {theirs:10.0f}   {spread}", flush=True)


def random_games(program):
    pairs = {ours: [] for _, ours, _ in RANDOM}
    for seed in range(1, ROUNDS + 1):
        found = json.loads(subprocess.run([program, "bench", "--json"], capture_output=True, check=True).stdout)
        rows = {row["game"]: row for row in found["games"]}
        for name, ours, games in RANDOM:
            rate, theirs = rows[ours]["playouts_per_s"], games / openspiel(name, 1, games, seed)
            if name == "chinese_checkers":
                rate, theirs = rate * rows[ours]["mean_plies"], theirs * 1000
            pairs[ours].append((rate, theirs))
    for ours, found in pairs.items():
        show(ours + (", moves" if ours.startswith("chinese") else ""), found)


def search(program):
    for name, ours, settings, few, many in SEARCH:
        command = [program, "analyze", ours, "--engine", f"mcts:{settings}playouts={many}", "--json"]
        pairs = []
        for seed in range(1, ROUNDS + 1):
            theirs = few / openspiel(name, few, 1, seed)
            took = timed(resource.RUSAGE_CHILDREN, lambda: subprocess.run(command, capture_output=True, check=True))
            pairs.append((many / took, theirs))
        show(ours, pairs)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(f"{'random games':32} {'proofplay':>12} {'OpenSpiel':>10}   ratio")
    random_games(sys.argv[1])
    print(f"{'search':32} {'proofplay':>12} {'OpenSpiel':>10}   ratio")
    search(sys.argv[1])
