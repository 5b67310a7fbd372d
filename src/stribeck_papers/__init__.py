"""The source papers, reproduced: one folder each; every folder here is a paper.

A folder has experiments as short public functions, and items: what each figure, table and section of the paper shows,
what the experiment gives, and a verdict on every claim.

>>> from stribeck_papers import aberger2002
>>> aberger2002.stick_slip().plot("mass.w", "friction.tau", path="stick-slip.png")
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from .choice import choose
from .paper import Finding, Item, Outcome, Paper, titled_table
from .rules import RULES, Rule
from .scorecard import Basis, Claim, Verdict, bracketed, judged, number, share, statement, unchecked
from .settings import adjusted, setting

__all__ = [
    "RULES",
    "Basis",
    "Claim",
    "Finding",
    "Item",
    "Outcome",
    "Paper",
    "Rule",
    "Verdict",
    "adjusted",
    "all_papers",
    "bracketed",
    "find_paper",
    "judged",
    "number",
    "setting",
    "share",
    "statement",
    "titled_table",
    "unchecked",
]


@cache
def all_papers() -> dict[str, Paper]:
    """Every paper by its key, in alphabetical order.

    >>> list(all_papers())
    ['aberger2002', 'bataus2011', 'guo2017', 'nouailletas2010', 'petrun2012']
    """
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if info.ispkg)
    return {name: import_module(f"{__name__}.{name}").PAPER for name in names}


def find_paper(key: str) -> Paper:
    """The paper with this key; an unknown one is refused with the nearest known one.

    >>> find_paper("guo2017").year
    2017
    """
    return choose("there is no paper", key, all_papers())
