"""Across the papers: every law on the rig that three of them share, and the ways in which LuGre's law goes wrong.

>>> from stribeck_papers import across
>>> across.plain("LSODA", 1e-8).largest
1.4766
"""

# items are in the order of these imports
# isort: off
from . import _law_items, _tolerance_items, _step_items  # noqa: F401

# isort: on
from ._collection import COLLECTION
from ._law_items import LawRow, law_row
from .plain import PlainRun, plain, rig

__all__ = ["COLLECTION", "LawRow", "PlainRun", "law_row", "plain", "rig"]
