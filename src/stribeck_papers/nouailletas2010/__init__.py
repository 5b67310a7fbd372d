"""Nouailletas, Mendes, Koenig 2010: friction of two modes, and a clutch actuator that has it.

`friction` has the experiments of Sections 1 to 3, `two_modes` the model as printed, `blocks` LuGre as a diagram of
blocks, `methods` other ways to identify friction. Of the actuator, `mechanism` has the full model, `actuator` the
simple one, `bench` the tests of its friction, `swings` the law of Figure 16, `lpv` its form for control and
`identification` those tests on a virtual rig with its encoder.

>>> from stribeck_papers import nouailletas2010
>>> nouailletas2010.stick_slip().plot("mass.v", "friction.f", path="stick-slip.png")
>>> nouailletas2010.position_test(t_end=5.0).plot("rotor.phi", "motor.tau", path="position-test.png")
"""

from . import _friction_items as _friction_items
from ._paper import PAPER
from .blocks import cycles_of_blocks, lugre_of_blocks
from .friction import (
    coasting,
    drift,
    hybrid,
    hybrid_presliding,
    ideal,
    limit_cycle,
    loaded,
    lugre,
    presliding,
    sinusoidal,
    stick_slip,
)
from .methods import power_test, relayed_rotor, two_relays
from .two_modes import TwoModes

# isort: split
# items of the actuator are imported below this line: they follow those of friction
from . import _clutch_items as _clutch_items
from .actuator import Controller, coast, position_test, single_mass
from .bench import break_away, mean_friction, sinusoidal_test
from .identification import Identified, identify
from .lpv import Scheduled, lpv, tangent
from .mechanism import Mechanism, bench_test, let_go, reversal, sweep
from .swings import arccos_friction, arccos_law, swing_mean

__all__ = [
    "PAPER",
    "Controller",
    "Identified",
    "Mechanism",
    "Scheduled",
    "TwoModes",
    "arccos_friction",
    "arccos_law",
    "bench_test",
    "break_away",
    "coast",
    "coasting",
    "cycles_of_blocks",
    "drift",
    "hybrid",
    "hybrid_presliding",
    "ideal",
    "identify",
    "let_go",
    "limit_cycle",
    "loaded",
    "lpv",
    "lugre",
    "lugre_of_blocks",
    "mean_friction",
    "position_test",
    "power_test",
    "presliding",
    "relayed_rotor",
    "reversal",
    "single_mass",
    "sinusoidal",
    "sinusoidal_test",
    "stick_slip",
    "sweep",
    "swing_mean",
    "tangent",
    "two_relays",
]
