"""Asks Leela Zero for the raw output of its network, as answers for the example `agree`:

    agree positions go:19x19,komi=7.5 20 1 > positions
    python3 crates/net/scripts/ask_leela.py leelaz --cpu-only -g -t 1 --noponder -w NET < positions > answers
    agree compare NET answers

The arguments start Leela Zero as a GTP engine. It shows probabilities in thousandths, rounded down, and
nothing on cells with stones, though these have a part of the probability. Its chance to win is that of the mover.
"""
import subprocess
import sys

for position in sys.stdin:
    game, moves = position.rstrip("\n").split("\t")
    moves = moves.split()
    commands = [f"play {'bw'[number % 2]} {move}" for number, move in enumerate(moves)] + ["heatmap 0", "quit"]
    run = subprocess.run(sys.argv[1:], input="\n".join(commands) + "\n", capture_output=True, text=True, check=True)
    if "?" in run.stdout:
        raise SystemExit(f"{position}: {run.stdout}")
    words = [line.split() for line in run.stderr.splitlines()]
    policy = [word for line in words if len(line) == 19 for word in line]
    policy += [line[1] for line in words if line and line[0] == "pass:"]
    chance = [float(line[1]) for line in words if line and line[0] == "winrate:"][0]
    value = (2 * chance - 1) * (1 if len(moves) % 2 else -1)
    policy = " ".join(f"{int(word) / 1000 + 0.0005:.4f}" for word in policy)
    print(game, " ".join(moves), f"{value:.6f}", 0.001, policy, sep="\t", flush=True)
