"""Bataus, Maciac, Oprean and Vasiliu 2011: clutch models for real time, in powertrains.

>>> from stribeck_papers import bataus2011
>>> bataus2011.launch("Karnopp").plot("engine.w", "gearbox.w", "clutch.tau", path="launch.png")
"""

from . import _curve_items as _curve_items
from . import _curve_stick_items as _curve_stick_items
from . import _launch_items as _launch_items
from . import _step_items as _step_items
from . import _time_items as _time_items
from ._paper import PAPER
from .powertrain import SOLVERS, clutches, launch, launch_at_fixed_step, powertrain, six_powertrains, torque_curve

__all__ = [
    "PAPER",
    "SOLVERS",
    "clutches",
    "launch",
    "launch_at_fixed_step",
    "powertrain",
    "six_powertrains",
    "torque_curve",
]
