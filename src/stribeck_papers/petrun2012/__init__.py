"""Petrun, Kegl and Flašker 2012: elasto-plastic friction as the joint of a clutch, on a belt and on a test bed.

>>> from stribeck_papers import petrun2012
>>> petrun2012.elasto_plastic().plot("friction.f", "spring.f", "friction.v_rel", path="belt.png")
>>> petrun2012.validation_cycle().plot("engine.w", "brake.w", "clutch.tau", path="clutch.png")
"""

from .belt import belt, coulomb, elasto_plastic, modified_law, no_stick_limit, period, stick_phases
from .bristle import nudged, rubbing, settled_friction
from .clutch import ClutchCycle, Lining, Shaft, TestBed, validation_cycle
from .cosimulation import FrictionJoint, coupled_cycle

# isort: off
# items register themselves
from . import _bed_items, _requirement_items, _model_items, _cosimulation_items, _influence_items  # noqa: F401
from . import _belt_items, _clutch_items, _conclusion_items  # noqa: F401
from ._paper import PAPER
# isort: on

ORDER = (
    *("Equation 1", "Section 2", "Figure 1", "Section 3", "Equation 2", "Equation 3", "Equation 4", "Equation 5"),
    *("Figure 2", "Section 4", "Figure 3", "Section 5", "Section 6.1", "Figure 4", "Figure 5", "Figure 6"),
    *("Section 6.2", "Figure 7", "Figure 8", "Section 7"),
)
PAPER.items.sort(key=lambda item: ORDER.index(item.label))

__all__ = [
    "PAPER",
    "ClutchCycle",
    "FrictionJoint",
    "Lining",
    "Shaft",
    "TestBed",
    "belt",
    "coulomb",
    "coupled_cycle",
    "elasto_plastic",
    "modified_law",
    "no_stick_limit",
    "nudged",
    "period",
    "rubbing",
    "settled_friction",
    "stick_phases",
    "validation_cycle",
]
