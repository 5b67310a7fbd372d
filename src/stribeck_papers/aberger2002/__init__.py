"""Aberger and Otter 2002: LuGre friction in Modelica, from one bearing to a car with an automatic gearbox.

>>> from stribeck_papers import aberger2002
>>> aberger2002.stick_slip().plot("mass.w", "friction.tau", path="stick-slip.png")
"""

# items are in the order of these imports, which is that of the paper
# isort: off
from . import _law_items, _identify_items, _damping_items, _stick_slip_items  # noqa: F401
from . import _scaling_items, _tolerance_items, _motion_items  # noqa: F401
from . import _step_items, _compiler_items, _statistics_items, _comparison_items  # noqa: F401
from . import _clutch_items, _gearbox_items, _bristle_items, _coupled_items  # noqa: F401
from . import _car_items, _car_solver_items, _control_items  # noqa: F401

# isort: on
from ._paper import PAPER
from .bearing import bearing_friction, break_away, break_away_after, fixed_step, lugre, rig, running_start, stick_slip
from .car import car, drive, drive_in_steps, first_closing, table_7
from .clutch import one_way_clutch, synchronise, table_6, turned_back
from .codes import best_code
from .compiler import compiled_angle
from .dassl import dassl, dassl_bearing_friction
from .gearbox import gearbox, shift, shift_in_steps
from .rounding import stepped

__all__ = [
    "PAPER",
    "bearing_friction",
    "best_code",
    "break_away",
    "break_away_after",
    "car",
    "compiled_angle",
    "dassl",
    "dassl_bearing_friction",
    "drive",
    "drive_in_steps",
    "first_closing",
    "fixed_step",
    "gearbox",
    "lugre",
    "one_way_clutch",
    "rig",
    "running_start",
    "shift",
    "shift_in_steps",
    "stepped",
    "stick_slip",
    "synchronise",
    "table_6",
    "table_7",
    "turned_back",
]
