"""Bataus, Maciac, Oprean and Vasiliu 2011: clutch models for real time, in powertrains.

>>> from stribeck_papers import bataus2011
>>> bataus2011.launch("Karnopp").plot("engine.w", "gearbox.w", "clutch.tau", path="launch.png")
"""

from .powertrain import (
    SOLVERS,
    clutches,
    launch,
    launch_at_fixed_step,
    powertrain,
    six_powertrains,
    three_powertrains,
    torque_curve,
)

# isort: off
# items register themselves
from . import _device_items, _curve_items, _curve_stick_items, _scheme_items  # noqa: F401
from . import _launch_items, _step_items, _time_items, _conclusion_items  # noqa: F401
from ._paper import PAPER
# isort: on

ORDER = (
    *("Section 1", "Section 2", "Figure 1", "Figure 2", "Table 1", "Figure 3", "Figure 4", "Figure 5", "Figure 6"),
    *("Section 3: degrees of freedom", "Figure 7", "Section 3", "Figure 8", "Figure 9", "Figure 10", "Table 2"),
    *("Section 4", "Section 4: further research"),
)
PAPER.items.sort(key=lambda item: ORDER.index(item.label))

__all__ = [
    "PAPER",
    "SOLVERS",
    "clutches",
    "launch",
    "launch_at_fixed_step",
    "powertrain",
    "six_powertrains",
    "three_powertrains",
    "torque_curve",
]
