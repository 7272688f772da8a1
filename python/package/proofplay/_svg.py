"""Boards as pictures."""

from __future__ import annotations

import json
from html import escape

from proofplay._proofplay import Position

UNIT = 36
MARGIN = 26
COLOURS = ("#1f6feb", "#e8590c")


def draw(position: Position) -> str:
    """A position as SVG: pieces are discs with the character of the piece, the first player's blue."""
    view = json.loads(position._view())
    cells, notes = view["cells"], view["notes"]
    xs, ys = [cell["x"] for cell in cells] or [0], [cell["y"] for cell in cells] or [0]
    left, top = min(xs), max(ys)
    board = [MARGIN + (max(xs) - left) * UNIT // 2 + UNIT, (top - min(ys) + 1) * UNIT] if cells else [0, 0]
    height = board[1] + (MARGIN if view["columns"] else 0) + 20 * len(notes) + 8
    width = max([board[0] + 8, *(12 + 8 * len(note) for note in notes)])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        f'font-size="14" text-anchor="middle" role="img"><title>{escape(position.game.name)}: '
        f"{escape(position.text)}</title>"
    ]

    def place(x: int, y: int) -> tuple[float, float]:
        return MARGIN + (x - left) * UNIT / 2 + UNIT / 2, (top - y) * UNIT + UNIT / 2

    for cell in cells:
        x, y = place(cell["x"], cell["y"])
        parts.append(
            f'<rect x="{x - UNIT / 2}" y="{y - UNIT / 2}" width="{UNIT}" height="{UNIT}" fill="#f6efe1" stroke="#b9ab8f"/>'
        )
        symbol, owner = cell["symbol"], cell["owner"]
        if owner is not None:
            parts.append(f'<circle cx="{x}" cy="{y}" r="{UNIT * 0.4}" fill="{COLOURS[owner]}"/>')
        if symbol != ".":
            colour = "#444" if owner is None else "#fff"
            parts.append(f'<text x="{x}" y="{y + 5}" fill="{colour}">{escape(symbol)}</text>')
    for y_label, label in view["rows"]:
        parts.append(f'<text x="{MARGIN / 2}" y="{place(left, y_label)[1] + 5}" fill="#777">{escape(label)}</text>')
    for x_label, label in view["columns"]:
        parts.append(f'<text x="{place(x_label, top)[0]}" y="{board[1] + 18}" fill="#777">{escape(label)}</text>')
    for number, note in enumerate(notes):
        y = height - 20 * (len(notes) - number) + 8
        parts.append(f'<text x="6" y="{y}" text-anchor="start" font-family="monospace" fill="#444">{escape(note)}</text>')
    return "".join([*parts, "</svg>"])
