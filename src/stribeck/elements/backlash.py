"""Springs with play."""

from __future__ import annotations

from ..declare import Param
from ..signals import Signal
from ..signals.extremes import Maximum, Minimum
from ..signals.limits import DeadZone
from ..signals.where import Where
from ._resistance import Resistance


class ElastoBacklash2(Resistance):
    """A spring and a damper with play b in between, phi_rel within +-b/2 of phi_rel0; without flange b fixed.

    In contact tau = c x + d w_rel with the deflection x beyond the play, as long as that pushes: the torque jumps where
    the contact closes.

    >>> m.add("teeth", ElastoBacklash2(pinion, wheel, c="200 kN.m/rad", d=50, play="0.2 deg"))
    """

    group = "springs"
    c = Param(None, "{force}/{disp}", "stiffness", above=0)
    d = Param(0.0, "{force}.s/{disp}", "damping", min=0)
    play = Param(0.0, "{disp}", "play in total", min=0)
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
        """What the spring is deflected by, 0 within the play."""
        p = self.p
        x = x - p.phi_rel0
        return DeadZone(x, -0.5 * p.play, 0.5 * p.play) if p.play else x

    def _contact(self, x: Signal, spring: Signal, damper: Signal) -> Signal:
        """The torque of a spring that is 0 within the play and of a damper that acts in contact, but never pulls."""
        total, half = spring + damper, 0.5 * self.p.play
        return Where(x > half, Maximum([total, 0.0]), Where(x < -half, Minimum([total, 0.0]), 0.0))


class ElastoBacklash(ElastoBacklash2):
    """As ElastoBacklash2, but the damping torque is limited to that of the spring: no jump where the contact closes.

    >>> m.add("teeth", ElastoBacklash(pinion, wheel, c="200 kN.m/rad", d=50, play="0.2 deg"))
    """

    def _contact(self, x: Signal, spring: Signal, damper: Signal) -> Signal:
        """The damper within plus and minus the torque of the spring: nothing pulls, nothing jumps.

        Each side has a spring of its own that goes on inside the play: there, springs of 0 would be on the edge of
        their limits all the time.
        """
        low, high = (self.p.c * (x + side) for side in (0.5 * self.p.play, -0.5 * self.p.play))
        pushed = Maximum([Minimum([high + damper, 2.0 * high]), 0.0])
        return pushed + Minimum([Maximum([low + damper, 2.0 * low]), 0.0])
