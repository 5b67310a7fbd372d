"""A prescribed speed."""

from __future__ import annotations

from typing import Any

from ..declare import Param
from ._declare import Element, Input


class Speed(Element):
    """A flange that moves with a given speed, whatever torque or force that takes.

    >>> pull = m.add("pull", Speed(w="0.1 rad/s"))
    """

    w = Input(None, "{vel}", "speed", aliases=("v",))
    phi0 = Param(0.0, "{disp}", "position at the start", aliases=("s0",))

    def stamp(self, net: Any) -> None:
        net.motion(self, self.flange("a"), kind="speed", signal=self.p.w, position0=self.p.phi0)
