"""Guo and Dong 2017: a LuGre model with straight lines, compared with Dahl's, an improved Dahl model and LuGre.

>>> from stribeck_papers import guo2017
>>> guo2017.period(guo2017.stick_slip("simplified LuGre"))
6.52036
"""

from . import _law_items as _law_items
from . import _rig_items as _rig_items
from . import _summary_items as _summary_items
from ._paper import PAPER
from .rig import friction_curve, hysteresis, laws, period, rig, stick_slip

__all__ = ["PAPER", "friction_curve", "hysteresis", "laws", "period", "rig", "stick_slip"]
