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
# items register themselves, in the order of the paper
from . import _requirement_items, _model_items, _cosimulation_items, _influence_items  # noqa: F401
from . import _belt_items, _clutch_items, _conclusion_items  # noqa: F401
from ._paper import PAPER
# isort: on

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
