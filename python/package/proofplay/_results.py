"""What a store has, and results as tables."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from proofplay import _proofplay as _core


def flat(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """A row whose cells are plain: ``a.seconds`` becomes ``a_seconds``."""
    cells: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            cells.update(flat(value, f"{before}{name}_"))
        else:
            cells[before + name] = value
    return cells


def to_pandas(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rows as a DataFrame."""
    try:
        import pandas
    except ImportError:
        raise ImportError("tables need pandas: pip install pandas") from None
    return pandas.DataFrame([flat(row) for row in rows])


def to_arrow(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rows as a table of Arrow, which polars and DuckDB take as it is, and which ``pyarrow.parquet`` writes."""
    try:
        import pyarrow
    except ImportError:
        raise ImportError("tables of Arrow need pyarrow: pip install pyarrow") from None
    return pyarrow.Table.from_pylist([flat(row) for row in rows])


@dataclass(frozen=True)
class Trials(Sequence[Mapping[str, Any]]):
    """Rows of a table: games of a match, solves, experiments."""

    rows: list[dict[str, Any]]

    def __getitem__(self, at: Any) -> Any:
        return self.rows[at]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.rows)

    def to_pandas(self) -> Any:
        """As a DataFrame of pandas."""
        return to_pandas(self.rows)

    def to_arrow(self) -> Any:
        """As a table of Arrow."""
        return to_arrow(self.rows)

    def to_parquet(self, file: str | os.PathLike[str]) -> None:
        """As a file of Parquet."""
        import pyarrow.parquet

        pyarrow.parquet.write_table(self.to_arrow(), file)


Experiment = dict[str, Any]


def experiments(store: str | os.PathLike[str]) -> Trials:
    """The experiments of a store that ``match`` or the program has written."""
    return Trials(json.loads(_core.experiments(os.fspath(store))))


def trials(store: str | os.PathLike[str], experiment: int) -> Trials:
    """The games of a match of a store, or the solves of a solve."""
    return Trials(json.loads(_core.trials(os.fspath(store), experiment)))


def games() -> Trials:
    """All games: their names, the form of their parameters, an example, the rules in a line."""
    return Trials(json.loads(_core.games()))


def rules(game: str) -> str:
    """All of the rules of a game, as Markdown."""
    return str(json.loads(_core.rules(game))["full_rules"])


def searches() -> Trials:
    """All searches with their settings."""
    return Trials(json.loads(_core.searches()))
