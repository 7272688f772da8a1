"""Plays and proves two-player perfect-information games.

>>> import proofplay as pp
>>> start = pp.game("connect4:5x4").start()
>>> pp.solve(start).value
'draw'
"""

from proofplay._own import OwnGame, check, game
from proofplay._proofplay import (
    CertificateError,
    Error,
    Game,
    Position,
    Random,
    RulesError,
    __version__,
)
from proofplay._results import Experiment, Trials, experiments, games, rules, searches, trials
from proofplay._search import (
    Analysis,
    Evaluator,
    Interrupted,
    MoveValue,
    Search,
    Solution,
    Verified,
    analyze,
    reports,
    solve,
    verify,
)
from proofplay._match import MatchResult, Player, match

__all__ = [
    "Analysis",
    "CertificateError",
    "Error",
    "Evaluator",
    "Experiment",
    "Game",
    "Interrupted",
    "MatchResult",
    "MoveValue",
    "OwnGame",
    "Player",
    "Position",
    "Random",
    "RulesError",
    "Search",
    "Solution",
    "Trials",
    "Verified",
    "__version__",
    "analyze",
    "check",
    "experiments",
    "game",
    "games",
    "match",
    "reports",
    "rules",
    "searches",
    "solve",
    "trials",
    "verify",
]
