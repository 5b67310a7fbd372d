"""A clutch in parallel with a free-wheel."""

from __future__ import annotations

from ..declare import Param
from ..signals.constant import Constant
from ._friction import Pressed
from ._network import Network
from .element import Flange


class OneWayClutch(Pressed):
    """A clutch with a free-wheel in parallel: b can overrun a against the friction of the clutch, but not fall behind.

    Slip w_rel = w_b - w_a >= 0 is braked by tau = mu cgeo fn as in a Clutch, or freely if open. Against negative slip,
    a locking law holds any torque, as Modelica's OneWayClutch. A bristle law is compliant there: its capacity is
    c_max mu cgeo fn_max, open or not (Aberger and Otter 2002, (16), which omits cgeo). The load switches where the
    friction changes sign, so the torque does not jump.

    >>> m.add("sprag", OneWayClutch(turbine, gearbox, law=Switch(mu_c=0.1, mu_s=0.12), fn_max="2 kN", f_normalized=u))
    >>> m.add("bristles", OneWayClutch(turbine, gearbox, law=LuGre(mu_c=0.1, mu_s=0.12), fn_max="2 kN", c_max=100))
    """

    flanges = ("a", "b")
    c_max = Param(100.0, "1", "bristle laws: backward over forward torque capacity", above=0)

    def rub(self, net: Network, a: Flange | int, b: Flange) -> None:
        """Friction that depends on direction; bristles stay deflected, because backward they are always loaded."""
        p = self.p
        if p.law.family == "locking":
            net.friction(self, a, b, p.law, self.normal_load(), unlimited="backward")
        else:
            strong = Constant.ready(f"{self.name}.c_max", value=p.c_max * p.cgeo * p.fn_max)
            net.friction(self, a, b, p.law, self.normal_load(), strong)
