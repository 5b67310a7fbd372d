"""Springs with backlash."""

from __future__ import annotations

from ..declare import Param
from ..signals import Signal
from ..signals.extremes import Maximum, Minimum
from ..signals.limits import DeadZone
from ..signals.where import Where
from ._resistance import Resistance


class ElastoBacklash2(Resistance):
    """A spring and damper with backlash: no torque while phi_rel is within +-play/2 of phi_rel0.

    In contact tau = c x + d w_rel, where x is the deflection beyond the play. The contact only pushes; the torque jumps
    when it closes. Without flange b it is fixed to the ground.

    >>> m.add("teeth", ElastoBacklash2(pinion, wheel, c="200 kN.m/rad", d=50, play="0.2 deg"))
    """

    group = "springs"
    c = Param(None, "{force}/{disp}", "stiffness", above=0)
    d = Param(0.0, "{force}.s/{disp}", "damping", min=0)
    play = Param(0.0, "{disp}", "total play", min=0)
    phi_rel0 = Param(0.0, "{disp}", "relative position in the middle of the play", aliases=("s_rel0",))

    def torque(self, x: Signal, v: Signal) -> Signal:
        p = self.p
        spring = p.c * self._deflection(x)
        if p.d == 0 or p.play == 0:
            return spring + p.d * v
        return self._contact(x - p.phi_rel0, spring, p.d * v)

    def damping(self, x: Signal, v: Signal) -> Signal | None:
        p = self.p
        return p.d * v if p.d == 0 or p.play == 0 else self.torque(x, v) - p.c * self._deflection(x)

    def stored(self, x: Signal) -> Signal | None:
        return 0.5 * self.p.c * self._deflection(x) ** 2

    def _deflection(self, x: Signal) -> Signal:
        """The deflection of the spring, 0 within the play."""
        p = self.p
        x = x - p.phi_rel0
        return DeadZone(x, -0.5 * p.play, 0.5 * p.play) if p.play else x

    def _contact(self, x: Signal, spring: Signal, damper: Signal) -> Signal:
        """Spring torque, 0 within the play, plus damper torque in contact; the sum never pulls."""
        total, half = spring + damper, 0.5 * self.p.play
        return Where(x > half, Maximum([total, 0.0]), Where(x < -half, Minimum([total, 0.0]), 0.0))


class ElastoBacklash(ElastoBacklash2):
    """As ElastoBacklash2, but the damping torque is limited to the spring torque: no jump when the contact closes.

    >>> m.add("teeth", ElastoBacklash(pinion, wheel, c="200 kN.m/rad", d=50, play="0.2 deg"))
    """

    def _contact(self, x: Signal, spring: Signal, damper: Signal) -> Signal:
        """Spring torque plus the damper torque limited to plus or minus the spring torque: it never pulls or jumps.

        Each side has a separate spring that continues inside the play. With a torque of 0 there, the limits would be
        active all the time.
        """
        low, high = (self.p.c * (x + side) for side in (0.5 * self.p.play, -0.5 * self.p.play))
        pushed = Maximum([Minimum([high + damper, 2.0 * high]), 0.0])
        return pushed + Minimum([Maximum([low + damper, 2.0 * low]), 0.0])
