"""Progress of long searches: a bar of tqdm if that is installed, a line of text in a terminal otherwise."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


class Progress:
    """Shows reports."""

    every = 0.2

    def __init__(self, show: Callable[[Any], object], close: Callable[[], object] = lambda: None) -> None:
        self.show = show
        self.close = close

    @staticmethod
    def of(wanted: bool | Callable[[Any], object]) -> Progress | None:
        """What somebody wants: nothing, what suits the place, or a function of theirs."""
        if wanted is False:
            return None
        if wanted is not True:
            return Progress(wanted)
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return Progress(_line, lambda: print(file=sys.stderr))
        bar = tqdm(unit=" nodes", unit_scale=True)

        def show(report: Any) -> None:
            bar.update(report.nodes - bar.n)
            bar.set_postfix_str(_so_far(report))

        return Progress(show, bar.close)


def _so_far(report: Any) -> str:
    return f"value in [{report.bounds[0]}, {report.bounds[1]}]"


def _line(report: Any) -> None:
    print(f"\r{report.nodes:,} nodes, {_so_far(report)}", end="", file=sys.stderr, flush=True)
