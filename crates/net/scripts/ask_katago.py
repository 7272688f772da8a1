"""Asks KataGo for the raw output of its network, as answers for the example `agree`:

    agree positions go:9x9,komi=7.5,suicide=yes 100 1 > positions
    python3 crates/net/scripts/ask_katago.py katago gtp -model NET -config CONFIG < positions > answers
    agree compare NET answers

The arguments start KataGo as a GTP engine. Its configuration should say `openclUseFP16 = false`, `nnRandomize = false` and
`nnMaxBatchSize = 1`. Positions are asked for with positional superko and area scoring, in symmetry 0.
"""
import subprocess
import sys

engine = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(command):
    engine.stdin.write(command + "\n")
    engine.stdin.flush()
    lines = []
    while not lines or engine_line.strip():
        engine_line = engine.stdout.readline()
        if not engine_line:
            raise SystemExit("KataGo has left")
        if engine_line.strip() or lines:
            lines.append(engine_line.rstrip())
    if not lines[0].startswith("="):
        raise SystemExit(f"{command}: {lines[0]}")
    return lines


for position in sys.stdin:
    game, moves = position.rstrip("\n").split("\t")
    size, *options = game.removeprefix("go:").split(",")
    options = dict(option.split("=") for option in options)
    columns, rows = size.split("x")
    suicide = 1 if options.get("suicide") == "yes" else 0
    ask(f"rectangular_boardsize {columns} {rows}")
    ask(f"kata-set-rules koPOSITIONALscoreAREAtaxNONEsui{suicide}button0whb0")
    ask(f"komi {options.get('komi', 0)}")
    ask("clear_board")
    for number, move in enumerate(moves.split()):
        ask(f"play {'bw'[number % 2]} {move}")
    answer = ask("kata-raw-nn 0")
    value = {line.split()[0]: line.split()[1] for line in answer if line.startswith("white") and len(line.split()) == 2}
    start = answer.index("policy") + 1
    policy = " ".join(answer[start:start + int(rows)]).replace("NAN", "-").split()
    policy += [line.split()[1] for line in answer if line.startswith("policyPass")]
    print(game, moves, float(value["whiteWin"]) - float(value["whiteLoss"]), 0.000001, " ".join(policy), sep="\t", flush=True)
