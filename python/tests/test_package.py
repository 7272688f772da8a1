"""The package itself: stubs, docstrings, examples, version."""

import doctest
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import proofplay as pp
from proofplay import _proofplay


def test_the_stubs_are_true() -> None:
    pytest.importorskip("mypy")
    found = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "--ignore-disjoint-bases", "proofplay._proofplay"], capture_output=True, text=True
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_types_are_strict(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    user = tmp_path / "user.py"
    user.write_text(
        "import proofplay as pp\n"
        "start: pp.Position = pp.game('tictactoe').start()\n"
        "value: str | None = pp.solve(start, time=1.0).value\n"
        "for report in pp.reports(start):\n"
        "    nodes: int = report.nodes\n"
        "best: str = pp.Player('mcts', simulations=5)(start)\n"
        "score: float | None = pp.match('mcts', 'pns', 'y:3').score\n"
    )
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import proofplay as pp\npp.solve('tictactoe', tiem=1.0)\nx: int = pp.game('y:3').name\n")
    config = ["--config-file", str(Path(__file__).parents[1] / "pyproject.toml"), "--cache-dir", str(tmp_path)]
    check = [sys.executable, "-m", "mypy", "--strict", *config]
    for right in (["-p", "proofplay"], [str(user)]):
        found = subprocess.run([*check, *right], capture_output=True, text=True)
        assert found.returncode == 0, found.stdout
    found = subprocess.run([*check, str(wrong)], capture_output=True, text=True)
    assert found.stdout.count("error:") == 2, found.stdout


def test_everything_is_documented() -> None:
    missing = []
    for name in pp.__all__:
        thing = getattr(pp, name)
        if not inspect.getdoc(thing) and name not in ("__version__", "Experiment"):
            missing.append(name)
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            for member, value in vars(thing).items():
                if not member.startswith("_") and callable(value) and not inspect.getdoc(value):
                    missing.append(f"{name}.{member}")
                if inspect.isgetsetdescriptor(value) and not value.__doc__:
                    missing.append(f"{name}.{member}")
    assert missing == []


@pytest.mark.parametrize("name", ["proofplay", "proofplay._search", "proofplay._own", "proofplay._match"])
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_examples_of_classes() -> None:
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    tried = 0
    for thing in (pp.Game, pp.Position):
        for test in finder.find(thing, thing.__name__, module=False, globs={}):
            tried += runner.run(test).attempted
    assert tried >= 4 and runner.summarize().failed == 0


def test_version() -> None:
    manifest = Path(__file__).parents[2] / "Cargo.toml"
    if manifest.exists():
        assert f'version = "{pp.__version__}"' in manifest.read_text()
    assert pp.__version__ == _proofplay.__version__
