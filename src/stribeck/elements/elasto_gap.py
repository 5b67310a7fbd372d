"""An elastic contact that can open."""

from __future__ import annotations

from ..declare import Param
from ..signals import Signal
from ..signals.arithmetic import Polynomial
from ..signals.extremes import Maximum, Minimum
from ..signals.where import Where
from ._resistance import Resistance

TINY = 1e-60
"""Keeps the slope of a power finite at 0."""


class ElastoGap(Resistance):
    """A spring and damper that only push, in contact while s_rel < s_rel0; without b fixed to the ground.

    At the depth x = s_rel0 - s_rel the contact force is f_c = c s_ref (x/s_ref)^n. The damping force d v_rel is limited
    to +-f_c, so the contact never pulls and closes without a jump: f = -f_c + d v_rel.

    >>> m.add("stop", ElastoGap(wall, slider, c="1 kN/mm", d="200 N.s/m", s_rel0="2 mm"))
    >>> m.add("hertz", ElastoGap(wall, ball, c=1e9, d=0, n=1.5, s_ref=1))
    """

    group = "springs"
    c = Param(None, "{force}/{disp}", "stiffness", min=0)
    d = Param(0.0, "{force}.s/{disp}", "damping", min=0)
    phi_rel0 = Param(0.0, "{disp}", "relative position at which the contact opens", aliases=("s_rel0",))
    n = Param(1.0, "1", "exponent of the contact force", min=1)
    phi_ref = Param(1.0, "{disp}", "depth at which the force is c times that depth", above=0, aliases=("s_ref",))

    def torque(self, x: Signal, v: Signal) -> Signal:
        p = self.p
        depth = p.phi_rel0 - x
        push = self._push(depth)
        if p.d == 0:
            return -self._in_contact(depth, push)

        # the spring force continues below 0: with a force of 0 the limits would be active while the contact is open
        return -Maximum([Minimum([push - p.d * v, 2.0 * push]), 0.0])

    def damping(self, x: Signal, v: Signal) -> Signal | None:
        depth = self.p.phi_rel0 - x
        return None if self.p.d == 0 else self.torque(x, v) + self._in_contact(depth, self._push(depth))

    def _push(self, depth: Signal) -> Signal:
        """The spring force, negative while the contact is open."""
        p = self.p
        return p.c * (depth if p.n == 1 else depth * self._power(depth, p.n - 1))

    def stored(self, x: Signal) -> Signal | None:
        p = self.p
        depth = p.phi_rel0 - x
        return p.c * p.phi_ref**2 / (p.n + 1) * self._in_contact(depth, self._power(depth, p.n + 1))

    def _power(self, depth: Signal, exponent: float) -> Signal:
        """|depth/phi_ref|^exponent, defined at a depth of 0 and slightly below it."""
        return Polynomial((1 / self.p.phi_ref) * depth, [TINY, 0.0, 1.0]) ** (0.5 * exponent)

    @staticmethod
    def _in_contact(depth: Signal, value: Signal) -> Signal:
        return Where(depth > 0, value, 0.0)
