"""A prescribed position."""

from __future__ import annotations

from typing import Any

from ._declare import Element, Input


class Position(Element):
    """A flange that moves along a given course, whatever torque or force that takes.

    >>> shaker = m.add("shaker", Position(s=Sine(amplitude="1 mm", f="20 Hz")))
    """

    phi = Input(None, "{disp}", "position", aliases=("s",))

    def stamp(self, net: Any) -> None:
        signal = self.p.phi
        net.motion(self, self.flange("a"), kind="position", signal=signal, position0=signal.at(signal.p, 0.0))
