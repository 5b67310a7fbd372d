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
from .paper import Finding, Item, Outcome, Paper, Study, titled_table
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
    "Study",
    "Verdict",
    "adjusted",
    "all_papers",
    "all_studies",
    "bracketed",
    "find_study",
    "judged",
    "number",
    "setting",
    "share",
    "statement",
    "titled_table",
    "unchecked",
]


@cache
def all_studies() -> dict[str, Study]:
    """Every paper by its key, in alphabetical order, and the study across them.

    >>> list(all_studies())
    ['aberger2002', 'bataus2011', 'guo2017', 'nouailletas2010', 'petrun2012', 'across']
    """
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if info.ispkg)
    modules = [vars(import_module(f"{__name__}.{name}")) for name in names]
    studies = [names["PAPER"] if "PAPER" in names else names["STUDY"] for names in modules]
    return {study.key: study for study in sorted(studies, key=lambda study: not isinstance(study, Paper))}


def all_papers() -> dict[str, Paper]:
    """Every paper by its key, in alphabetical order.

    >>> list(all_papers())
    ['aberger2002', 'bataus2011', 'guo2017', 'nouailletas2010', 'petrun2012']
    """
    return {key: study for key, study in all_studies().items() if isinstance(study, Paper)}


def find_study(key: str) -> Study:
    """The paper with this key, or `across`; an unknown one is refused with the nearest known one.

    >>> find_study("guo2017").title
    'A Simplified LuGre Model'
    """
    return choose("there is no paper", key, all_studies())
