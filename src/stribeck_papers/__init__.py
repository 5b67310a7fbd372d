"""The source papers, reproduced: one folder each; the folder `across` compares laws on the rig that they share.

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
from .paper import Collection, Finding, Item, Outcome, Paper, titled_table
from .rules import RULES, Rule
from .scorecard import Basis, Claim, Verdict, bracketed, judged, number, share, statement, unchecked
from .settings import adjusted, setting

__all__ = [
    "RULES",
    "Basis",
    "Claim",
    "Collection",
    "Finding",
    "Item",
    "Outcome",
    "Paper",
    "Rule",
    "Verdict",
    "adjusted",
    "all_collections",
    "all_papers",
    "bracketed",
    "find_collection",
    "judged",
    "number",
    "setting",
    "share",
    "statement",
    "titled_table",
    "unchecked",
]


@cache
def all_collections() -> dict[str, Collection]:
    """Every paper by its key, in alphabetical order, and the one across them.

    >>> list(all_collections())
    ['aberger2002', 'bataus2011', 'guo2017', 'nouailletas2010', 'petrun2012', 'across']
    """
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if info.ispkg)
    folders = [vars(import_module(f"{__name__}.{name}")) for name in names]
    found: list[Collection] = [folder["PAPER"] if "PAPER" in folder else folder["COLLECTION"] for folder in folders]
    return {entry.key: entry for entry in sorted(found, key=lambda entry: not isinstance(entry, Paper))}


def all_papers() -> dict[str, Paper]:
    """Every paper by its key, in alphabetical order.

    >>> list(all_papers())
    ['aberger2002', 'bataus2011', 'guo2017', 'nouailletas2010', 'petrun2012']
    """
    return {key: entry for key, entry in all_collections().items() if isinstance(entry, Paper)}


def find_collection(key: str) -> Collection:
    """The paper with this key, or `across`; an unknown one is refused with the nearest known one.

    >>> find_collection("guo2017").title
    'A Simplified LuGre Model'
    """
    return choose("there is no paper", key, all_collections())
