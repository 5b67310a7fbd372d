"""A spring that presses on a cam."""

from __future__ import annotations

from math import pi

from ..declare import Param, Series, Values
from ..signals import Signal
from ..signals.lookup import Lookup, increasing
from ..traced import function, is_number
from ._resistance import Resistance, area


class CamSpring(Resistance):
    """A spring whose roller presses, across the motion, on a slope of angle alpha: it drives b with F tan(alpha).

    The spring extends down the slope: F = f_0 - c times the integral of tan(alpha) from s_rel = 0, so energy is
    conserved. tan(alpha) is linear between the points (s, alpha) and constant outside them. A negative angle loads the
    spring as b advances. The sign of the result f is that of any spring: f = -F tan(alpha).
    Without b it is fixed to the ground, and s_rel = -s_a.

    After R. Nouailletas, E. Mendes, D. Koenig: Hybrid modeling and identification of dry friction systems, application
    to a clutch actuator, 2010, (40), where F and alpha are two independent curves.

    >>> m.add("assist", CamSpring(frame, rack, s=[0, "13 mm"], alpha=["5 deg", "40 deg"], c="20 N/mm", f_0="600 N"))
    """

    group = "springs"
    domain = "translational"
    ports = ()
    s = Series(None, "m", "relative positions of the points, increasing")
    alpha = Series(None, "rad", "angles of the slope at these positions", min=-pi / 2, max=pi / 2)
    c = Param(None, "N/m", "stiffness of the spring", above=0)
    f_0 = Param(None, "N", "force of the spring at s_rel = 0", min=0)

    @staticmethod
    def faults(p: Values) -> list[str]:
        if len(p.s) != len(p.alpha):
            return [f"s has {len(p.s)} points and alpha {len(p.alpha)}; give one angle for each position"]
        if len(p.s) < 2:
            return ["s must have at least two points; for a plain slope give its angle twice"]
        if any(abs(angle) >= 1.55 for angle in p.alpha if is_number(angle)):
            return ["alpha reaches 89 deg, where the cam cannot move; make the slope less steep"]
        return increasing("s", p.s)

    def force(self, x: Signal) -> Signal:
        """The force of the spring; needs `.p`."""
        return self.p.f_0 - self.p.c * area(x, self.p.s, self._tangents, "hold")

    @property
    def _tangents(self) -> list[float]:
        return [function("tan", angle) for angle in self.p.alpha]

    def torque(self, x: Signal, v: Signal) -> Signal:
        return -(self.force(x) * Lookup(x, self.p.s, self._tangents))

    def stored(self, x: Signal) -> Signal | None:
        return 0.5 / self.p.c * self.force(x) ** 2
