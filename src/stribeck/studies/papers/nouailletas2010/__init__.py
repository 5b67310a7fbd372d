"""Nouailletas, Mendes, Koenig 2010: friction of two modes, and a clutch actuator that has it.

`friction` has the experiments of Sections 1 to 3, `two_modes` the model word by word.

>>> from stribeck.studies.papers import nouailletas2010
>>> nouailletas2010.stick_slip().plot("mass.v", "friction.f", path="stick-slip.png")
"""

from . import _friction_items as _friction_items
from ._paper import PAPER
from .friction import drift, limit_cycle, presliding, stick_slip

# isort: split
# items of the actuator are imported below this line: they follow those of friction

__all__ = ["PAPER", "drift", "limit_cycle", "presliding", "stick_slip"]
